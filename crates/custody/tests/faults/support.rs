//! What the tests share: folders in memory, made-up keys, the journal of what was released.

use phalanx_custody::identity::{Family, key_id};
use phalanx_custody::ledger::durable::{LedgerOptions, Resume};
use phalanx_custody::ledger::record::{KeyInstance, Mode, Ordering};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// How many keys there are.
pub(crate) const KEYS: usize = 8;

/// The seed of a test: its own, or the one that is asked for.
pub(crate) fn seed(own: u64) -> u64 {
    match std::env::var("PHALANX_TEST_SEED") {
        Ok(text) => text.parse().expect("PHALANX_TEST_SEED is a number"),
        Err(_) => own,
    }
}

/// A folder for one test, in memory where there is such a place, gone afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let path = phalanx_testing::place().join(format!(
            "phalanx-faults-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Relaxed)
        ));
        let _ = fs::remove_dir_all(&path);
        DirBuilder::new().mode(0o700).create(&path).expect("a new folder");
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
        forget_stops(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes the proofs of a clean stop, which are elsewhere, of the ledgers whose side logs are in `folder`.
fn forget_stops(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let text = fs::read(entry.path()).unwrap_or_default();
        let line = String::from_utf8_lossy(&text[..text.len().min(64)]).into_owned();
        let id = line.strip_prefix("phalanx-ledger-log 1 ").and_then(|rest| rest.get(..32));
        if let (Some(id), Ok(metadata)) = (id, entry.metadata()) {
            let _ = fs::remove_file(format!("/dev/shm/phalanx-{}-{id}.stopped", metadata.uid()));
        }
    }
}

/// How tests open a ledger: without burning forward, which would hide what they look for.
pub(crate) fn options(folder: &Path) -> LedgerOptions {
    let options = LedgerOptions::new(folder).allow_file_system("overlay");
    options.resume(Resume::TrustStoreUnproved).timeout(Duration::from_secs(60))
}

/// A made-up key: its public key and what it is. Half of the keys only go forward.
pub(crate) fn key(number: usize) -> (Vec<u8>, KeyInstance) {
    let public_key = vec![u8::try_from(number).expect("a few keys"); 52];
    let instance = KeyInstance {
        key_id: key_id(Family::KoalaBear, &public_key[32..]),
        scheme: "xmss-poseidon2-l32-d64b8".to_owned(),
        role: "attester".to_owned(),
        mode: Mode::Synchronized,
        ordering: if number.is_multiple_of(2) { Ordering::Any } else { Ordering::Strict },
        start: 0,
        end: 1 << 20,
        implementation: "leansig-prf-1".to_owned(),
        one_time_key_id: None,
    };
    (public_key, instance)
}

/// A request: number of the key, epoch, message.
pub(crate) type Wish = (usize, u32, u8);

/// What has been released: by key and epoch, the message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal(pub(crate) BTreeMap<(usize, u32), u8>);

impl Journal {
    /// Notes a release. Whether it is the first message at its position, or the same again.
    #[must_use]
    pub(crate) fn note(&mut self, (key, epoch, message): Wish) -> bool {
        *self.0.entry((key, epoch)).or_insert(message) == message
    }

    /// The journal that marks tell.
    pub(crate) fn of<'a>(marks: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut journal = Self::default();
        for mark in marks {
            let wish = read_wish(std::str::from_utf8(mark).expect("our own text")).expect("our own line");
            assert!(journal.note(wish), "two messages in the run itself: {wish:?}");
        }
        journal
    }
}

pub(crate) fn wish_text((key, epoch, message): Wish) -> String {
    format!("{key} {epoch} {message}")
}

pub(crate) fn read_wish(text: &str) -> Option<Wish> {
    let mut words = text.split(' ');
    let wish = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(wish)
}

/// Copies the files of a folder, as `cp` does.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            overwrite(&path, &to.join(path.file_name().expect("it has a name")));
        }
    }
}

/// Writes the contents of a file over those of another, which stays the same file.
pub(crate) fn overwrite(from: &Path, to: &Path) {
    fs::write(to, fs::read(from).expect("a file")).expect("it can be written");
    fs::set_permissions(to, Permissions::from_mode(0o600)).expect("its mode can be set");
}

/// How often something came, by its name.
pub(crate) type Counts = BTreeMap<String, usize>;

/// Counts the code of a refusal, which stands before its sentence.
pub(crate) fn count(counts: &mut Counts, refusal: &str) {
    *counts.entry(refusal.split(':').next().unwrap_or_default().to_owned()).or_default() += 1;
}
