//! Encrypted secret keys of Ed25519: OpenSSH's, PKCS#8 and minisign's.

use crate::exit::Failure;
use phalanx::ed25519::minisign::{self, Scrypt};
use phalanx_identify::ed25519::{KeyFormat, SecretKey};
use zeroize::Zeroizing;

/// Opens what [`SecretKey::read`] says is encrypted.
///
/// # Errors
/// What is wrong, in words: the password as a rule.
pub(crate) fn open(bytes: &[u8], password: &[u8]) -> Result<SecretKey, String> {
    match SecretKey::read(bytes, Some(password)) {
        Err(phalanx::ed25519::Error::EncryptedKey) => by_custody(bytes, password),
        other => other.map_err(|error| error.to_string()),
    }
}

#[cfg(all(unix, feature = "custody"))]
fn by_custody(bytes: &[u8], password: &[u8]) -> Result<SecretKey, String> {
    use phalanx::ed25519::SigningKey;
    use phalanx_custody::keystore::KeySecret;
    let is_openssh = bytes.trim_ascii_start().starts_with(b"-----BEGIN OPENSSH");
    let (secret, comment) = if is_openssh {
        KeySecret::from_encrypted_openssh_with_comment(bytes, password)
    } else {
        KeySecret::from_encrypted_pkcs8(bytes, password).map(|secret| (secret, String::new()))
    }
    .map_err(|error| error.to_string())?;
    let seed: &[u8; 32] = secret.expose().try_into().map_err(|_| "no key of ed25519".to_owned())?;
    let key = SecretKey::new(SigningKey::from_seed(seed), &comment);
    Ok(SecretKey { format: if is_openssh { KeyFormat::Openssh } else { KeyFormat::Pkcs8 }, ..key })
}

#[cfg(not(all(unix, feature = "custody")))]
fn by_custody(_: &[u8], _: &[u8]) -> Result<SecretKey, String> {
    Err("encrypted keys of OpenSSH and PKCS#8 need a build with the feature 'custody'".to_owned())
}

/// Refuses a form in which keys are not encrypted.
///
/// # Errors
/// Exit code 2.
pub(crate) fn check_format(format: KeyFormat) -> Result<(), Failure> {
    match format {
        KeyFormat::Minisign => Ok(()),
        KeyFormat::Openssh | KeyFormat::Pkcs8 if cfg!(all(unix, feature = "custody")) => Ok(()),
        _ => Err(Failure::usage(format_args!("key files in {} are not encrypted", format.name()))
            .hint("a key under a password is in openssh, pem or minisign")),
    }
}

/// The bytes of the key file in `format`, under a password.
///
/// # Errors
/// Exit code 2 for a form that has none, and for a comment that it cannot hold.
pub(crate) fn seal(
    key: &SecretKey,
    format: KeyFormat,
    password: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    check_format(format)?;
    // Into the buffer of its own that a text came in, without a copy left behind.
    let bytes = |mut text: Zeroizing<String>| Zeroizing::new(std::mem::take(&mut *text).into_bytes());
    if format == KeyFormat::Minisign {
        let secret = minisign::SecretKey { key_id: key.key_id, key: key.key.clone() };
        let comment = if key.comment.is_empty() { "minisign encrypted secret key" } else { &key.comment };
        return Ok(bytes(secret.to_encrypted_file(comment, password, Scrypt::SENSITIVE)?));
    }
    #[cfg(all(unix, feature = "custody"))]
    {
        use phalanx_custody::keystore::KeySecret;
        let secret = KeySecret::from_seed(&Zeroizing::new(key.key.to_seed()));
        let text = if format == KeyFormat::Openssh {
            secret.to_encrypted_openssh(&key.comment, password)
        } else {
            secret.to_encrypted_pkcs8(password)
        };
        Ok(bytes(text?))
    }
    #[cfg(not(all(unix, feature = "custody")))]
    unreachable!("the form was checked")
}
