//! `phalanx xmss sign`: one message at one epoch, and never another there.
//!
//! The order is what makes it safe: the epoch's entry in the record is on the disk first, then the key that has moved
//! on, and only then does the signature leave.

use super::input::{SchemeArgs, malformed};
use crate::args::MessageArgs;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::FormatArgs;
use crate::key_json::{FileEntry, Interval, KeyJson, file_name};
use crate::output::{JsonFlag, Output};
use crate::record::{self, Record, Standing};
use phalanx::xmss::{Error, Format, ParameterSet, SigningKey};
use std::fs;
use std::path::{Path, PathBuf};

/// Sign a 32-byte message at an epoch
///
/// An epoch signs one message, ever: used epochs are recorded in '<secret key>.epochs' before a signature is written.
/// The same message again gives the same signature. If the epoch lies beyond the prepared interval the key moves on,
/// and is saved.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss sign --secret-key keys/secret-key.ssz --scheme xmss-poseidon2-l18-d64b8 \\
    --epoch 7 --message-file root.bin --out signature.ssz")]
pub(crate) struct Args {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// The epoch
    #[arg(long, value_name = "N")]
    epoch: u64,
    #[command(flatten)]
    message: MessageArgs,
    /// File for the signature (`-`: standard output)
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
    /// Replace the file of the signature
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if files::is_standard(&args.out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    files::check_free(&args.out, args.force)?;
    files::check_folder_of(&args.out)?;
    let message = args.message.read()?;
    let format = args.format.of_key(&args.secret_key);
    let set = args.scheme.scheme;
    let mut key_file = KeyFile::open(&args.secret_key, set, format, output)?;
    check_spares_key(&args.out, &key_file.path)?;

    let key = &mut key_file.key;
    let before = key.prepared_interval();
    let epoch = u32::try_from(args.epoch)
        .map_err(|_| Error::Exhausted { epoch: args.epoch, end: key.activation_interval().end })?;
    let standing = key_file.record.standing(epoch, &message)?;
    if standing == Standing::Closed {
        return Err(Error::EpochUsed { epoch: args.epoch }.into());
    }
    let signature = key.sign(epoch, &message)?;
    if key.verifying_key().verify(epoch, &message, &signature).is_err() {
        return Err(Failure::system(
            "the secret key is damaged: its signature does not verify, and is withheld",
        )
        .hint("restore the key from a copy"));
    }
    match standing {
        Standing::Unused => key_file.record.append(epoch, &message)?,
        _ => key_file.record.confirm()?,
    }
    let advanced = key.prepared_interval() != before;
    if advanced {
        key_file.save(format, output)?;
    }
    let signature_format = args.format.of_signature();
    let bytes = signature.to_bytes(signature_format);
    files::write(&args.out, &bytes, Privacy::Public, args.force)?;

    let prepared: Interval = key_file.key.prepared_interval().into();
    if !files::is_standard(&args.out) {
        output.line(format_args!(
            "signature of epoch {epoch} in '{}' ({} bytes)",
            args.out.display(),
            bytes.len()
        ))?;
    }
    output.object(&serde_json::json!({
        "scheme": set.name(), "epoch": epoch, "signature_file": args.out, "signature_format": signature_format.name(),
        "signature_bytes": bytes.len(), "again": standing == Standing::SameMessage, "advanced": advanced,
        "prepared": prepared,
    }))?;
    Ok(Exit::Good)
}

/// Refuses to replace the key or its record by a signature.
fn check_spares_key(out: &Path, secret_key: &Path) -> Result<(), Failure> {
    let same = |path: &Path| fs::canonicalize(out).is_ok_and(|out| out == path);
    if same(secret_key) || same(&record::path_beside(secret_key)) {
        return Err(Failure::usage(format_args!("'{}' is not replaced by a signature", out.display())));
    }
    Ok(())
}

/// A secret key in its file, with its record; nobody else signs with it meanwhile.
struct KeyFile {
    /// The file, through all symbolic links.
    path: PathBuf,
    key: SigningKey,
    record: Record,
}

impl KeyFile {
    fn open(path: &Path, set: ParameterSet, format: Format, output: &Output) -> Result<Self, Failure> {
        if files::is_standard(path) {
            return Err(Failure::usage("the secret key must be a file: used epochs are recorded beside it"));
        }
        let cannot = |error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
        let path = fs::canonicalize(path).map_err(cannot)?;
        // Read once to know whose record to open, and under the lock once more if it has changed.
        let mut bytes = files::read(&path)?;
        let mut key = decode(&path, set, format, &bytes)?;
        if let Some(description) = KeyJson::beside(&path) {
            check_description(&description, &key, &path)?;
        }
        let record = Record::open(&path, &key.verifying_key())?;
        let now = files::read(&path)?;
        if *now != *bytes {
            bytes = now;
            let public = key.verifying_key();
            key = decode(&path, set, format, &bytes)?;
            if key.verifying_key() != public {
                return Err(Failure::system(format_args!(
                    "'{}' was replaced by another key",
                    path.display()
                )));
            }
        }
        if record.is_new {
            let shown = record::path_beside(&path);
            output.note(format_args!("no epoch record beside this key: '{}' begins now", shown.display()));
        }
        if let Some(mode) = files::open_to_others(&path) {
            output.note(format_args!(
                "'{}' has mode {mode:04o}: others may read it; wanted 0600",
                path.display()
            ));
        }
        Ok(Self { path, key, record })
    }

    /// Saves the key after it has moved on, and says so in its `key.json`.
    fn save(&self, format: Format, output: &Output) -> Result<(), Failure> {
        let bytes = self.key.to_bytes(format);
        files::write(&self.path, &bytes, Privacy::Secret, true)?;
        let Some(mut description) = KeyJson::beside(&self.path) else { return Ok(()) };
        description.prepared = Some(self.key.prepared_interval().into());
        description.files.insert(file_name(&self.path), FileEntry::of(&bytes));
        let path = KeyJson::path_beside(&self.path);
        if files::write(&path, description.to_text().as_bytes(), Privacy::Public, true).is_err() {
            // The key itself is safe.
            output.note(format_args!("cannot bring '{}' up to date", path.display()));
        }
        Ok(())
    }
}

fn decode(path: &Path, set: ParameterSet, format: Format, bytes: &[u8]) -> Result<SigningKey, Failure> {
    SigningKey::from_bytes(set, format, bytes)
        .map_err(|error| malformed("secret key", path, set, format, error, bytes))
}

/// Checks that the secret key is the one that the `key.json` beside it describes.
fn check_description(description: &KeyJson, key: &SigningKey, path: &Path) -> Result<(), Failure> {
    let json = KeyJson::path_beside(path);
    description.check_digits(&json)?;
    let public = hex::encode(key.verifying_key().to_bytes(Format::Ssz));
    if description.scheme == key.parameter_set().name() && description.public_key == public {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "'{}' is not the key that '{}' describes",
        path.display(),
        json.display()
    ))
    .hint("keep each key in a folder of its own"))
}
