//! Who can read a secret.

use crate::files;
use std::path::Path;

/// Notes a secret that others can read.
pub(super) fn check(file: &Path, problems: &mut Vec<String>) {
    if let Some(mode) = files::open_to_others(file) {
        problems.push(format!("holds a secret, and has mode {mode:04o}: wanted 0600"));
    }
}
