//! What became of all rows: from the results of chunks to the files that people and programs read.
//!
//! `report.json`, `results.csv` and `verdicts.bin` are the same, byte for byte, for the same inputs and options, whatever
//! ran where and how often it was interrupted. How long it took stands in `rates.json` and in the page.

use crate::options::{Format, Options};
use crate::plan::{Chunk, Plan};
use crate::result::{Bad, Totals};
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Chunks that nobody could verify. Not written where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<Quarantined>,
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

/// A chunk that nobody could verify.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Quarantined {
    /// Its number in the plan, from 0.
    pub chunk: usize,
    /// The number of its file, from 0.
    pub input: usize,
    /// The line, or the row, that comes first, counted from 1.
    pub first_position: u64,
    /// Its rows, which count as malformed.
    pub rows: u64,
    /// Why.
    pub reason: String,
}

impl Quarantined {
    pub(crate) fn new(index: usize, chunk: &Chunk, reason: &str) -> Self {
        let Chunk { input, first_position, rows, .. } = *chunk;
        Self { chunk: index, input, first_position, rows, reason: reason.to_owned() }
    }
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
    /// The report before any result.
    pub(crate) fn empty(plan: &Plan) -> Self {
        let inputs = plan.inputs.iter().map(|input| InputReport {
            path: input.path.clone(),
            len_bytes: input.len_bytes,
            sha256: input.sha256.clone(),
            format: input.format,
            totals: Totals::default(),
            problem: input.problem.clone(),
        });
        Self {
            form: "phalanx-bulk-report-v1",
            options: plan.options.clone(),
            totals: Totals::default(),
            schemes: BTreeMap::new(),
            inputs: inputs.collect(),
            quarantined: Vec::new(),
            verdicts_root: String::new(),
            bad: Vec::new(),
            bad_unlisted: 0,
        }
    }

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
