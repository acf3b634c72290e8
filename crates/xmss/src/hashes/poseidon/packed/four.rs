//! Four packed lanes of an instruction set that the target has as a whole, so that words are vectors and stay in
//! registers.

use super::engine::{Entry, Kernel};
use super::lanes::{FieldLanes, POWERS, RECIPROCAL, Vector};
use super::poseidon1;
use crate::fields::koala_bear::{KoalaBear, P};
use phalanx_core::lanes::WordLanes;

/// Four lanes.
pub(crate) trait FourLanes: FieldLanes<Words: WordLanes<u32, Words = [u32; 4]>> {
    /// See [`Entry::poseidon1_16`].
    #[inline(always)]
    fn poseidon1_16(self, x: &mut [Vector<Self>; 16]) {
        poseidon1::permute::<_, 16, 4, true>(self, x, poseidon1::tables_16());
    }
}

/// Lanes that need no entry.
#[derive(Clone, Copy)]
pub(crate) struct Four<L>(pub(super) L);

impl<L: FourLanes> Entry for Four<L> {
    type Lanes = L;
    type Word = Vector<L>;

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) {
        #[inline(never)]
        fn run<E: Entry, K: Kernel<E>>(lanes: E::Lanes, kernel: K) {
            kernel.run(lanes);
        }
        run::<Self, K>(self.0, kernel);
    }

    #[inline(always)]
    fn read(_: L, word: &Vector<L>) -> Vector<L> {
        *word
    }

    #[inline(always)]
    fn write(_: L, x: Vector<L>, word: &mut Vector<L>) {
        *word = x;
    }

    #[inline(always)]
    fn poseidon1_16(lanes: L, x: &mut [Vector<L>; 16]) {
        lanes.poseidon1_16(x);
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> Vector<L> {
        self.0.words().splat(x.montgomery())
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> Vector<L> {
        let xs: &[KoalaBear; 4] = xs.try_into().expect("four lanes");
        self.0.words().load(&xs.map(KoalaBear::montgomery))
    }

    #[inline(always)]
    fn store(self, word: &Vector<L>, out: &mut [KoalaBear]) {
        let mut words = [0; 4];
        self.0.words().store(&mut words, *word);
        out.copy_from_slice(&words.map(KoalaBear::from_reduced_montgomery));
    }

    #[inline(always)]
    fn add(self, a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
        self.0.add(*a, *b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
        let words = self.0.words();
        let mask = [0, 1, 2, 3].map(|lane| (lanes >> lane & 1).wrapping_neg());
        words.choose(words.load(&mask), *a, *b)
    }

    #[inline(always)]
    fn two_digits(self, n: &[u64]) -> [Vector<L>; 2] {
        let n: &[u64; 4] = n.try_into().expect("four lanes");
        let digits = n.map(two_digits);
        let words = self.0.words();
        [words.load(&digits.map(|[low, _]| low)), words.load(&digits.map(|[_, high]| high))]
    }

    #[inline(always)]
    fn from_u128(self, high: &[u64], low: &[u64]) -> Vector<L> {
        let (high, low): (&[u64; 4], &[u64; 4]) =
            (high.try_into().expect("four lanes"), low.try_into().expect("four lanes"));
        self.0.words().load(&[0, 1, 2, 3].map(|lane| from_u128(high[lane], low[lane])))
    }
}

/// The Montgomery words of both base-`p` digits of `n < 2^60`, least significant first.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "both digits are below 2^32")]
fn two_digits(n: u64) -> [u32; 2] {
    // The quotient or one less, see [`RECIPROCAL`].
    let quotient = ((n >> 28) * RECIPROCAL) >> 34;
    let rest = n - quotient * u64::from(P);
    let more = u64::from(rest >= u64::from(P));
    [rest - more * u64::from(P), quotient + more].map(|digit| KoalaBear::new(digit as u32).montgomery())
}

/// The Montgomery word of the residue of `high * 2^64 + low`. Time: independent of values.
#[inline(always)]
fn from_u128(high: u64, low: u64) -> u32 {
    let powers = POWERS.map(u64::from);
    let lower = fold((low & 0xffff_ffff) * powers[0] + (low >> 32) * powers[1]);
    let upper = fold((high & 0xffff_ffff) * powers[2] + (high >> 32) * powers[3]);
    KoalaBear::from_wide(fold(lower + upper)).montgomery()
}

/// `x` or `x - 2^32 p`, whichever is smaller as an unsigned integer.
#[inline(always)]
fn fold(x: u64) -> u64 {
    let less = x.wrapping_sub(u64::from(P) << 32);
    if less < x { less } else { x }
}
