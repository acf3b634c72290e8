//! Ed25519: the signatures of RFC 8032, and the cases of speccheck under every profile.

use super::case::{Case, Check, array, bytes, same, text};
use phalanx::ed25519::{BatchVerifier, Profile, SignedMessage, SigningKey, sign_many, verify, verify_many};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A file of `vectors/ed25519`.
#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct Signed {
    id: String,
    seed: String,
    pk: String,
    msg: String,
    sig: String,
}

#[derive(Deserialize)]
struct Judged {
    pk: String,
    msg: String,
    sig: String,
    #[serde(rename = "verdict")]
    accepted: BTreeMap<String, bool>,
}

/// The cases.
pub(super) fn cases() -> Vec<Case> {
    let rfc: File<Signed> =
        serde_json::from_str(include_str!("../../../vectors/ed25519/rfc8032.json")).expect("it is JSON");
    let judged = || -> File<Judged> {
        serde_json::from_str(include_str!("../../../vectors/ed25519/speccheck.json")).expect("it is JSON")
    };
    let sign = rfc.cases.into_iter().map(|case| Case::new(case.id.clone(), move || signs(&case)));
    let verify = Profile::ALL.into_iter().map(|profile| {
        let file = judged();
        Case::new(format!("speccheck {}", profile.name()), move || judges(profile, &file.cases))
    });
    sign.chain(verify).collect()
}

/// The key and the signature, alone and in every lane of a batch.
fn signs(case: &Signed) -> Check {
    let key = SigningKey::from_seed(&array(&case.seed));
    same("public key", hex::encode(key.verifying_key().to_bytes()), &*case.pk)?;
    let message = bytes(&case.msg);
    same("signature", hex::encode(key.sign(&message).to_bytes()), &*case.sig)?;
    let many = sign_many(&[&key; 9], &[&message[..]; 9]).map_err(text)?;
    for signature in many {
        same("signature of a batch", hex::encode(signature.to_bytes()), &*case.sig)?;
    }
    Ok(())
}

/// What `profile` accepts: one by one, many at once, and in a batch.
fn judges(profile: Profile, cases: &[Judged]) -> Check {
    let decoded: Vec<_> =
        cases.iter().map(|case| [&case.pk, &case.msg, &case.sig].map(|digits| bytes(digits))).collect();
    let wanted: Vec<bool> = cases.iter().map(|case| case.accepted[profile.name()]).collect();
    let element = |[key, message, signature]: &[Vec<u8>; 3]| verify(profile, key, message, signature).is_ok();
    same("verify", decoded.iter().map(element).collect::<Vec<_>>(), &*wanted)?;
    let elements: Vec<_> = decoded
        .iter()
        .map(|[public_key, message, signature]| SignedMessage { public_key, message, signature })
        .collect();
    let accepted: Vec<bool> = verify_many(profile, &elements).iter().map(Result::is_ok).collect();
    same("verify_many", accepted, &*wanted)?;
    let mut batch = BatchVerifier::new(profile);
    decoded.iter().for_each(|[key, message, signature]| batch.add(key, signature, message));
    let results = batch.verify();
    let accepted: Vec<bool> = results.results().iter().map(Result::is_ok).collect();
    same("BatchVerifier", accepted, wanted)
}
