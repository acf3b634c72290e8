//! Ledgers of used epochs.

use super::refusals;
use crate::arguments::{Bytes, choice, detached};
use crate::errors;
use crate::xmss::SigningKey;
use phalanx::xmss::Format;
use phalanx_custody::identity::KeyId;
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::durable::{ChainClock, LedgerOptions, NewLedger, Resume, WitnessFolder};
use phalanx_custody::ledger::record::{KeyInstance, KeyState, Ordering};
use phalanx_custody::ledger::rules::Bounds;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, Health, InitialState, LedgerError, strict, xmss_instance};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A ledger of used epochs in the folder `path`, opened for this process alone: a store and a side log that must agree.
/// Raises `LedgerError` if they do not, or another process has it open. Usable by several threads, and as a context
/// manager; see `close`.
///
/// `witness`: the folder of the side log, best on another disk; by default in the user's state folder, where the command
/// line has it. `allow_file_systems`: of "9p", "afs", "ceph", "fuse", "overlay", on which flushes and locks are not the
/// disk's. `allow_unsynchronised_clock`: open a ledger with a clock although the system says that nobody keeps it right.
/// `resume`: with a clock, "burn-forward" closes the epochs that can have been signed by now; "trust-store" closes none,
/// and raises unless the last process stopped cleanly. `timeout`: how many seconds a call waits for the disk.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Ledger(Mutex<Option<Arc<SqliteLedger>>>);

/// Where the files are, and on what.
fn options(
    py: Python<'_>,
    path: PathBuf,
    witness: Option<PathBuf>,
    allow_file_systems: Vec<String>,
) -> PyResult<LedgerOptions> {
    let witness = match witness {
        Some(path) => WitnessFolder::At(path),
        None => WitnessFolder::of_user().map_err(|error| refusals::ledger(py, &error))?,
    };
    let options = LedgerOptions::new(path).witness(witness);
    Ok(allow_file_systems.into_iter().fold(options, LedgerOptions::allow_file_system))
}

/// The role called `name`.
pub(super) fn role_of(name: &str) -> PyResult<Role> {
    choice("role", name, Role::from_name, || Role::ALL.map(Role::name).to_vec())
}

/// The name of a key.
fn key_id_of(bytes: &Bytes<'_>) -> PyResult<KeyId> {
    Ok(KeyId(*bytes.array::<32>("key_id")?))
}

impl Ledger {
    /// The ledger, if it was not closed.
    pub(super) fn get(&self) -> PyResult<Arc<SqliteLedger>> {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place.clone().ok_or_else(|| PyValueError::new_err("the ledger was closed"))
    }

    /// Does `act` with the ledger, detached.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&SqliteLedger) -> Result<R, LedgerError> + Send,
    ) -> PyResult<R> {
        let ledger = self.get()?;
        detached(py, move || act(&ledger))?.map_err(|error| refusals::ledger(py, &error))
    }
}

/// What a key is to a ledger, with its public key.
fn instance(
    py: Python<'_>,
    key: &SigningKey,
    role: &str,
    is_strict: bool,
) -> PyResult<(KeyInstance, Vec<u8>)> {
    let role = role_of(role)?;
    let (instance, public_key) = key.with(py, |key| {
        let instance = xmss_instance(key, role.name());
        let instance = if is_strict { strict(instance) } else { instance };
        (instance, key.verifying_key().to_bytes(Format::Ssz))
    })?;
    Ok((instance, public_key.map_err(|error| errors::xmss(py, error))?))
}

#[pymethods]
impl Ledger {
    #[new]
    #[pyo3(signature = (path, *, witness = None, allow_file_systems = Vec::new(), allow_unsynchronised_clock = false,
        resume = "burn-forward", timeout = 2.0))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        witness: Option<PathBuf>,
        allow_file_systems: Vec<String>,
        allow_unsynchronised_clock: bool,
        resume: &str,
        timeout: f64,
    ) -> PyResult<Self> {
        let resume = match resume {
            "burn-forward" => Resume::BurnForward,
            "trust-store" => Resume::TrustStore,
            _ => return Err(PyValueError::new_err("resume is \"burn-forward\" or \"trust-store\"")),
        };
        let timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|_| PyValueError::new_err("timeout is a number of seconds"))?;
        let options = options(py, path, witness, allow_file_systems)?.resume(resume).timeout(timeout);
        let options = if allow_unsynchronised_clock { options.allow_unsynchronised_clock() } else { options };
        let opened = detached(py, || SqliteLedger::open(&options))?;
        let ledger = opened.map_err(|error| refusals::ledger(py, &error))?;
        Ok(Self(Mutex::new(Some(Arc::new(ledger)))))
    }

    /// Makes an empty ledger in the folder `path`, once in the life of a set of keys: a program that makes one wherever it
    /// finds none begins anew after a loss. Raises `LedgerError` ("exists").
    ///
    /// With `genesis_time` (Unix seconds of epoch 0) and `epoch_seconds` it has a clock: epochs more than `ahead` before it
    /// or `behind` after it are refused. A key passes over `max_gap` epochs at most.
    #[staticmethod]
    #[pyo3(signature = (path, *, witness = None, allow_file_systems = Vec::new(), genesis_time = None, epoch_seconds = None,
        genesis_validators_root = None, ahead = 4, behind = 64, max_gap = 262_144))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        witness: Option<PathBuf>,
        allow_file_systems: Vec<String>,
        genesis_time: Option<u64>,
        epoch_seconds: Option<u64>,
        genesis_validators_root: Option<Bytes<'_>>,
        ahead: u64,
        behind: u64,
        max_gap: u64,
    ) -> PyResult<()> {
        let clock = match (genesis_time, epoch_seconds) {
            (None, None) => None,
            (Some(genesis_time), Some(epoch_seconds)) if epoch_seconds > 0 => {
                Some(ChainClock { genesis_time, epoch_seconds })
            }
            _ => {
                return Err(PyValueError::new_err(
                    "a clock has a genesis_time and epoch_seconds, at least 1",
                ));
            }
        };
        let numbers = [ahead, behind, max_gap, genesis_time.unwrap_or(0), epoch_seconds.unwrap_or(0)];
        if max_gap == 0 || numbers.into_iter().any(|number| i64::try_from(number).is_err()) {
            return Err(PyValueError::new_err("numbers are below 2^63, and max_gap is not 0"));
        }
        let root = genesis_validators_root.map(|root| root.array::<32>("genesis_validators_root").copied());
        let settings = NewLedger {
            genesis_validators_root: root.transpose()?,
            clock,
            bounds: Bounds { ahead, behind, max_gap },
        };
        let options = options(py, path, witness, allow_file_systems)?;
        let made = detached(py, || SqliteLedger::create(&options, settings))?;
        made.map_err(|error| refusals::ledger(py, &error))
    }

    /// The name of the ledger, 16 bytes.
    #[getter]
    fn ledger_id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.get()?.ledger_id()))
    }

    /// "open"; "poisoned" after a fault of the storage: nothing is signed until the ledger was closed and opened anew;
    /// "forked" in a fork of the process that opened it; "fenced" while another signer holds its lease.
    #[getter]
    fn health(&self, py: Python<'_>) -> PyResult<&'static str> {
        let ledger = self.get()?;
        Ok(match detached(py, || ledger.health())? {
            Health::Open => "open",
            Health::Poisoned(_) => "poisoned",
            Health::Fenced => "fenced",
            Health::Forked => "forked",
        })
    }

    /// Registers a key that has just been made, durably: before it is written anywhere. Nothing below `low` is ever signed;
    /// with `strict` the key signs only forward. A key that the ledger knows stays as it is. Raises `LedgerError`
    /// ("same_one_time_keys") if it knows another key of the same seed.
    #[pyo3(signature = (key, role, *, low = 0, strict = false))]
    fn register(&self, py: Python<'_>, key: &SigningKey, role: &str, low: u64, strict: bool) -> PyResult<()> {
        let (instance, public_key) = instance(py, key, role, strict)?;
        check_low(low, &instance)?;
        let state = if low > instance.start {
            InitialState::Adopt { low, reason: "registered with a low watermark".to_owned() }
        } else {
            InitialState::New
        };
        self.with(py, |ledger| ledger.register(&instance, &public_key, state))
    }

    /// An operator answers for a key that has been elsewhere, or is quarantined: it has signed nothing from
    /// `i_accept_epoch` on, and signs nothing below. The reason is written down. Nothing lowers a watermark.
    #[pyo3(signature = (key, role, *, i_accept_epoch, reason, strict = false))]
    fn adopt(
        &self,
        py: Python<'_>,
        key: &SigningKey,
        role: &str,
        i_accept_epoch: u64,
        reason: &str,
        strict: bool,
    ) -> PyResult<()> {
        let (instance, public_key) = instance(py, key, role, strict)?;
        check_low(i_accept_epoch, &instance)?;
        self.with(py, |ledger| {
            let (id, low) = (instance.key_id, i_accept_epoch);
            let state = InitialState::Adopt { low, reason: reason.to_owned() };
            ledger.register(&instance, &public_key, state)?;
            let standing = ledger.standing(&id)?;
            match standing.state {
                KeyState::Active if low > standing.low => ledger.raise_low(&id, low, reason),
                KeyState::Active => Ok(()),
                KeyState::Quarantined | KeyState::Retired => ledger.adopt(&id, low, reason),
            }
        })
    }

    /// Nothing new below `low` is signed any more. Nothing lowers it again. The reason is written down.
    fn raise_low(&self, py: Python<'_>, key_id: Bytes<'_>, low: u64, reason: &str) -> PyResult<()> {
        let key_id = key_id_of(&key_id)?;
        self.with(py, |ledger| ledger.raise_low(&key_id, low, reason))
    }

    /// The key signs nothing until it was adopted. The reason is written down.
    fn quarantine(&self, py: Python<'_>, key_id: Bytes<'_>, reason: &str) -> PyResult<()> {
        let key_id = key_id_of(&key_id)?;
        self.with(py, |ledger| ledger.quarantine(&key_id, reason))
    }

    /// Where a key stands. Raises `LedgerError` ("unknown_key").
    fn standing(&self, py: Python<'_>, key_id: Bytes<'_>) -> PyResult<Standing> {
        let key_id = key_id_of(&key_id)?;
        let standing = self.with(py, |ledger| ledger.standing(&key_id))?;
        let state = match standing.state {
            KeyState::Active => "active",
            KeyState::Quarantined => "quarantined",
            KeyState::Retired => "retired",
        };
        Ok(Standing {
            state,
            role: standing.instance.role,
            epochs: (standing.instance.start, standing.instance.end),
            low: standing.low,
            high: standing.high,
            highest: standing.highest,
            remaining: standing.remaining,
            is_strict: standing.instance.ordering == Ordering::Strict,
        })
    }

    /// Lets go of the ledger, which is closed, and its lock released, when the keys that it guards were closed, too.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let ledger = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        detached(py, || drop(ledger))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        match self.get() {
            Ok(ledger) => {
                let name: String = ledger.ledger_id().iter().map(|byte| format!("{byte:02x}")).collect();
                format!("<Ledger {name}>")
            }
            Err(_) => "<Ledger, closed>".to_owned(),
        }
    }
}

fn check_low(low: u64, instance: &KeyInstance) -> PyResult<()> {
    if low <= instance.end {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("epoch {low} is after the end of the key, {}", instance.end)))
}

/// Where a key stands in a ledger.
#[pyclass(frozen, get_all, module = "phalanx")]
pub(crate) struct Standing {
    /// "active", "quarantined" or "retired".
    state: &'static str,
    /// What the key is for.
    role: String,
    /// Its first epoch, and the first after its last.
    epochs: (u64, u64),
    /// Nothing new below this is signed.
    low: u64,
    /// Nothing new from here on, if there is such a bound.
    high: Option<u64>,
    /// The greatest epoch ever reserved.
    highest: Option<u64>,
    /// How many epochs are left.
    remaining: u64,
    /// Whether the key signs only forward.
    is_strict: bool,
}

#[pymethods]
impl Standing {
    fn __repr__(&self) -> String {
        let Self { state, low, remaining, .. } = self;
        format!("<Standing: {state}, low {low}, {remaining} epochs left>")
    }
}
