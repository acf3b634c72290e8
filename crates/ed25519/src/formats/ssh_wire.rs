//! The encoding of SSH (RFC 4251 section 5): numbers of 32 bits, big-endian, and strings with their length before them.

use crate::error::{Error, invalid};
use alloc::vec::Vec;

/// The name of Ed25519 in SSH (RFC 8709), as key type and as signature type.
pub(super) const KEY_TYPE: &[u8] = b"ssh-ed25519";

pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// These bytes, which must come next.
    pub(super) fn expect(&mut self, wanted: &[u8], problem: &'static str) -> Result<(), Error> {
        self.rest = self.rest.strip_prefix(wanted).ok_or(invalid(problem))?;
        Ok(())
    }

    pub(super) fn number(&mut self) -> Result<u32, Error> {
        let (number, rest) = self.rest.split_first_chunk().ok_or(invalid("SSH number is cut off"))?;
        self.rest = rest;
        Ok(u32::from_be_bytes(*number))
    }

    pub(super) fn string(&mut self) -> Result<&'a [u8], Error> {
        let cut_off = invalid("SSH string is longer than what is left");
        let len = usize::try_from(self.number()?).map_err(|_| cut_off)?;
        let (string, rest) = self.rest.split_at_checked(len).ok_or(cut_off)?;
        self.rest = rest;
        Ok(string)
    }

    /// The type of a key or signature, which must be Ed25519.
    pub(super) fn key_type(&mut self) -> Result<(), Error> {
        match self.string()? {
            KEY_TYPE => Ok(()),
            b"ssh-ed25519-cert-v01@openssh.com" => Err(invalid("certificates are not supported")),
            _ => Err(invalid("key type is not ssh-ed25519")),
        }
    }

    /// A string of exactly `N` bytes.
    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<&'a [u8; N], Error> {
        let string = self.string()?;
        string.try_into().map_err(|_| Error::InvalidLength { what, got: string.len(), wanted: N })
    }

    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn finish(self, problem: &'static str) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(invalid(problem)) }
    }
}

/// Appends a string, which callers keep below 4 GiB.
pub(super) fn push_string(bytes: &mut Vec<u8>, string: &[u8]) {
    let len = u32::try_from(string.len()).expect("callers bound what they write");
    bytes.extend_from_slice(&len.to_be_bytes());
    bytes.extend_from_slice(string);
}

/// The public key as SSH sends it: 51 bytes.
pub(super) fn public_blob(public_key: &[u8]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(51);
    push_string(&mut blob, KEY_TYPE);
    push_string(&mut blob, public_key);
    blob
}

/// The 32 bytes in [`public_blob`].
pub(super) fn public_key_of(blob: &[u8]) -> Result<&[u8; 32], Error> {
    let mut reader = Reader::new(blob);
    reader.key_type()?;
    let key = reader.array("public key")?;
    reader.finish("bytes after the public key")?;
    Ok(key)
}
