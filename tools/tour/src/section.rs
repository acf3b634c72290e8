//! What the tour shows of a scheme, and what it checks.

use phalanx::InvalidSignature;
use std::error::Error;
use std::fmt;
use std::time::Instant;

/// What the tour shows of one scheme.
#[derive(Default)]
pub struct Section {
    /// The scheme, and what of it is shown.
    pub scheme: String,
    /// In the order in which they were done.
    pub steps: Vec<Step>,
}

/// Something done, and how long it took.
pub struct Step {
    /// What was done, in a few words.
    pub step: String,
    /// Of its result: sizes, time for each, a root, why it was rejected.
    pub detail: String,
    /// How long it took.
    pub milliseconds: f64,
}

/// A result that is not what it should be, in one line.
#[derive(Debug)]
pub struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tour found a fault: {}", self.0)
    }
}

/// Nothing that the tour does fails where phalanx is whole.
impl<E: Error> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl Section {
    /// Names the scheme and what of it is shown.
    pub(super) fn begin(&mut self, scheme: impl fmt::Display) {
        self.scheme = scheme.to_string();
    }

    /// Does `work` and notes how long it took; `detail` describes its result.
    pub(super) fn step<T>(
        &mut self,
        step: &str,
        work: impl FnOnce() -> T,
        detail: impl FnOnce(&T, f64) -> Result<String, Fault>,
    ) -> Result<T, Fault> {
        let clock = Instant::now();
        let result = work();
        let milliseconds = clock.elapsed().as_secs_f64() * 1e3;
        let detail = detail(&result, milliseconds)?;
        self.steps.push(Step { step: step.to_owned(), detail, milliseconds });
        Ok(result)
    }
}

/// Fails, loudly, if `holds` is false.
pub(super) fn check(holds: bool, what: &str) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault(what.to_owned())) }
}

/// Whether a signature is rejected.
pub(super) fn is_rejected(result: Result<(), InvalidSignature>) -> bool {
    result == Err(InvalidSignature)
}
