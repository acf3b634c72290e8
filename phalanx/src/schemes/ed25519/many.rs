//! Many signatures, independently: a verdict for each, equal to single verification.

use super::edwards::BASE_POINT;
use super::edwards::lanes::{Kernel, Scratch, decode_pair, double_base_mul, order_2, small_order};
use super::profile::Rule;
use super::{Error, Profile, verify};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::Eight;
use crate::fields::p25519::MAX_LANES;
use crate::fields::scalar25519::Scalar;
use crate::hashes::sha512;
use crate::simd::Level;
use crate::{Inline, Job, Pool};
use alloc::boxed::Box;

#[cfg(test)]
mod tests;

/// One signature to verify, as bytes: lengths other than 32 and 64 are judged invalid, not refused.
#[derive(Clone, Copy, Debug)]
pub struct BatchElement<'a> {
    /// 32 bytes.
    pub public_key: &'a [u8],
    /// Any number of bytes.
    pub message: &'a [u8],
    /// 64 bytes.
    pub signature: &'a [u8],
}

/// Signatures handed to one job of a pool.
const CHUNK: usize = 64;

/// Fewer are verified one at a time.
const MIN_LANES: usize = 2;

/// Verifies each element under `profile` and writes its verdict: `verdicts[i]` is what [`verify`] says about
/// `elements[i]`.
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length; nothing is written then.
pub fn verify_many(
    profile: Profile,
    elements: &[BatchElement<'_>],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    verify_many_on(&Inline, profile, elements, verdicts)
}

/// [`verify_many`] on the threads of `pool`, in chunks of 64.
///
/// # Errors
/// As [`verify_many`].
pub fn verify_many_on(
    pool: &impl Pool,
    profile: Profile,
    elements: &[BatchElement<'_>],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    if elements.len() != verdicts.len() {
        return Err(Error::LengthMismatch { wanted: elements.len(), got: verdicts.len() });
    }
    let level = Level::current();
    let chunks = elements.chunks(CHUNK).zip(verdicts.chunks_mut(CHUNK));
    pool.run(
        chunks
            .map(|(elements, verdicts)| {
                Box::new(move || verify_chunk(profile, elements, verdicts, level)) as Job<'_>
            })
            .collect(),
    );
    Ok(())
}

/// One job: whole groups in lanes, what is left one at a time.
fn verify_chunk(profile: Profile, elements: &[BatchElement<'_>], verdicts: &mut [bool], level: Level) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(witness) => verify_groups(Eight(witness), profile, elements, verdicts),
        _ => verify_singly(profile, elements, verdicts),
    }
}

fn verify_singly(profile: Profile, elements: &[BatchElement<'_>], verdicts: &mut [bool]) {
    for (element, verdict) in elements.iter().zip(verdicts) {
        *verdict = verify(profile, element.public_key, element.message, element.signature).is_ok();
    }
}

/// Groups of as many as there are lanes; the last may be short.
fn verify_groups<L: Kernel>(l: L, profile: Profile, elements: &[BatchElement<'_>], verdicts: &mut [bool]) {
    let mut scratch = Scratch::new();
    for (elements, verdicts) in elements.chunks(L::COUNT).zip(verdicts.chunks_mut(L::COUNT)) {
        if elements.len() < MIN_LANES.min(L::COUNT) {
            return verify_singly(profile, elements, verdicts);
        }
        let group = Group::new(elements);
        let valid = group.verify(l, &mut scratch, &profile.rule());
        for (lane, verdict) in verdicts.iter_mut().enumerate() {
            *verdict = valid >> lane & 1 == 1;
        }
    }
}

/// The signatures of one group, parsed. What could not be parsed stands as a harmless signature in its lane.
struct Group {
    /// Lanes that hold a signature of the right lengths with S below L.
    parsed: u8,
    a: [[u8; 32]; MAX_LANES],
    r: [[u8; 32]; MAX_LANES],
    s: [Scalar; MAX_LANES],
    k: [Scalar; MAX_LANES],
}

impl Group {
    fn new(elements: &[BatchElement<'_>]) -> Self {
        let mut group = Self {
            parsed: 0,
            a: [BASE_POINT; MAX_LANES],
            r: [BASE_POINT; MAX_LANES],
            s: [Scalar::ZERO; MAX_LANES],
            k: [Scalar::ZERO; MAX_LANES],
        };
        for (lane, element) in elements.iter().enumerate() {
            let (Ok(a), Some((r, s))) = (element.public_key.try_into(), split(element.signature)) else {
                continue;
            };
            let Some(s) = Scalar::from_canonical(s) else { continue };
            group.parsed |= 1 << lane;
            (group.a[lane], group.r[lane], group.s[lane]) = (a, *r, s);
            group.k[lane] = Scalar::from_wide(&sha512::digest(&[r, &a, element.message]));
        }
        group
    }

    /// The valid lanes.
    fn verify<L: Kernel>(&self, l: L, scratch: &mut Scratch<L>, rule: &Rule) -> u8 {
        let [a, r] = decode_pair(l, [&self.a, &self.r], [true, false]);
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

/// R and S.
fn split(signature: &[u8]) -> Option<(&[u8; 32], &[u8; 32])> {
    let signature: &[u8; 64] = signature.try_into().ok()?;
    let (r, s) = signature.split_at(32);
    Some((r.try_into().ok()?, s.try_into().ok()?))
}
