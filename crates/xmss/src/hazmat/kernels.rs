//! The permutations, as bare as the engines run them.

use crate::fields::koala_bear::KoalaBear;
use crate::hashes::keccak;
use crate::hashes::poseidon::{Engine, MAX_LANES, constants as c, with_engine};
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

pub use crate::poseidon::{Permutation, poseidon2_constants};

/// Applies the permutation of width 16 `times` times to every state.
pub fn permute_16(permutation: Permutation, states: &mut [[u32; 16]], times: usize) {
    let version = permutation.into();
    with_engine!(Isa::current(), engine => in_lanes(engine, states, |engine, state| {
        for _ in 0..times {
            engine.permute16(version, state);
        }
    }));
}

/// Applies the permutation of width 24 `times` times to every state.
pub fn permute_24(permutation: Permutation, states: &mut [[u32; 24]], times: usize) {
    let version = permutation.into();
    with_engine!(Isa::current(), engine => in_lanes(engine, states, |engine, state| {
        for _ in 0..times {
            engine.permute24(version, state);
        }
    }));
}

/// The first eight words of `permute(input) + input`, width 16, for every input (spec section 3.3).
#[must_use]
pub fn compress_16(permutation: Permutation, inputs: &[[u32; 16]]) -> Vec<[u32; 8]> {
    let version = permutation.into();
    let mut states = inputs.to_vec();
    with_engine!(Isa::current(), engine => in_lanes(engine, &mut states, |engine, state| {
        let output = engine.compress16(version, state);
        state[..8].copy_from_slice(&output);
    }));
    states.iter().map(|state| core::array::from_fn(|i| state[i])).collect()
}

/// The first fifteen words of `permute(input) + input`, width 24, for every input.
#[must_use]
pub fn compress_24(permutation: Permutation, inputs: &[[u32; 24]]) -> Vec<[u32; 15]> {
    let version = permutation.into();
    let mut states = inputs.to_vec();
    with_engine!(Isa::current(), engine => in_lanes(engine, &mut states, |engine, state| {
        let input = *state;
        engine.permute24(version, state);
        for (word, before) in state.iter_mut().zip(&input) {
            *word = engine.add(word, before);
        }
    }));
    states.iter().map(|state| core::array::from_fn(|i| state[i])).collect()
}

/// Applies `Keccak-f[1600]` `times` times to every state, eight side by side; states left over share one group with
/// idle lanes.
pub fn keccak_f1600(states: &mut [[u64; 25]], times: usize) {
    let isa = Isa::current();
    for group in states.chunks_mut(8) {
        let mut lanes = [[0u64; 8]; 25];
        for (lane, state) in group.iter().enumerate() {
            for (words, &word) in lanes.iter_mut().zip(state) {
                words[lane] = word;
            }
        }
        for _ in 0..times {
            keccak::permute8(isa, &mut lanes);
        }
        for (lane, state) in group.iter_mut().enumerate() {
            for (word, words) in state.iter_mut().zip(&lanes) {
                *word = words[lane];
            }
        }
    }
}

/// The built-in numbers of Poseidon1 at `width` 16 or 24, flattened: constants of all rounds, and the first row of the
/// matrix.
#[must_use]
pub fn poseidon1_constants(width: usize) -> Option<[&'static [u32]; 2]> {
    match width {
        16 => Some([c::P1_ROUNDS_16.as_flattened(), &c::P1_MDS_16]),
        24 => Some([c::P1_ROUNDS_24.as_flattened(), &c::P1_MDS_24]),
        _ => None,
    }
}

/// Loads `states` into lanes, group by group, and stores what `act` makes of them. Idle lanes hold zeros.
fn in_lanes<E: Engine, const N: usize>(
    engine: E,
    states: &mut [[u32; N]],
    act: impl Fn(E, &mut [E::Word; N]),
) {
    for group in states.chunks_mut(E::LANES) {
        let mut column = [KoalaBear::ZERO; MAX_LANES];
        let mut words: [E::Word; N] = core::array::from_fn(|i| {
            for (x, state) in column.iter_mut().zip(group.iter()) {
                *x = KoalaBear::new(state[i]);
            }
            engine.load(&column[..E::LANES])
        });
        act(engine, &mut words);
        for (i, word) in words.iter().enumerate() {
            engine.store(word, &mut column[..E::LANES]);
            for (x, state) in column.iter().zip(group.iter_mut()) {
                state[i] = x.canonical();
            }
        }
    }
}
