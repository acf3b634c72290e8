use super::*;
use alloc::vec::Vec;

const CONTEXT: &str = "phalanx tests of one chunk";

/// The context key as the compression function sees it: the digest of the context string, as words.
fn key() -> ContextKey {
    let bytes = blake3::hazmat::hash_derive_key_context(CONTEXT);
    let mut key = [0; 8];
    for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    key
}

#[test]
fn every_length_agrees_with_the_crate() {
    let key = key();
    let bytes: Vec<u8> = (0..MAX_LEN_BYTES).map(|i| u8::try_from(i * i % 251).expect("below 251")).collect();
    for len in 0..=MAX_LEN_BYTES {
        assert_eq!(digest(&key, &bytes[..len]), blake3::derive_key(CONTEXT, &bytes[..len]), "{len} bytes");
    }
}

#[test]
fn parents_are_digests_of_pairs() {
    let key = key();
    for pairs in [0, 1, 7, 8, 15, 16, 17, 33] {
        let nodes: Vec<Digest> = (0..2 * pairs).map(|i: u8| [i; 32]).collect();
        let mut out = alloc::vec![[0; 32]; usize::from(pairs)];
        parents(Level::current(), &key, &nodes, &mut out);
        for (i, parent) in out.iter().enumerate() {
            assert_eq!(*parent, digest(&key, nodes[2 * i..2 * i + 2].as_flattened()));
        }
    }
}
