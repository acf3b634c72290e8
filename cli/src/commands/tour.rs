//! `phalanx tour`: see [`phalanx_tour`].

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::Backend;
use phalanx_tour::{Fault, Section, Step};
use std::time::Instant;

/// Show what phalanx does, with timings: nothing to set up
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx tour")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(_args: &Args, output: &Output) -> Result<Exit, Failure> {
    let clock = Instant::now();
    output.line(phalanx_tour::title())?;
    let mut sections = Vec::new();
    for section in phalanx_tour::sections() {
        let section = section?;
        output.line(format_args!("\n{section}"))?;
        sections.push(json(&section));
    }
    let seconds = clock.elapsed().as_secs_f64();
    output.line(format_args!("\nall results are as they should be ({seconds:.2} s)"))?;
    let (version, backend) = (env!("CARGO_PKG_VERSION"), Backend::current().name());
    output.object(&serde_json::json!({
        "version": version, "backend": backend, "systems": sections, "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}

/// A section as JSON.
fn json(section: &Section) -> serde_json::Value {
    let step = |Step { step, detail, milliseconds }: &Step| serde_json::json!({ "step": step, "detail": detail, "milliseconds": milliseconds });
    serde_json::json!({ "system": section.scheme, "steps": section.steps.iter().map(step).collect::<Vec<_>>() })
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::new(Exit::DoesNotVerify, fault)
    }
}
