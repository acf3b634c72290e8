//! Commands that need the feature `custody`, where this program was built without it.

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use std::ffi::OsString;

/// Not in this build: it was made without the feature 'custody'
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What would have been asked for
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _all: Vec<OsString>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Says what is missing.
pub(crate) fn failure() -> Failure {
    let text = if cfg!(unix) {
        "this program was built without the feature 'custody', which keeps a key from signing an epoch twice"
    } else {
        "XMSS keys are kept on Unix only: ledgers need its file modes and locks"
    };
    Failure::usage(text)
}

/// Runs it.
pub(crate) fn run(_: &Args, _: &Output) -> Result<Exit, Failure> {
    Err(failure())
}
