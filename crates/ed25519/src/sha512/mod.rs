//! SHA-512 (FIPS 180-4), of one message or of many side by side.
//!
//! A message is given as parts that are hashed as their concatenation; blocks that lie whole in one part are read where
//! they are. Time depends on the lengths of the parts and never on their content, so that secrets may be hashed.

mod kernel;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod long;
#[cfg(target_arch = "x86_64")]
mod message;
mod single;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use single::Sha512;

use phalanx_core::first_of;
use phalanx_core::simd::Isa;
use zeroize::zeroize_stack;

/// The bytes of stack that are wiped after hashing, for the message schedules that the kernels leave there (most of
/// them with AVX2, 520), under up to 2.5 KiB of frames of ours. Costs 40 ns a call.
const STACK_BYTES: usize = 4096;

/// The digest of the concatenation of `parts`. The state and the message schedule are wiped.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 64] {
    let digest = single::digest(Isa::current(), parts);
    zeroize_stack::<STACK_BYTES>();
    digest
}

/// The digest of the concatenation of `messages[i]` to `digests[i]`, for every i. Messages of any lengths may stand
/// together; neighbours (64 at a time) of like length run fastest. Buffers, states and message schedules are wiped.
///
/// # Panics
/// If the slices differ in length.
pub(crate) fn digest_many<const N: usize>(isa: Isa, messages: &[[&[u8]; N]], digests: &mut [[u8; 64]]) {
    assert_eq!(messages.len(), digests.len(), "a digest for every message");

    first_of!(isa;
        avx512(witness) => lanes::digest_many((isa, witness), messages, digests),
        avx2(witness) => lanes::digest_many((isa, witness), messages, digests),
        else => {
            for (message, to) in messages.iter().zip(digests) {
                *to = single::digest(isa, message);
            }
        },
    );
    zeroize_stack::<STACK_BYTES>();
}
