//! The verifier.

use super::{LigeritoElement, LigeritoPoint, point};
use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_INTERNAL, PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX, PHALANX_ERROR_LIGERITO_FINAL_CLAIM,
    PHALANX_ERROR_LIGERITO_FINAL_ROW, PHALANX_ERROR_LIGERITO_MERKLE_ROOT,
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF, PHALANX_ERROR_LIGERITO_NO_CLAIMS,
    PHALANX_ERROR_LIGERITO_POINT_LENGTH, PHALANX_ERROR_LIGERITO_PROOF_LENGTH,
    PHALANX_ERROR_LIGERITO_PROOF_OF_WORK, PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS,
    PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS, Status,
};
use phalanx::ligerito::{self, Accepted, Commitment, EvaluationClaim, Gf128, Preset, ProofError};

/// Which commitments a verifier is ready to look at. A commitment often comes from the prover, so profile and size are the
/// verifier's to choose.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoAccepted {
    /// Whether the profile `balanced` is accepted.
    pub balanced: bool,
    /// Whether the profile `compact` is accepted.
    pub compact: bool,
    /// Fewest variables that are accepted.
    pub variables_min: u8,
    /// Most variables that are accepted.
    pub variables_max: u8,
}

/// The claim that the polynomial has this value at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoClaim {
    /// The point.
    pub point: LigeritoPoint,
    /// The value.
    pub value: LigeritoElement,
}

/// Verifies that the polynomial under `commitment` has the claimed values. `context` is what the prover bound the proof to.
/// One thread.
///
/// The answer names the first check that failed: `PHALANX_ERROR_MALFORMED` (the commitment),
/// `PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS`, `PHALANX_ERROR_LIGERITO_NO_CLAIMS`,
/// `PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS`, `PHALANX_ERROR_LIGERITO_POINT_LENGTH`, `PHALANX_ERROR_LIGERITO_PROOF_LENGTH`,
/// `PHALANX_ERROR_LIGERITO_PROOF_OF_WORK`, `PHALANX_ERROR_LIGERITO_MERKLE_ROOT`, `PHALANX_ERROR_LIGERITO_FINAL_ROW` or
/// `PHALANX_ERROR_LIGERITO_FINAL_CLAIM`. `place`, which may be null, learns where: which claim, level or row; it is
/// written for these answers only, 0 where there is no such number.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_verify(
    accepted: *const LigeritoAccepted,
    place: *mut u64,
    commitment: *const u8,
    commitment_len: usize,
    claims: *const LigeritoClaim,
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
        let points: Vec<Vec<Gf128>> = points.collect::<Result<_, _>>()?;
        let claims = points.iter().zip(claims);
        let claims: Vec<_> =
            claims.map(|(point, claim)| EvaluationClaim { point, value: claim.value.into() }).collect();
        let proof = ffi::slice(proof, proof_len)?;
        let context = ffi::slice(context, context_len)?;
        let result = match acceptance(accepted, &commitment) {
            Some(accepted) => ligerito::verify(&accepted, &commitment, &claims, proof, context),
            None => Err(ProofError::UnacceptedParams),
        };
        judged(place, result)
    })
}

/// What a verifier answers, with `place` written for a check that failed.
///
/// # Safety
/// As `ffi::write`.
pub(super) unsafe fn judged(place: *mut u64, result: Result<(), ProofError>) -> Result<(), Status> {
    result.map_err(|error| {
        let (status, at) = status_of(error);
        // A null output does not ask for it.
        // SAFETY: as the caller's.
        let _ = unsafe { ffi::write(place, at as u64) };
        status
    })
}

/// The library's form of `accepted`, which has no lower bound of its own unless it is also the upper one; or `None` if the
/// commitment is below the lower bound.
pub(super) fn acceptance(accepted: LigeritoAccepted, commitment: &Commitment) -> Option<Accepted> {
    let profiles = [(accepted.balanced, Preset::Balanced), (accepted.compact, Preset::Compact)];
    let profiles: Vec<_> =
        profiles.into_iter().filter_map(|(is_in, profile)| is_in.then_some(profile)).collect();
    let is_large_enough = commitment.variables() >= accepted.variables_min;
    is_large_enough.then(|| Accepted::up_to(&profiles, accepted.variables_max))
}

/// What a failed check is called, and where it failed.
pub(crate) fn status_of(error: ProofError) -> (Status, usize) {
    match error {
        ProofError::UnacceptedParams => (PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS, 0),
        ProofError::NoClaims => (PHALANX_ERROR_LIGERITO_NO_CLAIMS, 0),
        ProofError::TooManyClaims => (PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS, 0),
        ProofError::PointLength { claim } => (PHALANX_ERROR_LIGERITO_POINT_LENGTH, claim),
        ProofError::ProofLength => (PHALANX_ERROR_LIGERITO_PROOF_LENGTH, 0),
        ProofError::ProofOfWork { level } => (PHALANX_ERROR_LIGERITO_PROOF_OF_WORK, level),
        ProofError::MerkleRoot { level } => (PHALANX_ERROR_LIGERITO_MERKLE_ROOT, level),
        ProofError::MerkleRootOf { commitment } => (PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF, commitment),
        ProofError::CommitmentIndex { claim } => (PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX, claim),
        ProofError::FinalRow { position } => (PHALANX_ERROR_LIGERITO_FINAL_ROW, position),
        ProofError::FinalClaim => (PHALANX_ERROR_LIGERITO_FINAL_CLAIM, 0),
        // The library's list may grow: a variant that this binding does not know is a fault of this binding.
        _ => (PHALANX_ERROR_INTERNAL, 0),
    }
}
