//! Signature files.

use super::public_key::{
    ED25519, KeyId, Lines, PREHASHED, Prehash, PublicKey, TRUSTED, UNTRUSTED, comment_of, with_comment,
};
use super::secret::SecretKey;
use crate::error::{Error, invalid};
use crate::formats::base64::{self, Standard};
use crate::profile::Profile;
use crate::signature::Signature;
use alloc::string::{String, ToString};
use core::fmt;

/// Why a signature file is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Another key made it.
    KeyId {
        /// The key that made it, as the file says.
        got: KeyId,
        /// The key it was verified with.
        wanted: KeyId,
    },
    /// It signs the message itself, and a hash was given.
    NeedsMessage,
    /// The message has not this signature.
    InvalidSignature,
    /// The trusted comment has not this signature.
    InvalidComment,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyId { got, wanted } => write!(f, "signature is by key {got}, not by key {wanted}"),
            Self::NeedsMessage => f.write_str("signature of the older kind needs the message, not its hash"),
            Self::InvalidSignature => f.write_str("signature does not verify"),
            Self::InvalidComment => f.write_str("signature of the trusted comment does not verify"),
        }
    }
}

impl core::error::Error for Refusal {}

/// A signature with its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureBox {
    untrusted_comment: String,
    is_prehashed: bool,
    key_id: KeyId,
    signature: Signature,
    trusted_comment: String,
    global_signature: Signature,
}

impl SignatureBox {
    /// Signs a message, prehashed. The trusted comment is signed too, the untrusted one is not.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] for a comment with a control character or of more than 8 KiB.
    pub fn sign(
        key: &SecretKey,
        message: &[u8],
        untrusted_comment: &str,
        trusted_comment: &str,
    ) -> Result<Self, Error> {
        Self::sign_prehashed(key, Prehash::of(message), untrusted_comment, trusted_comment)
    }

    /// [`sign`](Self::sign) of a message that the caller has hashed.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn sign_prehashed(
        key: &SecretKey,
        prehash: Prehash,
        untrusted_comment: &str,
        trusted_comment: &str,
    ) -> Result<Self, Error> {
        let untrusted_comment = comment_of(untrusted_comment)?.to_string();
        let trusted_comment = comment_of(trusted_comment)?.to_string();
        let signature = key.key.sign(&prehash.digest());
        let global_signature = key.key.sign(&with_comment(signature.as_ref(), &trusted_comment));
        let key_id = key.key_id;
        Ok(Self {
            untrusted_comment,
            is_prehashed: true,
            key_id,
            signature,
            trusted_comment,
            global_signature,
        })
    }

    /// Reads a signature file.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = Lines::of(text);
        let untrusted_comment = lines.comment(UNTRUSTED)?.to_string();
        let fields = lines.base64::<74>("minisign signature")?;
        let trusted_comment = lines.comment(TRUSTED)?.to_string();
        let global_signature = Signature::from_bytes(&*lines.base64::<64>("minisign global signature")?);
        lines.finish()?;
        let is_prehashed = match [fields[0], fields[1]] {
            PREHASHED => true,
            ED25519 => false,
            _ => return Err(invalid("algorithm of the minisign signature is neither ED nor Ed")),
        };
        let (key_id, signature) = fields[2..].split_first_chunk().expect("72 bytes are more than 8");
        Ok(Self {
            untrusted_comment,
            is_prehashed,
            key_id: KeyId(*key_id),
            signature: Signature::try_from(signature)?,
            trusted_comment,
            global_signature,
        })
    }

    /// The signature file.
    #[must_use]
    pub fn to_file(&self) -> String {
        let algorithm = if self.is_prehashed { PREHASHED } else { ED25519 };
        let fields = [&algorithm[..], &self.key_id.0, self.signature.as_ref()].concat();
        let (fields, global) =
            (base64::encode::<Standard>(&fields), base64::encode::<Standard>(self.global_signature.as_ref()));
        [
            UNTRUSTED,
            &self.untrusted_comment,
            "\n",
            &fields,
            "\n",
            TRUSTED,
            &self.trusted_comment,
            "\n",
            &global,
            "\n",
        ]
        .concat()
    }

    /// The name of the key that made it, as the file says.
    #[must_use]
    pub const fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Whether the message's hash is signed (`ED`), and not the message (`Ed`).
    #[must_use]
    pub const fn is_prehashed(&self) -> bool {
        self.is_prehashed
    }

    /// The Ed25519 signature of the message or its hash.
    #[must_use]
    pub const fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The comment that nobody signed.
    #[must_use]
    pub fn untrusted_comment(&self) -> &str {
        &self.untrusted_comment
    }

    /// The trusted comment before it has earned its name: [`verify`](Self::verify) gives it when it has.
    #[must_use]
    pub fn unverified_trusted_comment(&self) -> &str {
        &self.trusted_comment
    }

    /// Verifies the signature of the message and that of the trusted comment, which it gives. minisign itself checks
    /// the equation of [`Profile::Cofactorless`] and refuses small orders, as [`Profile::Strict`] does.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn verify(&self, key: &PublicKey, profile: Profile, message: &[u8]) -> Result<&str, Refusal> {
        if self.is_prehashed {
            return self.verify_prehashed(key, profile, Prehash::of(message));
        }
        self.check(key, profile, message)
    }

    /// [`verify`](Self::verify) of a message that the caller has hashed.
    ///
    /// # Errors
    /// The [`Refusal`]: [`Refusal::NeedsMessage`] unless [`is_prehashed`](Self::is_prehashed).
    pub fn verify_prehashed(
        &self,
        key: &PublicKey,
        profile: Profile,
        prehash: Prehash,
    ) -> Result<&str, Refusal> {
        if !self.is_prehashed {
            return Err(Refusal::NeedsMessage);
        }
        self.check(key, profile, &prehash.digest())
    }

    fn check(&self, key: &PublicKey, profile: Profile, signed: &[u8]) -> Result<&str, Refusal> {
        if self.key_id != key.key_id {
            return Err(Refusal::KeyId { got: self.key_id, wanted: key.key_id });
        }
        let verify = |message: &[u8], signature| key.key.verify_with(profile, message, signature);
        verify(signed, &self.signature).map_err(|_| Refusal::InvalidSignature)?;
        let covered = with_comment(self.signature.as_ref(), &self.trusted_comment);
        verify(&covered, &self.global_signature).map_err(|_| Refusal::InvalidComment)?;
        Ok(&self.trusted_comment)
    }
}
