//! Check 6: whether flushes take as long as a disk needs for them.
#![forbid(unsafe_code)]

use super::place::{Files, failed};
use crate::ledger::observer::Watched;
use crate::ledger::refused::LedgerError;
#[cfg(target_os = "linux")]
use rustix::fs::statfs;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is flushed each time, and how often.
const BYTES: usize = 4096;
const TIMES: usize = 8;

/// No disk flushes faster.
const FASTEST: Duration = Duration::from_micros(20);

/// The file system in memory, where flushes say nothing and nobody expects it.
#[cfg(target_os = "linux")]
const TMPFS: u64 = 0x0102_1994;

/// Tells the observer, if there is one, of folders whose flushes are suspiciously fast. Where nobody listens nothing is
/// tried: it takes eight flushes.
///
/// # Errors
/// A folder cannot be written.
pub(super) fn look(watched: &Watched, files: &Files) -> Result<(), LedgerError> {
    look_by(watched, files, File::sync_data)
}

/// The same, with another way to flush.
fn look_by(watched: &Watched, files: &Files, flush: fn(&File) -> io::Result<()>) -> Result<(), LedgerError> {
    if watched.0.is_none() {
        return Ok(());
    }
    let has_another = files.has_store && files.witness != files.folder;
    for folder in [Some(&files.witness), has_another.then_some(&files.folder)].into_iter().flatten() {
        let median = measure(folder, flush).map_err(|error| failed("flush in", folder, &error))?;
        if median < FASTEST && !is_in_memory(folder) {
            watched.tell(|observer| observer.suspicious_flush(folder, median));
        }
    }
    Ok(())
}

/// The median of the times that flushes in `folder` take.
fn measure(folder: &Path, flush: fn(&File) -> io::Result<()>) -> io::Result<Duration> {
    let path = folder.join("flush.probe");
    // A killed process may have left one.
    let _ = fs::remove_file(&path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let mut time = || {
        file.write_all(&[0; BYTES])?;
        let begun = Instant::now();
        flush(&file)?;
        Ok(begun.elapsed())
    };
    let times = (0..TIMES).map(|_| time()).collect::<io::Result<Vec<_>>>();
    fs::remove_file(&path)?;
    let mut times = times?;
    times.sort_unstable();
    Ok(times[TIMES / 2])
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
    use crate::ledger::durable::place::WitnessFolder;
    use crate::ledger::observer::{Committed, Observer};
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex};

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
        for folder in [&store, &log] {
            fs::create_dir_all(folder).expect("a new folder");
        }
        let files = Files::new(&store, &WitnessFolder::At(log.clone()), &[1; 16]);
        let heard = |flush| {
            let heard = Arc::new(Heard::default());
            look_by(&Watched(Some(Arc::clone(&heard) as _)), &files, flush).expect("it can be written");
            std::mem::take(&mut *heard.0.lock().expect("nobody panics"))
        };
        let suspicious = if is_in_memory(&base) { Vec::new() } else { vec![log.clone(), store] };
        assert_eq!(heard(|_| Ok(())), suspicious);
        let slow = |_: &File| {
            std::thread::sleep(Duration::from_micros(200));
            Ok(())
        };
        assert_eq!(heard(slow), Vec::<PathBuf>::new());
        assert!(!log.join("flush.probe").exists());
        look_by(&Watched(None), &files, |_| panic!("nobody listens")).expect("nothing is tried");
        fs::remove_dir_all(&base).expect("it is there");
    }
}
