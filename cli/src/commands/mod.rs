//! The commands: one file each, with its arguments.

#[cfg(feature = "aggregate")]
mod aggregate;
mod completions;
mod convert;
mod cpu;
mod ed25519;
mod hash;
mod inspect;
#[cfg(all(unix, feature = "custody"))]
mod key;
mod keygen;
#[cfg(all(unix, feature = "custody"))]
mod ledger;
pub(crate) mod ligerito;
mod man;
#[cfg(not(all(unix, feature = "custody")))]
pub(crate) mod missing;
mod public_key;
#[cfg(all(unix, feature = "remote"))]
mod remote;
mod rescue;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod sign;
mod tour;
mod verify;
mod verify_many;
mod version;
mod xmss;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::{bench, selftest};
use clap::{CommandFactory, Parser, Subcommand};

/// Cryptography on SIMD lanes chosen at run time: Ed25519, hash-based signatures (leanSig-compatible XMSS), Rescue,
/// Ligerito
#[derive(Parser)]
#[command(name = "phalanx", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// As --json after the command
    #[arg(id = "json before", long = "json", hide = true)]
    json: bool,
    /// Print no text but errors; the exit code says the rest
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl Cli {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        self.json || self.command.wants_json()
    }
}

const AFTER_HELP: &str = "\
Exit codes: 0 good; 1 does not verify; 2 usage or malformed input; 3 refused (epoch used, not active, passed, key \
exhausted); 4 storage or system error; 130 \
interrupted.
Environment: PHALANX_BACKEND=portable|avx2|avx2-gfni|avx512|avx512-ifma|neon|wasm128 forces a backend; PHALANX_THREADS \
bounds the threads; \
PHALANX_ALLOW_FILE_SYSTEM=overlay,... stands for --allow-file-system.

Examples:
  phalanx keygen                     a key of Ed25519 in the folder keys
  phalanx sign -k keys letter        writes letter.sig
  phalanx verify -k keys letter      finds it
  phalanx help sign                  all that a command can do
  phalanx tour                       what else there is, with timings";

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(Box<keygen::Args>),
    Sign(Box<sign::Args>),
    Verify(Box<verify::Args>),
    VerifyMany(verify_many::Args),
    #[command(name = "pub")]
    PublicKey(public_key::Args),
    Hash(hash::Args),
    Inspect(inspect::Args),
    Convert(convert::Args),
    Tour(tour::Args),
    /// Generalized XMSS signatures
    #[command(subcommand, after_help = "Example: phalanx xmss verify --help")]
    Xmss(xmss::Command),
    /// Ed25519 signatures
    #[command(subcommand, after_help = "Example: phalanx ed25519 verify --help")]
    Ed25519(ed25519::Command),
    /// Rescue hashes over the Goldilocks field
    #[command(subcommand, after_help = "Example: phalanx rescue hash --elements 1,2,3")]
    Rescue(rescue::Command),
    /// Polynomial commitments: commit, open at points, verify
    #[command(subcommand, after_help = "Example: phalanx ligerito commit --help")]
    Ligerito(ligerito::Command),
    /// One proof for many signatures: what it costs and how sound it is; 'phalanx xmss aggregate' makes one
    #[cfg(feature = "aggregate")]
    #[command(subcommand, after_help = "Example: phalanx aggregate params --signatures 461")]
    Aggregate(aggregate::Command),
    /// Keystores: encrypted key files
    #[cfg(all(unix, feature = "custody"))]
    #[command(subcommand, after_help = "Example: phalanx key inspect keys/validator-7.json")]
    Key(key::Command),
    /// Ledgers of used epochs: checks, moves, and what an operator answers for
    #[cfg(all(unix, feature = "custody"))]
    #[command(subcommand, after_help = "Example: phalanx ledger status --help")]
    Ledger(ledger::Command),
    #[cfg(not(all(unix, feature = "custody")))]
    Key(missing::Args),
    #[cfg(not(all(unix, feature = "custody")))]
    Ledger(missing::Args),
    #[cfg(all(unix, feature = "serve"))]
    Serve(serve::Args),
    /// Signatures from a signer over the network
    #[cfg(all(unix, feature = "remote"))]
    #[command(subcommand, after_help = "Example: phalanx remote status --help")]
    Remote(remote::Command),
    Selftest(selftest::Args),
    Bench(bench::Args),
    Cpu(cpu::Args),
    Completions(completions::Args),
    Man(man::Args),
    Version(version::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    fn wants_json(&self) -> bool {
        match self {
            Self::Keygen(args) => args.json.json,
            Self::Sign(args) => args.json.json,
            Self::Verify(args) => args.json.json,
            Self::PublicKey(args) => args.json.json,
            Self::Hash(args) => args.json.json,
            Self::Version(args) => args.json.json,
            Self::Tour(args) => args.json.json,
            Self::Xmss(command) => command.wants_json(),
            Self::Ed25519(command) => command.wants_json(),
            Self::Rescue(command) => command.wants_json(),
            Self::Ligerito(command) => command.wants_json(),
            #[cfg(feature = "aggregate")]
            Self::Aggregate(command) => command.wants_json(),
            #[cfg(all(unix, feature = "custody"))]
            Self::Key(command) => command.wants_json(),
            #[cfg(all(unix, feature = "custody"))]
            Self::Ledger(command) => command.wants_json(),
            #[cfg(not(all(unix, feature = "custody")))]
            Self::Key(args) | Self::Ledger(args) => args.json.json,
            #[cfg(all(unix, feature = "serve"))]
            Self::Serve(args) => args.json.json,
            #[cfg(all(unix, feature = "remote"))]
            Self::Remote(command) => command.wants_json(),
            Self::Inspect(args) => args.json.json,
            Self::Convert(args) => args.json.json,
            Self::Selftest(args) => args.json.json,
            // There `--json` names a file.
            Self::Bench(_) => false,
            // Its program's own.
            Self::VerifyMany(_) => false,
            Self::Cpu(args) => args.json.json,
            Self::Completions(args) => args.json.json,
            Self::Man(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Keygen(args) => keygen::run(*args, output),
            Self::Sign(args) => sign::run(*args, output),
            Self::Verify(args) => verify::run(*args, output),
            Self::VerifyMany(args) => verify_many::run(&args),
            Self::PublicKey(args) => public_key::run(&args, output),
            Self::Hash(args) => hash::run(args, output),
            Self::Version(args) => version::run(&args, output),
            Self::Tour(args) => tour::run(&args, output),
            Self::Xmss(command) => command.run(output),
            Self::Ed25519(command) => command.run(output),
            Self::Rescue(command) => command.run(output),
            Self::Ligerito(command) => command.run(output),
            #[cfg(feature = "aggregate")]
            Self::Aggregate(command) => command.run(output),
            #[cfg(all(unix, feature = "custody"))]
            Self::Key(command) => command.run(output),
            #[cfg(all(unix, feature = "custody"))]
            Self::Ledger(command) => command.run(output),
            #[cfg(not(all(unix, feature = "custody")))]
            Self::Key(args) | Self::Ledger(args) => missing::run(&args, output),
            #[cfg(all(unix, feature = "serve"))]
            Self::Serve(args) => serve::run(&args, output),
            #[cfg(all(unix, feature = "remote"))]
            Self::Remote(command) => command.run(output),
            Self::Inspect(args) => inspect::run(&args, output),
            Self::Convert(args) => convert::run(&args, output),
            Self::Selftest(args) => selftest::run(&args, output),
            Self::Bench(args) => bench::run(&args, output),
            Self::Cpu(args) => cpu::run(&args, output),
            Self::Completions(args) => completions::run(&args, Cli::command(), output),
            Self::Man(args) => man::run(&args, Cli::command(), output),
        }
    }
}
