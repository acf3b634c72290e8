//! How far a key generation is: a bar on a terminal, a line now and then elsewhere, nothing with `--json`.

use crate::output::Output;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use phalanx::xmss::Progress;
use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows progress from any thread.
pub(crate) struct Display<'a> {
    output: &'a Output,
    shape: Shape,
}

enum Shape {
    Bar(ProgressBar),
    Lines { begun: Instant, last: Mutex<Instant> },
    Nothing,
}

impl<'a> Display<'a> {
    /// The display for a generation of so many leaves.
    pub(crate) fn new(output: &'a Output, leaves_total: u64) -> Self {
        let now = Instant::now();
        let shape = if output.is_json() {
            Shape::Nothing
        } else if stderr().is_terminal() {
            let bar = ProgressBar::new(leaves_total);
            let template =
                "{bar:40} {percent}% {human_pos} of {human_len} leaves, {rate} per second, {eta} left";
            let style = ProgressStyle::with_template(template).expect("the template is well formed");
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                // A terminal that cannot be written to has no bar.
                let _ = write!(out, "{:.0}", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
            Shape::Bar(bar)
        } else {
            Shape::Lines { begun: now, last: Mutex::new(now) }
        };
        Self { output, shape }
    }

    /// Shows how far it is.
    pub(crate) fn show(&self, progress: Progress) {
        let Progress { leaves_done, leaves_total } = progress;
        match &self.shape {
            Shape::Nothing => {}
            Shape::Bar(bar) => {
                bar.set_length(leaves_total);
                // Threads report in any order; the bar must not walk back.
                if bar.position() < leaves_done {
                    bar.set_position(leaves_done);
                }
            }
            Shape::Lines { begun, last } => {
                // If another thread is printing, there is nothing to add.
                let Ok(mut last) = last.try_lock() else { return };
                if last.elapsed() < LINE_EVERY || leaves_done == 0 {
                    return;
                }
                *last = Instant::now();
                let seconds = begun.elapsed().as_secs_f64();
                let left = begun
                    .elapsed()
                    .mul_f64(leaves_total.saturating_sub(leaves_done) as f64 / leaves_done as f64);
                self.output.note(format_args!(
                    "{leaves_done} of {leaves_total} leaves, {:.0} per second, {} left",
                    leaves_done as f64 / seconds,
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
