//! What is to be done: the inputs with their digests, cut into chunks of rows.

use crate::error::Error;
use crate::judge::Judge;
use crate::options::{Format, Options};
use crate::{parquet, text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// Reads all `files` once, for their digests and to see where rows are; `threads` of them at a time. No chunk is to
    /// need more than `max_memory_bytes`: a Parquet file whose pages do is a file that cannot be read.
    ///
    /// # Errors
    /// [`Error::System`] if one cannot be read; [`Error::Usage`] for options that name nothing, and no files.
    pub fn make(
        files: &[String],
        options: &Options,
        threads: usize,
        max_memory_bytes: u64,
    ) -> Result<Self, Error> {
        Judge::new(options).map_err(Error::Usage)?;
        if files.is_empty() || options.chunk_rows == 0 {
            return Err(Error::usage("no rows to verify"));
        }
        let found = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = files.get(number) else { return };
                let one = look(path, number, options, max_memory_bytes);
                found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, one));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(files.len()) {
                scope.spawn(work);
            }
            work();
        });
        let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.sort_by_key(|(number, _)| *number);
        let mut plan =
            Self { form: FORM.to_owned(), options: options.clone(), inputs: Vec::new(), chunks: Vec::new() };
        for (_, one) in found {
            let (input, chunks) = one?;
            plan.inputs.push(input);
            plan.chunks.extend(chunks);
        }
        Ok(plan)
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
        let no_plan = |error: &dyn std::fmt::Display| {
            Error::usage(format_args!("'{}' is no plan: {error}", path.display()))
        };
        let plan: Self = serde_json::from_slice(&json).map_err(|error| no_plan(&error))?;
        if plan.form != FORM {
            return Err(no_plan(&format_args!("its form is '{}', wanted '{FORM}'", plan.form)));
        }
        Ok(plan)
    }
}

/// Looks at one file.
fn look(path: &str, number: usize, options: &Options, max: u64) -> Result<(Input, Vec<Chunk>), Error> {
    let cannot = |error| Error::read(Path::new(path), &error);
    let mut file = File::open(path).map_err(cannot)?;
    let metadata = file.metadata().map_err(cannot)?;
    if !metadata.is_file() {
        return Err(Error::usage(format_args!("'{path}' is no file: rows are read more than once")));
    }
    let format = match options.format {
        Some(format) => format,
        None => tell(path, &mut file).map_err(cannot)?,
    };
    file.rewind().map_err(cannot)?;
    let mut digest = Digested { file, digest: Sha256::new(), len_bytes: 0 };
    let found = if format == Format::Parquet {
        std::io::copy(&mut digest, &mut std::io::sink()).map_err(cannot)?;
        parquet::plan(&digest.file, digest.len_bytes, number, options).map_err(cannot)?
    } else {
        text::plan(&mut digest, format, number, options).map_err(cannot)?
    };
    let found = found.and_then(|chunks| {
        let needed = chunks.iter().map(|chunk| chunk.memory_bytes).max().unwrap_or_default();
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        if needed > max {
            return Err(format!(
                "pages need {} MiB of memory, at most {} are allowed",
                mib(needed),
                mib(max)
            ));
        }
        Ok(chunks)
    });
    let (chunks, problem) = match found {
        Ok(chunks) => (chunks, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    let sha256 = digest.digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let rows = chunks.iter().map(|chunk| chunk.rows).sum();
    let input = Input { path: path.to_owned(), len_bytes: digest.len_bytes, sha256, format, rows, problem };
    Ok((input, chunks))
}

/// What a file is: by how it begins if it is Parquet, else by its name, else by how it begins.
fn tell(path: &str, file: &mut File) -> std::io::Result<Format> {
    let mut begins = Vec::new();
    file.take(4096).read_to_end(&mut begins)?;
    if begins.starts_with(parquet::MAGIC) {
        return Ok(Format::Parquet);
    }
    let extension = Path::new(path).extension().map(|name| name.to_string_lossy().to_ascii_lowercase());
    Ok(match extension.as_deref() {
        Some("parquet") => Format::Parquet,
        Some("csv") => Format::Csv,
        Some("jsonl" | "ndjson" | "json") => Format::Jsonl,
        _ if begins.trim_ascii_start().starts_with(b"{") => Format::Jsonl,
        _ => Format::Csv,
    })
}

/// A file that is hashed as it is read.
pub(crate) struct Digested {
    file: File,
    digest: Sha256,
    len_bytes: u64,
}

impl Read for Digested {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.len_bytes += read as u64;
        Ok(read)
    }
}
