//! The four hash functions and what they offer.

use super::sponge::{Input, MAX_WIDTH};
use super::{Digest, Error, many};
use crate::fields::goldilocks::{P, add};
use crate::hashes::rescue::{Permutation, permute_many, permute_secret};
use crate::simd::Level;
use alloc::vec::Vec;

/// A hash function over Goldilocks elements and over bytes.
#[allow(non_camel_case_types, reason = "the names their users know")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// Rescue-Prime as winter-crypto 0.13.1 has it: width 12, rate 8, seven rounds.
    #[default]
    Rp64_256,
    /// Its sibling with the Jive compression for merging: width 8, rate 4.
    RpJive64_256,
    /// RPO-256 as miden-crypto 0.28.1 has it.
    Rpo256,
    /// RPX-256 as miden-crypto 0.28.1 has it.
    Rpx256,
}

impl Function {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Rp64_256, Self::RpJive64_256, Self::Rpo256, Self::Rpx256];

    /// The name, as on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rp64_256 => "rescue-rp64-256",
            Self::RpJive64_256 => "rescue-jive-256",
            Self::Rpo256 => "rpo-256",
            Self::Rpx256 => "rpx-256",
        }
    }

    /// The function called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Words in a state of the permutation: 12, or 8 for Jive.
    #[must_use]
    pub const fn width(self) -> usize {
        self.permutation().width()
    }

    pub(super) const fn permutation(self) -> Permutation {
        match self {
            Self::Rp64_256 => Permutation::Rp64,
            Self::RpJive64_256 => Permutation::Jive,
            Self::Rpo256 => Permutation::Rpo,
            Self::Rpx256 => Permutation::Rpx,
        }
    }

    // ---- the permutation ----

    /// Permutes the states that stand one after the other in `words`. Words may be any `u64`; canonical ones come out.
    /// The time of the portable and AVX2 kernels depends on the data, rarely: see [`permute_secret`](Self::permute_secret).
    ///
    /// # Errors
    /// [`Error::PartialState`] if the length is no multiple of [`width`](Self::width).
    pub fn permute(self, words: &mut [u64]) -> Result<(), Error> {
        self.whole_states(words)?;
        permute_many(Level::current(), self.permutation(), words);
        Ok(())
    }

    /// [`permute`](Self::permute) for secret states: no branch and no address depends on a word. Scalar, and slower.
    ///
    /// # Errors
    /// [`Error::PartialState`] if the length is no multiple of [`width`](Self::width).
    pub fn permute_secret(self, words: &mut [u64]) -> Result<(), Error> {
        self.whole_states(words)?;
        permute_secret(self.permutation(), words);
        Ok(())
    }

    fn whole_states(self, words: &[u64]) -> Result<(), Error> {
        if words.len().is_multiple_of(self.width()) {
            Ok(())
        } else {
            Err(Error::PartialState { got: words.len(), width: self.width() })
        }
    }

    // ---- elements ----

    /// Hashes elements. No element at all gives the digest of four zeros.
    #[must_use]
    pub fn hash_elements(self, elements: &[u64]) -> Digest {
        self.hash_one(Input::Elements(elements), 0)
    }

    /// [`hash_elements`](Self::hash_elements) of each input, side by side.
    #[must_use]
    pub fn hash_elements_many(self, inputs: &[&[u64]]) -> Vec<Digest> {
        let inputs: Vec<_> = inputs.iter().map(|input| Input::Elements(input)).collect();
        many::hash_inputs(self.permutation(), &inputs, 0)
    }

    /// Hashes elements in a domain (RPO and RPX).
    ///
    /// # Errors
    /// [`Error::NoDomain`] for the other two.
    pub fn hash_elements_in_domain(self, elements: &[u64], domain: u64) -> Result<Digest, Error> {
        match self {
            Self::Rpo256 | Self::Rpx256 => Ok(self.hash_one(Input::Elements(elements), domain)),
            Self::Rp64_256 | Self::RpJive64_256 => Err(Error::NoDomain),
        }
    }

    // ---- bytes ----

    /// Hashes bytes as the reference does.
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
    pub fn hash(self, bytes: &[u8]) -> Result<Digest, Error> {
        Ok(self.hash_one(self.compatible(bytes)?, 0))
    }

    /// [`hash`](Self::hash) of each input, side by side.
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] if any input has such a length.
    pub fn hash_many(self, inputs: &[&[u8]]) -> Result<Vec<Digest>, Error> {
        let inputs = inputs.iter().map(|input| self.compatible(input)).collect::<Result<Vec<_>, _>>()?;
        Ok(many::hash_inputs(self.permutation(), &inputs, 0))
    }

    /// Hashes bytes of any length with the terminator at every length. For Rp64_256 this is *not* what Winterfell computes
    /// above 56 bytes; for the other three it equals [`hash`](Self::hash).
    #[must_use]
    pub fn hash_padded(self, bytes: &[u8]) -> Digest {
        self.hash_one(Input::Bytes { bytes, terminated: true }, 0)
    }

    /// [`hash_padded`](Self::hash_padded) of each input, side by side.
    #[must_use]
    pub fn hash_padded_many(self, inputs: &[&[u8]]) -> Vec<Digest> {
        let inputs: Vec<_> = inputs.iter().map(|bytes| Input::Bytes { bytes, terminated: true }).collect();
        many::hash_inputs(self.permutation(), &inputs, 0)
    }

    /// The words of `bytes` as the reference reads them. Winterfell's Rp64_256 looks for the last word by its place in the
    /// block, so that it finds none after the first block.
    fn compatible(self, bytes: &[u8]) -> Result<Input<'_>, Error> {
        let terminated = self != Self::Rp64_256 || bytes.len() <= 56;
        if terminated || bytes.len().is_multiple_of(7) {
            Ok(Input::Bytes { bytes, terminated })
        } else {
            Err(Error::UndefinedLength { got: bytes.len() })
        }
    }

    // ---- digests ----

    /// The digest of two digests: what a Merkle tree is made of.
    #[must_use]
    pub fn merge(self, left: &Digest, right: &Digest) -> Digest {
        self.merge_pairs(&[[*left, *right]])[0]
    }

    /// [`merge`](Self::merge) of each pair, side by side.
    #[must_use]
    pub fn merge_pairs(self, pairs: &[[Digest; 2]]) -> Vec<Digest> {
        let joined = |[left, right]: &[Digest; 2]| {
            let mut words = [0; 8];
            words[..4].copy_from_slice(&left.to_elements());
            words[4..].copy_from_slice(&right.to_elements());
            words
        };
        self.compress(pairs.iter().map(joined), 8)
    }

    /// The digest of any number of digests, one after the other. For two, Rp64_256, RPO and RPX give what
    /// [`merge`](Self::merge) gives, and Jive does not.
    #[must_use]
    pub fn merge_many(self, digests: &[Digest]) -> Digest {
        let elements: Vec<u64> = digests.iter().flat_map(|digest| digest.to_elements()).collect();
        self.hash_elements(&elements)
    }

    /// The digest of a digest and an integer.
    #[must_use]
    pub fn merge_with_int(self, seed: &Digest, value: u64) -> Digest {
        self.merge_with_ints(seed, &[value])[0]
    }

    /// [`merge_with_int`](Self::merge_with_int) for each value, side by side: for grinding.
    #[must_use]
    pub fn merge_with_ints(self, seed: &Digest, values: &[u64]) -> Vec<Digest> {
        let [s0, s1, s2, s3] = seed.to_elements();
        let mut digests = Vec::with_capacity(values.len());
        // Runs of values that take the same number of words share a call: all of them, for values below p.
        for run in values.chunk_by(|a, b| (*a < P) == (*b < P)) {
            let (len, high) = if run[0] < P { (5, 0) } else { (6, 1) };
            let words = |&value: &u64| {
                let low = value - high * P;
                // Jive states the length in the last word; the others in the capacity.
                let last = if self == Self::RpJive64_256 { len } else { 0 };
                [s0, s1, s2, s3, low, high, 0, last]
            };
            digests.extend(self.compress(run.iter().map(words), len));
        }
        digests
    }

    /// One permutation for each eight words: Jive's compression, or the sponge on the first `len` of them.
    fn compress(self, inputs: impl ExactSizeIterator<Item = [u64; 8]>, len: u64) -> Vec<Digest> {
        let (permutation, width) = (self.permutation(), self.width());
        let mut words = Vec::with_capacity(inputs.len() * width);
        let mut before: Vec<[u64; 8]> = Vec::new();
        for input in inputs {
            match self {
                Self::Rp64_256 => words.extend([len, 0, 0, 0]),
                Self::RpJive64_256 => before.push(input),
                Self::Rpo256 | Self::Rpx256 => {}
            }
            words.extend(input);
            if matches!(self, Self::Rpo256 | Self::Rpx256) {
                words.extend([len % 8, 0, 0, 0]);
            }
        }
        permute_many(Level::current(), permutation, &mut words);
        let states = words.chunks_exact(width);
        if self == Self::RpJive64_256 {
            let jive = |(x, y): (&[u64; 8], &[u64])| {
                Digest::from_elements(core::array::from_fn(|i| add(add(x[i], x[i + 4]), add(y[i], y[i + 4]))))
            };
            before.iter().zip(states).map(jive).collect()
        } else {
            states.map(|state| permutation.squeeze(state)).collect()
        }
    }

    /// One input, without the detour over lists.
    fn hash_one(self, input: Input<'_>, domain: u64) -> Digest {
        let (level, permutation) = (Level::current(), self.permutation());
        let mut state: [u64; MAX_WIDTH] = permutation.start(&input, domain);
        let state = &mut state[..permutation.width()];
        if input.len() == 0 {
            return Digest::default();
        }
        for block in 0..permutation.blocks(&input) {
            permutation.absorb(state, &input, block);
            permute_many(level, permutation, state);
        }
        permutation.squeeze(state)
    }
}
