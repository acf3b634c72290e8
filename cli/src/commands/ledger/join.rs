//! `phalanx ledger join`: another host on a ledger in a database.

use super::LedgerArgs;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::ledger::Ledger;

/// Let this host use a ledger that another one has made in a database
///
/// It gets a side log of its own. One host signs at a time; another follows when the first has stopped, or was not heard
/// of for the time of its lease. Nothing is opened: the other may go on signing meanwhile.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ledger join --ledger ledger --host b \\
    --store 'postgres://host_b@db.example/keys?sslrootcert=/etc/phalanx/db.pem'")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    /// What this host is called in the database
    #[arg(long, value_name = "NAME")]
    host: String,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if args.ledger.store.is_none() {
        return Err(Failure::usage("which database has the ledger is not said: --store is missing"));
    }
    let options = args.ledger.options()?.host(&args.host);
    Ledger::join(&options)?;
    let id = hex::encode(Ledger::name_of(&options)?);
    output.line(format_args!("host {} has joined the ledger {id}", args.host))?;
    output.object(&serde_json::json!({ "ledger_id": id, "host": args.host }))?;
    Ok(Exit::Good)
}
