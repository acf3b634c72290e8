//! Arguments that the commands share.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::ligerito::{Preset, SUITE, johnson128, provable128, ref_v08};
use std::path::PathBuf;

/// The parameter set of a command.
#[derive(clap::Args, Debug)]
pub(crate) struct ParamsArgs {
    /// The parameter set: ligerito-v1-provable128 has 128 provable bits instead of 100, and points over GF(2^192);
    /// ligerito-v2-johnson128 has shorter proofs over that field, and 128 bits, conditional on a theorem of 2026 (eprint
    /// 2026/2056, Theorem 5.12) whose Lean proof is reported and was not built here: the conservative suite is
    /// ligerito-v1-provable128; ligerito-ref-v08 is the format of the published crate ligerito 0.8.0, for exchange with
    /// it
    #[arg(long, value_name = "SET", value_parser = set_parser(), default_value = SUITE)]
    pub(crate) params: Set,
}

/// The parameter sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Set {
    /// Ours, with 100 provable bits.
    Own,
    /// Ours, with 128.
    Own128,
    /// Ours, up to the Johnson radius.
    Johnson128,
    /// That of the published crate.
    RefV08,
}

impl Set {
    pub(crate) const ALL: [Self; 4] = [Self::Own, Self::Own128, Self::Johnson128, Self::RefV08];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Own => SUITE,
            Self::Own128 => provable128::SUITE,
            Self::Johnson128 => johnson128::SUITE,
            Self::RefV08 => ref_v08::SUITE,
        }
    }

    /// What its bits are conditional on, for those who rely on them.
    pub(crate) fn condition(self) -> Option<&'static str> {
        let conditional = self == Self::Johnson128;
        conditional.then_some(
            "128 bits, conditional on a theorem of 2026 (https://eprint.iacr.org/2026/2056, Theorem 5.12) whose Lean proof is \
             reported and was not built here; the conservative suite is ligerito-v1-provable128",
        )
    }

    /// Says it.
    pub(crate) fn say_condition(self, output: &Output) -> Result<(), Failure> {
        self.condition().map_or(Ok(()), |condition| output.line(condition))
    }

    /// Refuses options of the other set; those given are named.
    pub(crate) fn check_options(
        self,
        own: &[(&str, bool)],
        of_ref_v08: &[(&str, bool)],
    ) -> Result<(), Failure> {
        let others = if self == Self::RefV08 { own } else { of_ref_v08 };
        match others.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Failure::usage(format_args!("{option} does not go with --params {}", self.name())))
            }
            None => Ok(()),
        }
    }

    /// What is needed and not there.
    pub(crate) fn missing(self, option: &str) -> Failure {
        Failure::usage(format_args!("{option} is missing: --params {} needs it", self.name()))
    }
}

fn set_parser() -> impl TypedValueParser<Value = Set> {
    PossibleValuesParser::new(Set::ALL.map(Set::name))
        .try_map(|name| Set::ALL.into_iter().find(|set| set.name() == name).ok_or("unknown parameter set"))
}

pub(crate) fn profile_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .try_map(|name| Preset::from_name(&name).ok_or("unknown profile"))
}

/// Refuses if standard input is named more than once.
pub(crate) fn check_standard_input<'a>(
    paths: impl IntoIterator<Item = Option<&'a PathBuf>>,
    elements: &[&[String]],
) -> Result<(), Failure> {
    let of_paths = paths.into_iter().flatten().filter(|path| files::is_standard(path)).count();
    let of_elements = elements.iter().copied().flatten().filter(|argument| *argument == "@-").count();
    if of_paths + of_elements > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    Ok(())
}
