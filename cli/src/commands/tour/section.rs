//! What the tour shows of a system, and what it checks.

use crate::exit::{Exit, Failure};
use phalanx::InvalidSignature;
use serde::Serialize;
use std::fmt::Display;
use std::time::Instant;

/// What the tour shows of one system.
#[derive(Serialize, Default)]
pub(super) struct Section {
    pub(super) system: String,
    pub(super) steps: Vec<Step>,
}

/// Something done, and how long it took.
#[derive(Serialize)]
pub(super) struct Step {
    pub(super) step: String,
    pub(super) detail: String,
    pub(super) milliseconds: f64,
}

impl Section {
    /// Names the system and what of it is shown.
    pub(super) fn begin(&mut self, system: impl Display) {
        self.system = system.to_string();
    }

    /// Does `work` and notes how long it took; `detail` describes its result.
    pub(super) fn step<T>(
        &mut self,
        step: &str,
        work: impl FnOnce() -> T,
        detail: impl FnOnce(&T, f64) -> Result<String, Failure>,
    ) -> Result<T, Failure> {
        let clock = Instant::now();
        let result = work();
        let milliseconds = clock.elapsed().as_secs_f64() * 1e3;
        let detail = detail(&result, milliseconds)?;
        self.steps.push(Step { step: step.to_owned(), detail, milliseconds });
        Ok(result)
    }
}

/// Fails, loudly, if `holds` is false.
pub(super) fn check(holds: bool, what: &str) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(Failure::new(Exit::DoesNotVerify, format_args!("the tour found a fault: {what}")))
    }
}

/// Whether a signature is rejected.
pub(super) fn is_rejected(result: Result<(), InvalidSignature>) -> bool {
    result == Err(InvalidSignature)
}
