//! `phalanx aggregate`, and what the commands about aggregates share.

mod params;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::aggregate::Profile;

/// What to ask about aggregates.
#[derive(Subcommand)]
pub(crate) enum Command {
    Params(params::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Params(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Params(args) => params::run(args, output),
        }
    }
}

/// The name of a profile.
pub(super) fn profile_parser() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::from_name(&name).ok_or("unknown profile"))
}
