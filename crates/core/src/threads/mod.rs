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

    /// How many jobs run at the same time, at most; [`usize::MAX`], which is the default, if the pool cannot say. Results never
    /// depend on it, but where memory is taken for every job, there are no more jobs than that.
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

/// What `work` answers to each of `inputs`, in their order: a job for each.
///
/// # Panics
/// If the pool does not call every job.
pub fn answers<T: Send, R: Send>(
    pool: &dyn Pool,
    inputs: impl ExactSizeIterator<Item = T>,
    work: &(impl Fn(T) -> R + Sync),
) -> Vec<R> {
    let mut answers: Vec<Option<R>> = Vec::new();
    answers.resize_with(inputs.len(), || None);
    let jobs = inputs
        .zip(&mut answers)
        .map(|(input, answer)| Box::new(move || *answer = Some(work(input))) as Job<'_>);
    pool.run(jobs.collect());
    answers.into_iter().map(|answer| answer.expect("a pool calls every job")).collect()
}

#[cfg(feature = "parallel")]
mod parts;
#[cfg(feature = "parallel")]
mod team;
#[cfg(feature = "parallel")]
pub use team::Threads;

#[cfg(all(test, feature = "parallel", not(phalanx_loom)))]
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

    #[test]
    fn answers_come_in_order() {
        for pool in [&Inline as &dyn Pool, &Threads::new(3)] {
            for count in [0, 1, 2, 17] {
                assert_eq!(
                    answers(pool, 0..count, &|i| 3 * i),
                    (0..count).map(|i| 3 * i).collect::<Vec<_>>()
                );
            }
        }
    }

    /// A job may hand out jobs, and callers may share a team.
    #[test]
    fn calls_nest_and_meet() {
        let threads = Threads::new(3);
        let total = core::sync::atomic::AtomicUsize::new(0);
        let count = || {
            total.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
        };
        let inner = || threads.run((0..5).map(|_| Box::new(count) as Job<'_>).collect());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| threads.run((0..7).map(|_| Box::new(inner) as Job<'_>).collect()));
            }
        });
        assert_eq!(total.into_inner(), 4 * 7 * 5);
    }

    /// The caller hears of a panic after all jobs have ended, and the team works on.
    #[test]
    fn a_panic_is_the_callers() {
        use core::sync::atomic::{AtomicUsize, Ordering};
        let threads = Threads::new(2);
        for bad in [0, 3, 9] {
            let ended = AtomicUsize::new(0);
            let job = |i: usize| {
                assert!(i != bad, "job {i}");
                std::thread::sleep(core::time::Duration::from_millis(1));
                ended.fetch_add(1, Ordering::Relaxed);
            };
            let jobs = (0..10).map(|i| Box::new(move || job(i)) as Job<'_>).collect();
            let caught = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| threads.run(jobs)));
            let said = caught.expect_err("a job panicked").downcast::<alloc::string::String>();
            assert_eq!(*said.expect("a message"), alloc::format!("job {bad}"));
            assert_eq!(ended.into_inner(), 9);
        }
    }

    /// Threads that sleep are woken, and ended ones are not waited for.
    #[test]
    fn sleepers_wake_and_go_home() {
        let threads = Threads::new(4);
        for _ in 0..3 {
            let meeting = std::sync::Barrier::new(4);
            let job = || {
                meeting.wait();
            };
            threads.run((0..4).map(|_| Box::new(job) as Job<'_>).collect());
            std::thread::sleep(core::time::Duration::from_millis(5));
        }
        drop(threads.clone());
        drop(threads);
    }
}
