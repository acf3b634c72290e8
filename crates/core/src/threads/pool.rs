//! What runs jobs.

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

    /// How many jobs run at the same time, at most; [`usize::MAX`], which is the default, if the pool cannot say.
    /// Results never depend on it, but where memory is taken for every job, there are no more jobs than that. Zero
    /// counts as one.
    fn threads(&self) -> usize {
        usize::MAX
    }
}

/// No threads: the jobs run on the calling thread, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inline;

impl Pool for Inline {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().for_each(|job| job());
    }

    fn threads(&self) -> usize {
        1
    }
}

/// How many jobs a pool runs at the same time, at most and at least one, whatever it says of itself.
pub fn jobs_at_once(pool: &dyn Pool) -> usize {
    pool.threads().max(1)
}

/// The results of `work` on each of `inputs`, in their order: a job for each.
///
/// # Panics
/// If the pool does not call every job.
pub fn map_on<T: Send, R: Send>(
    pool: &dyn Pool,
    inputs: impl ExactSizeIterator<Item = T>,
    work: &(impl Fn(T) -> R + Sync),
) -> Vec<R> {
    // Plain loops: iterators that collect would be compiled for every call of this function, dozens of functions each.
    let mut results: Vec<Option<R>> = Vec::with_capacity(inputs.len());
    for _ in 0..inputs.len() {
        results.push(None);
    }
    let mut jobs: Vec<Job<'_>> = Vec::with_capacity(inputs.len());
    for (input, result) in inputs.zip(&mut results) {
        jobs.push(Box::new(move || *result = Some(work(input))));
    }
    pool.run(jobs);
    let mut given = Vec::with_capacity(results.len());
    for result in results {
        given.push(result.expect("a pool calls every job"));
    }
    given
}
