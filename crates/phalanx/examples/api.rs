//! The shape that verbs have in all schemes (docs/api.md): `cargo run --release -p phalanx --example api`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::{Inline, InvalidSignature, Pool, ed25519, ligerito, rescue, xmss};

/// One result for each signature, in their order.
type Results = Vec<Result<(), InvalidSignature>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A pool comes first, and only to verbs that end in `_on`. This one has no threads: `Threads` has some.
    let pool: &dyn Pool = &Inline;
    signatures(pool)?;
    epochs(pool)?;
    hashes(pool)?;
    commitments(pool)
}

fn signatures(pool: &dyn Pool) -> Result<(), Box<dyn std::error::Error>> {
    use ed25519::{Profile, SignedMessage, SigningKey, sign_many, sign_many_on, verify_many, verify_many_on};
    let key = SigningKey::from_seed(&[7; 32]);
    let messages: [&[u8]; 2] = [b"one", b"two"];
    let signatures = sign_many(&[&key, &key], &messages)?;
    assert_eq!(signatures, sign_many_on(pool, &[&key, &key], &messages)?);

    let public_key = key.verifying_key().to_bytes();
    let signed = |i: usize| SignedMessage {
        public_key: &public_key,
        message: messages[i],
        signature: signatures[i].as_ref(),
    };
    let results: Results = verify_many(Profile::Strict, &[signed(0), signed(1)]);
    assert_eq!(results, verify_many_on(pool, Profile::Strict, &[signed(0), signed(1)]));
    ed25519::verify_batch_on(pool, Profile::Zip215, &[signed(0), signed(1)])?;
    println!("ed25519: {results:?}");
    Ok(())
}

fn epochs(pool: &dyn Pool) -> Result<(), Box<dyn std::error::Error>> {
    use xmss::{ParameterSet, SignedMessage, SigningKey, verify_many, verify_many_on};
    let mut key = SigningKey::from_seed_on(pool, ParameterSet::POSEIDON2_L8_D64B8, &[7; 32], 0..256)?;
    let (message, verifying_key) = ([1; 32], key.verifying_key());
    let signature = key.sign(3, &message)?;

    let signed =
        |epoch| SignedMessage { key: &verifying_key, epoch, message: &message, signature: &signature };
    let results: Results = verify_many(&[signed(3), signed(4)]);
    assert_eq!(results, verify_many_on(pool, &[signed(3), signed(4)]));
    println!("xmss: {results:?}");
    Ok(())
}

fn hashes(pool: &dyn Pool) -> Result<(), Box<dyn std::error::Error>> {
    use rescue::{Function, MerkleTree};
    let rescue = Function::Rp64_256;
    let inputs: [&[u8]; 2] = [b"one", b"two"];
    let leaves = rescue.hash_many(&inputs)?;
    assert_eq!(leaves, rescue.hash_many_on(pool, &inputs)?);

    let tree = MerkleTree::new_on(pool, rescue, leaves)?;
    let (leaf, path) = tree.open(1)?;
    MerkleTree::verify(rescue, &tree.root(), tree.log2_leaves(), 1, &leaf, &path)?;
    println!("rescue: {}", tree.root());
    Ok(())
}

fn commitments(pool: &dyn Pool) -> Result<(), Box<dyn std::error::Error>> {
    use ligerito::{Accepted, EvaluationClaim, Gf128, Preset, commit_on, verify};
    let polynomial = vec![5; 1 << 10];
    let (commitment, data) = commit_on(pool, Preset::Balanced, &polynomial)?;
    let point = [Gf128(3); 10];
    let opening = data.open_on(pool, &[&point], b"context")?;

    let accepted = Accepted::exactly(Preset::Balanced, 10);
    let claim = EvaluationClaim { point: &point, value: opening.values[0] };
    verify(&accepted, &commitment, &[claim], &opening.proof, b"context")?;
    println!("ligerito: a proof of {} bytes", opening.proof.len());
    Ok(())
}
