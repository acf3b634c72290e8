//! `--params ligerito-ref-v08`: roots and proofs of the published crate, whose claims are about coefficients.

use super::args::Set;
use super::polynomial::Polynomial;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::{digits, files};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::Threads;
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, ProofError, TranscriptKind};
use std::path::Path;
use std::time::Instant;

/// Which configurations are used.
#[derive(clap::Args, Debug)]
pub(super) struct SizesArgs {
    /// Configurations of ligerito-ref-v08: those that the crate publishes (12, 16, 20, 24, 26, 28, 30 variables), or
    /// those that its command line chooses (20 to 30) [default: published]
    #[arg(long, value_name = "WHICH", value_parser = ["published", "autosized"])]
    sizes: Option<String>,
}

impl SizesArgs {
    pub(super) fn is_given(&self) -> bool {
        self.sizes.is_some()
    }

    fn config(&self, variables: u8) -> Result<Config, Failure> {
        let autosized = self.sizes.as_deref() == Some("autosized");
        let config = if autosized { Config::autosized(variables) } else { Config::published(variables) };
        config.ok_or_else(|| {
            let failure = Failure::usage(format_args!(
                "{} has no configuration for 2^{variables} coefficients",
                ref_v08::SUITE
            ));
            match (autosized, Config::autosized(variables)) {
                (false, Some(_)) => failure.hint("the crate's command line has one: --sizes autosized"),
                _ => failure.hint("published: 12, 16, 20, 24, 26, 28 and 30; autosized: 20 to 30"),
            }
        })
    }
}

/// What is claimed of which transcript.
#[derive(clap::Args, Debug)]
pub(super) struct StatementArgs {
    /// Index of a claimed coefficient of ligerito-ref-v08; may be given more than once
    #[arg(long, value_name = "N")]
    index: Vec<u64>,
    /// Transcript of ligerito-ref-v08 [default: sha256]
    #[arg(long, value_name = "T", value_parser = transcript_parser())]
    transcript: Option<TranscriptKind>,
}

impl StatementArgs {
    pub(super) fn given_index(&self) -> (&'static str, bool) {
        ("--index", !self.index.is_empty())
    }

    pub(super) fn given_transcript(&self) -> (&'static str, bool) {
        ("--transcript", self.transcript.is_some())
    }

    pub(super) fn transcript(&self) -> TranscriptKind {
        self.transcript.unwrap_or(TranscriptKind::Sha256)
    }
}

fn transcript_parser() -> impl TypedValueParser<Value = TranscriptKind> {
    PossibleValuesParser::new(TranscriptKind::ALL.map(TranscriptKind::name))
        .try_map(|name| TranscriptKind::from_name(&name).ok_or("unknown transcript"))
}

fn config_of(sizes: &SizesArgs, polynomial: &[u32]) -> Result<Config, Failure> {
    sizes.config(u8::try_from(polynomial.len().ilog2()).map_err(Failure::system)?)
}

/// The root.
pub(super) fn commit(
    sizes: &SizesArgs,
    pool: &Threads,
    polynomial: &Polynomial,
) -> Result<[u8; 32], Failure> {
    Ok(ref_v08::commit_on(pool, &config_of(sizes, polynomial)?, polynomial)?)
}

/// The claims with their values, and the proof.
pub(super) fn open(
    sizes: &SizesArgs,
    statement: &StatementArgs,
    pool: &Threads,
    polynomial: &Polynomial,
) -> Result<(Vec<CoefficientClaim>, Vec<u8>), Failure> {
    let config = config_of(sizes, polynomial)?;
    let claim = |&index: &u64| {
        let value = usize::try_from(index).ok().and_then(|index| polynomial.get(index)).copied();
        value.map(|value| CoefficientClaim { index, value }).ok_or_else(|| {
            Failure::usage(format_args!("--index: got {index}, wanted at most {}", polynomial.len() - 1))
        })
    };
    let claims = statement.index.iter().map(claim).collect::<Result<Vec<_>, _>>()?;
    let proof = ref_v08::prove_on(pool, &config, statement.transcript(), polynomial, &claims)?;
    Ok((claims, proof))
}

/// What a verifier knows.
pub(super) struct Statement<'a> {
    /// A file, or digits.
    pub(super) root: &'a str,
    /// Of the polynomial.
    pub(super) variables: u8,
    /// Which configurations.
    pub(super) sizes: &'a SizesArgs,
    /// Indices and transcript.
    pub(super) claims: &'a StatementArgs,
}

/// Verifies that the coefficients have these values.
pub(super) fn verify(
    statement: &Statement<'_>,
    values: &[String],
    proof: &Path,
    output: &Output,
) -> Result<Exit, Failure> {
    let config = statement.sizes.config(statement.variables)?;
    let root = read_root(statement.root)?;
    let indices = &statement.claims.index;
    let values: Vec<&str> = values.iter().flat_map(|values| values.split(',')).map(str::trim).collect();
    if values.len() != indices.len() {
        return Err(Failure::usage(format_args!(
            "a value belongs to every index: got {} values for {} indices",
            values.len(),
            indices.len()
        )));
    }
    let claim = |(&index, digits): (&u64, &str)| {
        let value = digits::array(digits.as_bytes()).map(u32::from_be_bytes);
        value.map(|value| CoefficientClaim { index, value }).ok_or_else(|| {
            Failure::usage(format_args!("--value: '{digits}' is no coefficient: wanted 8 hexadecimal digits"))
        })
    };
    let claims = indices.iter().zip(values).map(claim).collect::<Result<Vec<_>, _>>()?;
    let bytes = files::read(proof)?;
    let kind = statement.claims.transcript();
    let clock = Instant::now();
    let result = ref_v08::verify(&config, kind, &root, &claims, &bytes);
    let seconds = clock.elapsed().as_secs_f64();
    let check = result.as_ref().err().map(name_of);
    let suite = Set::RefV08.name();
    output.object(&serde_json::json!({
        "valid": result.is_ok(), "params": suite, "variables": statement.variables, "transcript": kind.name(),
        "claims": claims.len(), "check": check, "reason": result.as_ref().err().map(ToString::to_string),
        "seconds": seconds,
    }))?;
    match result {
        Ok(()) => {
            let plural = if claims.len() == 1 { "coefficient" } else { "coefficients" };
            output.line(format_args!(
                "proof verifies for {} {plural} ({suite}, {} variables, {}, {:.2} ms)",
                claims.len(),
                statement.variables,
                kind.name(),
                seconds * 1e3
            ))?;
            Ok(Exit::Good)
        }
        Err(error @ ProofError::Encoding { .. }) => Err(Failure::usage(format_args!(
            "'{}' is not a proof of {suite} with {} variables and {} claims: {error}",
            proof.display(),
            statement.variables,
            claims.len()
        ))
        .hint("a proof without claims and one with claims have different encodings")),
        Err(error @ ProofError::ClaimIndex { .. }) => Err(Failure::usage(error)),
        Err(error) => Err(Failure::new(
            Exit::DoesNotVerify,
            format_args!("proof does not verify: {error} ({})", check.unwrap_or_default()),
        )),
    }
}

/// The name of the check that failed: that of the variant.
fn name_of(error: &ProofError) -> String {
    let shown = format!("{error:?}");
    shown.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// The root that an argument gives: 64 hexadecimal digits, or a file with 32 bytes or those digits.
fn read_root(argument: &str) -> Result<[u8; 32], Failure> {
    if let Some(root) = digits::array(argument.as_bytes()) {
        return Ok(root);
    }
    let bytes = files::read(Path::new(argument))?;
    let root = digits::array(&bytes).or_else(|| bytes.as_slice().try_into().ok());
    root.ok_or_else(|| {
        Failure::usage(format_args!("'{argument}' is not a root: got {} bytes, wanted 32", bytes.len()))
    })
}
