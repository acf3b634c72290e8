//! `phalanx convert`: one value from one encoding into another.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::{self, Encoding};
use crate::output::{JsonFlag, Output};
use crate::record::{self, Record};
use phalanx::xmss::{Format, ParameterSet, SigningKey, VerifyingKey};
use phalanx_identify::Kind;
use phalanx_identify::xmss::{Candidate, Filter, Value, candidates, hint};
use std::fs;
use std::path::{Path, PathBuf};

mod ed25519;

/// Convert a key or a signature into another encoding, losslessly
///
/// What IN is is found by trying, strictly; --kind, --scheme and --from say it. The encoding of OUT says whether it is of
/// XMSS (ssz, bincode, bincode2, json, bincode-padded) or of Ed25519 (the others). A secret key of XMSS takes its record
/// of used epochs along: from then on sign with one of the two files only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx convert signature.ssz signature.json --to json
  phalanx convert ~/.ssh/id_ed25519 key.pem --to pkcs8")]
pub(crate) struct Args {
    /// The file to convert (`-`: standard input)
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write (`-`: standard output)
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Encoding to write
    #[arg(long, value_name = "F", value_parser = formats::encoding_parser())]
    to: Encoding,
    /// Encoding of IN
    #[arg(long, value_name = "F", value_parser = formats::encoding_parser())]
    from: Option<Encoding>,
    /// Parameter set of IN
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: Option<ParameterSet>,
    /// What IN is
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Check that this public key belongs to the secret key IN
    #[arg(long, value_name = "F")]
    public_key: Option<PathBuf>,
    /// Encoding of that public key, if it is of XMSS
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser(), default_value = "ssz")]
    public_key_format: Format,
    /// File with the password of an encrypted minisign key
    #[arg(long, value_name = "F")]
    password_file: Option<PathBuf>,
    /// Replace OUT
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if files::is_standard(&args.out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with OUT -: both are standard output"));
    }
    files::check_free(&args.out, args.force)?;
    let input = files::read(&args.input)?;
    let to = match args.to {
        Encoding::Xmss(format) => format,
        Encoding::Ed25519(format) => return ed25519::run(args, &input, format, output),
    };
    let Candidate { kind, set, format, value } = only_reading(args, to, &input)?;
    check_target(to, kind)?;
    let bytes = value.encode(to);
    let again = Value::decode(kind, set, to, &bytes).map(|value| value.encode(Format::Ssz));
    if again.ok() != Some(value.encode(Format::Ssz)) {
        return Err(Failure::system("the converted bytes do not read as the same value: nothing is written"));
    }
    let privacy = match &value {
        Value::SecretKey(key) => {
            check_public_key(args, key)?;
            take_record_along(args, key, output)?;
            Privacy::Secret
        }
        _ if args.public_key.is_some() => {
            return Err(Failure::usage(format_args!(
                "--public-key is for secret keys, and IN is a {}",
                kind.name()
            )));
        }
        _ => Privacy::Public,
    };
    files::write(&args.out, &bytes, privacy, args.force)?;
    if !files::is_standard(&args.out) {
        output.line(format_args!(
            "{} of {set}: {} bytes in {} are {} bytes in {} in '{}'",
            kind.name(),
            input.len(),
            format.name(),
            bytes.len(),
            to.name(),
            args.out.display()
        ))?;
    }
    output.object(&serde_json::json!({
        "kind": kind.name(), "scheme": set.name(), "from": format.name(), "to": to.name(),
        "bytes_in": input.len(), "bytes_out": bytes.len(), "out": args.out,
    }))?;
    Ok(Exit::Good)
}

/// The one reading of IN.
fn only_reading(args: &Args, to: Format, input: &[u8]) -> Result<Candidate, Failure> {
    let format = match args.from {
        Some(Encoding::Xmss(format)) => Some(format),
        Some(Encoding::Ed25519(format)) => return Err(other_system(format.name(), to.name())),
        None => None,
    };
    let filter = Filter { kind: args.kind, set: args.scheme, format };
    let shown = args.input.display();
    let mut found = candidates(input, filter).map_err(|nearest| {
        let how =
            nearest.map_or_else(|| "as anything that it may be".to_owned(), |nearest| nearest.to_string());
        let failure = Failure::usage(format_args!("'{shown}' cannot be read {how}"));
        let narrowed = args.kind.is_some() || args.scheme.is_some() || args.from.is_some();
        match hint(input).filter(|_| narrowed) {
            Some(hint) => failure.hint(hint),
            None => failure.hint("'phalanx inspect' says what a file is"),
        }
    })?;
    // Of a public key the sets of equal shape give the same bytes: which of them it is makes no difference.
    let first = found.swap_remove(0);
    let differs = |other: &Candidate| {
        (other.kind, other.format) != (first.kind, first.format)
            || *other.value.encode(to) != *first.value.encode(to)
    };
    match found.iter().find(|other| differs(other)) {
        None => Ok(first),
        Some(other) => {
            Err(Failure::usage(format_args!("'{shown}' reads as a {first}, but also as a {other}"))
                .hint("--kind, --scheme and --from say what it is"))
        }
    }
}

/// XMSS and Ed25519 have no encoding in common.
fn other_system(from: &str, to: &str) -> Failure {
    Failure::usage(format_args!("nothing in {from} can be in {to}: one is of ed25519, the other of xmss"))
}

/// The padded form is one of signatures only.
fn check_target(to: Format, kind: Kind) -> Result<(), Failure> {
    if to == Format::BincodePadded && kind != Kind::Signature {
        return Err(
            Failure::usage(format_args!("a {} has no padded form", kind.name())).hint("use --to bincode")
        );
    }
    Ok(())
}

/// Checks that `--public-key` is the key of `secret`.
fn check_public_key(args: &Args, secret: &SigningKey) -> Result<(), Failure> {
    let Some(file) = &args.public_key else { return Ok(()) };
    let bytes = files::read(file)?;
    let shown = file.display();
    let public = VerifyingKey::from_bytes(secret.parameter_set(), args.public_key_format, &bytes)
        .map_err(|error| Failure::usage(format_args!("'{shown}' is not a public key: {error}")))?;
    if public != secret.verifying_key() {
        return Err(Failure::usage(format_args!(
            "the public key '{shown}' does not belong to the secret key"
        )));
    }
    Ok(())
}

/// Gives the new file of a secret key the used epochs of the old one, before it is written.
fn take_record_along(args: &Args, key: &SigningKey, output: &Output) -> Result<(), Failure> {
    if files::is_standard(&args.out) {
        return Err(Failure::usage("a secret is not written to standard output").hint("name a file"));
    }
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (real(&args.input), real(&args.out));
    if from == to {
        return Ok(());
    }
    let mut new = Record::open(&to, &key.verifying_key())?;
    if !files::is_standard(&args.input) && fs::symlink_metadata(record::path_beside(&from)).is_ok() {
        let mut old = Record::open(&from, &key.verifying_key())?;
        new.take_over(&mut old)?;
    }
    output.note("two files now hold this secret key: sign with one of them only, or an epoch may sign twice");
    Ok(())
}
