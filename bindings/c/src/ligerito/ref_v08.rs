//! The proofs of the published crate `ligerito`, version 0.8.0.

use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_LIGERITO_CLAIM_INDEX,
    PHALANX_ERROR_LIGERITO_CLAIM_VALUE, PHALANX_ERROR_LIGERITO_ENCODING, PHALANX_ERROR_LIGERITO_FINAL_ROW,
    PHALANX_ERROR_LIGERITO_FINAL_SUM, PHALANX_ERROR_LIGERITO_INITIAL_ROOT,
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT, PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH,
    PHALANX_ERROR_LIGERITO_ROUND, PHALANX_ERROR_LIGERITO_SIBLINGS, PHALANX_ERROR_LIGERITO_TOO_LARGE, Status,
};
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, Error, ProofError, TranscriptKind};

/// Which sizes of its levels a proof of the published crate has: what `sizes` arguments take.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum LigeritoRefV08Sizes {
    /// The crate's configurations: 12, 16, 20, 24, 26, 28 and 30 variables.
    Published = 0,
    /// What its command line chooses: 20 to 30 variables.
    Autosized = 1,
}

/// Which of the crate's transcripts the challenges come from: what `transcript` arguments take.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum LigeritoRefV08Transcript {
    /// SHA-256 with seed 1234, as the crate's `prove_sha256`.
    Sha256 = 0,
    /// Merlin, as the crate's `prove` with its default features.
    Merlin = 1,
}

/// The claim that a word of the polynomial has a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoRefV08Claim {
    /// Which word.
    pub index: u64,
    /// Its value.
    pub value: u32,
}

fn config(sizes: u32, variables: u8) -> Result<Config, Status> {
    let config = match sizes {
        n if n == LigeritoRefV08Sizes::Published as u32 => Config::published(variables),
        n if n == LigeritoRefV08Sizes::Autosized as u32 => Config::autosized(variables),
        _ => None,
    };
    config.ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

fn transcript_kind(number: u32) -> Result<TranscriptKind, Status> {
    match number {
        n if n == LigeritoRefV08Transcript::Sha256 as u32 => Ok(TranscriptKind::Sha256),
        n if n == LigeritoRefV08Transcript::Merlin as u32 => Ok(TranscriptKind::Merlin),
        _ => Err(PHALANX_ERROR_INVALID_ARGUMENT),
    }
}

/// # Safety
/// As `ffi::slice`.
unsafe fn claims_at(
    claims: *const LigeritoRefV08Claim,
    count: usize,
) -> Result<Vec<CoefficientClaim>, Status> {
    // SAFETY: as the caller's.
    let claims = unsafe { ffi::slice(claims, count) }?;
    Ok(claims.iter().map(|claim| CoefficientClaim { index: claim.index, value: claim.value }).collect())
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::PolynomialLength { .. } => PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH,
            Error::ClaimIndex { .. } => PHALANX_ERROR_LIGERITO_CLAIM_INDEX,
            Error::ClaimValue { .. } => PHALANX_ERROR_LIGERITO_CLAIM_VALUE,
            Error::TooLarge => PHALANX_ERROR_LIGERITO_TOO_LARGE,
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

/// Length in bytes of the longest proof of the published crate's format; 0 if there is none of these sizes.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito_ref_v08_proof_size(sizes: u32, variables: u8) -> usize {
    ffi::guard_value(0, || config(sizes, variables).map_or(0, |config| config.max_proof_len_bytes()))
}

/// Writes the root, 32 bytes, that proofs about a polynomial of 2^`variables` words begin with, as the published crate
/// makes it. On `threads` threads.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_ref_v08_commit(
    root: *mut u8,
    sizes: u32,
    variables: u8,
    polynomial: *const u32,
    polynomial_len: usize,
    threads: u32,
) -> Status {
    entry!({
        let (config, polynomial) = (config(sizes, variables)?, ffi::slice(polynomial, polynomial_len)?);
        ffi::write_slice(root, &ref_v08::commit_on(&ffi::threads(threads), &config, polynomial)?)
    })
}

/// Commits to a polynomial and proves `count` claims about its words, byte for byte as the published crate does; without
/// claims, that the committed matrix is near an encoded one. On `threads` threads.
///
/// `phalanx_ligerito_ref_v08_proof_size` bytes are enough for the proof. Fails with
/// `PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH`, `PHALANX_ERROR_LIGERITO_CLAIM_INDEX`, `PHALANX_ERROR_LIGERITO_CLAIM_VALUE`,
/// `PHALANX_ERROR_BUFFER_TOO_SMALL`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_ref_v08_prove(
    proof: *mut u8,
    proof_capacity: usize,
    proof_len: *mut usize,
    sizes: u32,
    variables: u8,
    transcript: u32,
    polynomial: *const u32,
    polynomial_len: usize,
    claims: *const LigeritoRefV08Claim,
    count: usize,
    threads: u32,
) -> Status {
    entry!({
        let (config, kind) = (config(sizes, variables)?, transcript_kind(transcript)?);
        let (polynomial, claims) = (ffi::slice(polynomial, polynomial_len)?, claims_at(claims, count)?);
        let proved = ref_v08::prove_on(&ffi::threads(threads), &config, kind, polynomial, &claims)?;
        ffi::write_bytes(proof, proof_capacity, proof_len, &proved)
    })
}

/// Verifies that the polynomial committed under `root`, 32 bytes, has the claimed words; without claims, that the committed
/// matrix is near an encoded one. The root is the caller's, from whoever committed: the published crate takes it from the
/// proof, and so accepts a proof about anything.
///
/// The answer names the first check that failed: `PHALANX_ERROR_LIGERITO_CLAIM_INDEX`, `PHALANX_ERROR_LIGERITO_ENCODING`,
/// `PHALANX_ERROR_LIGERITO_INITIAL_ROOT`, `PHALANX_ERROR_LIGERITO_ROUND`, `PHALANX_ERROR_LIGERITO_SIBLINGS`,
/// `PHALANX_ERROR_LIGERITO_MERKLE_ROOT`, `PHALANX_ERROR_LIGERITO_FINAL_ROW` or `PHALANX_ERROR_LIGERITO_FINAL_SUM`. `place`,
/// which may be null, learns where: which claim, level or row.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_ref_v08_verify(
    place: *mut u64,
    sizes: u32,
    variables: u8,
    transcript: u32,
    root: *const u8,
    claims: *const LigeritoRefV08Claim,
    count: usize,
    proof: *const u8,
    proof_len: usize,
) -> Status {
    entry!({
        let (config, kind) = (config(sizes, variables)?, transcript_kind(transcript)?);
        let (root, claims) = (ffi::array(root)?, claims_at(claims, count)?);
        let proof = ffi::slice(proof, proof_len)?;
        ref_v08::verify(&config, kind, root, &claims, proof).map_err(|error| {
            let (status, at) = status_of(error);
            // A null output does not ask for it.
            let _ = ffi::write(place, at);
            status
        })
    })
}

/// What a failed check is called, and where it failed.
fn status_of(error: ProofError) -> (Status, u64) {
    match error {
        ProofError::ClaimIndex { claim } => (PHALANX_ERROR_LIGERITO_CLAIM_INDEX, claim as u64),
        ProofError::Encoding { level, .. } => (PHALANX_ERROR_LIGERITO_ENCODING, level.into()),
        ProofError::InitialRoot => (PHALANX_ERROR_LIGERITO_INITIAL_ROOT, 0),
        ProofError::Round { level, .. } => (PHALANX_ERROR_LIGERITO_ROUND, level.into()),
        ProofError::Siblings { level } => (PHALANX_ERROR_LIGERITO_SIBLINGS, level.into()),
        ProofError::MerkleRoot { level } => (PHALANX_ERROR_LIGERITO_MERKLE_ROOT, level.into()),
        ProofError::FinalRow { position, .. } => (PHALANX_ERROR_LIGERITO_FINAL_ROW, position.into()),
        ProofError::FinalSum => (PHALANX_ERROR_LIGERITO_FINAL_SUM, 0),
        _ => (PHALANX_ERROR_INTERNAL, 0),
    }
}
