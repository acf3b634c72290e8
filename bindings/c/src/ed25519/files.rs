//! Keys as files.

use super::keys::Ed25519SigningKey;
use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_ED25519_ENCRYPTED_KEY, PHALANX_ERROR_ED25519_KEY_FORMAT, PHALANX_ERROR_INVALID_ARGUMENT,
    Status,
};
use phalanx::ed25519::{Error, KeyFormat, SigningKey, VerifyingKey, minisign};
use zeroize::Zeroizing;

/// The formats of key files, by number.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ed25519KeyFormat {
    /// 32 bytes: a seed or a verifying key; they look alike.
    Raw = 0,
    /// 64 bytes: seed and public key. Signing keys only.
    Keypair = 1,
    /// 64 hex digits.
    Hex = 2,
    /// PKCS#8, DER. Signing keys only.
    Pkcs8Der = 3,
    /// PKCS#8, PEM. Signing keys only.
    Pkcs8Pem = 4,
    /// SubjectPublicKeyInfo, DER. Verifying keys only.
    SpkiDer = 5,
    /// SubjectPublicKeyInfo, PEM. Verifying keys only.
    SpkiPem = 6,
    /// OpenSSH's unencrypted private file, or its public line.
    Openssh = 7,
    /// A JSON Web Key.
    Jwk = 8,
    /// For reading: whichever of these the bytes are, as `phalanx_ed25519_key_format_detect` finds it.
    Any = 9,
}

use Ed25519KeyFormat as Format;

/// All formats.
const FORMATS: [Format; 10] = [
    Format::Raw,
    Format::Keypair,
    Format::Hex,
    Format::Pkcs8Der,
    Format::Pkcs8Pem,
    Format::SpkiDer,
    Format::SpkiPem,
    Format::Openssh,
    Format::Jwk,
    Format::Any,
];

/// The format of a number.
fn format_of(number: u32) -> Result<Format, Status> {
    let known = FORMATS.into_iter().find(|known| *known as u32 == number);
    known.ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The text of a file; what is no text is in no text format.
fn text(bytes: &[u8]) -> Result<&str, Status> {
    core::str::from_utf8(bytes).map_err(|_| PHALANX_ERROR_ED25519_KEY_FORMAT)
}

/// `N` bytes.
fn exactly<'a, const N: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; N], Status> {
    bytes.try_into().map_err(|_| Error::InvalidLength { what, got: bytes.len(), wanted: N }.into())
}

/// Writes which format bytes look like, a `phalanx_ed25519_key_format`, by their first bytes and their length; reading them
/// decides. `PHALANX_ERROR_ED25519_KEY_FORMAT` if they look like none of them.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_key_format_detect(
    format: *mut u32,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ ffi::write(format, detected(ffi::slice(bytes, bytes_len)?)? as u32) })
}

/// The format that bytes look like.
fn detected(bytes: &[u8]) -> Result<Format, Status> {
    Ok(match KeyFormat::detect(bytes) {
        Some(KeyFormat::Raw32) => Format::Raw,
        Some(KeyFormat::Raw64) => Format::Keypair,
        Some(KeyFormat::Hex) => Format::Hex,
        Some(KeyFormat::Pkcs8Der) => Format::Pkcs8Der,
        Some(KeyFormat::Pkcs8Pem) => Format::Pkcs8Pem,
        Some(KeyFormat::SpkiDer) => Format::SpkiDer,
        Some(KeyFormat::SpkiPem) => Format::SpkiPem,
        Some(KeyFormat::OpensshPublic | KeyFormat::OpensshPrivate) => Format::Openssh,
        Some(KeyFormat::Jwk) => Format::Jwk,
        _ => return Err(PHALANX_ERROR_ED25519_KEY_FORMAT),
    })
}

/// The format of a number, to read `bytes` in.
fn format_to_read(number: u32, bytes: &[u8]) -> Result<Format, Status> {
    match format_of(number)? {
        Format::Any => detected(bytes),
        named => Ok(named),
    }
}

/// What is wrong if such keys have no such format: the number, or if that was [`Format::Any`], the bytes.
fn of_other_keys(number: u32) -> Status {
    if number == Format::Any as u32 {
        PHALANX_ERROR_ED25519_KEY_FORMAT
    } else {
        PHALANX_ERROR_INVALID_ARGUMENT
    }
}

/// Reads a signing key from a file's bytes in `format`, or in any. A public key inside must belong to it
/// (`PHALANX_ERROR_ED25519_KEY_MISMATCH`); encrypted files are refused (`PHALANX_ERROR_ED25519_ENCRYPTED_KEY`); a comment
/// is passed over.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_from_bytes(
    key: *mut *mut Ed25519SigningKey,
    format: u32,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ ffi::give(key, || Ok(Ed25519SigningKey(signing_key(format, ffi::slice(bytes, bytes_len)?)?))) })
}

fn signing_key(format: u32, bytes: &[u8]) -> Result<SigningKey, Status> {
    Ok(match format_to_read(format, bytes)? {
        Format::Raw => SigningKey::from_seed(exactly("seed", bytes)?),
        Format::Keypair => SigningKey::from_keypair_bytes(exactly("key pair", bytes)?)?,
        Format::Hex => SigningKey::from_hex(text(bytes)?)?,
        Format::Pkcs8Der => SigningKey::from_pkcs8_der(bytes)?,
        Format::Pkcs8Pem => SigningKey::from_pkcs8_pem(text(bytes)?)?,
        Format::Openssh => SigningKey::from_openssh(text(bytes)?)?.0,
        Format::Jwk => SigningKey::from_jwk(text(bytes)?)?,
        Format::SpkiDer | Format::SpkiPem | Format::Any => return Err(of_other_keys(format)),
    })
}

/// Reads a signing key from a file's bytes, whatever its form, and opens it if it is encrypted: the forms of
/// `phalanx_ed25519_key_format`, OpenSSH's file and PKCS#8 (PEM) under a password, minisign's file with or without one, and
/// keystores. The password is taken as it is; without one (null, 0) encrypted files are `PHALANX_ERROR_ED25519_ENCRYPTED_KEY`,
/// and a file that needs none does not look at it. Deriving a key from a password takes what time and memory the file says,
/// at most 1 GiB.
///
/// `PHALANX_ERROR_ED25519_WRONG_PASSWORD`; of OpenSSH's and PKCS#8's files and keystores also
/// `PHALANX_ERROR_KEYSTORE_MALFORMED` and its neighbours: `_UNSUPPORTED` for another cipher or derivation, `_SCHEME` for a
/// key of another scheme or one that is for recovery only, `_KDF_BOUNDS`, `_WEAK_KDF` (`phalanx_keystore_read_ed25519` can
/// accept it). In a library without custody these files are `PHALANX_ERROR_ED25519_ENCRYPTED_KEY`, whatever the password.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_open(
    key: *mut *mut Ed25519SigningKey,
    bytes: *const u8,
    bytes_len: usize,
    password: *const u8,
    password_len: usize,
) -> Status {
    entry!({
        ffi::give(key, || {
            let bytes = ffi::slice(bytes, bytes_len)?;
            let password = Some(ffi::slice(password, password_len)?).filter(|password| !password.is_empty());
            let read = match KeyFormat::detect(bytes) {
                Some(KeyFormat::MinisignSecret) => {
                    Ok(minisign::SecretKey::parse(text(bytes)?, password).map(|secret| secret.key)?)
                }
                Some(KeyFormat::Pkcs8EncryptedPem) => Err(PHALANX_ERROR_ED25519_ENCRYPTED_KEY),
                _ if is_keystore(bytes) => Err(PHALANX_ERROR_ED25519_ENCRYPTED_KEY),
                _ => signing_key(Format::Any as u32, bytes),
            };
            let key = match (read, password) {
                (Err(PHALANX_ERROR_ED25519_ENCRYPTED_KEY), Some(password)) => encrypted(bytes, password)?,
                (read, _) => read?,
            };
            Ok(Ed25519SigningKey(key))
        })
    })
}

/// Whether the bytes look like a keystore: JSON with the member that every one has.
fn is_keystore(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{") && bytes.windows(8).any(|part| part == b"\"crypto\"")
}

/// The key in an encrypted file of OpenSSH, in PKCS#8 or in a keystore.
#[cfg(has_custody)]
fn encrypted(bytes: &[u8], password: &[u8]) -> Result<SigningKey, Status> {
    use crate::status::{PHALANX_ERROR_ED25519_WRONG_PASSWORD, PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD};
    use phalanx_custody::keystore::KeySecret;
    let read = || {
        if is_keystore(bytes) {
            return crate::custody::ed25519_key(bytes, password);
        }
        let secret = KeySecret::from_encrypted_file(bytes, password)?;
        Ok(SigningKey::from_seed(exactly("seed", secret.expose())?))
    };
    read().map_err(|status| match status {
        PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD => PHALANX_ERROR_ED25519_WRONG_PASSWORD,
        other => other,
    })
}

#[cfg(not(has_custody))]
fn encrypted(_: &[u8], _: &[u8]) -> Result<SigningKey, Status> {
    Err(PHALANX_ERROR_ED25519_ENCRYPTED_KEY)
}

/// Writes a signing key as a file's bytes in `format`, the secret included: the caller wipes the buffer (`phalanx_wipe`).
/// Texts end without a zero byte. In OpenSSH's file the comment is empty.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_signing_key_to_bytes(
    key: *const Ed25519SigningKey,
    bytes: *mut u8,
    bytes_capacity: usize,
    bytes_len: *mut usize,
    format: u32,
) -> Status {
    entry!({
        let key = &ffi::value(key)?.0;
        let write = |file: &[u8]| ffi::write_bytes(bytes, bytes_capacity, bytes_len, file);
        match format_of(format)? {
            Format::Raw => write(&*Zeroizing::new(key.to_seed())),
            Format::Keypair => write(&*Zeroizing::new(key.to_keypair_bytes())),
            Format::Hex => write(key.to_hex().as_bytes()),
            Format::Pkcs8Der => write(&key.to_pkcs8_der()),
            Format::Pkcs8Pem => write(key.to_pkcs8_pem().as_bytes()),
            Format::Openssh => write(key.to_openssh("")?.as_bytes()),
            Format::Jwk => write(key.to_jwk().as_bytes()),
            Format::SpkiDer | Format::SpkiPem | Format::Any => Err(PHALANX_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// Reads a verifying key from a file's bytes in `format`, or in any, and writes its 32 bytes. A comment is passed over.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verifying_key_from_bytes(
    verifying_key: *mut u8,
    format: u32,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({
        let bytes = ffi::slice(bytes, bytes_len)?;
        let key = match format_to_read(format, bytes)? {
            Format::Raw => VerifyingKey::try_from(bytes)?,
            Format::Hex => VerifyingKey::from_hex(text(bytes)?)?,
            Format::SpkiDer => VerifyingKey::from_spki_der(bytes)?,
            Format::SpkiPem => VerifyingKey::from_spki_pem(text(bytes)?)?,
            Format::Openssh => VerifyingKey::from_openssh(text(bytes)?)?.0,
            Format::Jwk => VerifyingKey::from_jwk(text(bytes)?)?,
            Format::Keypair | Format::Pkcs8Der | Format::Pkcs8Pem | Format::Any => {
                return Err(of_other_keys(format));
            }
        };
        ffi::write_slice(verifying_key, &key.to_bytes())
    })
}

/// Writes a verifying key of 32 bytes as a file's bytes in `format`. Texts end without a zero byte. In OpenSSH's line the
/// comment is empty.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verifying_key_to_bytes(
    bytes: *mut u8,
    bytes_capacity: usize,
    bytes_len: *mut usize,
    format: u32,
    verifying_key: *const u8,
) -> Status {
    entry!({
        let key = VerifyingKey::from_bytes(ffi::array(verifying_key)?)?;
        let write = |file: &[u8]| ffi::write_bytes(bytes, bytes_capacity, bytes_len, file);
        match format_of(format)? {
            Format::Raw => write(&key.to_bytes()),
            Format::Hex => write(key.to_hex().as_bytes()),
            Format::SpkiDer => write(&key.to_spki_der()),
            Format::SpkiPem => write(key.to_spki_pem().as_bytes()),
            Format::Openssh => write(key.to_openssh("")?.as_bytes()),
            Format::Jwk => write(key.to_jwk().as_bytes()),
            Format::Keypair | Format::Pkcs8Der | Format::Pkcs8Pem | Format::Any => {
                Err(PHALANX_ERROR_INVALID_ARGUMENT)
            }
        }
    })
}
