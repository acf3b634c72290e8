//! PKCS#8 (RFC 5958, RFC 8410) and SubjectPublicKeyInfo (RFC 5280), as DER and PEM.

use super::der::Reader;
use super::pem;
use crate::error::{Error, invalid};
use crate::key::{SigningKey, VerifyingKey};
use alloc::string::String;
use alloc::vec::Vec;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
/// \[0\] IMPLICIT SET OF, the attributes.
const ATTRIBUTES: u8 = 0xa0;
/// \[1\] IMPLICIT BIT STRING, the public key of RFC 5958.
const PUBLIC_KEY: u8 = 0x81;
/// \[1\] with a whole BIT STRING in it, which ring wrote before version 0.17.
const PUBLIC_KEY_EXPLICIT: u8 = 0xa1;

/// The content of the AlgorithmIdentifier: OID 1.3.101.112 (RFC 8410 section 3) and no parameters, not even NULL.
const ALGORITHM: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70];

/// All that stands before the seed in version 1, and with the other version and length in version 2.
const V1_HEADER: [u8; 16] = *b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
const V2_HEADER: [u8; 16] = *b"\x30\x51\x02\x01\x01\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
const SPKI_HEADER: [u8; 12] = *b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";

pub(super) const PRIVATE_LABEL: &str = "PRIVATE KEY";
pub(super) const ENCRYPTED_LABEL: &str = "ENCRYPTED PRIVATE KEY";
pub(super) const PUBLIC_LABEL: &str = "PUBLIC KEY";
const PEM_COLUMNS: usize = 64;

impl SigningKey {
    /// PKCS#8 version 1, 48 bytes: what every reader understands.
    #[must_use]
    pub fn to_pkcs8_der(&self) -> Zeroizing<Vec<u8>> {
        concatenation(&[&V1_HEADER, &self.secret().seed])
    }

    /// [`to_pkcs8_der`](Self::to_pkcs8_der) as PEM.
    #[must_use]
    pub fn to_pkcs8_pem(&self) -> Zeroizing<String> {
        pem::encode(PRIVATE_LABEL, &self.to_pkcs8_der(), PEM_COLUMNS)
    }

    /// PKCS#8 version 2, 83 bytes: with the public key, as ring wants it. OpenSSL 3.0 does not read it.
    #[must_use]
    pub fn to_pkcs8_v2_der(&self) -> Zeroizing<Vec<u8>> {
        concatenation(&[&V2_HEADER, &self.secret().seed, &[PUBLIC_KEY, 33, 0], self.verifying_key().as_ref()])
    }

    /// [`to_pkcs8_v2_der`](Self::to_pkcs8_v2_der) as PEM.
    #[must_use]
    pub fn to_pkcs8_v2_pem(&self) -> Zeroizing<String> {
        pem::encode(PRIVATE_LABEL, &self.to_pkcs8_v2_der(), PEM_COLUMNS)
    }

    /// Reads PKCS#8 of version 1 or 2. A public key in it must be the seed's; attributes are skipped.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::KeyMismatch`], [`Error::EncryptedKey`].
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        let mut file = Reader::new(der);
        let mut fields = Reader::new(file.read(SEQUENCE, "PKCS#8 is no SEQUENCE")?);
        file.finish("bytes after the end of PKCS#8")?;
        if fields.peek() == Some(SEQUENCE) && is_encrypted(&mut fields) {
            return Err(Error::EncryptedKey);
        }
        let has_public_key = match fields.read(INTEGER, "PKCS#8 does not begin with its version")? {
            [0] => false,
            [1] => true,
            _ => return Err(invalid("unknown version of PKCS#8")),
        };
        if fields.read(SEQUENCE, "PKCS#8 without algorithm")? != ALGORITHM {
            return Err(invalid("algorithm is not Ed25519 without parameters"));
        }
        let mut private = Reader::new(fields.read(OCTET_STRING, "PKCS#8 without private key")?);
        let seed = private.read(OCTET_STRING, "private key is no OCTET STRING")?;
        private.finish("bytes after the seed")?;
        let seed: &[u8; 32] = seed.try_into().map_err(|_| invalid("seed has not 32 bytes"))?;
        if fields.peek() == Some(ATTRIBUTES) {
            fields.read(ATTRIBUTES, "attributes")?;
        }
        let public_key = match (has_public_key, fields.peek()) {
            (true, Some(PUBLIC_KEY)) => Some(fields.read(PUBLIC_KEY, "public key")?),
            (true, Some(PUBLIC_KEY_EXPLICIT)) => {
                let mut explicit = Reader::new(fields.read(PUBLIC_KEY_EXPLICIT, "public key")?);
                let bits = explicit.read(BIT_STRING, "public key is no BIT STRING")?;
                explicit.finish("bytes after the public key")?;
                Some(bits)
            }
            (true, _) => return Err(invalid("PKCS#8 version 2 without public key")),
            (false, _) => None,
        };
        fields.finish("unknown field in PKCS#8")?;
        let key = Self::from_seed(seed);
        if let Some(bits) = public_key {
            let public_key = public_key_of(bits)?;
            if !bool::from(key.verifying_key().as_ref().ct_eq(public_key)) {
                return Err(Error::KeyMismatch);
            }
        }
        Ok(key)
    }

    /// [`from_pkcs8_der`](Self::from_pkcs8_der) of PEM with the label `PRIVATE KEY`.
    ///
    /// # Errors
    /// As [`from_pkcs8_der`](Self::from_pkcs8_der); [`Error::EncryptedKey`] for `ENCRYPTED PRIVATE KEY`.
    pub fn from_pkcs8_pem(text: &str) -> Result<Self, Error> {
        if pem::label(text) == Some(ENCRYPTED_LABEL) {
            return Err(Error::EncryptedKey);
        }
        Self::from_pkcs8_der(&pem::decode(text, PRIVATE_LABEL)?)
    }
}

impl VerifyingKey {
    /// SubjectPublicKeyInfo, 44 bytes.
    #[must_use]
    pub fn to_spki_der(&self) -> Vec<u8> {
        [&SPKI_HEADER, self.as_ref()].concat()
    }

    /// [`to_spki_der`](Self::to_spki_der) as PEM.
    #[must_use]
    pub fn to_spki_pem(&self) -> String {
        core::mem::take(&mut *pem::encode(PUBLIC_LABEL, &self.to_spki_der(), PEM_COLUMNS))
    }

    /// Reads SubjectPublicKeyInfo. Parameters (also NULL), other algorithms and trailing bytes are refused.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidPublicKey`].
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        let mut file = Reader::new(der);
        let mut fields = Reader::new(file.read(SEQUENCE, "SPKI is no SEQUENCE")?);
        file.finish("bytes after the end of SPKI")?;
        if fields.read(SEQUENCE, "SPKI without algorithm")? != ALGORITHM {
            return Err(invalid("algorithm is not Ed25519 without parameters"));
        }
        let bits = fields.read(BIT_STRING, "SPKI without public key")?;
        fields.finish("unknown field in SPKI")?;
        Self::from_bytes(public_key_of(bits)?)
    }

    /// [`from_spki_der`](Self::from_spki_der) of PEM with the label `PUBLIC KEY`.
    ///
    /// # Errors
    /// As [`from_spki_der`](Self::from_spki_der).
    pub fn from_spki_pem(text: &str) -> Result<Self, Error> {
        Self::from_spki_der(&pem::decode(text, PUBLIC_LABEL)?)
    }
}

/// The 32 bytes of a BIT STRING without unused bits.
fn public_key_of(bits: &[u8]) -> Result<&[u8; 32], Error> {
    match bits {
        [0, key @ ..] => key.try_into().map_err(|_| invalid("public key has not 32 bytes")),
        _ => Err(invalid("public key is no whole number of bytes")),
    }
}

/// Whether these are the fields of EncryptedPrivateKeyInfo (RFC 5958 section 3): an algorithm and an OCTET STRING.
fn is_encrypted(fields: &mut Reader<'_>) -> bool {
    fields.read(SEQUENCE, "").is_ok() && fields.peek() == Some(OCTET_STRING)
}

fn concatenation(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}
