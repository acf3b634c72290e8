//! Ligerito: profiles, elements, commitments; proving and verifying below, and the published crate's format.

mod provable128;
mod prove;
mod ref_v08;
mod several;
mod several128;
mod suite;
mod verify;

use crate::common::terminated;
use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_LIGERITO_BASIS_LENGTH,
    PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX, PHALANX_ERROR_LIGERITO_NO_CLAIMS,
    PHALANX_ERROR_LIGERITO_POINT_LENGTH, PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH,
    PHALANX_ERROR_LIGERITO_TOGETHER, PHALANX_ERROR_LIGERITO_TOO_LARGE,
    PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS, PHALANX_ERROR_UNKNOWN_NAME, Status,
};
use core::ffi::c_char;
use phalanx::ligerito::{Commitment, Error, Gf128, Preset};
pub(crate) use verify::status_of;

/// Length of a commitment in bytes.
pub const PHALANX_LIGERITO_COMMITMENT_BYTES: usize = 34;
/// Length of the root of a commitment in bytes.
pub const PHALANX_LIGERITO_ROOT_BYTES: usize = 32;
/// Fewest variables of a polynomial.
pub const PHALANX_LIGERITO_VARIABLES_MIN: u8 = 10;
/// Most variables of a polynomial.
pub const PHALANX_LIGERITO_VARIABLES_MAX: u8 = 30;
/// Most points that one proof opens.
pub const PHALANX_LIGERITO_CLAIMS_MAX: usize = 65536;

/// What proofs are made small for: what `profile` arguments take.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum LigeritoProfile {
    /// 100 provable bits without proof of work. The default.
    Balanced = 1,
    /// Shorter proofs; 16 of the 100 bits are a proof of work at every level, which the prover pays for.
    Compact = 2,
}

/// An element of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: bit i of its 128 is the coefficient of x^i.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoElement {
    /// Bits 0 to 63.
    pub low: u64,
    /// Bits 64 to 127.
    pub high: u64,
}

impl From<Gf128> for LigeritoElement {
    fn from(element: Gf128) -> Self {
        let [low, high] = [0, 8].map(|at| {
            let bytes = element.to_le_bytes();
            u64::from_le_bytes(core::array::from_fn(|i| bytes[at + i]))
        });
        Self { low, high }
    }
}

impl From<LigeritoElement> for Gf128 {
    fn from(element: LigeritoElement) -> Self {
        Self(u128::from(element.high) << 64 | u128::from(element.low))
    }
}

/// A point: as many coordinates as the polynomial has variables. Coordinate j belongs to bit j of the words' index.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LigeritoPoint {
    /// Coordinate 0.
    pub coordinates: *const LigeritoElement,
    /// How many.
    pub coordinates_len: usize,
}

/// The coordinates of a point.
///
/// # Safety
/// As `ffi::slice`.
unsafe fn point(point: &LigeritoPoint) -> Result<Vec<Gf128>, Status> {
    // SAFETY: as the caller's.
    let coordinates = unsafe { ffi::slice(point.coordinates, point.coordinates_len) }?;
    Ok(coordinates.iter().map(|&element| element.into()).collect())
}

/// Which profile each number means.
const PROFILES: [(LigeritoProfile, Preset); 2] =
    [(LigeritoProfile::Balanced, Preset::Balanced), (LigeritoProfile::Compact, Preset::Compact)];

/// The profile of a number.
fn profile_of(number: u32) -> Result<Preset, Status> {
    let known = PROFILES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, profile)| *profile).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The number of a profile.
fn number_of(wanted: Preset) -> Result<u32, Status> {
    let known = PROFILES.iter().find(|(_, profile)| *profile == wanted);
    known.map(|(known, _)| *known as u32).ok_or(PHALANX_ERROR_UNKNOWN_NAME)
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::PolynomialLength { .. } => PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH,
            Error::NoClaims => PHALANX_ERROR_LIGERITO_NO_CLAIMS,
            Error::TooManyClaims { .. } => PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS,
            Error::PointLength { .. } => PHALANX_ERROR_LIGERITO_POINT_LENGTH,
            Error::TooLarge => PHALANX_ERROR_LIGERITO_TOO_LARGE,
            Error::Together => PHALANX_ERROR_LIGERITO_TOGETHER,
            Error::CommitmentIndex { .. } => PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX,
            Error::BasisLength { .. } => PHALANX_ERROR_LIGERITO_BASIS_LENGTH,
            // Of shapes of one's own, which this binding does not offer; and what the library may add.
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

/// The name of a profile, such as `"balanced"`; null if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito_profile_name(profile: u32) -> *const c_char {
    ffi::guard_value(core::ptr::null(), || {
        profile_of(profile).map_or(core::ptr::null(), |profile| terminated(profile.name()))
    })
}

/// Writes the number of the profile called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_profile_from_name(profile: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = Preset::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        ffi::write(profile, number_of(wanted)?)
    })
}

/// Length in bytes of the longest proof about a polynomial of 2^`variables` words; 0 if no such polynomial can be
/// committed to. Proofs differ in length.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ligerito_proof_size(profile: u32, variables: u8) -> usize {
    ffi::guard_value(0, || {
        let shape = profile_of(profile).ok().and_then(|profile| profile.shape(variables));
        shape.map_or(0, |shape| shape.max_proof_len_bytes())
    })
}

/// Takes a commitment apart: its profile, the number of variables and the root of 32 bytes that it claims to have. Whether
/// they are acceptable is for the verifier to say. `PHALANX_ERROR_MALFORMED` if the length or the profile is wrong.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_commitment_parts(
    profile: *mut u32,
    variables: *mut u8,
    root: *mut u8,
    commitment: *const u8,
    commitment_len: usize,
) -> Status {
    entry!({
        let commitment = Commitment::from_bytes(ffi::slice(commitment, commitment_len)?)?;
        ffi::write(profile, number_of(commitment.preset())?)?;
        ffi::write(variables, commitment.variables())?;
        ffi::write_slice(root, commitment.root())
    })
}

/// Puts a commitment of 34 bytes together from what `phalanx_ligerito_commitment_parts` gives.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ligerito_commitment_from_parts(
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
