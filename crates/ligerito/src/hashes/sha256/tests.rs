use super::*;
use alloc::vec;
use alloc::vec::Vec;
use sha2::{Digest as _, Sha256};

/// Bytes without a pattern, of which some are edges.
fn noise(len: usize) -> Vec<u8> {
    let mut random = phalanx_testing::Random::from_seed(1);
    (0..len).map(|i| if i % 89 < 7 { 0xff } else { random.u8() }).collect()
}

/// The root of the tree over rows by the crates alone.
fn root(prefix: u32, rows: &[&[u8]]) -> Digest {
    let children = match rows {
        [row] => Sha256::digest([&prefix.to_le_bytes(), *row].concat()).to_vec(),
        _ => {
            let (left, right) = rows.split_at(rows.len() / 2);
            [root(prefix, left), root(prefix, right)].concat()
        }
    };
    *::blake3::hash(&children).as_bytes()
}

fn check_rows(counts: impl Iterator<Item = usize> + Clone, heights: &[usize], lengths: &[usize]) {
    for &len in lengths {
        // The crate's prefix is the number of elements; any other is as good here.
        let prefix = u32::try_from(len * 0x0123_4567 % 0xffff_fffb).expect("32 bits");
        for &height in heights {
            for count in counts.clone() {
                let bytes = noise((count << height) * len);
                let rows: Vec<_> = bytes.chunks_exact(len).collect();
                let wanted: Vec<_> = rows.chunks_exact(1 << height).map(|rows| root(prefix, rows)).collect();
                for isa in phalanx_testing::isas() {
                    let mut got = vec![[0; 32]; count];
                    hash_rows(isa, prefix, &bytes, len, height, &mut got);
                    let backend = isa.backend();
                    assert_eq!(got, wanted, "{backend:?}, {count} nodes of height {height}, {len} bytes");
                }
            }
        }
    }
}

#[test]
fn rows_of_every_length() {
    let lengths: Vec<_> = (4..=1024).step_by(4).chain([2048, 4096]).collect();
    check_rows([1, 17, 33].into_iter(), &[0], &lengths);
    // No whole words: the portable code does it on every backend.
    check_rows([3].into_iter(), &[0, 1], &[1, 2, 3, 55, 63, 65]);
}

#[test]
fn nodes_of_every_count() {
    check_rows(0..=70, &[0, 1], &[64]);
    check_rows(0..=33, &[2, 3, 4], &[64]);
}

#[test]
fn nodes_of_every_height() {
    check_rows([0, 1, 2, 3, 8, 15, 16, 17].into_iter(), &[0, 1, 2, 3, 4, 5, 6, 7, 8], &[16]);
}

#[test]
#[should_panic(expected = "2^height rows for every node")]
fn a_row_too_many() {
    hash_rows(Isa::current(), 16, &[0; 3 * 64], 64, 0, &mut [[0; 32]; 2]);
}
