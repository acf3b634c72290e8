//! `cargo tour`: see [`phalanx_tour`].

use phalanx::Backend;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Prints the tour.
fn main() -> ExitCode {
    if let Some(problem) = unknown_backend() {
        eprintln!("tour: error: {problem}");
        return ExitCode::from(2);
    }
    match print(&mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tour: error: {error}");
            ExitCode::from(4)
        }
    }
}

/// What is wrong with `PHALANX_BACKEND`, which the library passes over where it names nothing.
fn unknown_backend() -> Option<String> {
    let name = std::env::var_os("PHALANX_BACKEND").filter(|name| !name.is_empty())?;
    let is_used = name.to_str() == Some(Backend::current().name());
    (!is_used).then(|| format!("PHALANX_BACKEND: this CPU has no backend '{}'", name.to_string_lossy()))
}

/// Prints section after section; false if one found a fault.
fn print(out: &mut impl Write) -> io::Result<bool> {
    let clock = Instant::now();
    writeln!(out, "{}", phalanx_tour::title())?;
    for section in phalanx_tour::sections() {
        match section {
            Ok(section) => writeln!(out, "\n{section}")?,
            Err(fault) => {
                out.flush()?;
                eprintln!("tour: error: {fault}");
                return Ok(false);
            }
        }
    }
    writeln!(out, "\nall results are as they should be ({:.2} s)", clock.elapsed().as_secs_f64())?;
    Ok(true)
}
