//! The side log on the disk.
#![forbid(unsafe_code)]

use super::disk::{Mark, append, create_whole, rename, write_flushed};
use super::place::{Files, Home, failed};
use crate::ledger::accounts::Accounts;
use crate::ledger::log::{Head, Header, Reading, Refusal, Segment, read};
use crate::ledger::record::Record;
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::startup::{Repairs, StoreRow, compare, is_unfinished};
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// The side log, open at its end.
pub(crate) struct Witness {
    files: Files,
    file: File,
    path: PathBuf,
    mark: Mark,
    /// What it is.
    pub(crate) header: Header,
    /// Where it ends.
    pub(crate) head: Head,
}

impl Witness {
    fn open(files: Files, header: Header, head: Head) -> Result<Self, LedgerError> {
        let path = files.segment(header.segment);
        let open = || {
            let file = append(&path)?;
            let mark = Mark::of(&file.metadata()?);
            Ok((file, mark))
        };
        let (file, mark) = open().map_err(|error| failed("open", &path, &error))?;
        Ok(Self { files, file, path, mark, header, head })
    }

    /// Appends a group, after which the log ends at `head`. It is on the disk then.
    pub(crate) fn append(&mut self, group: &[u8], head: Head) -> io::Result<()> {
        let written = write_flushed(&mut self.file, group);
        if written.is_err() {
            self.note_failed_flush();
        }
        written?;
        self.head = head;
        Ok(())
    }

    /// Flushes what is there.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.sync_data();
        if flushed.is_err() {
            self.note_failed_flush();
        }
        flushed
    }

    /// Leaves a file that says so, if it can: the next opening begins a new segment then.
    fn note_failed_flush(&self) {
        let _ = fs::write(self.files.flush_failed(), []);
    }

    /// The segment after this one, which says `records`.
    ///
    /// # Errors
    /// A record that is too long for a line.
    pub(crate) fn next_segment(&self, records: &[Record]) -> Result<(Header, Segment), Refusal> {
        let Header { ledger_id, witness_id, segment, .. } = self.header;
        let header = Header { ledger_id, witness_id, segment: segment + 1, previous: self.head.chain };
        let segment = self.head.segment(&header, records)?;
        Ok((header, segment))
    }

    /// Writes a new segment to the disk, whole, and opens it.
    pub(crate) fn begin(&self, header: Header, segment: &Segment) -> Result<Self, LedgerError> {
        let path = self.files.segment(header.segment);
        create_whole(&path, &segment.bytes).map_err(|error| failed("write", &path, &error))?;
        Self::open(self.files.clone(), header, segment.head)
    }

    /// Where the ledger is, with this as its side log.
    pub(crate) fn home(&self) -> Result<Home, LedgerError> {
        Home::of(&self.files, self.header.segment)
    }

    /// Whether this is still the file at its path, under one name.
    pub(crate) fn is_in_place(&self) -> bool {
        self.mark.is_alone() && Mark::at(&self.path).is_ok_and(|mark| mark == self.mark)
    }
}

/// The log as it was found at a start, and what had to be done so that it agrees with the store.
pub(crate) struct Found {
    /// The log, repaired.
    pub(crate) witness: Witness,
    /// What it says.
    pub(crate) accounts: Accounts,
    /// What was done. A group to be entered into the store has not been.
    pub(crate) repairs: Repairs,
    /// The log as it is now.
    pub(crate) reading: Reading,
    /// The lines of its last group.
    pub(crate) last_lines: Vec<u8>,
}

/// Check 8: reads the log of the store's segment, compares it with the store, and repairs what may be repaired.
pub(crate) fn open(files: &Files, segment: u32, store: &StoreRow) -> Result<Found, LedgerError> {
    set_unfinished_aside(files, segment, &store.chain)?;
    let path = files.segment(segment);
    let storage = |what: &'static str| {
        let path = path.clone();
        move |error: io::Error| failed(what, &path, &error)
    };
    let mut bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other.map_err(storage("read"))?,
    };
    let reading = read(&bytes);
    let repairs = compare(&reading, store).map_err(|problem| refusal(problem, &files.segment(segment)))?;
    if repairs.write_header {
        let StoreRow { ledger_id, witness_id, .. } = *store;
        bytes = Header { ledger_id, witness_id, segment, previous: [0; 32] }.line().0;
        create_whole(&path, &bytes).map_err(storage("write"))?;
    }
    if repairs.keep_copy {
        let copy = free_name(&path, "damaged");
        create_whole(&copy, &bytes).map_err(storage("copy"))?;
    }
    let appended: &[u8] = if repairs.append_group { &store.last_lines } else { &[] };
    if repairs.drop_tail {
        bytes.truncate(reading.valid_bytes);
    }
    bytes.extend_from_slice(appended);
    let reading = read(&bytes);
    let is_whole = reading.tail_bytes == 0 && (repairs.replay_group || reading.last_chain() == store.chain);
    let (Some(header), true) = (reading.header, is_whole) else {
        return Err(LedgerError::new(
            Problem::StoreDamaged,
            "the store's last group does not continue the log",
        ));
    };
    if repairs.drop_tail || repairs.append_group {
        let repair = || {
            let mut file = append(&path)?;
            file.set_len((bytes.len() - appended.len()) as u64)?;
            write_flushed(&mut file, appended)
        };
        repair().map_err(storage("repair"))?;
    }
    let accounts =
        crate::ledger::startup::replay(&reading.groups).expect("it was replayed by the comparison");
    let head = Head { seq: reading.last_seq(), group: reading.last_group(), chain: reading.last_chain() };
    let witness = Witness::open(files.clone(), header, head)?;
    let last_lines = reading.groups.last().map_or(Vec::new(), |group| bytes[group.bytes.clone()].to_vec());
    Ok(Found { witness, accounts, repairs, reading, last_lines })
}

/// Renames a segment after the store's that was begun and never taken into use. One that was: the store is older.
fn set_unfinished_aside(files: &Files, segment: u32, chain: &[u8; 32]) -> Result<(), LedgerError> {
    let entries = fs::read_dir(&files.witness).map_err(|error| failed("list", &files.witness, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| failed("list", &files.witness, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = name.strip_prefix("witness-").and_then(|name| name.strip_suffix(".log"));
        let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) else { continue };
        if number <= segment {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| failed("read", &path, &error))?;
        if !is_unfinished(&read(&bytes), segment, chain) {
            return Err(refusal(Problem::StoreOlder, &path));
        }
        let aside = free_name(&path, "unused");
        rename(&path, &aside).map_err(|error| failed("rename", &path, &error))?;
    }
    Ok(())
}

/// A name beside `path` that is not taken.
fn free_name(path: &std::path::Path, what: &str) -> PathBuf {
    let name = |n: u32| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{what}-{n}"));
        path.with_file_name(name)
    };
    (1..).map(name).find(|path| !path.exists()).expect("some number is free")
}

/// A problem that check 8 has found, in a sentence.
fn refusal(problem: Problem, path: &std::path::Path) -> LedgerError {
    let text = match problem {
        Problem::StoreOlder => "the store is older than its side log: it was restored or rolled back",
        Problem::WitnessOlder => "the side log is older than the store: it was restored or rolled back",
        Problem::WitnessDiffers => "store and side log are of two lives of one ledger",
        Problem::WitnessMissing => "the side log is missing",
        Problem::WitnessInconsistent => "the side log contradicts itself",
        Problem::ForeignWitness => "the side log is another ledger's",
        _ => "the side log is damaged",
    };
    LedgerError::new(problem, format_args!("{text} ({})", path.display()))
}
