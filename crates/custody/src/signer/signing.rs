//! The queue of signatures that are wanted, and the threads that make them.
//!
//! What waits together is reserved together: a thread takes all of it, and the ledger writes it as one group. While the
//! group is flushed the next thread collects the next one.
#![forbid(unsafe_code)]

use super::errors::{Code, Failure};
use super::journal::Journal;
use super::keys::{Guard, Secret, ServedKey};
use super::limits::lock;
use super::metrics::Metrics;
use super::opened::OpenedLedger;
use super::subject::Subject;
use super::windows::Windows;
use crate::hexadecimal;
use crate::ledger::sign_bytes::Timestamp;
use crate::ledger::sqlite::SqliteLedger;
use crate::ledger::{GuardError, Guarded, Position, Refused, Signed, Wanted};
use phalanx_core::{Inline, Pool, Threads};
use phalanx_xmss::Format;
use phalanx_xmss::any::{Signature, SigningKey};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Most signatures that a thread takes at once.
const TOGETHER: usize = 256;
/// A thread that works longer on what it has taken hangs.
const HANGS: Duration = Duration::from_secs(10);

/// A signature that is wanted by a client that may have it.
pub(super) struct Wish {
    /// Of which key.
    pub(super) key: Arc<ServedKey>,
    /// Of what.
    pub(super) subject: Subject,
    /// By whom.
    pub(super) client: Arc<str>,
    /// Since when.
    pub(super) since: Instant,
}

/// A signature.
#[derive(Clone)]
pub(super) struct Given {
    /// Its bytes.
    pub(super) signature: Vec<u8>,
    /// Whether it had been given before.
    pub(super) repeated: bool,
    /// The time that it signs, of a vote or proposal.
    pub(super) timestamp: Option<Timestamp>,
}

type Answers = Vec<Result<Given, Failure>>;

/// What is wanted by one request.
struct Job {
    wishes: Vec<Wish>,
    answer: oneshot::Sender<Answers>,
}

/// What the threads need.
pub(super) struct Workshop {
    /// The ledger.
    pub(super) ledger: Arc<OpenedLedger>,
    /// Where is counted.
    pub(super) metrics: Arc<Metrics>,
    /// Where is written down who asked for what.
    pub(super) journal: Journal,
    /// Who computes trees ahead.
    pub(super) windows: Arc<Windows>,
}

/// What a thread is doing: since how many milliseconds after the start, plus one; 0 if nothing.
struct Beat(AtomicU64);

/// The queue.
pub(super) struct Queue {
    jobs: Mutex<Option<Sender<Job>>>,
    waiting: Arc<AtomicUsize>,
    most: usize,
    beats: Arc<Vec<Beat>>,
    start: Instant,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Queue {
    /// A queue for at most `most` signatures, with `threads` threads.
    pub(super) fn new(workshop: Workshop, most: u32, threads: u32) -> std::io::Result<Self> {
        let (jobs, waiting_jobs) = channel();
        let waiting_jobs = Arc::new(Mutex::new(waiting_jobs));
        let (waiting, start) = (Arc::new(AtomicUsize::new(0)), Instant::now());
        let beats: Arc<Vec<Beat>> = Arc::new((0..threads).map(|_| Beat(AtomicU64::new(0))).collect());
        let (workshop, pool) = (Arc::new(workshop), Arc::new(Threads::available()));
        let work = |number: usize| {
            let (jobs, waiting, beats) =
                (Arc::clone(&waiting_jobs), Arc::clone(&waiting), Arc::clone(&beats));
            let (workshop, pool) = (Arc::clone(&workshop), Arc::clone(&pool));
            let work = move || {
                while let Some(jobs) = take(&jobs, &waiting) {
                    beats[number].0.store(millis(start) + 1, Relaxed);
                    workshop.work(jobs, &*pool);
                    beats[number].0.store(0, Relaxed);
                }
            };
            thread::Builder::new().name(format!("phalanx-sign-{number}")).spawn(work)
        };
        let threads = (0..beats.len()).map(work).collect::<std::io::Result<_>>()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let jobs = Mutex::new(Some(jobs));
        Ok(Self { jobs, waiting, most, beats, start, threads: Mutex::new(threads) })
    }

    /// Has signatures made. Refused at once where too many wait.
    pub(super) fn ask(&self, wishes: Vec<Wish>) -> Result<oneshot::Receiver<Answers>, Code> {
        let (answer, answered) = oneshot::channel();
        let jobs = lock(&self.jobs);
        let jobs = jobs.as_ref().ok_or(Code::Stopping)?;
        let count = wishes.len();
        if self.waiting.load(Relaxed) + count > self.most {
            return Err(Code::Unavailable);
        }
        self.waiting.fetch_add(count, Relaxed);
        jobs.send(Job { wishes, answer }).map_err(|_| Code::Internal)?;
        Ok(answered)
    }

    /// How many signatures wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Whether a thread hangs, or has died.
    pub(super) fn hangs(&self) -> bool {
        let (now, bound) = (millis(self.start), u64::try_from(HANGS.as_millis()).unwrap_or(u64::MAX));
        let is_long = |beat: &Beat| {
            let since = beat.0.load(Relaxed);
            since > 0 && now.saturating_sub(since) > bound
        };
        let is_stopping = lock(&self.jobs).is_none();
        self.beats.iter().any(is_long)
            || (!is_stopping && lock(&self.threads).iter().any(JoinHandle::is_finished))
    }

    /// Takes nothing more, and waits until what was taken is done, at most until `end`. Says whether it is.
    pub(super) fn stop(&self, end: Instant) -> bool {
        drop(lock(&self.jobs).take());
        let mut threads = lock(&self.threads);
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
        let is_done = threads.iter().all(JoinHandle::is_finished);
        if is_done {
            for thread in threads.drain(..) {
                // One that has panicked has answered nobody.
                let _ = thread.join();
            }
        }
        is_done
    }
}

fn millis(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
}

/// All that waits, up to what a thread takes at once. `None` when nothing will come any more.
fn take(jobs: &Mutex<Receiver<Job>>, waiting: &AtomicUsize) -> Option<Vec<Job>> {
    let jobs = lock(jobs);
    let first = jobs.recv().ok()?;
    let mut count = first.wishes.len();
    let mut taken = vec![first];
    while count < TOGETHER {
        let Ok(job) = jobs.try_recv() else { break };
        count += job.wishes.len();
        taken.push(job);
    }
    waiting.fetch_sub(count, Relaxed);
    Some(taken)
}

impl Workshop {
    fn work(&self, jobs: Vec<Job>, pool: &dyn Pool) {
        let wishes: Vec<&Wish> = jobs.iter().flat_map(|job| &job.wishes).collect();
        let mut answers = self.sign(&wishes, pool).into_iter();
        for (wish, answer) in wishes.iter().zip(answers.as_slice()) {
            self.note(wish, answer);
        }
        for job in jobs {
            // Who has stopped waiting asks again, and gets the same.
            let _ = job.answer.send(answers.by_ref().take(job.wishes.len()).collect());
        }
    }

    fn sign(&self, wishes: &[&Wish], pool: &dyn Pool) -> Answers {
        let guards: Vec<Result<Guard, Code>> = wishes.iter().map(|wish| self.guard(&wish.key)).collect();
        let mut wanted: Vec<Wanted<'_, SqliteLedger, SigningKey>> = Vec::new();
        for (wish, guard) in wishes.iter().zip(&guards) {
            if let (Subject::Epoch(epoch, message), Ok(Guard::Xmss(key))) = (&wish.subject, guard) {
                wanted.push((&**key, *epoch, message));
            }
        }
        // Sharing out a few signatures takes longer than making them.
        let pool: &dyn Pool = if wanted.len() < 4 { &Inline } else { pool };
        let mut signed = Guarded::answer_prepared(&wanted, pool).into_iter();
        let mut answers = Vec::with_capacity(wishes.len());
        for (wish, guard) in wishes.iter().zip(&guards) {
            answers.push(match (&wish.subject, guard) {
                (Subject::Epoch(epoch, _), Ok(Guard::Xmss(_))) => {
                    let signed = signed.next().expect("there is one for each that was wanted");
                    self.conclude(&wish.key, *epoch, signed)
                }
                (Subject::Consensus { chain, height, round, step, sign_bytes }, Ok(Guard::Ed25519(key))) => {
                    let position = Position::Consensus { chain, height: *height, round: *round, step: *step };
                    let given = key.sign(position, sign_bytes).map(|signed| Given {
                        signature: signed.signature.to_bytes().to_vec(),
                        repeated: signed.is_repeat,
                        timestamp: Some(signed.timestamp),
                    });
                    given.map_err(|error| Failure::consensus(&error))
                }
                (_, Err(code)) => Err((*code).into()),
                (_, Ok(_)) => Err(Code::WrongScheme.into()),
            });
        }
        answers
    }

    /// The key with its ledger, if that is open and still the one that keeps the key.
    fn guard(&self, key: &ServedKey) -> Result<Guard, Code> {
        let guard = key.guard().ok_or(Code::Unavailable)?;
        self.ledger.claim().keeps(&key.key_id).map_err(|refused| {
            self.journal.note("not_kept_here", &[("key_id", &key.key_id), ("answer", &refused.code())]);
            Code::Ledger(refused)
        })?;
        Ok(guard)
    }

    fn conclude(
        &self,
        key: &ServedKey,
        epoch: u32,
        signed: Result<Signed<Signature>, GuardError>,
    ) -> Result<Given, Failure> {
        let Secret::Xmss(moving) = &key.secret else { return Err(Code::Internal.into()) };
        match signed {
            Ok(Signed { signature, repeated }) => {
                if moving.highest.fetch_max(epoch.into(), Relaxed) < u64::from(epoch) {
                    self.windows.look_at(moving);
                }
                let signature = signature.to_bytes(Format::Ssz).expect("every set has SSZ");
                Ok(Given { signature, repeated, timestamp: None })
            }
            Err(error) => {
                if matches!(error, GuardError::NotPrepared { .. }) {
                    self.windows.demand(moving, epoch.into());
                }
                Err(Failure::signing(&error, epoch))
            }
        }
    }

    /// Writes down who asked for what, and what the answer was.
    fn note(&self, wish: &Wish, answer: &Result<Given, Failure>) {
        let word = match answer {
            Ok(given) if given.repeated => "repeated",
            Ok(_) => "signed",
            Err(failure) => failure.code.name(),
        };
        if word == "signed" {
            self.ledger.is_good();
        }
        self.metrics.answered(&wish.key.role, word, wish.since.elapsed());
        let digest = hexadecimal::text(&Sha256::digest(wish.subject.message()));
        self.journal.note(
            "sign",
            &[
                ("client", &wish.client),
                ("key_id", &wish.key.key_id),
                ("position", &wish.subject.place()),
                ("digest", &digest),
                ("answer", &word),
                ("group", &self.metrics.group()),
            ],
        );
        if matches!(answer, Err(failure) if failure.code == Code::Ledger(Refused::EpochUsed)) {
            self.journal.note("two_callers_disagree", &[("key_id", &wish.key.key_id)]);
        }
    }
}
