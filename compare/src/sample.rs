//! Timing two sides in turn.

use phalanx::Backend;
use serde_json::{Value, json};
use std::time::Instant;

/// One line of the result.
pub(crate) struct Row {
    /// What was timed, as `phalanx bench` names it.
    pub(crate) operation: &'static str,
    /// Our median, nanoseconds.
    pub(crate) ours: f64,
    /// Name of the peer.
    pub(crate) peer: &'static str,
    /// Its version and build.
    pub(crate) peer_version: String,
    /// Its median, nanoseconds.
    pub(crate) peer_value: f64,
    /// Items in a call, where that varies.
    pub(crate) n: Option<usize>,
    /// Acceptance rule of both, where there is a choice.
    pub(crate) profile: Option<&'static str>,
    /// Our backend.
    pub(crate) backend: Backend,
}

impl Row {
    /// As the contract has it: a ratio above 1 means that we are faster.
    pub(crate) fn to_json(&self) -> Value {
        let Self { operation, ours, peer, peer_version, peer_value, n, profile, backend } = self;
        let mut row = json!({
            "operation": operation, "ours": ours, "peer": peer, "peer_version": peer_version,
            "peer_value": peer_value, "ratio": peer_value / ours, "unit": "ns", "threads": 1,
            "backend": backend.name(),
        });
        if let Some(n) = n {
            row["n"] = json!(n);
        }
        if let Some(profile) = profile {
            row["profile"] = json!(profile);
        }
        row
    }
}

/// Medians of `samples` runs of each side, in turn, in nanoseconds per unit of work.
pub(crate) fn interleaved(
    samples: usize,
    mut ours: impl FnMut() -> usize,
    mut peer: impl FnMut() -> usize,
) -> [f64; 2] {
    let mut times = [Vec::with_capacity(samples), Vec::with_capacity(samples)];
    // One uncounted run of each warms caches and tables.
    let _ = (ours(), peer());
    for _ in 0..samples {
        times[0].push(time(&mut ours));
        times[1].push(time(&mut peer));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Nanoseconds per unit, `run` returning how many units it did.
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn time(run: &mut impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let units = run();
    start.elapsed().as_secs_f64() * 1e9 / units as f64
}
