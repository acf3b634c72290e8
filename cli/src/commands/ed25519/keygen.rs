//! `phalanx ed25519 keygen`.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::both_halves_parser;
use crate::key_json::{self, FileEntry, KeyJson};
use crate::output::{JsonFlag, Output};
use crate::seed::{self, SeedArgs};
use phalanx::ed25519::SigningKey;
use phalanx_identify::ed25519::{KeyFormat, SecretKey};
use std::path::PathBuf;

/// Generate a key
///
/// Writes secret-key.<format> (for its owner alone), public-key.<format> and key.json. In pkcs8 and der the secret key
/// is PKCS#8 version 1 and the public one SPKI.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ed25519 keygen --out keys --format pkcs8")]
pub(crate) struct Args {
    /// Folder for the files; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    seed: SeedArgs,
    /// Form of the key files
    #[arg(long, value_name = "F", value_parser = both_halves_parser(), default_value = KeyFormat::Raw.name())]
    format: KeyFormat,
    /// Comment in the key files, in forms that have one
    #[arg(long, value_name = "C", default_value = "")]
    comment: String,
    /// Replace key files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let name = args.format.name();
    let public_path = args.out.join(format!("public-key.{name}"));
    let secret_path = args.out.join(format!("secret-key.{name}"));
    let json_path = args.out.join(key_json::NAME);
    for path in [&secret_path, &public_path, &json_path] {
        files::check_free(path, args.force)?;
    }
    if !args.comment.is_empty() && !args.format.has_comment() {
        return Err(Failure::usage(format_args!("key files in {name} have no comment")));
    }
    let seed = args.seed.read(output)?.map_or_else(seed::from_system, Ok)?;
    let key = SecretKey::new(SigningKey::from_seed(&seed), &args.comment);
    let (secret_bytes, public_bytes) = (key.encode(args.format)?, key.public().encode(args.format)?);
    let mut description = KeyJson::of_ed25519(key.key.verifying_key(), args.format);
    for (path, bytes) in [(&public_path, &public_bytes[..]), (&secret_path, &secret_bytes[..])] {
        description.files.insert(key_json::file_name(path), FileEntry::of(bytes));
    }
    files::create_folder(&args.out)?;
    files::write(&secret_path, &secret_bytes, Privacy::Secret, args.force)?;
    files::write(&public_path, &public_bytes, Privacy::Public, args.force)?;
    files::write(&json_path, description.to_text().as_bytes(), Privacy::Public, args.force)?;
    output.line(format_args!(
        "key of ed25519 in '{}'\npublic key {}",
        args.out.display(),
        description.public_key
    ))?;
    output.object(&serde_json::json!({
        "scheme": description.scheme, "encoding": description.encoding, "public_key": description.public_key,
        "files": description.files, "folder": args.out,
    }))?;
    Ok(Exit::Good)
}
