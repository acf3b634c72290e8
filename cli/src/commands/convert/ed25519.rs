//! Keys and signatures of Ed25519 from one form into another.

use super::args::{Args, other_system};
use crate::commands::ed25519::input::keep_what_key_json_says;
use crate::encrypted;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::Encoding;
use crate::output::Output;
use phalanx::ed25519::Error;
use phalanx_identify::ed25519::{KeyFormat, PublicKey, Reading, SecretKey, Signature, readings};
use zeroize::Zeroizing;

/// Runs it.
pub(super) fn run(args: &Args, input: &[u8], to: KeyFormat, output: &Output) -> Result<Exit, Failure> {
    let (reading, was_encrypted) = only_reading(args, to, input, output)?;
    if args.new_password.is_given() && !matches!(reading, Reading::Secret(_)) {
        return Err(Failure::usage(format_args!("a {} is not encrypted", reading.kind().name())));
    }
    let mut new_password = None;
    let (bytes, privacy) = match &reading {
        Reading::Secret(key) => {
            if files::is_standard(&args.out) {
                return Err(Failure::usage("a secret is not written to standard output").hint("name a file"));
            }
            check_public_key(args, key)?;
            if args.new_password.is_given() {
                encrypted::check_format(to)?;
            }
            new_password = args.new_password.read(output)?;
            let bytes = match &new_password {
                Some(password) => encrypted::seal(key, to, password)?,
                None => key.encode(to)?,
            };
            if was_encrypted && new_password.is_none() {
                output.note(format_args!("'{}' is not encrypted; --encrypt makes it", args.out.display()));
            }
            (bytes, Privacy::Secret)
        }
        _ if args.public_key.is_some() => {
            return Err(Failure::usage(format_args!(
                "--public-key is for secret keys, and IN is a {}",
                reading.kind().name()
            )));
        }
        Reading::Public(key) => {
            if to.is_secret_only() {
                return Err(Failure::usage(format_args!("a public key has no form {}", to.name())));
            }
            (Zeroizing::new(key.encode(to)?), Privacy::Public)
        }
        Reading::Signature(signature) => (Zeroizing::new(encode_signature(signature, to)?), Privacy::Public),
    };
    check_again(&reading, &bytes, new_password.as_deref().map(Vec::as_slice))?;
    tell_losses(&reading, to, output);
    files::write(&args.out, &bytes, privacy, args.force)?;
    let (kind, format) = (reading.kind().name(), reading.format_name());
    if !files::is_standard(&args.out) {
        output.line(format_args!(
            "{kind} of ed25519: {} bytes in {format} are {} bytes in {} in '{}'",
            input.len(),
            bytes.len(),
            to.name(),
            args.out.display()
        ))?;
    }
    output.object(&serde_json::json!({
        "kind": kind, "scheme": "ed25519", "from": format, "to": to.name(),
        "bytes_in": input.len(), "bytes_out": bytes.len(), "out": args.out,
    }))?;
    Ok(Exit::Good)
}

/// The one reading of IN, and whether it was encrypted.
fn only_reading(
    args: &Args,
    to: KeyFormat,
    input: &[u8],
    output: &Output,
) -> Result<(Reading, bool), Failure> {
    let shown = args.input.display();
    if args.scheme.is_some() {
        return Err(Failure::usage(format_args!("--scheme is for xmss, and {} is of ed25519", to.name())));
    }
    let from = match args.from {
        Some(Encoding::Xmss(format)) => return Err(other_system(format.name(), to.name())),
        Some(Encoding::Ed25519(format)) => Some(format.name()),
        None => None,
    };
    let (found, was_encrypted) = match readings(input, None) {
        Err(Some(Error::EncryptedKey)) => {
            let key = encrypted::open(input, &args.password.read(&args.input, output)?);
            (key.map(|key| vec![Reading::Secret(key)]).map_err(Some), true)
        }
        other => (other.map_err(|problem| problem.map(|error| error.to_string())), false),
    };
    let mut found = found.map_err(|problem| match problem {
        Some(problem) => {
            Failure::usage(format_args!("'{shown}' cannot be read as a file of ed25519: {problem}"))
        }
        None => Failure::usage(format_args!("'{shown}' cannot be read as a file of ed25519"))
            .hint("'phalanx inspect' says what a file is"),
    })?;
    if !files::is_standard(&args.input) {
        keep_what_key_json_says(&args.input, &mut found);
    }
    found.retain(|reading| {
        args.kind.is_none_or(|kind| kind == reading.kind())
            && from.is_none_or(|from| from == reading.format_name())
    });
    match &found[..] {
        [_] => Ok((found.swap_remove(0), was_encrypted)),
        [] => Err(Failure::usage(format_args!("'{shown}' is not what --kind and --from say"))
            .hint("'phalanx inspect' says what a file is")),
        [first, second, ..] => {
            Err(Failure::usage(format_args!("'{shown}' reads as a {first}, but also as a {second}"))
                .hint("--kind says what it is"))
        }
    }
}

/// Checks that `--public-key` is the key of `secret`.
fn check_public_key(args: &Args, secret: &SecretKey) -> Result<(), Failure> {
    let Some(file) = &args.public_key else { return Ok(()) };
    let shown = file.display();
    let public = PublicKey::read(&files::read(file)?)
        .map_err(|error| Failure::usage(format_args!("'{shown}' is not a public key: {error}")))?;
    if public.bytes != secret.key.verifying_key().to_bytes() {
        return Err(Failure::usage(format_args!(
            "the public key '{shown}' does not belong to the secret key"
        )));
    }
    Ok(())
}

/// R and S raw or in hexadecimal; other files of signatures hold more than these can.
fn encode_signature(signature: &Signature, to: KeyFormat) -> Result<Vec<u8>, Failure> {
    match (signature, to) {
        (Signature::Plain(signature, _), KeyFormat::Raw) => Ok(Signature::encode_plain(signature, false)),
        (Signature::Plain(signature, _), KeyFormat::Hex) => Ok(Signature::encode_plain(signature, true)),
        (Signature::Plain(..), _) => {
            Err(Failure::usage(format_args!("a signature has no form {}", to.name()))
                .hint("signatures are converted between raw and hex"))
        }
        _ => Err(Failure::usage(format_args!(
            "a signature in {} signs more than the message: it has no other form",
            signature.format().name()
        ))),
    }
}

/// Reads what is about to be written.
fn check_again(reading: &Reading, bytes: &[u8], password: Option<&[u8]>) -> Result<(), Failure> {
    let read = || match password {
        Some(password) => encrypted::open(bytes, password).ok(),
        None => SecretKey::read(bytes, None).ok(),
    };
    let same = match reading {
        Reading::Secret(key) => read()
            .is_some_and(|again| *Zeroizing::new(again.key.to_seed()) == *Zeroizing::new(key.key.to_seed())),
        Reading::Public(key) => PublicKey::read(bytes).is_ok_and(|again| again.bytes == key.bytes),
        Reading::Signature(Signature::Plain(signature, _)) => {
            matches!(Signature::read(bytes), Ok(Signature::Plain(again, _)) if again == *signature)
        }
        Reading::Signature(_) => false,
    };
    if same {
        return Ok(());
    }
    Err(Failure::system("the converted bytes do not read as the same value: nothing is written"))
}

/// Says what besides the key does not fit into the new form.
fn tell_losses(reading: &Reading, to: KeyFormat, output: &Output) {
    let (from, comment) = match reading {
        Reading::Secret(key) => (key.format, &key.comment),
        Reading::Public(key) => (key.format, &key.comment),
        Reading::Signature(_) => return,
    };
    if !comment.is_empty() && !to.has_comment() {
        output.note(format_args!("the comment '{comment}' has no place in {}", to.name()));
    }
    if from == KeyFormat::Minisign && to != from {
        output.note("the name that minisign has for the key is not kept");
    }
}
