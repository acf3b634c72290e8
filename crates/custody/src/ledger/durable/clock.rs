//! The clock of the machine, and whether it jumps.
#![forbid(unsafe_code)]

use crate::identity::KeyId;
use crate::ledger::database::since_start_ms;
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// By how many seconds the clock may differ from the time since the machine was started without having jumped.
pub(super) const TOLERANCE: u64 = 2;

/// The time of day, compared with the time since the machine was started, which nobody sets.
pub(super) struct Clock {
    unix: fn() -> u64,
    last: Option<(u64, u64)>,
    /// The keys that a jump has quarantined.
    pub(super) quarantined: BTreeSet<KeyId>,
}

impl Clock {
    /// The clock that says `unix`, in seconds.
    pub(super) fn new(unix: fn() -> u64) -> Self {
        Self { unix, last: None, quarantined: BTreeSet::new() }
    }

    /// Unix time in seconds.
    pub(super) fn unix(&self) -> u64 {
        (self.unix)()
    }

    /// By how many seconds the clock has jumped since the last call.
    pub(super) fn step(&mut self) -> i64 {
        let now = (self.unix(), since_start_ms() / 1000);
        let before = self.last.replace(now).unwrap_or(now);
        let passed = |now: u64, before: u64| {
            let [now, before] = [now, before].map(|time| i64::try_from(time).unwrap_or(i64::MAX));
            now.saturating_sub(before)
        };
        passed(now.0, before.0).saturating_sub(passed(now.1, before.1))
    }
}

/// Unix time in seconds.
pub(super) fn system_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
