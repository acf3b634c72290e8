//! `phalanx key new`: a key that has never signed.

use super::ledger::Past;
use super::making::{EpochArgs, MakingArgs};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::seed::{self, SeedArgs};
use phalanx_custody::keystore::KeySecret;

/// Make a key: register it with the ledger, and write it to a keystore
///
/// The ledger comes first. A seed that it knows as another key's, of another parameter set or for other epochs, is
/// refused: such keys share their one-time keys. Only the seed is kept; trees are computed from it when they are needed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx key new --scheme xmss-poseidon2-l32-d64b8 --start 0 --active 131072 \\
    --role attester --ledger ledger --new-ledger --out keys/validator-7.json")]
pub(crate) struct Args {
    #[command(flatten)]
    making: MakingArgs,
    #[command(flatten)]
    epochs: EpochArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let interval = args.epochs.interval(args.making.scheme()?)?;
    let seed = args.seed.read(output)?.map_or_else(seed::from_system, Ok)?;
    args.making.make(&KeySecret::from_seed(&seed), interval, Past::None, None, output)
}
