//! Programs that are asked, not run for the reader to see.

use std::process::{Command, Stdio};

/// Whether `program` starts and knows `--version`.
pub(crate) fn answers(program: &str) -> bool {
    said(Command::new(program).arg("--version")).is_ok()
}

/// What a command printed; what it complained of, if it failed.
pub(crate) fn said(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("{name}: {}; {last}", output.status))
}
