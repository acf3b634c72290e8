//! What some bytes are: every kind of XMSS file, parameter set and encoding is tried, strictly.

use phalanx::Malformed;
use phalanx::xmss::{Format, ParameterSet, Signature, SigningKey, VerifyingKey};
use std::fmt;
use zeroize::Zeroizing;

/// The kinds of value that have encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Kind {
    /// A public key.
    #[value(name = "public-key", alias = "key")]
    PublicKey,
    /// A signature.
    Signature,
    /// A secret key.
    SecretKey,
}

impl Kind {
    const ALL: [Self; 3] = [Self::PublicKey, Self::Signature, Self::SecretKey];

    /// As people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PublicKey => "public key",
            Self::Signature => "signature",
            Self::SecretKey => "secret key",
        }
    }
}

/// A decoded value.
pub(crate) enum Value {
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
    pub(crate) fn decode(
        kind: Kind,
        set: ParameterSet,
        format: Format,
        bytes: &[u8],
    ) -> Result<Self, Malformed> {
        Ok(match kind {
            Kind::PublicKey => Self::PublicKey(VerifyingKey::from_bytes(set, format, bytes)?),
            Kind::Signature => Self::Signature(Signature::from_bytes(set, format, bytes)?),
            Kind::SecretKey => Self::SecretKey(Box::new(SigningKey::from_bytes(set, format, bytes)?)),
        })
    }

    /// The bytes in an encoding.
    pub(crate) fn encode(&self, format: Format) -> Zeroizing<Vec<u8>> {
        match self {
            Self::PublicKey(key) => Zeroizing::new(key.to_bytes(format)),
            Self::Signature(signature) => Zeroizing::new(signature.to_bytes(format)),
            Self::SecretKey(key) => key.to_bytes(format),
        }
    }
}

/// One reading of some bytes.
pub(crate) struct Candidate {
    /// What kind of value.
    pub(crate) kind: Kind,
    /// Of which parameter set.
    pub(crate) set: ParameterSet,
    /// In which encoding.
    pub(crate) format: Format,
    /// The value.
    pub(crate) value: Value,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} in {}", self.kind.name(), self.set, self.format.name())
    }
}

/// Which readings are allowed; `None` allows all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filter {
    /// Only this kind.
    pub(crate) kind: Option<Kind>,
    /// Only this parameter set.
    pub(crate) set: Option<ParameterSet>,
    /// Only this encoding.
    pub(crate) format: Option<Format>,
}

/// All readings of `bytes` that `filter` allows. If there are none, the error of the most promising: one that did not
/// fail on a length.
///
/// # Errors
/// That error, with the reading it belongs to.
pub(crate) fn candidates(bytes: &[u8], filter: Filter) -> Result<Vec<Candidate>, Nearest> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut nearest: Option<Nearest> = None;
    for kind in Kind::ALL.into_iter().filter(|&kind| filter.kind.is_none_or(|wanted| wanted == kind)) {
        for set in ParameterSet::ALL.into_iter().filter(|&set| filter.set.is_none_or(|wanted| wanted == set))
        {
            for format in Format::ALL
                .iter()
                .copied()
                .filter(|&format| filter.format.is_none_or(|wanted| wanted == format))
            {
                let repeats = |other: &Candidate| {
                    (other.kind, other.set) == (kind, set) && format == Format::BincodePadded
                };
                if found.iter().any(repeats) {
                    continue;
                }
                match Value::decode(kind, set, format, bytes) {
                    Ok(value) => found.push(Candidate { kind, set, format, value }),
                    Err(error) => {
                        let is_about_length = |error: &Malformed| error.what.contains("length");
                        if nearest
                            .as_ref()
                            .is_none_or(|old| is_about_length(&old.error) && !is_about_length(&error))
                        {
                            nearest = Some(Nearest { kind, set, format, error });
                        }
                    }
                }
            }
        }
    }
    match nearest {
        Some(nearest) if found.is_empty() => Err(nearest),
        _ => Ok(found),
    }
}

/// A reading that failed.
pub(crate) struct Nearest {
    kind: Kind,
    set: ParameterSet,
    format: Format,
    /// Why.
    pub(crate) error: Malformed,
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "as a {} of {} in {}: {}", self.kind.name(), self.set, self.format.name(), self.error)
    }
}

/// A hint for bytes that are not what they were said to be, if they are something else that we know.
pub(crate) fn hint(bytes: &[u8]) -> Option<String> {
    let found = candidates(bytes, Filter::default()).ok()?;
    let first = found.first()?;
    let more = if found.len() > 1 { " (and as others)" } else { "" };
    Some(format!("it reads as a {first}{more}"))
}
