//! The byte hashes under the traits of the `digest` crate (0.11).
//!
//! These functions absorb the length of the message first, so each type keeps the whole message until it is finalized;
//! [`Hasher`](super::Hasher) does with constant memory where the length is known before. The traits leave no room for an
//! error, so Rp64_256 comes in its padded form, which has an answer for every length and is *not* what Winterfell computes
//! above 56 bytes. Do not mix its digests with those of [`Function::hash`] in one domain: messages that differ in their last
//! byte share digests between the two. For public data: the memory is not wiped.
//!
//! ```
//! use digest::Digest;
//! use phalanx_rescue::Function;
//! use phalanx_rescue::hashers::Rpo256;
//!
//! let mut hasher = Rpo256::new();
//! hasher.update(b"one piece, ");
//! hasher.update(b"and another");
//! let wanted = Function::Rpo256.hash_padded(b"one piece, and another").to_bytes();
//! assert_eq!(hasher.finalize().as_slice(), wanted);
//! ```

use crate::function::Function;
use ::digest::consts::U32;
use ::digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use alloc::vec::Vec;

macro_rules! hasher {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "the names their users know")]
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            message: Vec<u8>,
        }

        impl HashMarker for $name {}

        impl OutputSizeUser for $name {
            type OutputSize = U32;
        }

        impl Update for $name {
            fn update(&mut self, bytes: &[u8]) {
                self.message.extend_from_slice(bytes);
            }
        }

        impl FixedOutput for $name {
            fn finalize_into(mut self, digest: &mut Output<Self>) {
                self.finalize_into_reset(digest);
            }
        }

        impl Reset for $name {
            fn reset(&mut self) {
                self.message.clear();
            }
        }

        impl FixedOutputReset for $name {
            fn finalize_into_reset(&mut self, digest: &mut Output<Self>) {
                *digest = Self::FUNCTION.hash_padded(&self.message).to_bytes().into();
                self.reset();
            }
        }
    };
}

hasher! {
    /// [`Function::Rp64_256`], the padded form: [`hash_padded`](Function::hash_padded).
    Rp64_256Padded
}
hasher! {
    /// [`Function::RpJive64_256`].
    RpJive64_256
}
hasher! {
    /// [`Function::Rpo256`].
    Rpo256
}
hasher! {
    /// [`Function::Rpx256`].
    Rpx256
}

impl Rp64_256Padded {
    const FUNCTION: Function = Function::Rp64_256;
}

impl RpJive64_256 {
    const FUNCTION: Function = Function::RpJive64_256;
}

impl Rpo256 {
    const FUNCTION: Function = Function::Rpo256;
}

impl Rpx256 {
    const FUNCTION: Function = Function::Rpx256;
}
