//! Whose record it is: the key, and the one-time keys behind it.

use crate::exit::Failure;
use crate::state::StateFolder;
use phalanx::xmss::{Format, KeyGeneration, KeyId, OneTimeKeyId, ParameterSet, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What every record beside a key begins with.
pub(super) const MAGIC: &str = "phalanx-epochs v1 ";

/// What every record in the state folder begins with.
pub(super) const WITNESS_MAGIC: &str = "phalanx-witness v1 ";

/// How the names of all records end.
const EXTENSION: &str = "epochs";

/// Where the record of a secret key is.
pub(crate) fn path_beside(secret_key: &Path) -> PathBuf {
    let mut name = OsString::from(secret_key.as_os_str());
    name.push(".epochs");
    PathBuf::from(name)
}

/// What to do about a second key of one seed.
const ONE_SEED_ONE_KEY: &str =
    "one seed makes one key: take another seed, or the same parameter set and epochs";

/// One key among those that one seed gives: identity, parameter set and interval.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) key_id: KeyId,
    one_time_key_id: OneTimeKeyId,
    set: ParameterSet,
    pub(super) epochs: Range<u64>,
}

impl Instance {
    /// The key that `generation`, of `set`, will make.
    pub(crate) fn of_generation(generation: &KeyGeneration, set: ParameterSet) -> Self {
        let epochs = generation.activation_interval();
        Self { key_id: generation.key_id(), one_time_key_id: generation.one_time_key_id(), set, epochs }
    }

    /// The first line of its record in the state folder, without the public key that ends it.
    fn witness_words(&self) -> String {
        let Range { start, end } = self.epochs;
        format!("{WITNESS_MAGIC}{} {start} {end} {} ", self.set.name(), self.one_time_key_id)
    }

    /// Its record in the state folder.
    pub(super) fn witness_path(&self, state: &StateFolder) -> PathBuf {
        state.path().join(format!("{}.{EXTENSION}", self.key_id))
    }

    /// Refuses if another key with the same one-time keys is known: of the same seed in another parameter set or for
    /// another interval, or of the same secret with another parameter.
    ///
    /// # Errors
    /// Exit code 3 if so; 4 if the state folder cannot be read.
    pub(crate) fn check_is_only_one(&self, state: &StateFolder) -> Result<(), Failure> {
        let own = self.witness_path(state);
        let folder = state.path();
        let cannot = |error| {
            Failure::system(format_args!("cannot read the state folder '{}': {error}", folder.display()))
        };
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            other => other.map_err(cannot)?,
        };
        let (ours, one_time_keys) = (self.witness_words(), self.one_time_key_id.to_string());
        for entry in entries {
            let path = entry.map_err(cannot)?.path();
            if path.extension().is_none_or(|extension| extension != EXTENSION) {
                continue;
            }
            let first = first_line(&path).map_err(cannot)?;
            // What cannot be read is refused where it is the key's own, and is nobody's otherwise.
            if let Some(known) = Known::parse(&first)
                && (path == own || known.one_time_key_id == one_time_keys)
                && !first.starts_with(&ours)
            {
                return Err(known.taken());
            }
        }
        Ok(())
    }
}

/// The words of a record's first line in the state folder.
struct Known<'a> {
    scheme: &'a str,
    start: &'a str,
    end: &'a str,
    one_time_key_id: &'a str,
}

impl<'a> Known<'a> {
    fn parse(first: &'a str) -> Option<Self> {
        let mut words = first.strip_prefix(WITNESS_MAGIC)?.split(' ');
        let mut next = || words.next();
        Some(Self { scheme: next()?, start: next()?, end: next()?, one_time_key_id: next()? })
    }

    fn taken(&self) -> Failure {
        let Self { scheme, start, end, .. } = self;
        Failure::refused(format_args!(
            "another key with the same one-time keys is known: {scheme} for epochs {start}..{end}"
        ))
        .hint(ONE_SEED_ONE_KEY)
    }
}

/// The refusal for a key of which another instance has the record `first` begins.
pub(super) fn taken_by(first: &str) -> Option<Failure> {
    Known::parse(first).map(|known| known.taken())
}

/// The first line of a file, as far as it is text of ours.
fn first_line(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut bytes)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

/// A key that has records.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) instance: Instance,
    public_key: VerifyingKey,
}

impl Owner {
    /// Of the records of `key`.
    pub(crate) fn of(key: &SigningKey) -> Self {
        let public_key = key.verifying_key();
        let instance = Instance {
            key_id: public_key.key_id(),
            one_time_key_id: key.one_time_key_id(),
            set: key.parameter_set(),
            epochs: key.activation_interval(),
        };
        Self { instance, public_key }
    }

    /// The first line of the record beside the key.
    pub(super) fn header(&self) -> String {
        let public = Sha256::digest(self.public_key.to_bytes(Format::Ssz));
        format!("{MAGIC}{} {}\n", self.instance.set.name(), hex::encode(public))
    }

    /// The first line of the record in the state folder.
    pub(super) fn witness_header(&self) -> String {
        format!("{}{}\n", self.instance.witness_words(), hex::encode(self.public_key.to_bytes(Format::Ssz)))
    }
}
