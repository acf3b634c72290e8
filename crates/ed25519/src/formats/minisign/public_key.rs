//! Public keys, and the lines and comments that all files of minisign have.

use crate::error::{Error, invalid};
use crate::formats::base64::{self, Standard};
use crate::key::VerifyingKey;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use core::fmt;

pub(super) const UNTRUSTED: &str = "untrusted comment: ";
pub(super) const TRUSTED: &str = "trusted comment: ";
/// Ed25519, of a key, or of a signature over the message itself.
pub(super) const ED25519: [u8; 2] = *b"Ed";
/// Ed25519 over BLAKE2b-512 of the message.
pub(super) const PREHASHED: [u8; 2] = *b"ED";
/// minisign reads no longer ones.
pub(super) const MAX_COMMENT_LEN: usize = 8192;

/// What names a key pair: 8 random bytes, shown as minisign shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(pub [u8; 8]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", u64::from_le_bytes(self.0))
    }
}

/// BLAKE2b-512 of a message that arrives in pieces.
#[derive(Clone, Default)]
pub struct Prehash(Blake2b512);

impl Prehash {
    /// Of no bytes so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(super) fn of(message: &[u8]) -> Self {
        let mut prehash = Self::new();
        prehash.update(message);
        prehash
    }

    pub(super) fn digest(self) -> [u8; 64] {
        self.0.finalize().into()
    }
}

/// A public key with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The name.
    pub key_id: KeyId,
    /// The key.
    pub key: VerifyingKey,
}

impl PublicKey {
    /// Reads a public key file, or only its second line as `minisign -P` takes it.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::InvalidPublicKey`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = Lines::of(text);
        if text.starts_with(UNTRUSTED) {
            lines.comment(UNTRUSTED)?;
        }
        let fields = lines.base64::<42>("minisign public key")?;
        lines.finish()?;
        let Some((key_id, key)) = fields.strip_prefix(&ED25519).and_then(|rest| rest.split_first_chunk())
        else {
            return Err(invalid("algorithm of the minisign key is not Ed"));
        };
        Ok(Self { key_id: KeyId(*key_id), key: VerifyingKey::try_from(key)? })
    }

    /// The public key file, with the comment that minisign writes.
    #[must_use]
    pub fn to_file(&self) -> String {
        let comment = ["minisign public key ", &self.key_id.to_string()].concat();
        [UNTRUSTED, &comment, "\n", &self.to_base64(), "\n"].concat()
    }

    /// The key in one line, for `minisign -P`.
    #[must_use]
    pub fn to_base64(&self) -> String {
        let bytes = [&ED25519[..], &self.key_id.0, self.key.as_ref()].concat();
        core::mem::take(&mut *base64::encode::<Standard>(&bytes))
    }
}

/// The lines of a file, one after the other.
pub(super) struct Lines<'a>(core::str::Lines<'a>);

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self(text.lines())
    }

    /// What follows `prefix` on the next line.
    pub(super) fn comment(&mut self, prefix: &str) -> Result<&'a str, Error> {
        let line = self.0.next().ok_or(invalid("minisign file is cut off"))?;
        let comment = line.strip_prefix(prefix).ok_or(invalid("no comment where minisign has one"))?;
        comment_of(comment)
    }

    pub(super) fn base64<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<zeroize::Zeroizing<[u8; N]>, Error> {
        let line = self.0.next().ok_or(invalid("minisign file is cut off"))?;
        base64::decode_array::<Standard, N>(line.as_bytes(), what)
    }

    /// Only empty lines may follow.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        let is_empty = self.0.all(str::is_empty);
        if is_empty { Ok(()) } else { Err(invalid("text after the end of the minisign file")) }
    }
}

/// A comment of one line that does nothing to a terminal.
pub(super) fn comment_of(comment: &str) -> Result<&str, Error> {
    if comment.chars().any(|c| c.is_control() && c != '\t') {
        return Err(invalid("control character in the comment"));
    }
    if comment.len() > MAX_COMMENT_LEN { Err(invalid("comment is too long")) } else { Ok(comment) }
}

/// A signature's global part covers the signature, then the trusted comment.
pub(super) fn with_comment(signature: &[u8], comment: &str) -> Vec<u8> {
    [signature, comment.as_bytes()].concat()
}
