//! Bits and bytes, and several commitments, with 128 provable bits.

use super::provable128::{
    Ligerito128Accepted, Ligerito128Claim, Ligerito128Element, Ligerito128Point, Ligerito128Prover,
    profile_of,
};
use crate::ffi::{self, entry};
use crate::status::Status;
use core::ffi::c_void;
use of_128::Outputs;
use phalanx::ligerito::provable128;

mod of_128 {
    use super::{
        Ligerito128Accepted, Ligerito128ClaimOf, Ligerito128Element, Ligerito128PlanesClaim,
        Ligerito128Point, Ligerito128PointOf,
    };
    use crate::ligerito::provable128::{acceptance, point};
    use crate::ligerito::suite::suite;

    suite!(
        phalanx::ligerito::provable128,
        phalanx::ligerito::provable128::Gf192,
        Ligerito128Element,
        Ligerito128Point,
        point,
        acceptance,
        Ligerito128Accepted,
        Ligerito128PlanesClaim,
        Ligerito128PointOf,
        Ligerito128ClaimOf
    );
}

/// The claim that the polynomial's bits have these planes at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128PlanesClaim {
    /// The point.
    pub point: Ligerito128Point,
    /// `PHALANX_LIGERITO_PLANES` elements: the plane of bit 0, of bit 1, ...
    pub planes: *const Ligerito128Element,
}

/// A point at which one of several polynomials is opened.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128PointOf {
    /// Which one: its place among the provers or commitments.
    pub commitment: usize,
    /// The point.
    pub point: Ligerito128Point,
}

/// The claim that one of several polynomials has this value at this point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ligerito128ClaimOf {
    /// Which one: its place among the commitments.
    pub commitment: usize,
    /// Point and value.
    pub claim: Ligerito128Claim,
}

/// As `phalanx_ligerito_commit_bytes`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_commit_bytes(
    prover: *mut *mut Ligerito128Prover,
    commitment: *mut u8,
    profile: u32,
    polynomial: *const c_void,
    polynomial_len: usize,
    threads: u32,
) -> Status {
    entry!({
        ffi::give(prover, || {
            let (polynomial, profile) = (of_128::words(polynomial, polynomial_len)?, profile_of(profile)?);
            let (committed, data) = provable128::commit_on(&ffi::threads(threads), profile, polynomial)?;
            ffi::write_slice(commitment, &committed.to_bytes())?;
            Ok(Ligerito128Prover(data))
        })
    })
}

/// As `phalanx_ligerito_open_planes`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_open_planes(
    prover: *const Ligerito128Prover,
    planes: *mut Ligerito128Element,
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
        let (data, points) = (&ffi::value(prover)?.0, ffi::slice(points, count)?);
        let to = Outputs { values: planes, proof, proof_capacity, proof_len };
        of_128::open_planes(data, &to, points, ffi::slice(context, context_len)?, threads)
    })
}

/// As `phalanx_ligerito_verify_planes`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_verify_planes(
    accepted: *const Ligerito128Accepted,
    place: *mut u64,
    commitment: *const u8,
    commitment_len: usize,
    claims: *const Ligerito128PlanesClaim,
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
        of_128::verify_planes(accepted, place, commitment, claims, proof, context)
    })
}

/// As `phalanx_ligerito_value_of_planes`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_value_of_planes(
    value: *mut Ligerito128Element,
    low: *const Ligerito128Element,
    low_len: usize,
    basis: *const Ligerito128Element,
    basis_len: usize,
    planes: *const Ligerito128Element,
) -> Status {
    entry!({
        let (low, basis) = (ffi::slice(low, low_len)?, ffi::slice(basis, basis_len)?);
        ffi::write(value, of_128::value_of_planes(low, basis, planes)?)
    })
}

/// As `phalanx_ligerito_aes_basis`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_aes_basis(basis: *mut Ligerito128Element) -> Status {
    entry!({ ffi::write_slice(basis, &of_128::aes_basis()) })
}

/// As `phalanx_ligerito_open_together`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_open_together(
    provers: *const *const Ligerito128Prover,
    provers_len: usize,
    values: *mut Ligerito128Element,
    proof: *mut u8,
    proof_capacity: usize,
    proof_len: *mut usize,
    points: *const Ligerito128PointOf,
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
        of_128::open_together(&data, &to, points, context, threads)
    })
}

/// As `phalanx_ligerito_verify_together`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito128_verify_together(
    accepted: *const Ligerito128Accepted,
    place: *mut u64,
    commitments: *const u8,
    commitments_len: usize,
    claims: *const Ligerito128ClaimOf,
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
        of_128::verify_together(accepted, place, commitments, claims, proof, context)
    })
}
