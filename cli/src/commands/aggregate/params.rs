//! `phalanx aggregate params`.

use super::profile_parser;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::aggregate::soundness::{Parameters, break_even};
use phalanx::aggregate::{MAX_SIGNATURES, Profile};
use phalanx::ligerito::soundness::Probability;
use serde::Serialize;

/// Show what an aggregate of N signatures costs, and how sound it is
///
/// Of both profiles: bytes, memory that proving takes, from how many signatures on an aggregate is shorter than they are,
/// and every term of the bound. Bits are minus the logarithm to base 2 of the probability that a cheating prover
/// succeeds, in exact rational arithmetic from docs/aggregate.md, section 4; --json has the fractions themselves. 100 bits
/// are fewer than the signatures have (127), so no command has a profile that it takes unless told. An aggregate saves
/// bytes, not the time of who verifies.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx aggregate params --signatures 461")]
pub(crate) struct Args {
    /// The number of signatures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_SIGNATURES as i64))]
    signatures: u16,
    /// Only this profile
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Option<Profile>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A profile's figures.
#[derive(Serialize)]
struct Entry {
    profile: &'static str,
    log2_blocks: usize,
    variables: u8,
    expected_bytes: u64,
    max_bytes: u64,
    /// Of the signatures one by one.
    signatures_bytes: u64,
    /// From this number of signatures on an aggregate of expected length is the shorter.
    shorter_from_signatures: usize,
    memory_bytes: u64,
    /// The bits of the profile's name.
    wanted_bits: u32,
    /// Whether the union is at most 2^-wanted_bits, exactly.
    at_least_wanted_bits: bool,
    union: Error,
    worst_round: Error,
    /// The moves before the opening, together.
    outer: Error,
    opening: Error,
    moves: Vec<Move>,
}

/// A probability.
#[derive(Serialize)]
struct Error {
    /// None if it is zero.
    bits: Option<f64>,
    /// A fraction of two integers, not in lowest terms.
    exact: String,
}

impl From<&Probability> for Error {
    fn from(probability: &Probability) -> Self {
        let bits = Some(probability.bits()).filter(|bits| bits.is_finite());
        Self { bits, exact: probability.to_string() }
    }
}

/// A term of the union.
#[derive(Serialize)]
struct Move {
    draws: &'static str,
    /// Of the opening: the level. None for moves before it, and for the one that all of its levels share.
    level: Option<usize>,
    of_opening: bool,
    #[serde(flatten)]
    error: Error,
}

impl Entry {
    fn new(profile: Profile, of: &Parameters) -> Self {
        let outer = of.moves.iter().map(|one| Move {
            draws: one.draws,
            level: None,
            of_opening: false,
            error: (&one.error).into(),
        });
        let opening = of.opening.moves.iter().map(|one| Move {
            draws: one.draws,
            level: one.level,
            of_opening: true,
            error: (&one.error).into(),
        });
        Self {
            profile: profile.name(),
            log2_blocks: of.log2_blocks,
            variables: of.variables,
            expected_bytes: of.expected_len_bytes,
            max_bytes: of.max_len_bytes,
            signatures_bytes: of.plain_len_bytes,
            shorter_from_signatures: break_even(profile),
            memory_bytes: of.memory_len_bytes,
            wanted_bits: profile.bits(),
            at_least_wanted_bits: of.union.is_at_most_two_to_the_minus(profile.bits()),
            union: (&of.union).into(),
            worst_round: (&of.worst_round).into(),
            outer: (&of.outer).into(),
            opening: (&of.opening.union).into(),
            moves: outer.chain(opening).collect(),
        }
    }

    fn print(&self, signatures: usize, output: &Output) -> Result<(), Failure> {
        let line = |name: &str, text: String| output.line(format_args!("  {name:24}{text}"));
        output.line(format_args!("{}", self.profile))?;
        line("blocks", format!("2^{}, {} variables", self.log2_blocks, self.variables))?;
        line("bytes", format!("{} on average, at most {}", self.expected_bytes, self.max_bytes))?;
        line("signatures one by one", format!("{} bytes", self.signatures_bytes))?;
        let relation = if signatures < self.shorter_from_signatures { "longer" } else { "shorter" };
        let from = self.shorter_from_signatures;
        line("break-even", format!("{relation} than the signatures; shorter from {from} on"))?;
        line("memory to prove", format!("{} MiB", self.memory_bytes.div_ceil(1 << 20)))?;
        output.line("  bits")?;
        for one in &self.moves {
            let place = match (one.of_opening, one.level) {
                (false, _) => String::new(),
                (true, None) => "opening: ".to_owned(),
                (true, Some(level)) => format!("opening, level {level}: "),
            };
            self.print_error(&format!("{place}{}", one.draws), &one.error, output)?;
        }
        self.print_error("all before the opening", &self.outer, output)?;
        self.print_error("all of the opening", &self.opening, output)?;
        self.print_error("worst round", &self.worst_round, output)?;
        self.print_error("all together", &self.union, output)
    }

    fn print_error(&self, name: &str, error: &Error, output: &Output) -> Result<(), Failure> {
        let bits = error.bits.map_or_else(|| "cannot fail".to_owned(), |bits| format!("{bits:.3}"));
        output.line(format_args!("    {name:26}{bits:>11}"))
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let signatures = usize::from(args.signatures);
    let profiles =
        Profile::ALL.into_iter().filter(|profile| args.profile.is_none_or(|only| only == *profile));
    let entries: Vec<Entry> = profiles
        .map(|profile| {
            Entry::new(profile, &Parameters::of(profile, signatures).expect("the argument's range"))
        })
        .collect();
    let plural = if signatures == 1 { "signature" } else { "signatures" };
    output.line(format_args!("aggregates of {signatures} {plural}"))?;
    entries.iter().try_for_each(|entry| entry.print(signatures, output))?;
    output.object(&serde_json::json!({ "signatures": signatures, "profiles": entries }))?;
    Ok(Exit::Good)
}
