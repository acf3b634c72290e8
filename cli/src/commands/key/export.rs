//! `phalanx key export`: a copy from which nobody signs.

use super::password::{NewPasswordArgs, PasswordArgs};
use super::report::Report;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx_custody::keystore::SealedFile;
use phalanx_custody::keystore::file::{self, Access};
use std::path::PathBuf;

/// Write a copy of a keystore for recovery only: it brings back the key, and nobody signs from it
///
/// The copy has a password of its own, and is for the vault. A key that is to sign elsewhere is not copied but moved,
/// together with its ledger.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx key export keys/validator-7.json --recovery-only \\
    --out vault/validator-7.json")]
pub(crate) struct Args {
    /// The keystore
    #[arg(value_name = "FILE")]
    keystore: PathBuf,
    /// Say that the copy is for recovery only: there is no other
    #[arg(long, required = true)]
    recovery_only: bool,
    /// Where the copy goes; its folder is created if need be
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    new_password: NewPasswordArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    files::check_free(&args.out, false)?;
    let old = file::read(&args.keystore, Access::default())?;
    let password = args.password.read()?;
    let new_password = args.new_password.read(output)?;
    let derivation = args.new_password.derivation();
    let copy = SealedFile::recovery_only(&old, &password, args.password.policy(), &new_password, derivation)?;
    file::create(&args.out, &copy)?;
    let report = Report::of(&args.out, copy.header());
    report.print(copy.header(), output)?;
    output.object(&report)?;
    Ok(Exit::Good)
}
