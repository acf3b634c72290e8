//! `phalanx remote`: signatures from a signer (`phalanx serve`) over the network, verified before they are kept.

mod access;
mod key;
mod sign;
mod sign_many;
mod status;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;

/// What to ask a signer.
#[derive(Subcommand)]
pub(crate) enum Command {
    Sign(Box<sign::Args>),
    SignMany(Box<sign_many::Args>),
    Status(status::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Sign(args) => args.json.json,
            Self::SignMany(args) => args.json.json,
            Self::Status(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Sign(args) => sign::run(args, output),
            Self::SignMany(args) => sign_many::run(args, output),
            Self::Status(args) => status::run(args, output),
        }
    }
}
