//! `phalanx ledger`: what an operator does with a ledger of used epochs.
//!
//! No verb lowers a watermark, opens a position or brings back a retired key; each leaves a line with its reason.

mod adopt_records;
mod answers;
mod check;
mod init;
mod reconcile;
mod status;
mod transfer;

use crate::exit::{Exit, Failure};
use crate::key_ledger::{self, FileSystemArgs};
use crate::output::Output;
use clap::Subcommand;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::sqlite::{LedgerOptions, SqliteLedger};
use std::path::PathBuf;

/// Which ledger.
#[derive(clap::Args)]
pub(crate) struct LedgerArgs {
    /// Folder of the ledger: of a key's own one '<secret key>.ledger'
    #[arg(long, value_name = "DIR")]
    ledger: PathBuf,
    #[command(flatten)]
    file_systems: FileSystemArgs,
}

impl LedgerArgs {
    fn options(&self) -> Result<LedgerOptions, Failure> {
        key_ledger::options(&self.ledger, &self.file_systems)
    }

    fn open(&self) -> Result<SqliteLedger, Failure> {
        key_ledger::open(&self.options()?)
    }
}

/// Which key, and why something is done with it.
#[derive(clap::Args)]
pub(crate) struct AnswerArgs {
    /// The key, by the 64 digits of its key id: typed in full, so that it is the one that is meant
    #[arg(long, value_name = "ID", value_parser = key_id)]
    key_id: KeyId,
    /// Why: it is written down
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Parses a key id.
fn key_id(text: &str) -> Result<KeyId, String> {
    KeyId::from_hex(text).ok_or_else(|| "a key id is 64 lower-case hexadecimal digits".to_owned())
}

/// Parses the name of a ledger.
fn ledger_id(text: &str) -> Result<[u8; 16], String> {
    let mut id = [0; 16];
    let read = hex::decode_to_slice(text, &mut id);
    read.map(|()| id).map_err(|_| "the name of a ledger is 32 hexadecimal digits".to_owned())
}

/// What to do with ledgers.
#[derive(Subcommand)]
pub(crate) enum Command {
    Status(status::Args),
    Check(check::Args),
    Init(init::Args),
    AdoptRecords(adopt_records::Args),
    Adopt(answers::Adopt),
    RaiseLow(answers::RaiseLow),
    AcceptMove(answers::AcceptMoved),
    Reconcile(reconcile::Args),
    Export(transfer::Export),
    Import(transfer::Import),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Status(args) => args.json.json,
            Self::Check(args) => args.json.json,
            Self::Init(args) => args.json.json,
            Self::AdoptRecords(args) => args.json.json,
            Self::Adopt(args) => args.json.json,
            Self::RaiseLow(args) => args.json.json,
            Self::AcceptMove(args) => args.json.json,
            Self::Reconcile(args) => args.json.json,
            Self::Export(args) => args.json.json,
            Self::Import(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Status(args) => status::run(args, output),
            Self::Check(args) => check::run(args, output),
            Self::Init(args) => init::run(args, output),
            Self::AdoptRecords(args) => adopt_records::run(args, output),
            Self::Adopt(args) => answers::adopt(args, output),
            Self::RaiseLow(args) => answers::raise_low(args, output),
            Self::AcceptMove(args) => answers::accept_move(args, output),
            Self::Reconcile(args) => reconcile::run(args, output),
            Self::Export(args) => transfer::export(args, output),
            Self::Import(args) => transfer::import(args, output),
        }
    }
}
