//! How failures of keystores end a run.

use crate::exit::Failure;
use phalanx_custody::keystore::file::FileError;
use phalanx_custody::keystore::{Error, Verdict};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        use Verdict as V;
        match error {
            Error::Refused { verdict: V::WeakKdf, .. } => Self::refused(error)
                .hint("--accept-weak-kdf opens it all the same: change the password then, which mends it"),
            Error::Refused {
                verdict: V::WrongPassword | V::Damaged | V::HeaderChanged | V::KeyMismatch | V::KdfBounds,
                ..
            }
            | Error::Unbound => Self::refused(error),
            Error::OutOfMemory { .. } | Error::NoRandomness => Self::system(error),
            _ => Self::usage(error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Keystore(error) => error.into(),
            FileError::Refused { .. } => Self::refused(error)
                .hint("files of mode 0600 in folders of mode 0700, with one name, of one's own"),
            FileError::Exists { .. } => Self::usage(error).hint("give another name"),
            _ => Self::system(error),
        }
    }
}
