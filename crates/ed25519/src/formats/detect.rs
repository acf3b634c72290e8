//! What kind of file bytes are.

use super::der::Reader;
use super::{hex, openssh, pem, pkcs8, sshsig};

/// The kinds of files that [`KeyFormat::detect`] tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyFormat {
    /// 32 bytes: a seed or a public key; they look alike.
    Raw32,
    /// 64 bytes: seed and public key, or a signature; they look alike.
    Raw64,
    /// 64 or 128 hex digits.
    Hex,
    /// PKCS#8, DER.
    Pkcs8Der,
    /// PKCS#8, PEM.
    Pkcs8Pem,
    /// PKCS#8 under a passphrase, PEM, which is not supported.
    Pkcs8EncryptedPem,
    /// SubjectPublicKeyInfo, DER.
    SpkiDer,
    /// SubjectPublicKeyInfo, PEM.
    SpkiPem,
    /// OpenSSH's public line.
    OpensshPublic,
    /// OpenSSH's private file.
    OpensshPrivate,
    /// A JSON Web Key; with the member `d` it is private.
    Jwk,
    /// minisign's public key file.
    MinisignPublic,
    /// minisign's secret key file.
    MinisignSecret,
    /// minisign's signature file.
    MinisignSignature,
    /// ssh-keygen's signature file.
    Sshsig,
}

impl KeyFormat {
    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw32 => "raw",
            Self::Raw64 => "keypair",
            Self::Hex => "hex",
            Self::Pkcs8Der => "pkcs8-der",
            Self::Pkcs8Pem => "pkcs8-pem",
            Self::Pkcs8EncryptedPem => "pkcs8-encrypted-pem",
            Self::SpkiDer => "spki-der",
            Self::SpkiPem => "spki-pem",
            Self::OpensshPublic => "openssh-public",
            Self::OpensshPrivate => "openssh-private",
            Self::Jwk => "jwk",
            Self::MinisignPublic => "minisign-public",
            Self::MinisignSecret => "minisign-secret",
            Self::MinisignSignature => "minisign-signature",
            Self::Sshsig => "sshsig",
        }
    }

    /// The kind of file that `bytes` look like, by their first bytes and their lengths. Says nothing about the rest:
    /// reading the file decides.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            32 => return Some(Self::Raw32),
            64 if !bytes.iter().all(u8::is_ascii_hexdigit) => return Some(Self::Raw64),
            _ => {}
        }
        let mut file = Reader::new(bytes);
        if let (Ok(fields), Ok(())) = (file.read(pkcs8::SEQUENCE, ""), file.finish("")) {
            return match fields.first() {
                Some(&pkcs8::INTEGER) => Some(Self::Pkcs8Der),
                Some(&pkcs8::SEQUENCE) => Some(Self::SpkiDer),
                _ => None,
            };
        }
        let text = core::str::from_utf8(bytes).ok()?.trim_ascii();
        if let Some(label) = pem::label(text) {
            return match label {
                pkcs8::PRIVATE_LABEL => Some(Self::Pkcs8Pem),
                pkcs8::ENCRYPTED_LABEL => Some(Self::Pkcs8EncryptedPem),
                pkcs8::PUBLIC_LABEL => Some(Self::SpkiPem),
                openssh::PRIVATE_LABEL => Some(Self::OpensshPrivate),
                sshsig::LABEL => Some(Self::Sshsig),
                _ => None,
            };
        }
        if text.starts_with("ssh-ed25519 ") {
            Some(Self::OpensshPublic)
        } else if text.starts_with('{') {
            Some(Self::Jwk)
        } else if text.starts_with("untrusted comment:") {
            minisign(text)
        } else if matches!(hex::digits(text).count(), 64 | 128)
            && hex::digits(text).all(|c| c.is_ascii_hexdigit())
        {
            Some(Self::Hex)
        } else {
            None
        }
    }
}

/// By the length of the second line: base64 of 42, 158 or 74 bytes.
fn minisign(text: &str) -> Option<KeyFormat> {
    match text.lines().nth(1)?.trim_ascii().len() {
        56 => Some(KeyFormat::MinisignPublic),
        212 => Some(KeyFormat::MinisignSecret),
        100 => Some(KeyFormat::MinisignSignature),
        _ => None,
    }
}
