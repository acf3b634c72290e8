//! Lines of a part of a file, none longer in memory than a row may be.

use crate::row::MAX_ROW_BYTES;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

/// The lines.
pub(crate) struct Lines {
    reader: BufReader<Take<File>>,
    line: Vec<u8>,
}

impl Lines {
    /// The lines of `len_bytes` bytes from `offset` on.
    pub(crate) fn open(path: &Path, offset: u64, len_bytes: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Self { reader: BufReader::with_capacity(1 << 16, file.take(len_bytes)), line: Vec::new() })
    }

    /// The next line without its end; `Err` in it if it is too long to be a row. `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<&[u8], ()>>> {
        self.line.clear();
        let limit = MAX_ROW_BYTES as u64 + 1;
        if self.reader.by_ref().take(limit).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        if self.line.pop_if(|byte| *byte == b'\n').is_none() && self.line.len() > MAX_ROW_BYTES {
            self.reader.skip_until(b'\n')?;
            // The next lines need less.
            self.line = Vec::new();
            return Ok(Some(Err(())));
        }
        self.line.pop_if(|byte| *byte == b'\r');
        Ok(Some(Ok(&self.line)))
    }
}
