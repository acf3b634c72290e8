//! `phalanx ledger`: what an operator does with a ledger of used epochs.
//!
//! No verb lowers a watermark, opens a position or brings back a retired key; each leaves a line with its reason.

mod adopt_records;
mod answers;
mod check;
mod init;
mod join;
mod reconcile;
mod status;
mod transfer;

use super::xmss::input::SchemeArgs;
use super::xmss::secret_key::SecretKey;
use crate::exit::{Exit, Failure};
use crate::key_json::KeyJson;
use crate::key_ledger::{self, FileSystemArgs, NO_ROLE};
use crate::output::Output;
use crate::{digits, formats};
use clap::Subcommand;
use phalanx::xmss::Format;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::durable::LedgerOptions;
use phalanx_custody::ledger::registry::Registry;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// Which ledger.
#[derive(clap::Args)]
pub(crate) struct LedgerArgs {
    /// Folder of the ledger: of a key's own one '<secret key>.ledger'
    #[arg(long, value_name = "DIR")]
    ledger: PathBuf,
    /// The store is in PostgreSQL, at postgres://USER@HOST/DATABASE [default: where the folder says]. Its password is in a
    /// file, named by the parameter 'passfile' or by PGPASSFILE, and never here
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    #[command(flatten)]
    file_systems: FileSystemArgs,
}

impl LedgerArgs {
    fn options(&self) -> Result<LedgerOptions, Failure> {
        let options = key_ledger::options(&self.ledger, &self.file_systems)?;
        Ok(match &self.store {
            Some(url) => options.store(url),
            None => options,
        })
    }

    fn open(&self) -> Result<SqliteLedger, Failure> {
        Ok(key_ledger::open(&self.options()?)?)
    }

    /// What says which ledger keeps which key, for a command that changes it.
    fn registry(&self) -> Result<Registry, Failure> {
        key_ledger::registry(&self.file_systems)
    }
}

/// Says which keys of a ledger sign by another one still.
fn note_left(keys: &[KeyId], output: &Output) {
    for key in keys {
        output.note(format_args!("{key}: another ledger keeps this key, and goes on; here it signs nothing"));
    }
}

/// Which secret key.
#[derive(clap::Args)]
pub(crate) struct KeyFileArgs {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Encoding of the key [default: what key.json beside it says, else ssz]
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser())]
    format: Option<Format>,
    /// What the key is for
    #[arg(long, value_name = "ROLE", default_value = NO_ROLE,
          value_parser = ["attester", "proposer", "aggregator", "builder", NO_ROLE])]
    role: String,
    #[command(flatten)]
    file_systems: FileSystemArgs,
}

impl KeyFileArgs {
    /// How the ledger beside the file is opened.
    fn options(&self, real: &Path) -> Result<LedgerOptions, Failure> {
        key_ledger::options(&key_ledger::folder_of(real), &self.file_systems)
    }

    fn format(&self) -> Format {
        let beside = || KeyJson::beside(&self.secret_key).and_then(|key| Format::from_name(&key.encoding));
        self.format.or_else(beside).unwrap_or(Format::Ssz)
    }

    fn read(&self) -> Result<SecretKey, Failure> {
        SecretKey::read(&self.secret_key, self.scheme.scheme, self.format())
    }
}

/// Why something is done.
#[derive(clap::Args)]
pub(crate) struct ReasonArgs {
    /// Why: it is written down
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Which key of a ledger.
#[derive(clap::Args)]
pub(crate) struct KeyIdArgs {
    /// The key, by the 64 digits of its key id, so that it is the one that is meant [default: asked for]
    #[arg(long, value_name = "ID", value_parser = key_id)]
    yes_key_id: Option<KeyId>,
}

impl KeyIdArgs {
    /// The key that the operator means: as an argument, or typed in full at the terminal.
    fn read(&self, expected: Option<&KeyId>) -> Result<KeyId, Failure> {
        if let Some(id) = self.yes_key_id {
            return Ok(id);
        }
        let input = std::io::stdin();
        if !input.is_terminal() {
            let hint = expected.map_or_else(
                || "'phalanx ledger status' shows the key ids of a ledger".to_owned(),
                |id| format!("--yes-key-id {id} says that this key is meant"),
            );
            return Err(Failure::usage("which key is meant is not said: --yes-key-id is missing").hint(hint));
        }
        eprint!("the key id, typed in full: ");
        let mut line = String::new();
        let read = input.lock().read_line(&mut line);
        read.map_err(|error| Failure::system(format_args!("cannot read from the terminal: {error}")))?;
        key_id(line.trim()).map_err(Failure::usage)
    }
}

/// Parses a key id.
fn key_id(text: &str) -> Result<KeyId, String> {
    digits::array(text.as_bytes()).map(KeyId).ok_or_else(|| "a key id is 64 hexadecimal digits".to_owned())
}

/// Parses the name of a ledger.
fn ledger_id(text: &str) -> Result<[u8; 16], String> {
    digits::array(text.as_bytes()).ok_or_else(|| "the name of a ledger is 32 hexadecimal digits".to_owned())
}

/// What to do with ledgers.
#[derive(Subcommand)]
pub(crate) enum Command {
    Status(status::Args),
    Check(check::Args),
    Init(init::Args),
    Join(join::Args),
    AdoptRecords(adopt_records::Args),
    Adopt(answers::Adopt),
    #[command(visible_alias = "raise-low")]
    Burn(answers::Burn),
    Split(transfer::Split),
    AcceptMove(answers::AcceptMoved),
    AcceptFailover(answers::AcceptFailedOver),
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
            Self::Join(args) => args.json.json,
            Self::AdoptRecords(args) => args.json.json,
            Self::Adopt(args) => args.json.json,
            Self::Burn(args) => args.json.json,
            Self::Split(args) => args.json.json,
            Self::AcceptMove(args) => args.json.json,
            Self::AcceptFailover(args) => args.json.json,
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
            Self::Join(args) => join::run(args, output),
            Self::AdoptRecords(args) => adopt_records::run(args, output),
            Self::Adopt(args) => answers::adopt(args, output),
            Self::Burn(args) => answers::burn(args, output),
            Self::Split(args) => transfer::split(args, output),
            Self::AcceptMove(args) => answers::accept_move(args, output),
            Self::AcceptFailover(args) => answers::accept_failover(args, output),
            Self::Reconcile(args) => reconcile::run(args, output),
            Self::Export(args) => transfer::export(args, output),
            Self::Import(args) => transfer::import(args, output),
        }
    }
}
