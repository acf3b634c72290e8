//! Bearer tokens: a file of names and hashes, so that who reads it cannot use it.
#![forbid(unsafe_code)]

use super::config::ConfigError;
use crate::hexadecimal;
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use subtle::ConstantTimeEq;

/// A token has at least so many characters: 32 random bytes in base64.
const SHORTEST: usize = 43;

/// The clients that have tokens.
#[derive(Clone, Default)]
pub(super) struct Tokens(Vec<(String, [u8; 32])>);

impl Tokens {
    /// Reads a file of lines `NAME SHA-256-OF-THE-TOKEN`; lines that are empty or begin with `#` say nothing.
    pub(super) fn read(path: &Path) -> Result<Self, ConfigError> {
        let wrong =
            |what: &dyn std::fmt::Display| ConfigError(format!("tokens '{}': {what}", path.display()));
        let metadata = fs::metadata(path).map_err(|error| wrong(&error))?;
        // The hashes are no secrets, but who may write them lets in whom he likes.
        let own = [0, rustix::process::geteuid().as_raw()];
        if metadata.mode() & 0o022 != 0 || !own.contains(&metadata.uid()) {
            return Err(wrong(&"others than the owner can write the file"));
        }
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        Self::parse(&text).map_err(|line| wrong(&format_args!("line {line} is not 'NAME SHA-256'")))
    }

    /// The clients of a file; the number of the line that is none otherwise.
    pub(super) fn parse(text: &str) -> Result<Self, usize> {
        let mut tokens = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fields = line.split_ascii_whitespace();
            let entry = fields.next().zip(fields.next().and_then(hexadecimal::array));
            let (Some((name, hash)), None) = (entry, fields.next()) else {
                return Err(number + 1);
            };
            tokens.0.push((name.to_owned(), hash));
        }
        Ok(tokens)
    }

    /// The client whose token this is. All entries are compared, each in constant time.
    pub(super) fn client(&self, token: &str) -> Option<&str> {
        if token.len() < SHORTEST {
            return None;
        }
        let hash: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let mut found = None;
        for (name, known) in &self.0 {
            if bool::from(known.ct_eq(&hash)) {
                found = Some(name.as_str());
            }
        }
        found
    }
}

/// The token in the value of an `Authorization` header.
pub(super) fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_hash() {
        let token = "a".repeat(43);
        let hash = hexadecimal::text(&Sha256::digest(token.as_bytes()));
        let path = std::env::temp_dir().join(format!("phalanx-tokens-{}", std::process::id()));
        fs::write(&path, format!("# clients\n\nvalidator {hash}\n")).expect("a file");
        let tokens = Tokens::read(&path).expect("good lines");
        assert_eq!(tokens.client(&token), Some("validator"));
        assert_eq!(tokens.client(&format!("{}b", &token[1..])), None);
        assert_eq!(tokens.client(&token[1..]), None, "too short");
        assert_eq!(tokens.client(&format!("{token}a")), None);
        assert_eq!(bearer(&format!("Bearer {token}")), Some(&token[..]));
        assert_eq!(bearer(&token), None);
        for bad in ["validator", "validator 00", "a b c"] {
            fs::write(&path, bad).expect("a file");
            assert!(Tokens::read(&path).is_err(), "{bad}");
        }
        fs::write(&path, format!("validator {hash}\n")).expect("a file");
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).expect("a mode");
        assert!(Tokens::read(&path).is_err(), "others may write it");
        fs::remove_file(&path).expect("it is there");
    }
}
