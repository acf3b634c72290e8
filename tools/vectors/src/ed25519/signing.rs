//! Signatures of known seeds: alone, checked, with noise, and many at once in every lane.

use super::lanes::MAX_GROUP;
use crate::json::{Bytes, Hex};
use crate::report::{Check, Recorder, ensure, in_every_lane, same, text};
use phalanx::Threads;
use phalanx::ed25519::{Error, Profile, Signature, SigningKey, sign_many, sign_many_on};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A case of a signing file.
pub(crate) trait Case: DeserializeOwned + Sync {
    /// Seed, public key, message and its deterministic signature.
    fn parts(&self) -> Parts<'_>;

    /// What else the case says.
    fn more(&self, _key: &SigningKey) -> Check {
        Ok(())
    }
}

/// What every case has.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    seed: &'a [u8; 32],
    public: &'a [u8; 32],
    message: &'a [u8],
    signature: &'a [u8; 64],
}

/// A case of `rfc8032.json` and `sign_input.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plain {
    #[allow(dead_code, reason = "reports name cases by their place")]
    id: String,
    seed: Hex<32>,
    pk: Hex<32>,
    msg: Bytes,
    sig: Hex<64>,
}

impl Case for Plain {
    fn parts(&self) -> Parts<'_> {
        Parts { seed: &self.seed.0, public: &self.pk.0, message: &self.msg.0, signature: &self.sig.0 }
    }
}

/// A case of `sign_noise.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WithNoise {
    #[allow(dead_code, reason = "reports name cases by their place")]
    id: String,
    seed: Hex<32>,
    pk: Hex<32>,
    msg: Bytes,
    noise: Hex<32>,
    sig_deterministic: Hex<64>,
    sig_noise: Hex<64>,
}

impl Case for WithNoise {
    fn parts(&self) -> Parts<'_> {
        let signature = &self.sig_deterministic.0;
        Parts { seed: &self.seed.0, public: &self.pk.0, message: &self.msg.0, signature }
    }

    fn more(&self, key: &SigningKey) -> Check {
        let signature = key.sign_with_noise(&self.msg.0, &self.noise.0);
        same("signature with noise", hex::encode(signature.to_bytes()), hex::encode(self.sig_noise.0))?;
        verifies(key, &self.msg.0, &signature)
    }
}

/// Runs the cases.
pub(crate) fn run<C: Case>(recorder: &mut Recorder<'_>, list: &[Value], pool: &Threads) {
    recorder.cases_on(pool, "cases", list, |case: &C, _| {
        let parts = case.parts();
        let key = alone(&parts)?;
        case.more(&key)?;
        lanes(&parts, &key)
    });
    let cases: Vec<C> = list.iter().filter_map(|value| C::deserialize(value).ok()).collect();
    if cases.len() == list.len() && !cases.is_empty() {
        let parts: Vec<Parts<'_>> = cases.iter().map(C::parts).collect();
        recorder.case("sign_many of the cases in groups of 1 to 33", || groups(&parts));
        recorder.case_once("sign_many of 200 on 1 to 8 threads", || threads(&parts));
    }
}

/// The key and its signature.
fn alone(parts: &Parts<'_>) -> Result<SigningKey, String> {
    let Parts { seed, public, message, signature } = parts;
    let key = SigningKey::from_seed(seed);
    same("public key", hex::encode(key.verifying_key().to_bytes()), hex::encode(public))?;
    let mut pair = [0; 64];
    pair[..32].copy_from_slice(*seed);
    pair[32..].copy_from_slice(*public);
    same("seed with public key", key.to_keypair_bytes(), pair)?;
    ensure(SigningKey::from_keypair_bytes(&pair).is_ok(), "the pair of seed and public key is refused")?;
    pair[63] ^= 1;
    let refused = SigningKey::from_keypair_bytes(&pair).err();
    same("a pair with another public key", refused, Some(Error::KeyMismatch))?;
    let wanted = hex::encode(signature);
    same("signature", hex::encode(key.sign(message).to_bytes()), wanted.clone())?;
    let checked = key.sign_checked(message).map_err(text)?;
    same("signature by sign_checked", hex::encode(checked.to_bytes()), wanted)?;
    verifies(&key, message, &checked)?;
    Ok(key)
}

/// Every profile accepts the signature, and refuses it for another message.
fn verifies(key: &SigningKey, message: &[u8], signature: &Signature) -> Check {
    let mut other = message.to_vec();
    other.push(0);
    for profile in Profile::ALL {
        let public = key.verifying_key();
        ensure(
            public.verify_with(profile, message, signature).is_ok(),
            &format!("its signature does not verify under {}", profile.name()),
        )?;
        ensure(
            public.verify_with(profile, &other, signature).is_err(),
            &format!("its signature verifies for another message under {}", profile.name()),
        )?;
    }
    Ok(())
}

/// The case in every lane, beside another key with a longer message.
fn lanes(parts: &Parts<'_>, key: &SigningKey) -> Check {
    let mut other_seed = *parts.seed;
    other_seed[0] ^= 1;
    let other_key = SigningKey::from_seed(&other_seed);
    let other_message = [parts.message, &[0x5a; 100]].concat();
    let (item, other) = ((key, parts.message), (&other_key, &other_message[..]));
    in_every_lane("sign_many", &item, &other, parts.signature, |items| {
        let (keys, messages): (Vec<&SigningKey>, Vec<&[u8]>) = items.iter().copied().unzip();
        let signatures = sign_many(&keys, &messages).expect("lengths agree");
        signatures.iter().map(Signature::to_bytes).collect()
    })
}

/// Consecutive cases together, in groups of every size.
fn groups(cases: &[Parts<'_>]) -> Check {
    let keys: Vec<SigningKey> = cases.iter().map(|case| SigningKey::from_seed(case.seed)).collect();
    for size in 1..=MAX_GROUP {
        let indexes: Vec<usize> = (0..cases.len().max(size)).map(|i| i % cases.len()).collect();
        for group in indexes.chunks(size) {
            let group_keys: Vec<&SigningKey> = group.iter().map(|&i| &keys[i]).collect();
            let messages: Vec<&[u8]> = group.iter().map(|&i| cases[i].message).collect();
            let signatures = sign_many(&group_keys, &messages).map_err(text)?;
            same("number of signatures", signatures.len(), group.len())?;
            for (&i, signature) in group.iter().zip(&signatures) {
                let what = format!("signature of cases[{i}] in a group of {}", group.len());
                same(&what, signature.to_bytes(), *cases[i].signature)?;
            }
        }
    }
    Ok(())
}

/// The cases again and again, on threads.
fn threads(cases: &[Parts<'_>]) -> Check {
    const COUNT: usize = 200;
    let keys: Vec<SigningKey> = cases.iter().map(|case| SigningKey::from_seed(case.seed)).collect();
    let signers: Vec<&SigningKey> = keys.iter().cycle().take(COUNT).collect();
    let messages: Vec<&[u8]> = cases.iter().map(|case| case.message).cycle().take(COUNT).collect();
    for count in 1..=8 {
        let signatures = sign_many_on(&Threads::new(count), &signers, &messages);
        let signatures = signatures.map_err(text)?;
        for (i, (case, signature)) in cases.iter().cycle().zip(&signatures).enumerate() {
            same(&format!("signature {i} on {count} threads"), signature.to_bytes(), *case.signature)?;
        }
    }
    Ok(())
}
