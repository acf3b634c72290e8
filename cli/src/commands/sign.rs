//! `phalanx sign`: a file, by whatever key.

use super::ed25519;
use super::ed25519::message::MessageArgs;
#[cfg(all(unix, feature = "custody"))]
use super::xmss::epoch::Epoch;
use super::xmss::scheme::SchemeArgs;
use crate::args::HashArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::key_files;
use crate::key_json::KeyJson;
#[cfg(all(unix, feature = "custody"))]
use crate::key_ledger::FileSystemArgs;
use crate::output::{JsonFlag, Output};
use crate::password::KeyPasswordArgs;
use crate::values::Given;
use clap::ValueEnum;
use phalanx_identify::Kind;
use phalanx_identify::ed25519::SignatureFormat;
use phalanx_identify::xmss::{Filter, candidates};
use std::path::PathBuf;

/// Sign a file
///
/// The key says how: a key of OpenSSH as ssh-keygen -Y does, one of minisign as minisign does, another key of Ed25519 as
/// OpenSSL does (64 bytes). A key of XMSS signs a message of 32 bytes, or with --hash sha256 of any length, at an epoch,
/// which its ledger keeps it from using twice.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx sign -k keys letter
  phalanx sign -k ~/.ssh/id_ed25519 letter -o letter.signature
  phalanx sign -k validator block --epoch next --hash sha256")]
pub(crate) struct Args {
    /// The secret key, or the folder of keygen that it is in
    #[arg(short, long, value_name = "KEY")]
    key: PathBuf,
    /// What to sign (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// File for the signature (`-`: standard output) [default: FILE.sig, by a key of minisign FILE.minisig]
    #[arg(short, long, value_name = "F")]
    out: Option<PathBuf>,
    /// Form of the signature: of Ed25519 raw, hex, minisign or sshsig [default: what the key says], of XMSS ssz, bincode,
    /// bincode2, bincode-padded or json [default: that of the key]
    #[arg(short, long, value_name = "F")]
    format: Option<String>,
    #[command(flatten)]
    password: KeyPasswordArgs,
    /// Replace the file of the signature
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
    #[command(flatten, next_help_heading = "Ed25519")]
    options: ed25519::sign::Options,
    #[command(flatten, next_help_heading = "XMSS")]
    xmss: XmssOptions,
}

/// What only signatures of XMSS have.
#[derive(clap::Args)]
struct XmssOptions {
    /// The epoch, or 'next': the first after all that the key has signed, as its ledger knows them
    #[cfg(all(unix, feature = "custody"))]
    #[arg(long, value_name = "N")]
    epoch: Option<Epoch>,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    scheme: SchemeArgs,
    #[cfg(all(unix, feature = "custody"))]
    #[command(flatten)]
    file_systems: FileSystemArgs,
}

impl XmssOptions {
    fn is_given(&self) -> bool {
        #[cfg(all(unix, feature = "custody"))]
        let has_epoch = self.epoch.is_some();
        #[cfg(not(all(unix, feature = "custody")))]
        let has_epoch = false;
        has_epoch || self.hash.hash.is_some() || self.scheme.scheme.is_some()
    }
}

/// Runs it.
pub(crate) fn run(args: Args, output: &Output) -> Result<Exit, Failure> {
    let file = files::named_or_piped(args.file.as_deref(), "the file to sign")?;
    files::check_one_standard(&[Some(&args.key), Some(file), args.password.file()])?;
    let described = KeyJson::beside(&key_files::secret(&args.key)?);
    // A key of XMSS is a file, with its ledger beside it.
    if described.as_ref().is_some_and(|key| key.activation.is_some()) {
        return by_xmss(args, output);
    }
    let key = Given::secret_key(&args.key)?;
    if described.is_none() && !files::is_standard(&key.file) {
        if is_keystore(&key.bytes) {
            return Err(Failure::usage(format_args!("'{}' is a keystore", key.file.display()))
                .hint("'phalanx serve' signs with keystores, through a ledger that knows them"));
        }
        let filter = Filter { kind: Some(Kind::SecretKey), ..Filter::default() };
        if candidates(&key.bytes, filter).is_ok() {
            return by_xmss(args, output);
        }
    }
    by_ed25519(args, key, output)
}

#[cfg(all(unix, feature = "custody"))]
fn is_keystore(bytes: &[u8]) -> bool {
    phalanx_custody::keystore::Keystore::parse(bytes).is_ok()
}

#[cfg(not(all(unix, feature = "custody")))]
fn is_keystore(_: &[u8]) -> bool {
    false
}

fn by_ed25519(args: Args, given: Given, output: &Output) -> Result<Exit, Failure> {
    if args.xmss.is_given() {
        return Err(Failure::usage(
            "the key is of ed25519: --epoch, --hash and --scheme are for keys of XMSS",
        )
        .hint("a key of ed25519 signs a file of any length as it is"));
    }
    let format = args.format.as_deref().map(|name| SignatureFormat::from_str(name, false)).transpose();
    let format = format.map_err(|_| no_format(&args, "raw, hex, minisign or sshsig"))?;
    let message = MessageArgs::of_file(args.file);
    let Args { key: secret_key, out, password, options, force, json, .. } = args;
    let by_habit = true;
    let args =
        ed25519::sign::Args { secret_key, password, message, out, format, by_habit, options, force, json };
    ed25519::sign::run_on(&args, Some(given), output)
}

fn no_format(args: &Args, forms: &str) -> Failure {
    let name = args.format.as_deref().unwrap_or_default();
    Failure::usage(format_args!("a signature of this key has no form '{name}'"))
        .hint(format_args!("it has {forms}"))
}

#[cfg(all(unix, feature = "custody"))]
fn by_xmss(args: Args, output: &Output) -> Result<Exit, Failure> {
    use super::xmss;
    use crate::args::MessageArgs;
    use crate::formats::FormatArgs;
    use phalanx::xmss::Format;
    if args.options.is_given() || args.password.is_given() {
        return Err(Failure::usage("the key is of XMSS: only --epoch, --hash and --scheme say more"));
    }
    let forms = "ssz, bincode, bincode2, bincode-padded or json";
    let format = match args.format.as_deref() {
        None => None,
        Some(name) => Some(Format::from_name(name).ok_or_else(|| no_format(&args, forms))?),
    };
    let Some(epoch) = args.xmss.epoch else {
        return Err(Failure::usage("a key of XMSS signs at an epoch: --epoch is missing")
            .hint("--epoch N, or --epoch next for the first that the key has not used"));
    };
    let Args { key: secret_key, file, out, xmss: options, force, json, .. } = args;
    let XmssOptions { hash, scheme, file_systems, .. } = options;
    let message = MessageArgs::of_file(file);
    let format = FormatArgs::of_signature_only(format);
    let args =
        xmss::sign::Args { secret_key, scheme, epoch, message, hash, out, format, force, file_systems, json };
    xmss::sign::run(&args, output)
}

#[cfg(not(all(unix, feature = "custody")))]
fn by_xmss(_: Args, _: &Output) -> Result<Exit, Failure> {
    Err(super::missing::failure())
}
