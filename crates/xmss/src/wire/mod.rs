//! Keys and signatures as bytes (spec section 13): one file per encoding, the common rules here.
//!
//! All decoding is strict: one value has one form in SSZ and in each bincode, every element is canonical, every length
//! comes from the parameter set, nothing follows the end. Costs are bounded by the length of the input.
#![forbid(unsafe_code)]

mod bincode;
#[cfg(feature = "json")]
mod json;
mod rules;
mod ssz;

use super::key::{SigningKey, VerifyingKey};
use super::parameters::ParameterSet;
use super::signature::Signature;
use alloc::vec::Vec;
use core::fmt;
use phalanx_core::Malformed;
use phalanx_core::bytes::Integers;
use zeroize::Zeroizing;

/// Length in bytes of a padded signature; see [`Format::BincodePadded`]. The longest signature of any set has it.
const PADDED_LEN: usize = 3116;

/// An encoding of keys and signatures.
///
/// Nothing in the bytes says which one they are in, nor under which parameter set: both have to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// SSZ, as the consensus layer speaks it; elements are canonical residues.
    Ssz,
    /// bincode with integers of fixed width: the default of bincode 1.3, and `standard().with_fixed_int_encoding()` of
    /// bincode 2. Elements are Montgomery words.
    Bincode,
    /// bincode 2 as it comes (`standard()`): integers of variable width. Elements are Montgomery words.
    BincodeStandard,
    /// The JSON that serde writes of leanSig's types. Elements are Montgomery words. Reading allows any white space and
    /// order of fields; writing uses none, and leanSig's order.
    #[cfg(feature = "json")]
    Json,
    /// [`Bincode`](Self::Bincode), with signatures of any set followed by zeros up to 3116 bytes, as hash-zig's
    /// cross-language tool writes them. Keys have no padding: for them this is `Bincode`.
    BincodePadded,
}

impl Format {
    /// All formats of this build.
    pub const ALL: &'static [Self] = &[
        Self::Ssz,
        Self::Bincode,
        Self::BincodeStandard,
        #[cfg(feature = "json")]
        Self::Json,
        Self::BincodePadded,
    ];

    /// The name: `"ssz"`, `"bincode"`, `"bincode2"`, `"json"` or `"bincode-padded"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ssz => "ssz",
            Self::Bincode => "bincode",
            Self::BincodeStandard => "bincode2",
            #[cfg(feature = "json")]
            Self::Json => "json",
            Self::BincodePadded => "bincode-padded",
        }
    }

    /// The format called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl VerifyingKey {
    /// The key in `format`: root, then parameter. In SSZ and fixed-width bincode `4 * (hash_len + 5)` bytes, 52 or 48.
    ///
    /// Source: spec section 13.
    #[must_use]
    pub fn to_bytes(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Ssz => ssz::put_verifying_key(self),
            Format::Bincode | Format::BincodePadded => bincode::put_verifying_key(self, Integers::Fixed),
            Format::BincodeStandard => bincode::put_verifying_key(self, Integers::Variable),
            #[cfg(feature = "json")]
            Format::Json => json::put_verifying_key(self),
        }
    }

    /// The key of `set` that `bytes` hold in `format`.
    ///
    /// # Errors
    /// [`Malformed`] if `bytes` are anything but what [`to_bytes`](Self::to_bytes) gives (JSON: up to white space and
    /// order). For an element that is not canonical, `got` is the element and `wanted` the largest allowed.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Malformed> {
        match format {
            Format::Ssz => ssz::verifying_key(set, bytes),
            Format::Bincode | Format::BincodePadded => bincode::verifying_key(set, Integers::Fixed, bytes),
            Format::BincodeStandard => bincode::verifying_key(set, Integers::Variable, bytes),
            #[cfg(feature = "json")]
            Format::Json => json::verifying_key(set, bytes),
        }
    }
}

impl Signature {
    /// The signature in `format`: path from the leaf up, randomness, chain values. In SSZ `12 + 4 * (randomness_len +
    /// hash_len * (log2_lifetime + chains))` bytes, in fixed-width bincode four more.
    ///
    /// Source: spec section 13.
    #[must_use]
    pub fn to_bytes(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Ssz => ssz::put_signature(self),
            Format::Bincode => bincode::put_signature(self, Integers::Fixed),
            Format::BincodeStandard => bincode::put_signature(self, Integers::Variable),
            #[cfg(feature = "json")]
            Format::Json => json::put_signature(self),
            Format::BincodePadded => {
                let mut bytes = bincode::put_signature(self, Integers::Fixed);
                bytes.resize(PADDED_LEN, 0);
                bytes
            }
        }
    }

    /// The signature under `set` that `bytes` hold in `format`. Whether it verifies is another question.
    ///
    /// # Errors
    /// [`Malformed`] if `bytes` are anything but what [`to_bytes`](Self::to_bytes) gives (JSON: up to white space and
    /// order). For an element that is not canonical, `got` is the element and `wanted` the largest allowed.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Malformed> {
        match format {
            Format::Ssz => ssz::signature(set, bytes),
            Format::Bincode => {
                let (signature, after) = bincode::signature(set, Integers::Fixed, bytes)?;
                after.finish()?;
                Ok(signature)
            }
            Format::BincodeStandard => {
                let (signature, after) = bincode::signature(set, Integers::Variable, bytes)?;
                after.finish()?;
                Ok(signature)
            }
            #[cfg(feature = "json")]
            Format::Json => json::signature(set, bytes),
            Format::BincodePadded => {
                Malformed::unless_equal(
                    "length of a padded signature",
                    bytes.len() as u64,
                    PADDED_LEN as u64,
                )?;
                let (signature, after) = bincode::signature(set, Integers::Fixed, bytes)?;
                let padding = after.rest().iter().copied().find(|&byte| byte != 0).unwrap_or(0);
                Malformed::unless_equal("byte of padding", u64::from(padding), 0)?;
                Ok(signature)
            }
        }
    }
}

impl SigningKey {
    /// The key in `format`, secret part included; wiped when dropped. Up to 8.4 MB (2^32 sets), in JSON some 23 MB.
    ///
    /// What the key has signed is not in the bytes: no encoding of leanSig has a field for it. The prepared interval
    /// is.
    ///
    /// Source: spec section 13.
    #[must_use]
    pub fn to_bytes(&self, format: Format) -> Zeroizing<Vec<u8>> {
        match format {
            Format::Ssz => ssz::put_signing_key(self),
            Format::Bincode | Format::BincodePadded => bincode::put_signing_key(self, Integers::Fixed),
            Format::BincodeStandard => bincode::put_signing_key(self, Integers::Variable),
            #[cfg(feature = "json")]
            Format::Json => json::put_signing_key(self),
        }
    }

    /// The key of `set` that `bytes` hold in `format`, after checking everything that can be checked without computing
    /// its leaves again: the shape of all three trees, every inner node, the roots of the bottom trees, and the first
    /// leaf against the secret. Memory: about the key's own size beside the input (JSON: twice).
    ///
    /// # Errors
    /// [`Malformed`], naming the first thing that does not fit. For an element that is not canonical, `got` is the
    /// element and `wanted` the largest allowed.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Malformed> {
        let parts = match format {
            Format::Ssz => ssz::signing_key(set, bytes)?,
            Format::Bincode | Format::BincodePadded => bincode::signing_key(set, Integers::Fixed, bytes)?,
            Format::BincodeStandard => bincode::signing_key(set, Integers::Variable, bytes)?,
            #[cfg(feature = "json")]
            Format::Json => json::signing_key(set, bytes)?,
        };
        Self::from_untrusted_parts(parts)
    }
}
