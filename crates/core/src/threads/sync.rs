//! What the queue is made of: parts of the standard library or, in tests built with `--cfg phalanx_loom`, those of
//! loom, which tries the orders in which threads can go on and what each may then see of memory.

#[cfg(all(test, phalanx_loom))]
mod chosen {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::{self, JoinHandle};

    /// [`std::thread::park`] as its documentation has it: loom's own wakes a thread that waits for a lock, too.
    #[derive(Default)]
    pub(crate) struct Caller {
        token: Mutex<bool>,
        wake: Condvar,
    }

    impl Caller {
        pub(crate) fn current() -> Self {
            Self::default()
        }

        pub(crate) fn park(&self) {
            let mut token = self.token.lock().expect("no panic");
            while !*token {
                token = self.wake.wait(token).expect("no panic");
            }
            *token = false;
        }

        pub(crate) fn unpark(&self) {
            *self.token.lock().expect("no panic") = true;
            self.wake.notify_one();
        }
    }

    /// A single question: time does not exist here, and a thread that is told no goes to sleep.
    pub(crate) fn spin_wait(done: impl Fn() -> bool) -> bool {
        done()
    }
}

#[cfg(not(all(test, phalanx_loom)))]
mod chosen {
    pub(crate) use core::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread::{self, JoinHandle};

    use core::cell;
    use core::time::Duration;
    use std::time::Instant;

    /// How long a thread without work spins before it sleeps: longer than what a prover does alone between two
    /// phases, and short beside what is lost by waking.
    const SPIN: Duration = Duration::from_micros(200);

    /// Questions between two looks at the clock, about a microsecond.
    const QUESTIONS: usize = 50;

    /// A [`cell::UnsafeCell`] with loom's interface.
    pub(crate) struct UnsafeCell<T>(cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(cell::UnsafeCell::new(value))
        }

        /// What `work` makes of the pointer to the value.
        pub(crate) fn with_mut<R>(&self, work: impl FnOnce(*mut T) -> R) -> R {
            work(self.0.get())
        }
    }

    /// A thread that may have to wait.
    pub(crate) struct Caller(thread::Thread);

    impl Caller {
        pub(crate) fn current() -> Self {
            Self(thread::current())
        }

        /// Called by that thread: sleeps until it is unparked, if it was not before, or for no reason.
        pub(crate) fn park(&self) {
            debug_assert_eq!(self.0.id(), thread::current().id(), "a thread parks itself");
            thread::park();
        }

        pub(crate) fn unpark(&self) {
            self.0.unpark();
        }
    }

    /// Spins for a moment until `done`, and tells whether it was.
    pub(crate) fn spin_wait(done: impl Fn() -> bool) -> bool {
        let begun = Instant::now();
        loop {
            for _ in 0..QUESTIONS {
                if done() {
                    return true;
                }
                core::hint::spin_loop();
            }
            if begun.elapsed() > SPIN {
                return false;
            }
            // Where threads are more than cores, those that have work come first.
            thread::yield_now();
        }
    }
}

pub(super) use chosen::*;
