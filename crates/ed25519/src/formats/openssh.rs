//! OpenSSH's key files: the public line (RFC 4253 section 6.6, RFC 8709) and the private file (PROTOCOL.key of
//! OpenSSH).

use super::base64::{self, Standard};
use super::pem;
use super::ssh_wire::{KEY_TYPE, Reader, public_blob, public_key_of, push_string};
use crate::error::{Error, invalid};
use crate::key::{SigningKey, VerifyingKey};
use crate::sha512;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const MAGIC: &[u8] = b"openssh-key-v1\0";
pub(super) const PRIVATE_LABEL: &str = "OPENSSH PRIVATE KEY";
/// The width of ssh-keygen's lines.
pub(super) const COLUMNS: usize = 70;
/// The private part is padded to a multiple of this, the block size of the cipher `none`.
const BLOCK_LEN: usize = 8;
/// A longer comment is a mistake.
const MAX_COMMENT_LEN: usize = 1 << 16;

impl SigningKey {
    /// The unencrypted private file, as ssh-keygen writes it, with `comment` inside. The check word, which is random in
    /// ssh-keygen's files, comes from the public key: equal keys make equal files.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] if the comment has a control character or more than 64 KiB.
    pub fn to_openssh(&self, comment: &str) -> Result<Zeroizing<String>, Error> {
        let hash = sha512::digest(&[self.verifying_key().as_ref()]);
        write_private(self, comment, hash[..4].try_into().expect("4 of 64"))
    }

    /// Reads a private file: the key and its comment. Check words, public keys and padding must be right.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::KeyMismatch`], [`Error::EncryptedKey`].
    pub fn from_openssh(text: &str) -> Result<(Self, String), Error> {
        let bytes = pem::decode(text, PRIVATE_LABEL)?;
        let mut file = Reader::new(&bytes);
        file.expect(MAGIC, "no magic of an OpenSSH private key")?;
        let (cipher, kdf) = (file.string()?, file.string()?);
        if cipher != b"none" {
            return Err(Error::EncryptedKey);
        }
        if kdf != b"none" || !file.string()?.is_empty() {
            return Err(invalid("key derivation without cipher"));
        }
        if file.number()? != 1 {
            return Err(invalid("not exactly one key"));
        }
        let (blob, private) = (file.string()?, file.string()?);
        file.finish("bytes after the private part")?;
        let public_key = public_key_of(blob)?;
        if private.len() % BLOCK_LEN != 0 {
            return Err(invalid("private part is not padded"));
        }
        let mut fields = Reader::new(private);
        if fields.number()? != fields.number()? {
            return Err(invalid("check words differ"));
        }
        fields.key_type()?;
        let inner: &[u8; 32] = fields.array("public key")?;
        let key_pair: &[u8; 64] = fields.array("private key")?;
        let comment = comment_of(fields.string()?)?;
        let padding = fields.rest();
        if padding.len() >= BLOCK_LEN || !padding.iter().copied().eq((1..).take(padding.len())) {
            return Err(invalid("padding"));
        }
        // This also compares the second half with what the seed gives.
        let key = Self::from_keypair_bytes(key_pair)?;
        if !bool::from(inner.ct_eq(public_key) & public_key[..].ct_eq(key.verifying_key().as_ref())) {
            return Err(Error::KeyMismatch);
        }
        Ok((key, comment.to_string()))
    }
}

/// The private file with a given check word.
pub(super) fn write_private(
    key: &SigningKey,
    comment: &str,
    check: [u8; 4],
) -> Result<Zeroizing<String>, Error> {
    let comment = comment_of(comment.as_bytes())?.as_bytes();
    let public_key = key.verifying_key().as_ref();
    let key_pair = Zeroizing::new(key.to_keypair_bytes());
    let size = 8 + 4 + KEY_TYPE.len() + 4 + 32 + 4 + 64 + 4 + comment.len() + BLOCK_LEN;
    let mut private = Zeroizing::new(Vec::with_capacity(size));
    private.extend_from_slice(&check);
    private.extend_from_slice(&check);
    for string in [KEY_TYPE, public_key, &key_pair[..], comment] {
        push_string(&mut private, string);
    }
    let padding = private.len().next_multiple_of(BLOCK_LEN) - private.len();
    private.extend((1..).take(padding));
    let mut file = Zeroizing::new(Vec::with_capacity(size + 128));
    file.extend_from_slice(MAGIC);
    for string in [b"none", b"none", &b""[..]] {
        push_string(&mut file, string);
    }
    file.extend_from_slice(&1_u32.to_be_bytes());
    push_string(&mut file, &public_blob(public_key));
    push_string(&mut file, &private);
    Ok(pem::encode(PRIVATE_LABEL, &file, COLUMNS))
}

impl VerifyingKey {
    /// The line of a `.pub` or `authorized_keys` file, without line break.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] if the comment has a control character or more than 64 KiB.
    pub fn to_openssh(&self, comment: &str) -> Result<String, Error> {
        let comment = comment_of(comment.as_bytes())?;
        let blob = base64::encode::<Standard>(&public_blob(self.as_ref()));
        let parts = ["ssh-ed25519", blob.as_str(), comment];
        Ok(parts[..if comment.is_empty() { 2 } else { 3 }].join(" "))
    }

    /// Reads one line `ssh-ed25519 BASE64 [COMMENT]`: the key and the comment. Options before the key type are refused.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::InvalidPublicKey`].
    pub fn from_openssh(line: &str) -> Result<(Self, String), Error> {
        let line = line.trim_ascii();
        let (key_type, rest) = split_word(line);
        if key_type != "ssh-ed25519" {
            return Err(invalid("line does not begin with ssh-ed25519"));
        }
        let (blob, comment) = split_word(rest);
        let comment = comment_of(comment.as_bytes())?;
        let key = Self::from_bytes(public_key_of(&base64::decode::<Standard>(blob.as_bytes())?)?)?;
        Ok((key, comment.to_string()))
    }
}

/// The first word and what follows the blanks after it.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    (word, rest.trim_matches([' ', '\t']))
}

/// A comment that stays on its line and does nothing to a terminal.
fn comment_of(bytes: &[u8]) -> Result<&str, Error> {
    let comment = core::str::from_utf8(bytes).map_err(|_| invalid("comment is not UTF-8"))?;
    if comment.chars().any(|c| c.is_control() && c != '\t') {
        return Err(invalid("control character in the comment"));
    }
    if comment.len() > MAX_COMMENT_LEN { Err(invalid("comment is too long")) } else { Ok(comment) }
}
