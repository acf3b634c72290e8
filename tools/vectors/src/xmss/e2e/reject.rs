//! What must be rejected: signatures, public keys and secret keys that were tampered with.

use super::vector::{Context, Valid, answer};
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::xmss::{
    Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, hazmat, verify_many,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Runs the cases of a key that have to do with rejection.
pub(crate) fn run(recorder: &mut Recorder<'_>, context: &Context<'_>, lists: &mut Object) {
    if let Some(cases) = lists.optional("verify_cases_ssz") {
        verify_cases::<SszCase>(recorder, context, "verify_cases_ssz", cases);
    }
    if let Some(cases) = lists.optional("verify_cases_bincode1") {
        verify_cases::<BincodeCase>(recorder, context, "verify_cases_bincode1", cases);
    }
    if let Some(cases) = lists.optional("sk_cases_ssz") {
        let name = context.part("sk_cases_ssz");
        if let Some(cases) = as_list(recorder, &name, cases) {
            recorder.cases(&name, &cases, |case| secret_key(context, case));
        }
    }
}

fn as_list(recorder: &mut Recorder<'_>, name: &str, value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(cases) => Some(cases),
        _ => {
            recorder.not_understood(name, "not a list of cases");
            None
        }
    }
}

/// A case of either list of signatures.
trait VerifyCase: DeserializeOwned {
    /// What must be answered.
    fn required(&self) -> &str;

    /// The claim, if everything in it can be decoded.
    fn decode(&self, context: &Context<'_>) -> Option<Valid>;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SszCase {
    #[serde(rename = "case")]
    _case: String,
    epoch: u64,
    message: Hex<32>,
    pk_ssz: Bytes,
    sig_ssz: Bytes,
    #[serde(rename = "reference")]
    _reference: String,
    required: String,
}

impl VerifyCase for SszCase {
    fn required(&self) -> &str {
        &self.required
    }

    fn decode(&self, context: &Context<'_>) -> Option<Valid> {
        valid(context.set, Format::Ssz, (Format::Ssz, &self.pk_ssz), self.epoch, &self.message, &self.sig_ssz)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BincodeCase {
    #[serde(rename = "case")]
    _case: String,
    epoch: u64,
    message: Hex<32>,
    sig_bincode1: Bytes,
    #[serde(rename = "reference")]
    _reference: String,
    required: String,
}

impl VerifyCase for BincodeCase {
    fn required(&self) -> &str {
        &self.required
    }

    fn decode(&self, context: &Context<'_>) -> Option<Valid> {
        let key = (Format::Bincode, &context.vector.pk_bincode1);
        valid(context.set, Format::Bincode, key, self.epoch, &self.message, &self.sig_bincode1)
    }
}

fn valid(
    set: ParameterSet,
    format: Format,
    (key_format, key): (Format, &Bytes),
    epoch: u64,
    message: &Hex<32>,
    signature: &Bytes,
) -> Option<Valid> {
    Some(Valid {
        key: VerifyingKey::from_bytes(set, key_format, &key.0).ok()?,
        epoch: u32::try_from(epoch).ok()?,
        message: message.0,
        signature: Signature::from_bytes(set, format, &signature.0).ok()?,
    })
}

/// Every case alone, then all that can be decoded together.
fn verify_cases<T: VerifyCase>(recorder: &mut Recorder<'_>, context: &Context<'_>, list: &str, cases: Value) {
    let name = context.part(list);
    let Some(cases) = as_list(recorder, &name, cases) else { return };
    recorder.cases(&name, &cases, |case: &T| {
        let accepted = match case.decode(context) {
            Some(claim) => claim.key.verify(claim.epoch, &claim.message, &claim.signature),
            None => Err(phalanx::InvalidSignature),
        };
        same("result", answer(accepted), case.required())
    });
    // Cases of a wrong form have failed above.
    let cases: Vec<T> = cases.iter().filter_map(|case| T::deserialize(case).ok()).collect();
    recorder.case(format_args!("{name} (together)"), || {
        let decoded: Vec<(Valid, &str)> =
            cases.iter().filter_map(|case| Some((case.decode(context)?, case.required()))).collect();
        ensure(!decoded.is_empty(), "no case can be decoded")?;
        let claims: Vec<SignedMessage<'_>> = decoded.iter().map(|(valid, _)| valid.claim()).collect();
        let answers: Vec<&str> = verify_many(&claims).into_iter().map(answer).collect();
        let required: Vec<&str> = decoded.iter().map(|(_, required)| *required).collect();
        same("answers", answers, required)
    });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SecretKeyCase {
    case: String,
    sk_ssz: Bytes,
    sign_epoch: u64,
    sign_message: Hex<32>,
    #[serde(rename = "reference")]
    _reference: String,
}

/// Only the case called `valid` may sign; the others must fail at decoding, or at signing.
fn secret_key(context: &Context<'_>, case: &SecretKeyCase) -> Check {
    let epoch = u32::try_from(case.sign_epoch).map_err(|_| "the epoch does not fit 32 bits")?;
    let signed = SigningKey::from_bytes(context.set, Format::Ssz, &case.sk_ssz.0)
        .map_err(text)
        .and_then(|key| hazmat::sign_unrecorded(&key, epoch, &case.sign_message.0).map_err(text));
    match (case.case == "valid", signed) {
        (true, Ok(signature)) => {
            same("result", context.public.verify(epoch, &case.sign_message.0, &signature), Ok(()))
        }
        (true, Err(error)) => Err(format!("the key is not accepted: {error}")),
        (false, Ok(_)) => Err("the damaged key is accepted, and signs".to_owned()),
        (false, Err(_)) => Ok(()),
    }
}
