//! `phalanx completions`: what a shell needs to complete our commands.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use clap_complete::Shell;
use std::path::Path;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(after_help = "Example: source <(phalanx completions bash)")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, mut command: clap::Command, output: &Output) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "phalanx", &mut script);
    if output.is_json() {
        let script = String::from_utf8_lossy(&script);
        output.object(&serde_json::json!({ "shell": args.shell.to_string(), "script": script }))?;
    } else {
        files::write(Path::new("-"), &script, Privacy::Public, false)?;
    }
    Ok(Exit::Good)
}
