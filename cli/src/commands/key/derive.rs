//! `phalanx key derive`: one of many keys from one master secret.

use super::ledger::Past;
use super::making::{EpochArgs, MakingArgs};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx_custody::identity::{Derivation, derive_seed};
use phalanx_custody::keystore::KeySecret;
use std::path::PathBuf;

/// Make a key whose seed is derived from a master secret: a backup of the master is a backup of all of them
///
/// The seed depends on parameter set, role, epochs and index, so that no two keys share one. The master is never itself
/// the seed of a key.
#[derive(clap::Args)]
#[command(
    after_help = "Example: phalanx key derive --master-file master --index 7 --scheme xmss-poseidon2-l32-d64b8 \
                  --start 0 --active 131072 --role attester --ledger ledger --out keys/validator-7.json"
)]
pub(crate) struct Args {
    /// File with the master secret: 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "F")]
    master_file: PathBuf,
    /// Which of the keys of this kind
    #[arg(long, value_name = "N")]
    index: u64,
    #[command(flatten)]
    making: MakingArgs,
    #[command(flatten)]
    epochs: EpochArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let scheme = args.making.scheme()?;
    let interval = args.epochs.interval(scheme)?;
    let bytes = files::read_at_most(&args.master_file, 1024)?;
    let master = seed::from_bytes(&bytes, &format!("master secret '{}'", args.master_file.display()))?;
    let epochs = interval.clone().unwrap_or(0..0);
    let what = Derivation {
        scheme: scheme.name(),
        role: args.making.role().name(),
        start: epochs.start,
        count: epochs.end - epochs.start,
        index: args.index,
    };
    let secret = KeySecret::from_seed(&derive_seed(&master, &what));
    args.making.make(&secret, interval, Past::None, None, output)
}
