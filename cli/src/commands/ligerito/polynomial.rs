//! The file of a polynomial: 2^mu words of 32 bits, little-endian, word x the coefficient at the point whose
//! coordinates are the bits of x.

use super::mapped::Mapped;
use crate::exit::Failure;
use crate::files;
use phalanx::ligerito::{MAX_VARIABLES, MIN_VARIABLES};
use phalanx_identify::proof_file::Coefficients;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// Bytes of a word.
const WORD_BYTES: u64 = 4;

/// Files from this length on are mapped and not read.
const MAPPED_FROM_BYTES: u64 = 16 << 20;

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 16;

/// The words of a polynomial, held once: by us, or by the system as pages of the file.
pub(super) struct Polynomial(Words);

enum Words {
    Held(Vec<u32>),
    Mapped(Mapped),
}

impl Polynomial {
    /// The polynomial in a file, or for `-` in standard input, whose words hold `held`.
    ///
    /// # Errors
    /// Files that cannot be read (exit code 4), or whose length is that of no polynomial (2).
    pub(super) fn read(path: &Path, held: Coefficients) -> Result<Self, Failure> {
        Self::read_or_map(path, held, MAPPED_FROM_BYTES)
    }

    fn read_or_map(path: &Path, held: Coefficients, mapped_from: u64) -> Result<Self, Failure> {
        let cannot =
            |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
        if files::is_standard(path) {
            return Self::read_from(io::stdin().lock(), 0, path, held);
        }
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
        }
        if !metadata.is_file() {
            return Self::read_from(file, 0, path, held);
        }
        let words = check_length(metadata.len(), path, held)?;
        // The words of the file are little-endian: as they are, they are ours only on such machines.
        if cfg!(target_endian = "little") && metadata.len() >= mapped_from {
            return Ok(Self(Words::Mapped(Mapped::new(file, &metadata).map_err(cannot)?)));
        }
        Self::read_from(file, words, path, held)
    }

    /// Reads to the end; `expected` words, if known.
    fn read_from(
        mut source: impl Read,
        expected: usize,
        path: &Path,
        held: Coefficients,
    ) -> Result<Self, Failure> {
        let cannot =
            |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
        let longest = WORD_BYTES << MAX_VARIABLES;
        let mut words = Vec::with_capacity(expected);
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let mut total = 0;
        loop {
            // At most a byte more than the longest polynomial has, so that too long is seen without reading on.
            let wanted = (longest + 1 - total).min(PIECE_BYTES as u64);
            let read = source.by_ref().take(wanted).read_to_end(&mut piece).map_err(cannot)?;
            total += read as u64;
            let (whole, rest) = piece.as_chunks::<4>();
            words.extend(whole.iter().map(|bytes| u32::from_le_bytes(*bytes)));
            if read == 0 || !rest.is_empty() || total > longest {
                break;
            }
            piece.clear();
        }
        check_length(total, path, held)?;
        Ok(Self(Words::Held(words)))
    }

    /// Whether the file is still as long and as old as when it was opened. What was read is not touched by changes.
    pub(super) fn check_unchanged(&self, path: &Path) -> Result<(), Failure> {
        match &self.0 {
            Words::Mapped(mapped) if !mapped.is_unchanged() => {
                Err(Failure::system(format_args!("'{}' changed while it was used", path.display())))
            }
            _ => Ok(()),
        }
    }
}

impl Deref for Polynomial {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Words::Held(words) => words,
            Words::Mapped(mapped) => mapped,
        }
    }
}

/// How many words so many bytes are; problems are told in what the words hold.
pub(super) fn check_length(bytes: u64, path: &Path, held: Coefficients) -> Result<usize, Failure> {
    let shown = path.display();
    let longest = WORD_BYTES << MAX_VARIABLES;
    let words = bytes / WORD_BYTES;
    let (name, more) = (held.name(), held.variables());
    let (least, most) = (MIN_VARIABLES + more, MAX_VARIABLES + more);
    let of_words = held == Coefficients::Words;
    let problem = if bytes > longest {
        format!("'{shown}' is longer than 2^{most} {name}{}", if of_words { " of 4 bytes" } else { "" })
    } else if of_words && !bytes.is_multiple_of(WORD_BYTES) {
        format!("'{shown}' has {bytes} bytes: wanted words of 4 bytes")
    } else if !(bytes.is_multiple_of(WORD_BYTES) && words.is_power_of_two() && words >= 1 << MIN_VARIABLES) {
        let count = match held {
            Coefficients::Words => words,
            Coefficients::Bits => 8 * bytes,
            Coefficients::Bytes => bytes,
        };
        format!("'{shown}' has {count} {name}")
    } else {
        return usize::try_from(words).map_err(Failure::system);
    };
    let each = match held {
        Coefficients::Words => ", each a little-endian integer of 32 bits",
        Coefficients::Bits => ", eight in a byte",
        Coefficients::Bytes => "",
    };
    Err(Failure::usage(problem)
        .hint(format_args!("a polynomial is a file of 2^{least} to 2^{most} {name}, a power of two{each}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn file(name: &str, bytes: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("phalanx-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("a temporary file");
        path
    }

    #[test]
    fn read_and_mapped_are_the_same_words() {
        let words: Vec<u32> = (0..1 << 15).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let path = file("polynomial", &bytes);
        let mapped = Polynomial::read_or_map(&path, Coefficients::Words, 0).expect("mapped");
        let held = Polynomial::read_or_map(&path, Coefficients::Words, u64::MAX).expect("read");
        assert!(matches!(mapped.0, Words::Mapped(_)) == cfg!(target_endian = "little"));
        assert!(matches!(held.0, Words::Held(_)));
        assert_eq!(mapped[..], words);
        assert_eq!(held[..], words);
        mapped.check_unchanged(&path).expect("nobody touched it");

        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| io::Write::write_all(&mut file, &[0]))
            .expect("it can be written");
        assert!(mapped.check_unchanged(&path).is_err() == cfg!(target_endian = "little"));
        held.check_unchanged(&path).expect("it has its words");
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn pieces_end_anywhere() {
        /// Gives a few bytes at a time.
        struct Drops<'a>(&'a [u8]);
        impl Read for Drops<'_> {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                let count = out.len().min(self.0.len()).min(7);
                let (now, later) = self.0.split_at(count);
                out[..count].copy_from_slice(now);
                self.0 = later;
                Ok(count)
            }
        }
        let bytes: Vec<u8> = (0..1u32 << 15).flat_map(|i| i.to_le_bytes()).collect();
        let read = |bytes| Polynomial::read_from(Drops(bytes), 0, Path::new("pipe"), Coefficients::Words);
        assert!(read(&bytes).is_ok_and(|words| words.iter().copied().eq(0..1 << 15)));
        for bad in [&bytes[..0], &bytes[..4092], &bytes[..4097], &bytes[1..]] {
            assert!(read(bad).is_err(), "{} bytes", bad.len());
        }
    }
}
