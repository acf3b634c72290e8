//! Statements with their signatures, made by the reference.

use phalanx_aggregate::Statement;
use phalanx_reference::xmss_blake2s::{Profile, SecretKey, blake2s, sign};
use phalanx_xmss::blake2s::{ParameterSet, Signature, VerifyingKey};
use std::fs;
use std::path::PathBuf;

/// A file of `vectors/aggregate`.
pub(crate) fn file(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/aggregate").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// BLAKE2s, in hex.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex::encode(blake2s(&[], bytes))
}

/// A statement with signatures in its order, by keys of one epoch: seed, epoch and message of each.
pub(crate) fn signed(signers: &[([u8; 32], u32, [u8; 32])]) -> (Statement, Vec<Signature>) {
    let set = ParameterSet::L32_D42B8;
    let mut signed: Vec<_> = signers
        .iter()
        .map(|(seed, epoch, message)| {
            let key = SecretKey::new(Profile::B, seed, *epoch, *epoch).expect("one epoch");
            let (signature, _) = sign(&key, *epoch, message).expect("its epoch");
            let signature = Signature::from_bytes(set, &signature.to_bytes()).expect("1208 bytes");
            (*epoch, *message, key.public_key().to_bytes(), signature)
        })
        .collect();
    signed.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    let key = |bytes: &[u8]| VerifyingKey::from_bytes(set, bytes).expect("32 bytes");
    let signers: Vec<_> =
        signed.iter().map(|(epoch, message, bytes, _)| (key(bytes), *epoch, *message)).collect();
    let statement = Statement::of(&signers).expect("different keys");
    (statement, signed.into_iter().map(|(.., signature)| signature).collect())
}

/// The published statement of one signature.
pub(crate) fn one() -> (Statement, Vec<Signature>) {
    let counting = |first: u8| std::array::from_fn(|i| first + u8::try_from(i).expect("small"));
    signed(&[(counting(0), 0x89ab_cdef, counting(100))])
}

/// The statement of three signatures in two groups (specification, section 10).
pub(crate) fn three() -> (Statement, Vec<Signature>) {
    signed(&[([1; 32], 6, [b'a'; 32]), ([2; 32], 6, [b'a'; 32]), ([3; 32], 7, [b'b'; 32])])
}
