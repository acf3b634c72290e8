//! `phalanx remote status`: whether a signer is ready, and what this client may sign with.

use super::access::{AccessArgs, failure};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx_custody::remote::KeyStanding;
use serde_json::{Value, json};

/// Ask a signer whether it is ready, and for the keys that this client may use
///
/// Exit code 4 if it cannot be reached or is not ready.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx remote status --url unix:/run/phalanx/signer.sock")]
pub(crate) struct Args {
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let client = args.access.client()?;
    let reasons = client.reasons_not_ready().map_err(failure)?;
    let keys = client.keys().map_err(failure)?;
    output.object(&json!({
        "ready": reasons.is_empty(), "reasons": reasons, "keys": keys.iter().map(object).collect::<Vec<_>>(),
    }))?;
    for key in &keys {
        output.line(line(key))?;
    }
    if !reasons.is_empty() {
        return Err(Failure::system(format_args!("the signer is not ready: {}", reasons.join(", "))));
    }
    output.line(format_args!("ready, {} keys", keys.len()))?;
    Ok(Exit::Good)
}

fn object(key: &KeyStanding) -> Value {
    json!({
        "public_key": hex::encode(&key.public_key), "key_id": key.key_id.to_string(), "scheme": key.scheme,
        "role": key.role, "state": key.state,
        "start": key.epochs.as_ref().map(|epochs| epochs.start), "end": key.epochs.as_ref().map(|epochs| epochs.end),
        "low_watermark": key.low_watermark, "highest": key.highest, "remaining": key.remaining,
        "prepared_end": key.prepared.as_ref().map(|epochs| epochs.end),
    })
}

/// One key for people.
fn line(key: &KeyStanding) -> String {
    let short: String = key.key_id.to_string().chars().take(8).collect();
    let mut text = format!("{short}  {}  {}  {}", key.scheme, key.role, key.state);
    if let Some(epochs) = &key.epochs {
        text += &format!("  epochs {} to {}", epochs.start, epochs.end.saturating_sub(1));
    }
    if let Some(remaining) = key.remaining {
        text += &format!(", {remaining} left");
    }
    text
}
