//! Every write, flush and rename of the side log fails once, in its turn: nothing is signed after that until the ledger has
//! been opened anew, and then nothing twice, and nothing that was released is lost.

use super::{SqliteLedger, open};
use crate::identity::{Family, KeyId, key_id};
use crate::ledger::durable::disk::{Disk, LogFile, Mark, SystemDisk};
use crate::ledger::durable::{LedgerOptions, NewLedger, Resume, core, verbs};
use crate::ledger::position::Position;
use crate::ledger::record::{KeyInstance, Mode, Ordering};
use crate::ledger::refused::Refused;
use crate::ledger::request::{EpochLedger, Health, InitialState, Request};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The disk is full.
    Full,
    /// The disk is broken.
    Broken,
    /// A few bytes are written, and then the disk is full.
    Short,
}

/// A disk whose operation number `at` fails; with `for_ever` so do all after it.
struct FaultyDisk {
    plan: Arc<Plan>,
}

struct Plan {
    at: u32,
    fault: Fault,
    for_ever: bool,
    done: AtomicU32,
    is_short: AtomicBool,
}

impl Plan {
    /// `Err` if the operation that comes now is one that fails.
    fn step(&self) -> io::Result<()> {
        let now = self.done.fetch_add(1, SeqCst);
        if now < self.at || (now > self.at && !self.for_ever) {
            return Ok(());
        }
        Err(match self.fault {
            Fault::Broken => io::Error::from_raw_os_error(5),
            Fault::Full | Fault::Short => io::ErrorKind::StorageFull.into(),
        })
    }
}

struct FaultyFile {
    file: Box<dyn LogFile>,
    plan: Arc<Plan>,
}

impl LogFile for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.plan.step() {
            Ok(()) => self.file.write(bytes),
            Err(_) if self.plan.fault == Fault::Short && !self.plan.is_short.swap(true, SeqCst) => {
                self.file.write(&bytes[..bytes.len() / 2])?;
                Err(io::ErrorKind::StorageFull.into())
            }
            Err(error) => Err(error),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.plan.step()?;
        self.file.flush()
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.plan.step()?;
        self.file.set_len(len)
    }

    fn mark(&self) -> io::Result<Mark> {
        self.file.mark()
    }
}

impl Disk for FaultyDisk {
    fn append(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        self.plan.step()?;
        Ok(Box::new(FaultyFile { file: SystemDisk.append(path)?, plan: Arc::clone(&self.plan) }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        self.plan.step()?;
        Ok(Box::new(FaultyFile { file: SystemDisk.create(path)?, plan: Arc::clone(&self.plan) }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.plan.step()?;
        SystemDisk.rename(from, to)
    }

    fn flush_folder(&self, folder: &Path) -> io::Result<()> {
        self.plan.step()?;
        SystemDisk.flush_folder(folder)
    }
}

/// A folder for one test, gone afterwards.
pub(super) struct Folder(pub(super) PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("phalanx-faults-{}-{}", std::process::id(), NEXT.fetch_add(1, SeqCst));
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    pub(super) fn options(&self) -> LedgerOptions {
        LedgerOptions::new(&self.0).allow_file_system("overlay").resume(Resume::TrustStoreUnproved)
    }
}

/// A made-up key.
pub(super) fn key() -> (KeyInstance, Vec<u8>) {
    let public_key = vec![1; 52];
    let instance = KeyInstance {
        key_id: key_id(Family::KoalaBear, &public_key[32..]),
        scheme: "xmss-poseidon2-l32-d64b8".to_owned(),
        role: "attester".to_owned(),
        mode: Mode::Synchronized,
        ordering: Ordering::Any,
        start: 0,
        end: 1 << 20,
        implementation: "leansig-prf-1".to_owned(),
        one_time_key_id: None,
    };
    (instance, public_key)
}

/// What the ledger says: whether it is a repeat.
pub(super) fn ask(ledger: &SqliteLedger, key: &KeyId, epoch: u32, message: u8) -> Result<bool, Refused> {
    let request = Request { key, position: Position::Epoch(epoch), message: &[message; 32] };
    ledger.reserve(request).map(|reserved| reserved.is_repeat())
}

/// One life with a disk whose operation `at` fails, and one with a good disk. Returns how many operations there were.
fn lives(at: u32, fault: Fault, for_ever: bool) -> u32 {
    let folder = Folder::new();
    SqliteLedger::create(&folder.options(), NewLedger::default()).expect("a new ledger");
    let (instance, public_key) = key();
    let plan =
        Arc::new(Plan { at, fault, for_ever, done: AtomicU32::new(0), is_short: AtomicBool::new(false) });
    let faulty = folder.options().disk(Arc::new(FaultyDisk { plan: Arc::clone(&plan) }));
    let mut released = BTreeMap::new();
    if let Ok(ledger) = SqliteLedger::open(&faulty)
        && ledger.register(&instance, &public_key, InitialState::New).is_ok()
    {
        sign(&ledger, &instance.key_id, &mut released);
        if ledger.health() != Health::Open {
            assert_eq!(
                ask(&ledger, &instance.key_id, 900, 1),
                Err(Refused::Poisoned),
                "nothing after a fault"
            );
        }
    }
    let case = format!("operation {at}, {fault:?}, for ever: {for_ever}");
    let ledger = SqliteLedger::open(&folder.options());
    let ledger = ledger.unwrap_or_else(|error| panic!("bricked at {case}: {}: {error}", error.code()));
    ledger.register(&instance, &public_key, InitialState::New).expect("new, or known");
    for (&epoch, &message) in &released {
        assert_eq!(ask(&ledger, &instance.key_id, epoch, message), Ok(true), "lost at {case}");
        assert_eq!(ask(&ledger, &instance.key_id, epoch, message + 1), Err(Refused::EpochUsed), "{case}");
    }
    assert_eq!(ask(&ledger, &instance.key_id, 999, 1), Ok(false), "{case}");
    plan.done.load(SeqCst)
}

/// Signs as long as that works, with a new segment between.
fn sign(ledger: &SqliteLedger, key: &KeyId, released: &mut BTreeMap<u32, u8>) {
    for epoch in 0..6 {
        if epoch == 3 && ledger.compact(1000).is_err() {
            return;
        }
        if ask(ledger, key, epoch, 1).is_err() {
            return;
        }
        released.insert(epoch, 1);
    }
}

#[test]
fn every_operation_of_the_side_log_may_fail() {
    let count = lives(u32::MAX, Fault::Full, false);
    assert!(count > 20, "the operations are counted: {count}");
    let kinds = [Fault::Full, Fault::Broken, Fault::Short];
    for (at, fault) in (0..count).zip(kinds.into_iter().cycle()) {
        lives(at, fault, at % 2 == 0);
    }
}

#[test]
#[ignore = "each operation fails in six ways, half a minute"]
fn every_operation_of_the_side_log_may_fail_in_every_way() {
    let count = lives(u32::MAX, Fault::Full, false);
    for at in 0..count {
        for fault in [Fault::Full, Fault::Broken, Fault::Short] {
            lives(at, fault, false);
            lives(at, fault, true);
        }
    }
}

/// A disk that acknowledges what it loses is found at the next start.
#[test]
fn a_disk_that_forgets_is_found() {
    let folder = Folder::new();
    SqliteLedger::create(&folder.options(), NewLedger::default()).expect("a new ledger");
    let (instance, public_key) = key();
    let mut core = open::open(&folder.options()).expect("it opens");
    verbs::register(&mut core, instance.clone(), &public_key, InitialState::New).expect("a new key");
    let before = fs::read(folder.0.join("witness-00000001.log")).expect("the log");
    let place = crate::ledger::record::Place::epoch(1);
    let request = |key| core::OwnRequest { key, place: place.clone(), digest: [1; 32], message: vec![1; 32] };
    for _ in 0..2 {
        let answers = core.reserve(&[request(instance.key_id)]);
        assert!(answers[0].is_ok());
    }
    let next = core::OwnRequest { place: crate::ledger::record::Place::epoch(2), ..request(instance.key_id) };
    assert!(core.reserve(&[next])[0].is_ok());
    drop(core);
    // The side log's last two groups were acknowledged and are not there.
    fs::write(folder.0.join("witness-00000001.log"), before).expect("it can be written");
    let refused = SqliteLedger::open(&folder.options()).map(|_| ()).expect_err("older");
    assert_eq!(refused.code(), "witness_older");
}
