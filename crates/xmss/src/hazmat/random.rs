//! Seeded randomness, and the rounding of activation intervals.

use super::values::{family, words};
use crate::fields::koala_bear::KoalaBear;
use crate::keygen;
use crate::padding::Padding;
use crate::parameters::ParameterSet;
use crate::window::Trees;
use alloc::vec::Vec;
use chacha20::ChaCha12Rng;
use core::ops::Range;
use rand_core::{Rng, SeedableRng};

/// The first `count` words of ChaCha12 on `seed` (spec section 5).
#[must_use]
pub fn random_words(seed: &[u8; 32], count: usize) -> Vec<u32> {
    let mut rng = ChaCha12Rng::from_seed(*seed);
    (0..count).map(|_| rng.next_u32()).collect()
}

/// The first `count` random field elements of ChaCha12 on `seed`, canonical.
#[must_use]
pub fn random_elements(seed: &[u8; 32], count: usize) -> Vec<u32> {
    let mut rng = ChaCha12Rng::from_seed(*seed);
    let element = |_| KoalaBear::from_reduced_montgomery(crate::family::random_element(&mut rng)).canonical();
    (0..count).map(element).collect()
}

/// The 32-byte seed that Rust's `seed_from_u64` makes of `x`.
#[must_use]
pub fn seed_from_u64(x: u64) -> [u8; 32] {
    /// Keeps the seed it is given.
    struct Keep([u8; 32]);
    impl SeedableRng for Keep {
        type Seed = [u8; 32];
        fn from_seed(seed: [u8; 32]) -> Self {
            Self(seed)
        }
    }
    Keep::seed_from_u64(x).0
}

/// What key generation draws from ChaCha12 on `seed`, in this order: the parameter, the PRF key, and then `nodes` nodes
/// of padding.
#[must_use]
pub fn draw_key_material(
    set: ParameterSet,
    seed: &[u8; 32],
    nodes: usize,
) -> ([u32; 5], [u8; 32], Vec<Vec<u32>>) {
    let mut rng = ChaCha12Rng::from_seed(*seed);
    let (parameter, prf_key) = keygen::draw_secrets(set.parameters(), &mut rng);
    let parameter = words(&parameter, 5);
    let nodes = draw_nodes(set, &mut rng, nodes);
    (core::array::from_fn(|i| parameter[i]), *prf_key.bytes(), nodes)
}

/// `count` random nodes, drawn as the padding of a tree draws them.
fn draw_nodes(set: ParameterSet, rng: &mut dyn Rng, count: usize) -> Vec<Vec<u32>> {
    // A tree over one node at position 0 is padded at the back on every level: one node a layer.
    let height = u8::try_from(count).expect("few nodes");
    let drawn = Padding::draw(family(set), rng, 0, 1, height);
    drawn.into_nodes().take(count).map(|node| words(&node, set.hash_len())).collect()
}

/// The bottom trees that a key of lifetime `2^log2_lifetime` covers `count` epochs from `start` with. The epochs must
/// lie inside the lifetime.
#[must_use]
pub fn activation_rounding(log2_lifetime: u8, start: u64, count: u64) -> Range<u64> {
    let Trees { first, end } = Trees::rounded(log2_lifetime, start, count);
    first..end
}
