//! The strings and keys of suite `ligerito-v1-provable100`, and the hashes they make.

use crate::hashes::blake3::{self, Digest, Mode};
use crate::simd::Level;

/// The suite of the registered shapes.
pub const SUITE: &str = "ligerito-v1-provable100";
/// The suite of all other shapes.
pub(super) const TEST_SUITE: &str = "ligerito-v1-test-insecure";

const LEAF_CONTEXT: &str = "ligerito-v1-provable100 merkle leaf";
/// How leaves are hashed.
pub(super) const LEAF: Mode = Mode::derive_key([
    0x9992_6d57,
    0x3a24_61b8,
    0x802a_aeca,
    0xfd1a_7253,
    0x2d24_9955,
    0x94e8_e301,
    0x1943_6540,
    0xb63a_085e,
]);
/// How nodes are hashed.
pub(super) const NODE: Mode = Mode::derive_key([
    0x6ca0_1a0c,
    0x2c5b_6558,
    0x0ad6_23b0,
    0x0d56_136c,
    0x3761_136f,
    0x01e9_ef18,
    0x3288_fbdf,
    0x7172_7de0,
]);
pub(super) const TRANSCRIPT_CONTEXT: &str = "ligerito-v1-provable100 transcript";
const POW_CONTEXT: &str = "ligerito-v1-provable100 pow";
/// How nonces are hashed.
const WORK: Mode = Mode::derive_key([
    0xe0c2_2b13,
    0x77d3_1d99,
    0xb687_eccf,
    0xb60e_546f,
    0xccfa_7bc7,
    0xa099_e33e,
    0x10a3_421b,
    0x5047_a7e5,
]);

/// The leaf of a row given as bytes.
pub(super) fn leaf_of_bytes(row: &[u8]) -> Digest {
    if row.len() <= blake3::MAX_LEN_BYTES {
        blake3::digest(&LEAF, row)
    } else {
        ::blake3::derive_key(LEAF_CONTEXT, row)
    }
}

/// The parent of two nodes.
pub(super) fn parent(left: &Digest, right: &Digest) -> Digest {
    blake3::digest(&NODE, [*left, *right].as_flattened())
}

/// What a nonce hashes to.
pub(super) fn work(seed: &[u8; 32], nonce: u64) -> u64 {
    let mut hasher = ::blake3::Hasher::new_derive_key(POW_CONTEXT);
    let mut first = [0; 8];
    hasher.update(seed).update(&nonce.to_le_bytes()).finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Whether the proof of work of `bits` bits is done by `nonce`.
pub(super) fn work_is_done(seed: &[u8; 32], nonce: u64, bits: u8) -> bool {
    work(seed, nonce) & ((1 << bits) - 1) == 0
}

/// The smallest nonce that does the work.
pub(super) fn grind(level: Level, seed: &[u8; 32], bits: u8) -> u64 {
    blake3::smallest_nonce(level, &WORK, seed, (1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_contexts() {
        for (context, mode) in
            [(LEAF_CONTEXT, LEAF), ("ligerito-v1-provable100 merkle node", NODE), (POW_CONTEXT, WORK)]
        {
            let bytes = ::blake3::hazmat::hash_derive_key_context(context);
            assert_eq!(bytes, mode.chaining.map(u32::to_le_bytes).as_flattened(), "{context}");
        }
    }

    #[test]
    fn hashes_of_the_vectors() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/ligerito-own/basics.json");
        let text = std::fs::read_to_string(path).expect("the vectors are there");
        let case = &serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["hash"];
        let bytes = |key: &str| hex::decode(case[key].as_str().expect("a string")).expect("digits");
        let mut row = bytes("row");
        let leaf = leaf_of_bytes(&row);
        assert_eq!(leaf[..], bytes("leaf"));
        row.reverse();
        let reversed = leaf_of_bytes(&row);
        assert_eq!(reversed[..], bytes("leaf_reversed_row"));
        assert_eq!(parent(&leaf, &reversed)[..], bytes("node"));
        let seed: [u8; 32] = bytes("pow_seed").try_into().expect("32 bytes");
        let wanted = u64::from_str_radix(case["pow_u64"].as_str().expect("a string"), 16).expect("digits");
        let nonce = case["pow_nonce"].as_u64().expect("a number");
        for bits in 0..=32 {
            assert_eq!(
                work_is_done(&seed, nonce, bits),
                wanted.trailing_zeros() >= u32::from(bits),
                "{bits} bits"
            );
        }
    }
}
