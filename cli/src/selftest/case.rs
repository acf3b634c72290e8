//! A case, and what its check is made of.

use phalanx::Backend;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a check finds: nothing wrong, or what is.
pub(super) type Check = Result<(), String>;

/// One known answer.
pub(super) struct Case {
    /// What reports call it.
    pub(super) name: String,
    /// Compares; the backend is forced meanwhile.
    pub(super) check: Box<dyn Fn() -> Check>,
}

impl Case {
    /// A case of this name.
    pub(super) fn new(name: impl Into<String>, check: impl Fn() -> Check + 'static) -> Self {
        Self { name: name.into(), check: Box::new(check) }
    }
}

/// The part `key` of `answers.json`.
pub(super) fn answers<T: DeserializeOwned>(key: &str) -> T {
    let mut all: Value = serde_json::from_str(include_str!("answers.json")).expect("it is JSON");
    serde_json::from_value(all[key].take()).expect("its parts are of the forms that schemes read")
}

/// The bytes that hexadecimal digits of an answer stand for.
pub(super) fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("answers are in hexadecimal")
}

/// `N` such bytes.
pub(super) fn array<const N: usize>(digits: &str) -> [u8; N] {
    bytes(digits).try_into().expect("the answer has this length")
}

/// An error as a reason.
pub(super) fn text(error: impl Display) -> String {
    error.to_string()
}

/// `Ok` if the answer for `what` is the known one.
pub(super) fn same<T: PartialEq<U> + Debug, U: Debug>(what: &str, got: T, wanted: U) -> Check {
    if got == wanted { Ok(()) } else { Err(format!("{what}: got {got:?}, wanted {wanted:?}")) }
}

/// Runs `check` on `backend`; a panic becomes an error, so that one bad case does not hide the others.
pub(super) fn guarded(backend: Backend, check: &dyn Fn() -> Check) -> Check {
    match catch_unwind(AssertUnwindSafe(|| backend.force(check))) {
        Ok(Ok(result)) => result,
        Ok(Err(unavailable)) => Err(unavailable.to_string()),
        Err(_) => Err("it panicked".to_owned()),
    }
}
