//! The queue under loom: every order in which its threads can go on, with up to [`PREEMPTIONS`] changes of threads that
//! nothing asks for, and everything that each thread may see of memory then.
//!
//! Loom says by itself when all threads wait for each other, and when two touch an [`UnsafeCell`] with no order
//! between them.

use super::*;

/// They take seconds; five take minutes, and found nothing either.
const PREEMPTIONS: usize = 3;

/// Tries `scene` in every order.
fn in_every_order(scene: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.check(scene);
}

/// A number without a lock.
struct Place(UnsafeCell<u32>);

// SAFETY: none by itself: that two threads never use it at the same time is what is tested, and loom watches.
unsafe impl Sync for Place {}

impl Place {
    fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    fn add_one(&self) -> u32 {
        // SAFETY: the pointer is the cell's own; for the rest see above.
        self.0.with_mut(|number| unsafe {
            *number += 1;
            *number
        })
    }
}

/// Runs `count` jobs that each write to a place of the caller's, who then looks at all of them.
fn write_and_look(workers: &Workers, count: usize) {
    let places: Vec<Place> = (0..count).map(|_| Place::new()).collect();
    workers.run(places.iter().map(|place| Box::new(|| _ = place.add_one()) as Job<'_>).collect());
    for place in &places {
        assert_eq!(place.add_one(), 2);
    }
}

#[test]
fn every_job_runs_once_and_has_ended() {
    in_every_order(|| write_and_look(&Workers::new(2), 3));
}

/// A worker that has gone to sleep, or is about to, hears of the next call, and of the end.
#[test]
fn no_call_is_missed() {
    in_every_order(|| {
        let workers = Workers::new(1);
        write_and_look(&workers, 2);
        write_and_look(&workers, 2);
    });
}

#[test]
fn callers_share_workers() {
    in_every_order(|| {
        let workers = Arc::new(Workers::new(1));
        let other = Arc::clone(&workers);
        let caller = thread::spawn(move || write_and_look(&other, 2));
        write_and_look(&workers, 2);
        caller.join().expect("no panic");
    });
}

#[test]
fn jobs_hand_out_jobs() {
    in_every_order(|| {
        let workers = Workers::new(1);
        workers.run((0..2).map(|_| Box::new(|| write_and_look(&workers, 2)) as Job<'_>).collect());
    });
}

/// The other jobs have ended when the caller hears of a panic.
#[test]
fn a_panic_waits_for_the_others() {
    in_every_order(|| {
        let workers = Workers::new(1);
        let place = Place::new();
        let jobs: Vec<Job<'_>> =
            alloc::vec![Box::new(|| resume_unwind(Box::new("a job"))), Box::new(|| _ = place.add_one())];
        let caught = catch_unwind(AssertUnwindSafe(|| workers.run(jobs)));
        assert_eq!(caught.expect_err("a job panicked").downcast_ref(), Some(&"a job"));
        assert_eq!(place.add_one(), 2);
    });
}
