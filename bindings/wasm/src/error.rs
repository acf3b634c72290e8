//! Errors of Rust as errors of JavaScript: the name of the variant, and the same sentence.

use core::fmt::{Debug, Display};
use phalanx::Malformed;
use wasm_bindgen::JsValue;

/// An `Error` of JavaScript.
pub(crate) fn named(name: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    error.set_name(name);
    error.into()
}

/// An error of the library: called what its variant is called.
pub(crate) fn of<E: Debug + Display>(error: E) -> JsValue {
    let debug = format!("{error:?}");
    let name = debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    named(name, &error.to_string())
}

/// A name that is none of those known.
pub(crate) fn unknown(what: &str, name: &str) -> JsValue {
    // A name from outside may be of any length.
    let shown: String = name.chars().take(64).collect();
    named("UnknownName", &format!("there is no {what} '{shown}'"))
}

/// Bytes of a fixed number.
pub(crate) fn array<const N: usize>(what: &'static str, bytes: &[u8]) -> Result<[u8; N], JsValue> {
    let wrong = Malformed { what, got: bytes.len() as u64, wanted: N as u64 };
    bytes.try_into().map_err(|_| of(wrong))
}
