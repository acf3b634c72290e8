//! The suite with 128 provable bits: the same functions over GF(2^192), with types of their own.

use super::verify::judged;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, Status};
use phalanx::ligerito::ProofError;
use phalanx::ligerito::provable128::{
    self, Accepted, Commitment, EvaluationClaim, Gf192, Preset, ProverData,
};

/// What proofs of the suite with 128 provable bits are made small for: what `profile` arguments take.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Ligerito128Profile {
    /// 128 provable bits without proof of work.
    Balanced = 3,
}

/// An element of GF(2^192) modulo x^192 + x^7 + x^2 + x + 1.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128Element {
    /// The lowest 64 bits first: bit i of limb k is the coefficient of x^(64 k + i).
    pub limbs: [u64; 3],
}

impl From<Gf192> for Ligerito128Element {
    fn from(element: Gf192) -> Self {
        Self { limbs: element.0 }
    }
}

impl From<Ligerito128Element> for Gf192 {
    fn from(element: Ligerito128Element) -> Self {
        Self(element.limbs)
    }
}

/// A point: as many coordinates as the polynomial has variables. Coordinate j belongs to bit j of the words' index.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128Point {
    /// Coordinate 0.
    pub coordinates: *const Ligerito128Element,
    /// How many.
    pub coordinates_len: usize,
}

/// The claim that the polynomial has this value at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128Claim {
    /// The point.
    pub point: Ligerito128Point,
    /// The value.
    pub value: Ligerito128Element,
}

/// Which commitments a verifier is ready to look at.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128Accepted {
    /// Whether the profile `balanced` is accepted.
    pub balanced: bool,
    /// Fewest variables that are accepted.
    pub variables_min: u8,
    /// Most variables that are accepted.
    pub variables_max: u8,
}

/// What openings are made from, as `phalanx_ligerito_prover` is.
pub struct Ligerito128Prover(pub(super) ProverData<'static>);

pub(super) fn profile_of(number: u32) -> Result<Preset, Status> {
    let known = u8::try_from(number).ok().and_then(Preset::from_code);
    known.ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The coordinates of a point.
///
/// # Safety
/// As `ffi::slice`.
pub(super) unsafe fn point(point: &Ligerito128Point) -> Result<Vec<Gf192>, Status> {
    // SAFETY: as the caller's.
    let coordinates = unsafe { ffi::slice(point.coordinates, point.coordinates_len) }?;
    Ok(coordinates.iter().map(|element| Gf192(element.limbs)).collect())
}

/// As `phalanx_ligerito_proof_size`.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito128_proof_size(profile: u32, variables: u8) -> usize {
    ffi::guard_value(0, || {
        let shape = profile_of(profile).ok().and_then(|profile| profile.shape(variables));
        shape.map_or(0, |shape| shape.max_proof_len_bytes())
    })
}

/// As `phalanx_ligerito_commitment_parts`. No commitment of one suite is one of the other.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_commitment_parts(
    profile: *mut u32,
    variables: *mut u8,
    root: *mut u8,
    commitment: *const u8,
    commitment_len: usize,
) -> Status {
    entry!({
        let commitment = Commitment::from_bytes(ffi::slice(commitment, commitment_len)?)?;
        ffi::write(profile, commitment.preset().code().into())?;
        ffi::write(variables, commitment.variables())?;
        ffi::write_slice(root, commitment.root())
    })
}

/// As `phalanx_ligerito_commitment_from_parts`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_commitment_from_parts(
    commitment: *mut u8,
    profile: u32,
    variables: u8,
    root: *const u8,
) -> Status {
    entry!({
        let parts = Commitment::new(profile_of(profile)?, variables, *ffi::array(root)?);
        ffi::write_slice(commitment, &parts.to_bytes())
    })
}

/// As `phalanx_ligerito_commit`: the words are not copied, and must stay where they are and as they are until
/// `phalanx_ligerito128_prover_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_commit(
    prover: *mut *mut Ligerito128Prover,
    commitment: *mut u8,
    profile: u32,
    polynomial: *const u32,
    polynomial_len: usize,
    threads: u32,
) -> Status {
    entry!({
        ffi::give(prover, || {
            let polynomial: &'static [u32] = ffi::slice(polynomial, polynomial_len)?;
            let profile = profile_of(profile)?;
            let (committed, data) = provable128::commit_on(&ffi::threads(threads), profile, polynomial)?;
            ffi::write_slice(commitment, &committed.to_bytes())?;
            Ok(Ligerito128Prover(data))
        })
    })
}

/// Ends a prover. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito128_prover_free(prover: *mut Ligerito128Prover) {
    ffi::free(prover);
}

/// As `phalanx_ligerito_open`; `phalanx_ligerito128_proof_size` bytes are enough for the proof.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_open(
    prover: *const Ligerito128Prover,
    values: *mut Ligerito128Element,
    proof: *mut u8,
    proof_capacity: usize,
    proof_len: *mut usize,
    points: *const Ligerito128Point,
    count: usize,
    context: *const u8,
    context_len: usize,
    threads: u32,
) -> Status {
    entry!({
        let data = &ffi::value(prover)?.0;
        let points = ffi::slice(points, count)?;
        let points: Vec<Vec<Gf192>> = points.iter().map(|at| point(at)).collect::<Result<_, _>>()?;
        let points: Vec<&[Gf192]> = points.iter().map(Vec::as_slice).collect();
        let context = ffi::slice(context, context_len)?;
        let opening = data.open_on(&ffi::threads(threads), &points, context)?;
        ffi::write_bytes(proof, proof_capacity, proof_len, &opening.proof)?;
        let opened = opening.values.iter().map(|value| Ligerito128Element { limbs: value.0 });
        ffi::write_slice(values, &opened.collect::<Vec<_>>())
    })
}

/// As `phalanx_ligerito_verify`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_verify(
    accepted: *const Ligerito128Accepted,
    place: *mut u64,
    commitment: *const u8,
    commitment_len: usize,
    claims: *const Ligerito128Claim,
    count: usize,
    proof: *const u8,
    proof_len: usize,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let accepted = *ffi::value(accepted)?;
        let commitment = Commitment::from_bytes(ffi::slice(commitment, commitment_len)?)?;
        let claims = ffi::slice(claims, count)?;
        let points = claims.iter().map(|claim| point(&claim.point));
        let points: Vec<Vec<Gf192>> = points.collect::<Result<_, _>>()?;
        let claims = points.iter().zip(claims);
        let claims: Vec<_> =
            claims.map(|(point, claim)| EvaluationClaim { point, value: Gf192(claim.value.limbs) }).collect();
        let proof = ffi::slice(proof, proof_len)?;
        let context = ffi::slice(context, context_len)?;
        let result = match acceptance(accepted, &commitment) {
            Some(accepted) => provable128::verify(&accepted, &commitment, &claims, proof, context),
            None => Err(ProofError::UnacceptedParams),
        };
        judged(place, result)
    })
}

/// As `super::verify::acceptance`.
pub(super) fn acceptance(accepted: Ligerito128Accepted, commitment: &Commitment) -> Option<Accepted> {
    let profiles: &[Preset] = if accepted.balanced { &[Preset::Balanced] } else { &[] };
    let is_large_enough = commitment.variables() >= accepted.variables_min;
    is_large_enough.then(|| Accepted::up_to(profiles, accepted.variables_max))
}
