//! `phalanx key inspect`: what a keystore says, and whether its password opens it.

use super::password::PasswordArgs;
use super::report::Report;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::keystore::file;
use std::path::{Path, PathBuf};

/// Say what a keystore holds; with --open, whether the password opens it and the key may sign
///
/// Without --open no password is needed, and nothing is proved: what the file says of its key may have been changed.
/// Files that unfinished runs have left beside it are named; they hold the secret encrypted only.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx key inspect keys/validator-7.json")]
pub(crate) struct Args {
    /// The keystore
    #[arg(value_name = "FILE")]
    keystore: PathBuf,
    /// Decrypt it, and check that the header is what was written
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let (keystore, problem) = file::inspect(&args.keystore)?;
    let mut problems: Vec<String> = problem.map(|what| format!("the file {what}")).into_iter().collect();
    for path in leftovers_of(&args.keystore)? {
        problems.push(format!("an unfinished run has left '{}', which can be removed", path.display()));
    }
    if keystore.has_weak_kdf() {
        problems.push("its key derivation is too cheap to protect a password".to_owned());
    }
    if !keystore.is_bound() {
        problems.push("nothing binds its header to the password".to_owned());
    }
    let opened = if args.open {
        let key = keystore.open(&args.password.read()?, args.password.policy())?;
        Some((key.verdict(), key.signable().name()))
    } else {
        None
    };
    let header = keystore.header();
    let report = Report::of(&args.keystore, header);
    report.print(header, output)?;
    if let Some((verdict, signable)) = opened {
        output.line(format_args!("  opens: {verdict}; may sign: {signable}"))?;
    }
    problems.iter().try_for_each(|problem| output.line(format_args!("  problem: {problem}")))?;
    let mut object = serde_json::to_value(&report).map_err(Failure::system)?;
    object["problems"] = problems.into();
    object["bound"] = keystore.is_bound().into();
    object["weak_kdf"] = keystore.has_weak_kdf().into();
    if let Some((verdict, signable)) = opened {
        object["verdict"] = verdict.into();
        object["signable"] = signable.into();
    }
    output.object(&object)?;
    Ok(Exit::Good)
}

/// What unfinished runs have left of this keystore.
fn leftovers_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else { return Ok(Vec::new()) };
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut found = file::leftovers(folder)?;
    found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)));
    Ok(found)
}
