//! `phalanx rescue`.

mod hash;
mod input;
mod permute;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::rescue::Function;

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

/// The `--function` of a command.
#[derive(clap::Args, Debug)]
struct FunctionArgs {
    /// The function: of Winterfell the first two, of Miden the others
    #[arg(long, value_name = "F", value_parser = function_parser(), default_value = Function::Rp64_256.name())]
    function: Function,
}

fn function_parser() -> impl TypedValueParser<Value = Function> {
    PossibleValuesParser::new(Function::ALL.map(Function::name))
        .try_map(|name| Function::from_name(&name).ok_or("unknown function"))
}

/// Words as text: JSON numbers above 2^53 are not safe everywhere.
fn as_text(words: &[u64]) -> Vec<String> {
    words.iter().map(u64::to_string).collect()
}
