//! `phalanx ligerito`.

mod args;
mod commit;
mod commitment;
pub(crate) mod elements;
mod mapped;
mod open;
pub(crate) mod own;
mod params;
mod polynomial;
mod reference;
mod streamed;
mod together;
mod verify;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;

/// What to do with polynomial commitments.
#[derive(Subcommand)]
pub(crate) enum Command {
    Commit(commit::Args),
    Open(open::Args),
    Verify(verify::Args),
    Params(params::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Commit(args) => args.json.json,
            Self::Open(args) => args.json.json,
            Self::Verify(args) => args.json.json,
            Self::Params(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Commit(args) => commit::run(args, output),
            Self::Open(args) => open::run(args, output),
            Self::Verify(args) => verify::run(args, output),
            Self::Params(args) => params::run(args, output),
        }
    }
}
