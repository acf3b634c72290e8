//! The keystore of a master: 32 bytes from which the seeds of many keys are derived, so that one password, and one derivation
//! of it, opens them all.
//!
//! Source: specification, sections 1.3 and 9. The form is that of sections 2.1 to 2.5, always bound, with a scheme of its own
//! and without a public key; readers that do not know it refuse it (`unsupported_scheme`). It does not say which keys are
//! derived: a ledger knows them, with their public keys.

use super::cipher::Cipher;
use super::document::{Header, IndexMode, Role, Use, authenticators, extension, module, parsed};
use super::error::{Error, Verdict, malformed, refused};
use super::fields;
use super::kdf::{DerivedKey, Kdf};
use super::open::{OpenKey, Policy, decrypt};
use super::password::Password;
use super::scheme::Scheme;
use super::seal::{Derivation, encrypt, new_uuid, random};
use super::secret::{KeySecret, SecretKind};
use crate::identity::{self, derive_seed, key_id};
use crate::json::Value;
use phalanx_core::secret::Secret32;
use std::ops::Range;
use zeroize::Zeroizing;

/// What `scheme.name` says of a master.
const SCHEME: &str = "phalanx-master";

/// A secret from which seeds are derived, and never itself the seed of a key. In memory that is neither swapped out nor
/// dumped as far as the system allows; wiped on drop; without `Debug`.
pub struct Master(Secret32);

/// Which of the keys of a master: everything that makes a key, so that no two of them share a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The scheme.
    pub scheme: Scheme,
    /// What the key is for.
    pub role: Role,
    /// The activation interval as key generation rounds it; none for Ed25519.
    pub interval: Option<Range<u64>>,
    /// Which of several keys of this kind.
    pub index: u64,
}

impl Child {
    /// A name for files: `<scheme>.<role>.<start>.<count>.<index>`.
    #[must_use]
    pub fn name(&self) -> String {
        let identity::Derivation { scheme, role, start, count, index } = self.derivation();
        format!("{scheme}.{role}.{start}.{count}.{index}")
    }

    fn derivation(&self) -> identity::Derivation<'static> {
        let Range { start, end } = self.interval.clone().unwrap_or(0..0);
        let (scheme, role) = (self.scheme.name(), self.role.name());
        identity::Derivation { scheme, role, start, count: end.saturating_sub(start), index: self.index }
    }
}

impl Master {
    /// The master that `bytes` are.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(Secret32::filled_by(|place| place.copy_from_slice(bytes)))
    }

    /// A new one.
    ///
    /// # Errors
    /// [`Error::NoRandomness`].
    pub fn generate() -> Result<Self, Error> {
        let bytes: Zeroizing<[u8; 32]> = Zeroizing::new(random()?);
        Ok(Self::from_bytes(&bytes))
    }

    /// The secret of a key.
    #[must_use]
    pub fn secret(&self, child: &Child) -> KeySecret {
        KeySecret::from_seed(&derive_seed(self.0.bytes(), &child.derivation()))
    }

    /// The key `child`, whose public key (in SSZ) is known from its ledger. That its tree is the one of the public key is
    /// found out when it is computed or read, as with any keystore.
    ///
    /// # Errors
    /// [`Verdict::KeyMismatch`] if the public key is another key's.
    pub fn open(&self, child: &Child, public_key: &[u8]) -> Result<OpenKey, Error> {
        let (scheme, family) = (child.scheme, child.scheme.family());
        let wrong = refused(Verdict::KeyMismatch, "not a public key of the scheme");
        let part = family.part_of(public_key).filter(|_| public_key.len() == scheme.public_key_bytes());
        let header = Header {
            uuid: String::new(),
            description: String::new(),
            scheme,
            index_mode: scheme.row().map(|_| IndexMode::Synchronized),
            start: child.interval.as_ref().map(|epochs| epochs.start),
            count: child.interval.as_ref().map(|epochs| epochs.end - epochs.start),
            role: Some(child.role),
            usage: Use::Signing,
            secret: SecretKind::Seed,
            public_key: public_key.to_vec(),
            key_id: key_id(family, part.ok_or(wrong)?),
        };
        OpenKey::bound(header, self.secret(child))
    }
}

/// The keystore of a master, still encrypted.
pub struct MasterKeystore {
    document: Value,
    kdf: Kdf,
    cipher: Cipher,
    checksum: [u8; 32],
    binding: [u8; 32],
}

impl MasterKeystore {
    /// The keystore that `bytes` are.
    ///
    /// # Errors
    /// [`Error::Refused`]: `unsupported_scheme` for the keystore of a key, else as [`super::Keystore::parse`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let document = parsed(bytes)?;
        let members = document.as_object().expect("it was one");
        if fields::text(fields::object(members, "scheme")?, "name")? != SCHEME {
            return Err(refused(Verdict::UnsupportedScheme, "not the keystore of a master"));
        }
        let crypto = fields::object(members, "crypto")?;
        let extension = extension(members)?;
        let cipher = Cipher::read(module(crypto, "cipher")?)?;
        if cipher.ciphertext().len() != 32 {
            return Err(refused(Verdict::WrongSecretLength, "a master has 32 bytes"));
        }
        let [Some(checksum), Some(binding)] = authenticators(crypto, extension.as_ref(), cipher.is_sealed())?
        else {
            return Err(malformed("a master has a checksum and a binding"));
        };
        let kdf = Kdf::read(module(crypto, "kdf")?)?;
        Ok(Self { document, kdf, cipher, checksum, binding })
    }

    /// Whether guessing passwords of this file is cheaper than the floor allows.
    #[must_use]
    pub fn has_weak_kdf(&self) -> bool {
        self.kdf.is_weak()
    }

    /// The master. Takes the time, and the memory, that the file's derivation asks for.
    ///
    /// # Errors
    /// As [`super::Keystore::open`].
    pub fn open(&self, password: &Password, policy: Policy) -> Result<Master, Error> {
        if self.has_weak_kdf() && !policy.accept_weak_kdf {
            return Err(refused(Verdict::WeakKdf, "the key derivation is too cheap to protect a password"));
        }
        self.open_with(&self.kdf.derive(password)?)
    }

    fn open_with(&self, derived: &DerivedKey) -> Result<Master, Error> {
        let authenticators = [Some(&self.checksum), Some(&self.binding)];
        let plaintext = decrypt(&self.document, &self.cipher, authenticators, derived)?;
        Ok(Master::from_bytes(plaintext.first_chunk().expect("its length was checked")))
    }
}

/// The keystore of a master, ready to be written.
pub struct SealedMaster {
    text: String,
    derived: DerivedKey,
}

impl SealedMaster {
    /// A keystore for `master`.
    ///
    /// # Errors
    /// [`Error::PasswordEmpty`], [`Error::OutOfMemory`], [`Error::NoRandomness`].
    pub fn new(
        master: &Master,
        description: &str,
        password: &Password,
        derivation: Derivation,
    ) -> Result<Self, Error> {
        let text = |text: &str| Value::text(text);
        // Role and use say nothing of a master; readers of keystores look at them before the scheme.
        let extension = [
            ("extension", Value::Integer(1)),
            ("role", text(Role::Other.name())),
            ("use", text(Use::Signing.name())),
        ];
        let document = Value::object([
            ("crypto", Value::object([])),
            ("description", text(description)),
            ("path", text("")),
            ("uuid", Value::Text(new_uuid()?)),
            ("version", Value::Integer(5)),
            ("scheme", Value::object([("name", text(SCHEME)), ("params", Value::object([]))])),
            ("phalanx", Value::object(extension)),
        ]);
        let (text, derived) = encrypt(document, master.0.bytes(), password, derivation, true)?;
        let sealed = Self { text, derived };
        sealed.check(sealed.as_bytes())?;
        Ok(sealed)
    }

    /// The bytes of the file. They hold the secret only encrypted.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Whether `bytes` are this file, and its secret can be had from them.
    ///
    /// # Errors
    /// As [`MasterKeystore::open`].
    pub fn check(&self, bytes: &[u8]) -> Result<bool, Error> {
        MasterKeystore::parse(bytes)?.open_with(&self.derived)?;
        Ok(bytes == self.as_bytes())
    }
}
