//! `phalanx ledger reconcile`: a new ledger of all that is known, where the files of the old one disagree.

use super::{LedgerArgs, ledger_id};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::{files, key_ledger};
use phalanx_custody::ledger::log::{Verdict, read};
use phalanx_custody::ledger::sqlite::{Evidence, Reconcile, SqliteLedger};
use std::path::PathBuf;

/// Make a new ledger of all that is known, where the files of the old one do not agree any more
///
/// The union of store, side log and every file given; whatever can have been signed is closed. The old files stay under
/// other names. Epochs with two messages are named: whoever has both signatures can forge there.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger reconcile --ledger keys/secret-key.ssz.ledger --ledger-id 8d22... --reason 'disk failure'")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The name of the ledger that is replaced, 32 digits: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = ledger_id)]
    ledger_id: [u8; 16],
    /// Old copies of a side log, and exported histories
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Why: it is written down
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let options = args.ledger.options()?;
    check_is_meant(args)?;
    let with = args.with.iter().map(|file| {
        let bytes = files::read(file)?.to_vec();
        let is_log = !matches!(read(&bytes).verdict, Verdict::Damaged | Verdict::Empty);
        Ok(if is_log { Evidence::Log(bytes) } else { Evidence::Interchange(bytes) })
    });
    let what = Reconcile {
        settings: key_ledger::without_clock(),
        with: with.collect::<Result<_, Failure>>()?,
        reason: args.reason.clone(),
    };
    let done = SqliteLedger::reconcile(&options, &what).map_err(|error| key_ledger::failure(&error))?;
    let id = hex::encode(done.ledger_id);
    output.line(format_args!(
        "ledger {id}: made of all that is known; {} epochs compromised",
        done.compromised.len()
    ))?;
    let compromised: Vec<_> = done
        .compromised
        .iter()
        .map(|(key, place)| serde_json::json!({ "key_id": key.to_string(), "position": place.position }))
        .collect();
    output.object(&serde_json::json!({ "ledger_id": id, "compromised": compromised }))?;
    Ok(Exit::Good)
}

/// Refuses if the folder holds the side log of another ledger than the one that is named.
fn check_is_meant(args: &Args) -> Result<(), Failure> {
    let state = crate::state::StateFolder::of_user()?;
    let named = state.path().join(hex::encode(args.ledger_id));
    if named.is_dir() {
        return Ok(());
    }
    Err(Failure::refused(format_args!(
        "no ledger '{}' has a side log in the state folder",
        hex::encode(args.ledger_id)
    ))
    .hint("the name of a ledger is in its side log, and in 'phalanx ledger status'"))
}
