//! `phalanx key new-master`: the keystore of a master, from which many keys are derived.

use super::password::FreshPasswordArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx_custody::keystore::{Master, SealedMaster, file};
use std::path::PathBuf;

/// Make a master secret, from which 'phalanx key derive' makes many keys that one password opens
///
/// The file holds the master encrypted, and nothing of the keys: those are known to their ledger. A backup of it, with the
/// commands that have derived the keys, is a backup of all of them.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx key new-master --out keys/master.json")]
pub(crate) struct Args {
    /// File with a master secret that is there already: 32 bytes, or 64 hexadecimal digits [default: one from the system]
    #[arg(long, value_name = "F")]
    master_file: Option<PathBuf>,
    /// A text for people, which the password protects against changes
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
    /// The keystore; its folder is created if need be
    #[arg(long, value_name = "F")]
    out: PathBuf,
    #[command(flatten)]
    password: FreshPasswordArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    file::check_place(&args.out)?;
    let master = match &args.master_file {
        None => Master::generate()?,
        Some(path) => {
            let bytes = files::read_at_most(path, 1024)?;
            let name = format!("master secret '{}'", path.display());
            Master::from_bytes(&*seed::from_bytes(&bytes, &name)?)
        }
    };
    let password = args.password.read(output)?;
    let sealed = SealedMaster::new(&master, &args.description, &password, args.password.derivation())?;
    file::create_master(&args.out, &sealed)?;
    output.line(format_args!("{}: keystore of a master", args.out.display()))?;
    output.object(&serde_json::json!({ "file": args.out }))?;
    Ok(Exit::Good)
}
