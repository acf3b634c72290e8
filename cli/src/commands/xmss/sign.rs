//! `phalanx xmss sign`: one message at one epoch, and never another there.
//!
//! The order is what makes it safe: the epoch is the message's in both files of the key's ledger before the signature is
//! computed, then the key that has moved on is on the disk, and only then, if the ledger answers still, does the signature
//! leave.

use super::epoch::Epoch;
use super::scheme::SchemeArgs;
use super::secret_key::SecretKey;
use crate::args::{HashArgs, MessageArgs};
use crate::exit::{Exit, Failure};
use crate::faults;
use crate::files::{self, Privacy};
use crate::formats::FormatArgs;
use crate::key_files;
use crate::key_json::{FileEntry, Interval, KeyJson, file_name};
use crate::key_ledger::{FileSystemArgs, KeyLedger};
use crate::output::{JsonFlag, Output};
use phalanx::xmss::{Error, Format, hazmat};
use std::fs;
use std::path::{Path, PathBuf};

/// Sign a 32-byte message at an epoch
///
/// An epoch signs one message, ever: used epochs are recorded in the ledger of the key, the folder '<secret key>.ledger'
/// and a side log in the state folder, before a signature is made. Without a ledger, or where its parts do not agree,
/// nothing is signed: see 'phalanx ledger --help'. The same message again gives the same signature. If the epoch lies
/// beyond the prepared interval the key moves on, and is saved.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss sign --secret-key keys/secret-key.ssz \\
    --scheme xmss-poseidon2-l18-d64b8 --epoch 7 --message-file root.bin \\
    --out signature.ssz")]
pub(crate) struct Args {
    /// The secret key, or the folder of keygen that it is in
    #[arg(short = 'k', long, value_name = "F")]
    pub(crate) secret_key: PathBuf,
    #[command(flatten)]
    pub(crate) scheme: SchemeArgs,
    /// The epoch, or 'next': the first after all that the key has signed, as its ledger knows them
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Epoch,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
    #[command(flatten)]
    pub(crate) hash: HashArgs,
    /// File for the signature (`-`: standard output) [default: the message's with .sig]
    #[arg(short, long, value_name = "F")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Replace the file of the signature
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) file_systems: FileSystemArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let out = &match &args.out {
        Some(out) => out.clone(),
        None => files::beside(args.message.path(), ".sig")?,
    };
    if files::is_standard(out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    files::check_free(out, args.force)?;
    files::check_folder_of(out)?;
    let message = args.message.read_or_hash(args.hash)?;
    let file = key_files::secret(&args.secret_key)?;
    let (mut secret, format) =
        SecretKey::find(&file, |file, bytes| args.scheme.of_secret_key(file, bytes, &args.format))?;
    let set = secret.key.parameter_set();
    let ledger = KeyLedger::open(&secret.path, &secret.key, &args.file_systems)?;
    check_spares_key(out, &secret.path, &ledger)?;
    secret.settle(&ledger, format, output)?;

    let key = &mut secret.key;
    let before = key.prepared_interval();
    let epoch = match args.epoch {
        Epoch::At(epoch) => epoch,
        Epoch::Next => ledger.next_epoch()?,
    };
    let epoch =
        u32::try_from(epoch).map_err(|_| Error::Exhausted { epoch, end: key.activation_interval().end })?;
    faults::point();
    let again = ledger.reserve(key, epoch, &message)?;
    faults::point();
    // The ledger stands for the record of the process.
    let signature = hazmat::any::sign_reserved(key, epoch, &message)?;
    if key.verifying_key().verify(epoch, &message, &signature).is_err() {
        ledger.quarantine();
        return Err(Failure::system(
            "the secret key is damaged: its signature does not verify, and is withheld",
        )
        .hint("restore the key from a copy"));
    }
    let advanced = key.prepared_interval() != before;
    if advanced {
        save(&secret, format, output)?;
    }
    let signature_format = args.format.of_signature();
    let bytes = signature.to_bytes(signature_format)?;
    faults::point();
    ledger.check_health()?;
    files::write(out, &bytes, Privacy::Public, args.force)?;

    let prepared: Interval = secret.key.prepared_interval().into();
    if !files::is_standard(out) {
        output.line(format_args!(
            "signature of epoch {epoch} in '{}' ({} bytes)",
            out.display(),
            bytes.len()
        ))?;
    }
    output.object(&serde_json::json!({
        "scheme": set.name(), "epoch": epoch, "signature_file": out, "signature_format": signature_format.name(),
        "signature_bytes": bytes.len(), "again": again, "advanced": advanced,
        "prepared": prepared,
    }))?;
    Ok(Exit::Good)
}

/// Refuses to replace the key, or its ledger, by a signature.
fn check_spares_key(out: &Path, secret_key: &Path, ledger: &KeyLedger) -> Result<(), Failure> {
    match fs::canonicalize(out) {
        Ok(out) if out == secret_key || ledger.holds(&out) => {
            Err(Failure::usage(format_args!("'{}' is not replaced by a signature", out.display())))
        }
        _ => Ok(()),
    }
}

/// Saves the key after it has moved on, and says so in its `key.json`.
fn save(secret: &SecretKey, format: Format, output: &Output) -> Result<(), Failure> {
    let bytes = secret.key.to_bytes(format)?;
    files::write(&secret.path, &bytes, Privacy::Secret, true)?;
    let Some(mut description) = KeyJson::beside(&secret.path) else { return Ok(()) };
    description.prepared = Some(secret.key.prepared_interval().into());
    description.files.insert(file_name(&secret.path), FileEntry::of(&bytes));
    let path = KeyJson::path_beside(&secret.path);
    if files::write(&path, description.to_text().as_bytes(), Privacy::Public, true).is_err() {
        // The key itself is safe.
        output.note(format_args!("cannot bring '{}' up to date", path.display()));
    }
    Ok(())
}
