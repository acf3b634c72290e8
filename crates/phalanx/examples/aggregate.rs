//! Four keys sign one message; one proof says that they did: `cargo run --release -p phalanx --features aggregate --example aggregate`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::aggregate::{Limits, Profile, Statement, aggregate, verify};
use phalanx::xmss::blake2s::{Signature, SigningKey};
use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Keys over BLAKE2s, of one epoch each. Real seeds come from the operating system.
    let epoch = 7;
    let message = [1; 32];
    let mut keys = (0..4)
        .map(|n| SigningKey::from_seed(&[n; 32], u64::from(epoch)..u64::from(epoch) + 1))
        .collect::<Result<Vec<_>, _>>()?;
    let about = |keys: &[SigningKey], message| {
        Statement::of(&keys.iter().map(|key| (key.verifying_key(), epoch, message)).collect::<Vec<_>>())
    };

    // The statement sorts its keys; signatures are given in its order.
    let statement = about(&keys, message)?;
    let mut signed: BTreeMap<[u8; 32], Signature> = BTreeMap::new();
    for key in &mut keys {
        signed.insert(key.verifying_key().to_bytes(), key.sign(epoch, &message)?);
    }
    let signatures: Vec<_> = signed.into_values().collect();
    let proof = aggregate(Profile::Provable128, &statement, &signatures, b"")?;

    // The verifier says which profiles it takes, and about how many signatures.
    let limits = Limits::new(&[Profile::Provable128]).with_signatures(4);
    verify(&limits, &statement, b"", &proof)?;
    println!("{} signatures verify by one proof of {} bytes", signatures.len(), proof.len());

    // Of another message the same proof says nothing.
    match verify(&limits, &about(&keys, [2; 32])?, b"", &proof) {
        Ok(()) => return Err("a proof verifies for another message".into()),
        Err(error) => println!("of another message: {error}"),
    }
    Ok(())
}
