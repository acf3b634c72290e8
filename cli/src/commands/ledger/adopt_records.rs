//! `phalanx ledger adopt-records`: a key's record of used epochs becomes a ledger of its own.

use super::status;
use crate::commands::xmss::input::SchemeArgs;
use crate::commands::xmss::secret_key::SecretKey;
use crate::exit::{Exit, Failure};
use crate::formats;
use crate::key_json::KeyJson;
use crate::key_ledger::{self, FileSystemArgs};
use crate::output::{JsonFlag, Output};
use crate::record::{Leaving, Owner};
use crate::state::StateFolder;
use phalanx::xmss::{Format, SigningKey};
use phalanx_custody::identity::xmss_key_id;
use phalanx_custody::ledger::migration::OldRecord;
use phalanx_custody::ledger::record::KeyState;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, LedgerError, Problem, xmss_instance};
use std::path::PathBuf;

/// Make a key's record of used epochs a ledger, which 'phalanx xmss sign' asks from then on
///
/// The ledger is the folder '<secret key>.ledger', with a side log in the state folder. It is told every epoch that the
/// record knows; then both files of the record say that they have moved. The record must be in order: see 'phalanx xmss
/// record'. Cut short, the same command goes on.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger adopt-records --secret-key keys/secret-key.ssz --scheme xmss-poseidon2-l18-d64b8")]
pub(crate) struct Args {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Encoding of the key [default: what key.json beside it says, else ssz]
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser())]
    format: Option<Format>,
    /// What the key is for
    #[arg(long, value_name = "ROLE", default_value = "other",
          value_parser = ["attester", "proposer", "aggregator", "builder", "other"])]
    role: String,
    #[command(flatten)]
    file_systems: FileSystemArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let beside = || KeyJson::beside(&args.secret_key).and_then(|key| Format::from_name(&key.encoding));
    let format = args.format.or_else(beside).unwrap_or(Format::Ssz);
    let mut secret = SecretKey::read(&args.secret_key, args.scheme.scheme, format)?;
    let state = StateFolder::of_user()?;
    let _registration = state.lock()?;
    let folder = key_ledger::folder_of(&secret.path);
    let leaving = Leaving::open(&secret.path, &Owner::of(&secret.key), folder.is_dir())?;
    secret.settle(&leaving, format, output)?;

    let options = key_ledger::options(&folder, &args.file_systems)?;
    match SqliteLedger::create(&options, key_ledger::without_clock()) {
        // Of a run that was cut short.
        Err(error) if error.problem() == Problem::Exists => {}
        other => other.map_err(|error| key_ledger::failure(&error))?,
    }
    let ledger = key_ledger::open(&options)?;
    let (used, begin) = leaving.used();
    take_in(&ledger, &secret.key, &args.role, used, begin).map_err(|error| key_ledger::failure(&error))?;
    leaving.leave(&hex::encode(ledger.ledger_id()))?;
    let key_id = xmss_key_id(&secret.key.verifying_key());
    ledger.adopt_records(&key_id, &[]).map_err(|error| key_ledger::failure(&error))?;
    status::show(&ledger, output)
}

/// Registers the key, quarantined until its record says that it has moved, with all that the record knows.
fn take_in(
    ledger: &SqliteLedger,
    key: &SigningKey,
    role: &str,
    entries: std::collections::BTreeMap<u64, Option<[u8; 32]>>,
    begin: Option<u64>,
) -> Result<(), LedgerError> {
    let public_key = key.verifying_key();
    let key_id = xmss_key_id(&public_key);
    let instance = xmss_instance(key, role);
    ledger.register(&instance, &public_key.to_bytes(Format::Ssz), InitialState::Quarantined)?;
    ledger.unite_record(&key_id, &OldRecord { entries, compromised: Vec::new() })?;
    let standing = ledger.standing(&key_id)?;
    debug_assert_eq!(standing.state, KeyState::Quarantined, "nothing signs while its record still can");
    match begin {
        Some(begin) if begin > standing.low => ledger.raise_low(&key_id, begin, "the record was begun there"),
        _ => Ok(()),
    }
}
