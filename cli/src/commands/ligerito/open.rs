//! `phalanx ligerito open`.

use super::args::{ParamsArgs, Set, check_standard_input, profile_parser};
use super::commitment::{check_commitment, commit, read_commitment};
use super::own::Own;
use super::polynomial::Polynomial;
use super::together::{self, CoefficientsArgs, OpenRequest};
use super::{elements, reference};
use crate::args::{ContextArgs, ThreadsArgs, check_out};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use phalanx::Pool;
use phalanx::ligerito::{Preset, johnson128, provable128};
use phalanx_identify::proof_file::Coefficients;
use std::path::PathBuf;
use std::time::Instant;

/// Open a committed polynomial at points: their values, and one proof for all of them
///
/// A point is mu elements of GF(2^128) between commas, coordinate 0 first; an element is its 128 bits as 32 hexadecimal
/// digits, the highest bit first. With --params ligerito-v1-provable128 or ligerito-v2-johnson128 elements are of
/// GF(2^192), 48 digits. --point is given once for every point; --point @FILE reads one point from every line of FILE.
/// Prints the values in the same form, in the order of the points. No state is kept between commands: the polynomial is
/// committed to again, which is most of the work. With --bits or --bytes a point has more coordinates, which come first:
/// five that say which bit of a word, two that say which byte; the value is that of the bits' or bytes' own multilinear
/// extension. Then, and where there are several files, the file of the proof is one of 'verify' alone: a mark, for bits and
/// bytes 32 elements for every point, and the proof, an opening ligerito-v2. With --params ligerito-ref-v08 a claim is about
/// a coefficient: --index.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ligerito open polynomial.bin --commitment commitment.bin \\
    --point @points.txt --out proof.bin | sed -n 's/^value //p' > values.txt")]
pub(crate) struct Args {
    /// The polynomial, as 'commit' takes it (`-`: standard input); several are opened in one proof
    #[arg(value_name = "FILE", required = true)]
    polynomial: Vec<PathBuf>,
    /// A point, or @FILE with one on every line; may be given more than once. Where there are several files the number of one,
    /// from 0, stands before the point
    #[arg(long, value_name = "[N:]Z,Z,...|@FILE")]
    point: Vec<String>,
    /// File for the proof (`-`: standard output)
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    coefficients: CoefficientsArgs,
    #[command(flatten)]
    context: ContextArgs,
    /// The commitment, as a file or in hexadecimal digits: fails if it is of another polynomial. For several files, given once
    /// for each, in their order
    #[arg(long, value_name = "C")]
    commitment: Vec<String>,
    #[command(flatten)]
    params: ParamsArgs,
    /// Profile of the commitment [default: what --commitment says, else balanced]
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Option<Preset>,
    #[command(flatten)]
    sizes: reference::SizesArgs,
    #[command(flatten)]
    reference: reference::StatementArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Replace the file of the proof
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let files = args.polynomial.iter().map(Some).chain([args.context.context_file.as_ref()]);
    check_standard_input(files, &[&args.point])?;
    check_out(&args.out, args.force, output)?;
    let (set, [bits, bytes]) = (args.params.params, args.coefficients.given());
    set.check_options(
        &[
            ("--point", !args.point.is_empty()),
            ("--commitment", !args.commitment.is_empty()),
            ("a second FILE", args.polynomial.len() > 1),
            bits,
            bytes,
            ("--profile", args.profile.is_some()),
            ("--context-hex", args.context.context_hex.is_some()),
            ("--context-file", args.context.context_file.is_some()),
        ],
        &[
            ("--sizes", args.sizes.is_given()),
            args.reference.given_index(),
            args.reference.given_transcript(),
        ],
    )?;
    match set {
        Set::Own => open::<Preset>(args, output),
        Set::Own128 => open::<provable128::Preset>(args, output),
        Set::Johnson128 => open::<johnson128::Preset>(args, output),
        Set::RefV08 => open_ref_v08(args, output),
    }
}

/// Opens several files, or bits or bytes.
fn open_together<S: Own>(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let request = OpenRequest {
        files: &args.polynomial,
        points: &args.point,
        commitments: &args.commitment,
        coefficients: args.coefficients.coefficients(),
        context: &args.context,
        profile: args.profile,
        threads: &args.threads,
        out: &args.out,
        force: args.force,
    };
    together::open::<S>(&request, output)
}

/// Opens in a suite of ours.
fn open<S: Own>(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if args.polynomial.len() > 1 || args.coefficients.coefficients() != Coefficients::Words {
        return open_together::<S>(args, output);
    }
    let file = &args.polynomial[0];
    if args.point.is_empty() {
        return Err(S::SET.missing("--point"));
    }
    let points = elements::points::<S::Challenge>(&args.point)?;
    let context = args.context.read()?;
    let wanted = args.commitment.first().map(|one| read_commitment::<S>(one)).transpose()?;
    let named = args.profile.map(|profile| S::named("--profile", profile)).transpose()?;
    let profile = named.or(wanted.as_ref().map(|wanted| wanted.preset())).unwrap_or_default();
    let polynomial = Polynomial::read(file, Coefficients::Words)?;
    check_points(&points, &polynomial)?;
    let pool = args.threads.pool();
    let clock = Instant::now();
    let (commitment, data) = commit(&pool, profile, &polynomial, output)?;
    let commit_seconds = clock.elapsed().as_secs_f64();
    if let Some(wanted) = &wanted {
        check_commitment(file, wanted, &commitment)?;
    }
    let points: Vec<_> = points.iter().map(Vec::as_slice).collect();
    let clock = Instant::now();
    let opening = data.open_on(&pool as &dyn Pool, &points, &context)?;
    let open_seconds = clock.elapsed().as_secs_f64();
    polynomial.check_unchanged(file)?;
    files::write(&args.out, &opening.proof, Privacy::Public, args.force)?;
    let values: Vec<String> = opening.values.iter().copied().map(elements::digits).collect();
    if !files::is_standard(&args.out) {
        for value in &values {
            output.line(format_args!("value {value}"))?;
        }
        output.line(format_args!(
            "proof in '{}' ({} bytes; {:.1} ms to commit, {:.1} ms to open)",
            args.out.display(),
            opening.proof.len(),
            commit_seconds * 1e3,
            open_seconds * 1e3
        ))?;
        S::SET.say_condition(output)?;
    }
    output.object(&serde_json::json!({
        "params": S::SET.name(), "profile": profile.name(), "variables": commitment.variables(),
        "commitment": hex::encode(commitment.to_bytes()), "root": hex::encode(commitment.root()), "values": values,
        "proof_file": args.out, "proof_bytes": opening.proof.len(), "commit_seconds": commit_seconds,
        "open_seconds": open_seconds,
    }))?;
    Ok(Exit::Good)
}

/// Refuses points that are none of the polynomial, before the work begins.
fn check_points<E>(points: &[Vec<E>], polynomial: &[u32]) -> Result<(), Failure> {
    let wanted = polynomial.len().ilog2() as usize;
    match points.iter().map(Vec::len).find(|got| *got != wanted) {
        Some(got) => Err(Failure::usage(format_args!(
            "--point: got {got} coordinates, wanted {wanted}: the polynomial has 2^{wanted} coefficients"
        ))),
        None => Ok(()),
    }
}

/// The same for the published crate's format.
fn open_ref_v08(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let file = &args.polynomial[0];
    let polynomial = Polynomial::read(file, Coefficients::Words)?;
    let clock = Instant::now();
    let (claims, proof) = reference::open(&args.sizes, &args.reference, &args.threads.pool(), &polynomial)?;
    let seconds = clock.elapsed().as_secs_f64();
    polynomial.check_unchanged(file)?;
    files::write(&args.out, &proof, Privacy::Public, args.force)?;
    // The root stands at the beginning, after a tag.
    let root = proof.get(1..33).map(hex::encode);
    if !files::is_standard(&args.out) {
        for claim in &claims {
            output.line(format_args!("index {} value {:08x}", claim.index, claim.value))?;
        }
        output.line(format_args!(
            "root {}\nproof in '{}' ({} bytes; {:.1} ms)",
            root.as_deref().unwrap_or_default(),
            args.out.display(),
            proof.len(),
            seconds * 1e3
        ))?;
    }
    let claims: Vec<_> = claims
        .iter()
        .map(|claim| serde_json::json!({ "index": claim.index, "value": format!("{:08x}", claim.value) }))
        .collect();
    output.object(&serde_json::json!({
        "params": Set::RefV08.name(), "variables": polynomial.len().ilog2(), "root": root, "claims": claims,
        "transcript": args.reference.transcript().name(), "proof_file": args.out, "proof_bytes": proof.len(),
        "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}
