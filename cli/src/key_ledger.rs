//! The ledger of a secret key: the folder `<secret key>.ledger`, through which alone the key signs.
//!
//! It is a store, and a side log that stands in the user's state folder, so that a store that was copied or restored is
//! found out. The [registry](phalanx_custody::ledger::registry) says that it is this ledger and no other that keeps the key.

use crate::exit::Failure;
use crate::old_record;
use crate::state;
use phalanx::xmss::any::{KeyGeneration, ParameterSet, SigningKey};
use phalanx::xmss::{Error, hazmat};
use phalanx_custody::EpochKey;
use phalanx_custody::identity::{Family, KeyId};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, WitnessFolder};
use phalanx_custody::ledger::layout;
use phalanx_custody::ledger::record::{KeyInstance, Mode, Ordering};
use phalanx_custody::ledger::registry::{Keeper, Registry, kept_by};
use phalanx_custody::ledger::rules::Bounds;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{
    EpochLedger, Health, InitialState, LedgerError, Position, Problem, Refused, Request, xmss_instance,
};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that has the ledger open, and for the disk.
const PATIENCE: Duration = Duration::from_secs(20);

/// The role of keys that nobody gave one.
pub(crate) const NO_ROLE: &str = "other";

/// What to do where nothing shows what a key has signed.
pub(crate) const BEGIN: &str = "'phalanx ledger adopt --secret-key' begins a ledger on purpose, and closes all epochs below one of your choice";

/// Where the side log of a ledger is, and what it is opened on only where somebody says so.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FileSystemArgs {
    /// File systems on which a ledger may be although their flushes and locks need not be the disk's, as in a container:
    /// what is signed just before a loss of power may be signed again after it
    #[arg(long, value_name = "TYPE", env = "PHALANX_ALLOW_FILE_SYSTEM", value_delimiter = ',',
          value_parser = ["9p", "afs", "ceph", "fuse", "overlay"])]
    allow_file_system: Vec<String>,
    /// Open a ledger with a clock although the system says that nobody keeps the clock of this machine right
    #[arg(long, env = "PHALANX_ALLOW_UNSYNCHRONISED_CLOCK")]
    allow_unsynchronised_clock: bool,
    /// The folder in which the side log has a folder, named after the ledger: best on another disk, and always the same
    /// one [default: the user's state folder]
    #[arg(long, value_name = "DIR", env = "PHALANX_LEDGER_WITNESS")]
    witness: Option<PathBuf>,
}

impl FileSystemArgs {
    /// Where side logs are besides the state folder.
    pub(crate) fn witness(&self) -> Option<&Path> {
        self.witness.as_deref()
    }
}

/// Where the ledger of the secret key in `secret_key` is.
pub(crate) fn folder_of(secret_key: &Path) -> PathBuf {
    let mut name = OsString::from(secret_key.as_os_str());
    name.push(".ledger");
    PathBuf::from(name)
}

/// How the ledger in `folder` is opened.
///
/// # Errors
/// Exit code 4 if there is no state folder, 3 if it is open to others.
pub(crate) fn options(folder: &Path, file_systems: &FileSystemArgs) -> Result<LedgerOptions, Failure> {
    let state = state::folder()?;
    state.check()?;
    let witness = file_systems.witness().unwrap_or(state.path());
    // Whatever folder a later command is started in, it is this one.
    let witness = std::path::absolute(witness).map_err(Failure::system)?;
    let witness = WitnessFolder::NamedIn(witness);
    let options = LedgerOptions::new(folder).witness(witness).timeout(PATIENCE);
    let is_allowed = file_systems.allow_unsynchronised_clock;
    let options = if is_allowed { options.allow_unsynchronised_clock() } else { options };
    let allowed = file_systems.allow_file_system.iter();
    Ok(allowed.fold(options, |options, name| options.allow_file_system(name)))
}

/// What says which ledger keeps which key, for a command that gives keys to ledgers.
///
/// # Errors
/// As [`state::alone`].
pub(crate) fn registry(file_systems: &FileSystemArgs) -> Result<Registry, Failure> {
    let registry = state::alone()?;
    Ok(match file_systems.witness() {
        Some(folder) => registry.with_witnesses(folder),
        None => registry,
    })
}

/// Makes a ledger of the command line: it has no clock, and keys may be used as sparsely as their user likes.
///
/// # Errors
/// As [`SqliteLedger::create`].
pub(crate) fn create(options: &LedgerOptions) -> Result<(), LedgerError> {
    SqliteLedger::create(options, without_clock())
}

/// The settings of such a ledger.
pub(crate) fn without_clock() -> NewLedger {
    let bounds = Bounds { max_gap: u64::from(u32::MAX) + 1, ..Bounds::default() };
    NewLedger { bounds, ..NewLedger::default() }
}

/// Opens a ledger, after waiting for another process that has it open.
///
/// # Errors
/// As [`SqliteLedger::open`].
pub(crate) fn open(options: &LedgerOptions) -> Result<SqliteLedger, LedgerError> {
    let begun = Instant::now();
    loop {
        match SqliteLedger::open(options) {
            Err(error) if error.problem() == Problem::InUse && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

/// Opens the ledger in the folder of `options`, which is made if there is none.
///
/// # Errors
/// As [`create`] and [`open`].
pub(crate) fn open_or_create(options: &LedgerOptions) -> Result<SqliteLedger, LedgerError> {
    match open(options) {
        Err(error) if error.problem() == Problem::NoLedger => {
            create(options)?;
            open(options)
        }
        other => other,
    }
}

/// What the key is that `generation`, of `set`, will make.
///
/// # Errors
/// Exit code 2 for a set of which no keys are made.
pub(crate) fn instance_of(generation: &KeyGeneration, set: ParameterSet) -> Result<KeyInstance, Failure> {
    let epochs = generation.activation_interval();
    let family = Family::of_scheme(set.name()).ok_or(Error::VerificationOnly { scheme: set.name() })?;
    Ok(KeyInstance {
        key_id: generation.key_id().into(),
        scheme: set.name().to_owned(),
        role: NO_ROLE.to_owned(),
        mode: Mode::Synchronized,
        ordering: Ordering::Any,
        start: epochs.start,
        end: epochs.end,
        implementation: family.implementation().to_owned(),
        one_time_key_id: Some(generation.one_time_key_id().into()),
    })
}

/// The ledger of a secret key, open and checked. Until it is dropped nobody else signs with the key.
pub(crate) struct KeyLedger {
    pub(crate) ledger: SqliteLedger,
    folder: PathBuf,
    witness: Option<PathBuf>,
    key_id: KeyId,
    registry: Registry,
}

impl KeyLedger {
    /// Opens the ledger of `key`, which stands in `secret_key`.
    ///
    /// # Errors
    /// Exit code 3 if there is none, or the registry says that another one keeps the key; and as [`SqliteLedger::open`].
    pub(crate) fn open(
        secret_key: &Path,
        key: &SigningKey,
        file_systems: &FileSystemArgs,
    ) -> Result<Self, Failure> {
        let registry = state::shared()?;
        let is_heard_of = registry.keeper_of(&xmss_instance(key, NO_ROLE))? != Keeper::Nobody;
        if is_heard_of || !folder_of(secret_key).join(layout::IN_DATABASE).exists() {
            return Self::open_under(registry, secret_key, key, file_systems);
        }
        drop(registry);
        take_over_shared(secret_key, key, file_systems)?;
        Self::open_under(state::shared()?, secret_key, key, file_systems)
    }

    /// The same, with the registry locked by the caller.
    ///
    /// # Errors
    /// As [`KeyLedger::open`].
    pub(crate) fn open_under(
        registry: Registry,
        secret_key: &Path,
        key: &SigningKey,
        file_systems: &FileSystemArgs,
    ) -> Result<Self, Failure> {
        let folder = folder_of(secret_key);
        if folder.symlink_metadata().is_err() {
            return Err(no_ledger(secret_key));
        }
        let keeper = registry.keeper_of(&xmss_instance(key, NO_ROLE))?;
        let Keeper::Ledger(keeper) = keeper else { return Err(not_known(keeper)) };
        let ledger = open(&options(&folder, file_systems)?)?;
        if ledger.ledger_id() != keeper {
            return Err(kept_by(&keeper).into());
        }
        check_is_known(&ledger, key)?;
        let (witness, key_id) = (file_systems.witness.clone(), key.verifying_key().key_id().into());
        Ok(Self { ledger, folder, witness, key_id, registry })
    }

    /// Reserves `epoch` for `message`, durably, if the key can sign there; says whether it was reserved before.
    ///
    /// # Errors
    /// Exit code 3 if the epoch is another message's, closed, or not the key's; 4 if the system fails: then nothing may
    /// be signed.
    pub(crate) fn reserve(&self, key: &SigningKey, epoch: u32, message: &[u8; 32]) -> Result<bool, Failure> {
        hazmat::any::check_can_sign(key, epoch)?;
        let request = Request { key: &self.key_id, position: Position::Epoch(epoch), message };
        let reserved = self.ledger.reserve(request).map_err(|refused| refusal(refused, epoch))?;
        Ok(reserved.is_repeat())
    }

    /// The first epoch after all that are used or closed. Nobody else uses it while this ledger is held.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn next_epoch(&self) -> Result<u64, Failure> {
        let standing = self.ledger.standing(&self.key_id)?;
        Ok(standing.highest.map_or(standing.instance.start, |highest| highest + 1).max(standing.low))
    }

    /// The key is damaged: nothing is signed with it until an operator has answered for it.
    pub(crate) fn quarantine(&self) {
        // What matters is that nothing leaves, and that is the caller's.
        let _ = self.ledger.quarantine(&self.key_id, "a signature did not verify");
    }

    /// To be asked last, before a signature is released: the ledger answers still.
    ///
    /// # Errors
    /// Exit code 4 if not.
    pub(crate) fn check_health(&self) -> Result<(), Failure> {
        match self.ledger.health() {
            Health::Open => Ok(()),
            Health::Poisoned(fault) => {
                Err(Failure::system(format_args!("the ledger has stopped: {fault} (unavailable)")))
            }
            other => Err(Failure::refused(format_args!("the ledger has stopped ({other:?})"))),
        }
    }

    /// Closes the ledger; the registry stays locked.
    pub(crate) fn close(self) -> Registry {
        drop(self.ledger);
        self.registry
    }

    /// Whether a file is one of the ledger's.
    pub(crate) fn holds(&self, file: &Path) -> bool {
        let state = state::folder().map(|state| state.path().to_owned());
        let folders = [Some(self.folder.clone()), self.witness.clone(), state.ok()];
        folders
            .into_iter()
            .flatten()
            .any(|folder| folder.canonicalize().is_ok_and(|real| file.starts_with(real)))
    }
}

/// A key that nobody here has heard of is given to the ledger beside it, if several hosts share that and another of them
/// has registered the key.
fn take_over_shared(
    secret_key: &Path,
    key: &SigningKey,
    file_systems: &FileSystemArgs,
) -> Result<(), Failure> {
    let ledger = open(&options(&folder_of(secret_key), file_systems)?)?;
    if ledger.is_shared() {
        check_is_known(&ledger, key)?;
        state::alone()?.give_unless_kept(&xmss_instance(key, NO_ROLE), &ledger.ledger_id())?;
    }
    Ok(())
}

/// Checks that exactly this key is the ledger's.
fn check_is_known(ledger: &SqliteLedger, key: &SigningKey) -> Result<(), Failure> {
    let public_key = key.verifying_key();
    let KeyInstance { role, mode, ordering, .. } = ledger.standing(&public_key.key_id().into())?.instance;
    let instance = KeyInstance { mode, ordering, ..xmss_instance(key, &role) };
    Ok(ledger.register(&instance, &SigningKey::public_key(&public_key), InitialState::Known)?)
}

/// The refusal for a key without a ledger.
fn no_ledger(secret_key: &Path) -> Failure {
    let folder = folder_of(secret_key);
    match old_record::beside(secret_key) {
        Some(old_record::Kind::Moved { .. }) => {
            Failure::refused("the right to sign with this key has moved to another file, with its ledger")
                .hint("sign with the file that has the ledger")
        }
        Some(old_record::Kind::Record) => {
            Failure::refused("the used epochs of this key are in a record of an earlier version")
                .hint("'phalanx ledger adopt-records' makes a ledger of it")
        }
        None => Failure::refused(format_args!(
            "there is no ledger '{}' beside the secret key (no_state)",
            folder.display()
        ))
        .hint(BEGIN),
    }
}

/// The refusal for a key of which the registry does not say who keeps it.
fn not_known(keeper: Keeper) -> Failure {
    let text = match keeper {
        Keeper::Unreadable => "what the state folder says of this key is damaged (no_state)",
        _ => {
            "the state folder does not know this key: it comes from elsewhere, or the folder was emptied (no_state)"
        }
    };
    Failure::refused(text).hint(BEGIN)
}

/// The refusal of an operator's word that is known to be wrong.
pub(crate) fn too_low(from: u64, first: u64) -> Failure {
    Failure::usage(format_args!("epoch {from} is too low: epochs below {first} are used or closed"))
        .hint(format_args!("{first} at least, and above every epoch that any copy of the key has signed"))
}

/// Renames the ledger in `folder` to the next of the names `<folder>.old-1`, ...: nothing is ever deleted that may be
/// all that protects a key.
///
/// # Errors
/// Exit code 4 if the system fails.
pub(crate) fn set_aside(folder: &Path) -> Result<PathBuf, Failure> {
    let name = |number: u64| PathBuf::from(format!("{}.old-{number}", folder.display()));
    let free = (1..).map(name).find(|path| path.symlink_metadata().is_err()).expect("some number is free");
    let moved = fs::rename(folder, &free).and_then(|()| crate::folder::sync_folder_of(&free));
    let cannot = |error| Failure::system(format_args!("cannot rename '{}': {error}", folder.display()));
    moved.map(|()| free).map_err(cannot)
}

/// Exit code 2 for files that are not what they should be, 4 where the system or the files of the ledger fail, 3 for all
/// that is refused.
impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        use Problem as P;
        let text = match error.problem() {
            // Said by the registry, too.
            P::KeptElsewhere | P::SameOneTimeKeys => format!("{error} ({})", error.code()),
            _ => format!("ledger: {error} ({})", error.code()),
        };
        match error.problem() {
            P::Malformed | P::UnsupportedVersion | P::Exists => Self::usage(text),
            P::InUse => Self::refused(text).hint("try again when the other process has ended"),
            P::KeptElsewhere => Self::refused(text).hint(
                "sign with the file that has that ledger; if it is lost, 'phalanx ledger adopt' begins another",
            ),
            P::SameOneTimeKeys => Self::refused(text)
                .hint("one seed makes one key: take another seed, or the same parameter set and epochs"),
            P::Storage | P::Unavailable | P::StoreNotDurable => Self::system(text),
            P::StoreVersion => Self::system(text).hint(
                "a newer phalanx may read it; if it was emptied, 'phalanx ledger reconcile' makes a new one",
            ),
            P::InsecureFiles => Self::refused(text).hint(
                "files of mode 0600 (chmod 600), each with one name, in folders of mode 0700 (chmod 700)",
            ),
            P::ClockUnsynchronised => Self::refused(text).hint(
                "run NTP; --allow-unsynchronised-clock opens it all the same, where the clock is right by other means",
            ),
            P::Moved => Self::refused(text).hint("'phalanx ledger accept-move' answers for it"),
            P::StoreFailedOver => Self::refused(text).hint("'phalanx ledger accept-failover' answers for it"),
            P::NotOffered => Self::usage(text).hint("build the command with --features postgres"),
            P::StoreDamaged
            | P::StoreDisagrees
            | P::StoreOlder
            | P::WitnessOlder
            | P::WitnessDiffers
            | P::WitnessDamaged
            | P::WitnessInconsistent
            | P::WitnessMissing
            | P::ForeignWitness => {
                Self::system(text).hint("'phalanx ledger reconcile' makes a new ledger of all that is known")
            }
            P::NetworkFileSystem => Self::refused(text)
                .hint("--allow-file-system, or PHALANX_ALLOW_FILE_SYSTEM, allows some types"),
            P::DamagedRecord => Self::refused(text).hint(BEGIN),
            _ => Self::refused(text),
        }
    }
}

/// What the refusal of an epoch becomes.
fn refusal(refused: Refused, epoch: u32) -> Failure {
    let text = format!("epoch {epoch}: {refused} ({})", refused.code());
    match refused {
        Refused::Timeout | Refused::Poisoned => Failure::system(text),
        Refused::Quarantined => Failure::refused(text).hint("'phalanx ledger adopt' answers for it"),
        _ => Failure::refused(text),
    }
}
