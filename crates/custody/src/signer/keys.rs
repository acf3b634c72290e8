//! The keys that are served: from keystores, each guarded by the ledger.
#![forbid(unsafe_code)]

use super::config::{Config, KeystoreSource, OrderingMode};
use super::journal::Journal;
use super::passwords::{self, Prompt};
use super::permissions::Subject;
use super::wire::FailedFile;
use crate::hexadecimal;
use crate::identity::KeyId;
use crate::keystore::file::{Access, FileError};
use crate::keystore::{Child, Header, Master, OpenKey, Password, Policy, Scheme, Signable, file, trees};
use crate::ledger::consensus::LockedKey;
use crate::ledger::record::Ordering;
use crate::ledger::registry::Claim;
use crate::ledger::sqlite::SqliteLedger;
use crate::ledger::{
    EpochLedger, GuardError, Guarded, GuardedConsensus, InitialState, LedgerError, SharedKey, Standing,
    strict,
};
use phalanx_core::{Pool, Threads};
use phalanx_xmss::any::{NextTree, SigningKey};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

/// A key that moves on beside those who sign with it.
pub(super) struct Moving {
    /// The key.
    pub(super) shared: SharedKey<SigningKey>,
    /// The greatest epoch that it has signed, or that is closed.
    pub(super) highest: AtomicU64,
    /// An epoch beyond the prepared interval that somebody who may has asked for.
    pub(super) demanded: AtomicU64,
    /// Whether it has moved on since it was loaded.
    pub(super) has_moved: AtomicBool,
}

/// What a key signs with.
pub(super) enum Secret {
    /// XMSS.
    Xmss(Moving),
    /// Ed25519.
    Ed25519(LockedKey),
}

impl Secret {
    /// An XMSS key that has signed up to `highest`.
    pub(super) fn xmss(key: SigningKey, highest: u64) -> Self {
        let (shared, highest) = (SharedKey::new(key), AtomicU64::new(highest));
        let (demanded, has_moved) = (AtomicU64::new(0), AtomicBool::new(false));
        Self::Xmss(Moving { shared, highest, demanded, has_moved })
    }
}

/// A key and an open ledger.
#[derive(Clone)]
pub(super) enum Guard {
    /// XMSS.
    Xmss(Arc<Guarded<SqliteLedger, SigningKey>>),
    /// Ed25519.
    Ed25519(Arc<GuardedConsensus<SqliteLedger>>),
}

/// A key that is served.
pub(super) struct ServedKey {
    /// Its public key in hexadecimal.
    pub(super) public_key: String,
    /// Its name.
    pub(super) key_id: KeyId,
    /// What it is for, as the ledger says.
    pub(super) role: String,
    /// What it signs with.
    pub(super) secret: Secret,
    header: Header,
    path: PathBuf,
    guard: RwLock<Option<Guard>>,
}

impl ServedKey {
    /// What rules look at.
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject { key_id: &self.key_id, public_key: &self.public_key, role: &self.role }
    }

    /// The key with its ledger, while that is open.
    pub(super) fn guard(&self) -> Option<Guard> {
        self.guard.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets go of the ledger.
    pub(super) fn detach(&self) {
        *self.guard.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Writes the trees of a key that has moved on to its cache, so that the next start need not compute them.
    pub(super) fn keep_trees(&self) {
        let Secret::Xmss(moving) = &self.secret else { return };
        // Without it they are computed again.
        if moving.has_moved.load(Relaxed) {
            let _ = moving
                .shared
                .look(|key| trees::keep(&self.header, &trees::path_beside(&self.path), &trees::in_ssz(key)));
        }
    }

    /// Signs through `ledger` from now on, if that knows exactly this key.
    pub(super) fn attach(&self, ledger: &Arc<SqliteLedger>) -> Result<(), GuardError> {
        let guard = match &self.secret {
            Secret::Xmss(moving) => {
                Guard::Xmss(Arc::new(Guarded::sharing(&moving.shared, Arc::clone(ledger))?))
            }
            Secret::Ed25519(key) => {
                Guard::Ed25519(Arc::new(GuardedConsensus::sharing(key.clone(), Arc::clone(ledger))?))
            }
        };
        if let Secret::Xmss(moving) = &self.secret {
            moving.highest.fetch_max(reached(&ledger.standing(&self.key_id)?), Relaxed);
        }
        *self.guard.write().unwrap_or_else(PoisonError::into_inner) = Some(guard);
        Ok(())
    }
}

/// The epoch up to which nothing new is signed.
fn reached(standing: &Standing) -> u64 {
    standing.highest.unwrap_or(0).max(standing.low)
}

/// All keys that are served, by public key.
#[derive(Clone, Default)]
pub(super) struct KeySet(BTreeMap<Vec<u8>, Arc<ServedKey>>);

impl KeySet {
    /// The key with this public key.
    pub(super) fn get(&self, public_key: &[u8]) -> Option<&Arc<ServedKey>> {
        self.0.get(public_key)
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<ServedKey>> {
        self.0.values()
    }

    /// The key with this name.
    pub(super) fn named(&self, key_id: &KeyId) -> Option<&Arc<ServedKey>> {
        self.iter().find(|key| key.key_id == *key_id)
    }

    /// The public keys that are here and not in `other`.
    pub(super) fn without(&self, other: &Self) -> Vec<String> {
        let new = self.0.iter().filter(|(key, _)| !other.0.contains_key(*key));
        new.map(|(_, key)| key.public_key.clone()).collect()
    }
}

/// Why a keystore is not served.
struct Unusable(String);

impl From<FileError> for Unusable {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Keystore(error) => error.into(),
            FileError::Refused { .. } => Self("insecure_file".to_owned()),
            _ => Self("storage".to_owned()),
        }
    }
}

impl From<crate::keystore::Error> for Unusable {
    fn from(error: crate::keystore::Error) -> Self {
        Self(error.verdict().map_or("storage", |verdict| verdict.name()).to_owned())
    }
}

impl From<LedgerError> for Unusable {
    fn from(error: LedgerError) -> Self {
        Self(error.code().to_owned())
    }
}

impl From<GuardError> for Unusable {
    fn from(error: GuardError) -> Self {
        match error {
            GuardError::Ledger(error) => error.into(),
            _ => Self("storage".to_owned()),
        }
    }
}

/// What is needed to open keystores.
pub(super) struct Loader<'a> {
    /// Where they are.
    pub(super) config: &'a Config,
    /// The ledger that must know them.
    pub(super) ledger: &'a Arc<SqliteLedger>,
    /// The claim on its keys.
    pub(super) claim: &'a Claim,
    /// The epoch that the clock says.
    pub(super) now: Option<u64>,
    /// Where it is noted what was opened.
    pub(super) journal: &'a Journal,
}

impl Loader<'_> {
    /// Opens all keystores, one after the other; those that are served already stay as they are.
    pub(super) fn load(&self, served: &KeySet, mut prompt: Option<Prompt<'_>>) -> (KeySet, Vec<FailedFile>) {
        let (mut keys, mut failed) = (KeySet::default(), Vec::new());
        for source in self.config.keystores.iter().filter(|source| !source.derived.is_empty()) {
            if let Err(Unusable(code)) = self.derive(source, &mut prompt, served, &mut keys, &mut failed) {
                failed.push(failure(&source.path, code));
            }
        }
        for source in self.config.keystores.iter().filter(|source| source.derived.is_empty()) {
            let mut password = None;
            let files = match files_of(&source.path) {
                Ok(files) => files,
                Err(_) => {
                    failed.push(failure(&source.path, "storage".to_owned()));
                    continue;
                }
            };
            for path in files {
                let opened = self.open(source, &path, &mut password, &mut prompt, served);
                match opened.and_then(|key| self.add(&mut keys, key)) {
                    Ok(()) => {}
                    Err(Unusable(code)) => failed.push(failure(&path, code)),
                }
            }
        }
        for FailedFile { file, code } in &failed {
            self.journal.note("keystore_failed", &[("file", file), ("code", code)]);
        }
        (keys, failed)
    }

    fn add(&self, keys: &mut KeySet, (public_key, key): (Vec<u8>, Arc<ServedKey>)) -> Result<(), Unusable> {
        // Two files of one key, or of two that share their one-time keys.
        if keys.named(&key.key_id).is_some() {
            return Err(Unusable("same_one_time_keys".to_owned()));
        }
        keys.0.insert(public_key, key);
        Ok(())
    }

    fn open(
        &self,
        source: &KeystoreSource,
        path: &Path,
        password: &mut Option<Password>,
        prompt: &mut Option<Prompt<'_>>,
        served: &KeySet,
    ) -> Result<(Vec<u8>, Arc<ServedKey>), Unusable> {
        let keystore = file::read(path, self.access())?;
        let public_key = keystore.header().public_key.clone();
        if let Some(key) = served.get(&public_key).filter(|key| key.path == path) {
            return self.keep(key).map(|key| (public_key, key));
        }
        if password.is_none() {
            *password = Some(password_of(source, prompt)?);
        }
        let password = password.as_ref().expect("it was read above");
        let open = keystore.open(password, Policy { accept_weak_kdf: source.accept_weak_kdf })?;
        Ok((public_key, self.serve(&open, path)?))
    }

    /// Opens a master, and serves its keys, or says why one is not served; those that are served already stay as they are,
    /// and if all are, the master stays closed.
    fn derive(
        &self,
        source: &KeystoreSource,
        prompt: &mut Option<Prompt<'_>>,
        served: &KeySet,
        keys: &mut KeySet,
        failed: &mut Vec<FailedFile>,
    ) -> Result<(), Unusable> {
        let known = self.ledger.keys()?.into_iter();
        let known = known.filter_map(|known| Some((known.standing.instance.key_id, known.public_key?)));
        let known: BTreeMap<KeyId, Vec<u8>> = known.collect();
        let mut master = None;
        for derived in &source.derived {
            let children = derived.children().map_err(|_| Unusable("malformed".to_owned()))?;
            for child in children {
                let path = trees::path_of_child(&source.path, &child);
                let opened = match served.iter().find(|key| key.path == path) {
                    Some(key) => self.keep(key),
                    None => match master.get_or_insert_with(|| self.open_master(source, prompt)) {
                        Ok(master) => self.open_child(master, &child, &known, &path),
                        // Said once, for all of them.
                        Err(_) => continue,
                    },
                };
                let added = opened.and_then(|key| self.add(keys, (key.header.public_key.clone(), key)));
                if let Err(Unusable(code)) = added {
                    failed.push(failure(&path, code));
                }
            }
        }
        master.transpose().map(|_| ())
    }

    fn open_master(
        &self,
        source: &KeystoreSource,
        prompt: &mut Option<Prompt<'_>>,
    ) -> Result<Master, Unusable> {
        let keystore = file::read_master(&source.path, self.access())?;
        let policy = Policy { accept_weak_kdf: source.accept_weak_kdf };
        Ok(keystore.open(&password_of(source, prompt)?, policy)?)
    }

    fn open_child(
        &self,
        master: &Master,
        child: &Child,
        known: &BTreeMap<KeyId, Vec<u8>>,
        path: &Path,
    ) -> Result<Arc<ServedKey>, Unusable> {
        let (key_id, _) = master.secret(child).identity(child.scheme)?;
        let no_state = || Unusable(crate::ledger::Problem::NoState.code().to_owned());
        self.serve(&master.open(child, known.get(&key_id).ok_or_else(no_state)?)?, path)
    }

    fn access(&self) -> Access {
        Access { group_may_read_files_of_root: self.config.group_may_read_files_of_root }
    }

    /// A key that is served already, if the ledger still keeps it.
    fn keep(&self, key: &Arc<ServedKey>) -> Result<Arc<ServedKey>, Unusable> {
        self.claim.check(self.ledger, &self.ledger.standing(&key.key_id)?.instance)?;
        Ok(Arc::clone(key))
    }

    fn serve(&self, open: &OpenKey, path: &Path) -> Result<Arc<ServedKey>, Unusable> {
        let key = Arc::new(self.unlock(open, path)?);
        key.attach(self.ledger)?;
        self.journal.note("key_opened", &[("key_id", &key.key_id), ("role", &key.role)]);
        Ok(key)
    }

    fn unlock(&self, open: &OpenKey, path: &Path) -> Result<ServedKey, Unusable> {
        if open.signable() == Signable::No {
            return Err(Unusable("not_signable".to_owned()));
        }
        let header = open.header();
        // What the ledger does not know is not computed: a key without state, or of another instance.
        let standing = self.ledger.standing(&header.key_id).map_err(|error| match error.problem() {
            crate::ledger::Problem::UnknownKey => Unusable(crate::ledger::Problem::NoState.code().to_owned()),
            _ => error.into(),
        })?;
        self.claim.check(self.ledger, &standing.instance)?;
        if self.config.ledger.ordering == OrderingMode::Strict && standing.instance.ordering == Ordering::Any
        {
            let instance = strict(standing.instance.clone());
            self.ledger.register(&instance, &header.public_key, InitialState::Known)?;
        }
        let secret = match header.scheme {
            Scheme::Ed25519 => Secret::Ed25519(LockedKey::of(&open.ed25519_key()?)),
            _ => {
                let at = self.now.unwrap_or(0).max(reached(&standing));
                Secret::xmss(prepared(open, path, at)?, reached(&standing))
            }
        };
        Ok(ServedKey {
            public_key: hexadecimal::text(&header.public_key),
            key_id: header.key_id,
            role: standing.instance.role,
            secret,
            header: header.clone(),
            path: path.to_owned(),
            guard: RwLock::new(None),
        })
    }
}

fn password_of(source: &KeystoreSource, prompt: &mut Option<Prompt<'_>>) -> Result<Password, Unusable> {
    passwords::read(source, prompt).map_err(|_| Unusable("no_password".to_owned()))
}

/// The key, prepared for epoch `at`: from its cache of trees where that has it, which is written anew if the key moved.
fn prepared(open: &OpenKey, path: &Path, at: u64) -> Result<SigningKey, Unusable> {
    let pool = Threads::available();
    let cache = trees::path_beside(path);
    let mut key = open.cached_any_signing_key_on(&pool, &cache)?;
    let next = key.trees_to(at);
    if !next.is_empty() {
        let next = computed(next, &pool).ok_or(Unusable("storage".to_owned()))?;
        key.move_on_with(next).map_err(|_| Unusable("key_mismatch".to_owned()))?;
        // Without it the next start computes the same again.
        let _ = open.keep_any_trees(&cache, &key);
    }
    Ok(key)
}

/// Trees that were computed; `None` never happens, since nothing stops them.
pub(super) fn computed(mut trees: Vec<NextTree>, pool: &dyn Pool) -> Option<Vec<NextTree>> {
    let go_on = |_| ControlFlow::Continue(());
    trees.iter_mut().try_for_each(|tree| tree.compute_on(pool, &go_on)).ok()?;
    Some(trees)
}

fn failure(path: &Path, code: String) -> FailedFile {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    FailedFile { file: name, code }
}

/// The keystore at `path`, or those in the folder.
fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !is_hidden && path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
impl ServedKey {
    /// A key without a file, for tests of what is asked of keys.
    pub(super) fn of(key_id: KeyId, public_key: Vec<u8>, secret: Secret) -> Self {
        let header = Header {
            uuid: String::new(),
            description: String::new(),
            scheme: Scheme::Ed25519,
            index_mode: None,
            start: None,
            count: None,
            role: None,
            usage: crate::keystore::Use::Signing,
            secret: crate::keystore::SecretKind::Seed,
            public_key,
            key_id,
        };
        let (public_key, role) = (hexadecimal::text(&header.public_key), "other".to_owned());
        let (path, guard) = (PathBuf::new(), RwLock::new(None));
        Self { public_key, key_id, role, secret, header, path, guard }
    }
}

#[cfg(test)]
impl KeySet {
    /// One more key.
    pub(super) fn put(&mut self, key: ServedKey) {
        self.0.insert(key.header.public_key.clone(), Arc::new(key));
    }
}
