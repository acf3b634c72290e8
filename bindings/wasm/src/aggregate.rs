//! Aggregates: their statements, and the verifier.

use crate::error::{array, named, of, unknown};
use js_sys::{Array, Object, Reflect, Uint8Array};
use phalanx::aggregate::{self, Group, Limits, Profile, Statement};
use phalanx::xmss::blake2s::{ParameterSet, VerifyingKey};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn profile_called(name: &str) -> Result<Profile, JsValue> {
    Profile::from_name(name).ok_or_else(|| unknown("profile of aggregates", name))
}

/// The names of all profiles.
#[wasm_bindgen(js_name = aggregateProfiles)]
#[must_use]
pub fn profiles() -> Vec<String> {
    Profile::ALL.iter().map(|profile| profile.name().to_owned()).collect()
}

/// The most signatures that a verifier accepts unless it says otherwise.
#[wasm_bindgen(js_name = aggregateDefaultSignatures)]
#[must_use]
pub fn default_signatures() -> usize {
    Limits::DEFAULT_SIGNATURES
}

/// Verifies an aggregate. `profiles` (names between commas) and `signatures` say what is accepted.
///
/// # Errors
/// The check that failed; the rule that is broken for bytes that are no statement.
#[wasm_bindgen(js_name = aggregateVerify)]
pub fn verify(
    profiles: &str,
    signatures: usize,
    statement: &[u8],
    context: &[u8],
    aggregate: &[u8],
) -> Result<(), JsValue> {
    let profiles = profiles.split(',').map(profile_called).collect::<Result<Vec<_>, _>>()?;
    let limits = Limits::new(&profiles).with_signatures(signatures);
    let statement = Statement::from_bytes(statement).map_err(of)?;
    aggregate::verify(&limits, &statement, context, aggregate).map_err(of)
}

/// What a statement says, as an object: `groups` (each with `epoch`, `message` and `keys`), and `equivocations`.
///
/// # Errors
/// The rule that is broken, for bytes that are no statement.
#[wasm_bindgen(js_name = aggregateStatement)]
pub fn statement(bytes: &[u8]) -> Result<Object, JsValue> {
    let statement = Statement::from_bytes(bytes).map_err(of)?;
    let object = Object::new();
    let groups = statement.groups().iter().map(group).collect::<Result<Array, _>>()?;
    Reflect::set(&object, &"groups".into(), &groups)?;
    let number = |index: usize| JsValue::from(u32::try_from(index).unwrap_or(u32::MAX));
    let pair = |(first, second)| JsValue::from(Array::of2(&number(first), &number(second)));
    let pairs: Array = statement.equivocations().into_iter().map(pair).collect();
    Reflect::set(&object, &"equivocations".into(), &pairs)?;
    Ok(object)
}

fn group(group: &Group) -> Result<JsValue, JsValue> {
    let object = Object::new();
    Reflect::set(&object, &"epoch".into(), &group.epoch().into())?;
    Reflect::set(&object, &"message".into(), &Uint8Array::from(&group.message()[..]))?;
    let keys: Array = group.keys().iter().map(|key| Uint8Array::from(&key[..])).collect();
    Reflect::set(&object, &"keys".into(), &keys)?;
    Ok(object.into())
}

/// The bytes of the statement about these groups, in any order: of each an epoch, a message of 32 bytes, and the number of its
/// keys, which stand behind one another.
///
/// # Errors
/// `NoGroups`, `EmptyGroup`, `KeyOrder`, `TooManySignatures`; `Malformed` for messages and keys of another length.
#[wasm_bindgen(js_name = aggregateStatementOf)]
pub fn statement_of(
    epochs: &[u32],
    messages: &[u8],
    counts: &[u32],
    keys: &[u8],
) -> Result<Vec<u8>, JsValue> {
    let (messages, rest) = messages.as_chunks::<32>();
    array::<0>("bytes beyond whole messages", rest)?;
    let (mut keys, rest) = keys.as_chunks::<32>();
    array::<0>("bytes beyond whole keys", rest)?;
    let mut signers = Vec::with_capacity(keys.len());
    if messages.len() != epochs.len() || counts.len() != epochs.len() {
        return Err(uneven());
    }
    for ((epoch, message), count) in epochs.iter().zip(messages).zip(counts) {
        let Some((of_group, after)) = keys.split_at_checked(*count as usize) else { return Err(uneven()) };
        if of_group.is_empty() {
            return Err(of(aggregate::Error::EmptyGroup));
        }
        for key in of_group {
            signers.push((
                VerifyingKey::from_bytes(ParameterSet::L32_D42B8, key).map_err(of)?,
                *epoch,
                *message,
            ));
        }
        keys = after;
    }
    if !keys.is_empty() {
        return Err(uneven());
    }
    Ok(Statement::of(&signers).map_err(of)?.to_bytes())
}

fn uneven() -> JsValue {
    named("LengthMismatch", "epochs, messages and keys are not of one number")
}
