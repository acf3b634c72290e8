//! Secret keys in their files.

use super::input::malformed;
use crate::exit::Failure;
use crate::key_json::KeyJson;
use crate::output::Output;
use crate::{files, private, temporary};
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx_custody::EpochKey;
use std::fs;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A secret key that was read from a file.
pub(crate) struct SecretKey {
    /// The file, through all symbolic links.
    pub(crate) path: PathBuf,
    pub(crate) key: SigningKey,
    bytes: Zeroizing<Vec<u8>>,
}

impl SecretKey {
    /// Reads the key in `path`, and checks that it is the one that the `key.json` beside it describes.
    ///
    /// # Errors
    /// Exit code 2 if it is not, 4 if it cannot be read.
    pub(crate) fn read(path: &Path, set: ParameterSet, format: Format) -> Result<Self, Failure> {
        Self::find(path, |_, _| Ok((set, format))).map(|(key, _)| key)
    }

    /// The same, where `reading` says of a file and its bytes what parameter set and encoding they are in; with the encoding.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn find(
        path: &Path,
        reading: impl FnOnce(&Path, &[u8]) -> Result<(ParameterSet, Format), Failure>,
    ) -> Result<(Self, Format), Failure> {
        if files::is_standard(path) {
            return Err(Failure::usage("the secret key must be a file: its ledger stands beside it"));
        }
        let cannot = |error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
        let path = fs::canonicalize(path).map_err(cannot)?;
        let bytes = files::read(&path)?;
        let (set, format) = reading(&path, &bytes)?;
        let key = decode(&path, set, format, &bytes)?;
        if let Some(description) = KeyJson::beside(&path) {
            check_description(&description, &key, &path)?;
        }
        Ok((Self { path, key, bytes }, format))
    }

    /// Makes sure of the file while `_held`, the key's ledger, is held, so that nobody else signs with it or writes it: it is
    /// its owner's alone, and what was read of it still stands there. What killed processes left of it is removed.
    ///
    /// # Errors
    /// Exit code 3 if others can use it, 4 if it was replaced by another key or the system fails.
    pub(crate) fn settle<T>(&mut self, _held: &T, format: Format, output: &Output) -> Result<(), Failure> {
        let shown = self.path.display();
        let cannot = |error| Failure::system(format_args!("cannot read '{shown}': {error}"));
        for path in temporary::remove_leftovers(&self.path).map_err(cannot)? {
            output.note(format_args!("removed '{}', which a killed process left", path.display()));
        }
        private::check(&self.path, &fs::metadata(&self.path).map_err(cannot)?)?;
        let now = files::read(&self.path)?;
        if *now != *self.bytes {
            let key = decode(&self.path, self.key.parameter_set(), format, &now)?;
            if key.verifying_key() != self.key.verifying_key() {
                return Err(Failure::system(format_args!("'{shown}' was replaced by another key")));
            }
            (self.key, self.bytes) = (key, now);
        }
        Ok(())
    }
}

fn decode(path: &Path, set: ParameterSet, format: Format, bytes: &[u8]) -> Result<SigningKey, Failure> {
    SigningKey::from_bytes(set, format, bytes)
        .map_err(|error| malformed("secret key", path, set, format, error, bytes))
}

/// Checks that the secret key is the one that the `key.json` beside it describes.
fn check_description(description: &KeyJson, key: &SigningKey, path: &Path) -> Result<(), Failure> {
    let json = KeyJson::path_beside(path);
    description.check_digits(&json)?;
    let public = hex::encode(SigningKey::public_key(&key.verifying_key()));
    if description.scheme == key.parameter_set().name() && description.public_key == public {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "'{}' is not the key that '{}' describes",
        path.display(),
        json.display()
    ))
    .hint("keep each key in a folder of its own"))
}
