//! The function of a command, and words as text.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::rescue::Function;

/// The `--function` of a command.
#[derive(clap::Args, Debug)]
pub(crate) struct FunctionArgs {
    /// The function: of Winterfell the first two, of Miden the others
    #[arg(long, value_name = "F", value_parser = function_parser(), default_value = Function::Rp64_256.name())]
    pub(super) function: Function,
}

fn function_parser() -> impl TypedValueParser<Value = Function> {
    PossibleValuesParser::new(Function::ALL.map(Function::name))
        .try_map(|name| Function::from_name(&name).ok_or("unknown function"))
}

/// Words as text: JSON numbers above 2^53 are not safe everywhere.
pub(super) fn as_text(words: &[u64]) -> Vec<String> {
    words.iter().map(u64::to_string).collect()
}
