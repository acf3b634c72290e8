//! XMSS: a whole key of 256 epochs, signatures one by one and a hundred at a time, and what must be refused.

use super::section::{Fault, Section, check, is_rejected};
use phalanx::InvalidSignature;
use phalanx::xmss::{
    Error, Format, ParameterSet, Signature, SignedMessage, SigningKey, blake2s, verify_many,
};

/// Signatures verified together.
const BATCH: u8 = 100;

/// The seed of the tour's key, and of the first key in `vectors/xmss/p2-top-l8-d64b8.e2e.json`.
const SEED: [u8; 32] = [
    0xfd, 0x52, 0x93, 0x7b, 0xee, 0x1e, 0x04, 0x3b, 0x63, 0x00, 0x3d, 0x87, 0x78, 0xa0, 0x3f, 0xfe, 0x30,
    0x3e, 0x69, 0x1a, 0x5c, 0x1e, 0x3c, 0x8d, 0x60, 0x95, 0x20, 0x03, 0x66, 0xe9, 0x37, 0xe0,
];

/// The public key that leanSig made from it.
const PUBLIC_KEY: &str = "98565e6100a2370b3b37e92f3d2af43227f4c12f631242660ec1ea21936c3429\
                          fef4847c6315b06618d69e7b1419890df0c5df29";

/// Message number `n`.
fn message(n: u8) -> [u8; 32] {
    [n; 32]
}

/// The section.
pub(super) fn tour(section: &mut Section) -> Result<(), Fault> {
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    section.begin(format_args!("XMSS ({set}): one signature per epoch, {} epochs", set.lifetime()));

    let key = section.step(
        "generate a key",
        || SigningKey::from_seed(set, &SEED, 0..set.lifetime()),
        |_, ms| Ok(format!("{:.1} us per epoch", ms * 1e3 / set.lifetime() as f64)),
    );
    let mut key = key??;
    let public = key.verifying_key();
    check(hex::encode(public.to_bytes(Format::Ssz)) == PUBLIC_KEY, "the seed gives another public key")?;

    let size = |signature: &Result<Signature, Error>, _| match signature {
        Ok(signature) => Ok(format!(
            "{} bytes, public key {} bytes",
            signature.to_bytes(Format::Ssz).len(),
            PUBLIC_KEY.len() / 2
        )),
        Err(error) => Err(Fault::from(*error)),
    };
    let signature = section.step("sign", || key.sign(0, &message(0)), size)??;

    let result = |_: &Result<(), InvalidSignature>, _| Ok(String::new());
    let good = section.step("verify", || public.verify(0, &message(0), &signature), result)?;
    check(good.is_ok(), "a good signature is rejected")?;

    let mut signatures = Vec::new();
    for n in 0..BATCH {
        signatures.push(key.sign(n.into(), &message(n))?);
    }
    let messages: Vec<_> = (0..BATCH).map(message).collect();
    let claims: Vec<_> = (0..BATCH)
        .map(|n| {
            let at = usize::from(n);
            SignedMessage {
                key: &public,
                epoch: n.into(),
                message: &messages[at],
                signature: &signatures[at],
            }
        })
        .collect();
    let each = |_: &Vec<_>, ms: f64| Ok(format!("{:.1} us each", ms * 1e3 / f64::from(BATCH)));
    let results = section.step(&format!("verify {BATCH} together"), || verify_many(&claims), each)?;
    check(results.iter().all(Result::is_ok), "a good signature is rejected among many")?;

    // At the last epoch signed: earlier ones the key has moved on from, and refuses for that.
    let last = u32::from(BATCH) - 1;
    let refused = section.step(
        "second message",
        || key.sign(last, &message(BATCH)),
        |result, _| Ok(result.as_ref().err().map_or_else(String::new, |error| format!("refused: {error}"))),
    )?;
    check(refused == Err(Error::EpochUsed { epoch: last.into() }), "an epoch signed twice")?;

    let mut bytes = signature.to_bytes(Format::Ssz);
    // The lowest bit of the first word of the randomness.
    if let Some(byte) = bytes.get_mut(4) {
        *byte ^= 1;
    }
    let tampered = Signature::from_bytes(set, Format::Ssz, &bytes)?;
    let rejected = section.step(
        "tampered signature",
        || public.verify(0, &message(0), &tampered),
        |result, _| Ok(result.err().map_or_else(String::new, |error| format!("rejected: {error}"))),
    )?;
    check(is_rejected(rejected), "a tampered signature verifies")?;
    let moved = public.verify(1, &message(0), &signature);
    check(is_rejected(moved), "a signature verifies at another epoch")?;
    check(
        is_rejected(public.verify(0, &message(1), &signature)),
        "a signature verifies for another message",
    )?;
    over_blake2s(section)
}

/// The seed and the public key of the first key in `vectors/xmss-blake2s/upstream-b.json`, for epochs 0 to 3.
const BLAKE2S_SEED: [u8; 32] = {
    let mut seed = [0; 32];
    let mut i = 0u8;
    while i < 32 {
        seed[i as usize] = i;
        i += 1;
    }
    seed
};
const BLAKE2S_PUBLIC_KEY: &str = "febc365e0b1f38bd16acba8d13d2915fc487ed3aef7201c095bf4c74aad6b6e3";

/// The generation after leanSig's, at the end of the section.
fn over_blake2s(section: &mut Section) -> Result<(), Fault> {
    let set = blake2s::ParameterSet::L32_D42B8;
    let generated = section.step(
        "over BLAKE2s: a key",
        || blake2s::SigningKey::from_seed(&BLAKE2S_SEED, 0..4),
        |_, ms| Ok(format!("{set}, {:.1} us per epoch", ms * 1e3 / 4.0)),
    );
    let mut key = generated??;
    let public = key.verifying_key();
    check(
        hex::encode(public.to_bytes()) == BLAKE2S_PUBLIC_KEY,
        "the seed gives another public key over BLAKE2s",
    )?;
    let size = |_: &Result<_, _>, _| {
        Ok(format!(
            "{} bytes, public key {}",
            blake2s::Signature::LEN_BYTES,
            blake2s::VerifyingKey::LEN_BYTES
        ))
    };
    let signature = section.step("over BLAKE2s: sign", || key.sign(3, &message(1)), size)??;
    let good = section.step(
        "over BLAKE2s: verify",
        || public.verify(3, &message(1), &signature),
        |_, _| Ok(String::new()),
    )?;
    check(good.is_ok(), "a good signature over BLAKE2s is rejected")?;
    check(
        is_rejected(public.verify(2, &message(1), &signature)),
        "a signature over BLAKE2s verifies at another epoch",
    )?;
    check(
        key.sign(3, &message(2)) == Err(Error::EpochUsed { epoch: 3 }),
        "an epoch over BLAKE2s signed twice",
    )
}
