//! Rescue.

use crate::error::{array, of, unknown};
use phalanx::rescue::{Digest, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn function_called(name: &str) -> Result<Function, JsValue> {
    Function::from_name(name).ok_or_else(|| unknown("function of rescue", name))
}

fn digest(bytes: &[u8]) -> Result<Digest, JsValue> {
    Digest::from_bytes(&array("length of a digest in bytes", bytes)?).map_err(of)
}

/// The names of all functions.
#[wasm_bindgen(js_name = rescueFunctions)]
#[must_use]
pub fn functions() -> Vec<String> {
    Function::ALL.iter().map(|function| function.name().to_owned()).collect()
}

/// Permutes whole states.
///
/// # Errors
/// `PartialState`.
#[wasm_bindgen(js_name = rescuePermute)]
pub fn permute(function: &str, mut words: Vec<u64>) -> Result<Vec<u64>, JsValue> {
    function_called(function)?.permute(&mut words).map_err(of)?;
    Ok(words)
}

/// The digest of elements.
///
/// # Errors
/// A function that does not exist.
#[wasm_bindgen(js_name = rescueHashElements)]
pub fn hash_elements(function: &str, elements: &[u64]) -> Result<Vec<u8>, JsValue> {
    Ok(function_called(function)?.hash_elements(elements).to_bytes().to_vec())
}

/// The digests of lists of elements, which stand behind one another; `lengths` says how long each is.
///
/// # Errors
/// `LengthMismatch` if the lengths do not add up.
#[wasm_bindgen(js_name = rescueHashElementsMany)]
pub fn hash_elements_many(function: &str, elements: &[u64], lengths: &[u32]) -> Result<Vec<u8>, JsValue> {
    let function = function_called(function)?;
    let mut rest = elements;
    let mut inputs = Vec::with_capacity(lengths.len());
    let wrong = || {
        let wanted = lengths.iter().fold(0usize, |sum, &len| sum.saturating_add(len as usize));
        of(phalanx::ed25519::Error::LengthMismatch { wanted, got: elements.len() })
    };
    for &len in lengths {
        let (input, after) = rest.split_at_checked(len as usize).ok_or_else(wrong)?;
        inputs.push(input);
        rest = after;
    }
    if !rest.is_empty() {
        return Err(wrong());
    }
    Ok(function.hash_elements_many(&inputs).into_iter().flat_map(Digest::to_bytes).collect())
}

/// The digest of bytes.
///
/// # Errors
/// `UndefinedLength`.
#[wasm_bindgen(js_name = rescueHash)]
pub fn hash(function: &str, bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    Ok(function_called(function)?.hash(bytes).map_err(of)?.to_bytes().to_vec())
}

/// The digest of bytes of any number.
///
/// # Errors
/// A function that does not exist.
#[wasm_bindgen(js_name = rescueHashPadded)]
pub fn hash_padded(function: &str, bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    Ok(function_called(function)?.hash_padded(bytes).to_bytes().to_vec())
}

/// The digest of two digests.
///
/// # Errors
/// `Malformed` for bytes that are no digest.
#[wasm_bindgen(js_name = rescueMerge)]
pub fn merge(function: &str, left: &[u8], right: &[u8]) -> Result<Vec<u8>, JsValue> {
    Ok(function_called(function)?.merge(&digest(left)?, &digest(right)?).to_bytes().to_vec())
}
