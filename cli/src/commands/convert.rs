//! `phalanx convert`: one value from one encoding into another.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::Encoding;
use crate::output::Output;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, SigningKey, VerifyingKey};
use phalanx_identify::xmss::{Candidate, Filter, Value, candidates, hint};
use phalanx_identify::{Kind, documents};

mod args;
mod ed25519;
#[cfg(all(unix, feature = "custody"))]
mod secret;

pub(crate) use args::Args;
use args::other_system;

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if files::is_standard(&args.out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with OUT -: both are standard output"));
    }
    let to = args.to()?;
    files::check_free(&args.out, args.force)?;
    let input = files::read(&args.input)?;
    let to = match to {
        Encoding::Xmss(format) => format,
        Encoding::Ed25519(format) => return ed25519::run(args, &input, format, output),
    };
    if args.new_password.is_given() {
        return Err(Failure::usage("keys of xmss are not encrypted in these files")
            .hint("'phalanx key import' makes an encrypted keystore of one"));
    }
    let Candidate { kind, set, format, value } = only_reading(args, to, &input)?;
    check_target(to, kind)?;
    let bytes = value.encode(to)?;
    let again = Value::decode(kind, set, to, &bytes).and_then(|value| value.encode(Format::Ssz));
    if again? != value.encode(Format::Ssz)? {
        return Err(Failure::system("the converted bytes do not read as the same value: nothing is written"));
    }
    match &value {
        Value::SecretKey(key) => {
            check_public_key(args, key)?;
            #[cfg(all(unix, feature = "custody"))]
            secret::write(args, key, &bytes, output)?;
            #[cfg(not(all(unix, feature = "custody")))]
            return Err(crate::commands::missing::failure());
        }
        _ if args.public_key.is_some() => {
            return Err(Failure::usage(format_args!(
                "--public-key is for secret keys, and IN is a {}",
                kind.name()
            )));
        }
        _ => files::write(&args.out, &bytes, Privacy::Public, args.force)?,
    }
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
    let whole = if args.at.is_some() { Err(None) } else { candidates(input, filter) };
    let whole = match whole {
        Err(nearest) => from_document(args, filter, input)?.ok_or(nearest),
        found => found,
    };
    let mut found = whole.map_err(|nearest| {
        let how =
            nearest.map_or_else(|| "as anything that it may be".to_owned(), |nearest| nearest.to_string());
        let failure = Failure::usage(format_args!("'{shown}' cannot be read {how}"));
        let narrowed = args.kind.is_some() || args.scheme.is_some() || args.from.is_some();
        match hint(input).filter(|_| narrowed) {
            Some(hint) => failure.hint(hint),
            None => failure.hint("'phalanx inspect' says what a file is"),
        }
    })?;
    // Any 32 bytes are a public key over BLAKE2s, a secret of another scheme too: nobody's guess makes a public file of it.
    if args.scheme.is_none()
        && found.iter().all(|candidate| matches!(candidate.set, ParameterSet::Blake2s(_)))
    {
        let text = format!("'{shown}' may be a {}, which has the same bytes in every encoding", found[0]);
        return Err(Failure::usage(text).hint("--scheme says that it is"));
    }
    // Of a public key the sets of equal shape give the same bytes: which of them it is makes no difference.
    let first = found.swap_remove(0);
    let differs = |other: &Candidate| {
        (other.kind, other.format) != (first.kind, first.format)
            || other.value.encode(to) != first.value.encode(to)
    };
    match found.iter().find(|other| differs(other)) {
        None => Ok(first),
        Some(other) => {
            Err(Failure::usage(format_args!("'{shown}' reads as a {first}, but also as a {other}"))
                .hint("--kind, --scheme and --from say what it is"))
        }
    }
}

/// The readings of the one public key or signature in a document, or of the one that `--at` names; `None` if IN is no
/// document of them.
fn from_document(args: &Args, filter: Filter, input: &[u8]) -> Result<Option<Vec<Candidate>>, Failure> {
    let shown = args.input.display();
    let Some(document) = documents::read(input) else {
        return match &args.at {
            Some(_) => {
                Err(Failure::usage(format_args!("'{shown}' is no document of keys: --at is for those")))
            }
            None => Ok(None),
        };
    };
    let paths: Vec<_> = document.found.iter().map(|found| found.path.as_str()).take(4).collect();
    let all = format!("it has them at {}", paths.join(", "));
    let mut wanted =
        document.found.iter().filter(|found| args.at.as_ref().is_none_or(|at| *at == found.path));
    match (wanted.next(), wanted.next()) {
        (Some(one), None) => {
            if one.readings.iter().any(|reading| reading.kind == Kind::SecretKey.name()) {
                return Err(Failure::usage(format_args!("'{shown}' holds a secret key within a document"))
                    .hint("only public keys and signatures are taken out of documents"));
            }
            let filter = Filter { format: filter.format.or(one.format), ..filter };
            Ok(candidates(&one.bytes, filter).ok())
        }
        (Some(_), Some(_)) => {
            let count = document.found.len();
            Err(Failure::usage(format_args!("'{shown}' holds {count} keys and signatures: --at says which"))
                .hint(all))
        }
        (None, _) => {
            let at = args.at.as_deref().unwrap_or_default();
            Err(Failure::usage(format_args!("'{shown}' has no key and no signature at '{at}'")).hint(all))
        }
    }
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
