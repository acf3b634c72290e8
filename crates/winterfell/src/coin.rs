//! Winterfell's random coin, with nonces tried in lanes.

use crate::hashers::{PackedHasher, digest_from};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use phalanx_rescue::Digest;
use winter_crypto::{DefaultRandomCoin, RandomCoin, RandomCoinError};
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;

/// Nonces tried at the same time: many times the lanes.
const NONCES: u64 = 64;

/// `winter_crypto::DefaultRandomCoin` for provers that search for a nonce: it draws the same elements, and when it is asked
/// for nonces one after the other, it tries the next 64 in lanes and remembers the answers.
///
/// With the feature `concurrent` Winterfell's threads ask in no order, and nonces are tried one at a time.
pub struct PackedRandomCoin<H: PackedHasher> {
    coin: DefaultRandomCoin<H>,
    /// The seed of `coin`, which keeps it to itself.
    seed: H::Digest,
    ahead: Ahead,
}

/// Answers for nonces to come. Each is one word that also says for which nonce, so that threads may read and write them in
/// any order.
struct Ahead {
    /// Of nonce n, at n mod 64: n + 1 above seven bits with the number of zeros, or zero.
    answers: Box<[AtomicU64]>,
    /// The nonce that is expected, if they are asked for in order.
    next: AtomicU64,
}

impl Ahead {
    fn new() -> Self {
        let mut answers = Vec::new();
        answers.resize_with(64, AtomicU64::default);
        Self { answers: answers.into(), next: AtomicU64::new(u64::MAX) }
    }

    fn clear(&mut self) {
        self.answers.iter_mut().for_each(|answer| *answer.get_mut() = 0);
        *self.next.get_mut() = u64::MAX;
    }

    /// The answer for `nonce` if it is known, or what `try_many` says from `nonce` on if the last one was asked for before.
    fn get(&self, nonce: u64, try_many: impl FnOnce(&[u64]) -> Vec<u32>) -> Option<u32> {
        // The last nonces have no room for the number of zeros.
        if nonce >= 1 << 56 || cfg!(feature = "concurrent") {
            return None;
        }
        let at = |nonce: u64| &self.answers[(nonce % NONCES) as usize];
        let expected = self.next.swap(nonce + 1, Ordering::Relaxed);
        let answer = at(nonce).load(Ordering::Relaxed);
        if answer >> 7 == nonce + 1 {
            return Some((answer & 127) as u32);
        }
        if expected != nonce {
            return None;
        }
        let nonces: Vec<u64> = (nonce..nonce + NONCES).collect();
        let zeros = try_many(&nonces);
        for (&nonce, &zeros) in nonces.iter().zip(&zeros) {
            at(nonce).store((nonce + 1) << 7 | u64::from(zeros), Ordering::Relaxed);
        }
        zeros.first().copied()
    }
}

/// Zeros at the end of the first word, which is where Winterfell looks.
fn zeros(digest: Digest) -> u32 {
    digest.to_elements()[0].trailing_zeros()
}

impl<H: PackedHasher> PackedRandomCoin<H> {
    fn try_many(&self, nonces: &[u64]) -> Vec<u32> {
        let digests = H::FUNCTION.merge_with_ints(&digest_from(self.seed), nonces);
        digests.into_iter().map(zeros).collect()
    }
}

impl<H: PackedHasher> fmt::Debug for PackedRandomCoin<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedRandomCoin").field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<H: PackedHasher> RandomCoin for PackedRandomCoin<H> {
    type BaseField = BaseElement;
    type Hasher = H;

    fn new(seed: &[BaseElement]) -> Self {
        Self { coin: DefaultRandomCoin::new(seed), seed: H::hash_elements(seed), ahead: Ahead::new() }
    }

    fn reseed(&mut self, data: H::Digest) {
        self.coin.reseed(data);
        self.seed = H::merge(&[self.seed, data]);
        self.ahead.clear();
    }

    fn check_leading_zeros(&self, value: u64) -> u32 {
        let known = self.ahead.get(value, |nonces| self.try_many(nonces));
        known.unwrap_or_else(|| self.coin.check_leading_zeros(value))
    }

    fn draw<E: FieldElement<BaseField = BaseElement>>(&mut self) -> Result<E, RandomCoinError> {
        self.coin.draw()
    }

    fn draw_integers(
        &mut self,
        num_values: usize,
        domain_size: usize,
        nonce: u64,
    ) -> Result<Vec<usize>, RandomCoinError> {
        // The coin is reseeded with the nonce.
        self.seed = H::merge_with_int(self.seed, nonce);
        self.ahead.clear();
        self.coin.draw_integers(num_values, domain_size, nonce)
    }
}
