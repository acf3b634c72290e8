//! Ed25519: keys, signing, verification, batches, key and signature files.

mod batch;
mod files;
pub(crate) mod keys;
mod prepared;
mod sign;
mod ssh;
mod verify;

use crate::common::terminated;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_UNKNOWN_NAME, Status};
use core::ffi::c_char;
use phalanx::ed25519::Profile;

/// Length of a seed (the private key of RFC 8032) in bytes.
pub const PHALANX_ED25519_SEED_BYTES: usize = 32;
/// Length of a seed with the public key behind it, in bytes.
pub const PHALANX_ED25519_KEYPAIR_BYTES: usize = 64;
/// Length of a verifying key in bytes.
pub const PHALANX_ED25519_VERIFYING_KEY_BYTES: usize = 32;
/// Length of a signature in bytes.
pub const PHALANX_ED25519_SIGNATURE_BYTES: usize = 64;
/// Length of the SHA-512 digest that Ed25519ph signs, in bytes.
pub const PHALANX_ED25519_DIGEST_BYTES: usize = 64;
/// The longest context of Ed25519ctx and Ed25519ph, in bytes.
pub const PHALANX_ED25519_CONTEXT_BYTES_MAX: usize = 255;

/// Which signatures are accepted at the edges where implementations differ, by number.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Ed25519Profile {
    /// `strict`, the default choice: no point of small order, no second encoding of R.
    Strict = 0,
    /// `zip215`: single, many and batch verification agree by design.
    Zip215 = 1,
    /// `rfc8032`: the cofactored equation and canonical encodings.
    Rfc8032 = 2,
    /// `cofactorless`: the equation without cofactor, as most libraries check it.
    Cofactorless = 3,
    /// `zig-std`: what the Zig standard library accepts.
    ZigStd = 4,
}

/// Which profile each number means.
const PROFILES: [(Ed25519Profile, Profile); 5] = [
    (Ed25519Profile::Strict, Profile::Strict),
    (Ed25519Profile::Zip215, Profile::Zip215),
    (Ed25519Profile::Rfc8032, Profile::Rfc8032),
    (Ed25519Profile::Cofactorless, Profile::Cofactorless),
    (Ed25519Profile::ZigStd, Profile::ZigStd),
];

/// The profile of a number.
fn profile_of(number: u32) -> Result<Profile, Status> {
    let known = PROFILES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, profile)| *profile).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// Writes the number of the profile called `name`, such as `"strict"`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_profile_from_name(profile: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = Profile::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        let known = PROFILES.iter().find(|(_, profile)| *profile == wanted);
        ffi::write(profile, known.map(|(known, _)| *known as u32).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?)
    })
}

/// The name of a profile; null if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_profile_name(profile: u32) -> *const c_char {
    profile_of(profile).map_or(core::ptr::null(), |profile| terminated(profile.name()))
}
