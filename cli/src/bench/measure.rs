//! Sampling: contenders take turns, and the median of their samples counts.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use phalanx::{Backend, Threads};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What to measure, and how long.
#[derive(Clone)]
pub(super) struct Plan<'a> {
    /// Backends, slowest first.
    pub(super) backends: Vec<Backend>,
    /// All threads.
    pub(super) threads: Threads,
    /// Fewer and shorter samples.
    pub(super) quick: bool,
    /// Shorter still: for systems of many rows.
    pub(super) brief: bool,
    /// Where progress is noted.
    pub(super) output: &'a Output,
}

impl Plan<'_> {
    /// The fastest backend.
    pub(super) fn fastest(&self) -> Backend {
        *self.backends.last().expect("at least one backend was chosen")
    }

    /// One thread, and all of them if that is more; they stay, as those of a program do that has more than one thing to
    /// do.
    pub(super) fn pools(&self) -> Vec<Threads> {
        let mut pools = vec![Threads::new(1), self.threads.clone()];
        pools.dedup_by_key(|pool| pool.count());
        pools
    }

    /// Shortest time of a sample: timers and turns should not show.
    fn sample_time(&self) -> Duration {
        Duration::from_millis(if UNOPTIMISED {
            1
        } else if self.quick {
            5
        } else if self.brief {
            10
        } else {
            20
        })
    }

    /// Time for all samples of a contender, as long as there are [`MIN_SAMPLES`].
    fn contender_time(&self) -> Duration {
        Duration::from_millis(match (self.brief, self.quick) {
            _ if UNOPTIMISED => 7,
            (false, false) => 1000,
            (false, true) | (true, false) => 250,
            (true, true) => 60,
        })
    }

    /// The same plan for a system of many rows.
    pub(super) fn brief(&self) -> Self {
        Self { brief: true, ..self.clone() }
    }
}

/// Nobody reads the times of a program that was built for tests, and there are hundreds of them.
const UNOPTIMISED: bool = cfg!(debug_assertions);

/// Calls from this length on are their own warm-up.
const LONG_CALL: Duration = Duration::from_millis(200);

/// Fewest samples of a contender, and of one whose calls are long.
const MIN_SAMPLES: usize = 7;
const MIN_LONG_SAMPLES: usize = 3;

/// Most samples of a contender.
const MAX_SAMPLES: usize = 31;

/// One result; the names of the fields are the contract's.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// Stable name, such as `xmss/sign`.
    pub(super) name: String,
    /// Parameter set or permutation.
    pub(super) scheme: String,
    /// The part of the name after the slash.
    pub(super) operation: String,
    /// Backend.
    pub(super) backend: &'static str,
    /// Threads.
    pub(super) threads: usize,
    /// Operations of one call, as signatures in a batch; of Ligerito's commitments and proofs, coefficients of the
    /// polynomial. A sample makes as many calls as it takes to last.
    pub(super) n: u64,
    /// Bytes of each message, where that varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message_bytes: Option<usize>,
    /// Acceptance rule, or sizes of proofs, where there is a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) profile: Option<&'static str>,
    /// Unit of the times, each for one operation; or of what is counted instead.
    pub(super) unit: &'static str,
    /// Median of the samples.
    pub(super) median: f64,
    /// Fastest sample.
    pub(super) min: f64,
    /// Slowest sample.
    pub(super) max: f64,
    /// Number of samples.
    pub(super) samples: usize,
}

/// What is measured.
pub(super) struct Subject<'a> {
    /// Stable name, such as `xmss/sign`.
    pub(super) name: &'a str,
    /// Parameter set or permutation.
    pub(super) scheme: &'a str,
    /// `ns`, `us`, `ms` or `s`.
    pub(super) unit: &'static str,
}

/// One way of doing it.
pub(super) struct Contender<'a> {
    /// Backend, forced for the call.
    pub(super) backend: Backend,
    /// Threads, for the record; `work` uses them.
    pub(super) threads: usize,
    /// Operations of one call of `work`.
    pub(super) operations: u64,
    /// Does them. An error ends the run: a result was wrong.
    pub(super) work: Box<dyn Fn() -> Result<(), Failure> + 'a>,
}

impl Contender<'_> {
    /// Time of `calls` calls. If they are several, one that is not counted comes first: caches should not remember
    /// whose turn was before.
    fn time(&self, calls: u32) -> Result<Duration, Failure> {
        let run = || {
            if calls > 1 {
                (self.work)()?;
            }
            let begun = Instant::now();
            for _ in 0..calls {
                (self.work)()?;
            }
            Ok(begun.elapsed())
        };
        self.backend.force(run).map_err(Failure::system)?
    }
}

/// Measures all contenders, in turns.
pub(super) fn measure(
    plan: &Plan<'_>,
    subject: &Subject<'_>,
    contenders: &[Contender<'_>],
) -> Result<Vec<Row>, Failure> {
    plan.output.note(format_args!("measuring {} of {}", subject.name, subject.scheme));
    let mut turns = Vec::new();
    for contender in contenders {
        // The first call fills caches and tables; where that could show, a second says how long one takes.
        let mut once = contender.time(1)?;
        if once < LONG_CALL {
            once = contender.time(1)?.max(Duration::from_nanos(100));
        }
        let calls = plan.sample_time().as_nanos().div_ceil(once.as_nanos()).clamp(1, 1 << 20);
        let calls = u32::try_from(calls).expect("clamped");
        let samples = plan.contender_time().as_nanos() / (once * calls).as_nanos();
        let fewest = if once < LONG_CALL { MIN_SAMPLES } else { MIN_LONG_SAMPLES };
        let samples = usize::try_from(samples).unwrap_or(MAX_SAMPLES).clamp(fewest, MAX_SAMPLES);
        turns.push((calls, samples, Vec::with_capacity(samples)));
    }
    for turn in 0..MAX_SAMPLES {
        for (contender, (calls, samples, times)) in contenders.iter().zip(&mut turns) {
            if turn < *samples {
                times.push(contender.time(*calls)?);
            }
        }
    }
    let row = |(contender, (calls, _, times)): (&Contender<'_>, (u32, usize, Vec<Duration>))| {
        let operations = contender.operations * u64::from(calls);
        row(subject, contender, operations, times)
    };
    Ok(contenders.iter().zip(turns).map(row).collect())
}

/// Measures one call of one contender.
pub(super) fn measure_once(
    plan: &Plan<'_>,
    subject: &Subject<'_>,
    contender: &Contender<'_>,
) -> Result<Row, Failure> {
    plan.output.note(format_args!("measuring {} of {}", subject.name, subject.scheme));
    Ok(row(subject, contender, contender.operations, vec![contender.time(1)?]))
}

fn row(subject: &Subject<'_>, contender: &Contender<'_>, operations: u64, times: Vec<Duration>) -> Row {
    let scale = match subject.unit {
        "ns" => 1e9,
        "us" => 1e6,
        "ms" => 1e3,
        _ => 1.0,
    };
    let mut times: Vec<f64> =
        times.iter().map(|time| time.as_secs_f64() * scale / operations as f64).collect();
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    let median =
        if times.len() % 2 == 1 { times[middle] } else { f64::midpoint(times[middle - 1], times[middle]) };
    Row {
        name: subject.name.to_owned(),
        scheme: subject.scheme.to_owned(),
        operation: subject.name.rsplit('/').next().unwrap_or_default().to_owned(),
        backend: contender.backend.name(),
        threads: contender.threads,
        n: contender.operations,
        message_bytes: None,
        profile: None,
        unit: subject.unit,
        median,
        min: times[0],
        max: times[times.len() - 1],
        samples: times.len(),
    }
}

/// An answer was wrong: the benchmark is void.
pub(super) fn wrong(what: &str) -> Failure {
    Failure::new(Exit::DoesNotVerify, format_args!("benchmark: {what}"))
}
