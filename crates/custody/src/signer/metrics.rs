//! Numbers for Prometheus, in its text format.
#![forbid(unsafe_code)]

use super::limits::lock;
use crate::ledger::Committed;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of times to sign, as leanMetrics has them.
const SIGNING: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 1.0];
/// Upper bounds of times to write.
const WRITING: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0];
/// Upper bounds of sizes of groups.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];
/// Upper bounds of times to compute trees.
const COMPUTING: &[f64] = &[0.01, 0.1, 1.0, 5.0, 15.0, 60.0, 300.0];

/// How often values fell below bounds, and their sum.
#[derive(Clone, Default)]
struct Spread {
    counts: Vec<u64>,
    sum: f64,
    count: u64,
}

/// A metric: its values by their labels, which are written as Prometheus writes them.
struct Counter {
    name: &'static str,
    help: &'static str,
    values: Mutex<BTreeMap<String, u64>>,
}

struct Histogram {
    name: &'static str,
    help: &'static str,
    bounds: &'static [f64],
    values: Mutex<BTreeMap<String, Spread>>,
}

impl Counter {
    fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help, values: Mutex::default() }
    }

    fn add(&self, labels: &[(&str, &str)]) {
        *lock(&self.values).entry(written(labels)).or_default() += 1;
    }

    fn write(&self, out: &mut Text) {
        out.head(self.name, self.help, "counter");
        for (labels, value) in &*lock(&self.values) {
            out.value(self.name, labels, value);
        }
    }
}

impl Histogram {
    fn new(name: &'static str, help: &'static str, bounds: &'static [f64]) -> Self {
        Self { name, help, bounds, values: Mutex::default() }
    }

    fn add(&self, labels: &[(&str, &str)], value: f64) {
        let mut values = lock(&self.values);
        let spread = values.entry(written(labels)).or_default();
        spread.counts.resize(self.bounds.len(), 0);
        let below = self.bounds.iter().zip(&mut spread.counts).filter(|(bound, _)| value <= **bound);
        below.for_each(|(_, count)| *count += 1);
        spread.sum += value;
        spread.count += 1;
    }

    fn write(&self, out: &mut Text) {
        out.head(self.name, self.help, "histogram");
        for (labels, spread) in &*lock(&self.values) {
            let comma = if labels.is_empty() { "" } else { "," };
            for (bound, count) in self.bounds.iter().zip(&spread.counts) {
                out.value(&format!("{}_bucket", self.name), &format!("{labels}{comma}le=\"{bound}\""), count);
            }
            out.value(&format!("{}_bucket", self.name), &format!("{labels}{comma}le=\"+Inf\""), spread.count);
            out.value(&format!("{}_sum", self.name), labels, spread.sum);
            out.value(&format!("{}_count", self.name), labels, spread.count);
        }
    }
}

/// Labels with their values, in which nothing can end a text.
pub(super) fn written(labels: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in labels {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{name}=\"{value}\"");
    }
    text
}

/// What Prometheus reads.
#[derive(Default)]
pub(super) struct Text(pub(super) String);

impl Text {
    /// What comes before the values of a metric.
    pub(super) fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// One value.
    pub(super) fn value(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = if labels.is_empty() {
            writeln!(self.0, "{name} {value}")
        } else {
            writeln!(self.0, "{name}{{{labels}}} {value}")
        };
    }

    /// A metric with one value.
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: impl std::fmt::Display) {
        self.head(name, help, "gauge");
        self.value(name, "", value);
    }
}

/// Everything that is counted where it happens. What can be asked when it is wanted is not here.
pub(super) struct Metrics {
    answers: Counter,
    attestations: AtomicU64,
    attestation_seconds: Histogram,
    sign_seconds: Histogram,
    commit_seconds: Histogram,
    witness_seconds: Histogram,
    group_size: Histogram,
    poisonings: Counter,
    repairs: Counter,
    advances: AtomicU64,
    advance_seconds: Histogram,
    auth_failures: Counter,
    requests: Counter,
    /// The last group that was durable.
    group: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            answers: Counter::new("phalanx_sign_requests_total", "Requests to sign, by the ledger's answer."),
            attestations: AtomicU64::new(0),
            attestation_seconds: Histogram::new(
                "lean_pq_sig_attestation_signing_time_seconds",
                "Time from an accepted request to its signature, of attesters.",
                SIGNING,
            ),
            sign_seconds: Histogram::new(
                "phalanx_sign_seconds",
                "Time from an accepted request to its signature.",
                SIGNING,
            ),
            commit_seconds: Histogram::new(
                "phalanx_ledger_commit_seconds",
                "Time for a group to be in both files.",
                WRITING,
            ),
            witness_seconds: Histogram::new(
                "phalanx_witness_flush_seconds",
                "Time for a group to be in the side log.",
                WRITING,
            ),
            group_size: Histogram::new("phalanx_ledger_group_size", "Records of a group.", SIZES),
            poisonings: Counter::new(
                "phalanx_ledger_poisonings_total",
                "Faults that have stopped the ledger.",
            ),
            repairs: Counter::new("phalanx_ledger_repairs_total", "Repairs at the start of the ledger."),
            advances: AtomicU64::new(0),
            advance_seconds: Histogram::new(
                "phalanx_window_advance_seconds",
                "Time to compute the trees by which a key moved on.",
                COMPUTING,
            ),
            auth_failures: Counter::new("phalanx_auth_failures_total", "Clients that were not let in."),
            requests: Counter::new("phalanx_http_requests_total", "Requests, by address and status."),
            group: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    /// A group is on the disk.
    pub(super) fn committed(&self, what: &Committed) {
        self.group.store(what.group, Relaxed);
        self.commit_seconds.add(&[], what.whole.as_secs_f64());
        self.witness_seconds.add(&[], what.witness.as_secs_f64());
        self.group_size.add(&[], f64::from(u32::try_from(what.records).unwrap_or(u32::MAX)));
    }

    /// The ledger has repaired something at its start.
    pub(super) fn repaired(&self, what: &str) {
        self.repairs.add(&[("action", what)]);
    }
}

/// How many signatures were refused, by code; and how long groups took to be durable, as counts below bounds in seconds.
pub(super) struct Seen {
    pub(super) answers: BTreeMap<String, u64>,
    pub(super) flushes: Vec<(f64, u64)>,
    pub(super) flush_seconds: f64,
    pub(super) flush_count: u64,
}

impl Metrics {
    /// A request to sign was answered.
    pub(super) fn answered(&self, role: &str, answer: &str, took: Duration) {
        self.answers.add(&[("role", role), ("answer", answer)]);
        if !matches!(answer, "signed" | "repeated") {
            return;
        }
        self.sign_seconds.add(&[("role", role)], took.as_secs_f64());
        if role == "attester" {
            self.attestations.fetch_add(1, Relaxed);
            self.attestation_seconds.add(&[], took.as_secs_f64());
        }
    }

    /// The ledger has stopped.
    pub(super) fn poisoned(&self, cause: &str) {
        self.poisonings.add(&[("cause", cause)]);
    }

    /// A key has moved on.
    pub(super) fn advanced(&self, took: Duration) {
        self.advances.fetch_add(1, Relaxed);
        self.advance_seconds.add(&[], took.as_secs_f64());
    }

    /// A client was not let in.
    pub(super) fn auth_failed(&self, reason: &str) {
        self.auth_failures.add(&[("reason", reason)]);
    }

    /// A request was answered.
    pub(super) fn request(&self, path: &str, status: u16) {
        self.requests.add(&[("path", path), ("status", &status.to_string())]);
    }

    /// The last group that was durable.
    pub(super) fn group(&self) -> u64 {
        self.group.load(Relaxed)
    }

    /// What the status page shows.
    pub(super) fn seen(&self) -> Seen {
        let mut answers = BTreeMap::new();
        for (labels, count) in &*lock(&self.answers.values) {
            let code = labels.rsplit("answer=\"").next().unwrap_or("").trim_end_matches('"');
            *answers.entry(code.to_owned()).or_default() += count;
        }
        let spread = lock(&self.commit_seconds.values).get("").cloned().unwrap_or_default();
        let flushes = WRITING.iter().copied().zip(spread.counts).collect();
        Seen { answers, flushes, flush_seconds: spread.sum, flush_count: spread.count }
    }

    /// Everything that is counted here.
    pub(super) fn write(&self, out: &mut Text) {
        let name = "lean_pq_sig_attestation_signatures_total";
        out.head(name, "Signatures of attesters.", "counter");
        out.value(name, "", self.attestations.load(Relaxed));
        self.attestation_seconds.write(out);
        self.answers.write(out);
        self.sign_seconds.write(out);
        self.commit_seconds.write(out);
        self.witness_seconds.write(out);
        self.group_size.write(out);
        self.poisonings.write(out);
        self.repairs.write(out);
        let name = "phalanx_window_advances_total";
        out.head(name, "Prepared intervals that have moved on.", "counter");
        out.value(name, "", self.advances.load(Relaxed));
        self.advance_seconds.write(out);
        self.auth_failures.write(out);
        self.requests.write(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_as_prometheus_reads_it() {
        let metrics = Metrics::default();
        metrics.answered("attester", "signed", Duration::from_millis(7));
        metrics.answered("attester", "epoch_used", Duration::from_millis(7));
        metrics.auth_failed("a\"b\\c\nd");
        let mut text = Text::default();
        metrics.write(&mut text);
        let lines: Vec<&str> = text.0.lines().collect();
        for wanted in [
            "# TYPE lean_pq_sig_attestation_signing_time_seconds histogram",
            "lean_pq_sig_attestation_signing_time_seconds_bucket{le=\"0.005\"} 0",
            "lean_pq_sig_attestation_signing_time_seconds_bucket{le=\"0.01\"} 1",
            "lean_pq_sig_attestation_signing_time_seconds_bucket{le=\"1\"} 1",
            "lean_pq_sig_attestation_signing_time_seconds_bucket{le=\"+Inf\"} 1",
            "lean_pq_sig_attestation_signing_time_seconds_count 1",
            "lean_pq_sig_attestation_signatures_total 1",
            "phalanx_sign_requests_total{role=\"attester\",answer=\"epoch_used\"} 1",
            "phalanx_auth_failures_total{reason=\"a\\\"b\\\\c\\nd\"} 1",
        ] {
            assert!(lines.contains(&wanted), "{wanted}");
        }
        assert_eq!(metrics.seen().answers["epoch_used"], 1);
    }
}
