//! Rows of Parquet files (format version 2.x, <https://github.com/apache/parquet-format>): columns at the top level, values
//! PLAIN or by a dictionary, pages of both versions, uncompressed or under Snappy or Zstandard. That is what common writers
//! write unless told otherwise.
//!
//! It is a reader of its own because of what files from outside may hold. Nothing here trusts a number of the file: counts
//! are bounded by the bytes that they are said to be in, sizes of pages are known before any is read, nesting is not
//! recursion, and a file has no more rows than bytes, so that a verdict for each is never more than the file.

mod column;
mod compression;
mod footer;
mod hybrid;
mod page;
mod thrift;

use crate::error::Error;
use crate::judge::{self, Judge};
use crate::options::Options;
use crate::plan::{Chunk, Input, Place};
use crate::row::{Cell, Epoch, Row};
use crate::verdict::Verdict;
use column::Column;
use footer::{Footer, NAMES, Shape};
use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) use footer::MAGIC;

/// Bytes that a chunk needs beside its pages and its judge: headers of pages, and what the system reads ahead.
const OVERHEAD_BYTES: u64 = 4 << 20;

/// The chunks of a file; the inner error says why it cannot be read as Parquet.
pub(crate) fn plan(
    file: &File,
    len_bytes: u64,
    input: usize,
    options: &Options,
) -> io::Result<Result<Vec<Chunk>, String>> {
    Ok(cut(file, len_bytes, input, options))
}

fn cut(file: &File, len_bytes: u64, input: usize, options: &Options) -> Result<Vec<Chunk>, String> {
    let footer = Footer::read(file, len_bytes, options.scheme.is_some())?;
    let rows: u64 = footer.groups.iter().fold(0, |sum, group| sum.saturating_add(group.rows));
    if rows > len_bytes {
        return Err(format!("it says that it has {rows} rows in {len_bytes} bytes"));
    }
    let (mut chunks, mut before) = (Vec::new(), 0);
    for (number, group) in footer.groups.iter().enumerate() {
        let columns = footer.columns(group);
        let pages: u64 = columns.map(|(_, shape, place)| Column::memory_bytes(file, shape, place)).sum();
        let memory_bytes = judge::MEMORY_BYTES + OVERHEAD_BYTES + footer.len_bytes + pages;
        let mut skip = 0;
        while skip < group.rows {
            let rows = options.chunk_rows.min(group.rows - skip);
            let place = Place::RowGroup { number, skip };
            chunks.push(Chunk { input, place, first_position: before + skip + 1, rows, memory_bytes });
            skip += rows;
        }
        before += group.rows;
    }
    Ok(chunks)
}

/// Hands the rows of a chunk to `judge`. From where the file is damaged on, they are unreadable.
pub(crate) fn verify(
    input: &Input,
    chunk: &Chunk,
    number: usize,
    skip: u64,
    judge: &mut Judge<'_>,
) -> Result<(), Error> {
    let path = Path::new(&input.path);
    let file = File::open(path).map_err(|error| Error::read(path, &error))?;
    let changed = |problem: &str| Error::usage(format_args!("'{}' has changed: {problem}", input.path));
    let footer = Footer::read(&file, input.len_bytes, true).map_err(|problem| changed(&problem))?;
    let group = footer.groups.get(number).ok_or_else(|| changed("it has fewer row groups"))?;
    let mut done = 0;
    if let Err(problem) = rows(&file, &footer, group, chunk, skip, judge, &mut done) {
        let problem = format!("unreadable: {problem}");
        for row in done..chunk.rows {
            judge.malformed(chunk.first_position + row, Verdict::Unreadable, &problem);
        }
    }
    Ok(())
}

fn rows(
    file: &File,
    footer: &Footer,
    group: &footer::Group,
    chunk: &Chunk,
    skip: u64,
    judge: &mut Judge<'_>,
    done: &mut u64,
) -> Result<(), String> {
    let mut columns: [Option<(Column<'_>, Shape)>; NAMES.len()] = std::array::from_fn(|_| None);
    for (name, shape, place) in footer.columns(group) {
        let mut column = Column::new(file, shape, place, chunk.memory_bytes);
        column.skip(skip).map_err(|problem| format!("{}: {problem}", NAMES[name]))?;
        columns[name] = Some((column, shape));
    }
    while *done < chunk.rows {
        for (name, column) in columns.iter_mut().enumerate() {
            let Some((column, _)) = column else { continue };
            column.advance().map_err(|problem| format!("{}: {problem}", NAMES[name]))?;
        }
        let [public_key, message, signature, scheme, epoch, profile] = &columns;
        let row = Row {
            scheme: cell(scheme),
            profile: cell(profile),
            public_key: cell(public_key),
            epoch: epoch_of(epoch),
            message: cell(message),
            signature: cell(signature),
        };
        judge.row(chunk.first_position + *done, &row);
        *done += 1;
    }
    Ok(())
}

fn cell<'a>(column: &'a Option<(Column<'_>, Shape)>) -> Cell<'a> {
    match column.as_ref().and_then(|(column, shape)| Some((column.value()?, shape))) {
        None => Cell::Absent,
        Some((text, shape)) if shape.is_text => Cell::Text(text),
        Some((bytes, _)) => Cell::Bytes(bytes),
    }
}

fn epoch_of(column: &Option<(Column<'_>, Shape)>) -> Epoch {
    let Some((value, shape)) = column.as_ref().and_then(|(column, shape)| Some((column.value()?, shape)))
    else {
        return Epoch::Absent;
    };
    let number = match (value.try_into().map(i64::from_le_bytes), value.try_into().map(u32::from_le_bytes)) {
        (Ok(number), _) if !shape.is_unsigned => u64::try_from(number).ok(),
        (Ok(number), _) => Some(number.cast_unsigned()),
        (_, Ok(number)) if !shape.is_unsigned => u64::try_from(number.cast_signed()).ok(),
        (_, number) => number.ok().map(u64::from),
    };
    number.map_or(Epoch::Wrong, Epoch::Is)
}
