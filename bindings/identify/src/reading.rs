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

/// A command of `phalanx` to try next, for a file called `file` that was read as `kind`; words in capitals are for the
/// user to fill in.
#[must_use]
pub fn next_command(kind: &str, scheme: Option<&str>, format: Option<&str>, file: &str) -> Option<String> {
    let is_ed25519 = scheme == Some("ed25519");
    let set = scheme.unwrap_or("SCHEME");
    match kind {
        "keystore" => return Some(format!("phalanx key inspect --open {file}")),
        "ledger" => return Some(format!("phalanx ledger status --ledger {file}")),
        "side log of a ledger" => return Some(format!("phalanx ledger check {file}")),
        "key.json" => return Some("phalanx inspect FILE... (those it lists)".to_owned()),
        // One under a password, which is asked for.
        "secret key" if is_ed25519 && format.is_none() => {
            return Some(format!("phalanx sign -k {file} FILE"));
        }
        "keygen.checkpoint" => {
            return Some("phalanx xmss keygen ARGUMENTS (as before: it resumes)".to_owned());
        }
        "validator keys manifest" | "annotated validators" | "genesis configuration" | "document" => {
            return Some(format!(
                "phalanx convert --to ssz --at PATH {file} OUT (a PATH: validators[0].pubkey_hex)"
            ));
        }
        _ => {}
    }
    Some(match (kind, format?) {
        ("public key", _) if is_ed25519 => {
            format!("phalanx verify -k {file} FILE SIGNATURE")
        }
        ("signature", _) if is_ed25519 => {
            format!("phalanx verify -k KEY FILE {file}")
        }
        // Secrets are taken out of texts by their owners.
        ("secret key", "raw within base64" | "keypair within base64") => {
            format!("(umask 077; base64 -d {file} > KEY)")
        }
        ("secret key", _) if is_ed25519 => {
            format!("phalanx sign -k {file} FILE")
        }
        ("public key", "ssz") => {
            format!("phalanx verify -k {file} FILE SIGNATURE --epoch EPOCH --scheme {set}")
        }
        ("signature", "ssz") => {
            format!("phalanx verify -k KEY FILE {file} --epoch EPOCH --scheme {set}")
        }
        // Whatever has the length of these is one: that it is has to be said.
        ("public key", "ssz within hex" | "ssz within base64") if set.starts_with("xmss-blake2s-") => {
            format!("phalanx verify -k {file} FILE SIGNATURE --epoch EPOCH --scheme {set}")
        }
        ("public key" | "signature", _) if set.starts_with("xmss-blake2s-") => {
            format!("phalanx convert --to ssz --scheme {set} {file} OUT")
        }
        ("public key" | "signature", _) => format!("phalanx convert --to ssz {file} OUT"),
        ("secret key", _) => {
            format!("phalanx sign -k {file} FILE --epoch next --scheme {set}")
        }
        ("aggregate", _) => format!(
            "phalanx xmss verify-aggregate SIGNERS.jsonl --aggregate {file} --profile {}",
            scheme.unwrap_or("PROFILE")
        ),
        ("statement of an aggregate", _) => {
            format!(
                "phalanx xmss verify-aggregate --statement {file} --aggregate AGGREGATE --profile PROFILE"
            )
        }
        ("commitment", _) => format!("phalanx ligerito verify --commitment {file} --proof PROOF"),
        ("proof" | "possible proof", _) => format!("phalanx ligerito verify --proof {file}"),
        _ => return None,
    })
}
