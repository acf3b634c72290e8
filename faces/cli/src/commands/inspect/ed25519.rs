//! What `inspect` tells of files of Ed25519.

use super::{Reading, check_privacy};
use crate::ed25519_files::{PublicKey, Reading as Found, SecretKey, Signature, readings as all_readings};
use crate::files;
use crate::key_json::KeyJson;
use phalanx::ed25519::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// The readings of a file.
///
/// # Errors
/// If there are none: what is wrong, if it looks like a file of Ed25519.
pub(super) fn readings(
    file: &Path,
    bytes: &[u8],
    problems: &mut Vec<String>,
) -> Result<Vec<Reading>, Option<String>> {
    let mut found = match all_readings(bytes, None) {
        Ok(found) => found,
        // What is known without the password.
        Err(Some(error @ Error::EncryptedKey)) => {
            check_privacy(file, problems);
            let details = BTreeMap::from([("problem", error.to_string())]);
            return Ok(vec![Reading { kind: "secret key", scheme: scheme(), details, ..Reading::default() }]);
        }
        Err(problem) => return Err(problem.map(|error| error.to_string())),
    };
    keep_what_key_json_says(file, &mut found);
    let is_secret = |reading: &Found| matches!(reading, Found::Secret(_));
    if found.iter().all(is_secret) {
        check_privacy(file, problems);
    } else if found.iter().any(is_secret)
        && let Some(mode) = files::open_to_others(file)
    {
        problems.push(format!("if it is a secret: it has mode {mode:04o}, wanted 0600"));
    }
    Ok(found.iter().map(describe).collect())
}

/// A seed and a public key look alike; the `key.json` beside the file has the public key.
fn keep_what_key_json_says(file: &Path, found: &mut Vec<Found>) {
    let Some(public) = KeyJson::beside(file).map(|key| key.public_key).filter(|_| found.len() > 1) else {
        return;
    };
    let belongs = |reading: &Found| match reading {
        Found::Secret(key) => hex::encode(key.key.verifying_key().to_bytes()) == public,
        Found::Public(key) => hex::encode(key.bytes) == public,
        Found::Signature(_) => false,
    };
    if found.iter().any(belongs) {
        found.retain(belongs);
    }
}

fn scheme() -> Option<String> {
    Some("ed25519".to_owned())
}

fn describe(found: &Found) -> Reading {
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
        let weak = if key.is_weak() { "small order: anyone can sign for it" } else { "" };
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
    Reading { kind, scheme: scheme(), format, public_key, details, ..Reading::default() }
}

/// The public half; a name for minisign only where the file has one.
fn public_of(key: &SecretKey) -> PublicKey {
    let public = key.public();
    let has_name = public.format.name() == "minisign";
    PublicKey { key_id: public.key_id.filter(|_| has_name), ..public }
}
