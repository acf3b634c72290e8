//! Bits, bytes and words of 16 bits; several commitments in one proof.

use super::prove::LigeritoProver;
use super::verify::{LigeritoAccepted, LigeritoClaim};
use super::{LigeritoElement, LigeritoPoint, profile_of};
use crate::ffi::{self, entry};
use crate::status::Status;
use core::ffi::c_void;
use of_100::Outputs;
use phalanx::ligerito;

mod of_100 {
    use super::{LigeritoClaimOf, LigeritoElement, LigeritoPlanesClaim, LigeritoPoint, LigeritoPointOf};
    use crate::ligerito::suite::suite;
    use crate::ligerito::verify::{LigeritoAccepted, acceptance};

    suite!(
        phalanx::ligerito,
        phalanx::ligerito::Gf128,
        LigeritoElement,
        LigeritoPoint,
        crate::ligerito::point,
        acceptance,
        LigeritoAccepted,
        LigeritoPlanesClaim,
        LigeritoPointOf,
        LigeritoClaimOf
    );
}

/// How many bits a word has: as many planes there are at a point.
pub const PHALANX_LIGERITO_PLANES: usize = 32;
/// Most commitments that one proof is about.
pub const PHALANX_LIGERITO_COMMITMENTS_MAX: usize = 256;

/// The claim that the polynomial's bits have these planes at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoPlanesClaim {
    /// The point.
    pub point: LigeritoPoint,
    /// `PHALANX_LIGERITO_PLANES` elements: the plane of bit 0, of bit 1, ...
    pub planes: *const LigeritoElement,
}

/// A point at which one of several polynomials is opened.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoPointOf {
    /// Which one: its place among the provers or commitments.
    pub commitment: usize,
    /// The point.
    pub point: LigeritoPoint,
}

/// The claim that one of several polynomials has this value at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoClaimOf {
    /// Which one: its place among the commitments.
    pub commitment: usize,
    /// Point and value.
    pub claim: LigeritoClaim,
}

/// Commits to what lies in memory, `polynomial_len` bytes: bits (bit i of byte i / 8, the lowest first), bytes, words of 16 or 64
/// bits. It is `phalanx_ligerito_commit` of the words of 32 bits that this memory holds, and the commitment is that of the
/// words: `phalanx_ligerito_open_planes` and `phalanx_ligerito_value_of_planes` are about the smaller coefficients.
///
/// The memory has to begin at a multiple of four bytes (`PHALANX_ERROR_INVALID_ARGUMENT`), as every array of words and
/// everything of malloc does. `PHALANX_ERROR_UNAVAILABLE` on machines whose words begin with the highest byte.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_commit_bytes(
    prover: *mut *mut LigeritoProver,
    commitment: *mut u8,
    profile: u32,
    polynomial: *const c_void,
    polynomial_len: usize,
    threads: u32,
) -> Status {
    entry!({
        ffi::give(prover, || {
            let (polynomial, profile) = (of_100::words(polynomial, polynomial_len)?, profile_of(profile)?);
            let (committed, data) = ligerito::commit_on(&ffi::threads(threads), profile, polynomial)?;
            ffi::write_slice(commitment, &committed.to_bytes())?;
            Ok(LigeritoProver(data))
        })
    })
}

/// Opens all 32 planes at `count` points: plane i at a point is the value there of the polynomial of the words' bits i. Writes
/// `PHALANX_LIGERITO_PLANES` elements for each point, and one proof for all of them. The rest is as in
/// `phalanx_ligerito_open`; every point counts as 32.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_open_planes(
    prover: *const LigeritoProver,
    planes: *mut LigeritoElement,
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
        let (data, points) = (&ffi::value(prover)?.0, ffi::slice(points, count)?);
        let to = Outputs { values: planes, proof, proof_capacity, proof_len };
        of_100::open_planes(data, &to, points, ffi::slice(context, context_len)?, threads)
    })
}

/// Verifies that the polynomial under `commitment` has the claimed planes, with a proof of `phalanx_ligerito_open_planes`. The
/// answers are those of `phalanx_ligerito_verify`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_verify_planes(
    accepted: *const LigeritoAccepted,
    place: *mut u64,
    commitment: *const u8,
    commitment_len: usize,
    claims: *const LigeritoPlanesClaim,
    count: usize,
    proof: *const u8,
    proof_len: usize,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let (accepted, claims) = (*ffi::value(accepted)?, ffi::slice(claims, count)?);
        let commitment = ffi::slice(commitment, commitment_len)?;
        let (proof, context) = (ffi::slice(proof, proof_len)?, ffi::slice(context, context_len)?);
        of_100::verify_planes(accepted, place, commitment, claims, proof, context)
    })
}

/// The value of a polynomial of small coefficients, from its 32 planes at a point: `low` are the coordinates inside a word (five
/// for bits, two for bytes, one for words of 16 bits, none for words of 32), which come before those of the point; `basis` is
/// what each bit of a coefficient stands for, 32 / 2^`low_len` elements: 1 alone for bits, `phalanx_ligerito_aes_basis` for
/// bytes. `PHALANX_ERROR_LIGERITO_BASIS_LENGTH` for another number of them.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_value_of_planes(
    value: *mut LigeritoElement,
    low: *const LigeritoElement,
    low_len: usize,
    basis: *const LigeritoElement,
    basis_len: usize,
    planes: *const LigeritoElement,
) -> Status {
    entry!({
        let (low, basis) = (ffi::slice(low, low_len)?, ffi::slice(basis, basis_len)?);
        ffi::write(value, of_100::value_of_planes(low, basis, planes)?)
    })
}

/// Writes 8 elements: the images of 1, x, ..., x^7 of the field of AES, GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_aes_basis(basis: *mut LigeritoElement) -> Status {
    entry!({ ffi::write_slice(basis, &of_100::aes_basis()) })
}

/// Opens several polynomials, of one profile and of any sizes, with one proof: `provers` are as many handles, which may be the
/// same; every point says whose it is. Writes a value for each point.
///
/// A null buffer of capacity 0 for the proof asks for its length, and does the whole work for it; the sum of
/// `phalanx_ligerito_proof_size` of all is a good first guess.
///
/// Fails as `phalanx_ligerito_open`, with `PHALANX_ERROR_LIGERITO_TOGETHER` or `PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_open_together(
    provers: *const *const LigeritoProver,
    provers_len: usize,
    values: *mut LigeritoElement,
    proof: *mut u8,
    proof_capacity: usize,
    proof_len: *mut usize,
    points: *const LigeritoPointOf,
    count: usize,
    context: *const u8,
    context_len: usize,
    threads: u32,
) -> Status {
    entry!({
        let mut data = Vec::with_capacity(provers_len);
        for &prover in ffi::slice(provers, provers_len)? {
            data.push(&ffi::value(prover)?.0);
        }
        let to = Outputs { values, proof, proof_capacity, proof_len };
        let (points, context) = (ffi::slice(points, count)?, ffi::slice(context, context_len)?);
        of_100::open_together(&data, &to, points, context, threads)
    })
}

/// Verifies values of several polynomials with one proof of `phalanx_ligerito_open_together`: `commitments` are
/// `commitments_len` times 34 bytes, one behind the other, in the order of the provers.
///
/// The answers are those of `phalanx_ligerito_verify`, `PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX` (`place` says of which claim) and
/// `PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF` (of which commitment). Commitments that no proof is about together (none, too many,
/// of several profiles, too large) are `PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_verify_together(
    accepted: *const LigeritoAccepted,
    place: *mut u64,
    commitments: *const u8,
    commitments_len: usize,
    claims: *const LigeritoClaimOf,
    count: usize,
    proof: *const u8,
    proof_len: usize,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let (accepted, claims) = (*ffi::value(accepted)?, ffi::slice(claims, count)?);
        let commitments = ffi::slice(commitments.cast(), commitments_len)?;
        let (proof, context) = (ffi::slice(proof, proof_len)?, ffi::slice(context, context_len)?);
        of_100::verify_together(accepted, place, commitments, claims, proof, context)
    })
}
