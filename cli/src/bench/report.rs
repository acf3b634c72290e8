//! Results for people, as a table.

use super::machine::Machine;
use super::measure::Row;
use super::{ed25519, ligerito, rescue};
use crate::exit::Failure;
use crate::output::Output;
use serde::Serialize;

/// What `--json` writes.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) machine: Machine,
    pub(super) commit: String,
    pub(super) quick: bool,
    pub(super) results: Vec<Row>,
}

/// Prints the table.
pub(super) fn print_table(results: &Results, output: &Output) -> Result<(), Failure> {
    let machine = &results.machine;
    output.line(format_args!("{}, {} threads, {}", machine.cpu, machine.cores, machine.os))?;
    output.line(format_args!(
        "{:38} {:28} {:8} {:>7} {:>6} {:>11} {:>11} {:>11} {:>7}",
        "operation", "scheme", "backend", "threads", "n", "median", "min", "max", "samples"
    ))?;
    for row in &results.results {
        let time = |value| format!("{} {}", number(value), row.unit);
        output.line(format_args!(
            "{:38} {:28} {:8} {:>7} {:>6} {:>11} {:>11} {:>11} {:>7}",
            row.name,
            row.scheme,
            row.backend,
            row.threads,
            row.n,
            time(row.median),
            time(row.min),
            time(row.max),
            row.samples
        ))?;
    }
    ed25519::print_table(&results.results, output)?;
    rescue::print_table(&results.results, output)?;
    ligerito::print_table(&results.results, output)
}

/// Three figures or more.
pub(super) fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}
