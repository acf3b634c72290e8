//! Counts of instructions: the only figures that do not change from run to run on a machine that others use, too.
//!
//! `cargo xtask counts` writes a file for each backend of this CPU to `docs/counts`. An operation is run under
//! [`trace`], instruction by instruction, so that loops and branches count as they are taken; the list of what ran is
//! given to LLVM's models of five CPUs ([`models`]).
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod models;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod operations;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod table;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trace;

use std::process::ExitCode;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> ExitCode {
    let outcome = match trace::task() {
        Some((operation, backend, times)) => table::child(&operation, &backend, times),
        None => table::write(&std::env::args().skip(1).collect::<Vec<_>>()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("counts: error: {problem}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> ExitCode {
    eprintln!("counts: error: instructions are counted on Linux on x86-64 only");
    ExitCode::FAILURE
}
