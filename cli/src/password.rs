//! Passwords: from a file, from a descriptor, or asked for at the terminal. Never from the command line or the
//! environment, which others can read.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// More than any password has.
const MAX_BYTES: u64 = 4096;

/// The options that stand for the terminal.
const OPTIONS: &str = "--password-file or --password-fd";

/// The password of a key file of Ed25519: OpenSSH's, PKCS#8 or minisign's.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct KeyPasswordArgs {
    /// File with the password of an encrypted key; line ends do not count [default: asked for at the terminal]
    #[arg(long, value_name = "F", conflicts_with = "password_fd")]
    password_file: Option<PathBuf>,
    /// Number of an open descriptor that the password is read from
    #[arg(long, value_name = "N")]
    password_fd: Option<u32>,
}

impl KeyPasswordArgs {
    /// The file, if one is named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.password_file.as_deref()
    }

    /// Whether the user says where the password is.
    pub(crate) fn is_given(&self) -> bool {
        self.password_file.is_some() || self.password_fd.is_some()
    }

    /// The password of the key in `file`, without the line end of an editor.
    ///
    /// # Errors
    /// Exit code 2 if nobody gives it, 4 if it cannot be read.
    pub(crate) fn read(&self, file: &Path, output: &Output) -> Result<Zeroizing<Vec<u8>>, Failure> {
        match self.given(output)? {
            Some(password) => Ok(password),
            None => typed(&format!("password of '{}': ", file.display()), OPTIONS),
        }
    }

    /// The password of a key that is made, which is not empty; typed, it is typed twice.
    ///
    /// # Errors
    /// As [`read`](Self::read), and exit code 2 for two that differ and for an empty one.
    pub(crate) fn read_new(&self, output: &Output) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let password = match self.given(output)? {
            Some(password) => password,
            None => {
                let first = typed("new password: ", OPTIONS)?;
                if first != typed("new password again: ", OPTIONS)? {
                    return Err(Failure::usage("the two passwords differ"));
                }
                first
            }
        };
        if password.is_empty() {
            return Err(Failure::usage("the new password is empty"));
        }
        Ok(password)
    }

    fn given(&self, output: &Output) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        if let Some((path, mode)) =
            self.file().and_then(|path| files::open_to_others(path).map(|mode| (path, mode)))
        {
            output.note(format_args!(
                "'{}' has mode {mode:04o}: others may read it; wanted 0600",
                path.display()
            ));
        }
        let mut password = read_bytes(self.file(), self.password_fd)?;
        password.iter_mut().for_each(|password| trim_line_ends(password));
        Ok(password)
    }
}

/// The password of a key file that is written beside one that is read.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct NewKeyPasswordArgs {
    /// Write a secret key of Ed25519 under a password, in openssh, pem or minisign
    #[arg(long)]
    encrypt: bool,
    /// File with the new password [default: asked for at the terminal, twice]
    #[arg(long, value_name = "F", conflicts_with = "new_password_fd")]
    new_password_file: Option<PathBuf>,
    /// Number of an open descriptor that the new password is read from
    #[arg(long, value_name = "N")]
    new_password_fd: Option<u32>,
}

impl NewKeyPasswordArgs {
    /// The new password, if there is to be one.
    ///
    /// # Errors
    /// As [`KeyPasswordArgs::read_new`].
    pub(crate) fn read(&self, output: &Output) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        let Self { encrypt, new_password_file, new_password_fd } = self.clone();
        let password = KeyPasswordArgs { password_file: new_password_file, password_fd: new_password_fd };
        if encrypt || password.is_given() { password.read_new(output).map(Some) } else { Ok(None) }
    }

    /// Whether there is to be one.
    pub(crate) fn is_given(&self) -> bool {
        self.encrypt || self.new_password_file.is_some() || self.new_password_fd.is_some()
    }
}

/// Takes off the line ends of an editor.
pub(crate) fn trim_line_ends(password: &mut Vec<u8>) {
    while password.ends_with(b"\n") || password.ends_with(b"\r") {
        password.pop();
    }
}

/// The bytes in a file or behind a descriptor, if one is named.
///
/// # Errors
/// Exit code 2 if there are too many, 4 if they cannot be read.
pub(crate) fn read_bytes(
    file: Option<&Path>,
    descriptor: Option<u32>,
) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    let path = match (file, descriptor) {
        (Some(path), _) => path.to_owned(),
        (None, Some(number)) => PathBuf::from(format!("/dev/fd/{number}")),
        (None, None) => return Ok(None),
    };
    if files::is_standard(&path) {
        return files::read_at_most(&path, MAX_BYTES).map(Some);
    }
    let shown = path.display();
    let cannot = |error| Failure::system(format_args!("cannot read the password from '{shown}': {error}"));
    let open = File::open(&path).map_err(cannot)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(4097));
    open.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::usage(format_args!("'{shown}' is too long for a password")));
    }
    Ok(Some(bytes))
}

/// What is typed at the terminal, which is not shown. `options` say how else to give it.
///
/// # Errors
/// Exit code 2 if there is no terminal.
pub(crate) fn typed(text: &str, options: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let nobody = |why: &str| {
        Failure::usage(format_args!("there is no terminal to ask for a password{why}"))
            .hint(format_args!("give it by {options}"))
    };
    // A program that runs this one with its streams elsewhere has nobody who looks at the terminal.
    if !std::io::stdin().is_terminal() && !std::io::stderr().is_terminal() {
        return Err(nobody(""));
    }
    #[cfg(all(unix, feature = "custody"))]
    {
        let typed = rpassword::prompt_password(text).map_err(|error| nobody(&format!(": {error}")))?;
        Ok(Zeroizing::new(typed.into_bytes()))
    }
    #[cfg(not(all(unix, feature = "custody")))]
    {
        let _ = text;
        Err(nobody(" in this build"))
    }
}
