//! `phalanx ledger init`: an empty ledger, for keys that come from another one.

use super::{LedgerArgs, status};
use crate::exit::{Exit, Failure};
use crate::key_ledger;
use crate::output::{JsonFlag, Output};

/// Make an empty ledger: for keys whose history is imported next
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ledger init --ledger keys/secret-key.ssz.ledger")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let options = args.ledger.options()?;
    key_ledger::create(&options)?;
    status::show(&key_ledger::open(&options)?, output)
}
