//! Many signatures, independently: a result for each, equal to single verification.
#![forbid(unsafe_code)]

use crate::curve::BASE_POINT;
use crate::curve::lanes::{PointLanes, Scratch, decode_x2, double_base_mul, order_2, small_order};
use crate::fields::p25519::{MAX_LANES, Single};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{X4, X8};
use crate::fields::scalar25519::{self, Scalar};
use crate::profile::{Profile, Rule};
use crate::sha512;
use crate::verify::first_failure;
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool};
use phalanx_core::{InvalidSignature, first_of};

#[cfg(test)]
mod tests;

/// A signature to verify: whose it is, of what, and the signature itself, as bytes. Lengths other than 32 and 64 make
/// it invalid; nothing is refused.
#[derive(Clone, Copy, Debug)]
pub struct SignedMessage<'a> {
    /// 32 bytes.
    pub public_key: &'a [u8],
    /// Any number of bytes.
    pub message: &'a [u8],
    /// 64 bytes.
    pub signature: &'a [u8],
}

/// What verification says about one signature among many.
pub(crate) type Outcome = Result<(), InvalidSignature>;

/// Signatures handed to one job of a pool.
const CHUNK: usize = 64;

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
/// Measured on Zen 5 (2026-11): a group takes as long as 2.6 single verifications with AVX-512, as 1.6 with AVX2.
pub(crate) fn left_over(isa: Isa, len: usize) -> usize {
    let kernel: Option<(usize, usize)> =
        first_of!(isa; avx512(_) => Some((8, 2)), avx2(_) => Some((4, 1)), else => None,);
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

/// A signature, parsed and with its message hashed: what is left to verify needs the message no more.
#[derive(Clone, Copy)]
pub(crate) struct HashedSignature {
    /// The lengths are right and S is below L. If not, the rest stands for a signature without a fault of form.
    pub(crate) parsed: bool,
    pub(crate) a: [u8; 32],
    pub(crate) r: [u8; 32],
    pub(crate) s: Scalar,
    /// SHA-512(R || A || message) modulo L.
    pub(crate) k: Scalar,
}

impl HashedSignature {
    /// Not parsed.
    pub(crate) const NONE: Self =
        Self { parsed: false, a: BASE_POINT, r: BASE_POINT, s: Scalar::ZERO, k: Scalar::ZERO };

    /// Reads up to [`CHUNK`] messages into `hashed`, of the same length, all [`NONE`](Self::NONE) before.
    fn read(isa: Isa, messages: &[SignedMessage<'_>], hashed: &mut [Self]) {
        for (signed, hashed) in messages.iter().zip(&mut *hashed) {
            let (Ok(a), Some((r, s))) = (signed.public_key.try_into(), split(signed.signature)) else {
                continue;
            };
            let Some(s) = Scalar::from_canonical(s) else { continue };
            *hashed = Self { parsed: true, a, r: *r, s, k: Scalar::ZERO };
        }
        let mut inputs = [[&[] as &[u8]; 3]; CHUNK];
        for ((input, signed), hashed) in inputs.iter_mut().zip(messages).zip(&*hashed) {
            if hashed.parsed {
                *input = [&signed.signature[..32], signed.public_key, signed.message];
            }
        }
        let mut digests = [[0; 64]; CHUNK];
        let digests = &mut digests[..messages.len()];
        sha512::digest_many(isa, &inputs[..messages.len()], digests);
        let mut k = [Scalar::ZERO; CHUNK];
        scalar25519::from_wide_many(isa, digests, &mut k[..messages.len()]);
        for (hashed, k) in hashed.iter_mut().zip(k) {
            hashed.k = k;
        }
    }
}

/// R and S.
fn split(signature: &[u8]) -> Option<(&[u8; 32], &[u8; 32])> {
    let signature: &[u8; 64] = signature.try_into().ok()?;
    let (r, s) = signature.split_at(32);
    Some((r.try_into().ok()?, s.try_into().ok()?))
}

/// The result of each signature, any number of them; `results` has as many. Without lanes in the set it works on a
/// single one, which is slow.
pub(crate) fn verify_hashed(isa: Isa, profile: Profile, hashed: &[HashedSignature], results: &mut [Outcome]) {
    #[cfg(test)]
    crate::recorder::record(isa);
    first_of!(isa;
        avx512(witness) => verify_groups(X8(witness), profile, hashed, results),
        avx2(witness) => verify_groups(X4(witness), profile, hashed, results),
        else => verify_groups(Single, profile, hashed, results),
    );
}

/// Groups of as many as there are lanes; a short last group is filled up.
fn verify_groups<L: PointLanes>(l: L, profile: Profile, hashed: &[HashedSignature], results: &mut [Outcome]) {
    let mut scratch = Scratch::new();
    for (hashed, results) in hashed.chunks(L::COUNT).zip(results.chunks_mut(L::COUNT)) {
        let valid = Group::new(hashed).verify(l, &mut scratch, &profile.rule());
        for (lane, result) in results.iter_mut().enumerate() {
            *result = if valid >> lane & 1 == 1 { Ok(()) } else { Err(InvalidSignature) };
        }
    }
}

/// A signature for each lane.
struct Group {
    parsed: u8,
    a: [[u8; 32]; MAX_LANES],
    r: [[u8; 32]; MAX_LANES],
    s: [Scalar; MAX_LANES],
    k: [Scalar; MAX_LANES],
}

impl Group {
    fn new(hashed: &[HashedSignature]) -> Self {
        let none = HashedSignature::NONE;
        let mut group = Self {
            parsed: 0,
            a: [none.a; MAX_LANES],
            r: [none.r; MAX_LANES],
            s: [none.s; MAX_LANES],
            k: [none.k; MAX_LANES],
        };
        for (lane, hashed) in hashed.iter().enumerate() {
            group.parsed |= u8::from(hashed.parsed) << lane;
            (group.a[lane], group.r[lane]) = (hashed.a, hashed.r);
            (group.s[lane], group.k[lane]) = (hashed.s, hashed.k);
        }
        group
    }

    /// The valid lanes.
    fn verify<L: PointLanes>(&self, l: L, scratch: &mut Scratch<L>, rule: &Rule) -> u8 {
        let [a, r] = decode_x2(l, [&self.a, &self.r], [true, false]);
        let q = double_base_mul(l, scratch, &self.s, &a.point, &self.k);
        let mut valid = self.parsed & a.valid & r.valid;
        let refused_unless = |needed: bool, mask: u8| if needed { mask } else { !0 };
        valid &= refused_unless(rule.a_canonical_y, a.y_is_canonical);
        valid &= refused_unless(rule.a_canonical_sign, a.sign_is_canonical);
        valid &= refused_unless(rule.refuses_weak_a, !small_order(&self.a));
        if rule.decodes_r {
            valid &= refused_unless(rule.r_canonical_y, r.y_is_canonical);
            valid &= refused_unless(rule.r_canonical_sign, r.sign_is_canonical);
            if rule.refuses_order_2 {
                valid &= !order_2(&self.r) & !q.has_order_2(l);
            }
            valid & q.equals_times_8(l, &r.point)
        } else {
            // Q encodes to the bytes exactly if they decode to Q and are the canonical encoding.
            valid &= r.y_is_canonical & r.sign_is_canonical;
            valid &= refused_unless(rule.refuses_weak_r, !small_order(&self.r));
            valid & q.equals(l, &r.point)
        }
    }
}
