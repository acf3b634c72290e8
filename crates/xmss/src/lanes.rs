//! Digests in the lanes of an engine.
#![forbid(unsafe_code)]

use super::digest::Digest;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, MAX_LANES, Version};

/// An engine with what every hash call of a parameter set shares.
pub(crate) struct Lanes<E: Engine> {
    /// The engine.
    pub(crate) engine: E,
    /// Which permutation.
    pub(crate) version: Version,
    /// Elements of a hash, `n`.
    pub(crate) hash_len: usize,
    /// Zero in every lane.
    pub(crate) zero: E::Word,
}

impl<E: Engine> Lanes<E> {
    /// The first `N` words of a digest (or parameter, or randomness) of every lane.
    pub(crate) fn load_words<'a, const N: usize>(
        &self,
        of_lane: impl Fn(usize) -> &'a [u32; 8],
    ) -> [E::Word; N] {
        let mut columns = [[KoalaBear::ZERO; MAX_LANES]; N];
        for lane in 0..E::LANES {
            let words = of_lane(lane);
            for (column, &word) in columns.iter_mut().zip(words) {
                column[lane] = KoalaBear::from_reduced_montgomery(word);
            }
        }
        self.load_columns(&columns)
    }

    /// Words of which every lane's elements stand in a column.
    fn load_columns<const N: usize>(&self, columns: &[[KoalaBear; MAX_LANES]; N]) -> [E::Word; N] {
        core::array::from_fn(|i| self.engine.load(&columns[i][..E::LANES]))
    }

    /// The same digest in every lane.
    pub(crate) fn splat_words<const N: usize>(&self, words: &[u32; 8]) -> [E::Word; N] {
        core::array::from_fn(|i| self.engine.splat(KoalaBear::from_reduced_montgomery(words[i])))
    }

    /// Writes the hash in each of the first `out.len()` lanes.
    pub(crate) fn store_hashes(&self, words: &[E::Word; 8], out: &mut [Digest]) {
        let mut column = [KoalaBear::ZERO; MAX_LANES];
        for (i, word) in words[..self.hash_len].iter().enumerate() {
            self.engine.store(word, &mut column[..E::LANES]);
            for (digest, x) in out.iter_mut().zip(column) {
                digest.0[i] = x.montgomery();
            }
        }
    }

    /// A tree node in every lane: `hash(P, tweak, left, right)` (spec section 7).
    pub(crate) fn node(
        &self,
        parameter: &[E::Word; 5],
        tweak: &[E::Word; 2],
        left: &[E::Word; 8],
        right: &[E::Word; 8],
    ) -> [E::Word; 8] {
        let n = self.hash_len;
        let mut input = [self.zero; 24];
        input[..5].copy_from_slice(parameter);
        input[5..7].copy_from_slice(tweak);
        input[7..7 + n].copy_from_slice(&left[..n]);
        input[7 + n..7 + 2 * n].copy_from_slice(&right[..n]);
        let mut state = input;
        self.engine.permute24(self.version, &mut state);
        core::array::from_fn(|i| if i < n { self.engine.add(&state[i], &input[i]) } else { self.zero })
    }
}
