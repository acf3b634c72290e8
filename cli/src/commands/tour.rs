//! `phalanx tour`: the main job of every system on real input, timed, every result checked.
//!
//! A system is a function that fills a [`Section`]; it joins by a line in [`SYSTEMS`].

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::Backend;
use section::{Section, Step};
use std::time::Instant;

mod ed25519;
mod ligerito;
mod rescue;
mod section;
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
