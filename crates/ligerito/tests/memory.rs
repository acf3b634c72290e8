//! Ligerito's prover in memory: what it holds at its peak, beside the level-1 matrix and the caller's polynomial.
//!
//! This binary has an allocator of its own, which counts.
#![cfg(feature = "parallel")]

use phalanx_ligerito::Threads;
use phalanx_ligerito::{self as ligerito, Gf128, Preset, Shape, provable128, ref_v08};
use phalanx_testing::memory::{Counting, held, peak};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes of the level-1 matrix over GF(2^32) and of the polynomial.
fn matrix_and_input(variables: u8, log2_inverse_rate: u8) -> usize {
    (4 << variables) + (4 << (variables + log2_inverse_rate))
}

fn rate(shape: Option<Shape>) -> u8 {
    shape.expect("registered").levels()[0].log2_inverse_rate
}

/// A commitment to a polynomial that nobody holds, of each number of blocks: at most the bytes that it was allowed, and no small
/// part of them.
fn streamed_takes_what_it_is_allowed() {
    const VARIABLES: u8 = 24;
    let read = |first: u64, words: &mut [u32]| {
        words.iter_mut().zip(first..).for_each(|(word, i)| *word = !u32::try_from(i).expect("few words"));
        Ok::<(), ()>(())
    };
    let shape = Preset::Balanced.shape(VARIABLES).expect("registered");
    let (most, _) = shape.streaming_memory_bytes();
    let level = shape.levels()[0];
    let mut roots = Vec::new();
    for log2_blocks in [0, 1, 2, 3] {
        // Of 8.25 words for a word of a block, and the rest.
        let rest = (4 << (level.log2_message + level.log2_inverse_rate)) + (24 << 20);
        let allowed = (most - rest) / (1 << log2_blocks) + rest;
        for threads in [1, 2] {
            let pool = Threads::new(threads);
            let bytes = peak(|| {
                let progress = |_, _| ();
                let got = ligerito::commit_streamed_on(
                    &pool,
                    Preset::Balanced,
                    VARIABLES,
                    allowed,
                    read,
                    &progress,
                );
                roots.push(got.expect("it is read"));
            });
            assert!(bytes as u64 <= allowed, "{bytes} of {allowed} bytes");
            assert!(bytes as u64 >= allowed - rest, "{bytes} bytes hold no two blocks: {allowed}");
        }
    }
    assert!(roots.iter().all(|root| *root == roots[0]));
}

/// Commitment, one opening and what belongs to them take at most a tenth more than matrix and input. One test: the
/// count is the whole process's.
#[test]
fn prover_takes_a_tenth_more_than_matrix_and_input() {
    const VARIABLES: u8 = 20;
    streamed_takes_what_it_is_allowed();
    let polynomial: Vec<u32> = (0..1u32 << VARIABLES).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let point: Vec<Gf128> = (1..=u128::from(VARIABLES)).map(|i| Gf128(i << 100 | 1 << i | i)).collect();
    let large_point: Vec<_> =
        (1..=u64::from(VARIABLES)).map(|i| provable128::Gf192([1 << i | i, i, 1 << 63])).collect();
    let before = held();
    assert!(before >= 4 << VARIABLES, "the polynomial is counted: {before}");
    for threads in [1, 2] {
        let pool = Threads::new(threads);
        let within_bounds = |name: &str, log2_inverse_rate: u8, work: &dyn Fn()| {
            let (bytes, least) = (peak(work), matrix_and_input(VARIABLES, log2_inverse_rate));
            assert!(bytes >= least, "{name}: {bytes} bytes cannot hold matrix and input of {least}");
            assert!(bytes <= least / 10 * 11, "{name}, threads {threads}: {bytes} bytes beside {least}");
        };
        for profile in [Preset::Balanced, Preset::Compact] {
            within_bounds(profile.name(), rate(profile.shape(VARIABLES)), &|| {
                let (_, data) = ligerito::commit_on(&pool, profile, &polynomial).expect("registered");
                data.open_on(&pool, &[&point], b"memory").expect("a point of this size");
            });
        }
        let profile = provable128::Preset::Balanced;
        within_bounds("128 bits", rate(profile.shape(VARIABLES)), &|| {
            let (_, data) = provable128::commit_on(&pool, profile, &polynomial).expect("registered");
            data.open_on(&pool, &[&large_point], b"memory").expect("a point of this size");
        });
        let config = ref_v08::Config::published(VARIABLES).expect("published");
        within_bounds("REF", config.log2_inverse_rate(), &|| {
            ref_v08::prove_on(&pool, &config, ref_v08::TranscriptKind::Sha256, &polynomial, &[])
                .expect("a polynomial of this size");
        });
    }
}
