use super::*;
use crate::simd::Backend;
use alloc::vec::Vec;
use sha2::Digest;

/// Bytes of which no block is like another.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 167 + (i >> 8) * 59 + 7).to_le_bytes()[0]).collect()
}

#[test]
fn every_length_and_cut_agrees_with_the_crate() {
    let bytes = pattern(300);
    for isa in Backend::ALL.into_iter().filter_map(Isa::of) {
        for len in 0..=bytes.len() {
            let wanted: [u8; 32] = sha2::Sha256::digest(&bytes[..len]).into();
            for cut in [0, len / 3, len / 2, len.saturating_sub(1)] {
                let mut hasher = Sha256::new(isa);
                hasher.update(&bytes[..cut]);
                hasher.update(&bytes[cut..len]);
                assert_eq!(hasher.finalize(), wanted, "{len} bytes cut at {cut} on {:?}", isa.backend());
            }
        }
    }
}

#[test]
fn many_blocks_at_once() {
    let bytes = pattern(100_000);
    let wanted: [u8; 32] = sha2::Sha256::digest(&bytes).into();
    for isa in Backend::ALL.into_iter().filter_map(Isa::of) {
        let mut hasher = Sha256::new(isa);
        hasher.update(&bytes);
        assert_eq!(hasher.finalize(), wanted, "{:?}", isa.backend());
    }
    assert_eq!(digest(&[&bytes[..1], &bytes[1..]]), wanted);
}

/// The CPU's own instructions are taken where it has them: else the tests above compare the portable code with itself.
#[test]
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn the_witness_is_found() {
    let best = Isa::of(Backend::Avx2).is_some_and(|isa| isa.sha().is_some());
    let cpu = std::arch::is_x86_feature_detected!("sha") && std::arch::is_x86_feature_detected!("avx2");
    assert_eq!(best, cpu && Isa::of(Backend::Avx2).is_some());
    assert!(Isa::PORTABLE.sha().is_none());
}
