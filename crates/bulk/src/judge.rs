//! Rows in, verdicts out: rows are decoded as they come, and verified many at a time, scheme by scheme.

use crate::hexadecimal;
use crate::options::Options;
use crate::result::ChunkResult;
use crate::row::{Cell, Epoch, MAX_ROW_BYTES, Row};
use crate::verdict::Verdict;
use phalanx::InvalidSignature;
use phalanx::ed25519::{self, Profile};
use phalanx::xmss::Format;
use phalanx::xmss::any::{self, ParameterSet, Signature, VerifyingKey};

/// The name of the one scheme that is no parameter set.
const ED25519: &str = "ed25519";

/// Ed25519 rows verified together, and bytes of theirs that are enough whatever their number.
const ED25519_ROWS: usize = 4096;
const ED25519_BYTES: usize = 4 << 20;

/// XMSS rows verified together: a signature of the largest set has about 6 KiB.
const XMSS_ROWS: usize = 1024;

/// Bytes that a judge holds at most, beside what is returned.
pub(crate) const MEMORY_BYTES: u64 = (16 << 20) + MAX_ROW_BYTES as u64;

/// An Ed25519 row: its three values lie one behind the other.
struct Ed25519Row {
    index: usize,
    position: u64,
    profile: Profile,
    start: usize,
    public_key: usize,
    message: usize,
    signature: usize,
}

impl Ed25519Row {
    fn element<'a>(&self, bytes: &'a [u8]) -> ed25519::SignedMessage<'a> {
        let (public_key, rest) = bytes[self.start..].split_at(self.public_key);
        let (message, rest) = rest.split_at(self.message);
        ed25519::SignedMessage { public_key, message, signature: &rest[..self.signature] }
    }
}

/// An XMSS row, decoded.
struct XmssRow {
    key: VerifyingKey,
    /// Beyond 32 bits no key has epochs: nothing verifies there.
    epoch: Option<u32>,
    message: [u8; 32],
    signature: Signature,
}

/// What is wrong with a row.
type Malformed = (Verdict, String);

/// Collects the rows of a chunk, and what becomes of them.
pub(crate) struct Judge<'o> {
    scheme: Option<&'o str>,
    profile: Profile,
    result: ChunkResult,
    ed25519: Vec<Ed25519Row>,
    /// The values of those.
    bytes: Vec<u8>,
    /// With index and position.
    xmss: Vec<(usize, u64, XmssRow)>,
    /// A value while it is decoded.
    value: Vec<u8>,
}

impl<'o> Judge<'o> {
    /// A judge who has seen nothing.
    ///
    /// # Errors
    /// An option that names nothing.
    pub(crate) fn new(options: &'o Options) -> Result<Self, String> {
        let profile = Profile::from_name(&options.profile)
            .ok_or_else(|| format!("there is no profile '{}'", options.profile))?;
        let scheme = options.scheme.as_deref();
        if let Some(name) = scheme.filter(|name| *name != ED25519 && ParameterSet::from_name(name).is_none())
        {
            return Err(format!("there is no scheme '{name}'"));
        }
        let (result, ed25519, bytes, xmss) = (ChunkResult::default(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { scheme, profile, result, ed25519, bytes, xmss, value: Vec::new() })
    }

    /// Takes a row.
    pub(crate) fn row(&mut self, position: u64, row: &Row<'_>) {
        let scheme = match (row.scheme, self.scheme) {
            (Cell::Absent, Some(scheme)) => scheme.as_bytes(),
            (Cell::Text(name) | Cell::Bytes(name), _) => name,
            (cell, _) => {
                return self.refuse(position, None, (Verdict::Scheme, format!("scheme: {}", lack(cell))));
            }
        };
        if scheme == ED25519.as_bytes() {
            return self.ed25519_row(position, row);
        }
        let Some(set) = std::str::from_utf8(scheme).ok().and_then(ParameterSet::from_name) else {
            return self.refuse(position, None, (Verdict::Scheme, "scheme: unknown".to_owned()));
        };
        match self.xmss_row(set, row) {
            Err(malformed) => self.refuse(position, Some(set.name()), malformed),
            Ok(row) => {
                let index = self.result.push();
                self.xmss.push((index, position, row));
                if self.xmss.len() >= XMSS_ROWS {
                    self.verify_xmss();
                }
            }
        }
    }

    /// Takes note of a row that is malformed as a whole.
    pub(crate) fn malformed(&mut self, position: u64, verdict: Verdict, problem: &str) {
        self.refuse(position, None, (verdict, problem.to_owned()));
    }

    /// What became of all rows.
    pub(crate) fn finish(mut self) -> ChunkResult {
        self.verify_ed25519();
        self.verify_xmss();
        self.result.sort();
        self.result
    }

    fn refuse(&mut self, position: u64, scheme: Option<&'static str>, (verdict, problem): Malformed) {
        let index = self.result.push();
        self.result.settle(index, position, scheme.unwrap_or_default(), verdict, &problem);
    }

    // ---- Ed25519 ----

    fn ed25519_row(&mut self, position: u64, row: &Row<'_>) {
        let start = self.bytes.len();
        match self.ed25519_values(row) {
            Err(malformed) => {
                self.bytes.truncate(start);
                self.refuse(position, Some(ED25519), malformed);
            }
            Ok((profile, [public_key, message, signature])) => {
                let index = self.result.push();
                let row = Ed25519Row { index, position, profile, start, public_key, message, signature };
                self.ed25519.push(row);
                if self.ed25519.len() >= ED25519_ROWS || self.bytes.len() >= ED25519_BYTES {
                    self.verify_ed25519();
                }
            }
        }
    }

    /// Appends the three values, and says how long they are. Keys and signatures of a wrong length are judged like any
    /// others: they do not verify.
    fn ed25519_values(&mut self, row: &Row<'_>) -> Result<(Profile, [usize; 3]), Malformed> {
        let profile = match row.profile {
            Cell::Absent => Some(self.profile),
            Cell::Text(name) | Cell::Bytes(name) => {
                std::str::from_utf8(name).ok().and_then(Profile::from_name)
            }
            Cell::Wrong => None,
        };
        let profile = profile.ok_or_else(|| (Verdict::Profile, "profile: unknown".to_owned()))?;
        let public_key = append("public_key", Verdict::PublicKey, row.public_key, &mut self.bytes)?;
        let message = append("message", Verdict::Message, row.message, &mut self.bytes)?;
        let signature = append("signature", Verdict::Signature, row.signature, &mut self.bytes)?;
        Ok((profile, [public_key, message, signature]))
    }

    fn verify_ed25519(&mut self) {
        for profile in Profile::ALL {
            let mine: Vec<&Ed25519Row> = self.ed25519.iter().filter(|row| row.profile == profile).collect();
            if mine.is_empty() {
                continue;
            }
            let elements: Vec<_> = mine.iter().map(|row| row.element(&self.bytes)).collect();
            let results = ed25519::verify_many(profile, &elements);
            for ((row, element), result) in mine.iter().zip(&elements).zip(results) {
                let (verdict, reason) = match result {
                    Ok(()) => (Verdict::Valid, String::new()),
                    Err(InvalidSignature) => (Verdict::Invalid, why(profile, element)),
                };
                self.result.settle(row.index, row.position, ED25519, verdict, &reason);
            }
        }
        self.ed25519.clear();
        self.bytes.clear();
        // After a long row the next ones need less.
        self.bytes.shrink_to(2 * ED25519_BYTES);
    }

    // ---- XMSS ----

    fn xmss_row(&mut self, set: ParameterSet, row: &Row<'_>) -> Result<XmssRow, Malformed> {
        let value = &mut self.value;
        let mut read = |what, verdict, cell| {
            value.clear();
            append(what, verdict, cell, value).map(|_| value.clone())
        };
        let bad = |verdict, what: &str, error: &dyn std::fmt::Display| (verdict, format!("{what}: {error}"));
        let key = read("public_key", Verdict::PublicKey, row.public_key)?;
        let key = VerifyingKey::from_bytes(set, Format::Ssz, &key)
            .map_err(|error| bad(Verdict::PublicKey, "public_key", &error))?;
        let epoch = match row.epoch {
            Epoch::Is(epoch) => u32::try_from(epoch).ok(),
            Epoch::Absent => return Err(bad(Verdict::Epoch, "epoch", &"missing")),
            Epoch::Wrong => return Err(bad(Verdict::Epoch, "epoch", &"no number")),
        };
        let message = read("message", Verdict::Message, row.message)?;
        let message = message.as_slice().try_into().map_err(|_| {
            bad(Verdict::Message, "message", &format_args!("got {} bytes, wanted 32", message.len()))
        })?;
        let signature = read("signature", Verdict::Signature, row.signature)?;
        let signature = Signature::from_bytes(set, Format::Ssz, &signature)
            .map_err(|error| bad(Verdict::Signature, "signature", &error))?;
        Ok(XmssRow { key, epoch, message, signature })
    }

    fn verify_xmss(&mut self) {
        let claim = |row: &XmssRow| row.epoch.is_some();
        let claims = self.xmss.iter().filter(|(.., row)| claim(row)).map(|(.., row)| any::SignedMessage {
            key: &row.key,
            epoch: row.epoch.unwrap_or_default(),
            message: &row.message,
            signature: &row.signature,
        });
        let mut results = any::verify_many(&claims.collect::<Vec<_>>()).into_iter();
        for (index, position, row) in &self.xmss {
            let mut verifies = || results.next().expect("one result for every claim").is_ok();
            let (verdict, reason) = if claim(row) && verifies() {
                (Verdict::Valid, String::new())
            } else {
                (Verdict::Invalid, InvalidSignature.to_string())
            };
            let scheme = row.key.parameter_set().name();
            self.result.settle(*index, *position, scheme, verdict, &reason);
        }
        self.xmss.clear();
    }
}

/// Why an Ed25519 signature does not verify.
fn why(profile: Profile, element: &ed25519::SignedMessage<'_>) -> String {
    match ed25519::explain(profile, element.public_key, element.message, element.signature) {
        Err(reason) => format!("{InvalidSignature}: {reason}"),
        Ok(()) => InvalidSignature.to_string(),
    }
}

/// Appends the bytes of `cell` to `out`, and says how many they are.
fn append(what: &str, verdict: Verdict, cell: Cell<'_>, out: &mut Vec<u8>) -> Result<usize, Malformed> {
    let before = out.len();
    let problem = match cell {
        Cell::Text(text) | Cell::Bytes(text) if text.len() > MAX_ROW_BYTES => {
            return Err((Verdict::Row, format!("{what}: longer than {MAX_ROW_BYTES} bytes")));
        }
        Cell::Text(text) => hexadecimal::decode(text, out),
        Cell::Bytes(bytes) => {
            out.extend_from_slice(bytes);
            Ok(())
        }
        Cell::Absent | Cell::Wrong => Err(lack(cell)),
    };
    match problem {
        Ok(()) => Ok(out.len() - before),
        Err(problem) => Err((verdict, format!("{what}: {problem}"))),
    }
}

/// What to say of a cell that has no value to look at.
fn lack(cell: Cell<'_>) -> &'static str {
    if matches!(cell, Cell::Absent) { "missing" } else { "no text" }
}
