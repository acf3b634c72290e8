//! Files of the output folder, whole or not there.

use crate::error::Error;
use crate::result::ChunkResult;
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file of the result of chunk `index`, in the output folder.
pub(crate) fn chunk_file(folder: &Path, index: usize) -> PathBuf {
    folder.join("chunks").join(format!("{index:08}.chunk"))
}

/// Writes the result of chunk `index` of the plan with this digest to the output folder, as one of several processes, on
/// several hosts, may do at a time.
///
/// # Errors
/// [`Error::System`] if it cannot be written.
pub fn write_chunk(folder: &Path, plan: &[u8; 32], index: usize, result: &ChunkResult) -> Result<(), Error> {
    let chunks = folder.join("chunks");
    fs::create_dir_all(&chunks).map_err(|error| Error::write(&chunks, &error))?;
    // Two hosts have processes of one number: the keys of a hash map, which the system draws, tell them apart.
    let of_this_writer = RandomState::new().build_hasher().finish();
    let mut file = Atomic::create_as(chunk_file(folder, index), &format!("{of_this_writer:016x}.partial"))?;
    file.write(&result.to_bytes(plan, index))?;
    file.finish()
}

/// Whether the result of chunk `index`, of so many rows, of the plan with this digest lies whole in the output folder.
#[must_use]
pub fn is_done(folder: &Path, plan: &[u8; 32], index: usize, rows: u64) -> bool {
    fs::read(chunk_file(folder, index))
        .is_ok_and(|bytes| ChunkResult::from_bytes(plan, index, rows, &bytes).is_some())
}

/// Writes a file under another name first: under its own it is whole or not there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = Atomic::create(path.to_owned())?;
    file.write(bytes)?;
    file.finish()
}

/// A path with a further extension.
fn added(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A file that has its name when it is whole.
pub(crate) struct Atomic {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
}

impl Atomic {
    pub(crate) fn create(path: PathBuf) -> Result<Self, Error> {
        Self::create_as(path, "partial")
    }

    /// The same with what the name ends in while the file is not whole.
    fn create_as(path: PathBuf, extension: &str) -> Result<Self, Error> {
        let partial = added(&path, extension);
        let file = File::create(&partial).map_err(|error| Error::write(&partial, &error))?;
        Ok(Self { path, partial, file: BufWriter::new(file) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| Error::write(&self.path, &error))
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.partial, &self.path));
        done.map_err(|error| Error::write(&self.path, &error))
    }
}
