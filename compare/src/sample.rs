//! Timing two sides in turn.

use cpu_time::ProcessTime;
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
    /// What only some rows have.
    pub(crate) more: More,
}

/// What most rows leave at its default.
pub(crate) struct More {
    /// Of both values.
    pub(crate) unit: &'static str,
    /// On each side.
    pub(crate) threads: usize,
    /// Wall-clock times of ours and of the peer, where the values are processor time.
    pub(crate) wall: Option<[f64; 2]>,
    /// What was compared, where the operation does not say it.
    pub(crate) note: Option<&'static str>,
}

/// How the peers that choose their instructions when compiled were built.
pub(crate) const fn peer_build() -> &'static str {
    if cfg!(target_feature = "avx512ifma") {
        "AVX-512 IFMA at compile time"
    } else if cfg!(target_feature = "avx512f") {
        "AVX-512 at compile time"
    } else if cfg!(target_feature = "avx2") {
        "AVX2 at compile time"
    } else {
        "plain build"
    }
}

impl Default for More {
    fn default() -> Self {
        Self { unit: "ns", threads: 1, wall: None, note: None }
    }
}

impl Row {
    /// As the contract has it: a ratio above 1 means that we are faster.
    pub(crate) fn to_json(&self) -> Value {
        let Self { operation, ours, peer, peer_version, peer_value, n, profile, backend, more } = self;
        let mut row = json!({
            "operation": operation, "ours": ours, "peer": peer, "peer_version": peer_version,
            "peer_value": peer_value, "ratio": peer_value / ours, "unit": more.unit,
            "threads": more.threads, "backend": backend.name(),
        });
        if let Some(n) = n {
            row["n"] = json!(n);
        }
        if let Some(profile) = profile {
            row["profile"] = json!(profile);
        }
        if let Some([ours, peer]) = more.wall {
            row["clock"] = json!("processor");
            row["ours_wall"] = json!(ours);
            row["peer_wall"] = json!(peer);
        }
        if let Some(note) = more.note {
            row["note"] = json!(note);
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

/// What a run took, nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct Took {
    /// Of all threads of this process.
    pub(crate) processor: f64,
    pub(crate) wall: f64,
}

/// Medians of every run of ours and of the peers', sampled so often, in turn. Who is sampled more than once runs once before,
/// uncounted.
pub(crate) fn in_turn(samples: [usize; 2], sides: &mut [Vec<Box<dyn FnMut() + '_>>; 2]) -> [Vec<Took>; 2] {
    let mut times = [0, 1].map(|side| vec![Vec::new(); sides[side].len()]);
    for (samples, runs) in samples.iter().zip(&mut *sides) {
        if *samples > 1 {
            runs.iter_mut().for_each(|run| run());
        }
    }
    for round in 0..samples[0].max(samples[1]) {
        for side in [0, 1] {
            let runs = if round < samples[side] { &mut sides[side][..] } else { &mut [] };
            for (run, times) in runs.iter_mut().zip(&mut times[side]) {
                let (wall, processor) = (Instant::now(), ProcessTime::now());
                run();
                let processor = processor.elapsed().as_secs_f64() * 1e9;
                times.push(Took { processor, wall: wall.elapsed().as_secs_f64() * 1e9 });
            }
        }
    }
    let median = |times: &[Took], part: fn(&Took) -> f64| {
        let mut parts: Vec<f64> = times.iter().map(part).collect();
        parts.sort_by(f64::total_cmp);
        parts[parts.len() / 2]
    };
    times.map(|times| {
        let both = |times: &Vec<Took>| Took {
            processor: median(times, |took| took.processor),
            wall: median(times, |took| took.wall),
        };
        times.iter().map(both).collect()
    })
}

/// Nanoseconds per unit, `run` returning how many units it did.
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn time(run: &mut impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let units = run();
    start.elapsed().as_secs_f64() * 1e9 / units as f64
}
