//! Names of keys and of their one-time secrets.
//!
//! A hash-based key spends its one-time secrets whatever file, parameter set or interval it is held with. So a key is
//! named here by what those secrets depend on, and by nothing else: two keys that share them share their name.
#![forbid(unsafe_code)]

use hkdf::Hkdf;
use phalanx_xmss::{ParameterSet, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::fmt;
use zeroize::Zeroizing;

/// Schemes whose one-time secrets come from a seed in the same way. Between families nothing is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The seven parameter sets over the field KoalaBear: one seed gives all of them the same one-time secrets.
    KoalaBear,
    /// XMSS over BLAKE2s.
    Blake2s,
    /// Ed25519, whose keys are not spent; the ledger guards its positions in a consensus.
    Ed25519,
}

impl Family {
    /// The family of the scheme called `scheme`, a name of the list of parameter sets.
    #[must_use]
    pub fn of_scheme(scheme: &str) -> Option<Self> {
        match scheme {
            "ed25519" => Some(Self::Ed25519),
            "xmss-blake2s-l32-d42b8" => Some(Self::Blake2s),
            _ => ParameterSet::from_name(scheme).map(|_| Self::KoalaBear),
        }
    }

    /// Its name in the hashes below.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KoalaBear => "leanxmss-koalabear",
            Self::Blake2s => "leanxmss-blake2s",
            Self::Ed25519 => "ed25519",
        }
    }

    /// How many bytes at the end of a public key say which one-time secrets it has: the parameter `P`; of Ed25519 all.
    #[must_use]
    pub fn part_len(self) -> usize {
        match self {
            Self::KoalaBear => 20,
            Self::Blake2s => 16,
            Self::Ed25519 => 32,
        }
    }

    /// The part of the public key `public_key` (in SSZ) that names the key.
    #[must_use]
    pub fn part_of(self, public_key: &[u8]) -> Option<&[u8]> {
        Some(&public_key[public_key.len().checked_sub(self.part_len())?..])
    }

    /// The name under which the derivation of signatures is pinned: a signer that does not offer it refuses the key,
    /// since a repeated message must get the identical signature.
    #[must_use]
    pub fn implementation(self) -> &'static str {
        match self {
            Self::KoalaBear => "leansig-prf-1",
            Self::Blake2s => "xmss-blake2s-b-1",
            Self::Ed25519 => "ed25519-rfc8032-1",
        }
    }
}

/// Defines a name of 32 bytes, written as 64 lower-case hexadecimal digits.
macro_rules! name_of_32_bytes {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 32]);

        impl $name {
            /// The name that 64 lower-case hexadecimal digits stand for.
            #[must_use]
            pub fn from_hex(text: &str) -> Option<Self> {
                crate::hexadecimal::array(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    };
}

name_of_32_bytes! {
    /// Names a key by its public part: keys with the same one-time secrets from one seed have the same. Public.
    KeyId
}
name_of_32_bytes! {
    /// Names the one-time secrets themselves, and so catches what [`KeyId`] cannot: one PRF key with two parameters. Says
    /// nothing usable about the secret, and yet stands only in ledgers.
    OneTimeKeyId
}

/// The name of the key of `family` whose public part is `part`.
///
/// ```
/// use phalanx_custody::identity::{Family, key_id};
///
/// let name = key_id(Family::KoalaBear, &[7; 20]);
/// assert_eq!(name.to_string().len(), 64);
/// assert_ne!(name, key_id(Family::Blake2s, &[7; 20]));
/// ```
#[must_use]
pub fn key_id(family: Family, part: &[u8]) -> KeyId {
    KeyId(hash("phalanx key id v1", family, part))
}

/// The name of the one-time secrets of a key: `secret` is the PRF key of a KoalaBear set, or a BLAKE2s seed.
#[must_use]
pub fn one_time_key_id(family: Family, secret: &[u8; 32]) -> OneTimeKeyId {
    OneTimeKeyId(hash("phalanx one-time key id v1", family, secret))
}

fn hash(label: &str, family: Family, bytes: &[u8]) -> [u8; 32] {
    let hash = Sha256::new().chain_update(label).chain_update([0]).chain_update(family.name());
    hash.chain_update([0]).chain_update(bytes).finalize().into()
}

impl From<phalanx_xmss::KeyId> for KeyId {
    fn from(name: phalanx_xmss::KeyId) -> Self {
        Self(*name.as_bytes())
    }
}

impl From<phalanx_xmss::OneTimeKeyId> for OneTimeKeyId {
    fn from(name: phalanx_xmss::OneTimeKeyId) -> Self {
        Self(*name.as_bytes())
    }
}

/// The name of an XMSS key over KoalaBear, from its public half.
#[must_use]
pub fn xmss_key_id(key: &VerifyingKey) -> KeyId {
    key.key_id().into()
}

/// The name of the one-time secrets of an XMSS key over KoalaBear.
#[must_use]
pub fn xmss_one_time_key_id(key: &SigningKey) -> OneTimeKeyId {
    key.one_time_key_id().into()
}

/// What a child seed depends on: everything that makes a key, so that two keys cannot share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivation<'a> {
    /// Name of the parameter set.
    pub scheme: &'a str,
    /// Role of the key.
    pub role: &'a str,
    /// First epoch of its activation interval, rounded as the parameter set rounds it.
    pub start: u64,
    /// Number of its epochs, rounded likewise.
    pub count: u64,
    /// Which of several keys of this kind.
    pub index: u64,
}

/// The child seed of `master` for one key. The master is never itself the seed of a key.
#[must_use]
pub fn derive_seed(master: &[u8; 32], what: &Derivation<'_>) -> Zeroizing<[u8; 32]> {
    let Derivation { scheme, role, start, count, index } = *what;
    let numbers = [start, count, index].map(u64::to_le_bytes);
    let [start, count, index] = &numbers;
    let info: [&[u8]; 7] = [scheme.as_bytes(), &[0], role.as_bytes(), &[0], start, count, index];
    let mut seed = Zeroizing::new([0; 32]);
    Hkdf::<Sha256>::new(Some(b"phalanx key derive v1"), master)
        .expand_multi_info(&info, &mut seed[..])
        .expect("32 bytes are one block");
    seed
}
