//! Files that must be their owner's alone, under one name: secret keys, and what the state folder says of them.
//!
//! A second name (a hard link) would let one secret key stand beside two ledgers. On systems without such modes nothing is
//! checked.

use crate::exit::Failure;
use std::fs::{Metadata, OpenOptions};
use std::path::Path;

/// Who may read a file that we write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Privacy {
    /// Its owner alone: mode 0600.
    Secret,
    /// Everybody, as far as the user's mask allows: mode 0644.
    Public,
}

/// Sets the mode that a file is created with.
pub(crate) fn mode_of(options: &mut OpenOptions, privacy: Privacy) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if privacy == Privacy::Secret { 0o600 } else { 0o644 });
    }
    #[cfg(not(unix))]
    let _ = privacy;
    options
}

/// Refuses a file that is not regular, has several names, is open to others, or belongs to somebody else.
///
/// # Errors
/// Exit code 3, with what to do.
pub(crate) fn check(path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let shown = path.display();
    if !metadata.is_file() {
        return Err(Failure::refused(format_args!("'{shown}' is not a regular file")));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() != 1 {
            let links = metadata.nlink();
            return Err(Failure::refused(format_args!(
                "'{shown}' has {links} names: a hard link would let one key have two ledgers"
            ))
            .hint(
                "remove the other names ('find . -samefile' shows them), or make a copy of it and remove it",
            ));
        }
        let mode = metadata.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(Failure::refused(format_args!("'{shown}' has mode {mode:04o}: others may use it"))
                .hint(format_args!("make it yours alone: chmod 600 '{shown}'")));
        }
        check_owner(path, metadata)?;
    }
    Ok(())
}

/// Refuses what belongs to somebody else; what is root's is everybody's.
#[cfg(unix)]
fn check_owner(path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let (owner, me) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner == me || owner == 0 {
        return Ok(());
    }
    Err(Failure::refused(format_args!("'{}' belongs to user {owner}, and you are user {me}", path.display()))
        .hint("work as its owner"))
}
