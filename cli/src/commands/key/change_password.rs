//! `phalanx key change-password`.

use super::password::{NewPasswordArgs, PasswordArgs};
use super::report::Report;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::keystore::SealedFile;
use phalanx_custody::keystore::file::{self, Access};
use std::path::PathBuf;

/// Give a keystore another password
///
/// The file is replaced whole or not at all, after the new one was read back and decrypted. It gets a new salt and the
/// key derivation of new files, whatever it had. The old file may still be in backups, under the old password.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx key change-password keys/validator-7.json")]
pub(crate) struct Args {
    /// The keystore
    #[arg(value_name = "FILE")]
    keystore: PathBuf,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    new_password: NewPasswordArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let old = file::read(&args.keystore, Access::default())?;
    let password = args.password.read()?;
    let new_password = args.new_password.read(output)?;
    let derivation = args.new_password.derivation();
    let sealed =
        SealedFile::with_password(&old, &password, args.password.policy(), &new_password, derivation)?;
    file::replace(&args.keystore, &old, &sealed)?;
    output.line(format_args!("'{}' has another password", args.keystore.display()))?;
    output.object(&Report::of(&args.keystore, sealed.header()))?;
    Ok(Exit::Good)
}
