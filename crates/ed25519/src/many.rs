//! Many signatures, independently: a result for each, equal to single verification.
#![forbid(unsafe_code)]

#[cfg(any(test, target_arch = "x86_64"))]
mod groups;

#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{Doubles, X8};
use crate::hashed::{CHUNK, HashedSignature, Outcome, SignedMessage};
use crate::profile::Profile;
use crate::verify::first_failure;
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool};
use phalanx_core::{InvalidSignature, first_of};

#[cfg(test)]
mod tests;

/// Verifies each signature under `profile`. Result `i` is what [`verify`] says about `messages[i]`.
///
/// ```
/// use phalanx_ed25519::{InvalidSignature, Profile, SignedMessage, SigningKey, verify_many};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let (public_key, signature) = (key.verifying_key().to_bytes(), key.sign(b"one").to_bytes());
/// let signed = |message| SignedMessage { public_key: &public_key, message, signature: &signature };
/// let results = verify_many(Profile::Strict, &[signed(b"one"), signed(b"two")]);
/// assert_eq!(results, [Ok(()), Err(InvalidSignature)]);
/// ```
///
/// [`verify`]: crate::verify()
#[must_use]
pub fn verify_many(profile: Profile, messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    verify_many_on(&Inline, profile, messages)
}

/// [`verify_many`] on the threads of `pool`, in chunks of 64.
#[must_use]
pub fn verify_many_on(
    pool: &dyn Pool,
    profile: Profile,
    messages: &[SignedMessage<'_>],
) -> Vec<Result<(), InvalidSignature>> {
    let isa = Isa::current();
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    let jobs = messages.chunks(CHUNK).zip(results.chunks_mut(CHUNK)).map(|(messages, results)| {
        Box::new(move || verify_chunk(isa, profile, messages, results)) as Job<'_>
    });
    pool.run(jobs.collect());
    results
}

/// How many of `len` signatures are faster one at a time: all if there are no lanes, else the last ones if they are too
/// few to fill a vector with.
///
/// Measured in 2026-11: with IFMA a group takes as long as 4.9 single verifications on Zen 4 and some 3 on Zen 5. With
/// AVX-512 alone as 4.7 on Sapphire Rapids, with AVX2 as 3.2 (before single verification became a sixth faster).
pub(crate) fn left_over(isa: Isa, len: usize) -> usize {
    let kernel: Option<(usize, usize)> = first_of!(isa;
        ifma(_) => Some((8, 3)),
        avx512(_) => Some((8, 4)),
        avx2(_) => Some((4, 3)),
        else => None,
    );
    match kernel {
        Some((lanes, few)) if len % lanes > few => 0,
        Some((lanes, _)) => len % lanes,
        None => len,
    }
}

/// One job: in lanes if the CPU has them.
fn verify_chunk(isa: Isa, profile: Profile, messages: &[SignedMessage<'_>], results: &mut [Outcome]) {
    let grouped = messages.len() - left_over(isa, messages.len());
    if grouped > 0 {
        let mut hashed = [HashedSignature::NONE; CHUNK];
        let hashed = &mut hashed[..grouped];
        HashedSignature::read(isa, &messages[..grouped], hashed);
        verify_hashed(isa, profile, hashed, &mut results[..grouped]);
    }
    for (signed, result) in messages[grouped..].iter().zip(&mut results[grouped..]) {
        let SignedMessage { public_key, message, signature } = signed;
        *result = first_failure(isa, profile, public_key, message, signature).map_err(|_| InvalidSignature);
    }
}

/// The result of each signature, any number of them; `results` has as many.
pub(crate) fn verify_hashed(isa: Isa, profile: Profile, hashed: &[HashedSignature], results: &mut [Outcome]) {
    #[cfg(test)]
    crate::recorder::record(isa);
    first_of!(isa;
        ifma(witness) => groups::verify(X8(witness), profile, hashed, results),
        avx512(witness) => groups::verify(Doubles(witness), profile, hashed, results),
        avx2(witness) => groups::verify(Doubles(witness), profile, hashed, results),
        else => for (hashed, result) in hashed.iter().zip(results) {
            *result = hashed.verify(isa, profile);
        },
    );
}
