//! A reading of some bytes, as people are told it.

use std::collections::BTreeMap;
use std::ops::Range;

/// The kinds of value that have encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Kind {
    /// A public key.
    #[cfg_attr(feature = "clap", value(name = "public-key", alias = "key"))]
    PublicKey,
    /// A signature.
    Signature,
    /// A secret key.
    #[cfg_attr(feature = "clap", value(name = "secret-key"))]
    SecretKey,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::PublicKey, Self::Signature, Self::SecretKey];

    /// As people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PublicKey => "public key",
            Self::Signature => "signature",
            Self::SecretKey => "secret key",
        }
    }
}

/// How sure a reading is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing else looks like it.
    #[default]
    Certain,
    /// Other bytes seldom look like it: one in thousands of the same length.
    Likely,
    /// Its length fits, and little else is known.
    Possible,
}

impl Confidence {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Possible => "possible",
        }
    }
}

/// One reading of some bytes, as it is told. Nothing secret is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What kind of thing.
    pub kind: &'static str,
    /// How sure that is.
    pub confidence: Confidence,
    /// The parameter set or suite.
    pub scheme: Option<String>,
    /// The encoding.
    pub format: Option<String>,
    /// Whether the parameter set has no security.
    pub insecure: Option<bool>,
    /// The epochs of a secret key.
    pub activation: Option<Range<u64>>,
    /// Those that it can sign at once.
    pub prepared: Option<Range<u64>>,
    /// Of a public key, or the one that belongs to a secret key, in hexadecimal: SSZ where it is of XMSS.
    pub public_key: Option<String>,
    /// The root of a key, commitment or proof, in hexadecimal.
    pub root: Option<String>,
    /// What else is known, by name.
    pub details: BTreeMap<&'static str, String>,
}

/// The order of readings: what is surer comes first, and of what is as sure a secret last, since 32 bytes that lie around
/// are seldom a seed.
#[must_use]
pub fn rank(confidence: Confidence, kind: &str) -> (Confidence, bool) {
    (confidence, kind == Kind::SecretKey.name())
}
