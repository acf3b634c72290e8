//! A strict reader of the few DER elements (X.690) that key files are made of: one-byte tags, definite lengths in their
//! shortest form.

use crate::error::{Error, invalid};

/// Reads elements one after the other.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The tag of the next element, if there is one.
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The content of the next element, which must have this tag; `problem` is the error if it has not.
    pub(super) fn read(&mut self, tag: u8, problem: &'static str) -> Result<&'a [u8], Error> {
        if self.peek() != Some(tag) {
            return Err(invalid(problem));
        }
        let (len, header_len) = match self.rest[1..] {
            [len @ 0..=0x7f, ..] => (usize::from(len), 2),
            [0x81, len @ 0x80..=0xff, ..] => (usize::from(len), 3),
            [0x82, high @ 1..=0xff, low, ..] => (usize::from(high) << 8 | usize::from(low), 4),
            _ => return Err(invalid("DER length is missing, too long or not in its shortest form")),
        };
        let content = self
            .rest
            .get(header_len..header_len + len)
            .ok_or(invalid("DER element is longer than what is left of the file"))?;
        self.rest = &self.rest[header_len + len..];
        Ok(content)
    }

    /// Nothing may be left; `problem` is the error if something is.
    pub(super) fn finish(self, problem: &'static str) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(invalid(problem)) }
    }
}
