//! One reader for keys in every form.

use crate::arguments::{SecretText, detached};
use crate::ed25519;
use crate::errors::{self, Raised};
use crate::threads::Team;
use crate::xmss::{self, Set};
use phalanx_identify::ed25519::{Reading, describe, readings};
use phalanx_identify::xmss::{Candidate, Filter, Value, candidates};
use phalanx_identify::{Confidence, Kind};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A key that some bytes can be.
enum Found {
    Ed25519(Reading),
    Xmss(Candidate),
}

impl Found {
    fn confidence(&self) -> Confidence {
        match self {
            Self::Ed25519(reading) => describe(reading).confidence,
            Self::Xmss(candidate) => phalanx_identify::xmss::describe(candidate).confidence,
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Ed25519(reading) => reading.kind(),
            Self::Xmss(candidate) => candidate.kind,
        }
    }

    fn said(&self) -> String {
        match self {
            Self::Ed25519(reading) => reading.to_string(),
            Self::Xmss(candidate) => candidate.to_string(),
        }
    }

    fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Ed25519(Reading::Secret(key)) => ed25519::SigningKey(key.key).into_py_any(py),
            Self::Ed25519(Reading::Public(key)) => {
                let key = key.key().map_err(|error| errors::ed25519(py, error))?;
                ed25519::VerifyingKey(key).into_py_any(py)
            }
            Self::Xmss(Candidate { value: Value::SecretKey(key), .. }) => {
                xmss::SigningKey::new(*key).into_py_any(py)
            }
            Self::Xmss(Candidate { value: Value::PublicKey(key), .. }) => {
                xmss::VerifyingKey(key).into_py_any(py)
            }
            _ => Err(unreadable(py, "it is a signature, and a key is wanted")),
        }
    }
}

/// Reads a key, whatever form it is in: Ed25519 in PEM, DER, OpenSSH's files, JWK or minisign's files, encrypted or not;
/// XMSS in SSZ, bincode or JSON; a keystore. Gives the signing or verifying key of the scheme. `data` is the file's bytes or text; a password is
/// for the forms that have one, `threads` for keystores, whose keys are computed.
///
/// 32 bytes, or 64 digits, are a seed as well as a public key, and are refused: `SigningKey.from_seed`, `VerifyingKey`.
/// Where a key of XMSS fits several parameter sets, `parameter_set` says which; bytes that are a key in SSZ and another in
/// bincode are the one in SSZ (`from_bytes` takes the format). What a key of XMSS has signed is not in its
/// file: see `Ledger`.
///
/// Raises `DecodingError` for bytes that are no key, or keys of several kinds; `EncryptedKey`, `WrongPassword`,
/// `KeystoreError`.
#[pyfunction]
#[pyo3(signature = (data, password = None, *, parameter_set = None, threads = Team::one()))]
pub(crate) fn load(
    py: Python<'_>,
    data: SecretText,
    password: Option<SecretText>,
    parameter_set: Option<Set>,
    threads: Team,
) -> PyResult<Py<PyAny>> {
    let bytes = data.get();
    if is_keystore(bytes) {
        return keystore(py, bytes, password, threads);
    }
    let set = parameter_set.map(|set| set.0);
    let password = password.as_ref().map(SecretText::get);
    let (keys, problem) = detached(py, || found(bytes, set, password))?;
    if let (Some(phalanx::ed25519::Error::EncryptedKey), Some(password), []) = (&problem, password, &keys[..])
    {
        return encrypted(py, bytes, password);
    }
    let best = keys.iter().map(Found::confidence).min();
    let mut keys: Vec<_> = keys.into_iter().filter(|key| Some(key.confidence()) == best).collect();
    match (keys.pop(), keys.len()) {
        (Some(key), 0) => key.object(py),
        (Some(last), _) => {
            let said: Vec<_> = keys.iter().chain([&last]).map(Found::said).collect();
            let sets = keys.iter().chain([&last]).all(|key| matches!(key, Found::Xmss(_)));
            let advice = if sets { "say parameter_set" } else { "use the reader of its kind" };
            Err(unreadable(py, &format!("it can be several keys ({}): {advice}", said.join(", "))))
        }
        (None, _) => Err(match problem {
            Some(error) => errors::ed25519(py, error),
            None => unreadable(py, "no key of a form that is known"),
        }),
    }
}

/// The keys that `bytes` can be; if there are none, what is wrong with them.
fn found(
    bytes: &[u8],
    set: Option<phalanx::xmss::any::ParameterSet>,
    password: Option<&[u8]>,
) -> (Vec<Found>, Option<phalanx::ed25519::Error>) {
    let of_xmss = candidates(bytes, Filter { set, ..Filter::default() }).unwrap_or_default();
    let mut keys: Vec<Found> = Vec::new();
    for candidate in of_xmss {
        // The same bytes are a key in SSZ and another one in bincode: the first, which is what is exchanged, is meant.
        let named = (candidate.kind, candidate.set);
        let is_known =
            |other: &Found| matches!(other, Found::Xmss(other) if (other.kind, other.set) == named);
        if !keys.iter().any(is_known) {
            keys.push(Found::Xmss(candidate));
        }
    }
    let mut problem = None;
    if set.is_none() {
        match readings(bytes, password) {
            Ok(found) => keys.extend(found.into_iter().map(Found::Ed25519)),
            Err(error) => problem = error,
        }
    }
    // A signature stays only where nothing else does: to be called by its name.
    if keys.iter().any(|key| key.kind() != Kind::Signature) {
        keys.retain(|key| key.kind() != Kind::Signature);
    } else {
        keys.truncate(1);
    }
    (keys, problem)
}

fn unreadable(py: Python<'_>, problem: &str) -> PyErr {
    Raised::new(py, "InvalidKeyFormat", problem).with("problem", problem).into()
}

/// Whether the bytes look like a keystore: JSON with the member that every one has.
fn is_keystore(bytes: &[u8]) -> bool {
    cfg!(unix)
        && bytes.trim_ascii_start().starts_with(b"{")
        && bytes.windows(8).any(|part| part == b"\"crypto\"")
}

#[cfg(unix)]
fn keystore(
    py: Python<'_>,
    bytes: &[u8],
    password: Option<SecretText>,
    threads: Team,
) -> PyResult<Py<PyAny>> {
    let Some(password) = password else {
        return Err(errors::ed25519(py, phalanx::ed25519::Error::EncryptedKey));
    };
    crate::custody::open_keystore(py, bytes, &password, threads.pool())
}

/// An encrypted key of OpenSSH or in PKCS#8.
#[cfg(unix)]
fn encrypted(py: Python<'_>, bytes: &[u8], password: &[u8]) -> PyResult<Py<PyAny>> {
    ed25519::SigningKey(crate::custody::open_encrypted(py, bytes, password)?).into_py_any(py)
}

#[cfg(not(unix))]
fn encrypted(py: Python<'_>, _: &[u8], _: &[u8]) -> PyResult<Py<PyAny>> {
    Err(errors::ed25519(py, phalanx::ed25519::Error::EncryptedKey))
}

#[cfg(not(unix))]
fn keystore(py: Python<'_>, _: &[u8], _: Option<SecretText>, _: Team) -> PyResult<Py<PyAny>> {
    Err(unreadable(py, "keystores are read on Unix"))
}
