//! Sign, verify one, verify many, verify a batch: `cargo run --release -p phalanx --example ed25519`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::ed25519::{
    BatchVerifier, Profile, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A key from the operating system's randomness; `from_seed` makes one from 32 bytes.
    let key = SigningKey::generate()?;
    let signature = key.sign(b"a message");

    // What travels is bytes. `verify` is under the default rule, `strict`; others are named.
    let received_key = VerifyingKey::from_bytes(&key.verifying_key().to_bytes())?;
    let received = Signature::from_bytes(&signature.to_bytes());
    received_key.verify(b"a message", &received)?;
    received_key.verify_with(Profile::Zip215, b"a message", &received)?;
    assert!(received_key.verify(b"another message", &received).is_err());

    // Many at once, a result for each: lanes run across signatures.
    let keys: Vec<_> = (0..64).map(|n| SigningKey::from_seed(&[n; 32])).collect();
    let mut signed: Vec<_> =
        keys.iter().map(|key| (key.verifying_key().to_bytes(), key.sign(b"a message").to_bytes())).collect();
    signed[7].1[0] ^= 1;
    let messages: Vec<_> = signed
        .iter()
        .map(|(public_key, signature)| SignedMessage { public_key, message: b"a message", signature })
        .collect();
    let results = verify_many(Profile::Strict, &messages);
    println!("{} of {} verify", results.iter().filter(|result| result.is_ok()).count(), results.len());

    // As a batch: one equation where the rule allows it, and still a result for every entry.
    let mut batch = BatchVerifier::new(Profile::Zip215);
    for (public_key, signature) in &signed {
        batch.add(public_key, signature, b"a message");
    }
    let report = batch.verify();
    println!("bad entries: {:?}", report.invalid().collect::<Vec<_>>());
    assert_eq!(report.first_invalid(), Some(7));
    assert_eq!(results.iter().position(Result::is_err), Some(7));
    Ok(())
}
