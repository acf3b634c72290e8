//! How far long work is: a bar on a terminal, a line now and then elsewhere, nothing with `--json`.

use crate::output::Output;
use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
#[cfg(feature = "aggregate")]
use std::cell::RefCell;
use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Leaves of a key generation.
    Leaves,
    /// Bytes of a file.
    Bytes,
    /// Rows of an encoded polynomial.
    Rows,
}

impl Unit {
    /// The bar's template.
    fn template(self) -> &'static str {
        match self {
            Self::Leaves => {
                "{bar:40} {percent}% {human_pos} of {human_len} leaves, {rate} per second, {eta} left"
            }
            Self::Rows => {
                "{bar:40} {percent}% {human_pos} of {human_len} rows, {rate} per second, {eta} left"
            }
            Self::Bytes => "{bar:40} {percent}% {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        }
    }

    /// A number of it.
    fn number(self, count: u64) -> String {
        match self {
            Self::Leaves | Self::Rows => count.to_string(),
            Self::Bytes => HumanBytes(count).to_string(),
        }
    }

    /// What follows a number of it.
    fn name(self) -> &'static str {
        match self {
            Self::Leaves => " leaves",
            Self::Rows => " rows",
            Self::Bytes => "",
        }
    }
}

/// Shows progress from any thread.
pub(crate) struct Display<'a> {
    output: &'a Output,
    shape: Shape,
}

enum Shape {
    Bar(ProgressBar),
    Lines { unit: Unit, begun: Instant, last: Mutex<Instant> },
    Nothing,
}

impl<'a> Display<'a> {
    /// The display for work of so many units.
    pub(crate) fn new(output: &'a Output, total: u64, unit: Unit) -> Self {
        let now = Instant::now();
        let shape = if output.is_json() {
            Shape::Nothing
        } else if stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template(unit.template()).expect("the template is well formed");
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                // A terminal that cannot be written to has no bar.
                let _ = write!(out, "{:.0}", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
            Shape::Bar(bar)
        } else {
            Shape::Lines { unit, begun: now, last: Mutex::new(now) }
        };
        Self { output, shape }
    }

    /// Shows how far it is.
    pub(crate) fn show(&self, done: u64, total: u64) {
        match &self.shape {
            Shape::Nothing => {}
            Shape::Bar(bar) => {
                bar.set_length(total);
                // Threads report in any order; the bar must not walk back.
                if bar.position() < done {
                    bar.set_position(done);
                }
            }
            Shape::Lines { unit, begun, last } => {
                // If another thread is printing, there is nothing to add.
                let Ok(mut last) = last.try_lock() else { return };
                if last.elapsed() < LINE_EVERY || done == 0 {
                    return;
                }
                *last = Instant::now();
                let left = begun.elapsed().mul_f64(total.saturating_sub(done) as f64 / done as f64);
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a rate, for people"
                )]
                let rate = (done as f64 / begun.elapsed().as_secs_f64()) as u64;
                self.output.note(format_args!(
                    "{} of {}{}, {} per second, {} left",
                    unit.number(done),
                    unit.number(total),
                    unit.name(),
                    unit.number(rate),
                    HumanDuration(left),
                ));
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Shape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
    }
}

/// Shows which of several stages long work is at, and keeps how long each took.
#[cfg(feature = "aggregate")]
pub(crate) struct Stages<'a> {
    output: &'a Output,
    count: usize,
    bar: Option<ProgressBar>,
    begun: RefCell<Vec<(&'static str, Instant)>>,
}

/// What a stage took.
#[cfg(feature = "aggregate")]
#[derive(serde::Serialize)]
pub(crate) struct StageTime {
    stage: &'static str,
    seconds: f64,
}

#[cfg(feature = "aggregate")]
impl<'a> Stages<'a> {
    /// For work of so many stages: a bar on a terminal, a line for each elsewhere, nothing with `--json` or `--quiet`.
    pub(crate) fn new(output: &'a Output, count: usize) -> Self {
        let bar = (!output.is_json() && !output.is_quiet() && stderr().is_terminal()).then(|| {
            let template = "{bar:40} {pos} of {len}: {msg}, {elapsed}";
            let style = ProgressStyle::with_template(template).expect("the template is well formed");
            ProgressBar::new(count as u64).with_style(style)
        });
        Self { output, count, bar, begun: RefCell::default() }
    }

    /// The next stage begins.
    pub(crate) fn begin(&self, stage: &'static str) {
        let mut begun = self.begun.borrow_mut();
        begun.push((stage, Instant::now()));
        match &self.bar {
            Some(bar) => {
                bar.set_message(stage);
                bar.set_position(begun.len() as u64);
            }
            None if self.output.is_json() || self.output.is_quiet() => {}
            None => self.output.note(format_args!("{} of {}: {stage}", begun.len(), self.count)),
        }
    }

    /// The last stage is over.
    pub(crate) fn finish(self) -> Vec<StageTime> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        let begun = self.begun.into_inner();
        let ends = begun.iter().skip(1).map(|(_, time)| *time).chain([Instant::now()]);
        let stages = begun.iter().zip(ends);
        stages
            .map(|((stage, begun), end)| StageTime { stage, seconds: (end - *begun).as_secs_f64() })
            .collect()
    }
}
