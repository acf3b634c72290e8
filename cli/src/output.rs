//! What a command prints: text, or with `--json` one JSON object, on standard output; errors, hints and notes on
//! standard error. Nothing here is ever given a secret.

use crate::exit::Failure;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The `--json` flag, to be flattened into a command's arguments.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct JsonFlag {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where results go, in the form the user asked for.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    printed: AtomicBool,
}

impl Output {
    /// Text, or JSON if `json`; of text nothing if `quiet`.
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet, printed: AtomicBool::new(false) }
    }

    /// Whether the user asked for JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether the user wants no text.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a line of text; with `--json` or `--quiet` nothing.
    pub(crate) fn line(&self, text: impl Display) -> Result<(), Failure> {
        if self.json || self.quiet { Ok(()) } else { print(format_args!("{text}\n")) }
    }

    /// Prints the JSON object of the command, which must be its only one; without `--json` nothing.
    pub(crate) fn object(&self, value: &impl Serialize) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        self.printed.store(true, Ordering::Relaxed);
        let text = serde_json::to_string_pretty(value).map_err(Failure::system)?;
        print(format_args!("{text}\n"))
    }

    /// Says something aside on standard error, in one line.
    pub(crate) fn note(&self, text: impl Display) {
        complain("note", text);
    }

    /// Names a case that failed, on standard error.
    pub(crate) fn failed(&self, text: impl Display) {
        complain("failed", text);
    }

    /// Reports why the command failed: on standard error, and with `--json` as the command's object, unless it has
    /// printed one already.
    pub(crate) fn failure(&self, failure: &Failure) {
        complain("error", &failure.message);
        if let Some(hint) = &failure.hint {
            complain("hint", hint);
        }
        if self.json && !self.printed.load(Ordering::Relaxed) {
            let object = serde_json::json!({
                "error": failure.message, "hint": failure.hint, "exit_code": failure.exit as u8,
            });
            // Standard error has the news already; there is nowhere left to report that this failed too.
            let _ = print(format_args!("{object:#}\n"));
        }
    }
}

/// Writes to standard output. A reader that has gone away is not an error: the exit code still tells the result.
fn print(text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
    if cfg!(test) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::system(format_args!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// One line on standard error; if even that fails there is nobody to tell.
fn complain(kind: &str, text: impl Display) {
    if cfg!(test) {
        return;
    }
    let text = text.to_string().replace(['\n', '\r'], " ");
    let _ = writeln!(io::stderr().lock(), "phalanx: {kind}: {text}");
}
