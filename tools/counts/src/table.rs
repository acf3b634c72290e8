//! A table for each backend.

use crate::models::{self, MODELS};
use crate::operations::{ALL, Operation};
use crate::trace;
use phalanx::Backend;
use std::collections::HashMap;
use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;

/// In a child: does what is asked for, seen by the parent.
pub(crate) fn child(operation: &str, backend: &str, times: usize) -> Result<(), String> {
    let operation = ALL.iter().find(|known| known.name == operation).ok_or("no such operation")?;
    let backend = Backend::from_name(backend).ok_or("no such backend")?;
    let forced = backend.force(|| {
        let mut work = (operation.prepare)(operation.items(backend));
        // Tables that are made at first use are not the operation's.
        work(1);
        trace::show(|| work(times)).map_err(|error| error.to_string())
    });
    forced.map_err(|error| error.to_string())?
}

/// Writes `FOLDER/BACKEND.md` for every backend of this CPU; of the operations only those whose name begins as told.
pub(crate) fn write(arguments: &[String]) -> Result<(), String> {
    let [folder, beginnings @ ..] = arguments else {
        return Err("phalanx-counts FOLDER [OPERATION...]".to_owned());
    };
    let wanted = |operation: &&Operation| {
        beginnings.is_empty() || beginnings.iter().any(|beginning| operation.name.starts_with(beginning))
    };
    let code = models::disassembly()?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let mut text = head(backend);
        for operation in ALL.iter().filter(wanted) {
            text += &line(operation, backend, &code)?;
            print!(".");
            std::io::stdout().flush().ok();
        }
        let file = Path::new(folder).join(format!("{}.md", backend.name()));
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        println!(" {}", file.display());
    }
    Ok(())
}

fn head(backend: Backend) -> String {
    let mut text = format!("# Instructions on `{}`\n\n", backend.name());
    text += "Made by `cargo xtask counts`: instructions that ran, for one item, and the micro-operations / cycles that\n";
    text += "LLVM's models of CPUs see in them. A dash: the CPU lacks an instruction, or the list is too long for a model.\n\n";
    text += "| operation | instructions |";
    for model in MODELS {
        write!(text, " {} |", model.title).expect("to a string");
    }
    text + "\n|---|---:|" + &"---:|".repeat(MODELS.len()) + "\n"
}

/// What running twice takes more than running once: calls and conversions around it do not count.
fn line(operation: &Operation, backend: Backend, code: &HashMap<u64, String>) -> Result<String, String> {
    let lists = [1, 2].map(|times| trace::instructions(operation.name, backend.name(), times));
    let [once, twice] = lists.map(|list| list.map_err(|problem| format!("{}: {problem}", operation.name)));
    let (once, twice) = (once?, twice?);
    let per_item =
        |once: u64, twice: u64| twice.saturating_sub(once) as f64 / operation.items(backend) as f64;
    let mut text =
        format!("| `{}` | {} |", operation.name, short(per_item(once.len() as u64, twice.len() as u64)));
    let known = |list: &[Option<u64>]| -> Vec<&str> {
        list.iter().flatten().filter_map(|address| code.get(address).map(String::as_str)).collect()
    };
    let (once, twice) = (known(&once), known(&twice));
    for model in &MODELS {
        if model.lacks.contains(&backend) {
            text += " - |";
            continue;
        }
        let estimates = [models::estimate(model, &once)?, models::estimate(model, &twice)?];
        match estimates {
            [Some(once), Some(twice)] => {
                let operations = per_item(once.micro_operations, twice.micro_operations);
                let cycles = per_item(once.cycles, twice.cycles);
                write!(text, " {} / {} |", short(operations), short(cycles)).expect("to a string");
            }
            _ => text += " - |",
        }
    }
    Ok(text + "\n")
}

/// Three digits or more.
fn short(number: f64) -> String {
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$}")
}
