//! Every kernel on every backend against the portable one, on inputs made of arbitrary words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::xmss::{ParameterSet, hazmat};

/// An endless supply of words: the input over and over, each round changed a little.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn byte(&mut self) -> u8 {
        let (round, index) = (self.at / self.bytes.len(), self.at % self.bytes.len());
        self.at += 1;
        self.bytes[index].wrapping_add((round % 251) as u8)
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

/// Everything the backends compute, from one input, as comparable values.
fn everything(bytes: &[u8]) -> impl PartialEq + std::fmt::Debug + use<> {
    let words = &mut Words { bytes, at: 1 };
    let lanes = usize::from(bytes[0]) % 19 + 1;
    let set = ParameterSet::ALL[usize::from(bytes[0]) / 19 % 7];

    let mut kernels = Vec::new();
    for permutation in [hazmat::Permutation::Poseidon1, hazmat::Permutation::Poseidon2] {
        let mut narrow: Vec<[u32; 16]> = (0..lanes).map(|_| std::array::from_fn(|_| words.word())).collect();
        kernels.push(hazmat::compress_16(permutation, &narrow).concat());
        hazmat::permute_16(permutation, &mut narrow, 2);
        let mut wide: Vec<[u32; 24]> = (0..lanes).map(|_| std::array::from_fn(|_| words.word())).collect();
        kernels.push(hazmat::compress_24(permutation, &wide).concat());
        hazmat::permute_24(permutation, &mut wide, 2);
        kernels.extend([narrow.concat(), wide.concat()]);
    }
    let mut states: Vec<[u64; 25]> = (0..lanes)
        .map(|_| std::array::from_fn(|_| u64::from(words.word()) << 32 | u64::from(words.word())))
        .collect();
    hazmat::keccak_f1600(&mut states, 1);

    let key: [u8; 32] = std::array::from_fn(|_| words.byte());
    let parameter: [u32; 5] = std::array::from_fn(|_| words.word());
    let at: Vec<(u32, u8)> = (0..lanes).map(|_| (words.word(), words.byte() % set.chains() as u8)).collect();
    let starts = hazmat::chain_starts(set, &key, &at);
    let mut walks: Vec<hazmat::ChainWalk> = at
        .iter()
        .zip(&starts)
        .map(|(&(epoch, chain), value)| {
            let steps = words.byte() % set.base();
            let position = words.byte() % (set.base() - steps);
            hazmat::ChainWalk { parameter, epoch, chain, position, steps, value: value.clone() }
        })
        .collect();
    hazmat::walk_chains(set, &mut walks);
    let ends: Vec<Vec<u32>> = walks.into_iter().map(|walk| walk.value).collect();
    (kernels, states, starts, ends)
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.is_empty() {
        return;
    }
    let wanted = Backend::Portable.force(|| everything(bytes)).expect("portable is always there");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let got = backend.force(|| everything(bytes)).expect("available");
        assert!(got == wanted, "{} differs from portable", backend.name());
    }
});
