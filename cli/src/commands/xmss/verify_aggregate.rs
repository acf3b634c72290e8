//! `phalanx xmss verify-aggregate`.

use super::rows::{Rows, count, equivocations, note_equivocations};
use crate::args::{ContextArgs, ThreadsArgs};
use crate::commands::aggregate::profile_parser;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx::aggregate::{Limits, MAX_SIGNATURES, Profile, ProofError, Statement, verify};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Verify an aggregate of signatures
///
/// What it is about comes from you, never from the aggregate: lines {"scheme", "public_key", "epoch", "message"} in any
/// order, where a signature is not looked at, or a --statement in bytes. It says that somebody knows a signature for each
/// of them. Exit code 1 says that the aggregate does not verify, and which check failed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss verify-aggregate signers.jsonl --aggregate block.aggregate \\
    --profile aggregate-v1-provable128")]
pub(crate) struct Args {
    /// The file of signers (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE.jsonl", conflicts_with = "statement")]
    file: Option<PathBuf>,
    /// The statement in bytes, as 'aggregate --statement-out' writes it (`-`: standard input)
    #[arg(long, value_name = "F")]
    statement: Option<PathBuf>,
    /// The aggregate (`-`: standard input)
    #[arg(long, value_name = "F")]
    aggregate: PathBuf,
    /// Profile to accept; may be given more than once
    #[arg(long, value_name = "P", required = true, value_parser = profile_parser())]
    profile: Vec<Profile>,
    /// Accept up to so many signatures
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT_SIGNATURES, value_parser = signatures)]
    max_signatures: usize,
    #[command(flatten)]
    context: ContextArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

fn signatures(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|_| "not a number".to_owned())?;
    if (1..=MAX_SIGNATURES).contains(&number) { Ok(number) } else { Err(format!("1 to {MAX_SIGNATURES}")) }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let (statement, lines) = statement(args)?;
    let context = args.context.read()?;
    let bytes = files::read(&args.aggregate)?;
    let limits = Limits::new(&args.profile).with_signatures(args.max_signatures);
    note_equivocations(&statement, output);
    let clock = Instant::now();
    let result = verify(&limits, &statement, &context, &bytes);
    let seconds = clock.elapsed().as_secs_f64();
    let profile =
        bytes.get(4).and_then(|code| Profile::from_code(*code)).filter(|_| bytes.starts_with(b"PXA1"));
    output.object(&serde_json::json!({
        "valid": result.is_ok(), "profile": profile.map(Profile::name), "signatures": statement.signatures(),
        "groups": statement.groups().len(), "equivocations": equivocations(&statement),
        "check": result.err().map(|error| error.name()), "reason": result.err().map(|error| error.to_string()),
        "seconds": seconds,
    }))?;
    if let Err(error) = result {
        let text = format!("aggregate does not verify: {error} ({})", error.name());
        let failure = Failure::new(Exit::DoesNotVerify, text);
        return Err(match hint(error, args, &lines, profile, &statement) {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    let profile = profile.map_or("", Profile::name);
    output.line(format_args!(
        "aggregate verifies: {} ({profile}, {:.2} ms)",
        count(&statement),
        seconds * 1e3
    ))?;
    Ok(Exit::Good)
}

/// What the aggregate has to be about, and the lines that its signatures stand on, if they do.
fn statement(args: &Args) -> Result<(Statement, Vec<u64>), Failure> {
    if let Some(file) = &args.statement {
        args.context.check_standard_input(&[file, &args.aggregate])?;
        let bytes = files::read(file)?;
        let statement = Statement::from_bytes(&bytes).map_err(|error| {
            Failure::usage(format_args!(
                "'{}' is not a statement: {error} ({})",
                file.display(),
                error.name()
            ))
        })?;
        return Ok((statement, Vec::new()));
    }
    let file = match &args.file {
        None if files::is_standard(&args.aggregate) => None,
        file => files::or_piped(file.as_deref()),
    };
    let file: &Path = file.ok_or_else(|| {
        Failure::usage("what the aggregate is about is missing")
            .hint("name a file of signers, '-' for standard input, or --statement")
    })?;
    args.context.check_standard_input(&[file, &args.aggregate])?;
    let Rows { statement, lines, .. } = Rows::unsigned(file, &args.threads.pool())?;
    Ok((statement, lines))
}

/// What the user may do.
fn hint(
    error: ProofError,
    args: &Args,
    lines: &[u64],
    profile: Option<Profile>,
    statement: &Statement,
) -> Option<String> {
    match error {
        ProofError::TooManySignatures => {
            Some(format!("there are {}; --max-signatures accepts more", statement.signatures()))
        }
        ProofError::UnacceptedProfile => {
            let profile = profile.map(Profile::name)?;
            Some(format!("the aggregate has profile {profile}; --profile {profile} accepts it"))
        }
        ProofError::Length => {
            Some("another file, or an aggregate of another number of signatures".to_owned())
        }
        ProofError::NoEncoding { index } => {
            let line = lines.get(index).map(|line| format!("signature {index} is on line {line}: "));
            Some(format!("{}another key, epoch or message", line.unwrap_or_default()))
        }
        ProofError::Zerocheck => {
            let context = if args.context.is_given() { "" } else { " that --context-hex has to name" };
            Some(format!("another statement, or a context{context}"))
        }
        _ => None,
    }
}
