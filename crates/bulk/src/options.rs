//! What a job is told beside its files.

use phalanx::ed25519::Profile;
use serde::{Deserialize, Serialize};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// An object on every line.
    Jsonl,
    /// A line of names, then lines of values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The format called so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [("jsonl", Self::Jsonl), ("csv", Self::Csv), ("parquet", Self::Parquet)]
            .into_iter()
            .find_map(|(known, format)| (known == name).then_some(format))
    }
}

/// What decides the verdicts, and how rows are shared out. It is part of the plan, and so of every result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The profile of Ed25519 rows that name none.
    pub profile: String,
    /// The scheme of rows that name none.
    pub scheme: Option<String>,
    /// The format of all inputs, whatever they look like.
    pub format: Option<Format>,
    /// Rows of a chunk at most.
    pub chunk_rows: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { profile: Profile::Strict.name().to_owned(), scheme: None, format: None, chunk_rows: 1 << 15 }
    }
}
