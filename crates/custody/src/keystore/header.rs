//! The canonical header bytes, and what binds them to the password.
//!
//! Source: specification, section 2.5. The draft of EIP-8310 does not bind the header: without this an attacker could
//! change the interval of a key, whose one-time secrets would then sign under another root.

use super::kdf::KEY_BYTES;
use crate::json::{Object, Value};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Members that the header does not cover: what is computed from it or from the secret, and the snapshot of the state.
const NOT_COVERED: [&[&str]; 5] = [
    &["crypto", "checksum"],
    &["crypto", "cipher", "message"],
    &["crypto", "cipher", "params", "tag"],
    &["state"],
    &["phalanx", "binding"],
];

/// The bytes that are bound: `"phalanx keystore header v1" || 00 || JCS(document without what is not covered)`.
pub(super) fn bytes(document: &Value) -> Vec<u8> {
    let mut document = document.clone();
    for path in NOT_COVERED {
        remove(&mut document, path);
    }
    let mut bytes = b"phalanx keystore header v1\0".to_vec();
    bytes.extend(document.canonical().into_bytes());
    bytes
}

/// Removes the member that `path` leads to, if there is one.
fn remove(document: &mut Value, path: &[&str]) {
    let Some((name, folders)) = path.split_last() else { return };
    let parent = folders.iter().try_fold(document, |value, folder| value.as_object_mut()?.get_mut(folder));
    if let Some(parent) = parent.and_then(Value::as_object_mut) {
        Object::remove(parent, name);
    }
}

/// `SHA-256(key[16..32] || message)`, as ERC-2335 has it.
pub(super) fn checksum(key: &[u8], message: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(&key[KEY_BYTES / 2..]).chain_update(message).finalize().into()
}

/// The authentication code of the header under the derived key.
fn mac(key: &[u8], document: &Value) -> Hmac<Sha256> {
    let mut mac_key = zeroize::Zeroizing::new([0; 32]);
    Hkdf::<Sha256>::new(Some(&[0; 32]), key)
        .expand(b"phalanx keystore binding v1", &mut mac_key[..])
        .expect("32 bytes are one block");
    let mut mac = Hmac::<Sha256>::new_from_slice(&mac_key[..]).expect("HMAC takes keys of any length");
    mac.update(&bytes(document));
    mac
}

/// What `phalanx.binding.message` says of this document.
pub(super) fn binding(key: &[u8], document: &Value) -> [u8; 32] {
    mac(key, document).finalize().into_bytes().into()
}

/// Whether `binding` is that of this document, in constant time.
pub(super) fn is_bound(key: &[u8], document: &Value, binding: &[u8; 32]) -> bool {
    mac(key, document).verify_slice(binding).is_ok()
}
