//! The ciphers: AES-256-GCM, ChaCha20-Poly1305.
//!
//! Source: specification, section 2.3.

use super::error::{Error, Verdict, malformed, refused};
use super::fields::{array, bytes, object, optional_text, text};
use crate::json::{Object, Value};
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce, Tag};
use chacha20poly1305::ChaCha20Poly1305;
use zeroize::Zeroizing;

/// Bytes of a tag.
const TAG_BYTES: usize = 16;

/// What `cipher.params.aad` says of a file whose header is the associated data.
const SEALED: &str = "phalanx-header-v1";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Function {
    Aes256Gcm,
    ChaCha20Poly1305,
}

/// An encrypted secret.
pub(super) struct Cipher {
    function: Function,
    iv: [u8; 12],
    tag: [u8; TAG_BYTES],
    /// The member `message`: the ciphertext, and after it the tag if that stands nowhere else.
    message: Vec<u8>,
    ciphertext_len: usize,
    is_sealed: bool,
}

impl Cipher {
    /// What the object `crypto.cipher` holds.
    pub(super) fn read(cipher: &Object) -> Result<Self, Error> {
        let function = match text(cipher, "function")? {
            "aes-256-gcm" => Function::Aes256Gcm,
            "chacha20-poly1305" => Function::ChaCha20Poly1305,
            _ => return Err(refused(Verdict::UnsupportedFunction, "crypto.cipher.function")),
        };
        let params = object(cipher, "params")?;
        let iv = array(params, "iv")?;
        let message = bytes(cipher, "message")?;
        let (tag, ciphertext_len) = if params.get("tag").is_some() {
            (array(params, "tag")?, message.len())
        } else {
            let (ciphertext, tag) = message.split_last_chunk().ok_or_else(|| malformed("tag"))?;
            (*tag, ciphertext.len())
        };
        let is_sealed = match optional_text(params, "aad")? {
            None => false,
            Some(SEALED) => true,
            Some(_) => return Err(refused(Verdict::UnsupportedFunction, "crypto.cipher.params.aad")),
        };
        Ok(Self { function, iv, tag, message, ciphertext_len, is_sealed })
    }

    /// Encrypts with AES-256-GCM and no associated data: the only form that is written.
    pub(super) fn seal(key: &[u8], iv: [u8; 12], secret: &[u8]) -> Self {
        // In place: the buffer holds the secret only until it is ciphertext.
        let mut message = secret.to_vec();
        let tag = Aes256Gcm::new_from_slice(key)
            .expect("a derived key has 32 bytes")
            .encrypt_inout_detached(&Nonce::from(iv), &[], message.as_mut_slice().into())
            .expect("a secret is far shorter than the bound of the cipher");
        let ciphertext_len = message.len();
        Self { function: Function::Aes256Gcm, iv, tag: tag.into(), message, ciphertext_len, is_sealed: false }
    }

    /// The object `crypto.cipher`.
    pub(super) fn to_json(&self) -> Value {
        let function = match self.function {
            Function::Aes256Gcm => "aes-256-gcm",
            Function::ChaCha20Poly1305 => "chacha20-poly1305",
        };
        let hex = |bytes: &[u8]| Value::text(hex::encode(bytes));
        let params = Value::object([("iv", hex(&self.iv)), ("tag", hex(&self.tag))]);
        Value::object([
            ("function", Value::text(function)),
            ("params", params),
            ("message", hex(&self.message)),
        ])
    }

    /// Whether the header is the cipher's associated data.
    pub(super) fn is_sealed(&self) -> bool {
        self.is_sealed
    }

    /// The ciphertext without its tag.
    pub(super) fn ciphertext(&self) -> &[u8] {
        &self.message[..self.ciphertext_len]
    }

    /// The member `message` as it stands, which the checksum covers.
    pub(super) fn message(&self) -> &[u8] {
        &self.message
    }

    /// The secret, if the tag is right.
    pub(super) fn open(&self, key: &[u8], associated_data: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let mut secret = Zeroizing::new(self.ciphertext().to_vec());
        let buffer = secret.as_mut_slice().into();
        let (nonce, tag) = (Nonce::from(self.iv), Tag::from(self.tag));
        match self.function {
            Function::Aes256Gcm => Aes256Gcm::new_from_slice(key)
                .expect("a derived key has 32 bytes")
                .decrypt_inout_detached(&nonce, associated_data, buffer, &tag),
            Function::ChaCha20Poly1305 => ChaCha20Poly1305::new_from_slice(key)
                .expect("a derived key has 32 bytes")
                .decrypt_inout_detached(&nonce, associated_data, buffer, &tag),
        }
        .ok()?;
        Some(secret)
    }
}
