//! `phalanx ledger check`: what a side log is worth by itself.

use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::log::{Verdict, read};
use std::path::PathBuf;

/// Read a side log of a ledger alone: is it whole, and does it contradict itself?
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger check ~/.local/state/phalanx/LEDGER-ID/witness-00000001.log")]
pub(crate) struct Args {
    /// The side log
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it. Exit code 1 for a log that only its store can explain, or nothing.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let bytes = files::read(&args.file)?;
    let reading = read(&bytes);
    let mut accounts = Accounts::default();
    let mut groups = reading.groups.iter();
    let is_consistent = groups.all(|group| accounts.apply_all(&group.records).is_ok());
    let verdict = if is_consistent { reading.verdict.name() } else { "inconsistent" };
    let is_good = is_consistent && matches!(reading.verdict, Verdict::Good | Verdict::Torn);
    output.object(&serde_json::json!({
        "verdict": verdict, "last_group": reading.last_group(), "last_seq": reading.last_seq(),
        "chain": hex::encode(reading.last_chain()), "valid_bytes": reading.valid_bytes,
        "tail_bytes": reading.tail_bytes, "keys": accounts.iter().count(),
    }))?;
    let text = format!(
        "'{}' is {verdict}: {} groups, {} bytes, and {} after them",
        args.file.display(),
        reading.last_group(),
        reading.valid_bytes,
        reading.tail_bytes
    );
    if is_good {
        output.line(text)?;
        return Ok(Exit::Good);
    }
    Err(Failure::new(Exit::DoesNotVerify, text))
}
