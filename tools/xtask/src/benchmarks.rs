//! `cargo xtask benchmarks`: BENCHMARKS.md and the README's table of speed, made from `docs/measurements/`.
//!
//! A measurement that is added there appears in BENCHMARKS.md without further work: its machine, date and build stand
//! in its name, and its system is read from its rows (`docs/measurements/README.md`).

mod runs;
mod tables;
mod text;

use crate::cargo::root;
pub(crate) use runs::INDEX;
use runs::{Contents, Run};
use std::path::Path;
use std::process::ExitCode;

/// The folder of measurements, seen from the root.
pub(crate) const FOLDER: &str = "docs/measurements";

/// Around the README's table.
const BEGIN: &str = "<!-- table: speed -->\n";
const END: &str = "<!-- /table -->";

/// Writes the documents, or says which of them differ from the measurements.
pub(crate) fn run(check: bool) -> ExitCode {
    match update(&root(), check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the documents are what the measurements say.
pub(crate) fn check() -> Result<(), String> {
    update(&root(), true)
}

fn update(root: &Path, check: bool) -> Result<(), String> {
    let runs = runs::newest(runs::read(&root.join(FOLDER))?);
    let mut stale = Vec::new();
    for name in ["BENCHMARKS.md", "README.md"] {
        let path = root.join(name);
        let read = std::fs::read_to_string(&path).map(|text| text.replace("\r\n", "\n"));
        let wanted = match name {
            "README.md" => {
                with_table(&read.as_ref().map_err(|error| format!("{name}: {error}"))?.clone(), &runs)?
            }
            _ => document(&runs)?,
        };
        if read.is_ok_and(|found| found == wanted) {
            continue;
        }
        if check {
            stale.push(name);
        } else {
            std::fs::write(&path, wanted).map_err(|error| format!("{name}: {error}"))?;
            println!("{name}: written");
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let (names, verb) = (stale.join(" and "), if stale.len() == 1 { "is" } else { "are" });
    Err(format!(
        "{names} {verb} not what {FOLDER} says: run `cargo xtask benchmarks` and commit what it writes"
    ))
}

/// `readme` with its table made anew.
fn with_table(readme: &str, runs: &[Run]) -> Result<String, String> {
    let (before, rest) = readme.split_once(BEGIN).ok_or("README.md has no place for the table of speed")?;
    let (_, after) = rest.split_once(END).ok_or("README.md: the table of speed does not end")?;
    let machine: Vec<_> = runs.iter().filter(|run| run.machine == text::README_MACHINE).collect();
    Ok(format!("{before}{BEGIN}{}{END}{after}", tables::speed(&machine, None)?))
}

/// BENCHMARKS.md: a section for each machine, in it one for each system.
fn document(runs: &[Run]) -> Result<String, String> {
    let mut machines: Vec<&str> = runs.iter().map(|run| &*run.machine).collect();
    machines.sort_unstable();
    machines.dedup();
    let mut text = text::HEAD.to_owned();
    for machine in machines {
        let here = || runs.iter().filter(|run| run.machine == machine);
        let facts = here().find_map(|run| match &run.contents {
            Contents::Bench(measurement) => Some(&measurement["machine"]),
            Contents::Comparison(_) => None,
        });
        text += &tables::machine(machine, facts);
        for (system, title, about) in text::SYSTEMS {
            let runs: Vec<_> = here().filter(|run| run.system == system).collect();
            if runs.is_empty() {
                continue;
            }
            text += &format!("\n### {title}\n\n{about}\n");
            for run in runs {
                let tables = match &run.contents {
                    Contents::Bench(measurement) => tables::bench(system, measurement),
                    Contents::Comparison(rows) => tables::comparison(rows),
                };
                let tables = tables.map_err(|problem| format!("{}: {problem}", run.file))?;
                text += &format!("\n{tables}\n{}\n", run.origin());
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what stands between the marks is made anew; a README without them is an error.
    #[test]
    fn the_readme_keeps_what_is_not_its_table() {
        let runs = runs::newest(runs::read(&root().join(FOLDER)).expect("the folder is sound"));
        let readme = format!("before\n{BEGIN}stale\n{END}\nafter\n");
        let made = with_table(&readme, &runs).expect("every row is there");
        assert!(
            made.starts_with(&format!("before\n{BEGIN}| ")) && made.ends_with(&format!("|\n{END}\nafter\n"))
        );
        assert!(!made.contains("stale"));
        assert!(with_table("no table", &runs).is_err());
        assert!(with_table(BEGIN, &runs).is_err());
    }
}
