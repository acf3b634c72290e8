//! The epoch of a signature that is made: a number, or the next that is free.

use std::str::FromStr;

/// An epoch on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Epoch {
    /// This one.
    At(u64),
    /// The first after all that the key has signed, as its ledger knows them.
    Next,
}

impl FromStr for Epoch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "next" => Ok(Self::Next),
            _ => text.parse().map(Self::At).map_err(|error| format!("{error}; or 'next'")),
        }
    }
}
