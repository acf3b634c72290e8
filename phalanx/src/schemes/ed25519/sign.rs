//! Signing (RFC 8032 section 5.1.6), in time independent of the key and the nonce.

use super::domain::Domain;
use super::edwards::base_mul;
use super::{Error, Signature, SigningKey};
use crate::fields::scalar25519::Scalar;
use crate::hashes::sha512;
use alloc::vec::Vec;
use zeroize::Zeroize;

pub(crate) fn plain(key: &SigningKey, message: &[u8], noise: Option<&[u8; 32]>) -> Signature {
    sign(key, Domain::Plain, message, noise)
}

pub(crate) fn with_context(key: &SigningKey, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(key, Domain::context(context)?, message, None))
}

pub(crate) fn prehashed(key: &SigningKey, digest: &[u8; 64], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(key, Domain::prehashed(context)?, digest, None))
}

fn sign(key: &SigningKey, domain: Domain<'_>, message: &[u8], noise: Option<&[u8; 32]>) -> Signature {
    let secret = key.secret();
    let [d0, d1, d2] = domain.parts();
    let noise: &[u8] = noise.map_or(&[], |noise| noise);
    // Step 2: r, the nonce.
    let mut nonce = sha512::digest(&[d0, d1, d2, noise, &secret.prefix, message]);
    let mut r = Scalar::from_wide(&nonce);
    // Step 3: R = [r]B.
    let mut point = base_mul(&r);
    let encoded_r = point.encode();
    // Step 4: k. Step 5: S = r + k a.
    let k =
        Scalar::from_wide(&sha512::digest(&[d0, d1, d2, &encoded_r, key.verifying_key().as_ref(), message]));
    let s = k.mul(&secret.a).add(&r);
    nonce.zeroize();
    r.zeroize();
    point.zeroize();
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&encoded_r);
    bytes[32..].copy_from_slice(&s.to_bytes());
    Signature::from_bytes(&bytes)
}

/// Signs `messages[i]` with `keys[i]`, side by side in lanes. Each result equals [`SigningKey::sign`].
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length.
pub fn sign_many(keys: &[&SigningKey], messages: &[&[u8]]) -> Result<Vec<Signature>, Error> {
    if keys.len() != messages.len() {
        return Err(Error::LengthMismatch { wanted: keys.len(), got: messages.len() });
    }
    Ok(keys.iter().zip(messages).map(|(key, message)| key.sign(message)).collect())
}
