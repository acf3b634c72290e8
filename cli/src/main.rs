//! `phalanx`: the command line. Nouns first, then verbs; data on standard output, errors and hints on standard error.
//!
//! One file per command under [`commands`]; what they share stands beside them: [`output`], [`exit`], [`files`],
//! [`key_ledger`] (what a key has signed), [`checkpoint`] (unfinished key generations).
#![deny(unsafe_code)]
#![cfg_attr(
    not(all(unix, feature = "custody")),
    allow(dead_code, reason = "parts of what makes and keeps keys, which this build lacks")
)]

mod args;
mod backends;
mod bench;
mod checkpoint;
mod commands;
mod digits;
mod encrypted;
mod exit;
mod faults;
mod files;
mod folder;
mod formats;
mod interrupt;
mod json_lines;
mod key_files;
mod key_json;
#[cfg(all(unix, feature = "custody"))]
mod key_ledger;
mod local_time;
#[cfg(all(unix, feature = "custody"))]
mod new_key;
mod old_record;
mod output;
mod password;
mod private;
mod progress;
mod seed;
mod selftest;
#[cfg(all(test, unix, feature = "custody"))]
mod sequences;
#[cfg(all(unix, feature = "custody"))]
mod state;
mod temporary;
mod values;

use clap::{CommandFactory, Parser};
use commands::Cli;
use exit::{Exit, Failure};
use output::Output;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let output = Output::new(cli.wants_json(), cli.quiet);
    // The choice is per thread; the library hands it down to the threads it starts.
    let result = match backends::forced() {
        Ok(Some(backend)) => backend
            .force(|| cli.command.run(&output))
            .unwrap_or_else(|error| Err(Failure::usage(error).hint(backends::available()))),
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

/// Prints what clap has to say: help and version as they are, anything else as our one error line and a hint.
fn usage(error: &clap::Error) -> Exit {
    use clap::error::ErrorKind;
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed standard output is the reader's choice.
        let _ = error.print();
        return Exit::Good;
    }
    let json = std::env::args_os().any(|arg| arg == "--json");
    let is_missing = matches!(
        error.kind(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
    );
    let failure = if is_missing {
        let (name, mut command) = command_given();
        // The help that was as good as asked for, but not on standard output: a script that has lost its arguments has not
        // succeeded. If that fails there is nobody to tell.
        if !json {
            let _ = writeln!(std::io::stderr().lock(), "{}", command.render_long_help());
        }
        Failure::usage("a command is missing").hint(format_args!("see '{name} --help'"))
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
    Output::new(json, false).failure(&failure);
    Exit::Usage
}

/// The hint that points to the help of the command on the command line: of `phalanx xmss sign`, say.
fn see_help() -> String {
    format!("see '{} --help'", command_given().0)
}

/// The command on the command line as far as it is one, with its whole name.
fn command_given() -> (String, clap::Command) {
    let mut command = Cli::command();
    command.build();
    let mut name = "phalanx".to_owned();
    let is_option = |arg: &std::ffi::OsString| arg.to_string_lossy().starts_with('-');
    for arg in std::env::args_os().skip(1).skip_while(is_option) {
        let Some(below) = command.find_subcommand(arg).cloned() else { break };
        name = format!("{name} {}", below.get_name());
        command = below;
    }
    (name, command)
}
