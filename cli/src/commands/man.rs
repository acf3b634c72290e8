//! `phalanx man`: manual pages, one for every command.

use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use std::path::{Path, PathBuf};

/// Print the manual page, or write the pages of all commands to a folder
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx man --out ~/.local/share/man/man1")]
pub(crate) struct Args {
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
        let (name, page) = pages.swap_remove(0);
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
