//! `cargo xtask benchmarks`: BENCHMARKS.md and the README's table of speed, made from `docs/measurements/`.
//!
//! A measurement that is added there appears in BENCHMARKS.md without further work: its machine, date and build stand
//! in its name, and its system is read from its rows (`docs/measurements/README.md`).

mod aggregate;
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

/// A table of the README.
struct Table {
    begin: &'static str,
    /// The one backend that it is of, and how the peers were built, if it is not of all.
    only: Option<(&'static str, &'static str)>,
}

/// The README's tables. A laptop is this machine held to what laptops have: its clock and caches are another's, its
/// instructions are not.
const TABLES: [Table; 2] = [
    Table { begin: "<!-- table: speed -->\n", only: None },
    Table { begin: "<!-- table: speed on a laptop -->\n", only: Some(("avx2-gfni", "haswell")) },
];
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
                with_tables(&read.as_ref().map_err(|error| format!("{name}: {error}"))?.clone(), &runs)?
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

/// `readme` with its tables made anew.
fn with_tables(readme: &str, runs: &[Run]) -> Result<String, String> {
    let mut made = readme.to_owned();
    for Table { begin, only } in TABLES {
        let is_in = |run: &&Run| {
            run.machine == text::README_MACHINE && only.is_none_or(|(_, build)| run.build == build)
        };
        let runs: Vec<_> = runs.iter().filter(is_in).collect();
        let name = begin.trim_end();
        let (before, rest) = made.split_once(begin).ok_or_else(|| format!("README.md has no {name}"))?;
        let (_, after) = rest.split_once(END).ok_or_else(|| format!("README.md: {name} does not end"))?;
        made =
            format!("{before}{begin}{}{END}{after}", tables::speed(&runs, only.map(|(backend, _)| backend))?);
    }
    Ok(made)
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

    /// Only what stands between the marks is made anew; a README without one of them is an error.
    #[test]
    fn the_readme_keeps_what_is_not_its_tables() {
        let runs = runs::newest(runs::read(&root().join(FOLDER)).expect("the folder is sound"));
        let [all, laptop] = TABLES.map(|table| table.begin);
        let readme = format!("before\n{all}stale\n{END}\nbetween\n{laptop}stale\n{END}\nafter\n");
        let made = with_tables(&readme, &runs).expect("every row is there");
        assert!(
            made.starts_with(&format!("before\n{all}| ")) && made.ends_with(&format!("|\n{END}\nafter\n"))
        );
        assert!(made.contains(&format!("|\n{END}\nbetween\n{laptop}| ")) && !made.contains("stale"));
        assert!(made.contains("avx2-gfni"), "{made}");
        for lacking in ["no table".to_owned(), all.to_owned(), readme.replace(laptop, "")] {
            assert!(with_tables(&lacking, &runs).is_err(), "{lacking}");
        }
    }
}
