//! One who commits for many: a thread that has something to itself, such as files, does together whatever waits for it.
//!
//! Ten callers that each want a flush get one between them. Nobody is answered before that is done.

use super::sync::{JoinHandle, Receiver, SyncSender, sync_channel, thread};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError};

/// What does the work, in a thread of its own.
pub trait Committer: Send + Sized + 'static {
    /// What callers ask for.
    type Request: Send + 'static;
    /// What they are told.
    type Answer: Send + 'static;
    /// From so many requests on a group takes no more callers in.
    const MOST: usize;

    /// Answers requests, in their order. What they were told of is done, for good, when this returns.
    fn commit(&mut self, requests: Vec<Self::Request>) -> Vec<Self::Answer>;

    /// For how long it may be left alone; `None`: until somebody asks.
    fn rest(&self) -> Option<Duration>;

    /// Looks after what it has: after every work, and when it was left alone for [`Self::rest`].
    fn look_after(&mut self);

    /// The end: all that was asked for before has been answered.
    fn stop(self);
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Too many wait, or it took too long: nobody knows whether it was done.
    Late,
    /// The thread has ended.
    Ended,
}

enum Work<C: Committer> {
    Requests(Vec<C::Request>, SyncSender<Vec<C::Answer>>),
    Act(Box<dyn FnOnce(&mut C) + Send>),
    Stop,
}

/// The thread of a [`Committer`], and the queue before it.
pub struct Committing<C: Committer> {
    queue: Option<SyncSender<Work<C>>>,
    thread: Option<JoinHandle<()>>,
}

impl<C: Committer> Committing<C> {
    /// Starts the thread, called `name`, with room for `room` callers that wait.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(name: &str, room: usize, committer: C) -> io::Result<Self> {
        let (queue, works) = sync_channel(room);
        let thread =
            thread::Builder::new().name(String::from(name)).spawn(move || life(committer, &works))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    fn queue(&self) -> &SyncSender<Work<C>> {
        self.queue.as_ref().expect("taken only when this is dropped")
    }

    /// The answers to `requests`, as soon as they are committed, but not after `patience`.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn ask(&self, requests: Vec<C::Request>, patience: Duration) -> Result<Vec<C::Answer>, NoAnswer> {
        let (answer, answered) = sync_channel(1);
        self.queue().try_send(Work::Requests(requests, answer)).map_err(|error| match error {
            TrySendError::Full(_) => NoAnswer::Late,
            TrySendError::Disconnected(_) => NoAnswer::Ended,
        })?;
        answered.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoAnswer::Late,
            RecvTimeoutError::Disconnected => NoAnswer::Ended,
        })
    }

    /// Has `act` done between two groups, however long that takes.
    ///
    /// # Errors
    /// [`NoAnswer::Ended`].
    pub fn act<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut C) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let (answer, answered) = sync_channel(1);
        let act = move |committer: &mut C| {
            // Nobody may be waiting any more.
            let _ = answer.send(act(committer));
        };
        self.queue().send(Work::Act(Box::new(act))).map_err(|_| NoAnswer::Ended)?;
        answered.recv().map_err(|_| NoAnswer::Ended)
    }

    /// Whether the thread has ended although nobody has stopped it.
    #[cfg(not(all(test, phalanx_loom)))]
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Lets go of thread and queue and touches neither: in a fork the thread is not there, and the queue is the parent's.
    pub fn forget(&mut self) {
        core::mem::forget((self.queue.take(), self.thread.take()));
    }
}

impl<C: Committer> Drop for Committing<C> {
    /// Waits until all that was asked for is answered, and the committer has stopped.
    fn drop(&mut self) {
        let stopping = self.queue.take().is_some_and(|queue| queue.send(Work::Stop).is_ok());
        if let (Some(thread), true) = (self.thread.take(), stopping) {
            // A panic there has been told to everybody who asked.
            let _ = thread.join();
        }
    }
}

/// The life of the thread: everything that waits is one group.
fn life<C: Committer>(mut committer: C, works: &Receiver<Work<C>>) {
    let mut next = None;
    while let Some(work) = next.take().or_else(|| wait(&mut committer, works)) {
        match work {
            Work::Stop => break,
            Work::Act(act) => act(&mut committer),
            Work::Requests(requests, answer) => next = group(&mut committer, works, requests, answer),
        }
        committer.look_after();
    }
    committer.stop();
}

/// The next work. While none comes, the committer looks after what it has.
fn wait<C: Committer>(committer: &mut C, works: &Receiver<Work<C>>) -> Option<Work<C>> {
    loop {
        let Some(rest) = committer.rest() else { return works.recv().ok() };
        match works.recv_timeout(rest) {
            Ok(work) => return Some(work),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => committer.look_after(),
        }
    }
}

/// Answers what waits, as far as one group goes. Returns work of another kind that came between.
fn group<C: Committer>(
    committer: &mut C,
    works: &Receiver<Work<C>>,
    mut requests: Vec<C::Request>,
    answer: SyncSender<Vec<C::Answer>>,
) -> Option<Work<C>> {
    let mut waiting = alloc::vec![(requests.len(), answer)];
    let mut other = None;
    while requests.len() < C::MOST {
        match works.try_recv() {
            Ok(Work::Requests(more, answer)) => {
                waiting.push((more.len(), answer));
                requests.extend(more);
            }
            Ok(work) => {
                other = Some(work);
                break;
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
        }
    }
    let mut answers = committer.commit(requests).into_iter();
    for (count, answer) in waiting {
        // Who has stopped waiting asks again.
        let _ = answer.send(answers.by_ref().take(count).collect());
    }
    other
}

#[cfg(all(test, phalanx_loom))]
mod loom_tests;
#[cfg(all(test, not(phalanx_loom)))]
mod tests;
