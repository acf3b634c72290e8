//! Words on the command line, and bytes from files.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use crate::progress::{Display, Unit};
use phalanx::rescue::{Digest, Function, Hasher};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of an input whose length is not known before: it has to be held, since the length is hashed first.
const MAX_HELD_BYTES: u64 = 1 << 30;

/// Files from this length on are shown with a progress bar.
const LONG_BYTES: u64 = 16 << 20;

/// Words of up to 64 bits, decimal or hexadecimal after `0x`, between commas or blanks. An empty text has none.
///
/// # Errors
/// Which word is none, as a line of text.
pub(super) fn words(text: &str) -> Result<Vec<u64>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let word = |word: &str| {
        let parsed = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        // `parse` takes a sign, and so does the other.
        let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        parsed.ok().filter(|_| is_plain).ok_or_else(|| format!("'{word}' is no word: wanted 0 to 2^64 - 1"))
    };
    if text.contains(',') {
        text.split(',').map(|part| word(part.trim())).collect()
    } else {
        text.split_whitespace().map(word).collect()
    }
}

/// The digest and the length of a file, or for `-` of standard input.
///
/// # Errors
/// Files that cannot be read, lengths without an answer.
pub(super) fn hash_file(
    function: Function,
    padded: bool,
    path: &Path,
    output: &Output,
) -> Result<(Digest, u64), Failure> {
    let cannot =
        |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
    let named = |failure: Failure| Failure {
        message: format!("'{}': {}", path.display(), failure.message),
        ..failure
    };
    if !files::is_standard(path) {
        let mut file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
        }
        if metadata.is_file() {
            let length = metadata.len();
            let display = (length >= LONG_BYTES).then(|| Display::new(output, length, Unit::Bytes));
            let mut hasher = start(function, padded, length).map_err(named)?;
            let read = read_pieces(&mut file, length, |piece, done| {
                hasher.update(piece);
                display.iter().for_each(|display| display.show(done, length));
            });
            display.inspect(Display::finish);
            if read.map_err(cannot)? != length {
                return Err(Failure::system(format_args!("'{}' changed while it was read", path.display())));
            }
            return Ok((hasher.finalize().map_err(|error| named(error.into()))?, length));
        }
    }
    let bytes = files::read_at_most(path, MAX_HELD_BYTES).map_err(|failure| {
        let hint = "a file of any length is hashed in pieces when it is named";
        if failure.message.contains("too long") { failure.hint(hint) } else { failure }
    })?;
    Ok((hash_bytes(function, padded, &bytes).map_err(named)?, bytes.len() as u64))
}

/// The digest of bytes.
///
/// # Errors
/// Lengths without an answer.
pub(super) fn hash_bytes(function: Function, padded: bool, bytes: &[u8]) -> Result<Digest, Failure> {
    if padded { Ok(function.hash_padded(bytes)) } else { Ok(function.hash(bytes)?) }
}

/// The hash of as many bytes, in pieces.
///
/// # Errors
/// Lengths without an answer.
fn start(function: Function, padded: bool, length: u64) -> Result<Hasher, Failure> {
    if padded { Ok(Hasher::new_padded(function, length)) } else { Ok(Hasher::new(function, length)?) }
}

/// Gives all of `source` to `take`, in pieces, with how much that makes; at most a byte more than `length`. Returns how
/// much there was.
fn read_pieces(source: impl Read, length: u64, mut take: impl FnMut(&[u8], u64)) -> io::Result<u64> {
    let mut source = source.take(length.saturating_add(1));
    let mut piece = vec![0; 1 << 16];
    let mut done = 0;
    loop {
        let read = match source.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if read == 0 {
            return Ok(done);
        }
        done += read as u64;
        take(&piece[..read], done);
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_read_and_others_are_not() {
        assert_eq!(words("1,2, 0xff, 0XFF"), Ok(vec![1, 2, 255, 255]));
        assert_eq!(words(" 1 2\t3\r\n"), Ok(vec![1, 2, 3]));
        assert_eq!(words("18446744073709551615"), Ok(vec![u64::MAX]));
        assert_eq!(words(" \n"), Ok(vec![]));
        for bad in ["1,,2", "1,", "-1", "+1", "0x+1", "0x", "18446744073709551616", "1 2,3", "one", "1.5"] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
