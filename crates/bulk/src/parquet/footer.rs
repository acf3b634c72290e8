//! The footer: where the columns of each row group are.

use super::thrift::{Broken, Reader};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// What a file begins and ends with.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// The columns that are looked for: the first three must be there, `scheme` unless all rows have one.
pub(super) const NAMES: [&str; 6] = ["public_key", "message", "signature", "scheme", "epoch", "profile"];
const EPOCH: usize = 4;

/// The largest footer.
const MAX_FOOTER_BYTES: u64 = 64 << 20;

/// What the values of a column look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes of a value; `None` if its length stands before it.
    pub(super) width: Option<usize>,
    pub(super) nullable: bool,
    /// Text, by its logical type: hexadecimal where bytes are meant.
    pub(super) is_text: bool,
    pub(super) is_unsigned: bool,
}

/// Where the pages of a column are in a row group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pages {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) codec: i64,
}

/// A row group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) rows: u64,
    /// As `NAMES`; empty where the file has no such column.
    pages: [Pages; NAMES.len()],
}

/// What is needed of a footer.
pub(super) struct Footer {
    /// The number of the column among all leaves of the schema, and its shape.
    columns: [Option<(usize, Shape)>; NAMES.len()],
    pub(super) groups: Vec<Group>,
    /// Bytes that it takes in the file and here.
    pub(super) len_bytes: u64,
}

impl Footer {
    /// Reads the footer of a file of so many bytes.
    pub(super) fn read(mut file: &File, len_file: u64, scheme_is_given: bool) -> Result<Self, String> {
        let mut end = [0; 8];
        let no_parquet = || "it does not end as a Parquet file does".to_owned();
        let from = len_file.checked_sub(12).ok_or_else(no_parquet)?;
        let mut read = |at, bytes: &mut [u8]| {
            file.seek(SeekFrom::Start(at))
                .and_then(|_| file.read_exact(bytes))
                .map_err(|error| error.to_string())
        };
        read(from + 4, &mut end)?;
        let (len, magic) = end.split_at(4);
        let len_bytes = u64::from(u32::from_le_bytes(len.try_into().map_err(|_| no_parquet())?));
        if magic == b"PARE" {
            return Err("it is encrypted".to_owned());
        }
        if magic != MAGIC || len_bytes > from {
            return Err(no_parquet());
        }
        if len_bytes > MAX_FOOTER_BYTES {
            return Err(format!("its footer has {len_bytes} bytes, at most {MAX_FOOTER_BYTES} are read"));
        }
        let mut bytes = vec![0; usize::try_from(len_bytes).map_err(|_| no_parquet())?];
        read(len_file - 8 - len_bytes, &mut bytes)?;
        let mut footer = Self::parse(&bytes, len_file, scheme_is_given)?;
        footer.len_bytes = len_bytes + (footer.groups.len() * size_of::<Group>()) as u64;
        Ok(footer)
    }

    /// The columns that are there, by their numbers among `NAMES`, with their pages in `group`.
    pub(super) fn columns<'a>(
        &'a self,
        group: &'a Group,
    ) -> impl Iterator<Item = (usize, Shape, Pages)> + 'a {
        let there = self.columns.iter().zip(&group.pages).enumerate();
        there.filter_map(|(name, (column, pages))| Some((name, (*column)?.1, *pages)))
    }

    fn parse(bytes: &[u8], len_file: u64, scheme_is_given: bool) -> Result<Self, String> {
        let broken = |_| "its footer is damaged".to_owned();
        let (mut schema, mut groups) = (None, None);
        // The schema stands before the row groups, but no one says that it must.
        Reader::new(bytes)
            .structure(|reader, number, _| {
                match number {
                    2 => schema = Some(reader.clone()),
                    4 => groups = Some(reader.clone()),
                    _ => {}
                }
                Ok(false)
            })
            .map_err(broken)?;
        let (Some(mut schema), Some(mut groups)) = (schema, groups) else {
            return Err(broken(Broken::Wrong));
        };
        let columns = columns(&mut schema, scheme_is_given)?;
        let mut footer = Self { columns, groups: Vec::new(), len_bytes: 0 };
        let mut problem = None;
        let read = groups.structures(|reader| {
            match group(reader, &footer.columns, len_file)? {
                Ok(group) => footer.groups.push(group),
                Err(this) => problem = Some(this),
            }
            if problem.is_some() { Err(Broken::Wrong) } else { Ok(()) }
        });
        match problem {
            Some(problem) => Err(problem),
            None => read.map(|()| footer).map_err(broken),
        }
    }
}

/// An element of the schema.
#[derive(Default)]
struct Element<'a> {
    name: &'a [u8],
    kind: Option<i64>,
    length: i64,
    repetition: i64,
    children: usize,
    converted: Option<i64>,
    is_string: bool,
    is_unsigned: bool,
}

fn element<'a>(reader: &mut Reader<'a>) -> Result<Element<'a>, Broken> {
    let mut element = Element::default();
    reader.structure(|reader, number, _| {
        match number {
            1 => element.kind = Some(reader.integer()?),
            2 => element.length = reader.integer()?,
            3 => element.repetition = reader.integer()?,
            4 => element.name = reader.binary()?,
            5 => element.children = reader.number()?,
            6 => element.converted = Some(reader.integer()?),
            10 => reader.structure(|reader, number, _| {
                element.is_string |= number == 1;
                if number != 10 {
                    return Ok(false);
                }
                reader.structure(|_, number, kind| {
                    element.is_unsigned |= number == 2 && kind == super::thrift::FALSE;
                    Ok(false)
                })?;
                Ok(true)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(element)
}

/// Finds the columns in the schema: its tree in depth-first order, the root first.
fn columns(
    reader: &mut Reader<'_>,
    scheme_is_given: bool,
) -> Result<[Option<(usize, Shape)>; NAMES.len()], String> {
    let mut columns = [None; NAMES.len()];
    let (mut leaf, mut problem, mut has_root) = (0, None, false);
    // How many children are to come at each level.
    let mut open: Vec<usize> = Vec::new();
    let read = reader.structures(|reader| {
        let element = element(reader)?;
        let level = open.len();
        if level == 0 && has_root {
            return Err(Broken::Wrong);
        }
        has_root = true;
        if let Some(count) = open.last_mut() {
            *count -= 1;
        }
        let known = NAMES.iter().position(|name| name.as_bytes() == element.name);
        if let Some(name) = known.filter(|_| level == 1) {
            match shape(&element, name) {
                Err(wrong) => problem = Some(wrong),
                Ok(_) if columns[name].is_some() => {
                    problem = Some(format!("two columns are called {}", NAMES[name]));
                }
                Ok(shape) => columns[name] = Some((leaf, shape)),
            }
        }
        if level > 0 && element.children == 0 {
            leaf += 1;
        } else {
            open.push(element.children);
        }
        while open.pop_if(|count| *count == 0).is_some() {}
        Ok(())
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    read.map_err(|_| "its schema is damaged".to_owned())?;
    let required = if scheme_is_given { 3 } else { 4 };
    match (0..required).find(|name| columns[*name].is_none()) {
        Some(name) => Err(format!("no column is called {}", NAMES[name])),
        None => Ok(columns),
    }
}

/// The shape of a column at the top level.
fn shape(element: &Element<'_>, name: usize) -> Result<Shape, String> {
    /// Types of values.
    const INT32: i64 = 1;
    const INT64: i64 = 2;
    const BYTE_ARRAY: i64 = 6;
    const FIXED_LEN_BYTE_ARRAY: i64 = 7;
    /// Older names of logical types: text, and unsigned integers of 8, 16, 32 and 64 bits.
    const UTF8: i64 = 0;
    const UNSIGNED: std::ops::RangeInclusive<i64> = 11..=14;

    let wrong = |what: &str| Err(format!("column {}: {what}", NAMES[name]));
    let width = match (element.kind, name) {
        (Some(INT32), EPOCH) => Some(4),
        (Some(INT64), EPOCH) => Some(8),
        (_, EPOCH) => return wrong("an epoch is an integer of 32 or 64 bits"),
        (Some(BYTE_ARRAY), _) => None,
        (Some(FIXED_LEN_BYTE_ARRAY), _) => match usize::try_from(element.length) {
            Ok(length) if length > 0 => Some(length),
            _ => return wrong("values of no length"),
        },
        _ => return wrong("values are text or bytes"),
    };
    match element.repetition {
        _ if element.children > 0 => wrong("it has columns of its own"),
        repetition @ 0..=1 => Ok(Shape {
            width,
            nullable: repetition == 1,
            is_text: element.is_string || element.converted == Some(UTF8),
            is_unsigned: element.is_unsigned || element.converted.is_some_and(|old| UNSIGNED.contains(&old)),
        }),
        _ => wrong("it has several values in a row"),
    }
}

/// Reads a row group; the inner error says what is wrong with it.
fn group(
    reader: &mut Reader<'_>,
    columns: &[Option<(usize, Shape)>; NAMES.len()],
    len_file: u64,
) -> Result<Result<Group, String>, Broken> {
    let mut group = Group { rows: 0, pages: Default::default() };
    let (mut found, mut problem) = ([false; NAMES.len()], None);
    reader.structure(|reader, number, _| {
        match number {
            3 => group.rows = reader.number()?,
            1 => {
                let mut leaf = 0;
                reader.structures(|reader| {
                    let name = columns.iter().position(|column| column.is_some_and(|(this, _)| this == leaf));
                    leaf += 1;
                    let (pages, is_elsewhere) = pages(reader)?;
                    let Some(name) = name else { return Ok(()) };
                    if is_elsewhere {
                        problem = Some(format!("column {} is encrypted, or in another file", NAMES[name]));
                    } else if pages.end > len_file || pages.start > pages.end {
                        problem = Some(format!("column {} is said to be outside the file", NAMES[name]));
                    }
                    (group.pages[name], found[name]) = (pages, true);
                    Ok(())
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let lost = (0..NAMES.len()).find(|name| columns[*name].is_some() && !found[*name]);
    if let Some(name) = lost {
        problem = Some(format!("column {} is not in every row group", NAMES[name]));
    }
    Ok(problem.map_or(Ok(group), Err))
}

/// Where the pages of a column are, and whether that is somewhere else.
fn pages(reader: &mut Reader<'_>) -> Result<(Pages, bool), Broken> {
    let (mut data, mut dictionary, mut len, mut codec, mut is_elsewhere) = (0_u64, None, 0_u64, 0, false);
    reader.structure(|reader, number, _| {
        match number {
            1 | 8 | 9 => is_elsewhere = true,
            3 => {
                reader.structure(|reader, number, _| {
                    match number {
                        4 => codec = reader.integer()?,
                        7 => len = reader.number()?,
                        9 => data = reader.number()?,
                        11 => dictionary = Some(reader.number::<u64>()?),
                        _ => return Ok(false),
                    }
                    Ok(true)
                })?;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    })?;
    // Some writers say 0 where they have no dictionary.
    let start = dictionary.filter(|at| *at > 0 && *at < data).unwrap_or(data);
    Ok((Pages { start, end: start.checked_add(len).ok_or(Broken::Wrong)?, codec }, is_elsewhere))
}
