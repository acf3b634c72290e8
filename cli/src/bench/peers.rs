//! Ratios to other implementations, which `compare` measures: read for the report.

use crate::exit::Failure;
use crate::files;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Far more than a comparison writes.
const MAX_BYTES: u64 = 16 << 20;

/// How many times faster than a peer.
#[derive(Deserialize, Debug)]
pub(super) struct Ratio {
    /// Operation, such as `ed25519/sign`.
    pub(super) operation: String,
    /// Our backend.
    pub(super) backend: String,
    /// Threads of both.
    pub(super) threads: u64,
    /// Operations of one call.
    pub(super) n: u64,
    /// Name of the peer.
    pub(super) peer: String,
    /// Its version, and how it was built.
    pub(super) peer_version: String,
    /// Its time divided by ours.
    pub(super) ratio: f64,
}

impl Ratio {
    /// The name of the backend's color: text of a file is no part of a style sheet.
    pub(super) fn color(&self) -> &'static str {
        phalanx::Backend::from_name(&self.backend).map_or("portable", phalanx::Backend::name)
    }
}

/// Reads the files that `cargo xtask compare` wrote.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Ratio>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(of(path)?);
    }
    Ok(all)
}

fn of(path: &Path) -> Result<Vec<Ratio>, Failure> {
    let bytes = files::read_at_most(path, MAX_BYTES)?;
    let rows: Vec<Ratio> = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::usage(format_args!("{}: not what the comparison writes: {error}", path.display()))
    })?;
    match rows.iter().find(|row| !row.ratio.is_finite() || row.ratio < 0.0) {
        Some(row) => Err(Failure::usage(format_args!(
            "{}: a ratio of {} of {}",
            path.display(),
            row.ratio,
            row.operation
        ))),
        None => Ok(rows),
    }
}
