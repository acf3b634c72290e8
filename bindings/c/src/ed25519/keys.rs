//! Keys.

use crate::ffi::{self, entry};
use crate::status::Status;
use phalanx::ed25519::{SigningKey, VerifyingKey};
use zeroize::Zeroizing;

/// A secret key with the public key that belongs to it.
pub struct Ed25519SigningKey(pub(crate) SigningKey);

/// Makes a signing key from the system's randomness; `PHALANX_ERROR_RANDOMNESS` if it gives none. End it with
/// `phalanx_ed25519_signing_key_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_generate(key: *mut *mut Ed25519SigningKey) -> Status {
    entry!({ ffi::give(key, || Ok(Ed25519SigningKey(SigningKey::generate()?))) })
}

/// Makes the signing key of a seed of 32 bytes (the private key of RFC 8032). The time does not depend on the seed.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_from_seed(
    key: *mut *mut Ed25519SigningKey,
    seed: *const u8,
) -> Status {
    entry!({ ffi::give(key, || Ok(Ed25519SigningKey(SigningKey::from_seed(ffi::array(seed)?)))) })
}

/// Makes a signing key from 64 bytes, the seed and then the public key, as NaCl, Zig and Go keep it.
/// `PHALANX_ERROR_ED25519_KEY_MISMATCH` if the public key is not the seed's.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_from_keypair(
    key: *mut *mut Ed25519SigningKey,
    keypair: *const u8,
) -> Status {
    entry!({
        ffi::give(key, || Ok(Ed25519SigningKey(SigningKey::from_keypair_bytes(ffi::array(keypair)?)?)))
    })
}

/// Ends a signing key and wipes its secret. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_signing_key_free(key: *mut Ed25519SigningKey) {
    ffi::free(key);
}

/// Writes the seed, 32 bytes. The caller wipes them (`phalanx_wipe`).
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_seed(key: *const Ed25519SigningKey, seed: *mut u8) -> Status {
    entry!({ ffi::write_slice(seed, &*Zeroizing::new(ffi::value(key)?.0.to_seed())) })
}

/// Writes the seed and then the public key, 64 bytes. The caller wipes them (`phalanx_wipe`).
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_keypair(
    key: *const Ed25519SigningKey,
    keypair: *mut u8,
) -> Status {
    entry!({ ffi::write_slice(keypair, &*Zeroizing::new(ffi::value(key)?.0.to_keypair_bytes())) })
}

/// Writes the verifying key, 32 bytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_verifying_key(
    key: *const Ed25519SigningKey,
    verifying_key: *mut u8,
) -> Status {
    entry!({ ffi::write_slice(verifying_key, &ffi::value(key)?.0.verifying_key().to_bytes()) })
}

/// Looks at a verifying key: whether its bytes are the canonical encoding of the point, and whether the point has small
/// order, so that signatures under it mean nothing. Either answer may be null.
/// `PHALANX_ERROR_ED25519_INVALID_KEY` if the bytes encode no point; `PHALANX_ERROR_INVALID_LENGTH` if they are not 32.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verifying_key_check(
    is_canonical: *mut bool,
    is_weak: *mut bool,
    verifying_key: *const u8,
    verifying_key_len: usize,
) -> Status {
    entry!({
        let key = VerifyingKey::try_from(ffi::slice(verifying_key, verifying_key_len)?)?;
        for (out, answer) in [(is_canonical, key.is_canonical()), (is_weak, key.is_weak())] {
            if !out.is_null() {
                ffi::write(out, answer)?;
            }
        }
        Ok(())
    })
}

/// Looks whether a verifying key lies in the subgroup of prime order: no part of order 2, 4 or 8, as every generated key.
/// No profile asks for it. Takes as long as a verification. `PHALANX_ERROR_ED25519_INVALID_KEY` if the bytes encode no
/// point; `PHALANX_ERROR_INVALID_LENGTH` if they are not 32.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verifying_key_is_torsion_free(
    is_torsion_free: *mut bool,
    verifying_key: *const u8,
    verifying_key_len: usize,
) -> Status {
    entry!({
        let key = VerifyingKey::try_from(ffi::slice(verifying_key, verifying_key_len)?)?;
        ffi::write(is_torsion_free, key.is_torsion_free())
    })
}
