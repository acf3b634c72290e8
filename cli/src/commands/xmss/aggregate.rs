//! `phalanx xmss aggregate`.

use super::rows::{Rows, count, equivocations, note_equivocations};
use crate::args::{ContextArgs, ThreadsArgs, check_out};
use crate::commands::aggregate::profile_parser;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use crate::progress::Stages;
use phalanx::InvalidSignature;
use phalanx::aggregate::{
    DEFAULT_MEMORY_LIMIT, Error, MAX_SIGNATURES, Profile, Stage, aggregate_watched_on, memory_len,
};
use phalanx::xmss::blake2s::Signature;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Make one proof that many signatures over BLAKE2s verify
///
/// Lines as verify-many takes them, of xmss-blake2s-l32-d42b8, in any order; no key twice for one epoch and message. Every
/// signature is verified first, and a bad one is named by its line. The aggregate is bound to the epochs, messages and
/// keys, to the randomizers of the signatures, which are in it, and to the context. It is shorter than the signatures from
/// 199 on with 100 bits, from 307 with 128 ('phalanx aggregate params'), and takes about as long to check as they do. It
/// hides nothing, and two are not made one: keep the signatures. The same lines make the same bytes.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss aggregate signatures.jsonl --profile aggregate-v1-provable128 \\
    --out block.aggregate")]
pub(crate) struct Args {
    /// The file of signatures (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    /// How many bits are proved: there is no default, since 100 are fewer than the signatures have (127)
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Profile,
    /// File for the aggregate (`-`: standard output)
    #[arg(short, long, value_name = "F")]
    out: PathBuf,
    /// File for the statement, too: what was signed at which epoch by which keys, as bytes
    #[arg(long, value_name = "F")]
    statement_out: Option<PathBuf>,
    #[command(flatten)]
    context: ContextArgs,
    /// Memory that proving may take, in MiB
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MEMORY_LIMIT >> 20)]
    memory_limit_mib: u64,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Replace the files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let file = files::named_or_piped(args.file.as_deref(), "the file of signatures")?;
    args.context.check_standard_input(&[file])?;
    for out in [Some(&args.out), args.statement_out.as_ref()].into_iter().flatten() {
        check_out(out, args.force, output)?;
    }
    if args.statement_out.as_ref().is_some_and(|other| *other == args.out) {
        return Err(Failure::usage("--out and --statement-out are the same file"));
    }
    let context = args.context.read()?;
    let pool = args.threads.pool();
    let Rows { statement, lines, signatures } = Rows::signed(file, &pool)?;
    note_equivocations(&statement, output);
    let clock = Instant::now();
    let stages = Stages::new(output, Stage::ALL.len());
    let made = aggregate_watched_on(
        &pool,
        args.profile,
        &statement,
        &signatures,
        &context,
        args.memory_limit_mib.saturating_mul(1 << 20),
        &|stage| stages.begin(stage.name()),
    );
    let seconds_of = stages.finish();
    let made = made.map_err(|error| failure(error, file, &lines))?;
    let seconds = clock.elapsed().as_secs_f64();
    if let Some(out) = &args.statement_out {
        files::write(out, &statement.to_bytes(), Privacy::Public, args.force)?;
    }
    files::write(&args.out, &made, Privacy::Public, args.force)?;
    let plain = Signature::LEN_BYTES * signatures.len();
    if ![Some(&args.out), args.statement_out.as_ref()]
        .into_iter()
        .flatten()
        .any(|out| files::is_standard(out))
    {
        output.line(format_args!(
            "aggregate of {}: {} bytes, the signatures are {plain} ({}, {seconds:.2} s)",
            count(&statement),
            made.len(),
            args.profile.name()
        ))?;
    }
    output.object(&serde_json::json!({
        "profile": args.profile.name(), "bits": args.profile.bits(),
        "signatures": statement.signatures(), "groups": statement.groups().len(),
        "equivocations": equivocations(&statement), "aggregate_file": args.out,
        "statement_file": args.statement_out, "aggregate_bytes": made.len(), "signatures_bytes": plain,
        "memory_bytes": memory_len(args.profile, statement.signatures()), "stages": seconds_of,
        "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}

/// What went wrong, with lines of the file for numbers of the statement.
fn failure(error: Error, file: &Path, lines: &[u64]) -> Failure {
    match error {
        Error::InvalidSignature { index } => {
            Failure::new(Exit::DoesNotVerify, format_args!("line {}: {InvalidSignature}", lines[index])).hint(
                format_args!("'phalanx xmss verify-many {}' names every one that does not", file.display()),
            )
        }
        Error::Memory { wanted, limit } => Failure::system(format_args!(
            "proving takes {} MiB of memory, and {} are allowed",
            wanted.div_ceil(1 << 20),
            limit >> 20
        ))
        .hint("--memory-limit-mib allows more; 'phalanx aggregate params' says what other numbers take"),
        Error::TooLarge => Failure::system(error),
        Error::TooManySignatures => {
            Failure::usage(error).hint(format_args!("an aggregate has at most {MAX_SIGNATURES}"))
        }
        error => Failure::usage(error),
    }
}
