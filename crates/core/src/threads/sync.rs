//! What the queues are made of: parts of the standard library or, in tests built with `--cfg phalanx_loom`, those of
//! loom, which tries the orders in which threads can go on and what each may then see of memory.

#[cfg(all(test, phalanx_loom))]
mod chosen {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::{self, JoinHandle};

    use alloc::collections::VecDeque;
    use core::time::Duration;
    use loom::sync::Arc;
    use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

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

    /// [`std::sync::mpsc::sync_channel`], which loom has not: its own has room without end and does not see that the other side
    /// is gone. Time does not exist here: who waits with patience waits for ever.
    pub(crate) fn sync_channel<T>(room: usize) -> (SyncSender<T>, Receiver<T>) {
        let line = Arc::new(Line { inner: Mutex::new(Inner::default()), change: Condvar::new(), room });
        (SyncSender(Arc::clone(&line)), Receiver(line))
    }

    struct Line<T> {
        inner: Mutex<Inner<T>>,
        change: Condvar,
        room: usize,
    }

    struct Inner<T> {
        waiting: VecDeque<T>,
        /// The other side is gone.
        is_cut: bool,
    }

    impl<T> Default for Inner<T> {
        fn default() -> Self {
            Self { waiting: VecDeque::new(), is_cut: false }
        }
    }

    impl<T> Line<T> {
        /// Waits until `ready` has an answer.
        fn wait<R>(&self, mut ready: impl FnMut(&mut Inner<T>) -> Option<R>) -> R {
            let mut inner = self.inner.lock().expect("no panic");
            loop {
                if let Some(answer) = ready(&mut inner) {
                    drop(inner);
                    self.change.notify_all();
                    return answer;
                }
                inner = self.change.wait(inner).expect("no panic");
            }
        }

        fn cut(&self) {
            let mut inner = self.inner.lock().expect("no panic");
            inner.is_cut = true;
            drop(inner);
            self.change.notify_all();
        }
    }

    pub(crate) struct SyncSender<T>(Arc<Line<T>>);

    impl<T> SyncSender<T> {
        pub(crate) fn send(&self, value: T) -> Result<(), SendError<T>> {
            let mut value = Some(value);
            self.0.wait(|inner| {
                if inner.is_cut {
                    return Some(Err(SendError(value.take().expect("sent once"))));
                }
                (inner.waiting.len() < self.0.room).then(|| {
                    inner.waiting.push_back(value.take().expect("sent once"));
                    Ok(())
                })
            })
        }

        pub(crate) fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
            let mut value = Some(value);
            self.0.wait(|inner| {
                let value = value.take().expect("sent once");
                Some(if inner.is_cut {
                    Err(TrySendError::Disconnected(value))
                } else if inner.waiting.len() >= self.0.room {
                    Err(TrySendError::Full(value))
                } else {
                    inner.waiting.push_back(value);
                    Ok(())
                })
            })
        }
    }

    impl<T> Drop for SyncSender<T> {
        fn drop(&mut self) {
            self.0.cut();
        }
    }

    pub(crate) struct Receiver<T>(Arc<Line<T>>);

    impl<T> Receiver<T> {
        pub(crate) fn recv(&self) -> Result<T, RecvError> {
            self.0.wait(|inner| match inner.waiting.pop_front() {
                Some(value) => Some(Ok(value)),
                None => inner.is_cut.then_some(Err(RecvError)),
            })
        }

        pub(crate) fn recv_timeout(&self, _patience: Duration) -> Result<T, RecvTimeoutError> {
            self.recv().map_err(|RecvError| RecvTimeoutError::Disconnected)
        }

        pub(crate) fn try_recv(&self) -> Result<T, TryRecvError> {
            self.0.wait(|inner| {
                Some(match inner.waiting.pop_front() {
                    Some(value) => Ok(value),
                    None if inner.is_cut => Err(TryRecvError::Disconnected),
                    None => Err(TryRecvError::Empty),
                })
            })
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            // What waits is dropped, outside the lock: the values have channels of their own.
            let waiting = core::mem::take(&mut self.0.inner.lock().expect("no panic").waiting);
            drop(waiting);
            self.0.cut();
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
    pub(crate) use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
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
