//! `phalanx rescue`.

mod function;
pub(super) mod hash;
mod input;
mod permute;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;
pub(super) use function::FunctionArgs;

/// What to do with Rescue.
#[derive(Subcommand)]
pub(crate) enum Command {
    Hash(hash::Args),
    Permute(permute::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Hash(args) => args.json.json,
            Self::Permute(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Hash(args) => hash::run(args, output),
            Self::Permute(args) => permute::run(args, output),
        }
    }
}
