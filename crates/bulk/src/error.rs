//! Why a job cannot go on. What is wrong with a row is none of these: it stands in the report.

use std::fmt;
use std::path::Path;

/// A failure of the whole job.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A mistake of the caller, or files that do not belong together.
    Usage(String),
    /// The system could not read or write.
    System(String),
    /// The caller stopped it. What is done is done, and can be resumed.
    Stopped,
}

impl Error {
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::Usage(message.to_string())
    }

    pub(crate) fn system(message: impl fmt::Display) -> Self {
        Self::System(message.to_string())
    }

    pub(crate) fn read(path: &Path, error: &std::io::Error) -> Self {
        Self::system(format_args!("cannot read '{}': {error}", path.display()))
    }

    pub(crate) fn write(path: &Path, error: &std::io::Error) -> Self {
        Self::system(format_args!("cannot write '{}': {error}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::System(message) => f.write_str(message),
            Self::Stopped => f.write_str("stopped before its end"),
        }
    }
}

impl std::error::Error for Error {}
