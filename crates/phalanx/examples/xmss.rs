//! Generate a key, sign, send bytes, verify: `cargo run --release -p phalanx --example xmss`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::xmss::{
    Error, Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A small key: 256 epochs. Real seeds come from the operating system.
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    let mut key = SigningKey::from_seed(set, &[42; 32], 0..256)?;
    println!("{set}: active in epochs {:?}", key.activation_interval());

    // An epoch signs one message.
    let message = [1; 32];
    let signature = key.sign(17, &message)?;
    assert_eq!(key.sign(17, &[2; 32]), Err(Error::EpochUsed { epoch: 17 }));

    // What travels is bytes; both sides name the parameter set and the format.
    let (key_bytes, signature_bytes) =
        (key.verifying_key().to_bytes(Format::Ssz), signature.to_bytes(Format::Ssz));
    println!("public key {} bytes, signature {} bytes", key_bytes.len(), signature_bytes.len());
    let received_key = VerifyingKey::from_bytes(set, Format::Ssz, &key_bytes)?;
    let received = Signature::from_bytes(set, Format::Ssz, &signature_bytes)?;
    received_key.verify(17, &message, &received)?;

    // Many at once, a verdict for each: lanes run across signatures.
    let signatures: Vec<_> = (0..32).map(|e| key.sign(100 + e, &message)).collect::<Result<_, _>>()?;
    let claims: Vec<_> = (100..)
        .zip(&signatures)
        .map(|(epoch, signature)| SignedMessage { key: &received_key, epoch, message: &message, signature })
        .collect();
    let verdicts = verify_many(&claims);
    println!("{} of {} verify", verdicts.iter().filter(|v| v.is_ok()).count(), verdicts.len());
    assert!(verdicts.iter().all(Result::is_ok));
    Ok(())
}
