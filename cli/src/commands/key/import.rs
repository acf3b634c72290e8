//! `phalanx key import`: a key that has been elsewhere.

use super::ledger::Past;
use super::making::{EpochArgs, MakingArgs};
use super::password::SourcePasswordArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::folder::folder_of;
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx::ed25519::{Error, SigningKey};
use phalanx::xmss::{self, Format, ParameterSet, blake2s};
use phalanx_custody::keystore::{KeySecret, Role, Scheme};
use phalanx_identify::documents::{self, Entry};
use phalanx_identify::ed25519::SecretKey;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Put a key that has been elsewhere into a keystore: a seed, a secret key, a keystore of version 4, all of a manifest
///
/// What the key has signed is not in the file. Stop everything that signs with it, find out the last epoch that it can
/// have signed, and say from which epoch on it has signed nothing: everything below is closed, and by
/// the ledger of 'phalanx xmss sign' it signs nothing any more. Then destroy the file.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx key import --secret-key secret-key.ssz \\
    --scheme xmss-poseidon2-l32-d64b8 --i-accept-epoch 70000 \\
    --role attester --ledger ledger --out keys/validator-9.json")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Say that the key has signed nothing from this epoch on (of ed25519: this height)
    #[arg(long, value_name = "N")]
    i_accept_epoch: u64,
    #[command(flatten)]
    source_password: SourcePasswordArgs,
    #[command(flatten)]
    making: MakingArgs,
    #[command(flatten)]
    epochs: EpochArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Where the secret is.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct SourceArgs {
    /// File with the seed: 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "F")]
    seed_file: Option<PathBuf>,
    /// Manifest of validators (validator-keys-manifest.yaml, annotated_validators.yaml), with the files that it names beside
    /// it or in hash-sig-keys: --out is the folder for all keystores, and --role counts where it names no role
    #[arg(long, value_name = "F")]
    manifest: Option<PathBuf>,
    /// Secret key: of XMSS in SSZ, bincode or JSON, of Ed25519 raw, PKCS#8 or OpenSSH, also encrypted
    #[arg(long, value_name = "F")]
    secret_key: Option<PathBuf>,
    /// Keystore of version 4 (ERC-2335) with a secret of 32 bytes, which becomes the seed
    #[arg(long, value_name = "F")]
    eip2335: Option<PathBuf>,
}

/// What was found.
struct Found {
    secret: KeySecret,
    interval: Option<Range<u64>>,
    public_key: Option<Vec<u8>>,
}

/// A key of a manifest.
struct Listed {
    found: Found,
    path: PathBuf,
    role: Option<Role>,
    /// Its keystore.
    out: PathBuf,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let scheme = args.making.scheme()?;
    let past = Past::Accepted(args.i_accept_epoch);
    if let Some(manifest) = &args.source.manifest {
        return run_on_manifest(args, scheme, manifest, past, output);
    }
    let (found, path) = find(args, scheme)?;
    let source = found.public_key.as_deref().map(|public_key| (path, public_key));
    let exit = args.making.make(&found.secret, found.interval, past, source, output)?;
    output.note(format_args!("'{}' still holds the secret: destroy it", path.display()));
    Ok(exit)
}

/// The same for all keys of a manifest. All are read, and compared with what it says, before anything is written.
fn run_on_manifest(
    args: &Args,
    scheme: Scheme,
    manifest: &Path,
    past: Past,
    output: &Output,
) -> Result<Exit, Failure> {
    let listed = listed(args, scheme, manifest)?;
    let (mut password, mut reports) = (None, Vec::new());
    for Listed { found: Found { secret, interval, public_key }, path, role, out } in listed {
        let source = public_key.as_deref().map(|public_key| (&*path, public_key));
        let role = role.unwrap_or(args.making.role());
        let to = (&*out, role);
        reports.push(args.making.make_one(to, (&secret, interval), past, source, &mut password, output)?);
    }
    output.note("the files that the manifest names still hold the secrets: destroy them");
    output.object(&serde_json::json!({ "keystores": reports }))?;
    Ok(Exit::Good)
}

fn listed(args: &Args, scheme: Scheme, manifest: &Path) -> Result<Vec<Listed>, Failure> {
    let shown = manifest.display();
    let document = documents::read(&files::read(manifest)?);
    let Some(validators) = document.and_then(|document| document.validators) else {
        return Err(Failure::usage(format_args!("'{shown}' is no manifest of validators")));
    };
    if let Some(problem) = validators.problems.first() {
        return Err(Failure::usage(format_args!("'{shown}' contradicts itself: {problem}")));
    }
    let folder = folder_of(manifest);
    let (mut listed, mut known) = (Vec::new(), BTreeMap::new());
    for Entry { path: at, role, public_key, secret_file, .. } in validators.entries {
        let wrong = |what: &str| Failure::usage(format_args!("'{shown}', {at}: {what}"));
        let name = secret_file.ok_or_else(|| wrong("no file with a secret key"))?;
        // A name alone: a manifest from elsewhere says nothing about other folders.
        if Path::new(&name).file_name().is_none_or(|file| *file != *name) {
            return Err(wrong("the secret key is not named by a file beside it"));
        }
        let places = [folder.join(&name), folder.join("hash-sig-keys").join(&name)];
        let path = places.into_iter().find(|path| path.exists());
        let path = path.ok_or_else(|| wrong(&format!("there is no file '{name}'")))?;
        let found = of_file(args, scheme, &path)?;
        if public_key.is_some() && public_key != found.public_key {
            return Err(wrong(&format!("the secret key '{name}' is not that of the public key")));
        }
        let (key_id, _) = found.secret.identity(scheme)?;
        if let Some(other) = known.insert(key_id, at.clone()) {
            return Err(Failure::refused(format_args!(
                "'{shown}': {other} and {at} have the same one-time keys (same_one_time_keys)"
            ))
            .hint("each validator, and each of its roles, needs a key of its own"));
        }
        let role = role.and_then(|role| Role::from_name(role.name()));
        let out = args.making.out()?.join(Path::new(&name).with_extension("json"));
        listed.push(Listed { found, path, role, out });
    }
    Ok(listed)
}

fn find(args: &Args, scheme: Scheme) -> Result<(Found, &Path), Failure> {
    let of_seed = |secret| -> Result<Found, Failure> {
        Ok(Found { secret, interval: args.epochs.interval(scheme)?, public_key: None })
    };
    let SourceArgs { seed_file, secret_key, eip2335, .. } = &args.source;
    if let Some(path) = seed_file {
        let bytes = files::read_at_most(path, 1024)?;
        let seed = seed::from_bytes(&bytes, &format!("seed file '{}'", path.display()))?;
        return Ok((of_seed(KeySecret::from_seed(&seed))?, path));
    }
    if let Some(path) = eip2335 {
        let bytes = files::read_at_most(path, 1 << 17)?;
        let password = args.source_password.read()?;
        let secret = KeySecret::from_eip2335(&bytes, &password, args.source_password.policy())?;
        return Ok((of_seed(secret)?, path));
    }
    let path = secret_key.as_deref().ok_or_else(|| Failure::usage("no key to import is given"))?;
    Ok((of_file(args, scheme, path)?, path))
}

/// The secret key in a file.
fn of_file(args: &Args, scheme: Scheme, path: &Path) -> Result<Found, Failure> {
    let bytes = files::read(path)?;
    match scheme {
        Scheme::KoalaBear(set) => expanded(args, set, path, &bytes),
        Scheme::Ed25519 => ed25519(args, path, &bytes),
        Scheme::Blake2s => over_blake2s(args, path, &bytes),
    }
}

/// A key of Ed25519, encrypted or not.
fn ed25519(args: &Args, path: &Path, bytes: &[u8]) -> Result<Found, Failure> {
    let key = match SecretKey::read(bytes, None) {
        Ok(found) => found.key,
        Err(Error::EncryptedKey) => {
            let password = args.source_password.read_raw()?;
            let is_openssh = bytes.trim_ascii_start().starts_with(b"-----BEGIN OPENSSH");
            let read =
                if is_openssh { KeySecret::from_encrypted_openssh } else { KeySecret::from_encrypted_pkcs8 };
            let secret = read(bytes, &password)?;
            let seed: &[u8; 32] = secret.expose().try_into().expect("a seed of Ed25519 has 32 bytes");
            SigningKey::from_seed(seed)
        }
        Err(error) => {
            let text = format!("'{}' is not a secret key of Ed25519: {error}", path.display());
            return Err(Failure::usage(text));
        }
    };
    let public_key = Some(key.verifying_key().to_bytes().to_vec());
    let secret = KeySecret::from_seed(&key.to_seed());
    Ok(Found { secret, interval: args.epochs.interval(Scheme::Ed25519)?, public_key })
}

/// A key over BLAKE2s, in the form of this library: its seed is in it.
fn over_blake2s(args: &Args, path: &Path, bytes: &[u8]) -> Result<Found, Failure> {
    check_no_epochs(args)?;
    let key = blake2s::SigningKey::from_bytes(bytes)
        .map_err(|error| not_a_key(path, "XMSS over BLAKE2s", &error))?;
    let seed: &[u8; 32] = bytes.first_chunk().expect("a key begins with its seed");
    let public_key = Some(key.verifying_key().to_bytes().to_vec());
    Ok(Found { secret: KeySecret::from_seed(seed), interval: Some(key.activation_interval()), public_key })
}

fn check_no_epochs(args: &Args) -> Result<(), Failure> {
    if args.epochs.is_given() {
        return Err(Failure::usage("the secret key says which epochs it has: no --start, no --active"));
    }
    Ok(())
}

fn not_a_key(path: &Path, of: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format_args!("'{}' is not a secret key of {of}: {why}", path.display()))
        .hint("'phalanx inspect' says what a file is")
}

/// An expanded key, in the one encoding that it fits.
fn expanded(args: &Args, set: ParameterSet, path: &Path, bytes: &[u8]) -> Result<Found, Failure> {
    check_no_epochs(args)?;
    let mut last = None;
    for &format in Format::ALL {
        match xmss::SigningKey::from_bytes(set, format, bytes) {
            Ok(key) => {
                let public_key = Some(key.verifying_key().to_bytes(Format::Ssz));
                let interval = Some(key.activation_interval());
                return Ok(Found { secret: KeySecret::from_signing_key(&key), interval, public_key });
            }
            Err(error) => last = last.or(Some(error)),
        }
    }
    let why = last.map(|error| error.to_string()).unwrap_or_default();
    Err(not_a_key(path, set.name(), &why))
}
