//! `phalanx xmss`.

#[cfg(all(unix, feature = "custody"))]
pub(super) mod epoch;
pub(super) mod input;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod keygen;
pub(super) mod scheme;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod secret_key;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod sign;
pub(super) mod verify;
mod verify_many;

#[cfg(not(all(unix, feature = "custody")))]
use super::missing::{self as keygen, self as sign};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;

/// What to do with XMSS keys and signatures.
#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(keygen::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    VerifyMany(verify_many::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Keygen(args) => args.json.json,
            Self::Sign(args) => args.json.json,
            Self::Verify(args) => args.json.json,
            Self::VerifyMany(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Keygen(args) => keygen::run(args, output),
            Self::Sign(args) => sign::run(args, output),
            Self::Verify(args) => verify::run(args, output),
            Self::VerifyMany(args) => verify_many::run(args, output),
        }
    }
}
