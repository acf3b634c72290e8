//! Chunks of lines: where they begin, and what is on them.

use crate::csv::Columns;
use crate::error::Error;
use crate::json;
use crate::judge::{self, Judge};
use crate::lines::Lines;
use crate::options::{Format, Options};
use crate::plan::{Chunk, Input, Place};
use crate::row::MAX_ROW_BYTES;
use crate::verdict::Verdict;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of lines that are enough for a chunk, whatever their number.
const CHUNK_BYTES: u64 = 16 << 20;

/// The longest line of names.
const MAX_NAMES_BYTES: usize = 1 << 16;

/// Cuts lines into chunks.
struct Cutter<'o> {
    options: &'o Options,
    input: usize,
    chunks: Vec<Chunk>,
    /// The first byte of the chunk that is being filled, the line it begins with, and its rows.
    start: u64,
    first_line: u64,
    rows: u64,
    longest: u64,
    /// Lines and bytes that have ended.
    lines: u64,
    ended: u64,
}

impl Cutter<'_> {
    /// A line has ended, with so many bytes, its end among them.
    fn line(&mut self, len_bytes: u64, says_something: bool) {
        self.lines += 1;
        self.ended += len_bytes;
        self.rows += u64::from(says_something);
        self.longest = self.longest.max(len_bytes);
        if self.rows >= self.options.chunk_rows || self.ended - self.start >= CHUNK_BYTES {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.rows > 0 {
            let place = Place::Bytes { offset: self.start, len_bytes: self.ended - self.start };
            let longest = self.longest.min(MAX_ROW_BYTES as u64);
            self.chunks.push(Chunk {
                input: self.input,
                place,
                first_position: self.first_line,
                rows: self.rows,
                memory_bytes: judge::MEMORY_BYTES + 4 * longest,
            });
        }
        (self.start, self.first_line) = (self.ended, self.lines + 1);
        (self.rows, self.longest) = (0, 0);
    }
}

/// Reads all of `file`, and cuts it into chunks; the inner error says why it cannot be read as what it is.
pub(crate) fn plan(
    file: &mut impl Read,
    format: Format,
    input: usize,
    options: &Options,
) -> io::Result<Result<Vec<Chunk>, String>> {
    let mut cutter = Cutter {
        options,
        input,
        chunks: Vec::new(),
        start: 0,
        first_line: 1,
        rows: 0,
        longest: 0,
        lines: 0,
        ended: 0,
    };
    // A line of names is read before all else.
    let mut names = (format == Format::Csv).then(Vec::new);
    let mut problem = None;
    let (mut buffer, mut len_line, mut says_something) = (vec![0; 1 << 20], 0, false);
    loop {
        let read = file.read(&mut buffer)?;
        let at_end = read == 0;
        let mut rest = &buffer[..read];
        while !rest.is_empty() || at_end && len_line > 0 {
            let end = memchr::memchr(b'\n', rest);
            let (part, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = after;
            len_line += part.len() as u64;
            let part = part.strip_suffix(b"\n").unwrap_or(part);
            says_something |= !part.trim_ascii().is_empty();
            if let Some(names) = &mut names {
                names.extend_from_slice(&part[..part.len().min(MAX_NAMES_BYTES + 1 - names.len())]);
            }
            if end.is_none() && !at_end {
                break;
            }
            // A line too long to be a row is one, and a bad one, whatever stands on it.
            says_something |= len_line - u64::from(end.is_some()) > MAX_ROW_BYTES as u64;
            let is_names = says_something && names.is_some();
            cutter.line(len_line, says_something && !is_names);
            if is_names {
                let line = names.take().unwrap_or_default();
                problem = line_of_names(&line, options).err();
                cutter.cut();
            } else if let Some(names) = &mut names {
                names.clear();
            }
            (len_line, says_something) = (0, false);
        }
        if at_end {
            break;
        }
    }
    cutter.cut();
    Ok(problem.map_or(Ok(cutter.chunks), Err))
}

fn line_of_names(line: &[u8], options: &Options) -> Result<Columns, String> {
    if line.len() > MAX_NAMES_BYTES {
        return Err(format!("the line of names is longer than {MAX_NAMES_BYTES} bytes"));
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Columns::read(line, options.scheme.is_some())
}

/// Hands the rows of a chunk to `judge`.
pub(crate) fn verify(
    input: &Input,
    chunk: &Chunk,
    offset: u64,
    len_bytes: u64,
    options: &Options,
    judge: &mut Judge<'_>,
) -> Result<(), Error> {
    let path = Path::new(&input.path);
    let cannot = |error| Error::read(path, &error);
    let columns = match input.format {
        Format::Csv => Some(names_of(path, input, options)?),
        _ => None,
    };
    let mut lines = Lines::open(path, offset, len_bytes).map_err(cannot)?;
    let mut position = chunk.first_position;
    while let Some(line) = lines.next().map_err(cannot)? {
        match line {
            Err(()) => {
                judge.malformed(position, Verdict::Row, &format!("longer than {MAX_ROW_BYTES} bytes"));
            }
            Ok(line) if line.trim_ascii().is_empty() => {}
            Ok(line) => match &columns {
                Some(columns) => columns.row(line, position, judge),
                None => json::read(line, position, judge),
            },
        }
        position += 1;
    }
    Ok(())
}

/// The line of names of a file of comma-separated values.
fn names_of(path: &Path, input: &Input, options: &Options) -> Result<Columns, Error> {
    let cannot = |error| Error::read(path, &error);
    let mut lines = Lines::open(path, 0, input.len_bytes).map_err(cannot)?;
    while let Some(line) = lines.next().map_err(cannot)? {
        let line = line.map_err(|()| Error::usage(format_args!("'{}' has changed", input.path)))?;
        if !line.trim_ascii().is_empty() {
            let wrong = |problem| Error::usage(format_args!("'{}' has changed: {problem}", input.path));
            return line_of_names(line, options).map_err(wrong);
        }
    }
    Err(Error::usage(format_args!("'{}' has changed: it is empty", input.path)))
}
