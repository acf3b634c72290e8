//! Check 6: whether flushes take as long as a disk needs for them.
#![forbid(unsafe_code)]

use super::disk::{Disk, LogFile};
use super::place::{Files, failed};
use crate::ledger::observer::Watched;
use crate::ledger::refused::LedgerError;
use rustix::fs::statfs;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is flushed each time, and how often.
const BYTES: usize = 4096;
const TIMES: usize = 8;

/// No disk flushes faster.
const FASTEST: Duration = Duration::from_micros(20);

/// The file system in memory, where flushes say nothing and nobody expects it.
const TMPFS: u64 = 0x0102_1994;

/// Tells the observer, if there is one, of folders whose flushes are suspiciously fast. Where nobody listens nothing is
/// tried: it takes eight flushes.
///
/// # Errors
/// A folder cannot be written.
pub(super) fn look(watched: &Watched, disk: &dyn Disk, files: &Files) -> Result<(), LedgerError> {
    if watched.0.is_none() {
        return Ok(());
    }
    let has_another = files.has_store && files.witness != files.folder;
    for folder in [Some(&files.witness), has_another.then_some(&files.folder)].into_iter().flatten() {
        let median = measure(disk, folder).map_err(|error| failed("flush in", folder, &error))?;
        if median < FASTEST && !is_in_memory(folder) {
            watched.tell(|observer| observer.suspicious_flush(folder, median));
        }
    }
    Ok(())
}

/// The median of the times that flushes in `folder` take.
fn measure(disk: &dyn Disk, folder: &Path) -> io::Result<Duration> {
    let path = folder.join("flush.probe");
    // A killed process may have left one.
    let _ = fs::remove_file(&path);
    let mut file = disk.create(&path)?;
    let times = (0..TIMES).map(|_| time(&mut *file)).collect::<io::Result<Vec<_>>>();
    fs::remove_file(&path)?;
    let mut times = times?;
    times.sort_unstable();
    Ok(times[TIMES / 2])
}

fn time(file: &mut dyn LogFile) -> io::Result<Duration> {
    let bytes = [0; BYTES];
    let mut written = 0;
    while written < BYTES {
        match file.write(&bytes[written..])? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            more => written += more,
        }
    }
    let begun = Instant::now();
    file.flush()?;
    Ok(begun.elapsed())
}

#[cfg(target_os = "linux")]
fn is_in_memory(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|found| u64::try_from(found.f_type).unwrap_or(0) & 0xffff_ffff == TMPFS)
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_folder: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::observer::{Committed, Observer};
    use crate::ledger::sqlite::disk::{Mark, SystemDisk};
    use crate::ledger::sqlite::{LedgerOptions, NewLedger, SqliteLedger, WitnessFolder};
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex};

    /// A disk that says so at once, or after a time.
    struct Acknowledging(Duration);

    struct Unflushed(Box<dyn LogFile>, Duration);

    impl Disk for Acknowledging {
        fn append(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
            SystemDisk.append(path)
        }

        fn create(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
            Ok(Box::new(Unflushed(SystemDisk.create(path)?, self.0)))
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            SystemDisk.rename(from, to)
        }

        fn flush_folder(&self, folder: &Path) -> io::Result<()> {
            SystemDisk.flush_folder(folder)
        }
    }

    impl LogFile for Unflushed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            if !self.1.is_zero() {
                std::thread::sleep(self.1);
            }
            Ok(())
        }

        fn set_len(&mut self, len: u64) -> io::Result<()> {
            self.0.set_len(len)
        }

        fn mark(&self) -> io::Result<Mark> {
            self.0.mark()
        }
    }

    #[derive(Default)]
    struct Heard(Mutex<Vec<PathBuf>>);

    impl Observer for Heard {
        fn committed(&self, _: &Committed) {}

        fn repaired(&self, _: &str) {}

        fn suspicious_flush(&self, folder: &Path, median: Duration) {
            assert!(median < FASTEST);
            self.0.lock().expect("nobody panics").push(folder.to_owned());
        }
    }

    #[test]
    fn flushes_that_take_no_time_are_suspicious() {
        // Where the program is, which is a disk in most places.
        let program = std::env::current_exe().expect("it has a place");
        let base = program.parent().expect("a folder").join(format!("flush-{}", std::process::id()));
        let (store, log) = (base.join("store"), base.join("log"));
        let heard = |time: Duration| {
            let heard = Arc::new(Heard::default());
            let options = LedgerOptions::new(&store).witness(WitnessFolder::At(log.clone()));
            let options = options.allow_file_system("overlay").disk(Arc::new(Acknowledging(time)));
            if !store.exists() {
                SqliteLedger::create(&options, NewLedger::default()).expect("a new ledger");
            }
            drop(SqliteLedger::open(&options.observer(Arc::clone(&heard) as _)).expect("it opens"));
            std::mem::take(&mut *heard.0.lock().expect("nobody panics"))
        };
        let wanted = if is_in_memory(&base) { Vec::new() } else { vec![log.clone(), store.clone()] };
        assert_eq!(heard(Duration::ZERO), wanted);
        assert_eq!(heard(Duration::from_micros(200)), Vec::<PathBuf>::new());
        assert!(!log.join("flush.probe").exists());
        fs::remove_dir_all(&base).expect("it is there");
    }
}
