//! The signature of a file, and its hash.

use crate::error::{Error, invalid};
use crate::formats::openssh::COLUMNS;
use crate::formats::pem;
use crate::formats::ssh_wire::{KEY_TYPE, Reader, public_blob, public_key_of, push_string};
use crate::key::{SigningKey, VerifyingKey};
use crate::profile::Profile;
use crate::sha512::Sha512;
use crate::signature::Signature;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::sha256::Sha256;
use phalanx_core::simd::Isa;

pub(in crate::formats) const LABEL: &str = "SSH SIGNATURE";
const MAGIC: &[u8] = b"SSHSIG";
const VERSION: u32 = 1;
/// A longer namespace is a mistake.
const MAX_NAMESPACE_LEN: usize = 1 << 16;

/// How the message is hashed before it is signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// What ssh-keygen uses unless told otherwise.
    #[default]
    Sha512,
    /// The other hash that PROTOCOL.sshsig allows.
    Sha256,
}

impl Hash {
    /// The name in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha512 => "sha512",
            Self::Sha256 => "sha256",
        }
    }

    /// The hash called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Sha512, Self::Sha256].into_iter().find(|hash| hash.name() == name)
    }
}

/// The hash of a message that arrives in pieces.
#[derive(Clone)]
pub struct Prehash(State);

#[derive(Clone)]
enum State {
    Sha512(Sha512),
    Sha256(Sha256),
}

impl Prehash {
    /// Of no bytes so far.
    #[must_use]
    pub fn new(hash: Hash) -> Self {
        Self(match hash {
            Hash::Sha512 => State::Sha512(Sha512::new(Isa::current())),
            Hash::Sha256 => State::Sha256(Sha256::new(Isa::current())),
        })
    }

    /// The next piece.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.0 {
            State::Sha512(state) => state.update(piece),
            State::Sha256(state) => state.update(piece),
        }
    }

    pub(super) fn of(hash: Hash, message: &[u8]) -> Self {
        let mut prehash = Self::new(hash);
        prehash.update(message);
        prehash
    }

    const fn hash(&self) -> Hash {
        match self.0 {
            State::Sha512(_) => Hash::Sha512,
            State::Sha256(_) => Hash::Sha256,
        }
    }

    /// What is signed: PROTOCOL.sshsig section 3, "Signed Data".
    fn signed_data(self, namespace: &str) -> Vec<u8> {
        let hash = self.hash();
        let mut data = Vec::from(MAGIC);
        push_string(&mut data, namespace.as_bytes());
        push_string(&mut data, b"");
        push_string(&mut data, hash.name().as_bytes());
        match self.0 {
            State::Sha512(state) => push_string(&mut data, &state.finalize()),
            State::Sha256(state) => push_string(&mut data, &state.finalize()),
        }
        data
    }
}

/// A signature with the key that made it, its namespace and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshSignature {
    pub(super) public_key: VerifyingKey,
    pub(super) namespace: String,
    pub(super) hash: Hash,
    pub(super) signature: Signature,
}

impl SshSignature {
    /// Signs. The namespace says what the signature is for (`file`, `git`, an address of yours): it is not empty, and a
    /// signature for one is none for another.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] for a namespace that is empty, longer than 64 KiB or has a control character.
    pub fn sign(key: &SigningKey, namespace: &str, hash: Hash, message: &[u8]) -> Result<Self, Error> {
        Self::sign_prehashed(key, namespace, Prehash::of(hash, message))
    }

    /// [`sign`](Self::sign) of a message that the caller has hashed.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn sign_prehashed(key: &SigningKey, namespace: &str, prehash: Prehash) -> Result<Self, Error> {
        let namespace = namespace_of(namespace.as_bytes())?.to_string();
        let hash = prehash.hash();
        let signature = key.sign(&prehash.signed_data(&namespace));
        Ok(Self { public_key: *key.verifying_key(), namespace, hash, signature })
    }

    /// Reads the armored file, of an Ed25519 key and at most version 1. The reserved field is not signed and is ignored, as
    /// PROTOCOL.sshsig asks.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::InvalidPublicKey`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let blob = pem::decode(text, LABEL)?;
        let mut fields = Reader::new(&blob);
        fields.expect(MAGIC, "no magic of an SSH signature")?;
        if fields.number()? > VERSION {
            return Err(invalid("version of the SSH signature is above 1"));
        }
        let public_key = fields.string()?;
        let namespace = namespace_of(fields.string()?)?.to_string();
        fields.string()?;
        let hash = core::str::from_utf8(fields.string()?).ok().and_then(Hash::from_name);
        let hash = hash.ok_or(invalid("hash of the SSH signature is neither sha512 nor sha256"))?;
        let mut signature = Reader::new(fields.string()?);
        fields.finish("bytes after the SSH signature")?;
        signature.key_type()?;
        let bytes: &[u8; 64] = signature.array("signature")?;
        signature.finish("bytes after the signature")?;
        let public_key = VerifyingKey::from_bytes(public_key_of(public_key)?)?;
        Ok(Self { public_key, namespace, hash, signature: Signature::from_bytes(bytes) })
    }

    /// The armored file, to the byte as ssh-keygen writes it.
    #[must_use]
    pub fn to_armored(&self) -> String {
        let mut blob = Vec::from(MAGIC);
        blob.extend_from_slice(&VERSION.to_be_bytes());
        push_string(&mut blob, &public_blob(self.public_key.as_ref()));
        push_string(&mut blob, self.namespace.as_bytes());
        push_string(&mut blob, b"");
        push_string(&mut blob, self.hash.name().as_bytes());
        let mut signature = Vec::new();
        push_string(&mut signature, KEY_TYPE);
        push_string(&mut signature, self.signature.as_ref());
        push_string(&mut blob, &signature);
        core::mem::take(&mut *pem::encode(LABEL, &blob, COLUMNS))
    }

    /// The key inside the file, which anyone may have put there.
    #[must_use]
    pub const fn public_key(&self) -> &VerifyingKey {
        &self.public_key
    }

    /// What the signature claims to be for.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// How the message was hashed.
    #[must_use]
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// The Ed25519 signature.
    #[must_use]
    pub const fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Whether `key` signed `message` for `namespace`.
    ///
    /// # Errors
    /// [`InvalidSignature`], also if another key is inside the file.
    pub fn verify(
        &self,
        key: &VerifyingKey,
        profile: Profile,
        namespace: &str,
        message: &[u8],
    ) -> Result<(), InvalidSignature> {
        self.verify_prehashed(key, profile, namespace, Prehash::of(self.hash, message))
    }

    /// [`verify`](Self::verify) of a message that the caller has hashed with [`hash`](Self::hash).
    ///
    /// # Errors
    /// As [`verify`](Self::verify); [`InvalidSignature`] for another hash.
    pub fn verify_prehashed(
        &self,
        key: &VerifyingKey,
        profile: Profile,
        namespace: &str,
        prehash: Prehash,
    ) -> Result<(), InvalidSignature> {
        if *key != self.public_key {
            return Err(InvalidSignature);
        }
        self.check_novalidate(profile, namespace, prehash)
    }

    /// Whether the key *inside the file* signed the message for `namespace`, as `ssh-keygen -Y check-novalidate`. It
    /// says nothing about who that is.
    ///
    /// # Errors
    /// [`InvalidSignature`], also for another hash than [`hash`](Self::hash).
    pub fn check_novalidate(
        &self,
        profile: Profile,
        namespace: &str,
        prehash: Prehash,
    ) -> Result<(), InvalidSignature> {
        if namespace != self.namespace || prehash.hash() != self.hash {
            return Err(InvalidSignature);
        }
        self.public_key.verify_with(profile, &prehash.signed_data(namespace), &self.signature)
    }
}

fn namespace_of(bytes: &[u8]) -> Result<&str, Error> {
    let namespace = core::str::from_utf8(bytes).map_err(|_| invalid("namespace is not UTF-8"))?;
    if namespace.is_empty() || namespace.len() > MAX_NAMESPACE_LEN {
        return Err(invalid("namespace is empty or too long"));
    }
    let printable = !namespace.chars().any(char::is_control);
    if printable { Ok(namespace) } else { Err(invalid("control character in the namespace")) }
}
