//! Time in tests: whatever is waited for may take long on a machine that does other things too.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a test waits for what has to come. Only a test that fails waits so long.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Set where figures of time are looked at: on a machine that does nothing else.
const TIMES: &str = "PHALANX_TEST_TIMES";

/// Waits until `is_so`.
///
/// # Panics
/// With what `what` says, if it is not so in the end.
#[track_caller]
pub fn wait_until(what: impl Fn() -> String, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {}", what());
        sleep(Duration::from_millis(5));
    }
}

/// Looks that something took less than `limit`, where `PHALANX_TEST_TIMES` is set.
///
/// # Panics
/// If it took longer.
#[track_caller]
pub fn within(took: Duration, limit: Duration) {
    let is_asked = std::env::var_os(TIMES).is_some();
    assert!(!is_asked || took < limit, "{took:?}, and {limit:?} is promised");
}
