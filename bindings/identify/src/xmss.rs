//! What some bytes are: every kind of XMSS file, parameter set and encoding is tried, strictly.

use crate::hexadecimal;
use crate::reading::{Confidence, Kind, Reading};
use phalanx::xmss::any::{ParameterSet, Signature, SigningKey, VerifyingKey};
use phalanx::xmss::{Error, Format};
use std::fmt;
use zeroize::Zeroizing;

/// A decoded value.
pub enum Value {
    /// A public key.
    PublicKey(VerifyingKey),
    /// A signature.
    Signature(Signature),
    /// A secret key.
    SecretKey(Box<SigningKey>),
}

impl Value {
    /// Decodes `bytes` as one kind, set and encoding.
    ///
    /// # Errors
    /// What the decoder says.
    pub fn decode(kind: Kind, set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Error> {
        Ok(match kind {
            Kind::PublicKey => Self::PublicKey(VerifyingKey::from_bytes(set, format, bytes)?),
            Kind::Signature => Self::Signature(Signature::from_bytes(set, format, bytes)?),
            Kind::SecretKey => Self::SecretKey(Box::new(SigningKey::from_bytes(set, format, bytes)?)),
        })
    }

    /// The bytes in an encoding.
    ///
    /// # Errors
    /// [`Error::NoEncoding`] if the parameter set does not have it.
    pub fn encode(&self, format: Format) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::PublicKey(key) => key.to_bytes(format).map(Zeroizing::new),
            Self::Signature(signature) => signature.to_bytes(format).map(Zeroizing::new),
            Self::SecretKey(key) => key.to_bytes(format),
        }
    }
}

/// One reading of some bytes.
pub struct Candidate {
    /// What kind of value.
    pub kind: Kind,
    /// Of which parameter set.
    pub set: ParameterSet,
    /// In which encoding.
    pub format: Format,
    /// The value.
    pub value: Value,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} in {}", self.kind.name(), self.set, self.format.name())
    }
}

/// Which readings are allowed; `None` allows all.
#[derive(Clone, Copy, Default)]
pub struct Filter {
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only this parameter set.
    pub set: Option<ParameterSet>,
    /// Only this encoding.
    pub format: Option<Format>,
}

impl Filter {
    /// Whether a single reading is left.
    fn is_narrow(&self) -> bool {
        self.kind.is_some() && self.set.is_some() && self.format.is_some()
    }
}

/// All readings of `bytes` that `filter` allows.
///
/// # Errors
/// If there are none: the reading that came nearest, if one did.
pub fn candidates(bytes: &[u8], filter: Filter) -> Result<Vec<Candidate>, Option<Nearest>> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut nearest = None;
    // Of bytes of letters alone every word is below the modulus: 48 of them would be a key.
    let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    for (kind, set, format) in allowed(filter) {
        // In the padded form keys have no padding, and neither have the longest signatures: no other reading.
        if format == Format::BincodePadded && found.iter().any(|other| (other.kind, other.set) == (kind, set))
        {
            continue;
        }
        if filter.format.is_none() && (is_too_short(kind, set, format, bytes) || is_text && is_binary(format))
        {
            continue;
        }
        match Value::decode(kind, set, format, bytes) {
            Ok(value) => found.push(Candidate { kind, set, format, value }),
            Err(error) if nearest.is_none() && (filter.is_narrow() || is_near(kind, set, format, bytes)) => {
                nearest = Some(Nearest { kind, set, format, error });
            }
            Err(_) => {}
        }
    }
    if found.is_empty() { Err(nearest) } else { Ok(found) }
}

/// Every combination that `filter` allows.
fn allowed(filter: Filter) -> impl Iterator<Item = (Kind, ParameterSet, Format)> {
    let Filter { kind, set, format } = filter;
    let kinds = Kind::ALL.into_iter().filter(move |&this| kind.is_none_or(|wanted| wanted == this));
    kinds.flat_map(move |kind| {
        let sets = ParameterSet::ALL.into_iter().filter(move |&this| set.is_none_or(|wanted| wanted == this));
        sets.flat_map(move |set| {
            // Over BLAKE2s every encoding is the same bytes.
            let is_asked = move |&this: &Format| match format {
                Some(wanted) => wanted == this,
                None => this == Format::Ssz || matches!(set, ParameterSet::KoalaBear(_)),
            };
            let formats = Format::ALL.iter().copied().filter(is_asked);
            formats.map(move |format| (kind, set, format))
        })
    })
}

fn is_binary(format: Format) -> bool {
    match format {
        #[cfg(feature = "json")]
        Format::Json => false,
        _ => true,
    }
}

/// Whether most words of a value would be small numbers, of a byte each in bincode 2: those of keys and signatures are
/// random, and a short text is none.
fn is_too_short(kind: Kind, set: ParameterSet, format: Format, bytes: &[u8]) -> bool {
    let ParameterSet::KoalaBear(set) = set else { return false };
    format == Format::BincodeStandard && bytes.len() < 4 * words(kind, set)
}

/// Elements of the field in a public key or signature.
fn words(kind: Kind, set: phalanx::xmss::ParameterSet) -> usize {
    match kind {
        Kind::PublicKey => set.hash_len() + 5,
        Kind::Signature => {
            let nodes = set.lifetime().trailing_zeros() as usize + set.chains();
            set.randomness_len() + nodes * set.hash_len()
        }
        Kind::SecretKey => 0,
    }
}

/// Whether the length of `bytes`, or their first fields, are those of this reading, so that its error is worth telling.
fn is_near(kind: Kind, set: ParameterSet, format: Format, bytes: &[u8]) -> bool {
    let ParameterSet::KoalaBear(set) = set else {
        // The offset of the roots in a secret key; whatever has the length of the others is one.
        let is_secret = (kind, format) == (Kind::SecretKey, Format::Ssz) && set.signs();
        return is_secret && bytes.get(88..92) == Some(&96u32.to_le_bytes());
    };
    let log2_lifetime = set.lifetime().trailing_zeros();
    match (kind, format) {
        (Kind::PublicKey, Format::Ssz | Format::Bincode) => bytes.len() == 4 * words(kind, set),
        (Kind::Signature, Format::Ssz | Format::Bincode) => {
            let framing = if format == Format::Ssz { 12 } else { 16 };
            bytes.len() == framing + 4 * words(kind, set)
        }
        // The offset of the top tree, and its depth.
        (Kind::SecretKey, Format::Ssz) => {
            bytes.get(68..72) == Some(&88u32.to_le_bytes())
                && bytes.get(88..96) == Some(&u64::from(log2_lifetime).to_le_bytes())
        }
        _ => false,
    }
}

/// A reading as it is told.
#[must_use]
pub fn describe(candidate: &Candidate) -> Reading {
    let Candidate { kind, set, format, value } = candidate;
    let confidence = match (kind, set, format) {
        // 13 words below the modulus, which of random ones half are.
        (Kind::PublicKey, ParameterSet::KoalaBear(_), Format::Ssz | Format::Bincode) => Confidence::Likely,
        (Kind::SecretKey, ..) | (_, ParameterSet::KoalaBear(_), _) => Confidence::Certain,
        // Any bytes of their length are public keys and signatures.
        _ => Confidence::Possible,
    };
    let mut reading = Reading {
        kind: kind.name(),
        confidence,
        scheme: Some(set.name().to_owned()),
        format: Some(format.name().to_owned()),
        insecure: Some(set.is_insecure()),
        ..Reading::default()
    };
    let public = match value {
        Value::Signature(_) => return reading,
        Value::PublicKey(key) => *key,
        Value::SecretKey(key) => {
            reading.activation = Some(key.activation_interval());
            reading.prepared = Some(key.prepared_interval());
            key.verifying_key()
        }
    };
    let bytes = public.to_bytes(Format::Ssz).expect("every set has SSZ");
    // The root comes first: a word of four bytes for every word of a node.
    let root_len = match set {
        ParameterSet::KoalaBear(set) => 4 * set.hash_len(),
        _ => 16,
    };
    reading.root = bytes.get(..root_len).map(hex::encode);
    reading.public_key = Some(hex::encode(&bytes));
    reading
}

/// The readings of 64 digits as keys: what they write has the length of keys of several systems.
#[must_use]
pub fn within_hex(text: &[u8]) -> Vec<Reading> {
    let mut bytes = Zeroizing::new([0; 32]);
    if hexadecimal::decode_to_slice(text, &mut bytes[..]).is_err() {
        return Vec::new();
    }
    let found = candidates(&bytes[..], Filter { format: Some(Format::Ssz), ..Filter::default() });
    let mut readings: Vec<_> = found.unwrap_or_default().iter().map(describe).collect();
    readings.iter_mut().for_each(|reading| reading.format = Some("ssz within hex".to_owned()));
    readings
}

/// Keys and signatures of layouts that came before those that are read here, by their lengths.
pub(crate) fn older(bytes: &[u8]) -> Option<Reading> {
    let kind = match bytes.len() {
        3112 => Kind::Signature,
        2948 => Kind::SecretKey,
        _ => return None,
    };
    let why = "it has the length of an older layout of leanSig, which is not read here";
    Some(Reading {
        kind: kind.name(),
        confidence: Confidence::Possible,
        details: [("not supported", why.to_owned())].into(),
        ..Reading::default()
    })
}

/// A reading that failed.
pub struct Nearest {
    kind: Kind,
    set: ParameterSet,
    format: Format,
    error: Error,
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "as a {} of {} in {}: {}", self.kind.name(), self.set, self.format.name(), self.error)
    }
}

/// A hint for bytes that are not what they were said to be, if they are something else that we know.
pub fn hint(bytes: &[u8]) -> Option<String> {
    let found = candidates(bytes, Filter::default()).ok()?;
    let first = found.first()?;
    let more = if found.len() > 1 { " (and as others)" } else { "" };
    Some(format!("it reads as a {first}{more}"))
}
