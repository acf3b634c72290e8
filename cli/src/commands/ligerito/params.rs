//! `phalanx ligerito params`.

use super::args::{Set, profile_parser};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use clap::builder::TypedValueParser;
use phalanx::ligerito::soundness::{self, Soundness};
use phalanx::ligerito::{MAX_CLAIMS, MAX_VARIABLES, MIN_VARIABLES, Preset, Shape, johnson128, provable128};
use serde::Serialize;

/// Show the registered shapes of all suites, and how sound they are
///
/// Bits are minus the logarithm to base 2 of the probability that a cheating prover succeeds, from the bounds of
/// docs/ligerito.md in exact rational arithmetic: 'union' is the sum over all moves of the verifier, 'without work' the
/// same with the proofs of work left out, 'round' the weakest single round. Levels are written d+k/r:Q, and +g with g
/// bits of work: messages of 2^d elements in 2^k columns, codewords 2^r times as long, Q rows opened.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ligerito params --profile balanced --variables 20")]
pub(crate) struct Args {
    /// Only this profile
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Option<Preset>,
    /// Only shapes for 2^N coefficients, and every term of their sums
    #[arg(long, value_name = "N", value_parser = variables_parser())]
    variables: Option<u8>,
    /// Claims of one proof that the sums are for
    #[arg(long, value_name = "N", default_value_t = MAX_CLAIMS as u32, value_parser = claims_parser())]
    claims: u32,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

fn variables_parser() -> impl TypedValueParser<Value = u8> {
    clap::value_parser!(u8).range(i64::from(MIN_VARIABLES)..=i64::from(MAX_VARIABLES))
}

fn claims_parser() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::try_from(MAX_CLAIMS).expect("far below 2^63"))
}

/// A shape and its figures.
#[derive(Serialize)]
struct Entry {
    /// The suite.
    params: &'static str,
    /// What its bits are conditional on.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'static str>,
    profile: &'static str,
    profile_code: u8,
    variables: u8,
    levels: Vec<Level>,
    params_hex: String,
    final_elements: u64,
    encoded_bytes: u64,
    expected_proof_bytes: u64,
    max_proof_bytes: usize,
    /// Whether the union is at most 2^-100, exactly.
    at_least_100_bits: bool,
    /// Whether it is at most 2^-128.
    at_least_128_bits: bool,
    union_bits: f64,
    union_bits_without_pow: f64,
    worst_round_bits: f64,
    /// The most bits of work before the queries of a level.
    proof_of_work_bits: u8,
    /// What the bits are made of, in words.
    made_of: String,
    moves: Vec<Move>,
}

/// The numbers of a level.
#[derive(Serialize)]
struct Level {
    log2_message: u8,
    log2_columns: u8,
    log2_inverse_rate: u8,
    queries: u16,
    grinding_bits: u8,
}

/// A term of the union.
#[derive(Serialize)]
struct Move {
    draws: &'static str,
    level: Option<usize>,
    /// None if it cannot fail.
    bits: Option<f64>,
}

impl Entry {
    fn new((set, profile, profile_code): (Set, &'static str, u8), shape: &Shape, claims: usize) -> Self {
        let sums = Soundness::of(shape, claims);
        let without_work = sums.union_without_work.bits();
        let work = shape.levels().iter().map(|level| level.grinding_bits).max().unwrap_or_default();
        let level = |level: &phalanx::ligerito::Level| Level {
            log2_message: level.log2_message,
            log2_columns: level.log2_columns,
            log2_inverse_rate: level.log2_inverse_rate,
            queries: level.queries,
            grinding_bits: level.grinding_bits,
        };
        let of_move = |one: &soundness::Move| Move {
            draws: one.draws,
            level: one.level,
            bits: Some(one.error.bits()).filter(|bits| bits.is_finite()),
        };
        Self {
            params: set.name(),
            condition: set.condition(),
            profile,
            profile_code,
            variables: shape.variables(),
            levels: shape.levels().iter().map(level).collect(),
            params_hex: hex::encode(shape.to_bytes()),
            final_elements: 1 << shape.log2_final(),
            encoded_bytes: 4 << (shape.variables() + shape.levels()[0].log2_inverse_rate),
            expected_proof_bytes: soundness::expected_proof_len_bytes(shape),
            max_proof_bytes: shape.max_proof_len_bytes(),
            at_least_100_bits: sums.union.is_at_most_two_to_the_minus(100),
            at_least_128_bits: sums.union.is_at_most_two_to_the_minus(128),
            union_bits: sums.union.bits(),
            union_bits_without_pow: without_work,
            worst_round_bits: sums.worst_round.bits(),
            proof_of_work_bits: work,
            made_of: match work {
                0 => "interactive bits, no proof of work".to_owned(),
                _ => format!("{without_work:.1} interactive bits and {work} bits of proof of work"),
            },
            moves: sums.moves.iter().map(of_move).collect(),
        }
    }

    /// The levels in one line.
    fn levels(&self) -> String {
        let level = |level: &Level| {
            let work =
                if level.grinding_bits > 0 { format!("+{}", level.grinding_bits) } else { String::new() };
            let Level { log2_message: d, log2_columns: k, log2_inverse_rate: r, queries, .. } = level;
            format!("{d}+{k}/{r}:{queries}{work}")
        };
        self.levels.iter().map(level).collect::<Vec<_>>().join(" ")
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let claims = args.claims as usize;
    let variables = match args.variables {
        Some(variables) => variables..=variables,
        None => MIN_VARIABLES..=MAX_VARIABLES,
    };
    // A name may stand for a profile of any suite.
    let is_wanted = |name: &str| args.profile.is_none_or(|only| only.name() == name);
    let mut entries = Vec::new();
    macro_rules! add_suite {
        ($set:expr, $preset:ty) => {
            for profile in <$preset>::ALL.into_iter().filter(|profile| is_wanted(profile.name())) {
                for shape in variables.clone().filter_map(|variables| profile.shape(variables)) {
                    entries.push(Entry::new(($set, profile.name(), profile.code()), &shape, claims));
                }
            }
        };
    }
    add_suite!(Set::Own, Preset);
    add_suite!(Set::Own128, provable128::Preset);
    add_suite!(Set::Johnson128, johnson128::Preset);
    let sets = [Set::Own, Set::Own128, Set::Johnson128];
    let suites = sets.map(Set::name);
    for set in sets.into_iter().filter(|set| entries.iter().any(|entry| entry.params == set.name())) {
        print_suite(set.name(), &entries, claims, output)?;
        set.say_condition(output)?;
    }
    if args.variables.is_some() {
        entries.iter().try_for_each(|entry| print_moves(entry, output))?;
    }
    output.object(&serde_json::json!({ "params": suites, "claims": claims, "shapes": entries }))?;
    Ok(Exit::Good)
}

/// The table of one suite.
fn print_suite(suite: &str, entries: &[Entry], claims: usize, output: &Output) -> Result<(), Failure> {
    output.line(format_args!("{suite}, {claims} claims"))?;
    output.line(format_args!(
        "{:9} {:>2} {:>9} {:>9} {:>8} {:>12} {:>8}  {}",
        "profile", "mu", "proof", "at most", "union", "without work", "round", "levels"
    ))?;
    for entry in entries.iter().filter(|entry| entry.params == suite) {
        output.line(format_args!(
            "{:9} {:>2} {:>9} {:>9} {:>8.3} {:>12.3} {:>8.3}  {}",
            entry.profile,
            entry.variables,
            entry.expected_proof_bytes,
            entry.max_proof_bytes,
            entry.union_bits,
            entry.union_bits_without_pow,
            entry.worst_round_bits,
            entry.levels()
        ))?;
    }
    let mut profiles: Vec<&str> = entries.iter().map(|entry| entry.profile).collect();
    profiles.dedup();
    profiles.into_iter().try_for_each(|profile| {
        let mine = |entry: &&Entry| entry.params == suite && entry.profile == profile;
        print_work(profile, &entries.iter().filter(mine).collect::<Vec<_>>(), output)
    })
}

/// What the bits of a profile with proofs of work are made of; of another there is nothing to say.
fn print_work(profile: &str, entries: &[&Entry], output: &Output) -> Result<(), Failure> {
    let Some(work) = entries.iter().map(|entry| entry.proof_of_work_bits).max().filter(|work| *work > 0)
    else {
        return Ok(());
    };
    let bits = || entries.iter().map(|entry| entry.union_bits_without_pow);
    let (least, most) = (bits().fold(f64::INFINITY, f64::min), bits().fold(0.0, f64::max));
    let interactive =
        if entries.len() == 1 { format!("{least:.1}") } else { format!("{least:.1} to {most:.1}") };
    output.line(format_args!(
        "{profile} has {interactive} interactive bits and {work} bits of proof of work; other profiles need no work"
    ))
}

/// The terms of one sum.
fn print_moves(entry: &Entry, output: &Output) -> Result<(), Failure> {
    output.line(format_args!(
        "\n{}, {}, {} variables: bits of every move",
        entry.params, entry.profile, entry.variables
    ))?;
    for one in &entry.moves {
        let place = one.level.map_or_else(String::new, |level| format!("level {level}: "));
        let name = format!("{place}{}", one.draws);
        let bits = one.bits.map_or_else(|| "cannot fail".to_owned(), |bits| format!("{bits:.3}"));
        output.line(format_args!("  {name:20}{bits:>11}"))?;
    }
    Ok(())
}
