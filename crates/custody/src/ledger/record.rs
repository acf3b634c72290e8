//! What a ledger says: records, each of which is a line of the side log.
#![forbid(unsafe_code)]

use crate::hexadecimal;
use crate::identity::{KeyId, OneTimeKeyId};
use std::fmt;

/// SHA-256 of a message.
pub type Digest = [u8; 32];

/// Numbers of the ledger are below this: SQL has no unsigned ones.
pub const NUMBER_LIMIT: u64 = 1 << 63;

/// What a signature spends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `-`; for consensus positions the chain's name in hexadecimal.
    pub domain: String,
    /// The epoch, or height, round and step.
    pub position: [u64; 3],
}

impl Place {
    /// An epoch of an XMSS key.
    #[must_use]
    pub fn epoch(epoch: u64) -> Self {
        Self { domain: "-".to_owned(), position: [epoch, 0, 0] }
    }
}

/// How the positions of a key are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Epochs go with the time of a chain.
    Synchronized,
    /// Epochs are counted.
    Counter,
    /// Height, round and step of a consensus.
    HeightRoundStep,
}

/// Whether a key may go back to an epoch that it has passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// Only forward.
    Strict,
    /// Any unused epoch.
    Any,
}

/// Whether a key may sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// It may.
    Active,
    /// There was a doubt: it signs nothing until an operator has answered it.
    Quarantined,
    /// It has moved away, for ever.
    Retired,
}

/// Gives a type the words that files use for its values.
macro_rules! words {
    ($type:ident: $($value:ident = $word:literal),*) => {
        impl $type {
            /// The word for it in files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $word),* }
            }

            /// The value that a word stands for.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($word => Some(Self::$value),)* _ => None }
            }
        }
    };
}
words!(Mode: Synchronized = "synchronized", Counter = "counter", HeightRoundStep = "hrs");
words!(Ordering: Strict = "strict", Any = "any");
words!(KeyState: Active = "active", Quarantined = "quarantined", Retired = "retired");

/// What makes a key this key: it is registered once, and only its ordering may become stricter afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInstance {
    /// Its name.
    pub key_id: KeyId,
    /// Its parameter set.
    pub scheme: String,
    /// Its role.
    pub role: String,
    /// How its positions are used.
    pub mode: Mode,
    /// In which order.
    pub ordering: Ordering,
    /// Its first epoch.
    pub start: u64,
    /// The first epoch after it.
    pub end: u64,
    /// The derivation of signatures that it is pinned to.
    pub implementation: String,
    /// The name of its one-time secrets, where they are known.
    pub one_time_key_id: Option<OneTimeKeyId>,
}

/// One statement of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `K`: a key is registered.
    Key(KeyInstance),
    /// `E`: a position is for one message, or closed for all.
    Entry {
        /// The key.
        key: KeyId,
        /// Its position.
        place: Place,
        /// The message, or none.
        digest: Option<Digest>,
    },
    /// `F`: nothing new below this.
    Low {
        /// The key.
        key: KeyId,
        /// The low watermark.
        low: u64,
    },
    /// `C`: nothing new from here on.
    High {
        /// The key.
        key: KeyId,
        /// The high watermark.
        high: Option<u64>,
    },
    /// `R`: a range of positions is this ledger's.
    Range {
        /// The key.
        key: KeyId,
        /// The range's name.
        range: String,
        /// Its first position.
        start: u64,
        /// The first position after it.
        end: u64,
    },
    /// `D`: a range is given away.
    RangeGone {
        /// The key.
        key: KeyId,
        /// The range's name.
        range: String,
    },
    /// `S`: the state of a key.
    State {
        /// The key.
        key: KeyId,
        /// Its state.
        state: KeyState,
    },
    /// `P`: what was signed below this is no longer kept.
    Pruned {
        /// The key.
        key: KeyId,
        /// The first position that is kept.
        below: u64,
    },
    /// `L`: the token of the lease under which later groups are written.
    Lease {
        /// The lease's name.
        lease: String,
        /// Its token.
        token: u64,
    },
    /// `I`: a process started.
    Incarnation {
        /// How many have.
        number: u64,
        /// Under which boot of the machine.
        boot_id: Vec<u8>,
        /// When, in seconds of Unix time.
        at: u64,
    },
    /// `O`: an operator, or a repair, did something.
    Operator {
        /// What.
        action: String,
        /// More about it; for some actions a name.
        detail: Vec<u8>,
    },
}

/// The action of an `O` line that remembers the number of a transfer.
pub const TRANSFER: &str = "transfer";

/// The action of the `O` line that ends each group of a snapshot.
pub const SNAPSHOT: &str = "snapshot";

impl fmt::Display for Record {
    /// The line, without its numbers and chain value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => {
                let KeyInstance { key_id, scheme, role, mode, ordering, start, end, .. } = key;
                let (mode, ordering) = (mode.name(), ordering.name());
                write!(
                    f,
                    "K {key_id} {scheme} {role} {mode} {ordering} {start} {end} {} ",
                    key.implementation
                )?;
                match key.one_time_key_id {
                    Some(id) => write!(f, "{id}"),
                    None => f.write_str("-"),
                }
            }
            Self::Entry { key, place: Place { domain, position: [p0, p1, p2] }, digest } => {
                let digest = digest.map_or_else(|| "-".to_owned(), |digest| hexadecimal::text(&digest));
                write!(f, "E {key} {domain} {p0} {p1} {p2} {digest}")
            }
            Self::Low { key, low } => write!(f, "F {key} {low}"),
            Self::High { key, high: Some(high) } => write!(f, "C {key} {high}"),
            Self::High { key, high: None } => write!(f, "C {key} -"),
            Self::Range { key, range, start, end } => write!(f, "R {key} {range} {start} {end}"),
            Self::RangeGone { key, range } => write!(f, "D {key} {range}"),
            Self::State { key, state } => write!(f, "S {key} {}", state.name()),
            Self::Pruned { key, below } => write!(f, "P {key} {below}"),
            Self::Lease { lease, token } => write!(f, "L {lease} {token}"),
            Self::Incarnation { number, boot_id, at } => {
                write!(f, "I {number} {} {at}", hex_or_dash(boot_id))
            }
            Self::Operator { action, detail } => write!(f, "O {action} {}", hex_or_dash(detail)),
        }
    }
}

impl Record {
    /// The key that it is about, if it is about one.
    #[must_use]
    pub fn key(&self) -> Option<KeyId> {
        match self {
            Self::Key(instance) => Some(instance.key_id),
            Self::Entry { key, .. }
            | Self::Low { key, .. }
            | Self::High { key, .. }
            | Self::Range { key, .. }
            | Self::RangeGone { key, .. }
            | Self::State { key, .. }
            | Self::Pruned { key, .. } => Some(*key),
            Self::Lease { .. } | Self::Incarnation { .. } | Self::Operator { .. } => None,
        }
    }

    /// The record that a line without its numbers and chain value stands for.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = Fields(line.split(' '));
        let record = match fields.0.next()? {
            "K" => Self::Key(fields.instance()?),
            "E" => {
                let (key, domain) = (fields.key()?, fields.domain()?);
                let place =
                    Place { domain, position: [fields.number()?, fields.number()?, fields.number()?] };
                Self::Entry { key, place, digest: fields.or_dash(hexadecimal::array)? }
            }
            "F" => Self::Low { key: fields.key()?, low: fields.number()? },
            "C" => Self::High { key: fields.key()?, high: fields.or_dash(number)? },
            "R" => {
                let (key, range) = (fields.key()?, fields.word()?);
                Self::Range { key, range, start: fields.number()?, end: fields.number()? }
            }
            "D" => Self::RangeGone { key: fields.key()?, range: fields.word()? },
            "S" => Self::State { key: fields.key()?, state: KeyState::from_name(fields.0.next()?)? },
            "P" => Self::Pruned { key: fields.key()?, below: fields.number()? },
            "L" => Self::Lease { lease: fields.word()?, token: fields.number()? },
            "I" => {
                Self::Incarnation { number: fields.number()?, boot_id: fields.hex()?, at: fields.number()? }
            }
            "O" => Self::Operator { action: fields.word()?, detail: fields.hex()? },
            _ => return None,
        };
        fields.0.next().is_none().then_some(record)
    }
}

/// The fields of a line that are still to be read.
struct Fields<'a>(std::str::Split<'a, char>);

impl Fields<'_> {
    fn instance(&mut self) -> Option<KeyInstance> {
        Some(KeyInstance {
            key_id: self.key()?,
            scheme: self.word()?,
            role: self.word()?,
            mode: Mode::from_name(self.0.next()?)?,
            ordering: Ordering::from_name(self.0.next()?)?,
            start: self.number()?,
            end: self.number()?,
            implementation: self.word()?,
            one_time_key_id: self.or_dash(OneTimeKeyId::from_hex)?,
        })
    }

    fn key(&mut self) -> Option<KeyId> {
        KeyId::from_hex(self.0.next()?)
    }

    fn number(&mut self) -> Option<u64> {
        number(self.0.next()?)
    }

    fn word(&mut self) -> Option<String> {
        let word = self.0.next()?;
        is_word(word).then(|| word.to_owned())
    }

    fn domain(&mut self) -> Option<String> {
        let domain = self.0.next()?;
        is_domain(domain).then(|| domain.to_owned())
    }

    fn hex(&mut self) -> Option<Vec<u8>> {
        match self.0.next()? {
            "-" => Some(Vec::new()),
            "" => None,
            digits => hexadecimal::bytes(digits),
        }
    }

    fn or_dash<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
        match self.0.next()? {
            "-" => Some(None),
            text => read(text).map(Some),
        }
    }
}

/// Whether `text` may stand in a line as one field: visible ASCII, and not so long that a line could become too long.
#[must_use]
pub fn is_word(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether `text` is a domain: `-`, or the name of a chain in hexadecimal.
#[must_use]
pub fn is_domain(text: &str) -> bool {
    text == "-" || (!text.is_empty() && hexadecimal::bytes(text).is_some())
}

/// A decimal number without leading zeros, below 2^63.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let digits = text.as_bytes();
    let is_plain =
        digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    text.parse().ok().filter(|&number| is_plain && number < NUMBER_LIMIT)
}

fn hex_or_dash(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_owned() } else { hexadecimal::text(bytes) }
}
