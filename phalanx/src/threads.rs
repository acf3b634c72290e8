//! Threads, only where the caller brings them.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// A piece of work that may run on any thread.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Something that runs independent jobs, perhaps at the same time.
///
/// A pool of the caller's is a few lines; with rayon, for example, `run` is
/// `self.0.install(|| jobs.into_par_iter().for_each(|job| job()))`.
pub trait Pool: Sync {
    /// Calls every job, in any order and on any threads, and returns when all have returned.
    fn run<'a>(&self, jobs: Vec<Job<'a>>);
}

/// No threads: the jobs run on the calling thread, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inline;

impl Pool for Inline {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().for_each(|job| job());
    }
}

/// A number of threads, started for each call and ended with it.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy, Debug)]
pub struct Threads(core::num::NonZeroUsize);

#[cfg(feature = "parallel")]
impl Threads {
    /// `count` threads, the calling one included; at least one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self(core::num::NonZeroUsize::new(count).unwrap_or(core::num::NonZeroUsize::MIN))
    }

    /// As many as the system says it can run at the same time.
    #[must_use]
    pub fn available() -> Self {
        Self(std::thread::available_parallelism().unwrap_or(core::num::NonZeroUsize::MIN))
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.get()
    }
}

#[cfg(feature = "parallel")]
impl Pool for Threads {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        let helpers = self.count().min(jobs.len()).saturating_sub(1);
        let queue = std::sync::Mutex::new(jobs.into_iter());
        // A poisoned lock is taken all the same: an iterator of boxes has no invariant that a panic could break, and
        // the scope hands the panic of a job on to the caller.
        let next = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
        let work = || {
            while let Some(job) = next() {
                job();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(work);
            }
            work();
        });
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn every_job_runs_once() {
        for pool in
            [&Inline as &dyn Pool, &Threads::new(0), &Threads::new(1), &Threads::new(3), &Threads::new(100)]
        {
            for count in [0, 1, 2, 17] {
                let mut counts = alloc::vec![0; count];
                let add = |n: &mut i32| *n += 1;
                pool.run(counts.iter_mut().map(|n| Box::new(move || add(n)) as Job<'_>).collect());
                assert_eq!(counts, alloc::vec![1; count]);
            }
        }
    }
}
