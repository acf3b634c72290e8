//! SHA-512 (FIPS 180-4): one message at a time through RustCrypto's `sha2`, many side by side in lanes of our own.
//!
//! A message is given as parts that are hashed as their concatenation; blocks that lie whole in one part are read where
//! they are. Time depends on the lengths of the parts and never on their content, so that secrets may be hashed.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod message;
#[cfg(test)]
mod tests;

use phalanx_core::first_of;
use phalanx_core::simd::Isa;
use sha2::{Digest, Sha512};
use zeroize::zeroize_stack;

/// The bytes of stack that are wiped after hashing, for the message schedules that `sha2` (888 bytes) and our AVX2 kernel
/// (520; with AVX-512 it stays in registers) leave there, under up to 2.5 KiB of frames of ours. Costs 40 ns a call.
const STACK_BYTES: usize = 4096;

/// The digest of the concatenation of `parts`. The state and the message schedule are wiped.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 64] {
    let digest = digest_in_own_frame(parts);
    zeroize_stack::<STACK_BYTES>();
    digest
}

#[inline(never)]
fn digest_in_own_frame(parts: &[&[u8]]) -> [u8; 64] {
    let mut state = Sha512::new();
    for part in parts {
        state.update(part);
    }
    state.finalize().into()
}

/// The digest of the concatenation of `messages[i]` to `digests[i]`, for every i. Messages of any lengths may stand
/// together; neighbours (64 at a time) of like length run fastest. Buffers, states and message schedules are wiped.
///
/// # Panics
/// If the slices differ in length.
pub(crate) fn digest_many<const N: usize>(isa: Isa, messages: &[[&[u8]; N]], digests: &mut [[u8; 64]]) {
    assert_eq!(messages.len(), digests.len(), "a digest for every message");
    first_of!(isa;
        avx512(witness) => lanes::digest_many(witness, messages, digests),
        avx2(witness) => lanes::digest_many(witness, messages, digests),
        else => {
            for (message, to) in messages.iter().zip(digests) {
                *to = digest_in_own_frame(message);
            }
            zeroize_stack::<STACK_BYTES>();
        },
    );
}
