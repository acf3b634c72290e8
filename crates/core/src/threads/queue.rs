//! Threads that take jobs from a queue.
//!
//! A prover hands out work a dozen times in three milliseconds. Starting a thread, or waking one that sleeps, takes
//! up to a hundred microseconds of each; so the workers stay, and spin for a moment before they sleep.

#![allow(
    unsafe_code,
    reason = "jobs borrow from a caller who waits for them, but threads that stay cannot be told so"
)]

use super::pool::{Job, Pool};
use super::sync::{
    AtomicUsize, Caller, Condvar, JoinHandle, Mutex, MutexGuard, Ordering, UnsafeCell, spin_wait, thread,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{OnceLock, PoisonError};
use std::thread::available_parallelism;

/// A number of threads, for the functions that take a [`Pool`].
///
/// They are started by the first call that has work for them and end when the last clone is dropped; between calls they
/// sleep, after spinning for a moment. Several threads may use them at the same time, jobs as well.
#[derive(Clone)]
pub struct Threads {
    count: NonZeroUsize,
    workers: Arc<OnceLock<Workers>>,
}

impl Threads {
    /// `count` threads, the calling one included; at least one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count: NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN), workers: Arc::default() }
    }

    /// As many as the system says it can run at the same time.
    #[must_use]
    pub fn available() -> Self {
        Self::new(available_parallelism().map_or(1, NonZeroUsize::get))
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count.get()
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Threads").field(&self.count).finish()
    }
}

impl Pool for Threads {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        if self.count() == 1 || jobs.len() < 2 {
            jobs.into_iter().for_each(|job| job());
        } else {
            self.workers.get_or_init(|| Workers::new(self.count() - 1)).run(jobs);
        }
    }

    fn threads(&self) -> usize {
        self.count()
    }
}

/// The threads beside the callers.
struct Workers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

/// The batches that wait for threads.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Goes up with every change of `state` that workers have to know of.
    changes: AtomicUsize,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    batches: VecDeque<Arc<Batch>>,
    asleep: usize,
    ended: bool,
}

/// The jobs of one call.
struct Batch {
    jobs: Vec<Slot>,
    /// The first job that nobody has taken.
    next: AtomicUsize,
    /// Jobs of which nobody has said that they ended.
    left: AtomicUsize,
    /// What the first job that panicked said.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    caller: Caller,
}

/// Who draws its number takes the job.
struct Slot(UnsafeCell<Option<Job<'static>>>);

// SAFETY: a job may go to any thread, and only the one that drew the number of the slot touches it.
unsafe impl Sync for Slot {}

/// The lock; a poisoned one is taken all the same: no code that can panic runs while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    /// As many of `wanted` threads as the system lets start; the callers work, too.
    fn new(wanted: usize) -> Self {
        let queue = Arc::<Queue>::default();
        let start = |_| {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name("phalanx".into()).spawn(move || queue.serve()).ok()
        };
        let threads = (0..wanted).map_while(start).collect();
        Self { queue, threads }
    }

    /// Runs all jobs, some of them on the calling thread, and returns when all have ended. Panics as the first of those
    /// that panicked.
    fn run(&self, jobs: Vec<Job<'_>>) {
        let left = AtomicUsize::new(jobs.len());
        // SAFETY: a job is used only by being called, which consumes it, and this function does not return, nor unwind,
        // before `left` says that every job has been called and has ended; so none lives longer than what it borrows.
        let jobs = unsafe { core::mem::transmute::<Vec<Job<'_>>, Vec<Job<'static>>>(jobs) };
        let batch = Arc::new(Batch {
            jobs: jobs.into_iter().map(|job| Slot(UnsafeCell::new(Some(job)))).collect(),
            next: AtomicUsize::new(0),
            left,
            panic: Mutex::default(),
            caller: Caller::current(),
        });
        self.queue.push(Arc::clone(&batch));
        batch.work();
        self.queue.remove(&batch);
        spin_wait(|| batch.ended());
        while !batch.ended() {
            batch.caller.park();
        }
        if let Some(panic) = locked(&batch.panic).take() {
            resume_unwind(panic);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.queue.change(|state| state.ended = true);
        for worker in self.threads.drain(..) {
            // A worker catches the panics of jobs and has none of its own. The last clone may be dropped by a job: a
            // thread does not wait for itself.
            if worker.thread().id() != thread::current().id() {
                worker.join().ok();
            }
        }
    }
}

impl Queue {
    fn push(&self, batch: Arc<Batch>) {
        self.change(|state| state.batches.push_back(batch));
    }

    /// Removes a batch whose last job has been taken.
    fn remove(&self, batch: &Arc<Batch>) {
        locked(&self.state).batches.retain(|other| !Arc::ptr_eq(other, batch));
    }

    fn change(&self, make: impl FnOnce(&mut State)) {
        let asleep = {
            let mut state = locked(&self.state);
            make(&mut state);
            self.changes.fetch_add(1, Ordering::Release);
            state.asleep
        };
        if asleep > 0 {
            self.wake.notify_all();
        }
    }

    /// What a worker does until there are to be no more.
    fn serve(&self) {
        loop {
            let seen = self.changes.load(Ordering::Acquire);
            let (batch, ended) = {
                let state = locked(&self.state);
                (state.batches.front().cloned(), state.ended)
            };
            if let Some(batch) = batch {
                batch.work();
                self.remove(&batch);
                continue;
            }
            if ended {
                return;
            }
            let changed = || self.changes.load(Ordering::Acquire) != seen;
            if !spin_wait(changed) {
                let mut state = locked(&self.state);
                state.asleep += 1;
                while !changed() {
                    state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                state.asleep -= 1;
            }
        }
    }
}

impl Batch {
    /// Runs jobs until none is left to take. Between threads goes one number for every job, and one at the end: where
    /// they share no cache, each takes half a microsecond.
    fn work(&self) {
        let mut ended = 0;
        while let Some(slot) = self.jobs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            // SAFETY: every number is drawn once. The jobs were written before the batch was pushed, under a lock.
            let job = slot.0.with_mut(|job| unsafe { (*job).take() });
            if let Err(panic) = catch_unwind(AssertUnwindSafe(job.expect("one taker"))) {
                let mut first = locked(&self.panic);
                if first.is_none() {
                    *first = Some(panic);
                } else {
                    // Dropping what a stranger threw may panic in turn, and nothing may unwind from here.
                    core::mem::forget(panic);
                }
            }
            ended += 1;
        }
        // The last look at the batch: after it, the caller may be gone, though not the batch, which is counted.
        if ended > 0 && self.left.fetch_sub(ended, Ordering::Release) == ended {
            self.caller.unpark();
        }
    }

    fn ended(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }
}

#[cfg(all(test, phalanx_loom))]
mod loom_tests;
