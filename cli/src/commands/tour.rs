//! `phalanx tour`: the main job of every system on real input, timed, every result checked.
//!
//! A system is a function that fills a [`Section`]; it joins by a line in [`SYSTEMS`].

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::{Backend, InvalidSignature};
use serde::Serialize;
use std::fmt::Display;
use std::time::Instant;

mod ed25519;
mod ligerito;
mod rescue;
mod xmss;

/// Show what phalanx does, with timings: nothing to set up
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx tour")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Shows one system.
type Tour = fn(&mut Section) -> Result<(), Failure>;

/// The systems, in the order of the tour.
const SYSTEMS: [Tour; 4] = [xmss::tour, ed25519::tour, rescue::tour, ligerito::tour];

/// What the tour shows of one system.
#[derive(Serialize, Default)]
pub(crate) struct Section {
    system: String,
    steps: Vec<Step>,
}

/// Something done, and how long it took.
#[derive(Serialize)]
struct Step {
    step: String,
    detail: String,
    milliseconds: f64,
}

impl Section {
    /// Names the system and what of it is shown.
    fn begin(&mut self, system: impl Display) {
        self.system = system.to_string();
    }

    /// Does `work` and notes how long it took; `detail` describes its result.
    fn step<T>(
        &mut self,
        step: &str,
        work: impl FnOnce() -> T,
        detail: impl FnOnce(&T, f64) -> Result<String, Failure>,
    ) -> Result<T, Failure> {
        let clock = Instant::now();
        let result = work();
        let milliseconds = clock.elapsed().as_secs_f64() * 1e3;
        let detail = detail(&result, milliseconds)?;
        self.steps.push(Step { step: step.to_owned(), detail, milliseconds });
        Ok(result)
    }
}

/// Fails, loudly, if `holds` is false.
fn check(holds: bool, what: &str) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(Failure::new(Exit::DoesNotVerify, format_args!("the tour found a fault: {what}")))
    }
}

/// Whether a verdict is a rejection.
fn is_rejected(verdict: Result<(), InvalidSignature>) -> bool {
    verdict == Err(InvalidSignature)
}

/// Runs it.
pub(crate) fn run(_args: &Args, output: &Output) -> Result<Exit, Failure> {
    let backend = Backend::current().name();
    let clock = Instant::now();
    output.line(format_args!("phalanx {}, backend {backend}", env!("CARGO_PKG_VERSION")))?;
    let mut sections = Vec::new();
    for system in SYSTEMS {
        let mut section = Section::default();
        system(&mut section)?;
        output.line(format_args!("\n{}", section.system))?;
        for Step { step, detail, milliseconds } in &section.steps {
            output.line(format_args!("  {step:24}{milliseconds:10.3} ms  {detail}"))?;
        }
        sections.push(section);
    }
    let seconds = clock.elapsed().as_secs_f64();
    output.line(format_args!("\nall results are as they should be ({seconds:.2} s)"))?;
    output.object(&serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"), "backend": backend, "systems": sections, "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}
