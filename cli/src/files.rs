//! Files: read with a bound, written whole or not at all.

use crate::exit::Failure;
use crate::folder::folder_of;
pub(crate) use crate::private::Privacy;
use crate::temporary::Temporary;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// No input of ours is longer: a JSON secret key with a full top tree of 2^16 leaves stays below 50 MiB.
pub(crate) const MAX_INPUT_BYTES: u64 = 64 << 20;

/// Whether the path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether something is piped into standard input, or it is a file: a terminal and `/dev/null` have nothing to say.
pub(crate) fn is_piped() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::FileTypeExt;
        let input = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let kind = input.and_then(|input| input.metadata()).map(|metadata| metadata.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file() || kind.is_socket())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal;
        !io::stdin().is_terminal()
    }
}

/// The file that was named, or standard input if none was and something is piped in.
pub(crate) fn or_piped(file: Option<&Path>) -> Option<&Path> {
    file.or_else(|| is_piped().then(|| Path::new("-")))
}

/// The same, where there must be one.
///
/// # Errors
/// Exit code 2 if there is none.
pub(crate) fn named_or_piped<'a>(file: Option<&'a Path>, what: &str) -> Result<&'a Path, Failure> {
    or_piped(file).ok_or_else(|| {
        Failure::usage(format_args!("{what} is missing"))
            .hint("name a file, '-' for standard input, or pipe it in")
    })
}

/// Refuses standard input as more than one of the inputs.
///
/// # Errors
/// Exit code 2.
pub(crate) fn check_one_standard(inputs: &[Option<&Path>]) -> Result<(), Failure> {
    if inputs.iter().flatten().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    Ok(())
}

/// Where a signature goes unless it is said: beside the message.
pub(crate) fn beside(message: Option<&Path>, suffix: &str) -> Result<PathBuf, Failure> {
    let file = message.filter(|file| !is_standard(file));
    let file = file.ok_or_else(|| {
        Failure::usage("--out is missing").hint("name a file for the signature, or '-' for standard output")
    })?;
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    Ok(name.into())
}

/// Reads a file, or standard input for `-`. The bytes are wiped when dropped: they may be secret.
///
/// # Errors
/// Files that cannot be read (exit code 4), that are folders or too long (2).
pub(crate) fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    read_at_most(path, MAX_INPUT_BYTES)
}

/// As [`read`], with a bound on the length.
pub(crate) fn read_at_most(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let cannot = |error: io::Error| cannot_read(path, &error);
    if is_standard(path) {
        return read_from(io::stdin().lock(), 1 << 16, limit, path)
            .map_err(|error| error.unwrap_or_else(cannot));
    }
    let file = File::open(path).map_err(cannot)?;
    let metadata = file.metadata().map_err(cannot)?;
    if metadata.is_dir() {
        return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
    }
    read_from(file, metadata.len(), limit, path).map_err(|error| error.unwrap_or_else(cannot))
}

/// The first `limit` bytes of a file, or all.
///
/// # Errors
/// As [`read`], but for files that are too long.
pub(crate) fn read_some(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?.take(limit).read_to_end(&mut bytes).map_err(|error| cannot_read(path, &error))?;
    Ok(bytes)
}

/// The SHA-256 of a file of any length.
///
/// # Errors
/// As [`read_some`].
pub(crate) fn sha256(path: &Path) -> Result<[u8; 32], Failure> {
    let mut hash = Sha256::new();
    let mut source = open(path)?;
    let mut piece = vec![0; 1 << 20];
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(hash.finalize().into()),
            Ok(read) => hash.update(&piece[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot_read(path, &error)),
        }
    }
}

/// A file or standard input, open.
fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
    }
    Ok(Box::new(file))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::system(format_args!("cannot read '{}': {error}", path.display()))
}

/// Why reading failed: we refused, or the system did.
enum ReadError {
    Refused(Failure),
    System(io::Error),
}

impl ReadError {
    fn unwrap_or_else(self, system: impl FnOnce(io::Error) -> Failure) -> Failure {
        match self {
            Self::Refused(failure) => failure,
            Self::System(error) => system(error),
        }
    }
}

/// Reads all of `source`, at most `limit` bytes. The buffer begins large enough, so that growing it does not leave
/// copies of a secret behind.
fn read_from(
    source: impl Read,
    expected: u64,
    limit: u64,
    path: &Path,
) -> Result<Zeroizing<Vec<u8>>, ReadError> {
    let capacity = usize::try_from(expected.min(limit) + 1).unwrap_or(0);
    let mut bytes = Zeroizing::new(Vec::with_capacity(capacity));
    source.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::System)?;
    if bytes.len() as u64 > limit {
        let text = format!("'{}' is too long: wanted at most {limit} bytes", path.display());
        return Err(ReadError::Refused(Failure::usage(text)));
    }
    Ok(bytes)
}

/// Refuses, unless `force`, if something stands at `path` already.
///
/// # Errors
/// Exit code 2; also, with `force`, if what stands there is not a regular file.
pub(crate) fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    let shown = path.display();
    match fs::symlink_metadata(path) {
        Ok(_) if is_standard(path) => Ok(()),
        Ok(_) if !force => Err(Failure::usage(format_args!("'{shown}' exists"))
            .hint("give another name, or --force to replace it")),
        Ok(_) => match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Ok(()),
            _ => Err(Failure::usage(format_args!("'{shown}' is not a regular file and cannot be replaced"))),
        },
        Err(_) => Ok(()),
    }
}

/// Checks that there is a folder to write `path` in, before anything is spent on what goes there.
///
/// # Errors
/// Exit code 4 if there is none.
pub(crate) fn check_folder_of(path: &Path) -> Result<(), Failure> {
    if folder_of(path).is_dir() || is_standard(path) {
        return Ok(());
    }
    Err(Failure::system(format_args!("cannot write '{}': its folder does not exist", path.display())))
}

/// Writes a file whole or not at all: to a temporary file in the same folder, flushed to the disk, then moved to its
/// name, and the folder flushed. What stands there is replaced only with `force`. `-` is standard output.
///
/// # Errors
/// Exit code 2 if it would replace something without `force`, 4 if the system fails.
pub(crate) fn write(path: &Path, bytes: &[u8], privacy: Privacy, force: bool) -> Result<(), Failure> {
    if is_standard(path) {
        return write_standard(bytes, privacy);
    }
    check_free(path, force)?;
    let cannot =
        |error: io::Error| Failure::system(format_args!("cannot write '{}': {error}", path.display()));
    // Through a symbolic link the file it names is replaced, not the link.
    let target = if path.exists() { fs::canonicalize(path).map_err(cannot)? } else { path.to_owned() };
    let temporary = Temporary::create(&target, bytes, privacy).map_err(cannot)?;
    temporary.place(&target, force).map_err(|error| match check_free(path, force) {
        // Another process has taken the name just now.
        Err(taken) if error.kind() == ErrorKind::AlreadyExists => taken,
        _ => cannot(error),
    })
}

/// Writes to standard output, but never a secret.
fn write_standard(bytes: &[u8], privacy: Privacy) -> Result<(), Failure> {
    if privacy == Privacy::Secret {
        return Err(Failure::usage("a secret is not written to standard output").hint("name a file"));
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::system(format_args!("cannot write to standard output: {error}")))
}

/// Creates a folder for keys, and those above it, readable by its owner alone.
pub(crate) fn create_folder(path: &Path) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path).map_err(|error| {
        Failure::system(format_args!("cannot create the folder '{}': {error}", path.display()))
    })
}

/// The mode of a file that others than its owner can read or write.
pub(crate) fn open_to_others(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
        (mode & 0o077 != 0).then_some(mode)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}
