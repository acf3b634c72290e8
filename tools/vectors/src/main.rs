//! `cargo xtask vectors`: see the library.
#![forbid(unsafe_code)]

use clap::Parser;
use clap::error::ErrorKind;
use phalanx::Threads;
use phalanx_vectors::{Failure, Options, chosen_backends};
use std::path::PathBuf;
use std::process::ExitCode;

/// Run vector files and compare every answer, on every backend of this CPU
///
/// Folders are walked. Every case must pass, and every file, list and key must be understood: exit code 1 if a case
/// fails, 2 if something is not recognised, empty, or there is nothing to run.
#[derive(Parser)]
#[command(
    name = "cargo xtask vectors",
    after_help = "Example: cargo xtask vectors vectors/xmss --backend all"
)]
struct Args {
    /// Files or folders of vectors
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Backend to run, or `all` [default: PHALANX_BACKEND if set, else all]
    #[arg(long, value_name = "all|NAME")]
    backend: Option<String>,
    /// Threads to use; without it, all that the system offers
    #[arg(long, value_name = "N", env = "PHALANX_THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // A closed standard output is the reader's choice.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let text = error.render().to_string();
            let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
            let message = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            let json = std::env::args_os().any(|arg| arg == "--json");
            return Failure::usage(message).hint("see 'cargo xtask vectors --help'").report(json);
        }
    };
    let ran = chosen_backends(args.backend.as_deref()).and_then(|backends| {
        let threads = args.threads.map_or_else(Threads::available, |count| Threads::new(count.into()));
        phalanx_vectors::run(&Options { paths: args.paths, backends, threads, json: args.json })
    });
    ran.map_or_else(|failure| failure.report(args.json), |()| ExitCode::SUCCESS)
}
