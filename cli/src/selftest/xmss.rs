//! XMSS: whole keys of 256 epochs for both permutations, and a signature of a set for 2^32.

use super::case::{Case, Check, answers, array, bytes, same, text};
use phalanx::InvalidSignature;
use phalanx::xmss::{Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// A key of a seed, and what it signs.
#[derive(Deserialize)]
struct Generated {
    profile: String,
    seed: String,
    requested_activation_epoch: u64,
    requested_active_epochs: u64,
    pk_ssz: String,
    sk_ssz_sha256: String,
    signatures: Signed,
}

/// A public key, and a signature of it.
#[derive(Deserialize)]
struct Public {
    profile: String,
    pk_ssz: String,
    signatures: Signed,
}

/// A signature, or its hash.
#[derive(Deserialize)]
struct Signed {
    epoch: u32,
    message: String,
    #[serde(default)]
    sig_ssz: String,
    #[serde(default)]
    sig_bincode1_sha256: String,
}

/// The cases.
pub(super) fn cases() -> Vec<Case> {
    let keys: Vec<Generated> = answers("xmss");
    let public: Public = answers("xmss_signature");
    let verify = Case::new(format!("{}: signature", public.profile), move || {
        let (set, signed) = (set(&public.profile), &public.signatures);
        let key = VerifyingKey::from_bytes(set, Format::Ssz, &bytes(&public.pk_ssz)).map_err(text)?;
        let signature = Signature::from_bytes(set, Format::Ssz, &bytes(&signed.sig_ssz)).map_err(text)?;
        verifies(&key, signed.epoch, &array(&signed.message), &signature)
    });
    let keys =
        keys.into_iter().map(|key| Case::new(format!("{}: key", key.profile), move || generates(&key)));
    keys.chain([verify]).collect()
}

/// The set that vector files call so.
fn set(profile: &str) -> ParameterSet {
    ParameterSet::from_profile(profile).expect("every version has the set")
}

/// The key of the seed, and its signature.
fn generates(answer: &Generated) -> Check {
    let start = answer.requested_activation_epoch;
    let epochs = start..start + answer.requested_active_epochs;
    let mut key = SigningKey::from_seed(set(&answer.profile), &array(&answer.seed), epochs).map_err(text)?;
    let public = key.verifying_key();
    same("public key", hex::encode(public.to_bytes(Format::Ssz)), &*answer.pk_ssz)?;
    let secret = hex::encode(Sha256::digest(&*key.to_bytes(Format::Ssz)));
    same("SHA-256 of the key", secret, &*answer.sk_ssz_sha256)?;
    let Signed { epoch, message, sig_bincode1_sha256, .. } = &answer.signatures;
    let message = array(message);
    let signature = key.sign(*epoch, &message).map_err(text)?;
    let digest = hex::encode(Sha256::digest(signature.to_bytes(Format::Bincode)));
    same("SHA-256 of the signature", digest, &**sig_bincode1_sha256)?;
    verifies(&public, *epoch, &message, &signature)
}

/// The signature verifies, alone and in every lane beside one for another message.
fn verifies(key: &VerifyingKey, epoch: u32, message: &[u8; 32], signature: &Signature) -> Check {
    let mut other = *message;
    other[31] ^= 1;
    same("verify", key.verify(epoch, message, signature), Ok(()))?;
    same("verify another message", key.verify(epoch, &other, signature), Err(InvalidSignature))?;
    for odd in 0..2 {
        let claim = |i: usize| SignedMessage {
            key,
            epoch,
            message: if i % 2 == odd { message } else { &other },
            signature,
        };
        let wanted = |i: usize| if i % 2 == odd { Ok(()) } else { Err(InvalidSignature) };
        let results = verify_many(&(0..33).map(claim).collect::<Vec<_>>());
        same("verify_many", results, (0..33).map(wanted).collect::<Vec<_>>())?;
    }
    Ok(())
}
