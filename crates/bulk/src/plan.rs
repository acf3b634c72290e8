//! What is to be done: the inputs with their digests, cut into chunks of rows.

use crate::error::Error;
use crate::options::{Format, Options};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The name of the form.
const FORM: &str = "phalanx-bulk-plan-v1";

/// The largest plan that is read, in bytes.
const MAX_PLAN_BYTES: u64 = 1 << 30;

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Where it is, as the caller said.
    pub path: String,
    /// Its length.
    pub len_bytes: u64,
    /// SHA-256 of it, in hexadecimal.
    pub sha256: String,
    /// What it is.
    pub format: Format,
    /// Rows in it.
    pub rows: u64,
    /// Why it cannot be read at all, if so. Then it has no rows.
    pub problem: Option<String>,
}

/// Where the rows of a chunk are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the lines in these bytes.
    Bytes {
        /// The first one.
        offset: u64,
        /// How many.
        len_bytes: u64,
    },
    /// In a row group of a Parquet file.
    RowGroup {
        /// Its number, from 0.
        number: usize,
        /// Rows of it that are before the chunk.
        skip: u64,
    },
}

/// Rows that are verified together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The number of the input, from 0.
    pub input: usize,
    /// Where they are.
    pub place: Place,
    /// The line, or the row, that comes first, counted from 1.
    pub first_position: u64,
    /// How many.
    pub rows: u64,
    /// Bytes of memory that are enough for reading and verifying them.
    pub memory_bytes: u64,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    form: String,
    /// What decides the verdicts.
    pub options: Options,
    /// The files, in the order of the report.
    pub inputs: Vec<Input>,
    /// Their rows, in order.
    pub chunks: Vec<Chunk>,
}

impl Plan {
    /// The plan of nothing.
    pub(crate) fn empty(options: Options) -> Self {
        Self { form: FORM.to_owned(), options, inputs: Vec::new(), chunks: Vec::new() }
    }

    /// The plan as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("numbers and text are JSON");
        json.push(b'\n');
        json
    }

    /// What results say they belong to: SHA-256 of the plan as JSON.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.to_json()).into()
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// [`Error::System`] if it cannot be read; [`Error::Usage`] if it is none.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut json = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_PLAN_BYTES).read_to_end(&mut json));
        read.map_err(|error| Error::read(path, &error))?;
        Self::parse(&json)
            .map_err(|error| Error::usage(format_args!("'{}' is no plan: {error}", path.display())))
    }

    /// The plan that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is none.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        Self::parse(json).map_err(|error| Error::usage(format_args!("this is no plan: {error}")))
    }

    /// The plan, or why it is none.
    fn parse(json: &[u8]) -> Result<Self, String> {
        let plan: Self = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        if plan.form != FORM {
            return Err(format!("its form is '{}', wanted '{FORM}'", plan.form));
        }
        plan.check().map_err(|problem| format!("its chunks and inputs do not agree: {problem}"))?;
        Ok(plan)
    }

    /// Whether the chunks are what its inputs are cut into: memory is taken and rows are counted as they say.
    fn check(&self) -> Result<(), String> {
        let mut rows = vec![0_u64; self.inputs.len()];
        for (index, chunk) in self.chunks.iter().enumerate() {
            let sum = rows.get_mut(chunk.input).ok_or_else(|| format!("chunk {index} is of no input"))?;
            if chunk.rows > self.options.chunk_rows {
                return Err(format!("chunk {index} has more rows than a chunk may have"));
            }
            *sum = sum.saturating_add(chunk.rows);
        }
        for (input, rows) in self.inputs.iter().zip(rows) {
            if input.rows != rows {
                return Err(format!("'{}' has {} rows, and its chunks have {rows}", input.path, input.rows));
            }
            if rows > input.len_bytes {
                return Err(format!("'{}' has {rows} rows in {} bytes", input.path, input.len_bytes));
            }
        }
        Ok(())
    }

    /// One plan of several, in their order: that of all their files, where each was made of some of them.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are none, or they are of different options.
    pub fn join(plans: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let mut plans = plans.into_iter();
        let mut joined = plans.next().ok_or_else(|| Error::usage("no plans to join"))?;
        for plan in plans {
            if plan.options != joined.options {
                return Err(Error::usage("plans of different options are not of one job"));
            }
            let before = joined.inputs.len();
            joined.inputs.extend(plan.inputs);
            joined
                .chunks
                .extend(plan.chunks.into_iter().map(|chunk| Chunk { input: chunk.input + before, ..chunk }));
        }
        Ok(joined)
    }
}
