//! What an operator answers for: that a key has signed nothing from some epoch on, or that a ledger was moved.

use super::{KeyFileArgs, KeyIdArgs, LedgerArgs, ReasonArgs, ledger_id, status};
use crate::commands::xmss::input::SchemeArgs;
use crate::exit::{Exit, Failure};
use crate::formats;
use crate::key_ledger::{self, FileSystemArgs, NO_ROLE};
use crate::output::{JsonFlag, Output};
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx_custody::EpochKey;
use phalanx_custody::ledger::durable::AcceptMove;
use phalanx_custody::ledger::record::KeyInstance;
use phalanx_custody::ledger::registry::{Keeper, Registry};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, xmss_instance};
use std::path::PathBuf;

/// Answer for a key that comes from elsewhere, or whose history is lost: it has signed nothing from an epoch on
///
/// Stop everything that signs with the key, and find out the last epoch that any copy of it can have signed: a wrong number
/// can lose the key. With --secret-key a ledger is begun beside the file if there is none, and keeps the key from then on,
/// whichever did before. With --ledger a key of that ledger is meant, which is quarantined. Either is written down.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx ledger adopt --secret-key key.ssz --scheme xmss-poseidon2-l18-d64b8 \\
    --i-accept-epoch 2000 --reason 'from lean'
  phalanx ledger adopt --ledger keys/secret-key.ssz.ledger \\
    --yes-key-id KEY-ID --i-accept-epoch 2000 --reason 'moved'")]
pub(crate) struct Adopt {
    /// Folder of the ledger
    #[arg(long, value_name = "DIR", conflicts_with = "secret_key", required_unless_present = "secret_key")]
    ledger: Option<PathBuf>,
    /// The secret key
    #[arg(long, value_name = "F", requires = "scheme")]
    secret_key: Option<PathBuf>,
    /// The parameter set of the secret key
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: Option<ParameterSet>,
    /// Encoding of the secret key [default: what key.json beside it says, else ssz]
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser())]
    format: Option<Format>,
    #[command(flatten)]
    file_systems: FileSystemArgs,
    #[command(flatten)]
    key: KeyIdArgs,
    #[command(flatten)]
    reason: ReasonArgs,
    /// The first epoch that may sign: above every epoch that any copy of the key has ever signed
    #[arg(long, value_name = "N")]
    i_accept_epoch: u64,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `adopt`.
pub(super) fn adopt(args: &Adopt, output: &Output) -> Result<Exit, Failure> {
    let registry = key_ledger::registry(&args.file_systems)?;
    match (&args.secret_key, args.scheme, &args.ledger) {
        (Some(secret_key), Some(scheme), _) => {
            let file = KeyFileArgs {
                secret_key: secret_key.clone(),
                scheme: SchemeArgs { scheme },
                format: args.format,
                role: NO_ROLE.to_owned(),
                file_systems: args.file_systems.clone(),
            };
            adopt_file(args, &file, &registry, output)
        }
        (_, _, Some(folder)) => {
            let ledger = key_ledger::open(&key_ledger::options(folder, &args.file_systems)?)?;
            let id = args.key.read(None)?;
            let instance = ledger.standing(&id)?.instance;
            check(args, &registry, &instance)?;
            registry.give(&instance, &ledger.ledger_id())?;
            settle(args, &ledger, &instance, output)
        }
        _ => Err(Failure::usage("neither a secret key nor a ledger is given")),
    }
}

/// The same for the key in a file.
fn adopt_file(
    args: &Adopt,
    file: &KeyFileArgs,
    registry: &Registry,
    output: &Output,
) -> Result<Exit, Failure> {
    let mut secret = file.read()?;
    let instance = xmss_instance(&secret.key, &file.role);
    if args.key.read(Some(&instance.key_id))? != instance.key_id {
        return Err(Failure::refused(format_args!("the key in the file is {}", instance.key_id)));
    }
    check(args, registry, &instance)?;
    let ledger = key_ledger::open_or_create(&file.options(&secret.path)?)?;
    secret.settle(&ledger, file.format(), output)?;
    let public_key = SigningKey::public_key(&secret.key.verifying_key());
    let (low, reason) = (args.i_accept_epoch, args.reason.reason.clone());
    registry.give(&instance, &ledger.ledger_id())?;
    let is_known = ledger.keys()?.iter().any(|known| known.standing.instance.key_id == instance.key_id);
    if is_known {
        return settle(args, &ledger, &instance, output);
    }
    ledger.register(&instance, &public_key, InitialState::Adopt { low, reason })?;
    status::show(&ledger, output)
}

/// Refuses a word that any side log here knows to be wrong, or that is none of the key's.
fn check(args: &Adopt, registry: &Registry, key: &KeyInstance) -> Result<(), Failure> {
    let from = args.i_accept_epoch;
    if !(key.start..=key.end).contains(&from) {
        return Err(Failure::usage(format_args!(
            "epoch {from} is outside the activation interval {}..{}",
            key.start, key.end
        )));
    }
    // Refuses another key with the same one-time keys, whatever the operator says.
    let _: Keeper = registry.keeper_of(key)?;
    registry.check_free(&key.key_id)?;
    match registry.first_unused(&key.key_id)? {
        Some(first) if from < first => Err(key_ledger::too_low(from, first)),
        _ => Ok(()),
    }
}

/// The word for a key that the ledger knows.
fn settle(args: &Adopt, ledger: &SqliteLedger, key: &KeyInstance, output: &Output) -> Result<Exit, Failure> {
    ledger.adopt(&key.key_id, args.i_accept_epoch, &args.reason.reason)?;
    status::show(ledger, output)
}

/// Burn forward: close every unused epoch of a key below one, for good
///
/// After any doubt. It costs the epochs; nothing brings them back, and nothing else is safe.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger burn --ledger keys/secret-key.ssz.ledger \\
    --yes-key-id KEY-ID --to 2000 --reason 'after a doubt'")]
pub(crate) struct Burn {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    key: KeyIdArgs,
    #[command(flatten)]
    reason: ReasonArgs,
    /// The first epoch that stays open
    #[arg(long, value_name = "N")]
    to: u64,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `burn`.
pub(super) fn burn(args: &Burn, output: &Output) -> Result<Exit, Failure> {
    let ledger = args.ledger.open()?;
    ledger.raise_low(&args.key.read(None)?, args.to, &args.reason.reason)?;
    status::show(&ledger, output)
}

/// Open a ledger whose files were moved, copied or restored: nothing below an epoch signs any more
///
/// Only one copy may live. Every key of the ledger goes on from the epoch given, or from above its highest.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger accept-move --ledger keys/secret-key.ssz.ledger \\
    --ledger-id LEDGER-ID --i-accept-epoch 2000 --reason 'new disk'")]
pub(crate) struct AcceptMoved {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The name of the ledger, 32 digits: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = ledger_id)]
    ledger_id: [u8; 16],
    /// The first epoch that may sign: above every epoch that any copy has ever signed
    #[arg(long, value_name = "N")]
    i_accept_epoch: u64,
    #[command(flatten)]
    reason: ReasonArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Open a ledger whose database is another server than before, or another history of it: a promoted standby
///
/// Only if it has lost nothing that was signed, or with an epoch above all of it. What was lost comes back by 'phalanx
/// ledger reconcile' on each host.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger accept-failover --ledger ledger --ledger-id LEDGER-ID \\
    --i-accept-epoch 2000 --reason 'standby promoted'")]
pub(crate) struct AcceptFailedOver {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The name of the ledger, 32 digits: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = ledger_id)]
    ledger_id: [u8; 16],
    /// The first epoch that may sign: above every epoch that any host has ever signed. A ledger without a clock needs it
    #[arg(long, value_name = "N")]
    i_accept_epoch: Option<u64>,
    #[command(flatten)]
    reason: ReasonArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `accept-failover`.
pub(super) fn accept_failover(args: &AcceptFailedOver, output: &Output) -> Result<Exit, Failure> {
    let accept = AcceptMove {
        ledger_id: args.ledger_id,
        epoch: args.i_accept_epoch,
        reason: args.reason.reason.clone(),
    };
    let ledger = key_ledger::open(&args.ledger.options()?.accept_failover(accept))?;
    status::show(&ledger, output)
}

/// Runs `accept-move`.
pub(super) fn accept_move(args: &AcceptMoved, output: &Output) -> Result<Exit, Failure> {
    let accept = AcceptMove {
        ledger_id: args.ledger_id,
        epoch: Some(args.i_accept_epoch),
        reason: args.reason.reason.clone(),
    };
    let ledger = key_ledger::open(&args.ledger.options()?.accept_move(accept))?;
    status::show(&ledger, output)
}
