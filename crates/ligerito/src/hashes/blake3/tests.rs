use super::*;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_testing::isas;

const CONTEXT: &str = "phalanx tests of one chunk";

/// The mode of a context: its key as the compression function sees it is the digest of the context string, as words.
fn mode_of(context: &str) -> Mode {
    let bytes = blake3::hazmat::hash_derive_key_context(context);
    let mut key = [0; 8];
    for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    Mode::derive_key(key)
}

/// Bytes without a pattern, of which some are edges.
fn noise(len: usize) -> Vec<u8> {
    let mut random = phalanx_testing::Random::from_seed(1);
    (0..len).map(|i| if i % 97 < 9 { 0xff } else { random.u8() }).collect()
}

#[test]
fn every_length_agrees_with_the_crate() {
    let mode = mode_of(CONTEXT);
    let bytes = noise(MAX_LEN_BYTES);
    for len in 0..=MAX_LEN_BYTES {
        assert_eq!(digest(&mode, &bytes[..len]), blake3::derive_key(CONTEXT, &bytes[..len]), "{len} bytes");
        assert_eq!(digest(&Mode::UNKEYED, &bytes[..len]), *blake3::hash(&bytes[..len]).as_bytes(), "{len}");
    }
}

#[test]
fn parents_are_digests_of_pairs() {
    let bytes = noise(2 * 70 * 32);
    for isa in isas() {
        for pairs in 0..=70 {
            let nodes = &bytes.as_chunks::<32>().0[..2 * pairs];
            let (mut keyed, mut unkeyed) = (vec![[0; 32]; pairs], vec![[0; 32]; pairs]);
            parents(isa, &mode_of(CONTEXT), nodes, &mut keyed);
            parents(isa, &Mode::UNKEYED, nodes, &mut unkeyed);
            for i in 0..pairs {
                let pair = nodes[2 * i..2 * i + 2].as_flattened();
                let place = (isa.backend(), pairs, i);
                assert_eq!(keyed[i], blake3::derive_key(CONTEXT, pair), "{place:?}");
                assert_eq!(unkeyed[i], *blake3::hash(pair).as_bytes(), "{place:?}");
            }
        }
    }
}

/// The root of the tree over rows by the crate alone.
fn root(rows: &[&[u8]]) -> Digest {
    match rows {
        [row] => blake3::derive_key("phalanx tests of leaves", row),
        _ => {
            let (left, right) = rows.split_at(rows.len() / 2);
            blake3::derive_key(CONTEXT, [root(left), root(right)].as_flattened())
        }
    }
}

fn check_rows(counts: impl Iterator<Item = usize> + Clone, heights: &[usize], lengths: &[usize]) {
    let (leaf, node) = (mode_of("phalanx tests of leaves"), mode_of(CONTEXT));
    for &len in lengths {
        for &height in heights {
            for count in counts.clone() {
                let bytes = noise((count << height) * len);
                let rows: Vec<_> = bytes.chunks_exact(len).collect();
                let wanted: Vec<_> = rows.chunks_exact(1 << height).map(root).collect();
                for isa in isas() {
                    let mut got = vec![[0; 32]; count];
                    hash_rows(isa, &leaf, &node, &bytes, len, height, &mut got);
                    let backend = isa.backend();
                    assert_eq!(got, wanted, "{backend:?}, {count} nodes of height {height}, {len} bytes");
                }
            }
        }
    }
}

#[test]
fn rows_of_every_length() {
    let lengths: Vec<_> = (4..=MAX_LEN_BYTES).step_by(4).collect();
    check_rows([1, 17, 33].into_iter(), &[0], &lengths);
    // No whole words: the portable code does it on every backend.
    check_rows([3].into_iter(), &[0, 1], &[1, 2, 3, 63, 65, 1023]);
}

#[test]
fn nodes_of_every_count() {
    check_rows(0..=70, &[0, 1], &[64, 68]);
    check_rows(0..=33, &[2, 3, 4], &[8, 64]);
}

#[test]
fn nodes_of_every_height() {
    check_rows([0, 1, 2, 3, 8, 15, 16, 17].into_iter(), &[0, 1, 2, 3, 4, 5, 6, 7, 8], &[16]);
}

#[test]
#[should_panic(expected = "2^height rows for every node")]
fn a_row_too_many() {
    hash_rows(Isa::current(), &Mode::UNKEYED, &Mode::UNKEYED, &[0; 3 * 64], 64, 0, &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "one chunk")]
fn a_row_too_long() {
    hash_rows(Isa::current(), &Mode::UNKEYED, &Mode::UNKEYED, &[0; 1028], 1028, 0, &mut [[0; 32]; 1]);
}

#[test]
fn the_smallest_nonce() {
    let mode = mode_of(CONTEXT);
    for seed in 0..20 {
        for mask in [0, 1, 0x1f, 0x1ff, 0xc000_0000_0000_0001] {
            let seed = [seed; 32];
            let does_it = |nonce: &u64| {
                let mut input = seed.to_vec();
                input.extend(nonce.to_le_bytes());
                let digest = blake3::derive_key(CONTEXT, &input);
                u64::from_le_bytes(*digest.first_chunk().expect("32 bytes")) & mask == 0
            };
            let wanted = (0..).find(does_it).expect("soon");
            for isa in isas() {
                let within = |nonces| smallest_nonce(isa, &mode, &seed, mask, nonces);
                assert_eq!(within(0..u64::MAX), Some(wanted), "{:?}", isa.backend());
                assert_eq!(within(wanted..wanted + 1), Some(wanted), "{:?}", isa.backend());
                assert_eq!(within(0..wanted), None, "{:?}", isa.backend());
                let next = (wanted + 1..).find(does_it).filter(|next| next - wanted < 1000);
                assert_eq!(within(wanted + 1..wanted + 1000), next, "{:?}", isa.backend());
            }
        }
    }
}
