//! Verification of one signature. What it says, verification of many and of batches says too.
#![forbid(unsafe_code)]

use crate::curve::{
    Decoded, Halves, KeyTables, Point, comb_double_base_mul, decode, decode_x2, double_base_mul_vartime,
    halves, has_small_order, sum_of_products,
};
use crate::domain::Domain;
use crate::error::Reason;
use crate::fields::scalar25519::Scalar;
use crate::key::VerifyingKey;
use crate::profile::{Profile, Rule};
use crate::sha512;
use crate::signature::Signature;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;

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
    first_failure(Isa::current(), profile, public_key, message, signature)
}

/// [`explain`] under every profile, with the message hashed once.
///
/// ```
/// use phalanx_ed25519::{Profile, SigningKey, explain_all};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let judged = explain_all(key.verifying_key().as_ref(), b"letter", &key.sign(b"letter").to_bytes());
/// assert_eq!(judged, Profile::ALL.map(|profile| (profile, Ok(()))));
/// ```
pub fn explain_all(
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> [(Profile, Result<(), Reason>); Profile::ALL.len()] {
    let isa = Isa::current();
    let (Ok(key), Ok(bytes)) = (<&[u8; 32]>::try_from(public_key), <&[u8; 64]>::try_from(signature)) else {
        // Where a length is wrong nothing is hashed.
        return Profile::ALL
            .map(|profile| (profile, first_failure(isa, profile, public_key, message, signature)));
    };
    // R is hashed as it stands, whatever the profile.
    let k = Scalar::from_wide(&sha512::digest(&[&bytes[..32], key, message]));
    let signature = Signature::from_bytes(bytes);
    Profile::ALL.map(|profile| (profile, judge_bytes(isa, profile, key, &signature, |_| k)))
}

/// [`explain`] with the kernels of `isa`.
pub(crate) fn first_failure(
    isa: Isa,
    profile: Profile,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Reason> {
    let length = |what, bytes: &[u8], wanted| Reason::InvalidLength { what, got: bytes.len(), wanted };
    let key: &[u8; 32] = public_key.try_into().map_err(|_| length("public key", public_key, 32))?;
    let signature: &[u8; 64] = signature.try_into().map_err(|_| length("signature", signature, 64))?;
    let signature = Signature::from_bytes(signature);
    let k = |r: &[u8; 32]| Scalar::from_wide(&sha512::digest(&[r, key, message]));
    judge_bytes(isa, profile, key, &signature, k)
}

/// All checks, with k of RFC 8032 section 5.1.7 step 2 given as a function of the bytes of R.
pub(crate) fn judge_bytes(
    isa: Isa,
    profile: Profile,
    public_key: &[u8; 32],
    signature: &Signature,
    k: impl FnOnce(&[u8; 32]) -> Scalar,
) -> Result<(), Reason> {
    // S first: it is the cheapest, and what `Reason` promises.
    let (r_bytes, _) = parse(signature)?;
    let [a, r] = decode_x2(isa, [public_key, &r_bytes]);
    let key = VerifyingKey::from_decoded(public_key, &a.ok_or(Reason::InvalidPublicKey)?);
    judge(Request { isa, known_r: Some(r), ..Request::new(profile, (&key).into(), signature) }, k)
}

impl VerifyingKey {
    /// Verifies under the default profile, [`Profile::Strict`].
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), InvalidSignature> {
        self.verify_with(Profile::Strict, message, signature)
    }

    /// Verifies under `profile`.
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify_with(
        &self,
        profile: Profile,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        plain(profile, self.into(), message, signature)
    }

    /// Verifies an Ed25519ctx signature; `context` is 1 to 255 bytes.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that cannot be signed under.
    pub fn verify_ctx(
        &self,
        profile: Profile,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        with_context(profile, self.into(), message, context, signature)
    }

    /// Verifies an Ed25519ph signature; `context` is 0 to 255 bytes.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that is too long.
    pub fn verify_ph(
        &self,
        profile: Profile,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        self.verify_prehashed(profile, &sha512::digest(&[message]), context, signature)
    }

    /// [`verify_ph`](Self::verify_ph) of a message whose SHA-512 digest the caller has computed.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that is too long.
    pub fn verify_prehashed(
        &self,
        profile: Profile,
        digest: &[u8; 64],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        prehashed(profile, self.into(), digest, context, signature)
    }
}

pub(crate) fn plain(
    profile: Profile,
    key: Key<'_>,
    message: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    check(Request::new(profile, key, signature), Domain::Plain, message).map_err(|_| InvalidSignature)
}

pub(crate) fn with_context(
    profile: Profile,
    key: Key<'_>,
    message: &[u8],
    context: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    let domain = Domain::context(context).map_err(|_| InvalidSignature)?;
    check(Request::new(profile, key, signature), domain, message).map_err(|_| InvalidSignature)
}

pub(crate) fn prehashed(
    profile: Profile,
    key: Key<'_>,
    digest: &[u8; 64],
    context: &[u8],
    signature: &Signature,
) -> Result<(), InvalidSignature> {
    let domain = Domain::prehashed(context).map_err(|_| InvalidSignature)?;
    check(Request::new(profile, key, signature), domain, digest).map_err(|_| InvalidSignature)
}

/// R as bytes, and S if it is below L.
fn parse(signature: &Signature) -> Result<([u8; 32], Scalar), Reason> {
    let bytes = signature.to_bytes();
    let (r, s) = bytes.split_at(32);
    let s = Scalar::from_canonical(s.try_into().expect("half of 64")).ok_or(Reason::NonCanonicalS)?;
    Ok((r.try_into().expect("half of 64"), s))
}

/// A key, perhaps with tables.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    key: &'a VerifyingKey,
    tables: Option<&'a KeyTables>,
}

impl<'a> From<&'a VerifyingKey> for Key<'a> {
    fn from(key: &'a VerifyingKey) -> Self {
        Self { key, tables: None }
    }
}

impl<'a> Key<'a> {
    /// A key with the tables of -A.
    pub(crate) fn with_tables(key: &'a VerifyingKey, tables: &'a KeyTables) -> Self {
        Self { key, tables: Some(tables) }
    }
}

/// What is to be judged.
struct Request<'a> {
    isa: Isa,
    profile: Profile,
    key: &'a VerifyingKey,
    tables: Option<&'a KeyTables>,
    signature: &'a Signature,
    /// What decoding R gave, if it is decoded already.
    known_r: Option<Option<Decoded>>,
}

impl<'a> Request<'a> {
    fn new(profile: Profile, key: Key<'a>, signature: &'a Signature) -> Self {
        let Key { key, tables } = key;
        Self { isa: Isa::current(), profile, key, tables, signature, known_r: None }
    }
}

fn check(request: Request<'_>, domain: Domain<'_>, message: &[u8]) -> Result<(), Reason> {
    let [d0, d1, d2] = domain.parts();
    let a = request.key.to_bytes();
    judge(request, |r| Scalar::from_wide(&sha512::digest(&[d0, d1, d2, r, &a, message])))
}

/// The checks of the profile, in the order of [`Reason`].
fn judge(request: Request<'_>, k: impl FnOnce(&[u8; 32]) -> Scalar) -> Result<(), Reason> {
    let Request { isa, profile, key, tables, signature, known_r } = request;
    #[cfg(test)]
    crate::recorder::record(isa);
    let rule = profile.rule();
    let (r_bytes, s) = parse(signature)?;
    // With tables, Q itself is cheap.
    let wants_r = rule.decodes_r || tables.is_none();
    let r = known_r.unwrap_or_else(|| if wants_r { decode(&r_bytes) } else { None });
    if rule.decodes_r && r.is_none() {
        return Err(Reason::InvalidR);
    }
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
    let k = k(&r_bytes);
    if let Some(tables) = tables {
        return equation(&rule, &comb_double_base_mul(isa, &s, tables, &k), &r_bytes, r.as_ref());
    }
    if let Some(answer) = equation_halved(isa, &rule, key, &s, &k, r.as_ref()) {
        return answer;
    }
    equation(&rule, &double_base_mul_vartime(isa, &s, &key.minus_a, &k), &r_bytes, r.as_ref())
}

/// The equation of the profile, and what it refuses about R, from Q.
fn equation(rule: &Rule, q: &Point, r_bytes: &[u8; 32], r: Option<&Decoded>) -> Result<(), Reason> {
    if !rule.decodes_r {
        if q.encode_vartime() != *r_bytes {
            return Err(Reason::EquationFailed);
        }
        // The bytes are canonical now: they are the encoding of Q.
        let mut y = *r_bytes;
        y[31] &= 0x7f;
        return if rule.refuses_weak_r && has_small_order(&y) { Err(Reason::WeakR) } else { Ok(()) };
    }
    let r = r.expect("the caller has decoded R for a rule that wants it").point;
    if rule.refuses_order_2 && (r.double().is_identity() || q.double().is_identity()) {
        return Err(Reason::WeakR);
    }
    if times_8(&q.add(&r.negate())).is_identity() { Ok(()) } else { Err(Reason::EquationFailed) }
}

/// [`equation`] from v (Q - R), with scalars of half the size. `None` where the answer takes Q.
fn equation_halved(
    isa: Isa,
    rule: &Rule,
    key: &VerifyingKey,
    s: &Scalar,
    k: &Scalar,
    r: Option<&Decoded>,
) -> Option<Result<(), Reason>> {
    // Without `decodes_r`, R must be what Q encodes to: a canonical encoding.
    let Some(r) = r.filter(|r| rule.decodes_r || r.is_canonical()) else {
        return Some(Err(Reason::EquationFailed));
    };
    let Halves { u, v_magnitude, v_is_negative } = halves(k)?;
    let mut v_bytes = [0; 32];
    for (chunk, word) in v_bytes.chunks_exact_mut(8).zip(v_magnitude) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    let v = Scalar::from_bytes_reduced(&v_bytes);
    // v (Q - R), or minus that: the sign goes to S and R.
    let vs = v.mul(s);
    let (vs, r_term) = if v_is_negative { (vs.negate(), r.point) } else { (vs, r.point.negate()) };
    let sum = sum_of_products(isa, [&key.minus_a, &r_term], [&u, &v_magnitude], &vs);
    let holds = if rule.decodes_r { times_8(&sum) } else { sum }.is_identity();
    if rule.refuses_order_2 && (r.is_weak || !holds) {
        // R of order 8 or 4 is no reason, and [2]Q = O comes before the equation. Otherwise [8]Q = [8]R is not O.
        return None;
    }
    Some(match holds {
        false => Err(Reason::EquationFailed),
        true if rule.refuses_weak_r && r.is_weak => Err(Reason::WeakR),
        true => Ok(()),
    })
}

fn times_8(point: &Point) -> Point {
    point.double().double().double()
}
