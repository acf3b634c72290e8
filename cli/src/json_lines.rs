//! What the `verify-many` commands share: lines from a file, decoded on threads, counted, and reported.

use crate::digits;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::Output;
use phalanx::{Job, Pool};
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Lines decoded and verified together.
pub(crate) const BATCH_LINES: usize = 4096;

/// Lines decoded by one job.
const JOB_LINES: usize = 64;

/// Bad lines that are listed; further ones are counted.
const MAX_LISTED: usize = 10_000;

/// The lines of a file or of standard input.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
    max_line_bytes: u64,
    /// Lines read so far.
    number: u64,
    /// Bytes read so far.
    pub(crate) done: u64,
    /// Bytes of the file; 0 if nobody knows.
    pub(crate) length: u64,
}

impl<'a> Lines<'a> {
    /// Opens `path` (`-`: standard input). Of a line longer than `max_line_bytes` the rest is skipped.
    pub(crate) fn open(path: &'a Path, max_line_bytes: u64) -> Result<Self, Failure> {
        let mut length = 0;
        let reader: Box<dyn BufRead> = if files::is_standard(path) {
            Box::new(io::stdin().lock())
        } else {
            let cannot = |error| cannot_read(path, &error);
            let file = File::open(path).map_err(cannot)?;
            let metadata = file.metadata().map_err(cannot)?;
            if metadata.is_dir() {
                return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
            }
            length = metadata.len();
            Box::new(BufReader::with_capacity(1 << 20, file))
        };
        Ok(Self { path, reader, max_line_bytes, number: 0, done: 0, length })
    }

    /// The next line that says something, with its number and without its end; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Vec<u8>)>, Failure> {
        while let Some(line) = self.read_line().map_err(|error| cannot_read(self.path, &error))? {
            self.number += 1;
            // An empty line says nothing, as at the end of many files.
            if !line.trim_ascii().is_empty() {
                return Ok(Some((self.number, line)));
            }
        }
        Ok(None)
    }

    /// Any line, without its end, and cut if it is far too long.
    fn read_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(self.max_line_bytes + 1).read_until(b'\n', &mut line)?;
        self.done += read as u64;
        if read == 0 {
            return Ok(None);
        }
        if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 > self.max_line_bytes {
            self.done += self.reader.skip_until(b'\n')? as u64;
        }
        Ok(Some(line))
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::system(format_args!("cannot read '{}': {error}", path.display()))
}

/// What `decode` makes of each line, on the threads of `pool`.
pub(crate) fn decode_all<D: Send>(
    pool: &impl Pool,
    batch: &[(u64, Vec<u8>)],
    decode: impl Fn(&[u8]) -> Result<D, String> + Sync,
) -> Vec<Result<D, String>> {
    let mut decoded: Vec<Option<Result<D, String>>> = Vec::new();
    decoded.resize_with(batch.len(), || None);
    let decode = &decode;
    let jobs = batch.chunks(JOB_LINES).zip(decoded.chunks_mut(JOB_LINES)).map(|(lines, results)| {
        let job = move || {
            for ((_, line), result) in lines.iter().zip(results) {
                *result = Some(decode(line));
            }
        };
        Box::new(job) as Job<'_>
    });
    pool.run(jobs.collect());
    decoded.into_iter().map(|result| result.expect("every line was decoded by its job")).collect()
}

/// The bytes of the value `what` of a line: hexadecimal digits, or a list of numbers below 256.
///
/// # Errors
/// What is wrong with the line, in words.
pub(crate) fn bytes(what: &str, value: &RawValue) -> Result<Vec<u8>, String> {
    let text = value.get();
    let read = match text.as_bytes().first() {
        Some(b'"') => {
            let digits: Cow<'_, str> = serde_json::from_str(text).map_err(|error| malformed(what, &error))?;
            digits::decode(what, &digits)
        }
        Some(b'[') => serde_json::from_str(text).map_err(|error| format!("{what}: {error}")),
        _ => Err(format!("{what}: neither hexadecimal digits nor a list of bytes")),
    };
    read.map_err(|problem| format!("malformed: {problem}"))
}

fn malformed(what: &str, error: &serde_json::Error) -> String {
    format!("malformed: {what}: {error}")
}

/// What became of the lines.
#[derive(Serialize, Default)]
pub(crate) struct Summary {
    total: u64,
    valid: u64,
    invalid: u64,
    malformed: u64,
    bad: Vec<Bad>,
    /// Bad lines beyond those listed.
    bad_unlisted: u64,
}

/// A line that is not good.
#[derive(Serialize)]
struct Bad {
    line: u64,
    reason: String,
}

impl Summary {
    /// Counts a signature that verifies.
    pub(crate) fn valid(&mut self) {
        self.total += 1;
        self.valid += 1;
    }

    /// Counts a signature that does not verify; the reason is only asked for if it is listed.
    pub(crate) fn invalid(&mut self, line: u64, reason: impl FnOnce() -> String) {
        self.invalid += 1;
        self.bad(line, reason);
    }

    /// Counts a line that does not decode.
    pub(crate) fn malformed(&mut self, line: u64, reason: &str) {
        self.malformed += 1;
        self.bad(line, || reason.to_owned());
    }

    fn bad(&mut self, line: u64, reason: impl FnOnce() -> String) {
        self.total += 1;
        if self.bad.len() < MAX_LISTED {
            self.bad.push(Bad { line, reason: reason() });
        } else {
            self.bad_unlisted += 1;
        }
    }

    /// Prints the summary of the lines of `file`; what is bad decides the exit code.
    pub(crate) fn report(&self, file: &Path, seconds: f64, output: &Output) -> Result<Exit, Failure> {
        let Self { total, valid, invalid, malformed, bad, bad_unlisted } = self;
        if *total == 0 {
            return Err(Failure::usage(format_args!("'{}' holds no signatures", file.display())));
        }
        for Bad { line, reason } in bad {
            output.line(format_args!("line {line}: {reason}"))?;
        }
        if *bad_unlisted > 0 {
            output.line(format_args!("{bad_unlisted} more bad lines"))?;
        }
        output.line(format_args!(
            "total {total}, valid {valid}, invalid {invalid}, malformed {malformed} ({seconds:.3} s)"
        ))?;
        output.object(self)?;
        if *malformed > 0 {
            return Err(Failure::usage(format_args!("{malformed} of {total} lines are malformed")));
        }
        if *invalid > 0 {
            let message = format!("{invalid} of {total} signatures do not verify");
            return Err(Failure::new(Exit::DoesNotVerify, message));
        }
        Ok(Exit::Good)
    }
}
