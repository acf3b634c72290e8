//! What became of all rows: from the results of chunks to the files that people and programs read.
//!
//! `report.json`, `results.csv` and `verdicts.bin` are the same, byte for byte, for the same inputs and options, whatever
//! ran where and how often it was interrupted. How long it took stands in `rates.json` and in the page.

use crate::chunk::{Bad, ChunkResult, Totals};
use crate::engine::chunk_file;
use crate::error::Error;
use crate::html;
use crate::merkle::Tree;
use crate::options::{Format, Options};
use crate::plan::Plan;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bad rows that `report.json` lists; all are in `results.csv`.
const MAX_LISTED: usize = 10_000;

/// What `report.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    form: &'static str,
    /// What decided the verdicts.
    pub options: Options,
    /// Of all rows.
    pub totals: Totals,
    /// By scheme; without a name, rows whose scheme is unknown.
    pub schemes: BTreeMap<String, Totals>,
    /// By file, in the order of the plan.
    pub inputs: Vec<InputReport>,
    /// The root of the tree over all verdicts, in hexadecimal.
    pub verdicts_root: String,
    /// Rows that are not valid, the first ones.
    pub bad: Vec<BadRow>,
    /// Those beyond.
    pub bad_unlisted: u64,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputReport {
    /// Where it was, as the caller said.
    pub path: String,
    /// Its length.
    pub len_bytes: u64,
    /// SHA-256 of it, in hexadecimal.
    pub sha256: String,
    /// What it was read as.
    pub format: Format,
    /// Its rows.
    pub totals: Totals,
    /// Why it could not be read at all, if so.
    pub problem: Option<String>,
}

/// A row that is not valid, and its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The number of the file, from 0.
    pub input: usize,
    /// Where and why.
    #[serde(flatten)]
    pub bad: Bad,
}

impl Report {
    /// Whether there is something that could not be judged: a malformed row, an unreadable file, or no row at all.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        self.totals.malformed > 0
            || self.totals.total == 0
            || self.inputs.iter().any(|input| input.problem.is_some())
    }
}

/// How long it took. This is no part of what is compared.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rates {
    /// Rows verified.
    pub rows: u64,
    /// Rows that had been verified before.
    pub rows_before: u64,
    /// Threads that worked.
    pub threads: usize,
    /// Seconds until the inputs had been read for the plan.
    pub planned_s: f64,
    /// Seconds in all, without the report.
    pub seconds: f64,
}

/// Puts the results of all chunks in `folder` together, and writes the report there.
///
/// # Errors
/// [`Error::Usage`] if a result is missing, damaged or of another plan; [`Error::System`] if something cannot be written.
pub fn report(plan: &Plan, folder: &Path, rates: Option<&Rates>) -> Result<Report, Error> {
    let digest = plan.digest();
    let mut report = empty(plan);
    let mut tree = Tree::default();
    let mut verdicts = Atomic::create(folder.join("verdicts.bin"))?;
    let mut results = Atomic::create(folder.join("results.csv"))?;
    results.write(b"input,position,verdict,reason\n")?;
    for (index, chunk) in plan.chunks.iter().enumerate() {
        let file = chunk_file(folder, index);
        let bytes = fs::read(&file).map_err(|error| Error::read(&file, &error))?;
        let no_result = || Error::usage(format_args!("'{}' is no result of this plan", file.display()));
        let result = ChunkResult::from_bytes(&digest, index, chunk.rows, &bytes).ok_or_else(no_result)?;
        tree.extend(&result.verdicts);
        verdicts.write(&result.verdicts)?;
        let input = report.inputs.get_mut(chunk.input).ok_or_else(no_result)?;
        for (scheme, totals) in result.schemes {
            report.schemes.entry(scheme).or_default().add(totals);
            report.totals.add(totals);
            input.totals.add(totals);
        }
        for bad in result.bad {
            let reason = quoted(&bad.reason);
            let line = format!("{},{},{},{reason}\n", quoted(&input.path), bad.position, bad.verdict);
            results.write(line.as_bytes())?;
            if report.bad.len() < MAX_LISTED {
                report.bad.push(BadRow { input: chunk.input, bad });
            } else {
                report.bad_unlisted += 1;
            }
        }
    }
    report.verdicts_root = tree.root().iter().map(|byte| format!("{byte:02x}")).collect();
    verdicts.finish()?;
    results.finish()?;
    write(&folder.join("report.json"), &json(&report))?;
    if let Some(rates) = rates {
        write(&folder.join("rates.json"), &json(rates))?;
    }
    write(&folder.join("report.html"), html::page(&report, rates).as_bytes())?;
    Ok(report)
}

fn empty(plan: &Plan) -> Report {
    let inputs = plan.inputs.iter().map(|input| InputReport {
        path: input.path.clone(),
        len_bytes: input.len_bytes,
        sha256: input.sha256.clone(),
        format: input.format,
        totals: Totals::default(),
        problem: input.problem.clone(),
    });
    Report {
        form: "phalanx-bulk-report-v1",
        options: plan.options.clone(),
        totals: Totals::default(),
        schemes: BTreeMap::new(),
        inputs: inputs.collect(),
        verdicts_root: String::new(),
        bad: Vec::new(),
        bad_unlisted: 0,
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(value).expect("numbers and text are JSON");
    json.push(b'\n');
    json
}

/// A value of a CSV file, in quotes where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Writes a file under another name first: under its own it is whole or not there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = Atomic::create(path.to_owned())?;
    file.write(bytes)?;
    file.finish()
}

/// A path with a further extension.
fn added(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A file that has its name when it is whole.
struct Atomic {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
}

impl Atomic {
    fn create(path: PathBuf) -> Result<Self, Error> {
        let partial = added(&path, "partial");
        let file = File::create(&partial).map_err(|error| Error::write(&partial, &error))?;
        Ok(Self { path, partial, file: BufWriter::new(file) })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| Error::write(&self.path, &error))
    }

    fn finish(mut self) -> Result<(), Error> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.partial, &self.path));
        done.map_err(|error| Error::write(&self.path, &error))
    }
}
