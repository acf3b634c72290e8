//! The whole job on one machine: threads, bounded memory, and what is done already left as it is.

use crate::chunk;
use crate::error::Error;
use crate::files::{chunk_file, is_done, write};
use crate::gather::{Quarantine, report};
use crate::options::Options;
use crate::plan::Plan;
use crate::report::{Rates, Report};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

/// How a job is run. None of it changes a byte of the report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// Threads; 0 is one for each core.
    pub threads: usize,
    /// Bytes for what is read and verified.
    pub memory_bytes: u64,
    /// Whether a folder may be there already, with chunks of the same plan.
    pub resume: bool,
}

impl Default for Run {
    fn default() -> Self {
        Self { threads: 0, memory_bytes: 512 << 20, resume: false }
    }
}

/// Verifies all rows of `files`, and writes plan, results and report to `folder`. `progress` is told rows done, by this
/// call and before, and rows in all, and may stop it.
///
/// # Errors
/// As [`Plan::make`], [`verify`](crate::verify) and [`report`]; [`Error::Usage`] if the folder is not empty and nothing is
/// to be resumed, or what is in it is of another plan; [`Error::Stopped`] if `progress` answered [`ControlFlow::Break`].
pub fn run(
    files: &[String],
    options: &Options,
    how: &Run,
    folder: &Path,
    progress: &(dyn Fn(u64, u64) -> ControlFlow<()> + Sync),
) -> Result<Report, Error> {
    let begun = Instant::now();
    let threads = match how.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    // Before the files are read: that takes long.
    check_folder(folder, how.resume)?;
    let as_they_were = times(files);
    let plan = Plan::make(files, options, threads, how.memory_bytes)?;
    take_folder(folder, &plan, how.resume)?;
    let planned_s = begun.elapsed().as_secs_f64();
    let digest = plan.digest();
    let is_done: Vec<bool> = plan
        .chunks
        .iter()
        .enumerate()
        .map(|(index, chunk)| is_done(folder, &digest, index, chunk.rows))
        .collect();
    let total = plan.chunks.iter().map(|chunk| chunk.rows).sum();
    let before =
        plan.chunks.iter().zip(&is_done).filter(|(_, done)| **done).map(|(chunk, _)| chunk.rows).sum();
    if progress(before, total).is_break() {
        return Err(Error::Stopped);
    }
    let job = Job {
        plan: &plan,
        digest,
        folder,
        is_done,
        memory_bytes: how.memory_bytes,
        state: Mutex::new(State { next: 0, in_use: 0, rows: before, failed: None }),
        freed: Condvar::new(),
        progress: &|rows| progress(rows, total),
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(plan.chunks.len()) {
            scope.spawn(|| job.work());
        }
        job.work();
    });
    let state = job.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.failed {
        return Err(error);
    }
    if times(files) != as_they_were {
        return Err(Error::usage(
            "a file was written to while it was read: its digest and its rows may be of two states",
        ));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let rows = total - before;
    let rates = Rates { rows, rows_before: before, threads, planned_s, seconds };
    report(&plan, folder, &Quarantine::new(), Some(&rates))
}

/// When each file was last written to, where the system says.
fn times(files: &[String]) -> Vec<Option<SystemTime>> {
    files.iter().map(|file| fs::metadata(file).and_then(|metadata| metadata.modified()).ok()).collect()
}

/// Looks if results may be put into `folder`.
fn check_folder(folder: &Path, resume: bool) -> Result<(), Error> {
    let is_used = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_used && !resume {
        return Err(Error::usage(format_args!(
            "'{}' is not empty: --resume goes on with what is in it",
            folder.display()
        )));
    }
    Ok(())
}

/// Makes `folder` the place of this plan's results. Only if it `resume`s may it be that of the same plan already.
///
/// # Errors
/// [`Error::Usage`] if something else is there; [`Error::System`] if it cannot be written to.
pub fn take_folder(folder: &Path, plan: &Plan, resume: bool) -> Result<(), Error> {
    check_folder(folder, resume)?;
    let chunks = folder.join("chunks");
    fs::create_dir_all(&chunks).map_err(|error| Error::write(&chunks, &error))?;
    let file = folder.join("plan.json");
    if resume && file.exists() {
        if Plan::read(&file)? == *plan {
            return Ok(());
        }
        return Err(Error::usage(format_args!(
            "'{}' holds results of other files, or of other options",
            folder.display()
        )));
    }
    write(&file, &plan.to_json())
}

/// What the threads share.
struct Job<'a> {
    plan: &'a Plan,
    digest: [u8; 32],
    folder: &'a Path,
    is_done: Vec<bool>,
    memory_bytes: u64,
    state: Mutex<State>,
    /// Memory was given back.
    freed: Condvar,
    progress: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync),
}

struct State {
    next: usize,
    in_use: u64,
    rows: u64,
    failed: Option<Error>,
}

impl Job<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does chunks until there are none.
    fn work(&self) {
        while let Some(index) = self.take() {
            let chunk = &self.plan.chunks[index];
            let done = chunk::verify(self.plan, index).and_then(|result| {
                write(&chunk_file(self.folder, index), &result.to_bytes(&self.digest, index))
            });
            let mut state = self.state();
            state.in_use -= chunk.memory_bytes;
            state.rows += chunk.rows;
            let rows = state.rows;
            if let Err(error) = done {
                state.failed.get_or_insert(error);
            }
            drop(state);
            self.freed.notify_all();
            if (self.progress)(rows).is_break() {
                self.state().failed.get_or_insert(Error::Stopped);
            }
        }
    }

    /// The next chunk, as soon as there is memory for it. No chunk needs more than all.
    fn take(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            while self.is_done.get(state.next) == Some(&true) {
                state.next += 1;
            }
            let chunk = self.plan.chunks.get(state.next)?;
            if state.failed.is_some() {
                return None;
            }
            if state.in_use == 0 || state.in_use + chunk.memory_bytes <= self.memory_bytes {
                state.in_use += chunk.memory_bytes;
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
