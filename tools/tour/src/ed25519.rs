//! Ed25519: a key of RFC 8032, signatures one by one and 256 at a time, a batch with a bad entry, and rules that
//! differ.

use super::section::{Fault, Section, check, is_rejected};
use phalanx::InvalidSignature;
use phalanx::ed25519::{
    BatchReport, BatchVerifier, Profile, Signature, SignedMessage, SigningKey, explain, sign_many, verify,
    verify_batch, verify_many,
};

/// Signatures made and verified together: a key for every value of a byte.
const MANY: usize = 256;

/// The entry that is spoilt.
const BAD: usize = 171;

/// TEST 3 of RFC 8032 section 7.1: seed, public key, message, signature.
const RFC: [&str; 4] = [
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac\
     18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
];

/// A key of small order with a signature for any message under it: case 1 of speccheck.
const SMALL_ORDER: [&str; 3] = [
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43\
     a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
];

/// Bytes of a constant above.
fn bytes(digits: &str) -> Result<Vec<u8>, Fault> {
    hex::decode(digits).map_err(Fault::from)
}

/// The section.
pub(super) fn tour(section: &mut Section) -> Result<(), Fault> {
    section.begin("Ed25519 (RFC 8032): a result for every signature");
    let [seed, public, message, wanted] = RFC.map(bytes);
    let (seed, message) = (seed?, message?);
    let seed: &[u8; 32] = seed.as_slice().try_into().map_err(Fault::from)?;
    let key = section.step("generate a key", || SigningKey::from_seed(seed), |_, _| Ok(String::new()))?;
    check(key.verifying_key().to_bytes()[..] == public?, "the seed gives another public key")?;
    let size = |_: &Signature, _| Ok("64 bytes, public key 32 bytes".to_owned());
    let signature = section.step("sign", || key.sign(&message), size)?;
    check(signature.to_bytes()[..] == wanted?, "the signature is not that of RFC 8032")?;
    let result = |_: &Result<(), InvalidSignature>, _| Ok(String::new());
    let good = section.step("verify", || key.verifying_key().verify(&message, &signature), result)?;
    check(good.is_ok(), "a good signature is rejected")?;
    many(section)?;
    rules(section)
}

/// Signs, verifies and batches many.
fn many(section: &mut Section) -> Result<(), Fault> {
    let keys: Vec<SigningKey> = (0..=u8::MAX).map(|n| SigningKey::from_seed(&[n; 32])).collect();
    let messages: Vec<Vec<u8>> = (0..MANY).map(|n| format!("message number {n}").into_bytes()).collect();
    let each = |ms: f64| format!("{:.1} us each", ms * 1e3 / MANY as f64);

    let signers: Vec<&SigningKey> = keys.iter().collect();
    let texts: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let label = format!("sign {MANY} together");
    let signatures = section.step(&label, || sign_many(&signers, &texts), |_, ms| Ok(each(ms)))??;
    let mut signatures: Vec<[u8; 64]> = signatures.iter().map(Signature::to_bytes).collect();
    let public: Vec<[u8; 32]> = keys.iter().map(|key| key.verifying_key().to_bytes()).collect();
    let verify_all =
        |signatures: &[[u8; 64]]| verify_many(Profile::Strict, &elements(&public, &messages, signatures));
    let label = format!("verify {MANY}, each");
    let results = section.step(&label, || verify_all(&signatures), |_, ms| Ok(each(ms)))?;
    check(results.iter().all(Result::is_ok), "a good signature is rejected among many")?;

    let label = format!("verify {MANY} as a batch");
    let all = || verify_batch(Profile::Zip215, &elements(&public, &messages, &signatures));
    let result = section.step(&label, all, |_, ms| Ok(format!("{} (zip215)", each(ms))))?;
    check(result.is_ok(), "a good batch is rejected")?;

    signatures[BAD][40] ^= 1;
    let mut batch = BatchVerifier::new(Profile::Zip215);
    for ((key, message), signature) in public.iter().zip(&messages).zip(&signatures) {
        batch.add(key, signature, message);
    }
    let found = |report: &BatchReport, ms: f64| {
        Ok(format!("{}; bad: {:?}", each(ms), report.invalid().collect::<Vec<_>>()))
    };
    let report = section.step("a batch with a bad one", || batch.verify(), found)?;
    check(report.invalid().eq([BAD]), "the bad entry of a batch is not found")?;
    let results = verify_all(&signatures);
    check((0..MANY).all(|n| results[n].is_ok() == (n != BAD)), "results of many differ from the batch's")
}

fn elements<'a>(
    public: &'a [[u8; 32]],
    messages: &'a [Vec<u8>],
    signatures: &'a [[u8; 64]],
) -> Vec<SignedMessage<'a>> {
    (0..public.len())
        .map(|n| SignedMessage { public_key: &public[n], message: &messages[n], signature: &signatures[n] })
        .collect()
}

/// A signature on which the rules differ.
fn rules(section: &mut Section) -> Result<(), Fault> {
    let [key, message, signature] = SMALL_ORDER.map(bytes);
    let (key, message, signature) = (key?, message?, signature?);
    let refused = section.step(
        "key of small order",
        || explain(Profile::Strict, &key, &message, &signature),
        |result, _| {
            let reason =
                result.err().map_or_else(String::new, |reason| format!("rejected: {reason} (strict)"));
            Ok(reason)
        },
    )?;
    check(refused.is_err(), "a key of small order is accepted under strict")?;
    let accepted = section.step(
        "the same under zip215",
        || verify(Profile::Zip215, &key, &message, &signature),
        |result, _| Ok(if result.is_ok() { "accepted".to_owned() } else { "rejected".to_owned() }),
    )?;
    check(accepted.is_ok(), "zip215 refuses a key of small order")?;
    check(is_rejected(verify(Profile::Zip215, &key, b"", &signature[..63])), "63 bytes verify")
}
