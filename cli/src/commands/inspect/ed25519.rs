//! What `inspect` tells of files of Ed25519.

use super::privacy;
use crate::commands::ed25519::input::keep_what_key_json_says;
use crate::files;
use phalanx::ed25519::Error;
use phalanx_identify::Reading;
use phalanx_identify::ed25519::{Reading as Found, describe, encrypted, readings as all_readings};
use std::path::Path;

/// The readings of a file.
///
/// # Errors
/// If there are none: what is wrong, if it looks like a file of Ed25519.
pub(super) fn readings(
    file: &Path,
    bytes: &[u8],
    problems: &mut Vec<String>,
) -> Result<Vec<Reading>, Option<Error>> {
    let mut found = match all_readings(bytes, None) {
        Ok(found) => found,
        // What is known without the password.
        Err(Some(Error::EncryptedKey)) => {
            privacy::check(file, problems);
            return Ok(vec![encrypted()]);
        }
        Err(problem) => return Err(problem),
    };
    keep_what_key_json_says(file, &mut found);
    let is_secret = |reading: &Found| matches!(reading, Found::Secret(_));
    if found.iter().all(is_secret) {
        privacy::check(file, problems);
    } else if found.iter().any(is_secret)
        && let Some(mode) = files::open_to_others(file)
    {
        problems.push(format!("if it is a secret: it has mode {mode:04o}, wanted 0600"));
    }
    Ok(found.iter().map(describe).collect())
}
