//! What is told of keys and signatures of Ed25519.

use super::keys::{PublicKey, SecretKey};
use super::readings::Reading as Found;
use super::signatures::Signature;
use crate::reading::{Confidence, Reading};
use phalanx::ed25519::Error;
use std::collections::BTreeMap;

/// What is known of an encrypted key without its password.
#[must_use]
pub fn encrypted() -> Reading {
    let details = BTreeMap::from([("problem", Error::EncryptedKey.to_string())]);
    Reading { kind: "secret key", scheme: scheme(), details, ..Reading::default() }
}

fn scheme() -> Option<String> {
    Some("ed25519".to_owned())
}

/// A reading as it is told. Secrets are not.
#[must_use]
pub fn describe(found: &Found) -> Reading {
    let mut details = BTreeMap::new();
    let mut detail = |name, value: String| {
        if !value.is_empty() {
            details.insert(name, value);
        }
    };
    let mut public_key = None;
    let mut add_key = |key: &PublicKey, detail: &mut dyn FnMut(&'static str, String)| {
        public_key = Some(hex::encode(key.bytes));
        detail("comment", key.comment.clone());
        if let Some(id) = key.key_id {
            detail("minisign key", id.to_string());
        }
        let Ok(key) = key.key() else {
            detail("problem", Error::InvalidPublicKey.to_string());
            return;
        };
        detail("openssh", key.to_openssh("").unwrap_or_default());
        let weak = if key.is_weak() {
            "small order: anyone can sign for it"
        } else if key.is_torsion_free() {
            ""
        } else {
            "mixed order: no generated key; some libraries refuse it"
        };
        detail("weakness", weak.to_owned());
        let encoding = if key.is_canonical() { "" } else { "not canonical: rfc8032 refuses it" };
        detail("encoding", encoding.to_owned());
    };
    match found {
        Found::Secret(key) => add_key(&public_of(key), &mut detail),
        Found::Public(key) => add_key(key, &mut detail),
        Found::Signature(Signature::Plain(..)) => {}
        Found::Signature(Signature::Minisign(signature)) => {
            detail("minisign key", signature.key_id().to_string());
            let signs =
                if signature.is_prehashed() { "BLAKE2b-512 of the message" } else { "the message itself" };
            detail("signs", signs.to_owned());
            detail("comment", signature.untrusted_comment().to_owned());
            detail("trusted comment, not verified", signature.unverified_trusted_comment().to_owned());
        }
        Found::Signature(Signature::Sshsig(signature)) => {
            public_key = Some(hex::encode(signature.public_key().to_bytes()));
            detail("namespace", signature.namespace().to_owned());
            detail("signs", format!("{} of the message", signature.hash().name()));
            detail("openssh", signature.public_key().to_openssh("").unwrap_or_default());
        }
    }
    let (kind, format) = (found.kind().name(), Some(found.format_name().to_owned()));
    // 32 or 64 bytes may be anything; of a pair the second half has been seen to belong to the first.
    let confidence = match found.format_name() {
        "raw" | "hex" => Confidence::Possible,
        _ => Confidence::Certain,
    };
    Reading { kind, confidence, scheme: scheme(), format, public_key, details, ..Reading::default() }
}

/// The public half; a name for minisign only where the file has one.
fn public_of(key: &SecretKey) -> PublicKey {
    let public = key.public();
    let has_name = public.format.name() == "minisign";
    PublicKey { key_id: public.key_id.filter(|_| has_name), ..public }
}
