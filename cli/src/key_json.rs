//! `key.json`: what stands beside a generated key, for people and scripts.

use crate::exit::Failure;
use phalanx::ed25519;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx_identify::ed25519::KeyFormat;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The file's name.
pub(crate) const NAME: &str = "key.json";

/// The scheme of an Ed25519 key.
const ED25519: &str = "ed25519";

/// What says that a file is one of these.
const KIND: &str = "phalanx key v1";

/// The file.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct KeyJson {
    kind: String,
    /// Name of the parameter set, or `ed25519`.
    pub(crate) scheme: String,
    /// Name of the encoding of the key files.
    pub(crate) encoding: String,
    /// The epochs the key can ever sign; only of XMSS keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) activation: Option<Interval>,
    /// The epochs it can sign without computing a bottom tree; only of XMSS keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prepared: Option<Interval>,
    /// The public key in hexadecimal: of XMSS in SSZ, of Ed25519 its 32 bytes.
    pub(crate) public_key: String,
    /// The files, by name.
    pub(crate) files: BTreeMap<String, FileEntry>,
}

/// Consecutive epochs.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    /// The first epoch.
    pub(crate) start: u64,
    /// The first epoch after them.
    pub(crate) end: u64,
}

impl From<Range<u64>> for Interval {
    fn from(range: Range<u64>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// One file of the key.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileEntry {
    /// Its length.
    pub(crate) bytes: u64,
    /// Its SHA-256 in hexadecimal.
    pub(crate) sha256: String,
}

impl FileEntry {
    /// The entry of a file with these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: hex::encode(Sha256::digest(bytes)) }
    }
}

impl KeyJson {
    /// The description of a key whose files are to be added.
    pub(crate) fn of(key: &SigningKey, format: Format) -> Self {
        Self {
            kind: KIND.to_owned(),
            scheme: key.parameter_set().name().to_owned(),
            encoding: format.name().to_owned(),
            activation: Some(key.activation_interval().into()),
            prepared: Some(key.prepared_interval().into()),
            public_key: hex::encode(key.verifying_key().to_bytes(Format::Ssz).expect("every set has SSZ")),
            files: BTreeMap::new(),
        }
    }

    /// The description of an Ed25519 key whose files are to be added.
    pub(crate) fn of_ed25519(key: &ed25519::VerifyingKey, format: KeyFormat) -> Self {
        Self {
            kind: KIND.to_owned(),
            scheme: ED25519.to_owned(),
            encoding: format.name().to_owned(),
            activation: None,
            prepared: None,
            public_key: hex::encode(key.to_bytes()),
            files: BTreeMap::new(),
        }
    }

    /// Reads one, if `bytes` are one, of a scheme and an encoding that we know.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let key: Self = serde_json::from_slice(bytes).ok()?;
        let known = if key.scheme == ED25519 {
            KeyFormat::from_name(&key.encoding).is_some()
        } else {
            // An XMSS key has intervals.
            ParameterSet::from_name(&key.scheme).is_some()
                && Format::from_name(&key.encoding).is_some()
                && key.activation.is_some()
                && key.prepared.is_some()
        };
        (key.kind == KIND && known).then_some(key)
    }

    /// Refuses values that are not plain hexadecimal digits; `path` is where this one stands.
    pub(crate) fn check_digits(&self, path: &Path) -> Result<(), Failure> {
        let hashes = self.files.iter().map(|(name, file)| (format!("sha256 of '{name}'"), &file.sha256));
        let values = std::iter::once(("public_key".to_owned(), &self.public_key)).chain(hashes);
        values.into_iter().try_for_each(|(what, value)| {
            plain_digits(value).map_err(|problem| {
                Failure::usage(format_args!("'{}': {what}: {problem}", path.display()))
                    .hint("keys and hashes in a key.json are hexadecimal digits without a prefix")
            })
        })
    }

    /// The `key.json` in the folder of `file`, if there is one that lists `file`.
    pub(crate) fn beside(file: &Path) -> Option<Self> {
        let bytes = crate::files::read(&Self::path_beside(file)).ok()?;
        Self::parse(&bytes).filter(|key| key.files.contains_key(file_name(file).as_str()))
    }

    /// Where the `key.json` of `file` would be.
    pub(crate) fn path_beside(file: &Path) -> PathBuf {
        file.with_file_name(NAME)
    }

    /// The file's text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers have a JSON form");
        text.push('\n');
        text
    }
}

/// Whether what a `key.json` lists is a name, not a path: nothing outside its folder is touched.
pub(crate) fn is_file_name(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|last| last == name)
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Refuses what is not digits alone: we have written them.
fn plain_digits(value: &str) -> Result<(), String> {
    if value.starts_with("0x") || value.starts_with("0X") {
        return Err("begins with 0x, wanted hexadecimal digits alone".to_owned());
    }
    hex::decode(value).map(drop).map_err(|error| error.to_string())
}
