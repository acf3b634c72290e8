//! Files of the output folder, whole or not there.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file of the result of chunk `index`, in the output folder.
#[must_use]
pub fn chunk_file(folder: &Path, index: usize) -> PathBuf {
    folder.join("chunks").join(format!("{index:08}.chunk"))
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
        let partial = added(&path, "partial");
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
