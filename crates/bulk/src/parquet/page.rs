//! Headers of pages.

use super::thrift::{Broken, Reader};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Bytes that are read first for a header, and the largest header: statistics with values stand in it.
const FIRST_BYTES: u64 = 1 << 10;
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    /// Bytes in the file behind the header, and after decompression.
    pub(super) compressed: usize,
    pub(super) uncompressed: usize,
    /// Bytes of the header.
    pub(super) len_bytes: u64,
}

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Values, in the first version of the format.
    Data { values: u64, encoding: i64, levels: i64 },
    /// Values, in the second.
    DataV2 { values: u64, encoding: i64, definition: usize, repetition: usize, is_compressed: bool },
    /// A dictionary.
    Dictionary { values: usize, encoding: i64 },
    /// Something else, which is left out.
    Other,
}

impl Header {
    /// Reads the header of the page at `at` of a column that ends at `end`, and says if the page goes beyond that.
    pub(super) fn read(mut file: &File, at: u64, end: u64) -> Result<Self, String> {
        let room = end.saturating_sub(at);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
        for most in [FIRST_BYTES, MAX_HEADER_BYTES] {
            let more = most.min(room).saturating_sub(bytes.len() as u64);
            file.take(more).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            match parse(&bytes) {
                Ok(header) if header.compressed as u64 > room - header.len_bytes => {
                    return Err("a page goes beyond its column".to_owned());
                }
                Ok(header) => return Ok(header),
                Err(Broken::Short) if most < room => {}
                Err(_) => break,
            }
        }
        Err("the header of a page is damaged".to_owned())
    }
}

fn parse(bytes: &[u8]) -> Result<Header, Broken> {
    let mut reader = Reader::new(bytes);
    let (mut page, mut compressed, mut uncompressed) = (None, None, None);
    let (mut data, mut data_v2, mut dictionary) = (None, None, None);
    reader.structure(|reader, number, _| {
        match number {
            1 => page = Some(reader.integer()?),
            2 => uncompressed = Some(reader.number()?),
            3 => compressed = Some(reader.number()?),
            5 => data = Some(data_header(reader)?),
            7 => dictionary = Some(dictionary_header(reader)?),
            8 => data_v2 = Some(data_v2_header(reader)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let kind = match page {
        Some(0) => data,
        Some(2) => dictionary,
        Some(3) => data_v2,
        _ => Some(Kind::Other),
    };
    let (Some(kind), Some(compressed), Some(uncompressed)) = (kind, compressed, uncompressed) else {
        return Err(Broken::Wrong);
    };
    Ok(Header { kind, compressed, uncompressed, len_bytes: (bytes.len() - reader.remaining()) as u64 })
}

fn data_header(reader: &mut Reader<'_>) -> Result<Kind, Broken> {
    let (mut values, mut encoding, mut levels) = (0, -1, -1);
    reader.structure(|reader, number, _| {
        match number {
            1 => values = reader.number()?,
            2 => encoding = reader.integer()?,
            3 => levels = reader.integer()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Kind::Data { values, encoding, levels })
}

fn dictionary_header(reader: &mut Reader<'_>) -> Result<Kind, Broken> {
    let (mut values, mut encoding) = (0, -1);
    reader.structure(|reader, number, _| {
        match number {
            1 => values = reader.number()?,
            2 => encoding = reader.integer()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Kind::Dictionary { values, encoding })
}

fn data_v2_header(reader: &mut Reader<'_>) -> Result<Kind, Broken> {
    let (mut values, mut encoding, mut definition, mut repetition, mut is_compressed) = (0, -1, 0, 0, true);
    reader.structure(|reader, number, kind| {
        match number {
            1 => values = reader.number()?,
            4 => encoding = reader.integer()?,
            5 => definition = reader.number()?,
            6 => repetition = reader.number()?,
            7 => {
                is_compressed = kind == super::thrift::TRUE;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Kind::DataV2 { values, encoding, definition, repetition, is_compressed })
}
