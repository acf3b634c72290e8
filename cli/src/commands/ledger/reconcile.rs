//! `phalanx ledger reconcile`: a new ledger of all that is known, where the files of the old one disagree.

use super::{LedgerArgs, ReasonArgs, ledger_id};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::{files, key_ledger};
use phalanx_custody::ledger::durable::{Evidence, LedgerOptions, Reconcile};
use phalanx_custody::ledger::log::{Verdict, read};
use phalanx_custody::ledger::registry::Registry;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use std::path::PathBuf;

/// Make a new ledger of all that is known, where the files of the old one do not agree any more
///
/// The union of store, side log and every file given; whatever can have been signed is closed. The old files stay under
/// other names. Epochs with two messages are named: whoever has both signatures can forge there. Where the side log is
/// lost, as with a key folder that comes from another machine, --i-accept-epoch answers for what it knew.
///
/// Of a store in a database, what is known is put back into it. The side logs of the other hosts have to be among the files
/// given, or --i-accept-epoch lies above all that they have signed; each of them does the same afterwards.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger reconcile --ledger keys/secret-key.ssz.ledger \\
    --ledger-id LEDGER-ID --reason 'disk failure'")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The name of the ledger that is replaced, 32 digits: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = ledger_id)]
    ledger_id: [u8; 16],
    /// Old copies of a side log, and exported histories
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// The first epoch that may sign: above every epoch that any copy has ever signed
    #[arg(long, value_name = "N")]
    i_accept_epoch: Option<u64>,
    #[command(flatten)]
    reason: ReasonArgs,
    /// What this host is called in a database that has lost everything
    #[arg(long, value_name = "NAME", requires = "store")]
    host: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let options = args.ledger.options()?;
    let options = args.host.iter().fold(options, |options, host| options.host(host));
    let registry = args.ledger.registry()?;
    check_is_meant(args, &options, &registry)?;
    let with = args.with.iter().map(|file| {
        let bytes = files::read(file)?.to_vec();
        let is_log = !matches!(read(&bytes).verdict, Verdict::Damaged | Verdict::Empty);
        Ok(if is_log { Evidence::Log(bytes) } else { Evidence::Interchange(bytes) })
    });
    let what = Reconcile {
        settings: key_ledger::without_clock(),
        with: with.collect::<Result<_, Failure>>()?,
        epoch: args.i_accept_epoch,
        reason: args.reason.reason.clone(),
    };
    let done = SqliteLedger::reconcile(&options, &what)?;
    let ledger = key_ledger::open(&options)?;
    let mut replaced = done.replaced.clone();
    replaced.insert(args.ledger_id);
    let left = registry.give_all(&ledger, |_, keeper| replaced.contains(keeper))?;
    super::note_left(&left, output);
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

/// Refuses another ledger than the one that is named, and one without its side log for which nobody answers.
fn check_is_meant(args: &Args, options: &LedgerOptions, registry: &Registry) -> Result<(), Failure> {
    let named = hex::encode(args.ledger_id);
    if registry.has_side_log(&args.ledger_id) {
        return Ok(());
    }
    if SqliteLedger::name_of(options)? != args.ledger_id {
        return Err(Failure::refused(format_args!("the ledger in the folder is not '{named}'"))
            .hint("the name of a ledger is in its side log, and in 'phalanx ledger status'"));
    }
    match args.i_accept_epoch {
        Some(_) => Ok(()),
        None => Err(Failure::refused(format_args!(
            "the side log of ledger '{named}' is not in the state folder"
        ))
        .hint("--i-accept-epoch says from which epoch on its keys have signed nothing, whatever it knew")),
    }
}
