//! `phalanx ed25519 keygen`.

use crate::encrypted;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::{FileForm, both_halves_parser};
use crate::key_json::{self, FileEntry, KeyJson, is_file_name};
use crate::output::{JsonFlag, Output};
use crate::password::KeyPasswordArgs;
use crate::seed::{self, SeedArgs};
use phalanx::ed25519::SigningKey;
use phalanx_identify::ed25519::{KeyFormat, SecretKey};
use std::fs;
use std::path::{Path, PathBuf};

/// Generate a key
///
/// Writes secret-key.<format> (for its owner alone), public-key.<format> and key.json. In pkcs8, which pem is another
/// name of, and in der the secret key is PKCS#8 version 1 and the public one SPKI.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ed25519 keygen --out keys --format pem")]
pub(crate) struct Args {
    /// Folder for the files; created if need be
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Form of the key files, and the end of their names; spki is pem
    #[arg(short, long, value_name = "F", value_parser = both_halves_parser(), default_value = KeyFormat::Raw.name())]
    pub(crate) format: FileForm<KeyFormat>,
    #[command(flatten)]
    pub(crate) options: Options,
    /// Replace key files
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What only keys of Ed25519 have.
#[derive(clap::Args, Clone)]
pub(crate) struct Options {
    /// Comment in the key files, in forms that have one
    #[arg(long, value_name = "C", default_value = "")]
    comment: String,
    /// Write the secret key under a password, in openssh, pem or minisign
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    password: KeyPasswordArgs,
}

impl Options {
    /// Whether any is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.comment.is_empty() || self.is_encrypted()
    }

    /// A password that is given is one to be used.
    fn is_encrypted(&self) -> bool {
        self.encrypt || self.password.is_given()
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let (FileForm { format, ending }, Options { comment, password, .. }) = (args.format, &args.options);
    let public_path = args.out.join(format!("public-key.{ending}"));
    let secret_path = args.out.join(format!("secret-key.{ending}"));
    let json_path = args.out.join(key_json::NAME);
    for path in [&secret_path, &public_path, &json_path] {
        files::check_free(path, args.force)?;
    }
    let replaced = replaced(&args.out, &[&secret_path, &public_path])?;
    if !comment.is_empty() && !format.has_comment() {
        return Err(Failure::usage(format_args!("key files in {} have no comment", format.name())));
    }
    let is_encrypted = args.options.is_encrypted();
    if is_encrypted {
        encrypted::check_format(format)?;
    }
    let seed = args.seed.read(output)?.map_or_else(seed::from_system, Ok)?;
    let key = SecretKey::new(SigningKey::from_seed(&seed), comment);
    let secret_bytes = if is_encrypted {
        encrypted::seal(&key, format, &password.read_new(output)?)?
    } else {
        key.encode(format)?
    };
    let public_bytes = key.public().encode(format)?;
    let mut description = KeyJson::of_ed25519(key.key.verifying_key(), format);
    for (path, bytes) in [(&public_path, &public_bytes[..]), (&secret_path, &secret_bytes[..])] {
        description.files.insert(key_json::file_name(path), FileEntry::of(bytes));
    }
    files::create_folder(&args.out)?;
    files::write(&secret_path, &secret_bytes, Privacy::Secret, args.force)?;
    files::write(&public_path, &public_bytes, Privacy::Public, args.force)?;
    files::write(&json_path, description.to_text().as_bytes(), Privacy::Public, args.force)?;
    for path in &replaced {
        fs::remove_file(path)
            .map_err(|error| Failure::system(format_args!("cannot remove '{}': {error}", path.display())))?;
        output.note(format_args!("removed '{}', of the key that was here", path.display()));
    }
    output.line(format_args!(
        "key of ed25519 in '{}'\npublic key {}",
        args.out.display(),
        description.public_key
    ))?;
    output.object(&serde_json::json!({
        "scheme": description.scheme, "encoding": description.encoding, "public_key": description.public_key,
        "files": description.files, "folder": args.out, "encrypted": is_encrypted,
    }))?;
    Ok(Exit::Good)
}

/// The files of the key that is replaced in `folder`, but for those that are `written` over: where a pair in another form
/// stayed, the folder would hold two keys, and its key.json name one.
///
/// # Errors
/// Exit code 2 for the folder of an XMSS key, which is never removed on the way.
fn replaced(folder: &Path, written: &[&PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let json = folder.join(key_json::NAME);
    let Some(old) = files::read(&json).ok().and_then(|bytes| KeyJson::parse(&bytes)) else {
        return Ok(Vec::new());
    };
    if old.activation.is_some() {
        return Err(Failure::usage(format_args!("'{}' has a key of {}", folder.display(), old.scheme))
            .hint("give another folder"));
    }
    let is_half = |name: &&String| {
        is_file_name(name) && (name.starts_with("secret-key.") || name.starts_with("public-key."))
    };
    let paths = old.files.keys().filter(is_half).map(|name| folder.join(name));
    Ok(paths.filter(|path| !written.contains(&path) && path.symlink_metadata().is_ok()).collect())
}
