//! `phalanx serve`: signatures over HTTP, each position once.

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::state;
use phalanx_custody::keystore::Password;
use phalanx_custody::signer::{Config, Signer, Start, StartError, openapi};
use std::io;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Serve signatures over HTTP from keystores, through a ledger
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx serve --config signer.toml --check")]
pub(crate) struct Args {
    /// The configuration: see docs/signer.md
    #[arg(long, value_name = "F", required_unless_present = "openapi")]
    config: Option<PathBuf>,
    /// Say what the configuration means, and do nothing
    #[arg(long)]
    check: bool,
    /// Print the description of the service, OpenAPI 3.1
    #[arg(long, conflicts_with_all = ["config", "check"])]
    openapi: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(super) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let Some(path) = &args.config else {
        let text = openapi::text();
        output.line(text.trim_end())?;
        let document: serde_json::Value = serde_json::from_str(text).map_err(Failure::system)?;
        output.object(&document)?;
        return Ok(Exit::Good);
    };
    let mut config = Config::read(path).map_err(Failure::usage)?;
    let state = state::folder()?;
    // Where the other commands keep it, too.
    config.ledger.witness.get_or_insert_with(|| state.path().to_owned());
    if args.check {
        let lines = config.summary();
        lines.iter().try_for_each(|line| output.line(line))?;
        output.object(&serde_json::json!({ "summary": lines }))?;
        return Ok(Exit::Good);
    }
    let start = Start {
        config,
        config_path: path.clone(),
        state,
        prompt: &mut ask,
        log: Box::new(io::stderr()),
        harden: true,
    };
    Signer::start(start).and_then(Signer::run).map_err(failure)?;
    Ok(Exit::Good)
}

/// Asks for a password at the terminal; what is typed is not shown.
fn ask(path: &Path) -> io::Result<Password> {
    let typed = Zeroizing::new(rpassword::prompt_password(format!("password of {}: ", path.display()))?);
    Password::from_bytes(typed.as_bytes()).map_err(|error| io::Error::other(error.to_string()))
}

fn failure(error: StartError) -> Failure {
    match error {
        StartError::Config(error) => Failure::usage(error),
        StartError::Ledger(error) => error.into(),
        StartError::Keystores(_) => Failure::refused(error),
        _ => Failure::system(error),
    }
}
