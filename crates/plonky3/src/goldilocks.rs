//! RPO over Goldilocks, under the same traits.
#![forbid(unsafe_code)]

use crate::sponge::{PackedCompression, PackedSponge, message_len};
use crate::words::words64_mut;
use alloc::vec::Vec;
use p3_field::PackedValue;
use p3_goldilocks::Goldilocks;
use p3_symmetric::{CryptographicHasher, CryptographicPermutation, Permutation, PseudoCompressionFunction};
use phalanx_rescue::Function;

const WIDTH: usize = 12;
const RATE: usize = 8;
const DIGEST: usize = 4;

/// States in a call, which are some vectors on every backend. Plonky3 hands over multiples of it.
const LANES: usize = 48;

type State = [Goldilocks; WIDTH];
type Digest = [Goldilocks; DIGEST];

/// `p3_rescue::RpoGoldilocks`, with lanes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RpoWidth12;

fn permute_many(states: &mut [State]) {
    Function::Rpo256.permute(words64_mut(states.as_flattened_mut())).expect("whole states");
}

impl<A: PackedValue<Value = Goldilocks>> Permutation<[A; WIDTH]> for RpoWidth12 {
    fn permute_mut(&self, packed: &mut [A; WIDTH]) {
        if A::WIDTH == 1 {
            let mut state = packed.map(|element| element.extract(0));
            permute_many(core::slice::from_mut(&mut state));
            *packed = state.map(A::broadcast);
            return;
        }
        let mut states: Vec<State> =
            (0..A::WIDTH).map(|lane| packed.map(|column| column.extract(lane))).collect();
        permute_many(&mut states);
        for (i, column) in packed.iter_mut().enumerate() {
            *column = A::from_fn(|lane| states[lane][i]);
        }
    }
}

impl<A: PackedValue<Value = Goldilocks>> CryptographicPermutation<[A; WIDTH]> for RpoWidth12 {}

/// `PaddingFreeSponge<RpoGoldilocks, 12, 8, 4>` of Plonky3.
impl CryptographicHasher<Goldilocks, Digest> for PackedSponge<RpoWidth12> {
    const LANES: usize = LANES;

    fn hash_iter<I: IntoIterator<Item = Goldilocks>>(&self, input: I) -> Digest {
        self.hash_slice(&input.into_iter().collect::<Vec<_>>())
    }

    fn hash_slice(&self, input: &[Goldilocks]) -> Digest {
        let mut digest = [Digest::default()];
        self.hash_many(input, &mut digest);
        digest[0]
    }

    fn hash_many(&self, input: &[Goldilocks], out: &mut [Digest]) {
        if out.is_empty() {
            return;
        }
        let len = message_len(input.len(), out.len());
        for (group, digests) in out.chunks_mut(LANES).enumerate() {
            sponge(&input[group * LANES * len..][..digests.len() * len], len, digests);
        }
    }
}

/// The sponge over messages of `len` elements, no more of them than [`LANES`].
fn sponge(messages: &[Goldilocks], len: usize, digests: &mut [Digest]) {
    let mut states = [State::default(); LANES];
    let states = &mut states[..digests.len()];
    for first in (0..len).step_by(RATE) {
        // The last block may be shorter: it leaves the rest as it is.
        let block = first..len.min(first + RATE);
        for (lane, state) in states.iter_mut().enumerate() {
            state[..block.len()].copy_from_slice(&messages[lane * len..][block.clone()]);
        }
        permute_many(states);
    }
    store(states, digests);
}

fn store(states: &[State], digests: &mut [Digest]) {
    for (digest, state) in digests.iter_mut().zip(states) {
        digest.copy_from_slice(&state[..DIGEST]);
    }
}

/// `TruncatedPermutation<RpoGoldilocks, 2, 4, 12>` of Plonky3.
impl PseudoCompressionFunction<Digest, 2> for PackedCompression<RpoWidth12> {
    const LANES: usize = LANES;

    fn compress(&self, input: [Digest; 2]) -> Digest {
        let mut digest = [Digest::default()];
        self.compress_many(&[input], &mut digest);
        digest[0]
    }

    fn compress_many(&self, inputs: &[[Digest; 2]], out: &mut [Digest]) {
        assert_eq!(inputs.len(), out.len(), "a digest for each pair");
        for (pairs, digests) in inputs.chunks(LANES).zip(out.chunks_mut(LANES)) {
            let mut states = [State::default(); LANES];
            let states = &mut states[..pairs.len()];
            for (state, pair) in states.iter_mut().zip(pairs) {
                state[..2 * DIGEST].copy_from_slice(pair.as_flattened());
            }
            permute_many(states);
            store(states, digests);
        }
    }
}
