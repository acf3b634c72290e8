//! A table for each backend.

use crate::models::{self, Estimate, MODELS, Model};
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

/// The longest list of which a model sees the beginning, too.
const SHORT: usize = 50_000;

/// What a model says of one operation, for an item of it: what running twice takes more than running once, as long as that is short. Of a
/// long operation it is shown the instructions of the second time alone, with some that come after it in place of its first.
fn modelled(model: &Model, once: &[&str], twice: &[&str]) -> Result<Option<[u64; 2]>, String> {
    let second = &twice[once.len().min(twice.len())..];
    let numbers = |estimate: Estimate| [estimate.micro_operations, estimate.cycles];
    if second.len() > SHORT {
        return Ok(models::estimate(model, second)?.map(numbers));
    }
    let [once, twice] = [models::estimate(model, once)?, models::estimate(model, twice)?];
    let more = |once: [u64; 2], twice: [u64; 2]| [0, 1].map(|i| twice[i].saturating_sub(once[i]));
    Ok(once.zip(twice).map(|(once, twice)| more(numbers(once), numbers(twice))))
}

/// What running twice takes more than running once: calls and conversions around it do not count.
fn line(operation: &Operation, backend: Backend, code: &HashMap<u64, String>) -> Result<String, String> {
    let lists = [1, 2].map(|times| trace::instructions(operation.name, backend.name(), times));
    let [once, twice] = lists.map(|list| list.map_err(|problem| format!("{}: {problem}", operation.name)));
    let (once, twice) = (once?, twice?);
    let items = operation.items(backend) as f64;
    let more = twice.len().saturating_sub(once.len());
    let mut text = format!("| `{}` | {} |", operation.name, short(more as f64 / items));
    let known = |list: &[Option<u64>]| -> Vec<&str> {
        list.iter().flatten().filter_map(|address| code.get(address).map(String::as_str)).collect()
    };
    let (once, twice) = (known(&once), known(&twice));
    for model in &MODELS {
        if model.lacks.contains(&backend) {
            text += " - |";
            continue;
        }
        match modelled(model, &once, &twice)? {
            Some(numbers) => {
                let [operations, cycles] = numbers.map(|number| short(number as f64 / items));
                write!(text, " {operations} / {cycles} |").expect("to a string");
            }
            None => text += " - |",
        }
    }
    Ok(text + "\n")
}

/// Three digits or more.
fn short(number: f64) -> String {
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$}")
}
