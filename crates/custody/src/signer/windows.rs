//! Prepared intervals that move on while their keys sign.
//!
//! A key is prepared for two bottom trees. When it comes into the second, the tree after that is computed by threads of
//! low priority; it takes the place of the first a quarter of a tree later, so that who is late still gets the first. The
//! exchange is the only thing that a signature can wait for.
#![forbid(unsafe_code)]

use super::journal::Journal;
use super::keys::{KeySet, Moving, Secret, ServedKey, computed};
use super::limits::lock;
use super::metrics::Metrics;
use super::opened::OpenedLedger;
use crate::identity::KeyId;
use phalanx_core::Inline;
use phalanx_xmss::any::NextTree;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(200);
/// Below the threads that sign.
const NICE: i32 = 5;

/// Who computes trees ahead.
pub(super) struct Windows {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    wake: bool,
    stop: bool,
    /// Keys for which a thread computes.
    busy: BTreeSet<KeyId>,
    /// Trees that are computed and wait for their time.
    ready: HashMap<KeyId, Vec<NextTree>>,
}

/// What the threads look at.
pub(super) struct Surroundings {
    /// The keys.
    pub(super) keys: Arc<RwLock<Arc<KeySet>>>,
    /// The clock.
    pub(super) ledger: Arc<OpenedLedger>,
    /// Where is counted.
    pub(super) metrics: Arc<Metrics>,
    /// Where failures are noted.
    pub(super) journal: Journal,
}

/// What a key needs.
#[derive(Debug, PartialEq, Eq)]
enum Need {
    /// Nothing.
    Nothing,
    /// The trees for this epoch, at once.
    Now(u64),
    /// The tree of this epoch, to be exchanged when the key has reached the second one.
    Ahead(u64, u64),
}

/// What a key needs that is prepared for `prepared`, has epochs below `end`, and is at `at`.
fn need(prepared: &Range<u64>, end: u64, at: u64) -> Need {
    let leaves = (prepared.end - prepared.start) / 2;
    let middle = prepared.start + leaves;
    match at {
        _ if prepared.end >= end || at < middle => Need::Nothing,
        _ if at >= prepared.end => Need::Now(at.min(end - 1)),
        _ => Need::Ahead(prepared.end, middle + leaves / 4),
    }
}

impl Windows {
    /// Nobody works yet.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), woken: Condvar::new() })
    }

    /// A key has signed a later epoch than before.
    pub(super) fn look_at(&self, moving: &Moving) {
        let prepared = moving.shared.prepared();
        let end = moving.shared.activation_interval().end;
        if need(&prepared, end, moving.highest.load(Relaxed)) != Need::Nothing {
            self.wake();
        }
    }

    /// Somebody has asked for an epoch beyond the prepared interval, and got no signature.
    pub(super) fn demand(&self, moving: &Moving, epoch: u64) {
        moving.demanded.fetch_max(epoch, Relaxed);
        self.wake();
    }

    fn wake(&self) {
        lock(&self.state).wake = true;
        self.woken.notify_one();
    }

    /// Lets the threads end; what they compute is not waited for.
    pub(super) fn stop(&self) {
        let mut state = lock(&self.state);
        state.stop = true;
        state.ready.clear();
        self.woken.notify_all();
    }

    /// Starts the threads.
    pub(super) fn start(
        self: &Arc<Self>,
        around: Surroundings,
        threads: u32,
    ) -> std::io::Result<Vec<JoinHandle<()>>> {
        let around = Arc::new(around);
        let start = |number: u32| {
            let (windows, around) = (Arc::clone(self), Arc::clone(&around));
            let work = move || {
                // Where it may not be lowered, it stays.
                let _ = rustix::process::nice(NICE);
                while windows.round(&around) {}
            };
            thread::Builder::new().name(format!("phalanx-trees-{number}")).spawn(work)
        };
        (0..threads).map(start).collect()
    }

    /// Looks at every key once, and then waits. `false` when it is to stop.
    fn round(&self, around: &Surroundings) -> bool {
        let keys = Arc::clone(&around.keys.read().unwrap_or_else(PoisonError::into_inner));
        let now = around.ledger.clock_epoch();
        for key in keys.iter() {
            if lock(&self.state).stop {
                return false;
            }
            if let Secret::Xmss(moving) = &key.secret {
                self.tend(key, moving, now, around);
            }
        }
        let mut state = lock(&self.state);
        if !state.wake && !state.stop {
            state = self.woken.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.wake = false;
        !state.stop
    }

    fn tend(&self, key: &ServedKey, moving: &Moving, now: Option<u64>, around: &Surroundings) {
        let prepared = moving.shared.prepared();
        let end = moving.shared.activation_interval().end;
        let highest = moving.highest.load(Relaxed);
        let bounds = around.ledger.settings().bounds;
        // What the ledger would refuse does not move a key: it would pass over epochs that it can sign.
        let most = now.map_or(u64::MAX, |now| now.saturating_add(bounds.ahead));
        let most = most.min(highest.saturating_add(bounds.max_gap));
        let demanded = Some(moving.demanded.load(Relaxed)).filter(|&epoch| epoch <= most).unwrap_or(0);
        let at = now.unwrap_or(0).max(highest).max(demanded);
        let (epoch, from) = match need(&prepared, end, at) {
            Need::Nothing => return,
            Need::Now(epoch) => (epoch, 0),
            Need::Ahead(epoch, from) => (epoch, from),
        };
        let mut state = lock(&self.state);
        if state.busy.contains(&key.key_id) {
            return;
        }
        let fits = |trees: &Vec<NextTree>| trees.first().is_some_and(|tree| tree.epochs().contains(&epoch));
        let ready = state.ready.remove(&key.key_id).filter(fits);
        state.busy.insert(key.key_id);
        drop(state);
        let trees = ready.or_else(|| {
            let begun = Instant::now();
            let trees = computed(moving.shared.trees_to(epoch), &Inline);
            around.metrics.advanced(begun.elapsed());
            trees
        });
        let mut state = lock(&self.state);
        state.busy.remove(&key.key_id);
        let Some(trees) = trees else { return };
        if at < from && moving.highest.load(Relaxed) < from {
            state.ready.insert(key.key_id, trees);
            return;
        }
        drop(state);
        moving.has_moved.store(true, Relaxed);
        if moving.shared.move_on_with(trees).is_err() {
            // The secret part of the key is damaged: what it signs is checked, too.
            around.journal.note("key_damaged", &[("key_id", &key.key_id)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_key_needs() {
        let need = |at| need(&(32..64), 256, at);
        assert_eq!(need(0), Need::Nothing);
        assert_eq!(need(47), Need::Nothing);
        assert_eq!(need(48), Need::Ahead(64, 52));
        assert_eq!(need(63), Need::Ahead(64, 52));
        assert_eq!(need(64), Need::Now(64));
        assert_eq!(need(1000), Need::Now(255));
        assert_eq!(super::need(&(224..256), 256, 250), Need::Nothing, "the last trees");
    }
}
