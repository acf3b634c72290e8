//! What a way of computing the permutations offers to the code above it.

use crate::fields::koala_bear::KoalaBear;

/// Which of the two permutations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// Poseidon, textbook form with a circulant matrix in every round.
    One,
    /// Poseidon2, with its cheap internal layer.
    Two,
}

/// Most lanes any engine has; scratch arrays are sized by it.
pub(crate) const MAX_LANES: usize = 16;

/// `LANES` instances of the permutations side by side.
///
/// A `Word` holds one state word of every lane in the engine's own representation. Words are made by [`splat`],
/// [`load`], [`two_digits`], [`from_u128`] or come out of a permutation, and may be added to one another up to 32 times
/// between permutations; engines document their bounds accordingly.
///
/// [`splat`]: Engine::splat
/// [`load`]: Engine::load
/// [`two_digits`]: Engine::two_digits
/// [`from_u128`]: Engine::from_u128
pub(crate) trait Engine: Copy {
    /// Number of instances side by side: 1, 4, 8 or 16.
    const LANES: usize;

    /// One field element of every lane.
    type Word: Copy;

    /// The engine for one instance alone, whose steps wait for one another.
    type Single: Engine;

    /// That engine.
    fn single(self) -> Self::Single;

    /// The same element in every lane.
    fn splat(self, x: KoalaBear) -> Self::Word;

    /// One element a lane. `xs` has exactly `LANES` elements.
    fn load(self, xs: &[KoalaBear]) -> Self::Word;

    /// The elements of all lanes. `out` has exactly `LANES` elements.
    fn store(self, word: &Self::Word, out: &mut [KoalaBear]);

    /// Lane by lane sum.
    fn add(self, a: &Self::Word, b: &Self::Word) -> Self::Word;

    /// Lane `i` of `a` where bit `i` of `lanes` is set, else of `b`.
    fn select(self, lanes: u32, a: &Self::Word, b: &Self::Word) -> Self::Word;

    /// The permutation of width 16.
    fn permute16(self, version: Version, state: &mut [Self::Word; 16]);

    /// The permutation of width 24.
    fn permute24(self, version: Version, state: &mut [Self::Word; 24]);

    /// The first eight words of `permute16(input) + input` (spec section 3.3).
    #[inline(always)]
    fn compress16(self, version: Version, input: &[Self::Word; 16]) -> [Self::Word; 8] {
        let mut state = *input;
        self.permute16(version, &mut state);
        core::array::from_fn(|i| self.add(&state[i], &input[i]))
    }

    /// The two base-`p` digits of each `n[lane] < 2^60`, least significant first. `n` has exactly `LANES` elements.
    #[inline(always)]
    fn two_digits(self, n: &[u64]) -> [Self::Word; 2] {
        let mut low = [KoalaBear::ZERO; MAX_LANES];
        let mut high = [KoalaBear::ZERO; MAX_LANES];
        for (lane, &n) in n.iter().enumerate() {
            [low[lane], high[lane]] = KoalaBear::digits(u128::from(n));
        }
        [self.load(&low[..Self::LANES]), self.load(&high[..Self::LANES])]
    }

    /// The residues of the 128-bit integers `high[lane] * 2^64 + low[lane]`. Time: independent of values.
    #[inline(always)]
    #[expect(clippy::wrong_self_convention, reason = "made from integers, by an engine")]
    fn from_u128(self, high: &[u64], low: &[u64]) -> Self::Word {
        let mut words = [KoalaBear::ZERO; MAX_LANES];
        for (lane, (&high, &low)) in high.iter().zip(low).enumerate() {
            words[lane] = KoalaBear::from_u128_parts(high, low);
        }
        self.load(&words[..Self::LANES])
    }
}
