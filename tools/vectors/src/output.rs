//! Standard output and standard error, and the failure that ends a run.

use serde::Serialize;
use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;

/// Why a run is not good: an exit code, one line, and perhaps what to do about it.
#[derive(Debug)]
pub struct Failure {
    exit_code: u8,
    message: String,
    hint: Option<String>,
    /// Whether standard output has the JSON object of the run already.
    is_reported: bool,
}

impl Failure {
    /// Cases failed (exit code 1).
    pub(crate) fn cases(message: impl Display) -> Self {
        Self { exit_code: 1, ..Self::usage(message) }
    }

    /// Wrong usage, or input that is not understood (exit code 2).
    pub fn usage(message: impl Display) -> Self {
        Self { exit_code: 2, message: message.to_string(), hint: None, is_reported: false }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }

    /// The same after the run's own JSON object.
    pub(crate) fn reported(self) -> Self {
        Self { is_reported: true, ..self }
    }

    /// Prints it, with `json` also as an object unless the run printed its own, and gives the exit code.
    #[must_use]
    pub fn report(&self, json: bool) -> ExitCode {
        let Self { exit_code, message, hint, is_reported } = self;
        complain("error", message);
        if let Some(hint) = hint {
            complain("hint", hint);
        }
        if json && !is_reported {
            let object = serde_json::json!({ "error": message, "hint": hint, "exit_code": exit_code });
            // Standard error has the news already; there is nowhere left to report that this failed too.
            let _ = object_to_stdout(&object);
        }
        ExitCode::from(*exit_code)
    }
}

/// Prints a JSON object.
pub(crate) fn object_to_stdout(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).expect("every key is a text");
    print(format_args!("{text}\n"))
}

/// Writes to standard output. A reader that has gone away is not an error: the exit code still tells the result.
pub(crate) fn print(text: Arguments<'_>) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format_args!("cannot write to standard output: {error}");
            Err(Failure { exit_code: 4, ..Failure::usage(message) })
        }
        _ => Ok(()),
    }
}

/// One line on standard error. If that is gone there is nobody to tell, and the exit code still does.
pub(crate) fn complain(kind: &str, text: &str) {
    let text = text.replace(['\n', '\r'], " ");
    let _ = writeln!(stderr().lock(), "phalanx: {kind}: {text}");
}
