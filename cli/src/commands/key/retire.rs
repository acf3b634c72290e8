//! `phalanx key retire`: a key that signs no more.

use super::ledger::LedgerArgs;
use super::report::Report;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::keystore::file;
use std::path::PathBuf;

/// Retire a key: its ledger lets it sign nothing any more, for ever
///
/// The keystore stays as it is, and so does its part in old ledgers and backups: destroy what is not needed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx key retire keys/validator-7.json --ledger ledger \\
    --reason 'left the set'")]
pub(crate) struct Args {
    /// The keystore
    #[arg(value_name = "FILE")]
    keystore: PathBuf,
    /// Why: it is written down
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let (keystore, _) = file::inspect(&args.keystore)?;
    let header = keystore.header();
    args.ledger.open()?.retire(&header.key_id, &args.reason)?;
    output.line(format_args!("key {} is retired", header.key_id))?;
    output.object(&Report::of(&args.keystore, header))?;
    Ok(Exit::Good)
}
