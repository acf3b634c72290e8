//! Keystores: what the file says of its key, without its password.

use super::Reading;
use crate::key_json::Interval;
use phalanx_custody::keystore::{Keystore, Verdict, trees};
use std::collections::BTreeMap;

/// What the file is, if it is the cache that is kept beside a keystore. Nothing in it is secret.
pub(super) fn trees(bytes: &[u8]) -> Option<Reading> {
    // Whose they are is said first.
    let key_id = bytes.strip_prefix(trees::MAGIC)?.get(..32).map(|key_id| ("key id", hex::encode(key_id)));
    let details = key_id.into_iter().collect();
    Some(Reading { kind: "trees of a keystore", details, ..Reading::default() })
}

/// What the file is, if it is a keystore, or nearly one.
pub(super) fn reading(bytes: &[u8], problems: &mut Vec<String>) -> Option<Reading> {
    let keystore = match Keystore::parse(bytes) {
        Ok(keystore) => keystore,
        // JSON with the members of a keystore: that it is refused is what there is to say.
        Err(error) if looks_like_one(bytes) => {
            problems.push(error.to_string());
            let older = error.verdict() == Some(Verdict::UnsupportedVersion);
            let kind = if older { "keystore of another version" } else { "keystore, refused" };
            return Some(Reading { kind, ..Reading::default() });
        }
        Err(_) => return None,
    };
    if keystore.has_weak_kdf() {
        problems.push("its key derivation is too cheap to protect a password".to_owned());
    }
    if !keystore.is_bound() {
        problems.push("nothing binds its header to the password".to_owned());
    }
    let header = keystore.header();
    let interval = header.start.zip(header.count);
    let mut details = BTreeMap::from([
        ("key id", header.key_id.to_string()),
        ("use", header.usage.name().to_owned()),
        ("encrypted", header.secret.name().to_owned()),
    ]);
    details.extend(header.role.map(|role| ("role", role.name().to_owned())));
    Some(Reading {
        kind: "keystore",
        scheme: Some(header.scheme.name().to_owned()),
        insecure: Some(header.scheme.is_insecure()),
        activation: interval.map(|(start, count)| Interval { start, end: start + count }),
        public_key: Some(hex::encode(&header.public_key)),
        details,
        ..Reading::default()
    })
}

/// Whether the bytes are a JSON object with the members that every version of keystores has.
fn looks_like_one(bytes: &[u8]) -> bool {
    let object = serde_json::from_slice::<serde_json::Value>(bytes).ok();
    object.is_some_and(|object| object["crypto"]["kdf"].is_object() && object["crypto"]["cipher"].is_object())
}
