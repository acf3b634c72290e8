//! Power failures, from a recording: every write, flush and rename of the side log with what the store's files were at that
//! instant. An image is what a disk may show afterwards: all that was flushed, and any of the 512-byte pieces of what was
//! not. From each a ledger is opened, and asked for other messages at every position that had been released by then.
//!
//! The store's own files are taken as they were before or after a commit, and while it writes its log in any mixture of
//! pieces of both; SQLite's flushes are believed.

use super::SqliteLedger;
use super::faults::{Folder, ask, key};
use crate::ledger::durable::disk::{Disk, LogFile, Mark, SystemDisk};
use crate::ledger::durable::{LedgerOptions, NewLedger};
use crate::ledger::refused::Problem;
use crate::ledger::request::{EpochLedger, InitialState};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What happened to a file of the side log.
#[derive(Clone)]
enum Operation {
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    SetLen(PathBuf, u64),
    Flush(PathBuf),
    Rename(PathBuf, PathBuf),
    FlushFolder,
}

/// The files of the store at an instant: it, and its log.
type StoreFiles = [Vec<u8>; 2];

#[derive(Default)]
struct Recording {
    operations: Vec<Operation>,
    /// The store when each operation began.
    stores: Vec<Arc<StoreFiles>>,
}

#[derive(Clone)]
struct Recorder {
    folder: PathBuf,
    recording: Arc<Mutex<Recording>>,
}

impl Recorder {
    fn note(&self, operation: Operation) {
        let now = store_files(&self.folder);
        let mut recording = self.recording.lock().expect("nobody panicked");
        let last = recording.stores.last().filter(|last| ***last == now).cloned();
        recording.operations.push(operation);
        recording.stores.push(last.unwrap_or_else(|| Arc::new(now)));
    }

    fn len(&self) -> usize {
        self.recording.lock().expect("nobody panicked").operations.len()
    }
}

const STORE: [&str; 2] = ["ledger.sqlite3", "ledger.sqlite3-wal"];

fn store_files(folder: &Path) -> StoreFiles {
    STORE.map(|name| fs::read(folder.join(name)).unwrap_or_default())
}

struct RecordedFile {
    file: Box<dyn LogFile>,
    path: PathBuf,
    recorder: Recorder,
}

impl LogFile for RecordedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.recorder.note(Operation::Write(self.path.clone(), bytes.to_vec()));
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.recorder.note(Operation::Flush(self.path.clone()));
        self.file.flush()
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.recorder.note(Operation::SetLen(self.path.clone(), len));
        self.file.set_len(len)
    }

    fn mark(&self) -> io::Result<Mark> {
        self.file.mark()
    }
}

impl Disk for Recorder {
    fn append(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let (file, recorder) = (SystemDisk.append(path)?, self.clone());
        Ok(Box::new(RecordedFile { file, path: path.to_owned(), recorder }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        self.note(Operation::Create(path.to_owned()));
        self.append_new(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.note(Operation::Rename(from.to_owned(), to.to_owned()));
        SystemDisk.rename(from, to)
    }

    fn flush_folder(&self, folder: &Path) -> io::Result<()> {
        self.note(Operation::FlushFolder);
        SystemDisk.flush_folder(folder)
    }
}

impl Recorder {
    fn append_new(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let (file, recorder) = (SystemDisk.create(path)?, self.clone());
        Ok(Box::new(RecordedFile { file, path: path.to_owned(), recorder }))
    }
}

/// splitmix64: what happens can be repeated from its seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).expect("below a length")
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// Which flushes are believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liar {
    None,
    Witness,
    Store,
    Both,
}

/// A life that was recorded.
struct Life {
    folder: Folder,
    recorder: Recorder,
    /// Which message was released at which epoch, and how many operations there had been.
    released: BTreeMap<u32, (u8, usize)>,
    /// From this operation on the ledger was open.
    opened: usize,
    /// Which files the segments of the side log are.
    segments: BTreeMap<PathBuf, u64>,
}

fn life(seed: u64) -> Life {
    let folder = Folder::new();
    SqliteLedger::create(&folder.options(), NewLedger::default()).expect("a new ledger");
    // The recording begins with a ledger that is there.
    let (instance, public_key) = key();
    let ledger = SqliteLedger::open(&folder.options()).expect("it opens");
    ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    drop(ledger);
    let recorder = Recorder { folder: folder.0.clone(), recording: Arc::default() };
    let log = folder.0.join("witness-00000001.log");
    recorder.note(Operation::Create(log.clone()));
    recorder.note(Operation::Write(log.clone(), fs::read(&log).expect("the log")));
    recorder.note(Operation::Flush(log));
    recorder.note(Operation::FlushFolder);
    let options = folder.options().disk(Arc::new(recorder.clone()));
    let ledger = SqliteLedger::open(&options).expect("it opens");
    let (opened, mut numbers, mut released) = (recorder.len(), Numbers(seed), BTreeMap::new());
    for round in 0..40 {
        let epoch = u32::try_from(numbers.below(60)).expect("below 60");
        let message = u8::try_from(1 + numbers.below(2)).expect("1 or 2");
        if ask(&ledger, &instance.key_id, epoch, message).is_ok() {
            released.entry(epoch).or_insert((message, recorder.len()));
        }
        if round == 25 {
            ledger.compact(1000).expect("a new segment");
        }
    }
    drop(ledger);
    let paths = [1, 2].map(|number| folder.0.join(format!("witness-{number:08}.log")));
    let segments = paths.map(|path| (path.clone(), Mark::at(&path).expect("it is there").inode())).into();
    Life { folder, recorder, released, opened, segments }
}

/// What a disk may show of the side log when the operations up to `until` had begun.
fn image(
    operations: &[Operation],
    until: usize,
    liar: Liar,
    numbers: &mut Numbers,
) -> BTreeMap<PathBuf, Vec<u8>> {
    let believes = !matches!(liar, Liar::Witness | Liar::Both);
    // What the last flush of each file and of the folder has made certain.
    let past = &operations[..until];
    let mut names: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let folder_flushed = past.iter().rposition(|operation| matches!(operation, Operation::FlushFolder));
    let mut contents: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut current: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (i, operation) in past.iter().enumerate() {
        match operation {
            Operation::Create(path) => {
                current.insert(path.clone(), contents.len());
                contents.push((Vec::new(), Vec::new()));
            }
            Operation::Write(path, bytes) => {
                if let Some(&file) = current.get(path) {
                    contents[file].1.extend_from_slice(bytes);
                }
            }
            Operation::SetLen(path, len) => {
                if let Some(&file) = current.get(path) {
                    contents[file].1.truncate(usize::try_from(*len).expect("a length"));
                }
            }
            Operation::Flush(path) => {
                if let Some(&file) = current.get(path)
                    && (believes || i < 4)
                {
                    contents[file].0 = contents[file].1.clone();
                }
            }
            Operation::Rename(from, to) => {
                if let Some(file) = current.remove(from) {
                    current.insert(to.clone(), file);
                }
            }
            Operation::FlushFolder => {}
        }
        if Some(i) == folder_flushed {
            names = current.clone();
        }
    }
    // Names since the last flush of the folder are there or not, all of them: they were made one after the other.
    if numbers.coin() {
        names = current;
    }
    let mixed = names.into_iter().map(|(path, file)| {
        let (old, new) = &contents[file];
        (path, mixture(old, new, numbers))
    });
    mixed.collect()
}

/// Any pieces of the new contents over the old ones; the length is the old one, the new one, or any between.
fn mixture(old: &[u8], new: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    const PIECE: usize = 512;
    let (shorter, longer) = (old.len().min(new.len()), old.len().max(new.len()));
    let len = match numbers.below(3) {
        0 => old.len(),
        1 => new.len(),
        _ => shorter + numbers.below(longer - shorter + 1),
    };
    let mut bytes = old.to_vec();
    bytes.resize(len, 0);
    for start in (0..len).step_by(PIECE) {
        let end = (start + PIECE).min(len).min(new.len());
        if start < end && numbers.coin() {
            bytes[start..end].copy_from_slice(&new[start..end]);
        }
    }
    bytes
}

/// Opens a ledger from an image. Answers how many positions could be signed twice, or why it did not open.
fn start(life: &Life, liar: Liar, numbers: &mut Numbers) -> Result<usize, Problem> {
    let recording = life.recorder.recording.lock().expect("nobody panicked");
    let count = recording.operations.len();
    let at = life.opened + numbers.below(count - life.opened);
    let until = (at + numbers.below(2)).min(count);
    let mut store = StoreFiles::clone(&recording.stores[at]);
    let next = recording.stores.get(at + 1);
    if let Some(next) = next.filter(|_| until > at) {
        // The store commits after the side log is flushed: what it shows may be of before, after, or between.
        if next[0] != store[0] {
            store = if numbers.coin() { StoreFiles::clone(next) } else { store };
        } else {
            store[1] = mixture(&store[1], &next[1], numbers);
        }
    }
    let lies = matches!(liar, Liar::Store | Liar::Both);
    if lies {
        store = StoreFiles::clone(&recording.stores[life.opened]);
    }
    let files = image(&recording.operations, until, liar, numbers);
    drop(recording);
    lay_out(life, &store, &files);
    let options: LedgerOptions = life.folder.options();
    let ledger = SqliteLedger::open(&options).map_err(|error| error.problem())?;
    let (instance, _) = key();
    let journal = life.released.iter().filter(|(_, (_, when))| *when <= at);
    let reused = journal.filter(|(epoch, (message, _))| {
        let other = ask(&ledger, &instance.key_id, **epoch, message ^ 3);
        other == Ok(false)
    });
    Ok(reused.count())
}

/// Makes the folder show exactly these contents. Files stay the same files: the ledger knows them by their numbers.
fn lay_out(life: &Life, store: &StoreFiles, logs: &BTreeMap<PathBuf, Vec<u8>>) {
    let folder = &life.folder.0;
    let parked = folder.with_extension("parked");
    fs::create_dir_all(&parked).expect("a folder");
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("the folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    for path in list(folder) {
        let name = path.file_name().expect("it has a name");
        if name.to_string_lossy().starts_with("witness-") {
            fs::rename(&path, parked.join(name)).expect("it can be parked");
        }
    }
    for (path, bytes) in logs {
        // A later segment has had a temporary name, and has perhaps been set aside.
        let inode = life.segments.get(&path.with_extension("log"));
        let is_it = |path: &PathBuf| Mark::at(path).is_ok_and(|mark| Some(&mark.inode()) == inode);
        if let Some(kept) = list(&parked).into_iter().find(is_it) {
            fs::rename(kept, path).expect("it can be put back");
        }
        write(path, bytes);
    }
    for (name, bytes) in STORE.iter().zip(store) {
        write(&folder.join(name), bytes);
    }
}

fn write(path: &Path, bytes: &[u8]) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, bytes).expect("it can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("its mode can be set");
}

/// How `count` starts went: positions that could be signed twice, starts that were refused, and as what.
fn starts(count: usize, liar: Liar, seed: u64) -> (usize, BTreeMap<&'static str, usize>) {
    const STARTS_PER_LIFE: usize = 50;
    let (mut numbers, mut reused, mut refused) = (Numbers(seed), 0, BTreeMap::new());
    let mut done = 0;
    while done < count {
        let life = life(seed + done as u64);
        for _ in 0..STARTS_PER_LIFE.min(count - done) {
            match start(&life, liar, &mut numbers) {
                Ok(twice) => reused += twice,
                Err(problem) => *refused.entry(problem.code()).or_default() += 1,
            }
            done += 1;
        }
        let _ = fs::remove_dir_all(life.folder.0.with_extension("parked"));
    }
    (reused, refused)
}

#[test]
fn after_a_power_failure_nothing_is_signed_twice_and_no_start_is_refused() {
    assert_eq!(starts(60, Liar::None, 1), (0, BTreeMap::new()));
}

#[test]
#[ignore = "2,000 images, a minute"]
fn after_a_power_failure_nothing_is_signed_twice_and_no_start_is_refused_long() {
    assert_eq!(starts(2000, Liar::None, 2), (0, BTreeMap::new()));
}

/// The two witnesses earn their flushes: if one of them lies, starts are refused and nothing is signed twice.
#[test]
fn one_that_lies_about_flushing_is_found() {
    let (reused, refused) = starts(20, Liar::Witness, 3);
    assert_eq!(reused, 0);
    assert!(refused.contains_key("witness_older"), "{refused:?}");
    let (reused, refused) = starts(20, Liar::Store, 4);
    assert_eq!(reused, 0);
    assert!(refused.contains_key("store_older"), "{refused:?}");
}

/// This harness can fail: if both lie, positions are signed twice.
#[test]
fn two_that_lie_about_flushing_are_not_found() {
    let (reused, _) = starts(40, Liar::Both, 5);
    assert!(reused > 0, "the harness finds nothing");
}
