//! `phalanx key derive`: one of many keys from one master secret.

use super::ledger::Past;
use super::making::{EpochArgs, MakingArgs};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx_custody::keystore::file::{self, Access};
use phalanx_custody::keystore::{Child, Master};
use std::fs;
use std::path::PathBuf;

/// Make a key whose seed is derived from a master secret: a backup of the master is a backup of all of them
///
/// The seed depends on parameter set, role, epochs and index, so that no two keys share one. The master is never itself
/// the seed of a key.
///
/// Of the keystore of a master ('phalanx key new-master') no further keystores are made: the keys are registered with the
/// ledger, their trees are kept beside the file, and the password is the master's. 'phalanx serve' opens them with it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx key derive --master-file master --index 8 \\
    --scheme xmss-poseidon2-l32-d64b8 --start 0 --active 131072 \\
    --role attester --ledger ledger --out keys/validator-8.json
  phalanx key derive --master-file keys/master.json --index 0 --count 500 \\
    --scheme xmss-poseidon2-l32-d64b8 --start 0 --active 131072 \\
    --role attester --ledger ledger")]
pub(crate) struct Args {
    /// The keystore of a master, or a file with the secret itself: 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "F")]
    master_file: PathBuf,
    /// Which of the keys of this kind
    #[arg(long, value_name = "N")]
    index: u64,
    /// How many keys, from that one on [of the keystore of a master]
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// The ledger that knew the keys is lost: say that they have signed nothing from this epoch on
    #[arg(long, value_name = "N")]
    i_accept_epoch: Option<u64>,
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
    let past = args.i_accept_epoch.map_or(Past::None, Past::Accepted);
    let child = |index| Child { scheme, role: args.making.role(), interval: interval.clone(), index };
    // A keystore is far longer than a secret; what is no file, such as a pipe, has no length.
    if fs::metadata(&args.master_file).is_ok_and(|metadata| metadata.len() > 128) {
        let keystore = file::read_master(&args.master_file, Access::default())?;
        let end = args.index.checked_add(args.count).filter(|_| args.count > 0);
        let end = end.ok_or_else(|| Failure::usage("--index and --count name no keys"))?;
        return args.making.derive(&args.master_file, &keystore, (args.index..end).map(child), past, output);
    }
    if args.count != 1 {
        return Err(Failure::usage("--count is for the keystore of a master")
            .hint("'phalanx key new-master --master-file F' makes one"));
    }
    let bytes = files::read_at_most(&args.master_file, 1024)?;
    let name = format!("master secret '{}'", args.master_file.display());
    let master = Master::from_bytes(&*seed::from_bytes(&bytes, &name)?);
    args.making.make(&master.secret(&child(args.index)), interval.clone(), past, None, output)
}
