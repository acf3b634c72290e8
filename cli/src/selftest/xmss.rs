//! XMSS: whole keys of 256 epochs for both permutations, and a signature of a set for 2^32.

use super::case::{Case, Check, answers, array, bytes, same};
use phalanx::InvalidSignature;
use phalanx::xmss::{Claim, Format, ParameterSet, Signature, SigningKey, VerifyingKey, verify_many};
use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Key {
    profile: String,
    seed: String,
    epochs: [u64; 2],
    pk_ssz: String,
    sk_ssz_sha256: String,
    epoch: u32,
    message: String,
    sig_ssz_sha256: String,
}

#[derive(Deserialize)]
struct Signed {
    profile: String,
    pk_ssz: String,
    epoch: u32,
    message: String,
    sig_ssz: String,
}

/// The cases.
pub(super) fn cases() -> Vec<Case> {
    let keys: Vec<Key> = answers("xmss");
    let signed: Signed = answers("xmss_signature");
    let verify = Case::new(format!("{}: signature", signed.profile), move || {
        let set = set(&signed.profile);
        let public = VerifyingKey::from_bytes(set, Format::Ssz, &bytes(&signed.pk_ssz));
        let signature = Signature::from_bytes(set, Format::Ssz, &bytes(&signed.sig_ssz));
        let (public, signature) =
            public.and_then(|key| Ok((key, signature?))).map_err(|error| error.to_string())?;
        verifies(&public, signed.epoch, &array(&signed.message), &signature)
    });
    let keys =
        keys.into_iter().map(|key| Case::new(format!("{}: key", key.profile), move || generates(&key)));
    keys.chain([verify]).collect()
}

/// The set that vector files call so.
fn set(profile: &str) -> ParameterSet {
    ParameterSet::from_profile(profile).expect("every version has the set")
}

/// The key of a seed, and what it signs.
fn generates(answer: &Key) -> Check {
    let [start, end] = answer.epochs;
    let key = SigningKey::from_seed(set(&answer.profile), &array(&answer.seed), start..end);
    let mut key = key.map_err(|error| error.to_string())?;
    let public = key.verifying_key();
    same("public key", hex::encode(public.to_bytes(Format::Ssz)), &*answer.pk_ssz)?;
    let secret = hex::encode(Sha256::digest(&*key.to_bytes(Format::Ssz)));
    same("SHA-256 of the key", secret, &*answer.sk_ssz_sha256)?;
    let message = array(&answer.message);
    let signature = key.sign(answer.epoch, &message).map_err(|error| error.to_string())?;
    let digest = hex::encode(Sha256::digest(signature.to_bytes(Format::Ssz)));
    same("SHA-256 of the signature", digest, &*answer.sig_ssz_sha256)?;
    verifies(&public, answer.epoch, &message, &signature)
}

/// The signature verifies, alone and in every lane beside one for another message.
fn verifies(key: &VerifyingKey, epoch: u32, message: &[u8; 32], signature: &Signature) -> Check {
    let mut other = *message;
    other[31] ^= 1;
    same("verify", key.verify(epoch, message, signature), Ok(()))?;
    same("verify another message", key.verify(epoch, &other, signature), Err(InvalidSignature))?;
    for odd in 0..2 {
        let claim =
            |i: usize| Claim { key, epoch, message: if i % 2 == odd { message } else { &other }, signature };
        let wanted = |i: usize| if i % 2 == odd { Ok(()) } else { Err(InvalidSignature) };
        let results = verify_many(&(0..33).map(claim).collect::<Vec<_>>());
        same("verify_many", results, (0..33).map(wanted).collect::<Vec<_>>())?;
    }
    Ok(())
}
