//! What an operator answers for: that a key has signed nothing from some epoch on, or that a ledger was moved.

use super::{AnswerArgs, LedgerArgs, ledger_id, status};
use crate::exit::{Exit, Failure};
use crate::key_ledger;
use crate::output::{JsonFlag, Output};
use phalanx_custody::ledger::EpochLedger;
use phalanx_custody::ledger::sqlite::AcceptMove;

/// Answer for a quarantined key: it has signed nothing from an epoch on
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger adopt --ledger keys/secret-key.ssz.ledger --key-id 8d22... --i-accept-epoch 5000 --reason 'moved here'")]
pub(crate) struct Adopt {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    answer: AnswerArgs,
    /// The first epoch that may sign: above every epoch that any copy of the key has ever signed
    #[arg(long, value_name = "N")]
    i_accept_epoch: u64,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `adopt`.
pub(super) fn adopt(args: &Adopt, output: &Output) -> Result<Exit, Failure> {
    let ledger = args.ledger.open()?;
    ledger
        .adopt(&args.answer.key_id, args.i_accept_epoch, &args.answer.reason)
        .map_err(|error| key_ledger::failure(&error))?;
    status::show(&ledger, output)
}

/// Close every unused epoch of a key below one, for good
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger raise-low --ledger keys/secret-key.ssz.ledger --key-id 8d22... --to 5000 --reason 'after a doubt'")]
pub(crate) struct RaiseLow {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    answer: AnswerArgs,
    /// The first epoch that stays open
    #[arg(long, value_name = "N")]
    to: u64,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `raise-low`.
pub(super) fn raise_low(args: &RaiseLow, output: &Output) -> Result<Exit, Failure> {
    let ledger = args.ledger.open()?;
    ledger
        .raise_low(&args.answer.key_id, args.to, &args.answer.reason)
        .map_err(|error| key_ledger::failure(&error))?;
    status::show(&ledger, output)
}

/// Open a ledger whose files were moved, copied or restored: nothing below an epoch signs any more
///
/// Only one copy may live. Every key of the ledger goes on from the epoch given, or from above its highest.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger accept-move --ledger keys/secret-key.ssz.ledger --ledger-id 8d22... --i-accept-epoch 5000 \\
    --reason 'new disk'")]
pub(crate) struct AcceptMoved {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The name of the ledger, 32 digits: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = ledger_id)]
    ledger_id: [u8; 16],
    /// The first epoch that may sign: above every epoch that any copy has ever signed
    #[arg(long, value_name = "N")]
    i_accept_epoch: u64,
    /// Why: it is written down
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `accept-move`.
pub(super) fn accept_move(args: &AcceptMoved, output: &Output) -> Result<Exit, Failure> {
    let accept = AcceptMove {
        ledger_id: args.ledger_id,
        epoch: Some(args.i_accept_epoch),
        reason: args.reason.clone(),
    };
    let ledger = key_ledger::open(&args.ledger.options()?.accept_move(accept))?;
    status::show(&ledger, output)
}
