//! The four hash functions and what they offer.
#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::error::Error;
use crate::goldilocks::P;
use crate::many;
use crate::permutation::{Permutation, permute_many};
use crate::sponge::{Bytes, Digests, Elements, MAX_RATE, MAX_WIDTH, Message};
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Pool;

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
    /// RPO-256 as miden-crypto has it up to 0.28, whose next version drops it.
    Rpo256,
    /// RPX-256 as miden-crypto has it up to 0.28, whose next version drops it.
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
    /// The time may depend on the data, rarely, on every backend: see [`permute_secret`](Self::permute_secret).
    ///
    /// # Errors
    /// [`Error::PartialState`] if the length is no multiple of [`width`](Self::width).
    pub fn permute(self, words: &mut [u64]) -> Result<(), Error> {
        self.whole_states(words)?;
        permute_many(Isa::current(), self.permutation(), words);
        Ok(())
    }

    /// [`permute`](Self::permute) on the threads of `pool`.
    ///
    /// # Errors
    /// As [`permute`](Self::permute).
    pub fn permute_on(self, pool: &dyn Pool, words: &mut [u64]) -> Result<(), Error> {
        self.whole_states(words)?;
        let (isa, permutation) = (Isa::current(), self.permutation());
        let work = |part: &mut [u64]| permute_many(isa, permutation, part);
        pool.run(many::jobs(words.chunks_mut(many::JOB_PERMUTATIONS * self.width()), &work));
        Ok(())
    }

    pub(super) fn whole_states(self, words: &[u64]) -> Result<(), Error> {
        if words.len().is_multiple_of(self.width()) {
            Ok(())
        } else {
            Err(Error::PartialState { got: words.len(), width: self.width() })
        }
    }

    // ---- elements ----

    /// Hashes elements. No element at all gives the digest of four zeros.
    ///
    /// Shares digests with [`hash`](Self::hash) and [`hash_padded`](Self::hash_padded) (Rp64_256 and RpJive64_256), and with
    /// [`merge`](Self::merge) (all but RpJive64_256): use [one form in one domain](crate#one-form-in-one-domain).
    #[must_use]
    pub fn hash_elements(self, elements: &[u64]) -> Digest {
        self.hash_one(&Elements(elements), 0)
    }

    /// [`hash_elements`](Self::hash_elements) of each input, side by side.
    #[must_use]
    pub fn hash_elements_many(self, inputs: &[&[u64]]) -> Vec<Digest> {
        self.hash_list(None, inputs.len(), |i| Elements(inputs[i]))
    }

    /// [`hash_elements_many`](Self::hash_elements_many) on the threads of `pool`.
    #[must_use]
    pub fn hash_elements_many_on(self, pool: &dyn Pool, inputs: &[&[u64]]) -> Vec<Digest> {
        self.hash_list(Some(pool), inputs.len(), |i| Elements(inputs[i]))
    }

    /// Hashes elements in a domain (RPO and RPX).
    ///
    /// # Errors
    /// [`Error::NoDomain`] for the other two.
    pub fn hash_elements_in_domain(self, elements: &[u64], domain: u64) -> Result<Digest, Error> {
        self.domains()?;
        Ok(self.hash_one(&Elements(elements), domain))
    }

    fn domains(self) -> Result<(), Error> {
        match self {
            Self::Rpo256 | Self::Rpx256 => Ok(()),
            Self::Rp64_256 | Self::RpJive64_256 => Err(Error::NoDomain),
        }
    }

    // ---- bytes ----

    /// Hashes bytes as the reference does. [`Hasher`](super::Hasher) takes them in pieces.
    ///
    /// Shares digests with [`hash_padded`](Self::hash_padded) (Rp64_256) and with [`hash_elements`](Self::hash_elements)
    /// (Rp64_256 and RpJive64_256): use [one form in one domain](crate#one-form-in-one-domain).
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
    pub fn hash(self, bytes: &[u8]) -> Result<Digest, Error> {
        let terminated = self.terminated(bytes.len() as u64)?;
        Ok(self.hash_one(&Bytes { bytes, terminated }, 0))
    }

    /// [`hash`](Self::hash) of each input, side by side.
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] if any input has such a length: of the first such input.
    pub fn hash_many(self, inputs: &[&[u8]]) -> Result<Vec<Digest>, Error> {
        self.hash_bytes_list(None, inputs)
    }

    /// [`hash_many`](Self::hash_many) on the threads of `pool`.
    ///
    /// # Errors
    /// As [`hash_many`](Self::hash_many).
    pub fn hash_many_on(self, pool: &dyn Pool, inputs: &[&[u8]]) -> Result<Vec<Digest>, Error> {
        self.hash_bytes_list(Some(pool), inputs)
    }

    fn hash_bytes_list(self, pool: Option<&dyn Pool>, inputs: &[&[u8]]) -> Result<Vec<Digest>, Error> {
        for bytes in inputs {
            self.terminated(bytes.len() as u64)?;
        }
        let message = |i: usize| {
            let bytes = inputs[i];
            // No error: asked above.
            Bytes { bytes, terminated: self.terminated(bytes.len() as u64) == Ok(true) }
        };
        Ok(self.hash_list(pool, inputs.len(), message))
    }

    /// Hashes bytes of any length with the terminator at every length. For Rp64_256 this is *not* what Winterfell computes
    /// above 56 bytes; for the other three it equals [`hash`](Self::hash).
    ///
    /// Of Rp64_256, `hash_padded` of 62 bytes is [`hash`](Self::hash) of these bytes and a byte 1: use
    /// [one form in one domain](crate#one-form-in-one-domain).
    #[must_use]
    pub fn hash_padded(self, bytes: &[u8]) -> Digest {
        self.hash_one(&Bytes { bytes, terminated: true }, 0)
    }

    /// [`hash_padded`](Self::hash_padded) of each input, side by side.
    #[must_use]
    pub fn hash_padded_many(self, inputs: &[&[u8]]) -> Vec<Digest> {
        self.hash_list(None, inputs.len(), |i| Bytes { bytes: inputs[i], terminated: true })
    }

    /// [`hash_padded_many`](Self::hash_padded_many) on the threads of `pool`.
    #[must_use]
    pub fn hash_padded_many_on(self, pool: &dyn Pool, inputs: &[&[u8]]) -> Vec<Digest> {
        self.hash_list(Some(pool), inputs.len(), |i| Bytes { bytes: inputs[i], terminated: true })
    }

    /// Whether the reference terminates the last word of a message of this many bytes. Winterfell's Rp64_256 looks for the
    /// last word by its place in the block, so that it finds none after the first block.
    pub(super) fn terminated(self, len_bytes: u64) -> Result<bool, Error> {
        if self != Self::Rp64_256 || len_bytes <= 56 {
            Ok(true)
        } else if len_bytes.is_multiple_of(7) {
            Ok(false)
        } else {
            Err(Error::UndefinedLength { got: usize::try_from(len_bytes).unwrap_or(usize::MAX) })
        }
    }

    // ---- digests ----

    /// The digest of two digests: what a Merkle tree is made of. For all but RpJive64_256 it is
    /// [`hash_elements`](Self::hash_elements) of the eight words: a leaf hashed from eight elements can pass for a node where
    /// the height of the tree is not fixed.
    #[must_use]
    pub fn merge(self, left: &Digest, right: &Digest) -> Digest {
        self.compress_one(&join(left, right), (8, 0))
    }

    /// [`merge`](Self::merge) of each pair, side by side.
    #[must_use]
    pub fn merge_pairs(self, pairs: &[[Digest; 2]]) -> Vec<Digest> {
        let mut digests = alloc::vec![Digest::default(); pairs.len()];
        self.merge_into(Isa::current(), pairs, &mut digests);
        digests
    }

    /// [`merge_pairs`](Self::merge_pairs) on the threads of `pool`.
    #[must_use]
    pub fn merge_pairs_on(self, pool: &dyn Pool, pairs: &[[Digest; 2]]) -> Vec<Digest> {
        let mut digests = alloc::vec![Digest::default(); pairs.len()];
        self.merge_into_on(pool, pairs, &mut digests);
        digests
    }

    /// The digests of `pairs`, in memory of the same length.
    pub(super) fn merge_into(self, isa: Isa, pairs: &[[Digest; 2]], digests: &mut [Digest]) {
        many::compress(isa, self.permutation(), (8, 0), |i| join(&pairs[i][0], &pairs[i][1]), digests);
    }

    /// [`merge_into`](Self::merge_into) on the threads of `pool`.
    pub(super) fn merge_into_on(self, pool: &dyn Pool, pairs: &[[Digest; 2]], digests: &mut [Digest]) {
        let isa = Isa::current();
        let work =
            |first: usize, part: &mut [Digest]| self.merge_into(isa, &pairs[first..][..part.len()], part);
        many::split(pool, digests, |_| 1, work);
    }

    /// [`merge`](Self::merge) in a domain (RPO and RPX).
    ///
    /// # Errors
    /// [`Error::NoDomain`] for the other two.
    pub fn merge_in_domain(self, left: &Digest, right: &Digest, domain: u64) -> Result<Digest, Error> {
        self.domains()?;
        Ok(self.compress_one(&join(left, right), (8, domain)))
    }

    /// The digest of any number of digests, one after the other. For two, Rp64_256, RPO and RPX give what
    /// [`merge`](Self::merge) gives, and Jive does not.
    #[must_use]
    pub fn merge_many(self, digests: &[Digest]) -> Digest {
        self.hash_one(&Digests(digests), 0)
    }

    /// The digest of a digest and an integer.
    #[must_use]
    pub fn merge_with_int(self, seed: &Digest, value: u64) -> Digest {
        let len = int_len(value);
        self.compress_one(&self.with_int(seed, value, len), (len, 0))
    }

    /// [`merge_with_int`](Self::merge_with_int) for each value, side by side: for grinding.
    #[must_use]
    pub fn merge_with_ints(self, seed: &Digest, values: &[u64]) -> Vec<Digest> {
        let mut digests = alloc::vec![Digest::default(); values.len()];
        self.merge_with_ints_into(Isa::current(), seed, values, &mut digests);
        digests
    }

    /// [`merge_with_ints`](Self::merge_with_ints) on the threads of `pool`.
    #[must_use]
    pub fn merge_with_ints_on(self, pool: &dyn Pool, seed: &Digest, values: &[u64]) -> Vec<Digest> {
        let mut digests = alloc::vec![Digest::default(); values.len()];
        let isa = Isa::current();
        let work = |first: usize, part: &mut [Digest]| {
            self.merge_with_ints_into(isa, seed, &values[first..][..part.len()], part);
        };
        many::split(pool, &mut digests, |_| 1, work);
        digests
    }

    fn merge_with_ints_into(self, isa: Isa, seed: &Digest, values: &[u64], mut digests: &mut [Digest]) {
        // Runs of values that take the same number of words share a call: all of them, for values below p.
        for run in values.chunk_by(|a, b| int_len(*a) == int_len(*b)) {
            let len = int_len(run[0]);
            let (part, rest) = digests.split_at_mut(run.len());
            many::compress(isa, self.permutation(), (len, 0), |i| self.with_int(seed, run[i], len), part);
            digests = rest;
        }
    }

    /// The words of a digest and an integer, `len` of them.
    fn with_int(self, seed: &Digest, value: u64, len: u64) -> [u64; 8] {
        let [s0, s1, s2, s3] = seed.to_elements();
        let high = u64::from(value >= P);
        // Jive states the length in the last word; the others in the capacity.
        let last = if self == Self::RpJive64_256 { len } else { 0 };
        [s0, s1, s2, s3, value - high * P, high, 0, last]
    }

    // ---- one, and lists ----

    /// One message, without the detour over lists.
    pub(super) fn hash_one<M: Message>(self, message: &M, domain: u64) -> Digest {
        let (isa, permutation) = (Isa::current(), self.permutation());
        let (mut state, mut words) = ([0; MAX_WIDTH], [0; MAX_RATE]);
        permutation.hash(message, domain, &mut state, &mut words, isa)
    }

    fn compress_one(self, x: &[u64; 8], (len, domain): (u64, u64)) -> Digest {
        let (isa, permutation) = (Isa::current(), self.permutation());
        let mut state = [0; MAX_WIDTH];
        permutation.compress(x, (len, domain), &mut state, isa)
    }

    fn hash_list<M: Message>(
        self,
        pool: Option<&dyn Pool>,
        count: usize,
        message: impl Fn(usize) -> M + Sync,
    ) -> Vec<Digest> {
        let (isa, permutation) = (Isa::current(), self.permutation());
        let mut digests = alloc::vec![Digest::default(); count];
        let work = |first: usize, part: &mut [Digest]| {
            many::hash(isa, permutation, |i| message(first + i), part);
        };
        match pool {
            Some(pool) => {
                let cost = |i: usize| message(i).len().div_ceil(permutation.rate());
                many::split(pool, &mut digests, cost, work);
            }
            None => work(0, &mut digests),
        }
        digests
    }
}

/// Two digests as eight words.
pub(super) fn join(left: &Digest, right: &Digest) -> [u64; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (left.to_elements(), right.to_elements());
    [a, b, c, d, e, f, g, h]
}

/// Words of a digest and an integer: an integer of p or more takes two.
fn int_len(value: u64) -> u64 {
    if value < P { 5 } else { 6 }
}
