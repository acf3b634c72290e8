//! Writing keystores: a new key, another password, a copy for recovery only.
//!
//! Source: specification, sections 2.1 to 2.5. Written is the default form with AES-256-GCM, which a reader that knows
//! only the EIP can open; the sealed form and ChaCha20-Poly1305 are read.

use super::cipher::Cipher;
use super::document::{Header, IndexMode, Keystore, Role, Use};
use super::error::{Error, Verdict, refused};
use super::header;
use super::kdf::{Cost, DerivedKey, Kdf};
use super::open::Policy;
use super::password::Password;
use super::scheme::Scheme;
use super::secret::{KeySecret, SecretKind};
use crate::epoch_key::EpochKey;
use crate::json::{Object, Value};
use std::borrow::Cow;
use std::ops::Range;

/// How new keystores derive their key from the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivation(Cost);

impl Derivation {
    /// Argon2id with 256 MiB, three passes, four lanes: the default.
    pub const ARGON2ID: Self = Self(Cost::Argon2id { m: 262_144, t: 3, p: 4 });

    /// scrypt with 256 MiB.
    pub const SCRYPT: Self = Self(Cost::Scrypt { log2_n: 18, r: 8, p: 1 });

    /// Next to nothing: for tests, which write many files. Readers refuse such files unless they are told otherwise.
    #[cfg(feature = "hazmat")]
    pub const WEAK_FOR_TESTS: Self = Self(Cost::Argon2id { m: 64, t: 1, p: 1 });
}

impl Default for Derivation {
    fn default() -> Self {
        Self::ARGON2ID
    }
}

/// A key to be written.
#[derive(Clone)]
pub struct NewKey<'a> {
    /// The scheme.
    pub scheme: Scheme,
    /// The activation interval as key generation rounded it; none for Ed25519.
    pub interval: Option<Range<u64>>,
    /// How epochs are chosen; without meaning for Ed25519.
    pub index_mode: IndexMode,
    /// What the key is for.
    pub role: Role,
    /// What may be done with the file.
    pub usage: Use,
    /// A text for people.
    pub description: &'a str,
    /// The secret.
    pub secret: &'a KeySecret,
    /// The public key, as SSZ has it.
    pub public_key: Cow<'a, [u8]>,
}

impl<'a> NewKey<'a> {
    /// An XMSS key that signs once an epoch, with the secret that it was made from.
    ///
    /// # Errors
    /// [`Verdict::KeyMismatch`] if `secret` makes another key or other one-time keys: before any password is derived.
    pub fn of_xmss_key<K: EpochKey>(
        key: &K,
        secret: &'a KeySecret,
        role: Role,
        description: &'a str,
    ) -> Result<Self, Error> {
        let scheme = Scheme::from_name(key.scheme()).expect("keys that sign are of a scheme with keystores");
        if secret.identity(scheme)? != (key.key_id(), Some(key.one_time_key_id())) {
            return Err(refused(Verdict::KeyMismatch, "the secret is not that of the key"));
        }
        Ok(Self {
            scheme,
            interval: Some(key.activation_interval()),
            index_mode: IndexMode::Synchronized,
            role,
            usage: Use::Signing,
            description,
            secret,
            public_key: Cow::Owned(K::public_key(&key.verifying_key())),
        })
    }
}

/// A keystore ready to be written, with the key that was derived for it: what comes back from the disk is decrypted with
/// it before the file gets its name.
pub struct SealedFile {
    text: String,
    derived: DerivedKey,
    header: Header,
}

impl SealedFile {
    /// The bytes of the file. They hold the secret only encrypted.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// What the file says of the key.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether `bytes` are this file, and its secret can be had from them.
    ///
    /// # Errors
    /// As [`Keystore::open`].
    pub fn check(&self, bytes: &[u8]) -> Result<bool, Error> {
        Keystore::parse(bytes)?.open_with(&self.derived)?;
        Ok(bytes == self.as_bytes())
    }

    /// [`encrypt`]s. What comes out is read once more, by all rules of reading.
    fn make(
        document: Value,
        secret: &KeySecret,
        password: &Password,
        derivation: Derivation,
        is_bound: bool,
    ) -> Result<Self, Error> {
        let (text, derived) = encrypt(document, secret.expose(), password, derivation, is_bound)?;
        let keystore = Keystore::parse(text.as_bytes())?;
        keystore.open_with(&derived)?;
        Ok(Self { text, derived, header: keystore.header })
    }

    /// A new keystore for `key`, with a name of its own.
    ///
    /// # Errors
    /// [`Error::PasswordEmpty`]; [`Error::Refused`] with the verdict that a reader would have, if the parts do not
    /// belong together; [`Error::OutOfMemory`]; [`Error::NoRandomness`].
    pub fn new(key: &NewKey<'_>, password: &Password, derivation: Derivation) -> Result<Self, Error> {
        Self::make(document(key, &new_uuid()?), key.secret, password, derivation, true)
    }

    /// `old` with another password, and with the derivation, cipher and form that new files have. Everything else
    /// stays. A file whose header nothing binds stays so: binding what was never proved would lend it a proof.
    ///
    /// # Errors
    /// As [`Keystore::open`] and [`new`](Self::new).
    pub fn with_password(
        old: &Keystore,
        password: &Password,
        policy: Policy,
        new_password: &Password,
        derivation: Derivation,
    ) -> Result<Self, Error> {
        if new_password.is_empty() {
            return Err(Error::PasswordEmpty);
        }
        let key = old.open(password, policy)?;
        Self::make(old.document.clone(), key.secret(), new_password, derivation, old.is_bound())
    }

    /// A copy of `old` from which nobody signs, with a name and a password of its own.
    ///
    /// # Errors
    /// As [`with_password`](Self::with_password); [`Error::Unbound`] if nothing binds the header of `old`: in such a
    /// file the mark could be taken away again.
    pub fn recovery_only(
        old: &Keystore,
        password: &Password,
        policy: Policy,
        new_password: &Password,
        derivation: Derivation,
    ) -> Result<Self, Error> {
        if new_password.is_empty() {
            return Err(Error::PasswordEmpty);
        }
        if !old.is_bound() {
            return Err(Error::Unbound);
        }
        let key = old.open(password, policy)?;
        let mut document = old.document.clone();
        extension_of(&mut document).ok_or(Error::Unbound)?.set("use", Value::text(Use::RecoveryOnly.name()));
        let header = old.header();
        let members = document.as_object_mut().expect("a keystore is an object");
        members.set("uuid", Value::Text(new_uuid()?));
        let interval = header.start.zip(header.count);
        members.set("state", state(header.index_mode, interval, Use::RecoveryOnly));
        Self::make(document, key.secret(), new_password, derivation, true)
    }
}

/// Encrypts `secret` into `document`, whose members of `crypto` are replaced, and binds it if `is_bound`: the text, and the
/// key that was derived.
pub(super) fn encrypt(
    mut document: Value,
    secret: &[u8],
    password: &Password,
    derivation: Derivation,
    is_bound: bool,
) -> Result<(String, DerivedKey), Error> {
    if password.is_empty() {
        return Err(Error::PasswordEmpty);
    }
    let kdf = Kdf::new(derivation.0, random()?);
    let derived = kdf.derive(password)?;
    let cipher = Cipher::seal(&derived, random()?, secret);
    let checksum = header::checksum(&derived, cipher.message());
    let members = document.as_object_mut().expect("a keystore is an object");
    let mut crypto = members.get("crypto").and_then(Value::as_object).cloned().unwrap_or_default();
    crypto.set("kdf", kdf.to_json());
    crypto.set("checksum", module("sha256", &checksum));
    crypto.set("cipher", cipher.to_json());
    members.set("crypto", Value::Object(crypto));
    if is_bound {
        let binding = module_without_params("hmac-sha256", &header::binding(&derived, &document));
        extension_of(&mut document).expect("what is bound has our extension").set("binding", binding);
    }
    Ok((document.pretty(), derived))
}

/// The members of `phalanx`.
fn extension_of(document: &mut Value) -> Option<&mut Object> {
    document.as_object_mut()?.get_mut("phalanx")?.as_object_mut()
}

/// Everything but what encrypts and binds.
fn document(key: &NewKey<'_>, uuid: &str) -> Value {
    let text = |text: &str| Value::text(text);
    let family = key.scheme.family();
    let key_id = family.part_of(&key.public_key).map(|part| crate::identity::key_id(family, part));
    let interval = key.interval.as_ref().map(|range| (range.start, range.end.saturating_sub(range.start)));
    let index_mode = key.scheme.row().map(|_| key.index_mode);
    let scheme = match (key.scheme.row(), interval) {
        (Some(row), Some((start, count))) => {
            let params = Value::object([
                ("hash", text(row.hash)),
                ("tree_height", Value::Integer(row.tree_height.into())),
                ("hypertree_layers", Value::Integer(1)),
                ("encoding", text("target_sum")),
                ("winternitz_w", Value::Integer(row.winternitz_w)),
                ("dimension", Value::Integer(row.dimension)),
                ("target_sum", Value::Integer(row.target_sum)),
                ("index_mode", text(key.index_mode.name())),
                ("activation_epoch", Value::Integer(start)),
                ("lifetime_leaves", Value::Integer(row.lifetime())),
                ("num_active_epochs", Value::Integer(count)),
            ]);
            Value::object([("name", text("leanxmss")), ("params", params)])
        }
        // An XMSS key without an interval is refused when it is read back.
        (Some(_), None) => Value::object([("name", text("leanxmss")), ("params", Value::object([]))]),
        (None, _) => Value::object([("name", text("ed25519")), ("params", Value::object([]))]),
    };
    let mut extension = Object::default();
    extension.set("extension", Value::Integer(1));
    extension.set("parameter_set", text(key.scheme.name()));
    extension.set("key_id", Value::Text(key_id.map(|id| id.to_string()).unwrap_or_default()));
    extension.set("role", text(key.role.name()));
    extension.set("use", text(key.usage.name()));
    if key.secret.kind() != SecretKind::Seed {
        extension.set("secret", text(key.secret.kind().name()));
    }
    Value::object([
        ("crypto", Value::object([])),
        ("description", text(key.description)),
        ("pubkey", Value::Text(hex::encode(&key.public_key))),
        ("path", text("")),
        ("uuid", text(uuid)),
        ("version", Value::Integer(5)),
        ("scheme", scheme),
        ("state", state(index_mode, interval, key.usage)),
        ("phalanx", Value::Object(extension)),
    ])
}

/// The snapshot of the state, which no decision is made from. A file for recovery only shows an exhausted key, for
/// readers that look at nothing else.
fn state(index_mode: Option<IndexMode>, interval: Option<(u64, u64)>, usage: Use) -> Value {
    let authority = index_mode.unwrap_or(IndexMode::Counter).authority();
    let mut state = Object::default();
    state.set("authoritative", Value::Bool(false));
    state.set("authority", Value::text(authority));
    if let Some((start, count)) = interval {
        let (consumed, high_water) = match usage {
            Use::Signing => (0, 0),
            Use::RecoveryOnly => (count, (start + count).saturating_sub(1)),
        };
        let capacity = Value::object([
            ("total", Value::Integer(count)),
            ("consumed", Value::Integer(consumed)),
            ("remaining", Value::Integer(count - consumed)),
        ]);
        state.set("capacity", capacity);
        state.set("high_water", Value::Integer(high_water));
        state.set("reserved_ranges", Value::List(Vec::new()));
    }
    Value::Object(state)
}

/// A function without parameters, and its result.
fn module(function: &str, message: &[u8]) -> Value {
    Value::object([
        ("function", Value::text(function)),
        ("params", Value::object([])),
        ("message", Value::Text(hex::encode(message))),
    ])
}

/// As [`module`], in the form of the binding.
fn module_without_params(function: &str, message: &[u8]) -> Value {
    Value::object([("function", Value::text(function)), ("message", Value::Text(hex::encode(message)))])
}

/// Random bytes of the operating system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
    Ok(bytes)
}

/// A random name (RFC 4122, version 4).
pub(super) fn new_uuid() -> Result<String, Error> {
    let mut bytes: [u8; 16] = random()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex::encode(bytes);
    Ok(format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    ))
}
