//! A secret key of XMSS in another encoding: the right to sign goes to the new file, with the ledger.

use super::Args;
use crate::exit::Failure;
use crate::files::{self, Privacy};
use crate::folder::{folder_of, sync_folder_of};
use crate::key_ledger::{self, KeyLedger};
use crate::old_record;
use crate::output::Output;
use crate::state;
use crate::temporary::Temporary;
use phalanx::xmss::any::SigningKey;
use std::fs;
use std::path::Path;

/// Writes `bytes`, which are `key`, and moves its ledger from the old file to the new one. What is cut short leaves the
/// ledger beside one of the two.
pub(super) fn write(args: &Args, key: &SigningKey, bytes: &[u8], output: &Output) -> Result<(), Failure> {
    if files::is_standard(&args.out) {
        return Err(Failure::usage("a secret is not written to standard output").hint("name a file"));
    }
    let write = || files::write(&args.out, bytes, Privacy::Secret, args.force);
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (real(&args.input), real(&args.out));
    if !files::is_standard(&args.input) && from == to {
        return write();
    }
    let (source, target) = (key_ledger::folder_of(&from), key_ledger::folder_of(&to));
    let registry = state::alone()?;
    if target.symlink_metadata().is_ok() {
        let shown = target.display();
        return Err(
            Failure::refused(format_args!("'{shown}' is the ledger of a key")).hint("give another name")
        );
    }
    if files::is_standard(&args.input) || source.symlink_metadata().is_err() {
        write()?;
        output.note(format_args!("no ledger came with this key: {}", key_ledger::BEGIN));
        return Ok(());
    }
    check_can_move(&source, &target)?;
    let ledger = KeyLedger::open_under(registry, &from, key, &args.file_systems)?;
    let id = hex::encode(ledger.ledger.ledger_id());
    write()?;
    // The files of an open ledger stay where they are; nobody opens it meanwhile, since the registry is locked.
    let _registry = ledger.close();
    hand_over(&from, &to, &id).map_err(|error| {
        Failure::system(format_args!("cannot move '{}' to '{}': {error}", source.display(), target.display()))
    })?;
    output.note(format_args!(
        "the right to sign has moved to '{}': '{}' signs no more",
        args.out.display(),
        args.input.display()
    ));
    Ok(())
}

/// Renames the ledger, which is all that it takes, and says so where a record would be: earlier versions refuse it.
fn hand_over(from: &Path, to: &Path, ledger: &str) -> std::io::Result<()> {
    let (source, target) = (key_ledger::folder_of(from), key_ledger::folder_of(to));
    crate::faults::point();
    fs::rename(&source, &target)?;
    sync_folder_of(&target)?;
    sync_folder_of(&source)?;
    crate::faults::point();
    let mark = old_record::path_beside(from);
    let is_free = mark.symlink_metadata().is_err();
    if is_free || matches!(old_record::beside(from), Some(old_record::Kind::Moved { .. })) {
        let text = old_record::moved_text(ledger);
        Temporary::create(&mark, text.as_bytes(), Privacy::Secret)?.place(&mark, true)?;
    }
    if matches!(old_record::beside(to), Some(old_record::Kind::Moved { .. })) {
        fs::remove_file(old_record::path_beside(to))?;
    }
    Ok(())
}

/// A folder is renamed within one file system only.
fn check_can_move(source: &Path, target: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev());
    let target = folder_of(target);
    match (device(source), device(target)) {
        (Ok(here), Ok(there)) if here == there => Ok(()),
        (Ok(_), Ok(_)) => Err(Failure::usage(format_args!(
            "'{}' is on another file system, and a ledger is not copied",
            target.display()
        ))
        .hint("convert within one file system; 'phalanx ledger export --retire' moves a key further")),
        (Err(error), _) | (_, Err(error)) => {
            Err(Failure::system(format_args!("cannot look at '{}': {error}", target.display())))
        }
    }
}
