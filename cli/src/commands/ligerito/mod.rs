//! `phalanx ligerito`.

mod commit;
mod elements;
mod mapped;
mod open;
mod own;
mod params;
mod polynomial;
mod reference;
mod verify;

use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::Output;
use crate::progress::{Display, Unit};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use own::Own;
use phalanx::ligerito::{self, CommitmentOf, Preset, SUITE, provable128, ref_v08};
use phalanx::{Pool, Threads};
use polynomial::Polynomial;
use std::path::{Path, PathBuf};

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

/// Polynomials with this many variables and more take long enough for a progress bar.
const LONG_VARIABLES: u32 = 20;

/// The parameter set of a command.
#[derive(clap::Args, Debug)]
struct ParamsArgs {
    /// The parameter set: ligerito-v1-provable128 has 128 provable bits instead of 100, and points over GF(2^192);
    /// ligerito-ref-v08 is the format of the published crate ligerito 0.8.0, for exchange with it
    #[arg(long, value_name = "SET", value_parser = set_parser(), default_value = SUITE)]
    params: Set,
}

/// The parameter sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    /// Ours, with 100 provable bits.
    Own,
    /// Ours, with 128.
    Own128,
    /// That of the published crate.
    RefV08,
}

impl Set {
    const ALL: [Self; 3] = [Self::Own, Self::Own128, Self::RefV08];

    fn name(self) -> &'static str {
        match self {
            Self::Own => SUITE,
            Self::Own128 => provable128::SUITE,
            Self::RefV08 => ref_v08::SUITE,
        }
    }

    /// Refuses options of the other set; those given are named.
    fn check_options(self, own: &[(&str, bool)], of_ref_v08: &[(&str, bool)]) -> Result<(), Failure> {
        let others = if self == Self::RefV08 { own } else { of_ref_v08 };
        match others.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Failure::usage(format_args!("{option} does not go with --params {}", self.name())))
            }
            None => Ok(()),
        }
    }

    /// What is needed and not there.
    fn missing(self, option: &str) -> Failure {
        Failure::usage(format_args!("{option} is missing: --params {} needs it", self.name()))
    }
}

fn set_parser() -> impl TypedValueParser<Value = Set> {
    PossibleValuesParser::new(Set::ALL.map(Set::name))
        .try_map(|name| Set::ALL.into_iter().find(|set| set.name() == name).ok_or("unknown parameter set"))
}

fn profile_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .try_map(|name| Preset::from_name(&name).ok_or("unknown profile"))
}

/// What a proof is for: bytes that prover and verifier have to name alike.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct ContextArgs {
    /// Bytes that the proof is bound to, in hexadecimal digits [default: none]
    #[arg(long, value_name = "H")]
    context_hex: Option<String>,
    /// File of the bytes that the proof is bound to (`-`: standard input)
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
}

impl ContextArgs {
    /// The bytes.
    ///
    /// # Errors
    /// Digits that are none, a file that cannot be read.
    fn read(&self) -> Result<Vec<u8>, Failure> {
        if let Some(digits) = &self.context_hex {
            return hex::decode(digits)
                .map_err(|_| Failure::usage("--context-hex: not a hexadecimal number of whole bytes"));
        }
        let Some(file) = &self.context_file else { return Ok(Vec::new()) };
        Ok(std::mem::take(&mut *files::read(file)?))
    }
}

/// Refuses if standard input is named more than once.
fn check_standard_input<'a>(
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

/// Commits, with a progress bar if it takes long.
fn commit<'a, S: Own>(
    pool: &Threads,
    profile: S,
    polynomial: &'a Polynomial,
    output: &Output,
) -> Result<own::Committed<'a, S>, Failure> {
    let display = (polynomial.len().ilog2() >= LONG_VARIABLES).then(|| Display::new(output, 0, Unit::Rows));
    let progress = |done, total| {
        if let Some(display) = &display {
            display.show(done, total);
        }
    };
    let committed = profile.commit(pool as &dyn Pool, polynomial, &progress);
    display.as_ref().inspect(|display| display.finish());
    Ok(committed?)
}

/// Length of a commitment, of whichever suite.
const COMMITMENT_LEN_BYTES: usize = ligerito::Commitment::LEN_BYTES;

/// The commitment that an argument gives: 68 hexadecimal digits, or a file with 34 bytes or those digits.
fn read_commitment<S: Own>(argument: &str) -> Result<CommitmentOf<S>, Failure> {
    let from_digits = |digits: &[u8]| {
        let mut bytes = [0; COMMITMENT_LEN_BYTES];
        hex::decode_to_slice(digits, &mut bytes).ok().map(|()| bytes)
    };
    let parse = |place: &str, bytes: &[u8]| {
        CommitmentOf::from_bytes(bytes).map_err(|error| {
            let failure = Failure::usage(format_args!("{place} is not a commitment: {error}"));
            match own::other_set::<S>(bytes) {
                Some(set) => failure.hint(format_args!("it is one of --params {}", set.name())),
                None => failure,
            }
        })
    };
    if let Some(bytes) = from_digits(argument.as_bytes()) {
        return parse("--commitment", &bytes);
    }
    let bytes = files::read(Path::new(argument))?;
    let place = format!("'{argument}'");
    match from_digits(bytes.trim_ascii()) {
        Some(bytes) => parse(&place, &bytes),
        None => parse(&place, &bytes),
    }
}
