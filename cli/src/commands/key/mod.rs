//! `phalanx key`: keystores.

mod change_password;
mod derive;
mod export;
mod failure;
mod import;
mod inspect;
mod ledger;
mod making;
mod new;
mod new_master;
mod password;
mod report;
mod retire;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use clap::Subcommand;

/// What to do with keystores.
#[derive(Subcommand)]
pub(crate) enum Command {
    New(Box<new::Args>),
    NewMaster(new_master::Args),
    Import(Box<import::Args>),
    Derive(Box<derive::Args>),
    Inspect(inspect::Args),
    ChangePassword(change_password::Args),
    Export(export::Args),
    Retire(retire::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::New(args) => args.json.json,
            Self::NewMaster(args) => args.json.json,
            Self::Import(args) => args.json.json,
            Self::Derive(args) => args.json.json,
            Self::Inspect(args) => args.json.json,
            Self::ChangePassword(args) => args.json.json,
            Self::Export(args) => args.json.json,
            Self::Retire(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::New(args) => new::run(args, output),
            Self::NewMaster(args) => new_master::run(args, output),
            Self::Import(args) => import::run(args, output),
            Self::Derive(args) => derive::run(args, output),
            Self::Inspect(args) => inspect::run(args, output),
            Self::ChangePassword(args) => change_password::run(args, output),
            Self::Export(args) => export::run(args, output),
            Self::Retire(args) => retire::run(args, output),
        }
    }
}
