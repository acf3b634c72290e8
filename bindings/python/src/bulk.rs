//! `phalanx.bulk`: files of signatures verified, as a whole or chunk by chunk.

use crate::arguments::{Bytes, detached};
use crate::errors;
use crate::progress::Watch;
use phalanx_bulk::{self as library, Error, Format, Options, Quarantine, Report, Run};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Bytes for what is read and verified, unless the caller says how many.
const MEMORY_LIMIT: u64 = 512 << 20;

/// Rows of a chunk at most, unless the caller says how many.
const CHUNK_ROWS: u64 = 1 << 15;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Plan>()?;
    module.add_function(wrap_pyfunction!(run, module)?)
}

/// What `work`, detached, finds; the error as an exception.
fn ask<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    detached(py, work)?.map_err(|error| errors::bulk(py, &error))
}

/// The paths as text, which is what reports have.
fn texts(files: Vec<PathBuf>) -> PyResult<Vec<String>> {
    let text = |path: PathBuf| {
        path.into_os_string()
            .into_string()
            .map_err(|path| PyUnicodeEncodeError::new_err(format!("'{}' is no UTF-8", path.display())))
    };
    files.into_iter().map(text).collect()
}

fn options(
    py: Python<'_>,
    profile: &str,
    scheme: Option<String>,
    format: Option<&str>,
    chunk_rows: u64,
) -> PyResult<Options> {
    let format = match format {
        Some(name) => Some(Format::from_name(name).ok_or_else(|| {
            errors::bulk(py, &Error::Usage(format!("'{name}' is no format: jsonl, csv or parquet wanted")))
        })?),
        None => None,
    };
    Ok(Options { profile: profile.to_owned(), scheme, format, chunk_rows })
}

/// What `report.json` holds, as a dict.
fn parsed<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (PyBytes::new(py, &report.to_json()),))
}

/// A job: files with their digests, cut into chunks of rows.
#[pyclass(frozen, module = "phalanx.bulk")]
pub(crate) struct Plan {
    plan: library::Plan,
    digest: [u8; 32],
}

impl From<library::Plan> for Plan {
    fn from(plan: library::Plan) -> Self {
        Self { digest: plan.digest(), plan }
    }
}

#[pymethods]
impl Plan {
    /// Reads all `files` once, for their digests and to see where rows are; `threads` of them at a time. `profile` is that
    /// of Ed25519 rows that name none, `scheme` that of rows that name none, `format` "jsonl", "csv" or "parquet", told from
    /// each file unless given. No chunk has more than `chunk_rows` rows, or needs more than `memory_limit` bytes. Raises
    /// `Usage` or `System`.
    #[staticmethod]
    #[pyo3(signature = (files, *, profile = "strict", scheme = None, format = None, chunk_rows = CHUNK_ROWS,
        memory_limit = MEMORY_LIMIT, threads = 1))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn make(
        py: Python<'_>,
        files: Vec<PathBuf>,
        profile: &str,
        scheme: Option<String>,
        format: Option<&str>,
        chunk_rows: u64,
        memory_limit: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let options = options(py, profile, scheme, format, chunk_rows)?;
        let files = texts(files)?;
        ask(py, || library::Plan::make(&files, &options, threads.max(1), memory_limit).map(Self::from))
    }

    /// The plan that `to_json` wrote. Raises `Usage`.
    #[staticmethod]
    fn from_json(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
        let data = data.get();
        ask(py, || library::Plan::from_json(data).map(Self::from))
    }

    /// One plan of several, in their order: that of all their files, where each was made of some of them. Raises `Usage`.
    #[staticmethod]
    fn join(py: Python<'_>, plans: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let plans: Vec<_> = plans.iter().map(|plan| plan.plan.clone()).collect();
        ask(py, || library::Plan::join(plans).map(Self::from))
    }

    /// The plan as JSON, which is what `plan.json` holds.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.plan.to_json())
    }

    /// What results say they belong to: SHA-256 of the plan as JSON.
    #[getter]
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.digest)
    }

    /// The rows of every chunk.
    #[getter]
    fn rows(&self) -> Vec<u64> {
        self.plan.chunks.iter().map(|chunk| chunk.rows).collect()
    }

    /// Bytes of memory that are enough for any one of the chunks.
    #[getter]
    fn memory_len(&self) -> u64 {
        self.plan.chunks.iter().map(|chunk| chunk.memory_bytes).max().unwrap_or_default()
    }

    /// Makes `folder` the place of the results, and writes `plan.json` there. It is new, or empty, or that of the same plan
    /// if the job is to `resume`; else raises `Usage`.
    #[pyo3(signature = (folder, *, resume = false))]
    fn take_folder(&self, py: Python<'_>, folder: PathBuf, resume: bool) -> PyResult<()> {
        ask(py, || library::take_folder(&folder, &self.plan, resume))
    }

    /// Verifies chunk `index`, and writes its result to `folder`. Raises `Usage` if its file has changed, `System` if it
    /// cannot be read.
    fn verify_chunk(&self, py: Python<'_>, index: usize, folder: PathBuf) -> PyResult<()> {
        ask(py, || {
            let result = library::verify(&self.plan, index)?;
            library::write_chunk(&folder, &self.digest, index, &result)
        })
    }

    /// Whether the result of chunk `index` lies whole in `folder`.
    fn is_done(&self, py: Python<'_>, index: usize, folder: PathBuf) -> PyResult<bool> {
        let rows = self.plan.chunks.get(index).map(|chunk| chunk.rows);
        ask(py, || Ok(rows.is_some_and(|rows| library::is_done(&folder, &self.digest, index, rows))))
    }

    /// Puts the results of all chunks in `folder` together, writes the report there, and returns what `report.json` holds.
    /// `quarantine` are chunks without a result, by number, and why: the report names them, and their rows count as
    /// malformed. Raises `Usage` if another result is missing or damaged.
    #[pyo3(signature = (folder, *, quarantine = None))]
    fn report<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        quarantine: Option<BTreeMap<usize, String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let quarantine: Quarantine = quarantine.unwrap_or_default();
        let report = ask(py, || library::report(&self.plan, &folder, &quarantine, None))?;
        parsed(py, &report)
    }

    /// How many chunks there are.
    fn __len__(&self) -> usize {
        self.plan.chunks.len()
    }

    fn __repr__(&self) -> String {
        format!("<Plan of {} files in {} chunks>", self.plan.inputs.len(), self.plan.chunks.len())
    }
}

/// Verifies all rows of `files`, writes plan, results and report to `folder`, and returns what `report.json` holds. Arguments
/// as for `Plan.make`; `memory_limit` is for all chunks that are worked on at a time, and `threads` = 0 takes as many as the
/// system can run. `resume` goes on with what is in the folder. `progress(done, total)` is told rows every 50 ms or so and
/// may raise an exception to stop. Raises `Usage` or `System`: what is wrong with a row stands in the report.
#[pyfunction]
#[pyo3(signature = (files, folder, *, profile = "strict", scheme = None, format = None, chunk_rows = CHUNK_ROWS,
    memory_limit = MEMORY_LIMIT, threads = 1, resume = false, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
fn run<'py>(
    py: Python<'py>,
    files: Vec<PathBuf>,
    folder: PathBuf,
    profile: &str,
    scheme: Option<String>,
    format: Option<&str>,
    chunk_rows: u64,
    memory_limit: u64,
    threads: usize,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = options(py, profile, scheme, format, chunk_rows)?;
    let files = texts(files)?;
    let mut how = Run::default();
    (how.threads, how.memory_bytes, how.resume) = (threads, memory_limit, resume);
    let watch = Watch::new(progress);
    let outcome = detached(py, || {
        library::run(&files, &options, &how, &folder, &|done, total| watch.tell(done, total))
    })?;
    let total = outcome.as_ref().ok().map(|report| report.totals.total);
    watch.finish(py, total)?;
    parsed(py, &outcome.map_err(|error| errors::bulk(py, &error))?)
}
