//! `phalanx`: the command line. Nouns first, then verbs; data on standard output, errors and hints on standard error.
//!
//! One file per command under [`commands`]; what they share stands beside them: [`output`], [`exit`], [`files`],
//! [`record`] (which epochs of a key are used), [`checkpoint`] (unfinished key generations).
#![deny(unsafe_code)]

mod args;
mod bench;
mod checkpoint;
mod commands;
mod exit;
mod files;
mod formats;
mod interrupt;
mod json_lines;
mod key_json;
mod output;
mod progress;
mod record;
mod seed;
mod selftest;

use clap::{CommandFactory, Parser};
use commands::Cli;
use exit::{Exit, Failure};
use output::Output;
use phalanx::Backend;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let output = Output::new(cli.command.wants_json());
    // The choice is per thread; the library hands it down to the threads it starts.
    let result = match forced_backend() {
        Ok(Some(backend)) => backend
            .force(|| cli.command.run(&output))
            .unwrap_or_else(|error| Err(Failure::usage(error).hint(available_backends()))),
        Ok(None) => cli.command.run(&output),
        Err(failure) => Err(failure),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit.into()
        }
    }
}

/// The backend that `PHALANX_BACKEND` asks for; unset or empty means the best.
fn forced_backend() -> Result<Option<Backend>, Failure> {
    let Some(name) = std::env::var_os("PHALANX_BACKEND").filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    let name = name.to_string_lossy();
    match Backend::from_name(&name) {
        Some(backend) if backend.is_available() => Ok(Some(backend)),
        Some(_) => {
            Err(Failure::usage(format_args!("PHALANX_BACKEND: this CPU cannot run the backend '{name}'"))
                .hint(available_backends()))
        }
        None => Err(Failure::usage(format_args!("PHALANX_BACKEND: this version has no backend '{name}'"))
            .hint(available_backends())),
    }
}

/// The hint that names what there is.
fn available_backends() -> String {
    let names: Vec<_> =
        Backend::ALL.into_iter().filter(|backend| backend.is_available()).map(Backend::name).collect();
    format!("available here: {}", names.join(", "))
}

/// Prints what clap has to say: help and version as they are, anything else as our one error line and a hint.
fn usage(error: &clap::Error) -> Exit {
    use clap::error::ErrorKind;
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed standard output is the reader's choice.
        let _ = error.print();
        return Exit::Good;
    }
    let json = std::env::args_os().any(|arg| arg == "--json");
    let failure = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        Failure::usage("a command is missing").hint(see_help())
    } else {
        let text = error.render().to_string();
        let mut message = Vec::new();
        let mut hint = None;
        for line in text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:")) {
            match line.strip_prefix("tip: ") {
                Some(tip) => hint = Some(tip.to_owned()),
                None if line.is_empty() || line.starts_with("For more information") => {}
                None => message.push(line.strip_prefix("error: ").unwrap_or(line)),
            }
        }
        Failure::usage(message.join(" ")).hint(hint.unwrap_or_else(see_help))
    };
    Output::new(json).failure(&failure);
    Exit::Usage
}

/// The hint that points to the help of the command on the command line: of `phalanx xmss sign`, say.
fn see_help() -> String {
    let mut command = Cli::command();
    let mut name = "phalanx".to_owned();
    for arg in std::env::args_os().skip(1) {
        let Some(below) = command.find_subcommand(arg).cloned() else { break };
        name = format!("{name} {}", below.get_name());
        command = below;
    }
    format!("see '{name} --help'")
}
