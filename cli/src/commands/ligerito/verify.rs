//! `phalanx ligerito verify`.

use super::args::{ParamsArgs, Set, check_standard_input, profile_parser};
use super::commitment::read_commitment;
use super::own::Own;
use super::together::{self, CoefficientsArgs, VerifyRequest};
use super::{elements, reference};
use crate::args::ContextArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx::ligerito::{
    AcceptedOf, CommitmentOf, EvaluationClaim, MAX_VARIABLES, Preset, ProofError, johnson128, provable128,
};
use phalanx_identify::proof_file::Coefficients;
use std::path::PathBuf;
use std::time::Instant;

/// Verify that a committed polynomial has values at points
///
/// Points and values are elements of GF(2^128) as 32 hexadecimal digits each, the highest bit first; there is a value
/// for every point, in the same order (with --params ligerito-v1-provable128 or ligerito-v2-johnson128: of GF(2^192),
/// 48 digits). A commitment often comes from who wants to convince: it is accepted only if it has one of the profiles
/// named, and as many variables as the points have coordinates. Exit code 1 says that the proof does not verify, and
/// which check failed. With --bits or --bytes, and for several commitments, points are as in 'open', and the proof is the
/// file that it wrote. With --params ligerito-ref-v08 a claim is an --index and a --value of 8 digits, and --root and
/// --variables say which polynomial it is about.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ligerito verify --commitment commitment.bin --point @points.txt \\
    --value @values.txt --proof proof.bin")]
pub(crate) struct Args {
    /// The commitment: a file, or its hexadecimal digits; of several polynomials, given once for each, in the order of 'open'
    #[arg(long, value_name = "C")]
    commitment: Vec<String>,
    /// A point, or @FILE with one on every line; may be given more than once. Where there are several commitments the number
    /// of one, from 0, stands before the point
    #[arg(long, value_name = "[N:]Z,Z,...|@FILE")]
    point: Vec<String>,
    /// The value at the point, or at several in their order, or @FILE; may be given more than once
    #[arg(long, value_name = "Y,...|@FILE")]
    value: Vec<String>,
    /// The proof (`-`: standard input)
    #[arg(long, value_name = "F")]
    proof: PathBuf,
    #[command(flatten)]
    coefficients: CoefficientsArgs,
    #[command(flatten)]
    context: ContextArgs,
    #[command(flatten)]
    params: ParamsArgs,
    /// Profile to accept; may be given more than once [default: balanced]
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    accept_profile: Vec<Preset>,
    /// Number of variables to accept, those of words [default: as many as the points ask for]
    #[arg(long, value_name = "N", conflicts_with = "max_variables")]
    variables: Option<u8>,
    /// Accept up to so many variables
    #[arg(long, value_name = "N")]
    max_variables: Option<u8>,
    /// The root to expect, of ligerito-ref-v08: a file of 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "R")]
    root: Option<String>,
    #[command(flatten)]
    sizes: reference::SizesArgs,
    #[command(flatten)]
    reference: reference::StatementArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    check_standard_input(
        [Some(&args.proof), args.context.context_file.as_ref()],
        &[&args.point, &args.value],
    )?;
    let (set, [bits, bytes]) = (args.params.params, args.coefficients.given());
    set.check_options(
        &[
            ("--commitment", !args.commitment.is_empty()),
            ("--point", !args.point.is_empty()),
            bits,
            bytes,
            ("--accept-profile", !args.accept_profile.is_empty()),
            ("--max-variables", args.max_variables.is_some()),
            ("--context-hex", args.context.context_hex.is_some()),
            ("--context-file", args.context.context_file.is_some()),
        ],
        &[
            ("--root", args.root.is_some()),
            ("--sizes", args.sizes.is_given()),
            args.reference.given_index(),
            args.reference.given_transcript(),
        ],
    )?;
    match set {
        Set::Own => verify::<Preset>(args, output),
        Set::Own128 => verify::<provable128::Preset>(args, output),
        Set::Johnson128 => verify::<johnson128::Preset>(args, output),
        Set::RefV08 => verify_ref_v08(args, output),
    }
}

/// Verifies in the published crate's format.
fn verify_ref_v08(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let set = Set::RefV08;
    let root = args.root.as_deref().ok_or_else(|| set.missing("--root"))?;
    let variables = args.variables.ok_or_else(|| set.missing("--variables"))?;
    let claims = reference::Statement { root, variables, sizes: &args.sizes, claims: &args.reference };
    reference::verify(&claims, &args.value, &args.proof, output)
}

/// Verifies about several polynomials, or about bits or bytes.
fn verify_together<S: Own>(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let request = VerifyRequest {
        commitments: &args.commitment,
        points: &args.point,
        values: &args.value,
        proof: &args.proof,
        coefficients: args.coefficients.coefficients(),
        context: &args.context,
        profiles: &profiles::<S>(args)?,
        variables: args.variables,
        max_variables: args.max_variables,
    };
    together::verify::<S>(&request, output)
}

/// Verifies in a suite of ours.
fn verify<S: Own>(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if args.commitment.len() > 1 || args.coefficients.coefficients() != Coefficients::Words {
        return verify_together::<S>(args, output);
    }
    let set = S::SET;
    let commitment = args.commitment.first().ok_or_else(|| set.missing("--commitment"))?;
    if args.point.is_empty() {
        return Err(set.missing("--point"));
    }
    let points = elements::points::<S::Challenge>(&args.point)?;
    let values = elements::values::<S::Challenge>(&args.value)?;
    elements::check_counts(points.len(), values.len())?;
    let commitment = read_commitment::<S>(commitment)?;
    let profiles = profiles::<S>(args)?;
    let context = args.context.read()?;
    let proof = files::read(&args.proof)?;
    let accepted = accepted(args, &profiles, &commitment, points[0].len());
    let claims: Vec<EvaluationClaim<'_, S::Challenge>> =
        points.iter().zip(values).map(|(point, value)| EvaluationClaim { point, value }).collect();
    let clock = Instant::now();
    let result = S::verify(&accepted, &commitment, &claims, &proof, &context);
    let seconds = clock.elapsed().as_secs_f64();
    let (profile, variables) = (commitment.preset().name(), commitment.variables());
    output.object(&serde_json::json!({
        "valid": result.is_ok(), "params": set.name(), "profile": profile, "variables": variables,
        "claims": claims.len(), "check": result.err().map(|error| error.name()),
        "reason": result.err().map(|error| error.to_string()), "seconds": seconds,
    }))?;
    if let Err(error) = result {
        let failure = Failure::new(
            Exit::DoesNotVerify,
            format_args!("proof does not verify: {error} ({})", error.name()),
        );
        return Err(match hint(error, args, &profiles, &commitment) {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    let plural = if claims.len() == 1 { "value" } else { "values" };
    output.line(format_args!(
        "proof verifies for {} {plural} ({}, profile {profile}, {variables} variables, {:.2} ms)",
        claims.len(),
        set.name(),
        seconds * 1e3
    ))?;
    set.say_condition(output)?;
    Ok(Exit::Good)
}

/// What the user accepts.
fn accepted<S: Own>(
    args: &Args,
    profiles: &[S],
    commitment: &CommitmentOf<S>,
    coordinates: usize,
) -> AcceptedOf<S> {
    if let Some(max) = args.max_variables {
        return S::accept_up_to(profiles, max);
    }
    // No shape has more variables than fit.
    let coordinates = u8::try_from(coordinates).unwrap_or(u8::MAX);
    let profile = profiles.iter().copied().find(|profile| *profile == commitment.preset());
    profile.unwrap_or(profiles[0]).accept_exactly(args.variables.unwrap_or(coordinates))
}

/// The profiles to accept, at least one.
fn profiles<S: Own>(args: &Args) -> Result<Vec<S>, Failure> {
    if args.accept_profile.is_empty() {
        return Ok(vec![S::default()]);
    }
    args.accept_profile.iter().map(|profile| S::named("--accept-profile", *profile)).collect()
}

/// What the user may do about a proof that was not looked at, or perhaps was for something else.
fn hint<S: Own>(
    error: ProofError,
    args: &Args,
    profiles: &[S],
    commitment: &CommitmentOf<S>,
) -> Option<String> {
    let (profile, variables) = (commitment.preset(), commitment.variables());
    match error {
        ProofError::UnacceptedParams if !profiles.contains(&profile) => {
            Some(format!("the commitment has profile {}; --accept-profile {0} accepts it", profile.name()))
        }
        ProofError::UnacceptedParams if variables > MAX_VARIABLES || !profile.has_shape(variables) => {
            Some(format!("the commitment has {variables} variables, which no shape has"))
        }
        ProofError::UnacceptedParams => Some(format!("the commitment has {variables} variables")),
        ProofError::PointLength { .. } => {
            Some(format!("the commitment has {variables} variables, a point as many coordinates"))
        }
        ProofError::MerkleRoot { level: 0 } | ProofError::FinalClaim if !args.context.is_given() => Some(
            "another proof, another point, another value, or a context that --context-hex has to name"
                .to_owned(),
        ),
        _ => None,
    }
}
