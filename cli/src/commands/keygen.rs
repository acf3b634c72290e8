//! `phalanx keygen`: a key of Ed25519 or XMSS in a folder, self-describing.

use super::ed25519;
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::formats::{self, Encoding, FileForm};
#[cfg(all(unix, feature = "custody"))]
use crate::key_ledger::FileSystemArgs;
use crate::output::{JsonFlag, Output};
use crate::seed::SeedArgs;
use phalanx::xmss::any::ParameterSet;
use phalanx_identify::ed25519::KeyFormat;
use std::path::PathBuf;

/// Make a key in a folder, which the other commands then take for the key
///
/// Without options a key of Ed25519 in the files of OpenSSH. A key of XMSS needs its parameter set, which is that of the
/// network it is for, and the number of epochs that it shall sign, once each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx keygen
  phalanx keygen alice -f pem --encrypt
  phalanx keygen validator -t xmss --scheme xmss-poseidon2-l18-d64b8 \\
    --epochs 4096")]
pub(crate) struct Args {
    /// Folder for the files; created if need be
    #[arg(value_name = "DIR", default_value = "keys")]
    folder: PathBuf,
    /// What the key is for [default: ed25519, with --scheme xmss]
    #[arg(short = 't', long = "type", value_enum, value_name = "TYPE")]
    system: Option<System>,
    /// Form of the key files: for Ed25519 openssh, pem, minisign, jwk, der, hex or raw [default: openssh], for XMSS ssz,
    /// bincode, bincode2 or json [default: ssz]
    #[arg(short, long, value_name = "F", value_parser = formats::file_encoding_parser(), hide_possible_values = true)]
    format: Option<FileForm<Encoding>>,
    #[command(flatten)]
    options: ed25519::keygen::Options,
    /// Parameter set of an XMSS key
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: Option<ParameterSet>,
    /// Number of epochs that an XMSS key shall sign
    #[arg(long, value_name = "N")]
    epochs: Option<u64>,
    /// First epoch that an XMSS key shall sign [default: 0]
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Replace key files
    #[arg(long)]
    force: bool,
    /// Allow a parameter set that exists for tests only and has no security
    #[arg(long)]
    insecure: bool,
    #[cfg(all(unix, feature = "custody"))]
    #[command(flatten)]
    file_systems: FileSystemArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What has keys.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum System {
    /// Signs anything, any number of times
    Ed25519,
    /// Hash-based: signs one message of 32 bytes at every epoch
    Xmss,
}

/// Runs it.
pub(crate) fn run(args: Args, output: &Output) -> Result<Exit, Failure> {
    let by_options = args.scheme.map_or(System::Ed25519, |_| System::Xmss);
    match args.system.unwrap_or(by_options) {
        System::Ed25519 => of_ed25519(args, output),
        System::Xmss => of_xmss(args, output),
    }
}

fn of_ed25519(args: Args, output: &Output) -> Result<Exit, Failure> {
    if args.scheme.is_some() || args.epochs.is_some() || args.start.is_some() {
        return Err(
            Failure::usage("--scheme, --epochs and --start are for keys of XMSS").hint("-t xmss makes one")
        );
    }
    let openssh = KeyFormat::Openssh;
    let openssh = FileForm { format: Encoding::Ed25519(openssh), ending: openssh.name() };
    let FileForm { format, ending } = args.format.unwrap_or(openssh);
    let format = match format {
        Encoding::Ed25519(format) if !format.is_secret_only() => FileForm { format, ending },
        Encoding::Ed25519(format) => {
            return Err(Failure::usage(format_args!("a public key has no form {}", format.name())));
        }
        Encoding::Xmss(format) => {
            return Err(Failure::usage(format_args!("keys of ed25519 have no form {}", format.name()))
                .hint("openssh, pem, minisign, jwk, der, hex or raw"));
        }
    };
    let Args { folder: out, seed, options, force, json, .. } = args;
    ed25519::keygen::run(&ed25519::keygen::Args { out, seed, format, options, force, json }, output)
}

#[cfg(all(unix, feature = "custody"))]
fn of_xmss(args: Args, output: &Output) -> Result<Exit, Failure> {
    use super::xmss;
    use phalanx::xmss::Format;
    if args.options.is_given() {
        return Err(Failure::usage("--comment, --encrypt and passwords are for keys of ed25519")
            .hint("'phalanx key new' makes an encrypted keystore of XMSS"));
    }
    let format = match args.format.map_or(Encoding::Xmss(Format::Ssz), |form| form.format) {
        Encoding::Xmss(format) if format != Format::BincodePadded => format,
        Encoding::Xmss(format) => {
            return Err(Failure::usage(format_args!("keys have no form {}", format.name())));
        }
        Encoding::Ed25519(format) => {
            return Err(Failure::usage(format_args!("keys of xmss have no form {}", format.name()))
                .hint("ssz, bincode, bincode2 or json"));
        }
    };
    let (Some(scheme), Some(active)) = (args.scheme, args.epochs) else {
        return Err(Failure::usage("a key of xmss needs --scheme and --epochs").hint(
            "for example --scheme xmss-poseidon2-l18-d64b8 --epochs 4096; the network that it is for says which",
        ));
    };
    let Args { folder: out, seed, threads, force, insecure, file_systems, json, start, .. } = args;
    let scheme = xmss::input::SchemeArgs { scheme };
    let start = start.unwrap_or(0);
    let args = xmss::keygen::Args {
        scheme,
        start,
        active,
        out,
        seed,
        format,
        threads,
        force,
        insecure,
        file_systems,
        json,
    };
    xmss::keygen::run(&args, output)
}

#[cfg(not(all(unix, feature = "custody")))]
fn of_xmss(_: Args, _: &Output) -> Result<Exit, Failure> {
    Err(super::missing::failure())
}
