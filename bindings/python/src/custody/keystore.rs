//! Encrypted key files: EIP-8310 version 5.

use super::ledger::role_of;
use super::refusals;
use crate::arguments::{Bytes, Secret, SecretText, detached};
use crate::ed25519;
use crate::threads::Team;
use crate::xmss::SigningKey;
use phalanx::Threads;
use phalanx::xmss::any;
use phalanx_custody::keystore::file::{self, Access};
use phalanx_custody::keystore::{
    Derivation, KeySecret, Keystore, NewKey, OpenKey, Password, Policy, Scheme, SealedFile, Signable, Use,
    trees,
};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Reads the key in the keystore at `path`, which its owner alone may read (0600, one name). `password` is text or bytes.
/// The key is computed from its secret, which takes the time of making it; `cache_trees` keeps the trees beside the file.
/// What the key has signed is not in it: guard it by its ledger.
///
/// Raises `KeystoreError`, whose `code` says why ("wrong_password", "weak_kdf", "header_changed", "insecure_file", ...).
/// `accept_weak_kdf`: also files whose password can be guessed cheaply. `for_recovery`: also files from which nobody signs.
/// `accept_group_of_root`: also files of root that their group may read.
#[pyfunction]
#[pyo3(signature = (path, password, *, threads = Team::one(), cache_trees = false, accept_weak_kdf = false, for_recovery = false,
    accept_group_of_root = false))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(super) fn read(
    py: Python<'_>,
    path: PathBuf,
    password: SecretText,
    threads: Team,
    cache_trees: bool,
    accept_weak_kdf: bool,
    for_recovery: bool,
    accept_group_of_root: bool,
) -> PyResult<SigningKey> {
    let access = Access { group_may_read_files_of_root: accept_group_of_root };
    let keystore = detached(py, || file::read(&path, access))?.map_err(|error| refusals::file(py, error))?;
    let trees = cache_trees.then(|| trees::path_beside(&path));
    let reader = Reader { accept_weak_kdf, for_recovery, pool: threads.pool(), trees: trees.as_deref() };
    reader.open(py, &keystore, &password)
}

/// As `read`, of the bytes of a keystore.
#[pyfunction]
#[pyo3(signature = (data, password, *, threads = Team::one(), accept_weak_kdf = false, for_recovery = false))]
pub(super) fn loads(
    py: Python<'_>,
    data: Bytes<'_>,
    password: SecretText,
    threads: Team,
    accept_weak_kdf: bool,
    for_recovery: bool,
) -> PyResult<SigningKey> {
    let keystore = Keystore::parse(data.get()).map_err(|error| refusals::keystore(py, error))?;
    Reader { accept_weak_kdf, for_recovery, pool: threads.pool(), trees: None }.open(py, &keystore, &password)
}

/// As `loads`, of a keystore of a key of Ed25519, which needs no ledger: nothing is computed.
#[pyfunction]
#[pyo3(signature = (data, password, *, accept_weak_kdf = false, for_recovery = false))]
pub(super) fn loads_ed25519(
    py: Python<'_>,
    data: Bytes<'_>,
    password: SecretText,
    accept_weak_kdf: bool,
    for_recovery: bool,
) -> PyResult<ed25519::SigningKey> {
    let keystore = Keystore::parse(data.get()).map_err(|error| refusals::keystore(py, error))?;
    let reader = Reader { accept_weak_kdf, for_recovery, pool: Threads::new(1), trees: None };
    reader.open_ed25519(py, &keystore, &password)
}

/// The key of a keystore, of whatever scheme, that is read as strictly as `loads` does.
pub(crate) fn open(
    py: Python<'_>,
    bytes: &[u8],
    password: &SecretText,
    pool: Threads,
) -> PyResult<Py<PyAny>> {
    let keystore = Keystore::parse(bytes).map_err(|error| refusals::keystore(py, error))?;
    let reader = Reader { accept_weak_kdf: false, for_recovery: false, pool, trees: None };
    match keystore.scheme() {
        Scheme::Ed25519 => reader.open_ed25519(py, &keystore, password)?.into_py_any(py),
        _ => reader.open(py, &keystore, password)?.into_py_any(py),
    }
}

/// The key in an encrypted file of OpenSSH or in PKCS#8.
pub(crate) fn open_encrypted(
    py: Python<'_>,
    bytes: &[u8],
    password: &[u8],
) -> PyResult<phalanx::ed25519::SigningKey> {
    let secret = detached(py, || KeySecret::from_encrypted_file(bytes, password))?
        .map_err(|error| refusals::encrypted(py, error))?;
    let Ok(seed) = secret.expose().try_into() else { unreachable!("seeds of Ed25519 have 32 bytes") };
    Ok(phalanx::ed25519::SigningKey::from_seed(seed))
}

/// How a keystore is opened.
struct Reader<'a> {
    accept_weak_kdf: bool,
    for_recovery: bool,
    pool: Threads,
    trees: Option<&'a Path>,
}

impl Reader<'_> {
    /// What is in a keystore, if it may be used.
    fn opened(&self, py: Python<'_>, keystore: &Keystore, password: &SecretText) -> PyResult<OpenKey> {
        let refused = |error| refusals::keystore(py, error);
        let policy = Policy { accept_weak_kdf: self.accept_weak_kdf };
        let password = Password::from_bytes(password.get()).map_err(refused)?;
        let open = detached(py, || keystore.open(&password, policy))?.map_err(refused)?;
        if open.signable() == Signable::No && !self.for_recovery {
            return Err(refusals::recovery_only(py));
        }
        Ok(open)
    }

    fn open_ed25519(
        &self,
        py: Python<'_>,
        keystore: &Keystore,
        password: &SecretText,
    ) -> PyResult<ed25519::SigningKey> {
        let key = self.opened(py, keystore, password)?.ed25519_key();
        key.map(ed25519::SigningKey).map_err(|error| refusals::keystore(py, error))
    }

    fn open(&self, py: Python<'_>, keystore: &Keystore, password: &SecretText) -> PyResult<SigningKey> {
        let open = self.opened(py, keystore, password)?;
        let key = detached(py, || match self.trees {
            Some(path) => open.cached_any_signing_key_on(&self.pool, path),
            None => open.any_signing_key_on(&self.pool, None),
        })?;
        key.map(SigningKey::new).map_err(|error| refusals::keystore(py, error))
    }
}

/// What a keystore says of its key, without its password: none of it is proved.
#[pyclass(frozen, get_all, module = "phalanx.keystore")]
pub(crate) struct Header {
    /// The parameter set, or another scheme's name.
    scheme: &'static str,
    /// What the key is for, where the file says it.
    role: Option<&'static str>,
    /// A text for people.
    description: String,
    /// First epoch, and first after the last, where the file says them.
    epochs: Option<(u64, u64)>,
    /// The public key, in SSZ.
    public_key: Vec<u8>,
    /// The name of the key.
    key_id: Vec<u8>,
    /// Whether nobody signs from the file.
    is_recovery_only: bool,
    /// Whether what it says is bound to its password.
    is_bound: bool,
    /// Whether its password can be guessed cheaply.
    has_weak_kdf: bool,
}

/// What the keystore at `path` says of its key.
#[pyfunction]
pub(super) fn inspect(py: Python<'_>, path: PathBuf) -> PyResult<Header> {
    let found = detached(py, || file::inspect(&path))?;
    let (keystore, _) = found.map_err(|error| refusals::file(py, error))?;
    let header = keystore.header();
    let epochs = header.start.zip(header.count).map(|(start, count)| (start, start.saturating_add(count)));
    Ok(Header {
        scheme: header.scheme.name(),
        role: header.role.map(|role| role.name()),
        description: header.description.clone(),
        epochs,
        public_key: header.public_key.clone(),
        key_id: header.key_id.0.to_vec(),
        is_recovery_only: header.usage == Use::RecoveryOnly,
        is_bound: keystore.is_bound(),
        has_weak_kdf: keystore.has_weak_kdf(),
    })
}

/// Writes `key` to a new keystore at `path`, where nothing may stand, in a folder for its owner alone. Register the key
/// with its ledger before. `seed` is the 32 bytes that the key was made from; without it the expanded key is written, which
/// only phalanx reads (a key over BLAKE2s has none, and wants its seed). `kdf` is "argon2id" or "scrypt": 256 MiB, and some time on purpose.
///
/// Raises `KeystoreError`: "key_mismatch" if the seed is another key's, "exists", "insecure_file", "password_empty".
#[pyfunction]
#[pyo3(signature = (path, key, password, *, role, seed = None, description = "", kdf = "argon2id"))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(super) fn write(
    py: Python<'_>,
    path: PathBuf,
    key: &SigningKey,
    password: SecretText,
    role: &str,
    seed: Option<Secret>,
    description: &str,
    kdf: &str,
) -> PyResult<()> {
    let derivation = match kdf {
        "argon2id" => Derivation::ARGON2ID,
        "scrypt" => Derivation::SCRYPT,
        _ => return Err(PyValueError::new_err("kdf is \"argon2id\" or \"scrypt\"")),
    };
    let role = role_of(role)?;
    let seed = seed.map(|seed| seed.array::<32>("seed")).transpose()?;
    let password = Password::from_bytes(password.get()).map_err(|error| refusals::keystore(py, error))?;
    let written = key.with(py, |key| {
        file::check_place(&path)?;
        let secret = match (seed, &*key) {
            (Some(seed), _) => KeySecret::from_seed(&seed),
            (None, any::SigningKey::KoalaBear(key)) => KeySecret::from_signing_key(key),
            (None, _) => return Ok(None),
        };
        let new = NewKey::of_xmss_key(key, &secret, role, description)?;
        file::create(&path, &SealedFile::new(&new, &password, derivation)?).map(Some)
    })?;
    match written.map_err(|error| refusals::file(py, error))? {
        Some(()) => Ok(()),
        None => Err(PyValueError::new_err("a key over BLAKE2s is written with its seed")),
    }
}
