//! The passwords of keystores.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use crate::password::{self, trim_line_ends, typed};
use phalanx_custody::keystore::{Derivation, Password, Policy};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The password of a keystore that is read.
#[derive(clap::Args)]
pub(super) struct PasswordArgs {
    /// File with the password, for its owner alone; line ends do not count, blanks do [default: asked for]
    #[arg(long, value_name = "F", conflicts_with = "password_fd")]
    password_file: Option<PathBuf>,
    /// Number of an open descriptor that the password is read from
    #[arg(long, value_name = "N")]
    password_fd: Option<u32>,
    /// Open a keystore whose key derivation is too cheap to protect a password
    #[arg(long)]
    accept_weak_kdf: bool,
}

impl PasswordArgs {
    /// The password.
    pub(super) fn read(&self) -> Result<Password, Failure> {
        read(self.password_file.as_deref(), self.password_fd)?
            .map_or_else(|| prompt("password: ", "--password-file or --password-fd"), Ok)
    }

    /// What is accepted.
    pub(super) fn policy(&self) -> Policy {
        Policy { accept_weak_kdf: self.accept_weak_kdf }
    }
}

/// The password of a keystore that is written.
#[derive(clap::Args)]
pub(super) struct NewPasswordArgs {
    /// File with the new password [default: asked for, twice]
    #[arg(long, value_name = "F", conflicts_with = "new_password_fd")]
    new_password_file: Option<PathBuf>,
    /// Number of an open descriptor that the new password is read from
    #[arg(long, value_name = "N")]
    new_password_fd: Option<u32>,
    /// Key derivation of the new file
    #[arg(long, value_name = "NAME", default_value = "argon2id", value_parser = ["argon2id", "scrypt"])]
    kdf: String,
}

impl NewPasswordArgs {
    /// The password, fit for a new file.
    pub(super) fn read(&self, output: &Output) -> Result<Password, Failure> {
        let options = "--new-password-file or --new-password-fd";
        read_new(self.new_password_file.as_deref(), self.new_password_fd, options, output)
    }

    /// The derivation of the new file.
    pub(super) fn derivation(&self) -> Derivation {
        derivation(&self.kdf)
    }
}

/// The password of a keystore that is made.
#[derive(clap::Args)]
pub(super) struct FreshPasswordArgs {
    /// File with the password, for its owner alone; line ends do not count, blanks do [default: asked for, twice]
    #[arg(long, value_name = "F", conflicts_with = "password_fd")]
    password_file: Option<PathBuf>,
    /// Number of an open descriptor that the password is read from
    #[arg(long, value_name = "N")]
    password_fd: Option<u32>,
    /// Key derivation of the file
    #[arg(long, value_name = "NAME", default_value = "argon2id", value_parser = ["argon2id", "scrypt"])]
    kdf: String,
}

impl FreshPasswordArgs {
    /// The password, fit for a new file.
    pub(super) fn read(&self, output: &Output) -> Result<Password, Failure> {
        let options = "--password-file or --password-fd";
        read_new(self.password_file.as_deref(), self.password_fd, options, output)
    }

    /// The password of the file that the new one is derived from, which is asked for once.
    pub(super) fn read_old(&self) -> Result<Password, Failure> {
        read(self.password_file.as_deref(), self.password_fd)?
            .map_or_else(|| prompt("password: ", "--password-file or --password-fd"), Ok)
    }

    /// The derivation of the file.
    pub(super) fn derivation(&self) -> Derivation {
        derivation(&self.kdf)
    }
}

/// The password of what is imported.
#[derive(clap::Args)]
pub(super) struct SourcePasswordArgs {
    /// File with the password of what is imported [default: asked for]
    #[arg(long, value_name = "F", conflicts_with = "source_password_fd")]
    source_password_file: Option<PathBuf>,
    /// Number of an open descriptor that it is read from
    #[arg(long, value_name = "N")]
    source_password_fd: Option<u32>,
    /// Open a keystore whose key derivation is too cheap to protect a password
    #[arg(long)]
    accept_weak_kdf: bool,
}

impl SourcePasswordArgs {
    /// The password.
    pub(super) fn read(&self) -> Result<Password, Failure> {
        read(self.source_password_file.as_deref(), self.source_password_fd)?.map_or_else(
            || {
                prompt(
                    "password of the imported keystore: ",
                    "--source-password-file or --source-password-fd",
                )
            },
            Ok,
        )
    }

    /// The password as it is, without the line end of an editor: for files that normalise nothing.
    pub(super) fn read_raw(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let options = "--source-password-file or --source-password-fd";
        let found = read_bytes(self.source_password_file.as_deref(), self.source_password_fd)?;
        let mut bytes = match found {
            Some(bytes) => bytes,
            None => typed("password of the imported key: ", options)?,
        };
        trim_line_ends(&mut bytes);
        Ok(bytes)
    }

    /// What is accepted.
    pub(super) fn policy(&self) -> Policy {
        Policy { accept_weak_kdf: self.accept_weak_kdf }
    }
}

fn derivation(name: &str) -> Derivation {
    if name == "scrypt" { Derivation::SCRYPT } else { Derivation::ARGON2ID }
}

/// A password for a new file. Refused if it is empty, and noted if another version of Unicode may read it otherwise.
fn read_new(
    file: Option<&Path>,
    descriptor: Option<u32>,
    options: &str,
    output: &Output,
) -> Result<Password, Failure> {
    let password = match read(file, descriptor)? {
        Some(password) => password,
        None => {
            let first = prompt("new password: ", options)?;
            if first != prompt("new password again: ", options)? {
                return Err(Failure::usage("the two passwords differ"));
            }
            first
        }
    };
    if password.is_empty() {
        return Err(Failure::usage("the new password is empty"));
    }
    if password.has_unassigned() {
        output.note("the password has characters that Unicode does not know: other programs may not read it");
    }
    Ok(password)
}

/// The password in a file or behind a descriptor, if one is named.
fn read(file: Option<&Path>, descriptor: Option<u32>) -> Result<Option<Password>, Failure> {
    match read_bytes(file, descriptor)? {
        Some(bytes) => Ok(Some(Password::from_bytes(&bytes)?)),
        None => Ok(None),
    }
}

/// The bytes in a file, which must be its owner's alone, or behind a descriptor, if one is named.
fn read_bytes(file: Option<&Path>, descriptor: Option<u32>) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    // What is behind a descriptor was opened by the caller, who answers for it; a pipe has modes that say nothing.
    if let Some(path) = file.filter(|path| path.is_file() && files::open_to_others(path).is_some()) {
        let shown = path.display();
        return Err(Failure::refused(format_args!("others can read the password file '{shown}'"))
            .hint(format_args!("chmod 600 {shown}")));
    }
    password::read_bytes(file, descriptor)
}

/// Asks at the terminal; what is typed is not shown.
fn prompt(text: &str, options: &str) -> Result<Password, Failure> {
    Ok(Password::from_bytes(&typed(text, options)?)?)
}
