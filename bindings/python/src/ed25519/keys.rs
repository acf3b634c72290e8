//! Keys and their files.

use super::profile::profile_of;
use crate::arguments::{Bytes, Frozen, Secret, SecretText, Text, detached};
use crate::errors::{self, invalid_signature, malformed_signature};
use phalanx::ed25519::{self, Error, Signature};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

/// Bytes of a signature.
pub(super) const SIGNATURE_LEN: usize = 64;

/// A secret key with the public key that belongs to it. It is not shown, not pickled, and wiped when the object goes.
#[pyclass(frozen, module = "phalanx.ed25519")]
pub(crate) struct SigningKey(pub(crate) ed25519::SigningKey);

/// The key, or the error as an exception.
fn made(py: Python<'_>, key: PyResult<Result<ed25519::SigningKey, Error>>) -> PyResult<SigningKey> {
    key?.map(SigningKey).map_err(|error| errors::ed25519(py, error))
}

/// The signature's bytes, or the error as an exception.
fn signed(py: Python<'_>, signature: PyResult<Result<Signature, Error>>) -> PyResult<Bound<'_, PyBytes>> {
    let signature = signature?.map_err(|error| errors::ed25519(py, error))?;
    Ok(PyBytes::new(py, &signature.to_bytes()))
}

#[pymethods]
impl SigningKey {
    /// The key of a seed of 32 bytes (the "private key" of RFC 8032).
    #[staticmethod]
    fn from_seed(py: Python<'_>, seed: Secret) -> PyResult<Self> {
        let seed = seed.array::<32>("seed")?;
        detached(py, || ed25519::SigningKey::from_seed(&seed)).map(Self)
    }

    /// A new key from the system's randomness.
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<Self> {
        made(py, detached(py, ed25519::SigningKey::generate))
    }

    /// Of 64 bytes: seed, then public key, which must be the seed's. Raises `KeyMismatch`.
    #[staticmethod]
    fn from_keypair_bytes(py: Python<'_>, data: Secret) -> PyResult<Self> {
        let data = data.array::<64>("key pair")?;
        made(py, detached(py, || ed25519::SigningKey::from_keypair_bytes(&data)))
    }

    /// Of 64 hexadecimal digits (the seed) or 128 (seed, then public key).
    #[staticmethod]
    fn from_hex(py: Python<'_>, text: SecretText) -> PyResult<Self> {
        let text = text.text()?;
        made(py, detached(py, || ed25519::SigningKey::from_hex(text)))
    }

    /// Reads PKCS#8, DER, version 1 or 2.
    #[staticmethod]
    fn from_pkcs8_der(py: Python<'_>, data: Secret) -> PyResult<Self> {
        let data = data.get();
        made(py, detached(py, || ed25519::SigningKey::from_pkcs8_der(data)))
    }

    /// Reads PKCS#8, PEM. Raises `EncryptedKey` for a file under a passphrase.
    #[staticmethod]
    fn from_pkcs8_pem(py: Python<'_>, text: SecretText) -> PyResult<Self> {
        let text = text.text()?;
        made(py, detached(py, || ed25519::SigningKey::from_pkcs8_pem(text)))
    }

    /// Reads OpenSSH's private file: the key and its comment.
    #[staticmethod]
    fn from_openssh(py: Python<'_>, text: SecretText) -> PyResult<(Self, String)> {
        let text = text.text()?;
        let outcome = detached(py, || ed25519::SigningKey::from_openssh(text))?;
        outcome.map(|(key, comment)| (Self(key), comment)).map_err(|error| errors::ed25519(py, error))
    }

    /// Reads a private JSON Web Key.
    #[staticmethod]
    fn from_jwk(py: Python<'_>, text: SecretText) -> PyResult<Self> {
        let text = text.text()?;
        made(py, detached(py, || ed25519::SigningKey::from_jwk(text)))
    }

    /// The seed. Python cannot wipe the `bytes` that this and the other `to_` methods return.
    fn to_seed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &*Zeroizing::new(self.0.to_seed()))
    }

    /// Seed, then public key.
    fn to_keypair_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &*Zeroizing::new(self.0.to_keypair_bytes()))
    }

    /// The seed in hexadecimal digits.
    fn to_hex(&self) -> String {
        (*self.0.to_hex()).clone()
    }

    /// PKCS#8 version 1, DER.
    fn to_pkcs8_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_pkcs8_der())
    }

    /// PKCS#8 version 1, PEM.
    fn to_pkcs8_pem(&self) -> String {
        (*self.0.to_pkcs8_pem()).clone()
    }

    /// PKCS#8 version 2, with the public key, DER.
    fn to_pkcs8_v2_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_pkcs8_v2_der())
    }

    /// PKCS#8 version 2, with the public key, PEM.
    fn to_pkcs8_v2_pem(&self) -> String {
        (*self.0.to_pkcs8_v2_pem()).clone()
    }

    /// OpenSSH's private file, without a passphrase.
    #[pyo3(signature = (comment = ""))]
    fn to_openssh(&self, py: Python<'_>, comment: &str) -> PyResult<String> {
        let file = self.0.to_openssh(comment).map_err(|error| errors::ed25519(py, error))?;
        Ok((*file).clone())
    }

    /// A private JSON Web Key.
    fn to_jwk(&self) -> String {
        (*self.0.to_jwk()).clone()
    }

    /// The public half.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(*self.0.verifying_key())
    }

    /// Signs: 64 bytes, deterministic, RFC 8032 Ed25519.
    fn sign<'py>(&self, py: Python<'py>, message: Frozen<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let message = message.get();
        signed(py, detached(py, || Ok(self.0.sign(message))))
    }

    /// Signs with 32 bytes of noise hashed in before the prefix, as Zig's standard library does.
    fn sign_with_noise<'py>(
        &self,
        py: Python<'py>,
        message: Frozen<'_>,
        noise: Frozen<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (message, noise) = (message.get(), noise.array::<32>("noise")?);
        signed(py, detached(py, || Ok(self.0.sign_with_noise(message, noise))))
    }

    /// Signs, and verifies the signature before it is released. Raises `SelfCheckFailed`.
    fn sign_checked<'py>(&self, py: Python<'py>, message: Frozen<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let message = message.get();
        signed(py, detached(py, || self.0.sign_checked(message)))
    }

    /// Ed25519ctx: `context` is 1 to 255 bytes. Raises `ContextEmpty` or `ContextTooLong`.
    fn sign_ctx<'py>(
        &self,
        py: Python<'py>,
        message: Frozen<'_>,
        context: Frozen<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (message, context) = (message.get(), context.get());
        signed(py, detached(py, || self.0.sign_ctx(message, context)))
    }

    /// Ed25519ph: signs the SHA-512 digest of the message; `context` is 0 to 255 bytes. Raises `ContextTooLong`.
    fn sign_ph<'py>(
        &self,
        py: Python<'py>,
        message: Frozen<'_>,
        context: Frozen<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (message, context) = (message.get(), context.get());
        signed(py, detached(py, || self.0.sign_ph(message, context)))
    }

    /// `sign_ph` of a message whose SHA-512 digest is known.
    fn sign_prehashed<'py>(
        &self,
        py: Python<'py>,
        digest: Frozen<'_>,
        context: Frozen<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (digest, context) = (digest.array::<64>("digest")?, context.get());
        signed(py, detached(py, || self.0.sign_prehashed(digest, context)))
    }

    fn __repr__(&self) -> String {
        format!("<SigningKey of {}>", self.0.verifying_key().to_hex())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a signing key is secret: it is not pickled or copied"))
    }
}

/// A public key. Any encoding that some profile accepts makes one; what a profile refuses, it refuses at verification.
#[pyclass(frozen, eq, hash, module = "phalanx.ed25519")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VerifyingKey(pub(crate) ed25519::VerifyingKey);

/// The key, or the error as an exception.
fn read(py: Python<'_>, key: PyResult<Result<ed25519::VerifyingKey, Error>>) -> PyResult<VerifyingKey> {
    key?.map(VerifyingKey).map_err(|error| errors::ed25519(py, error))
}

#[pymethods]
impl VerifyingKey {
    /// Of 32 bytes. Raises `InvalidPublicKey` if no point has this encoding.
    #[new]
    fn new(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
        let data = data.array::<32>("public key")?;
        read(py, detached(py, || ed25519::VerifyingKey::from_bytes(data)))
    }

    /// Of 64 hexadecimal digits.
    #[staticmethod]
    fn from_hex(py: Python<'_>, text: Text) -> PyResult<Self> {
        read(py, detached(py, || ed25519::VerifyingKey::from_hex(text.get())))
    }

    /// Reads SubjectPublicKeyInfo, DER.
    #[staticmethod]
    fn from_spki_der(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
        let data = data.get();
        read(py, detached(py, || ed25519::VerifyingKey::from_spki_der(data)))
    }

    /// Reads SubjectPublicKeyInfo, PEM.
    #[staticmethod]
    fn from_spki_pem(py: Python<'_>, text: Text) -> PyResult<Self> {
        read(py, detached(py, || ed25519::VerifyingKey::from_spki_pem(text.get())))
    }

    /// Reads OpenSSH's public line: the key and its comment.
    #[staticmethod]
    fn from_openssh(py: Python<'_>, line: Text) -> PyResult<(Self, String)> {
        let outcome = detached(py, || ed25519::VerifyingKey::from_openssh(line.get()))?;
        outcome.map(|(key, comment)| (Self(key), comment)).map_err(|error| errors::ed25519(py, error))
    }

    /// Reads a public JSON Web Key.
    #[staticmethod]
    fn from_jwk(py: Python<'_>, text: Text) -> PyResult<Self> {
        read(py, detached(py, || ed25519::VerifyingKey::from_jwk(text.get())))
    }

    /// The 32 bytes, as they came.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The 32 bytes in hexadecimal digits.
    fn to_hex(&self) -> String {
        self.0.to_hex()
    }

    /// SubjectPublicKeyInfo, DER.
    fn to_spki_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_spki_der())
    }

    /// SubjectPublicKeyInfo, PEM.
    fn to_spki_pem(&self) -> String {
        self.0.to_spki_pem()
    }

    /// OpenSSH's public line.
    #[pyo3(signature = (comment = ""))]
    fn to_openssh(&self, py: Python<'_>, comment: &str) -> PyResult<String> {
        self.0.to_openssh(comment).map_err(|error| errors::ed25519(py, error))
    }

    /// A public JSON Web Key.
    fn to_jwk(&self) -> String {
        self.0.to_jwk()
    }

    /// Whether the bytes are the canonical encoding of the point.
    #[getter]
    fn is_canonical(&self) -> bool {
        self.0.is_canonical()
    }

    /// Whether the point has small order: anyone can make signatures under such a key.
    #[getter]
    fn is_weak(&self) -> bool {
        self.0.is_weak()
    }

    /// Whether the point lies in the subgroup of prime order: no part of order 2, 4 or 8. Costs a verification.
    #[getter]
    fn is_torsion_free(&self) -> bool {
        self.0.is_torsion_free()
    }

    /// Verifies a signature of 64 bytes. Raises `InvalidSignature`.
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn verify(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message) = (profile_of(profile)?, message.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_with(profile, message, &signature)))
    }

    /// Verifies an Ed25519ctx signature; `context` is 1 to 255 bytes. Raises `InvalidSignature`.
    #[pyo3(signature = (message, context, signature, *, profile = "strict"))]
    fn verify_ctx(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        context: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message, context) = (profile_of(profile)?, message.get(), context.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_ctx(profile, message, context, &signature)))
    }

    /// Verifies an Ed25519ph signature; `context` is 0 to 255 bytes. Raises `InvalidSignature`.
    #[pyo3(signature = (message, context, signature, *, profile = "strict"))]
    fn verify_ph(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        context: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message, context) = (profile_of(profile)?, message.get(), context.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_ph(profile, message, context, &signature)))
    }

    /// `verify_ph` of a message whose SHA-512 digest is known.
    #[pyo3(signature = (digest, context, signature, *, profile = "strict"))]
    fn verify_prehashed(
        &self,
        py: Python<'_>,
        digest: Bytes<'_>,
        context: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, digest, context) =
            (profile_of(profile)?, *digest.array::<64>("digest")?, context.get());
        let signature = signature_of(py, &[], &signature)?;
        valid(py, detached(py, || self.0.verify_prehashed(profile, &digest, context, &signature)))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __repr__(&self) -> String {
        format!("VerifyingKey({})", self.0.to_hex())
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>,) {
        (self.to_bytes(py),)
    }
}

/// A signature of `message`; bytes of another length than 64 verify nothing.
pub(super) fn signature_of(py: Python<'_>, message: &[u8], bytes: &Bytes<'_>) -> PyResult<Signature> {
    Signature::try_from(bytes.get()).map_err(|_| wrong_signature_length(py, message, bytes.get()))
}

/// The exception for a signature of a wrong length, which most often is a message: others give the signature first.
pub(super) fn wrong_signature_length(py: Python<'_>, message: &[u8], signature: &[u8]) -> PyErr {
    let (wanted, got) = (SIGNATURE_LEN, signature.len());
    let order = if message.len() == wanted { ": the message comes before the signature" } else { "" };
    let text = format!("signature has {got} bytes, {wanted} wanted{order}");
    malformed_signature(py, text, ("signature", got as u64, wanted as u64))
}

/// A public key where any bytes may stand: the key object, or bytes that verification judges.
pub(super) enum KeyBytes<'py> {
    Key([u8; 32]),
    Bytes(Bytes<'py>),
}

impl<'py> KeyBytes<'py> {
    pub(super) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(Bytes::Bytes(bytes.clone())));
        }
        match object.cast::<VerifyingKey>() {
            Ok(key) => Ok(Self::Key(key.get().0.to_bytes())),
            Err(_) => Bytes::of(object).map(Self::Bytes),
        }
    }

    pub(super) fn get(&self) -> &[u8] {
        match self {
            Self::Key(bytes) => bytes,
            Self::Bytes(bytes) => bytes.get(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for KeyBytes<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}

/// Nothing, or `InvalidSignature`.
pub(super) fn valid(
    py: Python<'_>,
    outcome: PyResult<Result<(), phalanx::InvalidSignature>>,
) -> PyResult<()> {
    outcome?.map_err(|_| invalid_signature(py))
}
