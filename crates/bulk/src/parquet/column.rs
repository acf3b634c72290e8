//! The values of a column in a row group, one after the other.

use super::compression;
use super::footer::{Pages, Shape};
use super::hybrid::Hybrid;
use super::page::{Header, Kind};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

/// Numbers of encodings in the format, and their names.
const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE: i64 = 3;
const RLE_DICTIONARY: i64 = 8;
const NAMES: [&str; 10] = [
    "PLAIN",
    "number 1",
    "PLAIN_DICTIONARY",
    "RLE",
    "BIT_PACKED",
    "DELTA_BINARY_PACKED",
    "DELTA_LENGTH_BYTE_ARRAY",
    "DELTA_BYTE_ARRAY",
    "RLE_DICTIONARY",
    "BYTE_STREAM_SPLIT",
];

/// A column that is being read.
pub(super) struct Column<'f> {
    file: &'f File,
    shape: Shape,
    /// Its pages that are not read yet.
    pages: Pages,
    max_page_bytes: u64,
    dictionary: Vec<u8>,
    /// Where the entries of the dictionary are in it.
    entries: Vec<Range<u32>>,
    has_dictionary: bool,
    page: Vec<u8>,
    compressed: Vec<u8>,
    /// Values left of the page, nulls among them.
    left: u64,
    levels: Option<Hybrid>,
    values: Values,
    current: Current,
}

/// The values of a page that are to come.
enum Values {
    /// One behind the other, from here on.
    Plain(usize),
    /// Numbers of entries.
    Entries(Hybrid),
}

/// The value of a row.
enum Current {
    Null,
    Page(Range<usize>),
    Dictionary(Range<usize>),
}

impl<'f> Column<'f> {
    /// The column before its first row. No page may have more than `max_page_bytes`.
    pub(super) fn new(file: &'f File, shape: Shape, pages: Pages, max_page_bytes: u64) -> Self {
        Self {
            file,
            shape,
            pages,
            max_page_bytes,
            dictionary: Vec::new(),
            entries: Vec::new(),
            has_dictionary: false,
            page: Vec::new(),
            compressed: Vec::new(),
            left: 0,
            levels: None,
            values: Values::Plain(0),
            current: Current::Null,
        }
    }

    /// What reading the column will need, from the headers of its pages. After one that is damaged none is read.
    pub(super) fn memory_bytes(file: &File, shape: Shape, pages: Pages) -> u64 {
        let (mut at, mut compressed, mut page, mut dictionary) = (pages.start, 0, 0, 0);
        while at < pages.end {
            let Ok(header) = Header::read(file, at, pages.end) else { break };
            at += header.len_bytes + header.compressed as u64;
            compressed = compressed.max(header.compressed as u64);
            match header.kind {
                // Entries take a range each, and four bytes at least where their lengths vary.
                Kind::Dictionary { .. } => {
                    let bytes = header.uncompressed as u64;
                    dictionary = bytes + 8 * (bytes / shape.width.map_or(4, |width| width as u64) + 1);
                }
                _ => page = page.max(header.uncompressed as u64),
            }
        }
        compressed + page + dictionary + compression::memory_bytes(pages.codec)
    }

    /// Goes to the next row.
    pub(super) fn advance(&mut self) -> Result<(), String> {
        while self.left == 0 {
            let header = self.header()?;
            self.take(header)?;
        }
        self.left -= 1;
        let is_there = match &mut self.levels {
            Some(levels) => levels.next(&self.page)? != 0,
            None => true,
        };
        self.current = if is_there { self.next_value()? } else { Current::Null };
        Ok(())
    }

    /// The value of this row; `None` if it is null.
    pub(super) fn value(&self) -> Option<&[u8]> {
        match &self.current {
            Current::Null => None,
            Current::Page(range) => self.page.get(range.clone()),
            Current::Dictionary(range) => self.dictionary.get(range.clone()),
        }
    }

    /// Passes over rows: pages of which no row is wanted are not decompressed.
    pub(super) fn skip(&mut self, mut rows: u64) -> Result<(), String> {
        while rows > self.left {
            rows -= self.left;
            self.left = 0;
            let header = self.header()?;
            match header.kind {
                Kind::Data { values, .. } | Kind::DataV2 { values, .. } if values <= rows => {
                    rows -= values;
                    self.pages.start += header.len_bytes + header.compressed as u64;
                }
                _ => self.take(header)?,
            }
        }
        (0..rows).try_for_each(|_| self.advance())
    }

    fn header(&self) -> Result<Header, String> {
        if self.pages.start >= self.pages.end {
            return Err("the column ends too early".to_owned());
        }
        let header = Header::read(self.file, self.pages.start, self.pages.end)?;
        if header.uncompressed as u64 > self.max_page_bytes {
            return Err("a page is larger than planned".to_owned());
        }
        Ok(header)
    }

    /// Reads the page with this header.
    fn take(&mut self, header: Header) -> Result<(), String> {
        let mut file = self.file;
        self.compressed.resize(header.compressed, 0);
        let at = self.pages.start + header.len_bytes;
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut self.compressed));
        read.map_err(|error| error.to_string())?;
        self.pages.start = at + header.compressed as u64;
        match header.kind {
            Kind::Other => Ok(()),
            Kind::Dictionary { values, encoding } => {
                self.take_dictionary(values, encoding, header.uncompressed)
            }
            Kind::Data { values, encoding, levels } => {
                self.current = Current::Null;
                self.page.clear();
                compression::undo(self.pages.codec, &self.compressed, header.uncompressed, &mut self.page)?;
                let mut at = 0;
                self.levels = None;
                if self.shape.nullable {
                    if levels != RLE {
                        return Err(not_read(levels));
                    }
                    let len = self.page.first_chunk::<4>().ok_or("a page ends too early")?;
                    let len = usize::try_from(u32::from_le_bytes(*len)).map_err(|error| error.to_string())?;
                    at = 4 + len;
                    if at > self.page.len() {
                        return Err("a page ends too early".to_owned());
                    }
                    self.levels = Some(Hybrid::new(1, 4, at)?);
                }
                self.begin(values, encoding, at)
            }
            Kind::DataV2 { values, encoding, definition, repetition, is_compressed } => {
                let levels = definition
                    .checked_add(repetition)
                    .filter(|sum| *sum <= header.uncompressed && *sum <= self.compressed.len());
                let levels = levels.ok_or("a page ends too early")?;
                self.current = Current::Null;
                self.page.clear();
                self.page.extend_from_slice(&self.compressed[..levels]);
                let codec = if is_compressed { self.pages.codec } else { 0 };
                let rest = &self.compressed[levels..];
                compression::undo(codec, rest, header.uncompressed - levels, &mut self.page)?;
                self.levels = None;
                if self.shape.nullable {
                    self.levels = Some(Hybrid::new(1, repetition, levels)?);
                }
                self.begin(values, encoding, levels)
            }
        }
    }

    fn take_dictionary(&mut self, values: usize, encoding: i64, len_bytes: usize) -> Result<(), String> {
        if ![PLAIN, PLAIN_DICTIONARY].contains(&encoding) {
            return Err(not_read(encoding));
        }
        if self.has_dictionary {
            return Err("a second dictionary".to_owned());
        }
        self.has_dictionary = true;
        compression::undo(self.pages.codec, &self.compressed, len_bytes, &mut self.dictionary)?;
        // What is claimed is not trusted: entries are as many as there are, up to that.
        let mut at = 0;
        while self.entries.len() < values && at < self.dictionary.len() {
            let range = plain(self.shape, &self.dictionary, &mut at)?;
            let [start, end] = [range.start, range.end].map(u32::try_from);
            let (Ok(start), Ok(end)) = (start, end) else { return Err("a dictionary of 4 GiB".to_owned()) };
            self.entries.push(start..end);
        }
        Ok(())
    }

    /// The page is there, and its values begin at `at`.
    fn begin(&mut self, values: u64, encoding: i64, at: usize) -> Result<(), String> {
        self.values = match encoding {
            PLAIN => Values::Plain(at),
            PLAIN_DICTIONARY | RLE_DICTIONARY => {
                // A page of nulls alone has no numbers, and may have no width of them.
                let width = self.page.get(at).copied().unwrap_or_default();
                Values::Entries(Hybrid::new(width.into(), (at + 1).min(self.page.len()), self.page.len())?)
            }
            _ => return Err(not_read(encoding)),
        };
        self.left = values;
        Ok(())
    }

    fn next_value(&mut self) -> Result<Current, String> {
        match &mut self.values {
            Values::Plain(at) => plain(self.shape, &self.page, at).map(Current::Page),
            Values::Entries(numbers) => {
                let number = numbers.next(&self.page)?;
                let entry = usize::try_from(number).ok().and_then(|number| self.entries.get(number));
                let entry = entry.ok_or("a value that is not in the dictionary")?;
                Ok(Current::Dictionary(entry.start as usize..entry.end as usize))
            }
        }
    }
}

/// Where the value at `at` is, and moves `at` behind it.
fn plain(shape: Shape, bytes: &[u8], at: &mut usize) -> Result<Range<usize>, String> {
    let rest = bytes.get(*at..).unwrap_or_default();
    let (before, len) = match shape.width {
        Some(width) => (0, width),
        None => {
            let len = rest.first_chunk::<4>().ok_or("a page ends too early")?;
            (4, usize::try_from(u32::from_le_bytes(*len)).map_err(|error| error.to_string())?)
        }
    };
    if rest.len() - before < len {
        return Err("a page ends too early".to_owned());
    }
    let start = *at + before;
    *at = start + len;
    Ok(start..*at)
}

fn not_read(encoding: i64) -> String {
    let name = usize::try_from(encoding).ok().and_then(|encoding| NAMES.get(encoding));
    let name = name.map_or_else(|| format!("number {encoding}"), ToString::to_string);
    format!("encoding {name} is not read: PLAIN and dictionaries are")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: Shape = Shape { width: None, nullable: false, is_text: true, is_unsigned: false };

    /// A number as Thrift writes it.
    fn number(value: i64) -> Vec<u8> {
        let (mut rest, mut bytes) = ((value << 1 ^ value >> 63).cast_unsigned(), Vec::new());
        while rest > 0x7f {
            bytes.push(u8::try_from(rest & 0x7f).expect("seven bits") | 0x80);
            rest >>= 7;
        }
        bytes.push(u8::try_from(rest).expect("seven bits"));
        bytes
    }

    /// A page: a dictionary (7) or data (5), with what its header claims.
    fn page(kind: u8, uncompressed: i64, values: i64, encoding: i64, body: &[u8]) -> Vec<u8> {
        let compressed = i64::try_from(body.len()).expect("a length");
        let mut bytes = [&[0x15][..], &number(if kind == 7 { 2 } else { 0 })].concat();
        for value in [uncompressed, compressed] {
            bytes.extend([&[0x15][..], &number(value)].concat());
        }
        bytes.push(((kind - 3) << 4) | 12);
        for value in [values, encoding] {
            bytes.extend([&[0x15][..], &number(value)].concat());
        }
        bytes.extend([0, 0]);
        bytes.extend_from_slice(body);
        bytes
    }

    /// The values of a column of these pages, until it ends, and why it does.
    fn read(codec: i64, pages: &[Vec<u8>]) -> (Vec<Vec<u8>>, String) {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("phalanx-bulk-column-{}-{number}", std::process::id()));
        let bytes = pages.concat();
        File::create(&path).and_then(|mut file| file.write_all(&bytes)).expect("a file");
        let file = File::open(&path).expect("a file");
        std::fs::remove_file(&path).expect("a file");
        let pages = Pages { start: 0, end: bytes.len() as u64, codec };
        let (mut column, mut values) = (Column::new(&file, TEXT, pages, 1 << 16), Vec::new());
        loop {
            match column.advance() {
                Ok(()) => values.push(column.value().expect("a value").to_vec()),
                Err(problem) => return (values, problem),
            }
        }
    }

    #[test]
    fn what_headers_claim_is_not_trusted() {
        let many = i64::from(i32::MAX);
        let two = b"\x01\0\0\0a\x02\0\0\0bc";
        let dictionary = |values, len| page(7, len, values, 0, two);
        // The numbers 1, 0 and then 5 for ever.
        let entries = b"\x03\x02\x01\x02\x00\xfe\xff\x03\x05";
        let data = page(5, 9, many, 8, entries);
        let (values, problem) = read(0, &[dictionary(many, 11), data.clone()]);
        assert_eq!(
            (values, &*problem),
            (vec![b"bc".to_vec(), b"a".to_vec()], "a value that is not in the dictionary")
        );
        for (pages, wanted) in [
            (vec![data], "a value that is not in the dictionary"),
            (vec![dictionary(2, 11), dictionary(2, 11)], "a second dictionary"),
            (vec![dictionary(2, many)], "a page is larger than planned"),
            (vec![dictionary(2, 12)], "a page without compression has two lengths"),
            (vec![dictionary(-1, 11)], "the header of a page is damaged"),
            (
                vec![page(5, 11, many, 6, two)],
                "encoding DELTA_LENGTH_BYTE_ARRAY is not read: PLAIN and dictionaries are",
            ),
            (vec![page(5, 3, many, 0, b"\xff\xff\xff")], "a page ends too early"),
            (vec![page(5, 4, many, 0, b"\xff\xff\xff\xff")], "a page ends too early"),
            (vec![page(5, 2, many, 8, b"\xff\x03")], "numbers of 255 bits"),
            (vec![page(5, 0, 0, 0, b"")], "the column ends too early"),
        ] {
            assert_eq!(read(0, &pages), (Vec::new(), wanted.to_owned()));
        }
        // Compressed bytes that claim a length of their own, or a window of 2 GiB.
        assert_eq!(read(1, &[page(5, 40, 1, 0, b"\xff\xff\xff\xff\x0f")]).1, "a page does not decompress");
        let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00";
        assert_eq!(read(6, &[page(5, 40, 1, 0, frame)]).1, "a page does not decompress");
        assert_eq!(
            read(2, &[page(5, 40, 1, 0, b"")]).1,
            "compression GZIP is not read: SNAPPY, ZSTD and none are"
        );
        let plain = page(5, 11, many, 0, two);
        assert_eq!(
            read(0, &[plain]),
            (vec![b"a".to_vec(), b"bc".to_vec()], "a page ends too early".to_owned())
        );
    }
}
