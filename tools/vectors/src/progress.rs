//! A line on a terminal that says how far a long key generation is.

use phalanx::xmss::Progress;
use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shorter generations are over before a line could be read.
const LONG: u64 = 1 << 12;

/// Time between two lines.
const EVERY: Duration = Duration::from_millis(200);

/// Shows progress from any thread.
pub(crate) struct Watch {
    /// When a line was written last; `None` where there is nobody to read it.
    last: Option<Mutex<Instant>>,
}

impl Watch {
    /// Shows lines if `wanted` and standard error is a terminal.
    pub(crate) fn new(wanted: bool) -> Self {
        Self { last: (wanted && stderr().is_terminal()).then(|| Mutex::new(Instant::now())) }
    }

    /// Says how far a generation is.
    pub(crate) fn show(&self, progress: Progress) {
        let Progress { leaves_done, leaves_total, .. } = progress;
        let Some(last) = &self.last else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if leaves_total >= LONG && last.elapsed() >= EVERY {
            *last = Instant::now();
            let percent = 100 * leaves_done / leaves_total;
            let _ = write!(stderr().lock(), "\r{percent}% of {leaves_total} leaves ");
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(stderr().lock(), "\r\x1b[K");
        }
    }
}
