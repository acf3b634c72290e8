//! Readers and writers for bytes: SSZ and the two encodings of bincode, strict and without surprises.
//!
//! A [`Reader`] walks over bytes from outside. What it cannot read is a [`Malformed`] that names the part, never a
//! panic; it hands out pieces of its input and allocates nothing. Writing goes to a `Vec<u8>`.

mod bincode;
mod ssz;

use crate::error::Malformed;

pub use bincode::Integers;
pub use ssz::{put_offset, sections};

/// A walk over bytes from outside.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Begins at the first of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// [`Malformed`] with the number of bytes left as `got` and `N` as `wanted`.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<&'a [u8; N], Malformed> {
        let short = Malformed { what, got: self.rest.len() as u64, wanted: N as u64 };
        let (taken, rest) = self.rest.split_first_chunk().ok_or(short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// [`Malformed`] with the number of bytes left as `got` and `len` as `wanted`.
    pub fn take(&mut self, what: &'static str, len: u64) -> Result<&'a [u8], Malformed> {
        let short = Malformed { what, got: self.rest.len() as u64, wanted: len };
        let len = usize::try_from(len).map_err(|_| short)?;
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next four bytes, as a little-endian integer.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn u32_le(&mut self, what: &'static str) -> Result<u32, Malformed> {
        self.array(what).map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The next eight bytes, as a little-endian integer.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn u64_le(&mut self, what: &'static str) -> Result<u64, Malformed> {
        self.array(what).map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Ends the walk.
    ///
    /// # Errors
    /// [`Malformed`] with the number of bytes left as `got`, if any are.
    pub fn finish(self) -> Result<(), Malformed> {
        Malformed::unless_equal("bytes after the end", self.rest.len() as u64, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_as_many_as_asked() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.take("a", 2), Ok(&[1, 2][..]));
        assert_eq!(reader.take("b", u64::MAX), Err(Malformed { what: "b", got: 1, wanted: u64::MAX }));
        assert_eq!(reader.take("c", 1), Ok(&[3][..]), "a failed read reads nothing");
        assert_eq!(reader.take("d", 0), Ok(&[][..]));
    }

    #[test]
    fn reads_in_order_and_to_the_end() {
        let mut reader = Reader::new(&[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 128, 7, 8]);
        assert_eq!(reader.u32_le("a"), Ok(1));
        assert_eq!(reader.u64_le("b"), Ok(2 + (128 << 56)));
        assert_eq!(reader.array("c"), Ok(&[7, 8]));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn says_what_is_short_and_what_is_left() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.u32_le("a"), Err(Malformed { what: "a", got: 3, wanted: 4 }));
        assert_eq!(reader.u64_le("b"), Err(Malformed { what: "b", got: 3, wanted: 8 }));
        assert_eq!(reader.rest(), [1, 2, 3], "a failed read reads nothing");
        assert_eq!(reader.finish(), Err(Malformed { what: "bytes after the end", got: 3, wanted: 0 }));
    }
}
