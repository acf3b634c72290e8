//! Requests and answers in JSON.
//!
//! Requests are read by the crate's own reader: members that come twice are refused, unknown ones are not looked at.
#![forbid(unsafe_code)]

use super::errors::{Failure, FailureBody};
use super::subject::Subject;
use crate::json::{self, Limits, Object, Value};
use crate::ledger::Step;
use crate::ledger::sign_bytes::Timestamp;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// Most bytes of a body.
pub(super) const MAX_BODY: usize = 65_536;
/// Most signatures of a batch.
pub(super) const MAX_BATCH: usize = 256;

const LIMITS: Limits = Limits { bytes: MAX_BODY, depth: 16 };

/// A signature that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(as = SignRequest))]
pub(super) struct Ask {
    /// The epoch, in decimal; a number is taken too.
    #[cfg_attr(test, schema(value_type = String, example = "11"))]
    pub(super) epoch: u32,
    /// The message: 32 bytes in hexadecimal.
    #[cfg_attr(test, schema(value_type = String, example = "0x2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a"))]
    pub(super) message: [u8; 32],
    /// The chain that is meant: refused unless it is the ledger's.
    #[cfg_attr(test, schema(value_type = Option<String>))]
    pub(super) genesis_validators_root: Option<[u8; 32]>,
}

/// One of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(as = BatchItem))]
pub(super) struct Named {
    /// The public key, in hexadecimal.
    pub(super) pubkey: String,
    /// What is to be signed.
    #[cfg_attr(test, schema(inline))]
    #[cfg_attr(test, serde(flatten))]
    pub(super) ask: Ask,
}

/// Signatures that are wanted, 1 to 256: the new ones become durable together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(as = BatchRequest))]
pub(super) struct Batch {
    /// What is wanted.
    #[cfg_attr(test, schema(min_items = 1, max_items = 256))]
    pub(super) requests: Vec<Named>,
}

fn document(body: &[u8]) -> Result<Value, Failure> {
    json::parse(body, LIMITS).map_err(|error| match error {
        json::Error::TooLong { .. } => super::errors::Code::TooLarge.into(),
        json::Error::Malformed { .. } => Failure::malformed(error),
    })
}

fn members(value: &Value) -> Result<&Object, Failure> {
    value.as_object().ok_or_else(|| Failure::malformed("an object is wanted"))
}

fn text<'a>(object: &'a Object, name: &str) -> Result<&'a str, Failure> {
    let text = object.get(name).and_then(Value::as_text);
    text.ok_or_else(|| Failure::malformed(format_args!("'{name}' is missing, or no text")))
}

/// A number, as a decimal text or an integer.
fn number(object: &Object, name: &str) -> Result<u64, Failure> {
    let number = match object.get(name) {
        Some(Value::Integer(number)) => Some(*number),
        Some(Value::Text(text)) => crate::ledger::record::number(text),
        _ => None,
    };
    number.ok_or_else(|| Failure::malformed(format_args!("'{name}' is missing, or no number")))
}

/// Bytes in hexadecimal, with or without 0x, in any case.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    hex::decode(text.strip_prefix("0x").unwrap_or(text)).ok()
}

fn array(object: &Object, name: &str) -> Result<[u8; 32], Failure> {
    let bytes = bytes(text(object, name)?).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| Failure::malformed(format_args!("'{name}' is not 32 bytes in hexadecimal")))
}

impl Ask {
    /// The request that `body` is.
    pub(super) fn read(body: &[u8]) -> Result<Self, Failure> {
        let value = document(body)?;
        let object = members(&value)?;
        if object.get("bls_domain").is_some() {
            return Err(super::errors::Code::UnsupportedRequest.into());
        }
        Self::of(object)
    }

    fn of(object: &Object) -> Result<Self, Failure> {
        let epoch = u32::try_from(number(object, "epoch")?);
        let epoch = epoch.map_err(|_| Failure::malformed("'epoch' is not below 2^32"))?;
        let root = object.get("genesis_validators_root").filter(|root| **root != Value::Null);
        let genesis_validators_root = root.map(|_| array(object, "genesis_validators_root")).transpose()?;
        Ok(Self { epoch, message: array(object, "message")?, genesis_validators_root })
    }
}

impl Batch {
    /// The request that `body` is. As a whole it is refused only for its form.
    pub(super) fn read(body: &[u8]) -> Result<Self, Failure> {
        let value = document(body)?;
        let list = members(&value)?.get("requests").and_then(Value::as_list);
        let list = list.filter(|list| (1..=MAX_BATCH).contains(&list.len()));
        let list = list.ok_or_else(|| Failure::malformed("'requests' is not a list of 1 to 256"))?;
        let named = |value: &Value| {
            let object = members(value)?;
            Ok(Named { pubkey: text(object, "pubkey")?.to_owned(), ask: Ask::of(object)? })
        };
        Ok(Self { requests: list.iter().map(named).collect::<Result<_, Failure>>()? })
    }
}

/// A vote or proposal that is to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(as = ConsensusRequest))]
pub(super) struct ConsensusAsk {
    /// The chain.
    pub(super) chain_id: String,
    /// The height, in decimal.
    #[cfg_attr(test, schema(value_type = String, example = "11"))]
    pub(super) height: u64,
    /// The round, in decimal.
    #[cfg_attr(test, schema(value_type = String, example = "0"))]
    pub(super) round: u32,
    /// `propose`, `prevote` or `precommit`.
    #[cfg_attr(test, schema(value_type = String, example = "prevote"))]
    pub(super) step: Step,
    /// The canonical bytes, in hexadecimal: they must say the same.
    #[cfg_attr(test, schema(value_type = String))]
    pub(super) sign_bytes: Vec<u8>,
}

impl ConsensusAsk {
    /// The request that `body` is.
    pub(super) fn read(body: &[u8]) -> Result<Self, Failure> {
        let value = document(body)?;
        let object = members(&value)?;
        let step = match text(object, "step")? {
            "propose" => Step::Propose,
            "prevote" => Step::Prevote,
            "precommit" => Step::Precommit,
            _ => return Err(Failure::malformed("'step' is none")),
        };
        let round = u32::try_from(number(object, "round")?);
        let sign_bytes = bytes(text(object, "sign_bytes")?);
        Ok(Self {
            chain_id: text(object, "chain_id")?.to_owned(),
            height: number(object, "height")?,
            round: round.map_err(|_| Failure::malformed("'round' is not below 2^32"))?,
            step,
            sign_bytes: sign_bytes.ok_or_else(|| Failure::malformed("'sign_bytes' is not hexadecimal"))?,
        })
    }

    /// What the key is asked for.
    pub(super) fn into_subject(self) -> Subject {
        let Self { chain_id: chain, height, round, step, sign_bytes } = self;
        Subject::Consensus { chain, height, round, step, sign_bytes }
    }
}

/// A signature of a vote or proposal.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct ConsensusBody {
    /// The signature.
    pub(super) signature: String,
    /// The time that it signs (RFC 3339): of a repeat that of then, which the caller must take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timestamp: Option<String>,
    /// Whether the position had been signed before.
    pub(super) repeated: bool,
}

/// A time as RFC 3339 writes it, with nine digits after the point.
pub(super) fn timestamp_text(time: Timestamp) -> String {
    let (days, seconds) = (time.seconds.div_euclid(86_400), time.seconds.rem_euclid(86_400));
    // Days to a date by the calendar of 400 years, begun in March (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:09}Z", time.nanoseconds)
}

/// That all is well.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct StatusText {
    /// What there is to say.
    pub(super) status: &'static str,
    /// Why not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reasons: Vec<&'static str>,
}

impl StatusText {
    /// All is well.
    pub(super) fn ok() -> Self {
        Self { status: "OK", reasons: Vec::new() }
    }
}

/// Public keys.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct PublicKeys {
    /// Those that this client may use, in hexadecimal without 0x.
    pub(super) keys: Vec<String>,
}

/// A signature, as EIP-3030 has it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct PlainSignature {
    /// The signature in SSZ.
    #[cfg_attr(test, schema(example = "0x…"))]
    pub(super) signature: String,
}

/// A signature, and what belongs to it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct SignatureBody {
    /// The signature in SSZ.
    #[cfg_attr(test, schema(example = "0x…"))]
    pub(super) signature: String,
    /// The epoch.
    #[cfg_attr(test, schema(example = "11"))]
    pub(super) epoch: String,
    /// The name of the key.
    pub(super) key_id: String,
    /// Whether the message had been signed there before: the signature is the identical one.
    pub(super) repeated: bool,
}

/// The answer to one of a batch.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
pub(super) enum BatchAnswer {
    /// A signature.
    Signed {
        /// The signature in SSZ.
        signature: String,
        /// Whether the message had been signed there before.
        repeated: bool,
    },
    /// None.
    Failed(FailureBody),
}

/// The answers, in the order of the requests.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct BatchAnswers {
    /// One for each request.
    pub(super) results: Vec<BatchAnswer>,
}

/// Epochs.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct Interval {
    /// The first.
    pub(super) start: String,
    /// The first after them.
    pub(super) end: String,
}

/// Where a key stands.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct KeyBody {
    /// The public key in hexadecimal.
    pub(super) pubkey: String,
    /// The name of the key.
    pub(super) key_id: String,
    /// The parameter set.
    pub(super) scheme: String,
    /// What it is for.
    pub(super) role: String,
    /// `active`, `quarantined` or `retired`.
    pub(super) state: &'static str,
    /// Its first epoch.
    pub(super) start: String,
    /// The first epoch after it.
    pub(super) end: String,
    /// Nothing new is signed below this.
    pub(super) low_watermark: String,
    /// Nothing new is signed from here on.
    pub(super) high_watermark: Option<String>,
    /// The greatest epoch that was ever reserved.
    pub(super) highest: Option<String>,
    /// How many epochs are left.
    pub(super) remaining: String,
    /// The epochs that can be signed without computing trees; none for Ed25519.
    pub(super) prepared: Option<Interval>,
}

/// Keys.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct KeyBodies {
    /// Those that this client may see.
    pub(super) keys: Vec<KeyBody>,
}

/// A keystore that did not open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct FailedFile {
    /// Its name, without the folder.
    pub file: String,
    /// Why: a verdict of keystores, a problem of ledgers, or `storage`, `no_password`, `not_signable`.
    pub code: String,
}

/// What a reload has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Reloaded {
    /// Public keys that are new.
    pub added: Vec<String>,
    /// Public keys that are no longer served. Nothing was done to their ledger.
    pub removed: Vec<String>,
    /// Files that did not open.
    pub failed: Vec<FailedFile>,
}

/// A bound, and how many groups were durable within it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct FlushBound {
    /// Seconds.
    pub(super) seconds: f64,
    /// Groups that took at most so long.
    pub(super) groups: u64,
}

/// How long groups took to be in both files.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct FlushTimes {
    /// Counts below bounds.
    pub(super) bounds: Vec<FlushBound>,
    /// Groups in all.
    pub(super) groups: u64,
    /// Seconds in all.
    pub(super) seconds: f64,
}

/// The ledger.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct LedgerBody {
    /// Whether it answers.
    pub(super) open: bool,
    /// Why not: a code.
    pub(super) problem: Option<&'static str>,
    /// The last group that is durable.
    pub(super) group: u64,
    /// The epoch that the clock says, where there is one.
    pub(super) clock_epoch: Option<String>,
}

/// What the status page shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct StatusBody {
    /// The version of the service.
    pub(super) version: &'static str,
    /// Unix time at which it started.
    pub(super) started: u64,
    /// Why it is not ready; empty if it is.
    pub(super) not_ready: Vec<&'static str>,
    /// The ledger.
    pub(super) ledger: LedgerBody,
    /// The keys that this client may see. While the ledger is closed, as they were last seen.
    pub(super) keys: Vec<KeyBody>,
    /// How many requests to sign got which answer.
    pub(super) answers: std::collections::BTreeMap<String, u64>,
    /// How long groups took to be durable.
    pub(super) flush: FlushTimes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339_says() {
        let text = |seconds, nanoseconds| timestamp_text(Timestamp { seconds, nanoseconds });
        assert_eq!(text(0, 0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(text(951_782_399, 5), "2000-02-28T23:59:59.000000005Z");
        assert_eq!(text(951_868_799, 0), "2000-02-29T23:59:59.000000000Z");
        assert_eq!(text(1_795_392_000, 999_999_999), "2026-11-23T00:00:00.999999999Z");
        assert_eq!(text(-62_135_596_800, 0), "0001-01-01T00:00:00.000000000Z");
    }

    fn code(body: &str) -> &'static str {
        Ask::read(body.as_bytes()).expect_err("refused").code.name()
    }

    #[test]
    fn requests_are_read_strictly() {
        let message = "2a".repeat(32);
        let good = |epoch: &str, prefix: &str| {
            let body = format!(r#"{{"x": [1], "epoch": {epoch}, "message": "{prefix}{message}"}}"#);
            Ask::read(body.as_bytes()).map(|ask| (ask.epoch, ask.message))
        };
        assert_eq!(good("\"11\"", "0x"), Ok((11, [42; 32])));
        assert_eq!(good("11", ""), Ok((11, [42; 32])));
        assert_eq!(good("\"4294967295\"", ""), Ok((u32::MAX, [42; 32])));
        for epoch in ["\"011\"", "\"-1\"", "\"4294967296\"", "1.0", "null", "\"\"", "\"1 \""] {
            assert!(good(epoch, "").is_err(), "{epoch}");
        }
        assert_eq!(code("{"), "malformed");
        assert_eq!(code("[]"), "malformed");
        assert_eq!(code(r#"{"epoch": "1", "epoch": "2"}"#), "malformed");
        assert_eq!(code(r#"{"bls_domain": "beacon_attester", "data": {}}"#), "unsupported_request");
        assert_eq!(code(&format!("{}1{}", "[".repeat(17), "]".repeat(17))), "malformed");
        assert_eq!(code(&" ".repeat(MAX_BODY + 1)), "too_large");
        let batch = |n: usize| {
            let one = format!(r#"{{"pubkey": "ab", "epoch": "1", "message": "{message}"}}"#);
            let body = format!(r#"{{"requests": [{}]}}"#, vec![one; n].join(","));
            Batch::read(body.as_bytes()).map(|batch| batch.requests.len())
        };
        assert_eq!(batch(2), Ok(2));
        assert!(batch(0).is_err());
        assert!(batch(257).is_err());
    }
}
