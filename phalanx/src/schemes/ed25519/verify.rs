//! Verification of one signature. The law that many-verification and batches obey.

use super::domain::Domain;
use super::edwards::{Point, decode, double_base_mul_vartime, has_small_order};
use super::{Profile, Reason, Signature, VerifyingKey};
use crate::InvalidSignature;
use crate::fields::scalar25519::Scalar;
use crate::hashes::sha512;

/// Verifies one signature given as bytes of any length.
///
/// # Errors
/// [`InvalidSignature`], also for keys and signatures of a wrong length.
pub fn verify(
    profile: Profile,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    explain(profile, public_key, message, signature).map_err(|_| InvalidSignature)
}

/// [`verify`] that says which check fails first.
///
/// # Errors
/// The [`Reason`].
pub fn explain(profile: Profile, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Reason> {
    let length = |what, bytes: &[u8], wanted| Reason::InvalidLength { what, got: bytes.len(), wanted };
    let key: &[u8; 32] = public_key.try_into().map_err(|_| length("public key", public_key, 32))?;
    let signature: &[u8; 64] = signature.try_into().map_err(|_| length("signature", signature, 64))?;
    let signature = Signature::from_bytes(signature);
    // S first: it is the cheapest, and what `Reason` promises.
    parse(&signature)?;
    let key = VerifyingKey::from_bytes(key).map_err(|_| Reason::InvalidPublicKey)?;
    check(profile, &key, Domain::Plain, message, &signature)
}

pub(crate) fn plain(
    profile: Profile,
    key: &VerifyingKey,
    message: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    check(profile, key, Domain::Plain, message, signature).map_err(|_| InvalidSignature)
}

pub(crate) fn with_context(
    profile: Profile,
    key: &VerifyingKey,
    message: &[u8],
    context: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    let domain = Domain::context(context).map_err(|_| InvalidSignature)?;
    check(profile, key, domain, message, signature).map_err(|_| InvalidSignature)
}

pub(crate) fn prehashed(
    profile: Profile,
    key: &VerifyingKey,
    digest: &[u8; 64],
    context: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    let domain = Domain::prehashed(context).map_err(|_| InvalidSignature)?;
    check(profile, key, domain, digest, signature).map_err(|_| InvalidSignature)
}

/// R as bytes, and S if it is below L.
fn parse(signature: &Signature) -> Result<([u8; 32], Scalar), Reason> {
    let bytes = signature.to_bytes();
    let (r, s) = bytes.split_at(32);
    let s = Scalar::from_canonical(s.try_into().expect("half of 64")).ok_or(Reason::NonCanonicalS)?;
    Ok((r.try_into().expect("half of 64"), s))
}

/// The checks of the profile, in the order of [`Reason`].
fn check(
    profile: Profile,
    key: &VerifyingKey,
    domain: Domain<'_>,
    message: &[u8],
    signature: &Signature,
) -> Result<(), Reason> {
    let [d0, d1, d2] = domain.parts();
    let k = |r: &[u8; 32]| Scalar::from_wide(&sha512::digest(&[d0, d1, d2, r, &key.to_bytes(), message]));
    check_with(profile, key, signature, k)
}

/// The same, with k of RFC 8032 section 5.1.7 step 2 given as a function of the bytes of R.
pub(crate) fn check_with(
    profile: Profile,
    key: &VerifyingKey,
    signature: &Signature,
    k: impl FnOnce(&[u8; 32]) -> Scalar,
) -> Result<(), Reason> {
    let rule = profile.rule();
    let (r_bytes, s) = parse(signature)?;
    let r = if rule.decodes_r { Some(decode(&r_bytes).ok_or(Reason::InvalidR)?) } else { None };
    let a_refused =
        rule.a_canonical_y && !key.y_is_canonical || rule.a_canonical_sign && !key.sign_is_canonical;
    let r_refused = r.is_some_and(|r| {
        rule.r_canonical_y && !r.y_is_canonical || rule.r_canonical_sign && !r.sign_is_canonical
    });
    if a_refused || r_refused {
        return Err(Reason::NonCanonicalPoint);
    }
    if rule.refuses_weak_a && key.is_weak {
        return Err(Reason::WeakPublicKey);
    }
    let q = double_base_mul_vartime(&s, &key.minus_a, &k(&r_bytes));
    let Some(r) = r else {
        if q.encode_vartime() != r_bytes {
            return Err(Reason::EquationFailed);
        }
        // The bytes are canonical now: they are the encoding of Q.
        let mut y = r_bytes;
        y[31] &= 0x7f;
        return if rule.refuses_weak_r && has_small_order(&y) { Err(Reason::WeakR) } else { Ok(()) };
    };
    if rule.refuses_order_2 && (r.point.double().is_identity() || q.double().is_identity()) {
        return Err(Reason::WeakR);
    }
    if times_8(&q.add(&r.point.negate())).is_identity() { Ok(()) } else { Err(Reason::EquationFailed) }
}

fn times_8(point: &Point) -> Point {
    point.double().double().double()
}
