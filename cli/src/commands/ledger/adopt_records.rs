//! `phalanx ledger adopt-records`: records of an earlier version become ledgers.

use super::KeyFileArgs;
use crate::commands::xmss::input::SchemeArgs;
use crate::commands::xmss::secret_key::SecretKey;
use crate::exit::{Exit, Failure};
use crate::formats;
use crate::key_json::KeyJson;
use crate::key_ledger::{self, FileSystemArgs, NO_ROLE};
use crate::old_record::{self, Kind};
use crate::output::{JsonFlag, Output};
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx_custody::EpochKey;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::durable::{Ledger, OldRecordFile};
use phalanx_custody::ledger::record::KeyState;
use phalanx_custody::ledger::registry::{Keeper, Registry};
use phalanx_custody::ledger::{EpochLedger, InitialState, Problem, xmss_instance};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Make ledgers of the records of used epochs that an earlier version kept beside secret keys
///
/// First stop everything that signs with the keys. Each ledger is told every epoch that '<secret key>.epochs' knows; then
/// that file is replaced by one that earlier versions refuse, and the key signs through its ledger. Copies of a key that
/// have signed apart: name their records, too; an epoch with two messages is closed. If the record is missing or damaged,
/// 'phalanx ledger adopt' begins a ledger.
///
/// In folders every secret key is found that has a record or a key.json. Of files with the same one-time keys (copies, and
/// other epochs or parameter sets of one seed) the first keeps the right to sign, or the one that --instance names; the
/// others sign no more.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx ledger adopt-records --secret-key keys/secret-key.ssz \\
    --scheme xmss-poseidon2-l18-d64b8
  phalanx ledger adopt-records keys old-keys --instance keys/7/secret-key.ssz")]
pub(crate) struct Args {
    /// Folders, which are searched with all in them
    #[arg(value_name = "DIR", required_unless_present = "secret_key", conflicts_with = "secret_key")]
    folders: Vec<PathBuf>,
    /// Which of several files with the same one-time keys signs from now on
    #[arg(long, value_name = "FILE", conflicts_with = "secret_key")]
    instance: Vec<PathBuf>,
    /// The secret key
    #[arg(long, value_name = "F", requires = "scheme")]
    secret_key: Option<PathBuf>,
    /// The parameter set of the secret key
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser(), conflicts_with = "folders")]
    scheme: Option<ParameterSet>,
    /// Encoding of the secret key [default: what key.json beside it says, else ssz]
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser())]
    format: Option<Format>,
    /// What the keys are for
    #[arg(long, value_name = "ROLE", default_value = NO_ROLE,
          value_parser = ["attester", "proposer", "aggregator", "builder", NO_ROLE])]
    role: String,
    #[command(flatten)]
    file_systems: FileSystemArgs,
    /// Records of copies of the same key
    #[arg(long, value_name = "FILE", conflicts_with = "folders")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A key that gets a ledger, and the records of all files with its one-time keys.
struct Adopted {
    secret: SecretKey,
    format: Format,
    records: Vec<OldRecordFile>,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let registry = key_ledger::registry(&args.file_systems)?;
    let Some(path) = &args.secret_key else { return run_on_folders(args, &registry, output) };
    let scheme = args.scheme.ok_or_else(|| Failure::usage("the parameter set is missing: --scheme"))?;
    let (secret, format) = read(args, path, scheme)?;
    let mut records: Vec<_> = args.with.iter().map(|path| record(&secret, path.clone())).collect();
    records.push(record(&secret, old_record::path_beside(&secret.path)));
    let ledger = adopt(args, &registry, Adopted { secret, format, records }, output)?;
    super::status::show(&ledger, output)
}

/// The same for all keys of folders. All are read before anything is changed.
fn run_on_folders(args: &Args, registry: &Registry, output: &Output) -> Result<Exit, Failure> {
    let mut found = Vec::new();
    args.folders.iter().try_for_each(|folder| search(folder, &mut found))?;
    let mut keys = BTreeMap::<KeyId, Vec<(SecretKey, Format)>>::new();
    for Found { path, scheme } in found {
        let (secret, format) = read(args, &path, scheme)?;
        let id = xmss_instance(&secret.key, &args.role).key_id;
        keys.entry(id).or_default().push((secret, format));
    }
    if keys.is_empty() {
        return Err(Failure::usage("there is no secret key with a record in these folders"));
    }
    let meant = args.instance.iter().map(|path| {
        path.canonicalize()
            .map_err(|error| Failure::system(format_args!("cannot read '{}': {error}", path.display())))
    });
    let meant = meant.collect::<Result<Vec<_>, _>>()?;
    let mut adopted = Vec::new();
    for (id, mut files) in keys {
        let records =
            files.iter().map(|(secret, _)| record(secret, old_record::path_beside(&secret.path))).collect();
        let chosen: Vec<usize> = (0..files.len()).filter(|&i| meant.contains(&files[i].0.path)).collect();
        let first = match chosen[..] {
            [] => 0,
            [one] => one,
            _ => return Err(Failure::usage(format_args!("--instance names two files of the key {id}"))),
        };
        let (secret, format) = files.swap_remove(first);
        for (other, _) in &files {
            output.note(format_args!(
                "'{}' has the one-time keys of '{}', and signs no more",
                other.path.display(),
                secret.path.display()
            ));
        }
        adopted.push(Adopted { secret, format, records });
    }
    let mut done = Vec::new();
    for one in adopted {
        let path = one.secret.path.clone();
        let ledger = adopt(args, registry, one, output)?;
        let id = hex::encode(ledger.ledger_id());
        output.line(format_args!("'{}': ledger {id}", path.display()))?;
        done.push(serde_json::json!({ "secret_key": path, "ledger_id": id }));
    }
    output.object(&serde_json::json!({ "ledgers": done }))?;
    Ok(Exit::Good)
}

fn read(args: &Args, path: &Path, scheme: ParameterSet) -> Result<(SecretKey, Format), Failure> {
    let file = KeyFileArgs {
        secret_key: path.to_owned(),
        scheme: SchemeArgs { scheme },
        format: args.format,
        role: args.role.clone(),
        file_systems: args.file_systems.clone(),
    };
    Ok((file.read()?, file.format()))
}

/// The record at `path`, of the key `secret`.
fn record(secret: &SecretKey, path: PathBuf) -> OldRecordFile {
    let set = secret.key.parameter_set();
    OldRecordFile {
        path,
        scheme: set.name().to_owned(),
        public_key: SigningKey::public_key(&secret.key.verifying_key()),
        lifetime: set.lifetime(),
    }
}

/// A secret key of an earlier version.
struct Found {
    path: PathBuf,
    scheme: ParameterSet,
}

/// Looks for secret keys that have a record, or should have one. Links are not followed.
fn search(folder: &Path, found: &mut Vec<Found>) -> Result<(), Failure> {
    let cannot = |error| Failure::system(format_args!("cannot list '{}': {error}", folder.display()));
    let entries =
        fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>).map_err(cannot)?;
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for path in entries.iter().map(fs::DirEntry::path).filter(|path| !path.is_symlink()) {
        let is = |ending: &str| path.extension().is_some_and(|extension| extension == ending);
        match path.is_dir() {
            true if !is("ledger") => folders.insert(path),
            false if is("epochs") => files.insert(path.with_extension("")),
            false => files.insert(path),
            true => false,
        };
    }
    for path in files {
        found.extend(secret_key(path)?);
    }
    folders.iter().try_for_each(|folder| search(folder, found))
}

/// The secret key at `path`, if it is one of an earlier version: with a record, or with neither record nor ledger.
fn secret_key(path: PathBuf) -> Result<Option<Found>, Failure> {
    let missing = |what: &str| {
        Err(Failure::refused(format_args!("'{}': {what} (no_state)", path.display())).hint(key_ledger::BEGIN))
    };
    let described = KeyJson::beside(&path).map(|key| key.scheme);
    let scheme = match old_record::beside(&path) {
        Some(Kind::Moved { .. }) => return Ok(None),
        Some(Kind::Record) => {
            let first = crate::files::read(&old_record::path_beside(&path))?;
            described.or_else(|| old_record::summary(&first)?.scheme)
        }
        None if key_ledger::folder_of(&path).symlink_metadata().is_ok() => return Ok(None),
        // Nothing of ours, a key of Ed25519, or a public key.
        None if described.as_deref().and_then(ParameterSet::from_name).is_none() => return Ok(None),
        None if path.file_stem().is_none_or(|stem| stem != "secret-key") => return Ok(None),
        None => return missing("there is neither a record nor a ledger of its used epochs"),
    };
    if path.symlink_metadata().is_err() {
        return missing("there is a record of it, and no secret key");
    }
    match scheme.as_deref().and_then(ParameterSet::from_name) {
        Some(scheme) => Ok(Some(Found { path, scheme })),
        None => missing("neither key.json nor its record says its parameter set"),
    }
}

/// Makes a ledger of the records of one key, the last of which is beside it.
fn adopt(args: &Args, registry: &Registry, mut adopted: Adopted, output: &Output) -> Result<Ledger, Failure> {
    let Adopted { secret, format, records } = &mut adopted;
    let instance = xmss_instance(&secret.key, &args.role);
    let options = key_ledger::options(&key_ledger::folder_of(&secret.path), &args.file_systems)?;
    if let keeper @ (Keeper::Ledger(_) | Keeper::Unreadable) = registry.keeper_of(&instance)? {
        // Of a run that was cut short.
        let ledger = key_ledger::open(&options).ok().map(|ledger| ledger.ledger_id());
        if ledger.map(Keeper::Ledger) != Some(keeper) {
            return Err(Failure::refused("a ledger keeps this key already").hint(key_ledger::BEGIN));
        }
    }
    let beside = old_record::path_beside(&secret.path);
    if !matches!(old_record::beside(&secret.path), Some(Kind::Record)) {
        return Err(Failure::refused(format_args!("there is no record '{}' (no_state)", beside.display()))
            .hint(key_ledger::BEGIN));
    }
    let ledger = key_ledger::open_or_create(&options)?;
    secret.settle(&ledger, *format, output)?;
    let public_key = SigningKey::public_key(&secret.key.verifying_key());
    // Quarantined until the records are replaced; and known here from now on, so that no other file of the key begins anew.
    ledger.register(&instance, &public_key, InitialState::Quarantined)?;
    if ledger.standing(&instance.key_id)?.state != KeyState::Quarantined {
        return Err(Failure::refused("the ledger beside the key knows it already"));
    }
    registry.give(&instance, &ledger.ledger_id())?;
    // Its own is replaced last: while it is there this can be done again.
    records.sort_by_key(|record| record.path == beside);
    let compromised =
        ledger.adopt_records(&instance.key_id, records).map_err(|error| match error.problem() {
            Problem::DamagedRecord => Failure::from(error),
            _ => Failure::from(error).hint("this is not the record of this key"),
        })?;
    for epoch in &compromised {
        output.note(format_args!(
            "epoch {epoch} has two messages: whoever has both signatures can forge there"
        ));
    }
    Ok(ledger)
}
