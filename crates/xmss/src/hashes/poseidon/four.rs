//! The engine of four 32-bit lanes: [`packed`](super::packed) on instruction sets that a target has as a whole, so that
//! words are vectors and stay in registers.

use super::engine::{Engine, Version};
use super::packed::{Lanes32, poseidon1, poseidon2};
use super::portable::Scalar;
use crate::fields::koala_bear::{KoalaBear, P};

/// Lanes that move words to and from memory.
pub(crate) trait Four: Lanes32 {
    /// One word a lane.
    fn load(self, words: [u32; 4]) -> Self::Vector;

    /// The words of all lanes.
    fn store(self, x: Self::Vector) -> [u32; 4];

    /// Bits of `a` where those of `mask` are set, else of `b`.
    fn select(self, mask: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// The engine of four lanes. A word is a vector of reduced Montgomery words.
#[derive(Clone, Copy)]
pub(crate) struct Packed<L>(L);

impl<L> Packed<L> {
    /// The engine on these lanes.
    pub(super) fn new(lanes: L) -> Self {
        Self(lanes)
    }
}

impl<L: Four> Engine for Packed<L> {
    const LANES: usize = 4;
    type Word = L::Vector;
    type Single = Scalar;

    #[inline(always)]
    fn single(self) -> Scalar {
        Scalar
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> L::Vector {
        self.0.splat(x.montgomery())
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> L::Vector {
        let xs: &[KoalaBear; 4] = xs.try_into().expect("four lanes");
        self.0.load(xs.map(KoalaBear::montgomery))
    }

    #[inline(always)]
    fn store(self, word: &L::Vector, out: &mut [KoalaBear]) {
        out.copy_from_slice(&self.0.store(*word).map(KoalaBear::from_reduced_montgomery));
    }

    #[inline(always)]
    fn add(self, a: &L::Vector, b: &L::Vector) -> L::Vector {
        super::packed::add(self.0, *a, *b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &L::Vector, b: &L::Vector) -> L::Vector {
        let mask = [0, 1, 2, 3].map(|lane| (lanes >> lane & 1).wrapping_neg());
        self.0.select(self.0.load(mask), *a, *b)
    }

    fn permute16(self, version: Version, state: &mut [L::Vector; 16]) {
        match version {
            Version::One => poseidon1_16(self.0, state),
            Version::Two => poseidon2_16(self.0, state),
        }
    }

    fn permute24(self, version: Version, state: &mut [L::Vector; 24]) {
        match version {
            Version::One => poseidon1_24(self.0, state),
            Version::Two => poseidon2_24(self.0, state),
        }
    }

    #[inline(always)]
    fn two_digits(self, n: &[u64]) -> [L::Vector; 2] {
        let n: &[u64; 4] = n.try_into().expect("four lanes");
        let digits = n.map(two_digits);
        [self.0.load(digits.map(|[low, _]| low)), self.0.load(digits.map(|[_, high]| high))]
    }

    #[inline(always)]
    fn from_u128(self, high: &[u64], low: &[u64]) -> L::Vector {
        let (high, low): (&[u64; 4], &[u64; 4]) =
            (high.try_into().expect("four lanes"), low.try_into().expect("four lanes"));
        let words = [0, 1, 2, 3].map(|lane| from_u128(high[lane], low[lane]));
        self.0.load(words)
    }
}

/// Poseidon1, width 16.
#[inline(never)]
fn poseidon1_16<L: Four>(lanes: L, state: &mut [L::Vector; 16]) {
    let mut x = *state;
    poseidon1::permute::<L, 16, 4, true>(lanes, &mut x, poseidon1::tables_16());
    *state = x;
}

/// Poseidon1, width 24.
#[inline(never)]
fn poseidon1_24<L: Four>(lanes: L, state: &mut [L::Vector; 24]) {
    let mut x = *state;
    poseidon1::permute::<L, 24, 6, false>(lanes, &mut x, poseidon1::tables_24());
    *state = x;
}

/// Poseidon2, width 16.
#[inline(never)]
fn poseidon2_16<L: Four>(lanes: L, state: &mut [L::Vector; 16]) {
    let mut x = *state;
    poseidon2::permute(lanes, poseidon2::Width16, &mut x, &poseidon2::TABLES_16);
    *state = x;
}

/// Poseidon2, width 24.
#[inline(never)]
fn poseidon2_24<L: Four>(lanes: L, state: &mut [L::Vector; 24]) {
    let mut x = *state;
    poseidon2::permute(lanes, poseidon2::Width24, &mut x, &poseidon2::TABLES_24);
    *state = x;
}

/// The Montgomery words of both base-`p` digits of `n < 2^60`, least significant first.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "both digits are below 2^32")]
fn two_digits(n: u64) -> [u32; 2] {
    // With h = floor(n / 2^28) < 2^32 and m = floor(2^62 / p) < 2^32, h m / 2^34 is at most n / p, and less than that by
    // at most n / 2^62 + 2^28 / p < 0.38. So its floor is the quotient or one less.
    const M: u64 = (1 << 62) / P as u64;
    let quotient = ((n >> 28) * M) >> 34;
    let rest = n - quotient * u64::from(P);
    let more = u64::from(rest >= u64::from(P));
    [rest - more * u64::from(P), quotient + more].map(|digit| KoalaBear::new(digit as u32).montgomery())
}

/// `2^32` as an element.
const SHIFT: KoalaBear = KoalaBear::new(1 << 31).add(KoalaBear::new(1 << 31));

/// The Montgomery word of the residue of `high * 2^64 + low`. Time: independent of values.
#[inline(always)]
fn from_u128(high: u64, low: u64) -> u32 {
    /// `2^(32 i + 64) mod p`: its product with limb `i`, reduced, is the Montgomery word of limb times `2^(32 i)`.
    const POWERS: [u64; 4] = [
        SHIFT.montgomery() as u64,
        SHIFT.mul(SHIFT).montgomery() as u64,
        SHIFT.cube().montgomery() as u64,
        SHIFT.cube().mul(SHIFT).montgomery() as u64,
    ];
    // Each product is below 2^32 p, so a sum of two folded integers is below 2^33 p and folds to below 2^32 p.
    let lower = fold((low & 0xffff_ffff) * POWERS[0] + (low >> 32) * POWERS[1]);
    let upper = fold((high & 0xffff_ffff) * POWERS[2] + (high >> 32) * POWERS[3]);
    KoalaBear::from_wide(fold(lower + upper)).montgomery()
}

/// `x` or `x - 2^32 p`, whichever is smaller as an unsigned integer.
#[inline(always)]
fn fold(x: u64) -> u64 {
    let less = x.wrapping_sub(u64::from(P) << 32);
    if less < x { less } else { x }
}
