//! Threads, only where the caller brings them.

#[cfg(feature = "parallel")]
mod committer;
mod pool;
#[cfg(feature = "parallel")]
mod queue;
#[cfg(feature = "parallel")]
mod sync;

#[cfg(feature = "parallel")]
pub use committer::{Committer, Committing, NoAnswer};
pub use pool::{Inline, Job, Pool, jobs_at_once, map_on};
#[cfg(feature = "parallel")]
pub use queue::Threads;

#[cfg(all(test, feature = "parallel", not(phalanx_loom)))]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::vec::Vec;

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
    fn results_come_in_order() {
        for pool in [&Inline as &dyn Pool, &Threads::new(3)] {
            for count in [0, 1, 2, 17] {
                assert_eq!(map_on(pool, 0..count, &|i| 3 * i), (0..count).map(|i| 3 * i).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_pool_runs_one_job_at_least() {
        struct Modest;
        impl Pool for Modest {
            fn run<'a>(&self, jobs: Vec<Job<'a>>) {
                Inline.run(jobs);
            }

            fn threads(&self) -> usize {
                0
            }
        }
        assert_eq!(jobs_at_once(&Modest), 1);
        assert_eq!(jobs_at_once(&Threads::new(3)), 3);
    }

    /// A job may hand out jobs, and callers may share the threads.
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

    /// The caller hears of a panic after all jobs have ended, and the threads work on.
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
