//! The four permutations, one state at a time, and what the lists need.
#![forbid(unsafe_code)]

use crate::words::{DIGEST, words_mut};
use alloc::vec::Vec;
use p3_field::PackedValue;
use p3_koala_bear::{KoalaBear, Poseidon2KoalaBear};
use p3_poseidon2::ExternalLayerConstants;
use p3_symmetric::{CryptographicPermutation, Permutation};
use phalanx_xmss::poseidon::{self, Permutation as Version};

/// One of the four permutations, with the sponge and the compression over it on lists of words. Implemented here only.
pub trait PoseidonPermutation: Clone + Copy + Default + Sync + Send + sealed::Lists {}

pub(crate) mod sealed {
    /// Lists of words, which are Montgomery words below p.
    pub trait Lists {
        /// The sponge over each of the messages.
        fn sponge(messages: &[u32], len: usize, digests: &mut [[u32; super::DIGEST]]);

        /// The first eight words of the permutation of each pair.
        fn compress(pairs: &[[u32; 16]], digests: &mut [[u32; super::DIGEST]]);
    }
}

macro_rules! permutation {
    ($(#[$doc:meta])* $name:ident, $version:ident, $width:literal, $permute:ident, $sponge:ident, $compress:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl PoseidonPermutation for $name {}

        impl sealed::Lists for $name {
            fn sponge(messages: &[u32], len: usize, digests: &mut [[u32; DIGEST]]) {
                poseidon::$sponge(Version::$version, messages, len, digests);
            }

            fn compress(pairs: &[[u32; 16]], digests: &mut [[u32; DIGEST]]) {
                poseidon::$compress(Version::$version, pairs, digests);
            }
        }

        /// Lanes of a packed value are permuted one after the other.
        impl<A: PackedValue<Value = KoalaBear>> Permutation<[A; $width]> for $name {
            fn permute_mut(&self, packed: &mut [A; $width]) {
                for lane in 0..A::WIDTH {
                    let mut state = packed.map(|column| column.extract(lane));
                    let words = words_mut(&mut state).try_into().expect("a word for each element");
                    poseidon::$permute(Version::$version, words);
                    for (column, element) in packed.iter_mut().zip(state) {
                        column.as_slice_mut()[lane] = element;
                    }
                }
            }
        }

        impl<A: PackedValue<Value = KoalaBear>> CryptographicPermutation<[A; $width]> for $name {}
    };
}

permutation! {
    /// [`poseidon2_width16`], with lanes: `Poseidon2KoalaBear` over leanSig's constants, which are *not* those of
    /// `default_koalabear_poseidon2_16`.
    Poseidon2Width16, Poseidon2, 16, permute_16, sponge_16, compress_16
}
permutation! {
    /// [`poseidon2_width24`], with lanes: `Poseidon2KoalaBear` over leanSig's constants, which are *not* those of
    /// `default_koalabear_poseidon2_24`.
    Poseidon2Width24, Poseidon2, 24, permute_24, sponge_24, compress_24
}
permutation! {
    /// `p3_koala_bear::default_koalabear_poseidon1_16`.
    Poseidon1Width16, Poseidon1, 16, permute_16, sponge_16, compress_16
}
permutation! {
    /// `p3_koala_bear::default_koalabear_poseidon1_24`.
    Poseidon1Width24, Poseidon1, 24, permute_24, sponge_24, compress_24
}

/// leanSig's constants as Plonky3 takes them: of the external rounds, and of the internal ones.
fn theirs<const WIDTH: usize>() -> (ExternalLayerConstants<KoalaBear, WIDTH>, Vec<KoalaBear>) {
    let numbers = poseidon::poseidon2_constants(WIDTH).expect("a width that there is");
    let [initial, internal, terminal, _] = numbers
        .map(|numbers| -> Vec<KoalaBear> { numbers.iter().map(|&number| KoalaBear::new(number)).collect() });
    let [initial, terminal] = [initial, terminal].map(|rounds| rounds.as_chunks().0.to_vec());
    (ExternalLayerConstants::new(initial, terminal), internal)
}

/// Plonky3's own type with the constants of [`Poseidon2Width16`], one state at a time: for verifiers and challengers.
#[must_use]
pub fn poseidon2_width16() -> Poseidon2KoalaBear<16> {
    let (external, internal) = theirs();
    Poseidon2KoalaBear::new(external, internal)
}

/// Plonky3's own type with the constants of [`Poseidon2Width24`], one state at a time: for verifiers and challengers.
#[must_use]
pub fn poseidon2_width24() -> Poseidon2KoalaBear<24> {
    let (external, internal) = theirs();
    Poseidon2KoalaBear::new(external, internal)
}
