//! The prover: commit once, open any number of times.

use super::{LigeritoElement, LigeritoPoint, point, profile_of};
use crate::ffi::{self, entry};
use crate::status::Status;
use phalanx::ligerito::{self, Gf128, ProverData};

/// What openings are made from. It holds the encoded polynomial, two to eight times as long as the polynomial, and
/// borrows the polynomial itself.
pub struct LigeritoProver(pub(super) ProverData<'static>);

/// Commits to a polynomial: `polynomial_len` words, 2^10 to 2^30 and a power of two, its values on the Boolean cube as
/// elements of GF(2^32); bit j of a word's index is its coordinate j. Works on `threads` threads (0: one for each core; 1: the
/// caller's). Not hiding.
///
/// Writes the commitment, 34 bytes, and the prover, which is ended with `phalanx_ligerito_prover_free`. The words are not
/// copied: until then they must stay where they are and as they are.
///
/// `PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH` for another number of words.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_commit(
    prover: *mut *mut LigeritoProver,
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
            let (committed, data) = ligerito::commit_on(&ffi::threads(threads), profile, polynomial)?;
            ffi::write_slice(commitment, &committed.to_bytes())?;
            Ok(LigeritoProver(data))
        })
    })
}

/// Ends a prover. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito_prover_free(prover: *mut LigeritoProver) {
    ffi::free(prover);
}

/// Opens the polynomial at `count` points on `threads` threads: writes its value at each, and one proof for all of them.
/// `context` is bound to the proof: who verifies has to name the same. The same input gives the same proof.
///
/// `phalanx_ligerito_proof_size` bytes are enough for the proof; if they are fewer than it needs, the length is written
/// and nothing else, and the work is done for nothing.
///
/// Fails with `PHALANX_ERROR_LIGERITO_NO_CLAIMS`, `PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS`,
/// `PHALANX_ERROR_LIGERITO_POINT_LENGTH`, `PHALANX_ERROR_BUFFER_TOO_SMALL`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_open(
    prover: *const LigeritoProver,
    values: *mut LigeritoElement,
    proof: *mut u8,
    proof_capacity: usize,
    proof_len: *mut usize,
    points: *const LigeritoPoint,
    count: usize,
    context: *const u8,
    context_len: usize,
    threads: u32,
) -> Status {
    entry!({
        let data = &ffi::value(prover)?.0;
        let points = ffi::slice(points, count)?;
        let points: Vec<Vec<Gf128>> = points.iter().map(|at| point(at)).collect::<Result<_, _>>()?;
        let points: Vec<&[Gf128]> = points.iter().map(Vec::as_slice).collect();
        let context = ffi::slice(context, context_len)?;
        let opening = data.open_on(&ffi::threads(threads), &points, context)?;
        ffi::write_bytes(proof, proof_capacity, proof_len, &opening.proof)?;
        let opened: Vec<LigeritoElement> = opening.values.into_iter().map(Into::into).collect();
        ffi::write_slice(values, &opened)
    })
}
