//! `phalanx xmss record`: looks at a key's record of used epochs, or begins one on purpose.

use super::input::SchemeArgs;
use super::secret_key::SecretKey;
use crate::exit::{Exit, Failure};
use crate::formats;
use crate::key_json::KeyJson;
use crate::output::{JsonFlag, Output};
use crate::record::{self, Owner, Record};
use phalanx::xmss::Format;
use std::path::PathBuf;

/// Check a key's record of used epochs, or begin one on purpose
///
/// A key signs only with its record: '<secret key>.epochs' beside it, and a witness of it in the state folder. Both
/// must be there and agree. Where they do not (the key comes from another machine or tool, was copied or restored, or
/// the record is damaged), epochs may be used that nobody remembers. If you know an epoch above all that any copy of
/// the key has ever signed, --begin starts from there: everything below is closed for good, and this is written down.
/// A wrong number can lose the key.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx xmss record --secret-key keys/secret-key.ssz --scheme xmss-poseidon2-l18-d64b8
  phalanx xmss record --secret-key key.ssz --scheme xmss-poseidon2-l18-d64b8 --begin --from-epoch 5000")]
pub(crate) struct Args {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Encoding of the key [default: what key.json beside it says, else ssz]
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser())]
    format: Option<Format>,
    /// Begin a record: close every epoch below --from-epoch
    #[arg(long, requires = "from_epoch")]
    begin: bool,
    /// The first epoch that may sign: above every epoch that was ever used
    #[arg(long, value_name = "N", requires = "begin")]
    from_epoch: Option<u64>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let beside = || KeyJson::beside(&args.secret_key).and_then(|key| Format::from_name(&key.encoding));
    let format = args.format.or_else(beside).unwrap_or(Format::Ssz);
    let mut secret = SecretKey::read(&args.secret_key, args.scheme.scheme, format)?;
    #[cfg(unix)]
    if crate::key_ledger::folder_of(&secret.path).symlink_metadata().is_ok() {
        return Err(Failure::refused("this key has a ledger in place of a record")
            .hint("see 'phalanx ledger status'"));
    }
    let owner = Owner::of(&secret.key);
    let record = match args.from_epoch {
        Some(from) => record::begin(&secret.path, &owner, from)?,
        None => Record::open(&secret.path, &owner)?,
    };
    secret.settle(&record, format, output)?;
    let (used, begin) = record.extent();
    let (beside, witness) = (record::path_beside(&secret.path), record.witness_path());
    let begun = begin.map_or_else(String::new, |begin| format!(", all below {begin} closed"));
    output.line(format_args!(
        "record of {} in order: {used} used epochs{begun}\n  {}\n  {}",
        args.scheme.scheme,
        beside.display(),
        witness.display()
    ))?;
    output.object(&serde_json::json!({
        "scheme": args.scheme.scheme.name(), "key_id": owner.instance.key_id.to_string(), "used_epochs": used,
        "begins_at": begin, "begun": args.begin, "record": beside, "witness": witness,
    }))?;
    Ok(Exit::Good)
}
