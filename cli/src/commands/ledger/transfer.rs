//! `phalanx ledger export` and `import`: histories on their way between ledgers.

use super::{KeyIdArgs, LedgerArgs, key_id, status};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::durable::Exported;
use phalanx_custody::ledger::interchange::read_own;
use phalanx_custody::ledger::record::KeyState;
use std::path::{Path, PathBuf};

/// Write the history of keys for another ledger
///
/// To move keys: --retire. They sign nothing here any more, for ever, and may sign where the file is imported; import it
/// in one place, and destroy it. Without --retire the file is a copy: evidence, and keys that are new to the other ledger
/// are quarantined there.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger export --ledger keys/secret-key.ssz.ledger --retire \\
    --out history.json")]
pub(crate) struct Export {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The keys, by their key ids [default: all]
    #[arg(long, value_name = "ID", value_parser = key_id)]
    key_id: Vec<KeyId>,
    /// Retire the keys here first
    #[arg(long, conflicts_with = "eip3076")]
    retire: bool,
    /// All keys as EIP-3076, version 5
    #[arg(long, conflicts_with = "key_id")]
    eip3076: bool,
    /// The file to write
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `export`.
pub(super) fn export(args: &Export, output: &Output) -> Result<Exit, Failure> {
    check_out(&args.out)?;
    let ledger = args.ledger.open()?;
    let (text, transfer) = if args.eip3076 {
        (ledger.export_eip3076()?, None)
    } else {
        let keys = (!args.key_id.is_empty()).then_some(&args.key_id[..]);
        let Exported { text, transfer } = ledger.export(keys, args.retire)?;
        (text, Some(transfer))
    };
    write(&args.out, &text, transfer, args.retire, output)
}

/// Refuses a place for a history, before anything is retired or given away.
fn check_out(out: &Path) -> Result<(), Failure> {
    if files::is_standard(out) {
        return Err(Failure::usage("a history is written to a file: name one"));
    }
    files::check_free(out, false)?;
    files::check_folder_of(out)
}

fn write(
    out: &Path,
    text: &str,
    transfer: Option<[u8; 16]>,
    retired: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    files::write(out, text.as_bytes(), Privacy::Secret, false)?;
    output.line(format_args!("history in '{}' ({} bytes)", out.display(), text.len()))?;
    output.object(&serde_json::json!({
        "out": out, "bytes": text.len(), "transfer": transfer.map(hex::encode), "retired": retired,
    }))?;
    Ok(Exit::Good)
}

/// Give the epochs of a key from one on to another ledger: this one never signs them, and the other nothing else
///
/// The file is imported there. What is given away and then lost is lost: it does not come back.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger split --ledger keys/secret-key.ssz.ledger \\
    --yes-key-id KEY-ID --at 2000 --to host-b --out host-b.json")]
pub(crate) struct Split {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    key: KeyIdArgs,
    /// The first epoch that is given away; all after it go along
    #[arg(long, value_name = "N")]
    at: u64,
    /// Name of the range, in both ledgers
    #[arg(long, value_name = "NAME")]
    to: String,
    /// The file to write
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `split`.
pub(super) fn split(args: &Split, output: &Output) -> Result<Exit, Failure> {
    check_out(&args.out)?;
    let ledger = args.ledger.open()?;
    let key = args.key.read(None)?;
    let Exported { text, transfer } = ledger.split(&key, args.at, &args.to)?;
    write(&args.out, &text, Some(transfer), false, output)
}

/// Take in a history, as a whole or not at all
///
/// In our form or as EIP-3076. An epoch with two messages is closed; everything up to the highest is passed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger import --ledger keys/secret-key.ssz.ledger history.json")]
pub(crate) struct Import {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs `import`.
pub(super) fn import(args: &Import, output: &Output) -> Result<Exit, Failure> {
    let bytes = files::read(&args.file)?;
    let registry = args.ledger.registry()?;
    let ledger = args.ledger.open()?;
    // Before anything is taken in: a transfer is taken in once.
    let known = ledger.keys()?;
    let own: Vec<KeyId> = known.iter().map(|known| known.standing.instance.key_id).collect();
    let was_active = |key: &KeyId| {
        known
            .iter()
            .any(|known| known.standing.instance.key_id == *key && known.standing.state == KeyState::Active)
    };
    let in_file: Vec<KeyId> =
        read_own(&bytes).map_or_else(|_| Vec::new(), |file| file.public_keys().map(|(key, _)| key).collect());
    own.iter().chain(&in_file).try_for_each(|key| registry.check_free(key))?;
    let closed = ledger.import(&bytes)?;
    // What signs elsewhere goes on there, unless it has come with this file.
    let left = registry.give_all(&ledger, |key, _| !was_active(key))?;
    super::note_left(&left, output);
    if closed > 0 {
        output.note(format_args!(
            "{closed} epochs had two messages and are closed: whoever has both signatures can forge there"
        ));
    }
    status::show(&ledger, output)
}
