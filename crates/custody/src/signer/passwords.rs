//! Passwords of keystores: from a file, a descriptor, a credential of systemd, or asked for at the start. Never from
//! arguments or the environment, which others can read.
#![forbid(unsafe_code)]

use super::config::KeystoreSource;
use crate::keystore::Password;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// More than any password has.
const MAX_BYTES: u64 = 4096;

/// Asks somebody for the password of the keystores at a path.
pub type Prompt<'a> = &'a mut dyn FnMut(&Path) -> io::Result<Password>;

/// The password of `source`. Descriptors and people are asked only where there is a `prompt`: at the start.
pub(super) fn read(source: &KeystoreSource, prompt: &mut Option<Prompt<'_>>) -> io::Result<Password> {
    if let Some(path) = &source.password_file {
        return parsed(&from_file(path)?);
    }
    if let Some(name) = &source.password_credential {
        let folder = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        let folder = folder.ok_or_else(|| io::Error::other("systemd has handed over no credentials"))?;
        return parsed(&from_file(&folder.join(name))?);
    }
    match (prompt, source.password_fd) {
        (None, _) => Err(io::Error::other("the password was asked for at the start, and is not kept")),
        (Some(_), Some(number)) => parsed(&bounded(File::open(format!("/dev/fd/{number}"))?)?),
        (Some(ask), None) => ask(&source.path),
    }
}

fn parsed(bytes: &[u8]) -> io::Result<Password> {
    Password::from_bytes(bytes).map_err(|error| io::Error::other(error.to_string()))
}

fn from_file(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let own = [0, rustix::process::geteuid().as_raw()];
    // systemd hands credentials over with mode 0440 at most, in a folder that is the service's alone.
    let is_credential =
        std::env::var_os("CREDENTIALS_DIRECTORY").is_some_and(|folder| path.starts_with(folder));
    let shared = if is_credential { 0o007 } else { 0o077 };
    if metadata.is_file() && (metadata.mode() & shared != 0 || !own.contains(&metadata.uid())) {
        return Err(io::Error::other("others than its owner can reach the password file"));
    }
    bounded(file)
}

fn bounded(file: File) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(4097));
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("too long for a password"));
    }
    Ok(bytes)
}
