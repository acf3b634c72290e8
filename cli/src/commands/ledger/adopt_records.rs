//! `phalanx ledger adopt-records`: the record of an earlier version becomes a ledger.

use super::KeyFileArgs;
use crate::exit::{Exit, Failure};
use crate::key_ledger;
use crate::old_record;
use crate::output::{JsonFlag, Output};
use crate::state;
use phalanx::xmss::Format;
use phalanx_custody::ledger::durable::OldRecordFile;
use phalanx_custody::ledger::record::KeyState;
use phalanx_custody::ledger::registry::Keeper;
use phalanx_custody::ledger::{EpochLedger, InitialState, Problem, xmss_instance};
use std::path::PathBuf;

/// Make a ledger of the record of used epochs that an earlier version kept beside a secret key
///
/// First stop everything that signs with the key. The ledger is told every epoch that '<secret key>.epochs' knows; then
/// that file is replaced by one that earlier versions refuse, and the key signs through its ledger. Copies of the key that
/// have signed apart: name their records, too; an epoch with two messages is closed. If the record is missing or damaged,
/// 'phalanx ledger adopt' begins a ledger.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger adopt-records --secret-key keys/secret-key.ssz --scheme xmss-poseidon2-l18-d64b8")]
pub(crate) struct Args {
    #[command(flatten)]
    key: KeyFileArgs,
    /// Records of copies of the same key
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let mut secret = args.key.read()?;
    let registry = state::alone()?;
    let instance = xmss_instance(&secret.key, &args.key.role);
    let options = args.key.options(&secret.path)?;
    if let keeper @ (Keeper::Ledger(_) | Keeper::Unreadable) = registry.keeper_of(&instance)? {
        // Of a run that was cut short.
        let ledger = key_ledger::open(&options).ok().map(|ledger| ledger.ledger_id());
        if ledger.map(Keeper::Ledger) != Some(keeper) {
            return Err(Failure::refused("a ledger keeps this key already").hint(key_ledger::BEGIN));
        }
    }
    let record = old_record::path_beside(&secret.path);
    if !matches!(old_record::beside(&secret.path), Some(old_record::Kind::Record)) {
        return Err(Failure::refused(format_args!("there is no record '{}' (no_state)", record.display()))
            .hint(key_ledger::BEGIN));
    }
    let ledger = key_ledger::open_or_create(&options)?;
    secret.settle(&ledger, args.key.format(), output)?;
    let public_key = secret.key.verifying_key().to_bytes(Format::Ssz);
    let set = secret.key.parameter_set();
    let file = |path: PathBuf| OldRecordFile {
        path,
        scheme: set.name().to_owned(),
        public_key: public_key.clone(),
        lifetime: set.lifetime(),
    };
    let files: Vec<_> = args.with.iter().cloned().chain([record]).map(file).collect();
    // Quarantined until the record is replaced; and known here from now on, so that no other file of the key begins anew.
    ledger.register(&instance, &public_key, InitialState::Quarantined)?;
    if ledger.standing(&instance.key_id)?.state != KeyState::Quarantined {
        return Err(Failure::refused("the ledger beside the key knows it already"));
    }
    registry.give(&instance, &ledger.ledger_id())?;
    let adopted = ledger.adopt_records(&instance.key_id, &files);
    let compromised = adopted.map_err(|error| match error.problem() {
        Problem::DamagedRecord => Failure::from(error),
        _ => Failure::from(error).hint("this is not the record of this key"),
    })?;
    for epoch in &compromised {
        output.note(format_args!(
            "epoch {epoch} has two messages: whoever has both signatures can forge there"
        ));
    }
    super::status::show(&ledger, output)
}
