//! `phalanx man`: manual pages, one for every command.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use std::path::{Path, PathBuf};

/// Print the manual page of a command, or write the pages of all commands to a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx man xmss sign | man -l -
  phalanx man --out ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The command [default: phalanx itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Folder for the pages of all commands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace pages that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, mut command: clap::Command, output: &Output) -> Result<Exit, Failure> {
    let mut pages = Vec::new();
    // Gives every command its full name.
    command.build();
    render(&command, &mut pages)?;
    let Some(folder) = &args.out else {
        let wanted = ["phalanx"].into_iter().chain(args.command.iter().map(String::as_str));
        let wanted = wanted.collect::<Vec<_>>().join("-") + ".1";
        let Some((name, page)) = pages.into_iter().find(|(name, _)| *name == wanted) else {
            return Err(Failure::usage(format_args!("there is no command '{}'", args.command.join(" ")))
                .hint("'phalanx help' names those that there are"));
        };
        if output.is_json() {
            output.object(&serde_json::json!({ "page": name, "text": String::from_utf8_lossy(&page) }))?;
        } else {
            files::write(Path::new("-"), &page, Privacy::Public, false)?;
        }
        return Ok(Exit::Good);
    };
    files::create_folder(folder)?;
    let names: Vec<_> = pages.iter().map(|(name, _)| name.clone()).collect();
    for (name, page) in &pages {
        files::write(&folder.join(name), page, Privacy::Public, args.force)?;
    }
    output.line(format_args!("{} pages in '{}'", names.len(), folder.display()))?;
    output.object(&serde_json::json!({ "folder": folder, "pages": names }))?;
    Ok(Exit::Good)
}

/// The pages of a command and of those below it.
fn render(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text).map_err(Failure::system)?;
    pages.push((format!("{name}.1"), text));
    // `help` is every page again.
    let mut below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below.try_for_each(|below| render(below, pages))
}
