//! Time in tests: whatever is waited for may take long on a machine that does other things too.

use std::sync::OnceLock;
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

/// What this process has computed so far, on all its threads: user and system time. Other programs do not change it as they
/// change a clock's time. Where there is no `/proc`, the time by the clock since the first call.
///
/// # Panics
/// If `/proc/self/stat` is not as proc_pid_stat(5) says.
#[must_use]
pub fn cpu_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else {
        return start.elapsed();
    };
    // Fields 14 and 15, in hundredths of a second on every machine that Rust's standard library runs on; the name, field 2,
    // may have blanks in it.
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let ticks =
        fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().expect("a number"));
    Duration::from_millis(10 * ticks.sum::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work counts, and waiting does not.
    #[test]
    #[cfg(target_os = "linux")]
    fn time_of_the_processor() {
        let before = cpu_time();
        sleep(Duration::from_millis(300));
        let waited = cpu_time() - before;
        let mut x = 1_u64;
        let begun = Instant::now();
        while cpu_time() - before < waited + Duration::from_millis(50) {
            assert!(begun.elapsed() < PATIENCE, "work is not counted");
            (0..100_000_u64).for_each(|i| x = std::hint::black_box(x ^ i));
        }
        assert!(waited < Duration::from_millis(200), "{waited:?} of waiting");
    }
}
