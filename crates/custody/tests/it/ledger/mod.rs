//! The ledger on its files.

mod attacks;
mod concurrency;
pub(crate) mod consensus;
mod fork;
pub(crate) mod generations;
mod groups;
mod guarded;
pub(crate) mod mutants;
mod releasing;
mod startup;
mod verbs;

use phalanx_custody::identity::{Family, KeyId, key_id};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, Resume};
use phalanx_custody::ledger::record::{KeyInstance, Mode, Ordering};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Problem, Refused, Request};
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// A folder for one test, gone afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("phalanx-ledger-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let path = phalanx_testing::place().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::DirBuilder::new().mode(0o700).create(&path).expect("a new folder");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How tests open a ledger: without burning forward, which would hide what they look for.
pub(crate) fn options(folder: &Path) -> LedgerOptions {
    let options = LedgerOptions::new(folder).allow_file_system("overlay");
    options.resume(Resume::TrustStoreUnproved).timeout(Duration::from_secs(60))
}

/// A new ledger in `folder`.
pub(crate) fn new_ledger(folder: &Path) -> SqliteLedger {
    SqliteLedger::create(&options(folder), NewLedger::default()).expect("a new ledger");
    open(folder)
}

pub(crate) fn open(folder: &Path) -> SqliteLedger {
    SqliteLedger::open(&options(folder)).expect("it opens")
}

/// Which problem keeps the ledger in `folder` from opening.
pub(crate) fn refusal(folder: &Path) -> Problem {
    SqliteLedger::open(&options(folder)).map(|_| ()).expect_err("it must not open").problem()
}

/// A made-up key, its public key, and its instance.
pub(crate) struct Key {
    pub(crate) public_key: Vec<u8>,
    pub(crate) instance: KeyInstance,
}

impl Key {
    pub(crate) fn id(&self) -> &KeyId {
        &self.instance.key_id
    }
}

pub(crate) fn key(number: u8, ordering: Ordering) -> Key {
    let public_key = vec![number; 52];
    let instance = KeyInstance {
        key_id: key_id(Family::KoalaBear, &public_key[32..]),
        scheme: "xmss-poseidon2-l32-d64b8".to_owned(),
        role: "attester".to_owned(),
        mode: Mode::Synchronized,
        ordering,
        start: 0,
        end: 1 << 20,
        implementation: "leansig-prf-1".to_owned(),
        one_time_key_id: None,
    };
    Key { public_key, instance }
}

pub(crate) fn registered(ledger: &SqliteLedger, number: u8, ordering: Ordering) -> Key {
    let key = key(number, ordering);
    ledger.register(&key.instance, &key.public_key, InitialState::New).expect("a new key");
    key
}

/// What the ledger says to `message` at `epoch`: whether it is a repeat.
pub(crate) fn ask(ledger: &SqliteLedger, key: &Key, epoch: u32, message: u8) -> Result<bool, Refused> {
    let request = Request { key: key.id(), position: Position::Epoch(epoch), message: &[message; 32] };
    ledger.reserve(request).map(|reserved| reserved.is_repeat())
}

/// Copies a folder with all its files, as `cp -a` does.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::DirBuilder::new().mode(0o700).recursive(true).create(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            copy_file(&path, &to.join(path.file_name().expect("it has a name")));
        }
    }
}

/// Writes the contents of a file over those of another, which stays the same file.
pub(crate) fn copy_file(from: &Path, to: &Path) {
    fs::write(to, fs::read(from).expect("a file")).expect("it can be written");
    fs::set_permissions(to, fs::Permissions::from_mode(0o600)).expect("its mode can be set");
}
