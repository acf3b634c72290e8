//! `phalanx xmss`.

#[cfg(feature = "aggregate")]
mod aggregate;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod epoch;
pub(super) mod input;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod keygen;
mod lines;
mod manifest;
#[cfg(feature = "aggregate")]
mod rows;
pub(super) mod scheme;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod secret_key;
#[cfg(all(unix, feature = "custody"))]
pub(super) mod sign;
pub(super) mod verify;
#[cfg(feature = "aggregate")]
mod verify_aggregate;
mod verify_many;

#[cfg(not(all(unix, feature = "custody")))]
use super::missing::{self as keygen, self as sign};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;

/// What to do with XMSS keys and signatures.
#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(keygen::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    VerifyMany(verify_many::Args),
    #[cfg(feature = "aggregate")]
    Aggregate(aggregate::Args),
    #[cfg(feature = "aggregate")]
    VerifyAggregate(verify_aggregate::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Keygen(args) => args.json.json,
            Self::Sign(args) => args.json.json,
            Self::Verify(args) => args.json.json,
            Self::VerifyMany(args) => args.json.json,
            #[cfg(feature = "aggregate")]
            Self::Aggregate(args) => args.json.json,
            #[cfg(feature = "aggregate")]
            Self::VerifyAggregate(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Keygen(args) => keygen::run(args, output),
            Self::Sign(args) => sign::run(args, output),
            Self::Verify(args) => verify::run(args, output),
            Self::VerifyMany(args) => verify_many::run(args, output),
            #[cfg(feature = "aggregate")]
            Self::Aggregate(args) => aggregate::run(args, output),
            #[cfg(feature = "aggregate")]
            Self::VerifyAggregate(args) => verify_aggregate::run(args, output),
        }
    }
}
