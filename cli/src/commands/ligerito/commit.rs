//! `phalanx ligerito commit`.

use super::args::{ParamsArgs, Set, profile_parser};
use super::commitment;
use super::own::Own;
use super::polynomial::Polynomial;
use super::together::CoefficientsArgs;
use super::{reference, streamed};
use crate::args::{ThreadsArgs, check_out};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use phalanx::ligerito::{Preset, johnson128, provable128};
use phalanx_identify::proof_file::Coefficients;
use std::path::PathBuf;
use std::time::Instant;

/// Commit to a polynomial
///
/// The file holds the 2^mu values of the polynomial on the Boolean cube, mu from 10 to 30: little-endian words of 32
/// bits, elements of GF(2^32); bit j of a word's place is its coordinate j. Large files are mapped into memory, not
/// read: leave them as they are meanwhile. The commitment is 34 bytes: profile, mu and a root of 32 bytes (with
/// --params ligerito-v2-johnson128 58 bytes: also a sample). Nothing else is kept: 'open' commits again. Not hiding.
/// A file of bits or bytes is a file of words that hold 32 or 4 of them, and has the commitment of the words: --bits and
/// --bytes say what is committed to, and 'open' and 'verify' are to be told the same. With --params ligerito-ref-v08 the
/// commitment is the root alone.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ligerito commit polynomial.bin --out commitment.bin")]
pub(crate) struct Args {
    /// The polynomial (`-`: standard input)
    #[arg(value_name = "FILE")]
    polynomial: PathBuf,
    /// File for the commitment (`-`: standard output); without it, it is only printed
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    #[command(flatten)]
    coefficients: CoefficientsArgs,
    #[command(flatten)]
    params: ParamsArgs,
    /// What proofs are made small for: compact has shorter ones, and a proof of work in them [default: balanced]
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Option<Preset>,
    #[command(flatten)]
    sizes: reference::SizesArgs,
    /// Hold at most so many MiB, and read the file as often as that takes: for polynomials larger than memory. 2^30 words take
    /// 4,376; the fewer, the longer
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Replace the file of the commitment
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let set = args.params.params;
    let [bits, bytes] = args.coefficients.given();
    set.check_options(
        &[("--profile", args.profile.is_some()), ("--memory", args.memory.is_some()), bits, bytes],
        &[("--sizes", args.sizes.is_given())],
    )?;
    if let Some(out) = &args.out {
        check_out(out, args.force, output)?;
    }
    match set {
        Set::Own => commit::<Preset>(args, output),
        Set::Own128 => commit::<provable128::Preset>(args, output),
        Set::Johnson128 => commit::<johnson128::Preset>(args, output),
        Set::RefV08 => commit_ref_v08(args, output),
    }
}

/// Whether people see what came of it.
fn is_printed(args: &Args) -> bool {
    !args.out.as_deref().is_some_and(files::is_standard)
}

/// The root of the published crate's format.
fn commit_ref_v08(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let polynomial = Polynomial::read(&args.polynomial, Coefficients::Words)?;
    let clock = Instant::now();
    let root = reference::commit(&args.sizes, &args.threads.pool(), &polynomial)?;
    let seconds = clock.elapsed().as_secs_f64();
    polynomial.check_unchanged(&args.polynomial)?;
    if let Some(out) = &args.out {
        files::write(out, &root, Privacy::Public, args.force)?;
    }
    let set = Set::RefV08.name();
    if is_printed(args) {
        output.line(format_args!("root {}\n{set} ({:.1} ms)", hex::encode(root), seconds * 1e3))?;
    }
    output.object(&serde_json::json!({
        "params": set, "variables": polynomial.len().ilog2(), "root": hex::encode(root),
        "commitment_file": args.out, "coefficients": polynomial.len(), "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}

/// A commitment of a suite of ours.
fn commit<S: Own>(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let profile = args.profile.map(|profile| S::named("--profile", profile)).transpose()?.unwrap_or_default();
    let (pool, coefficients) = (args.threads.pool(), args.coefficients.coefficients());
    let (commitment, words, encoded_bytes, seconds) = if let Some(mebibytes) = args.memory {
        let clock = Instant::now();
        let (commitment, words) =
            streamed::commit(&pool, profile, (&args.polynomial, coefficients), mebibytes, output)?;
        (commitment, words, None, clock.elapsed().as_secs_f64())
    } else {
        let polynomial = Polynomial::read(&args.polynomial, coefficients)?;
        let clock = Instant::now();
        let (commitment, data) = commitment::commit(&pool, profile, &polynomial, output)?;
        let seconds = clock.elapsed().as_secs_f64();
        polynomial.check_unchanged(&args.polynomial)?;
        let encoded_bytes = (polynomial.len() as u64 * 4) << data.shape().levels()[0].log2_inverse_rate;
        (commitment, polynomial.len(), Some(encoded_bytes), seconds)
    };
    let bytes = commitment.to_bytes();
    if let Some(out) = &args.out {
        files::write(out, bytes.as_ref(), Privacy::Public, args.force)?;
    }
    let (set, variables, profile) = (S::SET.name(), commitment.variables(), profile.name());
    let held = match coefficients {
        Coefficients::Words => String::new(),
        _ => format!(", 2^{} {}", variables + coefficients.variables(), coefficients.name()),
    };
    if is_printed(args) {
        output.line(format_args!(
            "commitment {}\nroot {}\n{set}, profile {profile}, {variables} variables{held} ({:.1} ms)",
            hex::encode(bytes),
            hex::encode(commitment.root()),
            seconds * 1e3
        ))?;
        S::SET.say_condition(output)?;
    }
    output.object(&serde_json::json!({
        "params": set, "profile": profile, "variables": variables, "commitment": hex::encode(bytes),
        "root": hex::encode(commitment.root()), "commitment_file": args.out, "coefficients": words,
        "holds": coefficients.name(), "encoded_bytes": encoded_bytes, "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}
