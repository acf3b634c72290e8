//! Opening a keystore with its password.
//!
//! Source: specification, sections 2.6 and 2.8, whose steps are named at the lines that take them.

use super::cipher::Cipher;
use super::document::{Header, Keystore, Use};
use super::error::{Error, Verdict, refused};
use super::header;
use super::kdf::DerivedKey;
use super::password::Password;
use super::secret::KeySecret;
use crate::identity::OneTimeKeyId;
use crate::json::Value;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// What a reader accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Open files whose derivation is below the floor: for conversion, once, and for tests.
    pub accept_weak_kdf: bool,
}

/// Whether a key may sign, as far as its file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signable {
    /// Never: the file is for recovery only, or does not say which epochs the key has.
    No,
    /// Once the whole public key has been computed from the secret and is the same; a cache of trees does not do.
    AfterRootCheck,
    /// As its ledger allows. Before the first signature the root is compared once, from the cache of trees or computed.
    Yes,
}

impl Signable {
    /// The name, as in test vectors and in other languages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::AfterRootCheck => "after-root-check",
            Self::Yes => "yes",
        }
    }
}

/// A key that was decrypted. Its secret is wiped on drop.
pub struct OpenKey {
    header: Header,
    secret: KeySecret,
    one_time_key_id: Option<OneTimeKeyId>,
    is_bound: bool,
    has_weak_kdf: bool,
}

impl Keystore {
    /// The key. Takes the time, and the memory, that the file's derivation asks for.
    ///
    /// # Errors
    /// [`Error::Refused`]; [`Error::OutOfMemory`].
    pub fn open(&self, password: &Password, policy: Policy) -> Result<OpenKey, Error> {
        self.open_keeping(password, policy).map(|(key, _)| key)
    }

    /// As [`open`](Self::open), with the derived key.
    pub(super) fn open_keeping(
        &self,
        password: &Password,
        policy: Policy,
    ) -> Result<(OpenKey, DerivedKey), Error> {
        // 10, the floor
        if self.kdf.is_weak() && !policy.accept_weak_kdf {
            return Err(refused(Verdict::WeakKdf, "the key derivation is too cheap to protect a password"));
        }
        // 11
        let derived = self.kdf.derive(password)?;
        self.open_with(&derived).map(|key| (key, derived))
    }

    /// The key, by the key that the password gives.
    pub(super) fn open_with(&self, derived: &DerivedKey) -> Result<OpenKey, Error> {
        let authenticators = [self.checksum.as_ref(), self.binding.as_ref()];
        let plaintext = decrypt(&self.document, &self.cipher, authenticators, derived)?;
        // 15
        let header = self.header.clone();
        let secret = KeySecret::from_plaintext(header.secret, plaintext);
        OpenKey::of(header, secret, self.is_bound(), self.has_weak_kdf())
    }
}

/// The plaintext, by the key that the password gives: steps 12 to 14.
pub(super) fn decrypt(
    document: &Value,
    cipher: &Cipher,
    [checksum, binding]: [Option<&[u8; 32]>; 2],
    derived: &DerivedKey,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    if let Some(wanted) = checksum
        && !bool::from(header::checksum(derived, cipher.message()).ct_eq(wanted))
    {
        return Err(refused(Verdict::WrongPassword, "crypto.checksum"));
    }
    let associated_data = if cipher.is_sealed() { header::bytes(document) } else { Vec::new() };
    let plaintext = cipher.open(derived, &associated_data).ok_or(match checksum {
        None => refused(Verdict::WrongPassword, "crypto.cipher"),
        Some(_) => refused(Verdict::Damaged, "the password is right, and the secret is damaged"),
    })?;
    if binding.is_some_and(|binding| !header::is_bound(derived, document, binding)) {
        let what = "the password is right, and something else in the file was changed";
        return Err(refused(Verdict::HeaderChanged, what));
    }
    Ok(plaintext)
}

impl OpenKey {
    /// The key `header` of which `secret` is the secret, from a file whose header was bound.
    ///
    /// # Errors
    /// [`Verdict::KeyMismatch`] if the secret is not that of the public key.
    pub(super) fn bound(header: Header, secret: KeySecret) -> Result<Self, Error> {
        Self::of(header, secret, true, false)
    }

    fn of(header: Header, secret: KeySecret, is_bound: bool, has_weak_kdf: bool) -> Result<Self, Error> {
        let part = secret.part(header.scheme)?;
        if header.scheme.family().part_of(&header.public_key) != Some(&part[..]) {
            return Err(refused(Verdict::KeyMismatch, "the secret is not that of the public key"));
        }
        let one_time_key_id = secret.one_time_key_id(header.scheme);
        Ok(Self { header, secret, one_time_key_id, is_bound, has_weak_kdf })
    }

    /// What the file says of the key. If [`is_bound`](Self::is_bound) is false, only the part of the public key that
    /// names the key has been proved.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The secret.
    #[must_use]
    pub fn secret(&self) -> &KeySecret {
        &self.secret
    }

    /// The name of the one-time keys, for the ledger; none for Ed25519.
    #[must_use]
    pub fn one_time_key_id(&self) -> Option<OneTimeKeyId> {
        self.one_time_key_id
    }

    /// Whether the header was bound to the password, and so is what was written.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.is_bound
    }

    /// Whether the derivation is below the floor, which the caller accepted.
    #[must_use]
    pub fn has_weak_kdf(&self) -> bool {
        self.has_weak_kdf
    }

    /// Whether the key may sign, as far as its file says.
    #[must_use]
    pub fn signable(&self) -> Signable {
        let has_interval = self.header.start.is_none() || self.header.count.is_some();
        if self.header.usage == Use::RecoveryOnly || !has_interval {
            Signable::No
        } else if self.is_bound {
            Signable::Yes
        } else {
            Signable::AfterRootCheck
        }
    }

    /// The stable name of the answer: `ok`, or `ok_unbound` if nothing bound the header.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.is_bound { "ok" } else { "ok_unbound" }
    }
}
