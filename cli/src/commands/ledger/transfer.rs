//! `phalanx ledger export` and `import`: histories on their way between ledgers.

use super::{LedgerArgs, key_id, status};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::key_ledger;
use crate::output::{JsonFlag, Output};
use phalanx_custody::identity::KeyId;
use std::path::PathBuf;

/// Write the history of keys for another ledger
///
/// To move keys: --retire. They sign nothing here any more, for ever, and may sign where the file is imported; import it
/// in one place, and destroy it. Without --retire the file is a copy: evidence, and keys that are new to the other ledger
/// are quarantined there.
#[derive(clap::Args)]
#[command(
    after_help = "Example: phalanx ledger export --ledger keys/secret-key.ssz.ledger --retire --out history.json"
)]
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
    if files::is_standard(&args.out) {
        return Err(Failure::usage("a history is written to a file: name one"));
    }
    // Refused before anything is retired.
    files::check_free(&args.out, false)?;
    files::check_folder_of(&args.out)?;
    let ledger = args.ledger.open()?;
    let failed = |error| key_ledger::failure(&error);
    let (text, transfer) = if args.eip3076 {
        (ledger.export_eip3076().map_err(failed)?, None)
    } else {
        let keys = (!args.key_id.is_empty()).then_some(&args.key_id[..]);
        let exported = ledger.export(keys, args.retire).map_err(failed)?;
        (exported.text, Some(hex::encode(exported.transfer)))
    };
    files::write(&args.out, text.as_bytes(), Privacy::Secret, false)?;
    output.line(format_args!("history in '{}' ({} bytes)", args.out.display(), text.len()))?;
    output.object(&serde_json::json!({
        "out": args.out, "bytes": text.len(), "transfer": transfer, "retired": args.retire,
    }))?;
    Ok(Exit::Good)
}

/// Take in a history, as a whole or not at all
///
/// In our form or as EIP-3076. An epoch with two messages is closed; everything up to the highest is passed.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ledger import --ledger keys/secret-key.ssz.ledger history.json")]
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
    let ledger = args.ledger.open()?;
    let closed = ledger.import(&bytes).map_err(|error| key_ledger::failure(&error))?;
    if closed > 0 {
        output.note(format_args!(
            "{closed} epochs had two messages and are closed: whoever has both signatures can forge there"
        ));
    }
    status::show(&ledger, output)
}
