//! `phalanx.ed25519.minisign`: the files of minisign.

use super::keys::{SigningKey, VerifyingKey};
use super::profile::profile_of;
use crate::arguments::{Bytes, Frozen, SecretText, Text, detached};
use crate::errors::{self, refusal};
use phalanx::ed25519::minisign::{self, KeyId, Refusal, Scrypt};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PublicKey>()?;
    module.add_class::<SecretKey>()?;
    module.add_class::<SignatureBox>()
}

/// A public key with its name.
#[pyclass(frozen, eq, module = "phalanx.ed25519.minisign")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PublicKey(minisign::PublicKey);

#[pymethods]
impl PublicKey {
    /// Of a name of 8 bytes and a key.
    #[new]
    fn new(key_id: Bytes<'_>, key: &VerifyingKey) -> PyResult<Self> {
        let key_id = KeyId(*key_id.array::<8>("key id")?);
        Ok(Self(minisign::PublicKey { key_id, key: key.0 }))
    }

    /// Reads a public key file, or only its second line.
    #[staticmethod]
    fn parse(py: Python<'_>, text: Text) -> PyResult<Self> {
        detached(py, || minisign::PublicKey::parse(text.get()))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// The public key file.
    fn to_file(&self) -> String {
        self.0.to_file()
    }

    /// The key in one line, for `minisign -P`.
    fn to_base64(&self) -> String {
        self.0.to_base64()
    }

    /// The name, 8 bytes.
    #[getter]
    fn key_id<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.key_id.0)
    }

    /// The key.
    #[getter]
    fn key(&self) -> VerifyingKey {
        VerifyingKey(self.0.key)
    }

    fn __repr__(&self) -> String {
        format!("<PublicKey {}>", self.0.key_id)
    }
}

/// A secret key with its name. It is not shown, not pickled, and wiped when the object goes.
#[pyclass(frozen, module = "phalanx.ed25519.minisign")]
pub(crate) struct SecretKey(minisign::SecretKey);

#[pymethods]
impl SecretKey {
    /// Of a name of 8 bytes and a key.
    #[new]
    fn new(key_id: Bytes<'_>, key: &SigningKey) -> PyResult<Self> {
        let key_id = KeyId(*key_id.array::<8>("key id")?);
        Ok(Self(minisign::SecretKey { key_id, key: key.0.clone() }))
    }

    /// A new key with a random name.
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<Self> {
        detached(py, minisign::SecretKey::generate)?.map(Self).map_err(|error| errors::ed25519(py, error))
    }

    /// Reads a secret key file; an encrypted one wants the password, and what its hash costs in time and memory (1 GiB at
    /// most) stands in the file. Raises `EncryptedKey`, `WrongPassword`, `InvalidKeyFormat`.
    #[staticmethod]
    #[pyo3(signature = (text, password = None))]
    fn parse(py: Python<'_>, text: SecretText, password: Option<SecretText>) -> PyResult<Self> {
        let (text, password) = (text.text()?, password.as_ref().map(SecretText::get));
        detached(py, || minisign::SecretKey::parse(text, password))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// Whether a secret key file wants a password.
    #[staticmethod]
    fn is_encrypted(py: Python<'_>, text: SecretText) -> PyResult<bool> {
        let text = text.text()?;
        detached(py, || minisign::SecretKey::is_encrypted(text))?.map_err(|error| errors::ed25519(py, error))
    }

    /// The secret key file without encryption. Python cannot wipe the text that this returns.
    #[pyo3(signature = (comment = "minisign secret key"))]
    fn to_file(&self, py: Python<'_>, comment: &str) -> PyResult<String> {
        let file = detached(py, || self.0.to_file(comment))?.map_err(|error| errors::ed25519(py, error))?;
        Ok((*file).clone())
    }

    /// The secret key file under a password. The default costs what minisign's does: 1 GiB of memory, and seconds.
    #[pyo3(signature = (password, *, comment = "minisign encrypted secret key", opslimit = 33_554_432, memlimit = 1_073_741_824))]
    fn to_encrypted_file(
        &self,
        py: Python<'_>,
        password: SecretText,
        comment: &str,
        opslimit: u64,
        memlimit: u64,
    ) -> PyResult<String> {
        let (password, cost) = (password.get(), Scrypt { opslimit, memlimit });
        let file = detached(py, || self.0.to_encrypted_file(comment, password, cost))?;
        let file = file.map_err(|error| errors::ed25519(py, error))?;
        Ok((*file).clone())
    }

    /// The public half.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    fn __repr__(&self) -> String {
        format!("<SecretKey {}>", self.0.key_id)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a secret key is secret: it is not pickled or copied"))
    }
}

/// A signature with its comments.
#[pyclass(frozen, eq, module = "phalanx.ed25519.minisign")]
#[derive(PartialEq, Eq)]
pub(crate) struct SignatureBox(minisign::SignatureBox);

#[pymethods]
impl SignatureBox {
    /// Signs a message, prehashed. The trusted comment is signed too, the untrusted one is not.
    #[staticmethod]
    #[pyo3(signature = (key, message, *, untrusted_comment = "signature from a minisign secret key", trusted_comment = ""))]
    fn sign(
        py: Python<'_>,
        key: &SecretKey,
        message: Frozen<'_>,
        untrusted_comment: &str,
        trusted_comment: &str,
    ) -> PyResult<Self> {
        let message = message.get();
        detached(py, || minisign::SignatureBox::sign(&key.0, message, untrusted_comment, trusted_comment))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// Reads a signature file.
    #[staticmethod]
    fn parse(py: Python<'_>, text: Text) -> PyResult<Self> {
        detached(py, || minisign::SignatureBox::parse(text.get()))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// The signature file.
    fn to_file(&self) -> String {
        self.0.to_file()
    }

    /// The name of the key that made it, as the file says.
    #[getter]
    fn key_id<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.key_id().0)
    }

    /// Whether the message's hash is signed, and not the message.
    #[getter]
    fn is_prehashed(&self) -> bool {
        self.0.is_prehashed()
    }

    /// The comment that nobody signed.
    #[getter]
    fn untrusted_comment(&self) -> &str {
        self.0.untrusted_comment()
    }

    /// The trusted comment before it has earned its name: `verify` gives it when it has.
    #[getter]
    fn unverified_trusted_comment(&self) -> &str {
        self.0.unverified_trusted_comment()
    }

    /// Verifies the signatures of the message and of the trusted comment, which it returns. Raises `Refusal`.
    #[pyo3(signature = (key, message, *, profile = "strict"))]
    fn verify(&self, py: Python<'_>, key: &PublicKey, message: Bytes<'_>, profile: &str) -> PyResult<String> {
        let (profile, message) = (profile_of(profile)?, message.get());
        let outcome = detached(py, || self.0.verify(&key.0, profile, message).map(str::to_owned))?;
        outcome.map_err(|error| refusal(py, name_of(&error), error))
    }

    fn __repr__(&self) -> String {
        format!("<SignatureBox by {}>", self.0.key_id())
    }
}

fn name_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::KeyId { .. } => "KeyId",
        Refusal::NeedsMessage => "NeedsMessage",
        Refusal::InvalidSignature => "InvalidSignature",
        Refusal::InvalidComment => "InvalidComment",
        _ => "Refusal",
    }
}
