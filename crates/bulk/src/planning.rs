//! How a plan is made: every file is read once.

use crate::error::Error;
use crate::judge::Judge;
use crate::options::{Format, Options};
use crate::plan::{Chunk, Input, Plan};
use crate::{parquet, text};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
        let mut plan = Self::empty(options.clone());
        for (_, one) in found {
            let (input, chunks) = one?;
            plan.inputs.push(input);
            plan.chunks.extend(chunks);
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
