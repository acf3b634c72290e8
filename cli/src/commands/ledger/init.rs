//! `phalanx ledger init`: an empty ledger, for keys that come from another one, or for a signer.

use super::{LedgerArgs, status};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::{digits, key_ledger};
use phalanx_custody::ledger::durable::{ChainClock, NewLedger};
use phalanx_custody::ledger::rules::Bounds;
use phalanx_custody::ledger::sqlite::SqliteLedger;

/// Make an empty ledger: for keys whose history is imported next, or for a signer
///
/// With --store in a database, for several hosts: its owner has made the tables (schema.sql and roles.sql of
/// phalanx-custody), and the other hosts join it by 'phalanx ledger join'.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx ledger init --ledger ledger
  phalanx ledger init --ledger shared-ledger --host a \\
    --store 'postgres://host_a@db.example/keys?sslrootcert=/etc/phalanx/db.pem'")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// What this host is called in the database
    #[arg(long, value_name = "NAME", requires = "store")]
    host: Option<String>,
    /// Unix time of epoch 0 of the chain, in seconds: with a clock, keys sign only near the epoch that it says
    #[arg(long, value_name = "SECONDS", requires = "epoch_seconds")]
    genesis_time: Option<u32>,
    /// Seconds of an epoch of the chain
    #[arg(long, value_name = "N", requires = "genesis_time", value_parser = clap::value_parser!(u32).range(1..))]
    epoch_seconds: Option<u32>,
    /// The chain that its keys sign for, 64 hexadecimal digits
    #[arg(long, value_name = "H")]
    genesis_validators_root: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

impl Args {
    fn settings(&self) -> Result<NewLedger, Failure> {
        let clock = self.genesis_time.zip(self.epoch_seconds).map(|(genesis_time, epoch_seconds)| {
            ChainClock { genesis_time: genesis_time.into(), epoch_seconds: epoch_seconds.into() }
        });
        let root = self.genesis_validators_root.as_deref().map(|digits| {
            digits::array(digits.as_bytes())
                .ok_or_else(|| Failure::usage("--genesis-validators-root: not 64 hexadecimal digits"))
        });
        let genesis_validators_root = root.transpose()?;
        let without = key_ledger::without_clock();
        let bounds = if clock.is_some() { Bounds::default() } else { without.bounds };
        Ok(NewLedger { genesis_validators_root, clock, bounds })
    }
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let options = args.ledger.options()?;
    let options = args.host.iter().fold(options, |options, host| options.host(host));
    SqliteLedger::create(&options, args.settings()?)?;
    status::show(&key_ledger::open(&options)?, output)
}
