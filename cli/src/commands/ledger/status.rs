//! `phalanx ledger status`: where every key of a ledger stands.

use super::LedgerArgs;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::ledger::durable::KnownKey;
use phalanx_custody::ledger::sqlite::SqliteLedger;

/// Open a ledger, with all its checks, and say where its keys stand
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ledger status --ledger keys/secret-key.ssz.ledger")]
pub(crate) struct Args {
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    show(&args.ledger.open()?, output)
}

/// Prints the standing of every key.
pub(super) fn show(ledger: &SqliteLedger, output: &Output) -> Result<Exit, Failure> {
    let keys = ledger.keys()?;
    let id = hex::encode(ledger.ledger_id());
    output.line(format_args!("ledger {id}: {} keys", keys.len()))?;
    for KnownKey { standing, .. } in &keys {
        let (instance, low, highest) = (&standing.instance, standing.low, standing.highest);
        let highest = highest.map_or_else(|| "none".to_owned(), |highest| highest.to_string());
        output.line(format_args!(
            "{}\n  {} for epochs {}..{}, {}, {}\n  nothing new below {low}; highest {highest}; {} left",
            instance.key_id,
            instance.scheme,
            instance.start,
            instance.end,
            instance.role,
            standing.state.name(),
            standing.remaining
        ))?;
    }
    let keys: Vec<_> = keys
        .iter()
        .map(|KnownKey { standing, public_key }| {
            serde_json::json!({
                "key_id": standing.instance.key_id.to_string(), "scheme": standing.instance.scheme,
                "role": standing.instance.role, "state": standing.state.name(), "start": standing.instance.start,
                "end": standing.instance.end, "low_watermark": standing.low, "high_watermark": standing.high,
                "highest": standing.highest, "remaining": standing.remaining,
                "public_key": public_key.as_ref().map(hex::encode),
            })
        })
        .collect();
    output.object(&serde_json::json!({ "ledger_id": id, "keys": keys }))?;
    Ok(Exit::Good)
}
