//! `phalanx.ed25519.sshsig`: the signature files of `ssh-keygen -Y`.

use super::keys::{SigningKey, VerifyingKey, valid};
use super::profile::profile_of;
use crate::arguments::{Bytes, Frozen, Text, choice, detached};
use crate::errors::{self, refusal};
use phalanx::ed25519::sshsig::{self, Hash, Prehash, Refusal, Request};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SshSignature>()?;
    module.add_class::<AllowedSigners>()
}

fn hash_of(name: &str) -> PyResult<Hash> {
    choice("hash", name, Hash::from_name, || vec![Hash::Sha512.name(), Hash::Sha256.name()])
}

fn prehash(hash: Hash, message: &[u8]) -> Prehash {
    let mut prehash = Prehash::new(hash);
    prehash.update(message);
    prehash
}

/// A signature with the key that made it, its namespace and its hash.
#[pyclass(frozen, eq, module = "phalanx.ed25519.sshsig")]
#[derive(PartialEq, Eq)]
pub(crate) struct SshSignature(sshsig::SshSignature);

#[pymethods]
impl SshSignature {
    /// Signs. The namespace says what the signature is for (`file`, `git`, an address of yours).
    #[staticmethod]
    #[pyo3(signature = (key, namespace, message, *, hash = "sha512"))]
    fn sign(
        py: Python<'_>,
        key: &SigningKey,
        namespace: &str,
        message: Frozen<'_>,
        hash: &str,
    ) -> PyResult<Self> {
        let (hash, message) = (hash_of(hash)?, message.get());
        detached(py, || sshsig::SshSignature::sign(&key.0, namespace, hash, message))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// Reads the armored file. Raises `InvalidKeyFormat`.
    #[staticmethod]
    fn parse(py: Python<'_>, text: Text) -> PyResult<Self> {
        detached(py, || sshsig::SshSignature::parse(text.get()))?
            .map(Self)
            .map_err(|error| errors::ed25519(py, error))
    }

    /// The armored file, to the byte as ssh-keygen writes it.
    fn to_armored(&self) -> String {
        self.0.to_armored()
    }

    /// The key inside the file, which anyone may have put there.
    #[getter]
    fn public_key(&self) -> VerifyingKey {
        VerifyingKey(*self.0.public_key())
    }

    /// What the signature claims to be for.
    #[getter]
    fn namespace(&self) -> &str {
        self.0.namespace()
    }

    /// How the message was hashed: "sha512" or "sha256".
    #[getter]
    fn hash(&self) -> &'static str {
        self.0.hash().name()
    }

    /// The Ed25519 signature.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.signature().as_ref())
    }

    /// Verifies that `key` signed `message` for `namespace`. Raises `InvalidSignature`.
    #[pyo3(signature = (key, namespace, message, *, profile = "strict"))]
    fn verify(
        &self,
        py: Python<'_>,
        key: &VerifyingKey,
        namespace: &str,
        message: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message) = (profile_of(profile)?, message.get());
        valid(py, detached(py, || self.0.verify(&key.0, profile, namespace, message)))
    }

    /// Verifies that the key *inside the file* signed `message`, which says nothing about who that is.
    #[pyo3(signature = (namespace, message, *, profile = "strict"))]
    fn check_novalidate(
        &self,
        py: Python<'_>,
        namespace: &str,
        message: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message) = (profile_of(profile)?, message.get());
        let check = || self.0.check_novalidate(profile, namespace, prehash(self.0.hash(), message));
        valid(py, detached(py, check))
    }

    fn __repr__(&self) -> String {
        format!("<SshSignature for {:?} by {}>", self.0.namespace(), self.0.public_key().to_hex())
    }
}

/// The lines of an allowed signers file of OpenSSH: which key may sign for whom, for what, and when.
#[pyclass(frozen, module = "phalanx.ed25519.sshsig")]
pub(crate) struct AllowedSigners(sshsig::AllowedSigners);

#[pymethods]
impl AllowedSigners {
    /// Reads the file. A line that cannot be read allows nothing.
    #[new]
    fn new(py: Python<'_>, text: Text) -> PyResult<Self> {
        detached(py, || sshsig::AllowedSigners::parse(text.get())).map(Self)
    }

    /// Verifies the signature and that a line allows its key to sign for `identity` at `time` (seconds since 1970, UTC;
    /// `utc_offset` is local time minus UTC, for lines whose times do not end in Z). Raises `Refusal`.
    #[pyo3(signature = (identity, namespace, time, signature, message, *, utc_offset = 0, profile = "strict"))]
    #[allow(clippy::too_many_arguments, reason = "a request in full")]
    fn verify(
        &self,
        py: Python<'_>,
        identity: &str,
        namespace: &str,
        time: u64,
        signature: &SshSignature,
        message: Bytes<'_>,
        utc_offset: i32,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message) = (profile_of(profile)?, message.get());
        let hash = signature.0.hash();
        let outcome = detached(py, || {
            let utc_offset_at = &|_| utc_offset;
            let request = Request { identity, namespace, time_s: time, utc_offset_at, profile };
            self.0.verify(&request, &signature.0, prehash(hash, message))
        })?;
        outcome.map_err(|error| refusal(py, name_of(&error), error))
    }
}

fn name_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::InvalidSignature => "InvalidSignature",
        Refusal::NotListed => "NotListed",
        Refusal::WrongNamespace => "WrongNamespace",
        Refusal::NotYetValid => "NotYetValid",
        Refusal::Expired => "Expired",
        Refusal::CertAuthority => "CertAuthority",
        Refusal::Malformed(_) => "Malformed",
        _ => "Refusal",
    }
}
