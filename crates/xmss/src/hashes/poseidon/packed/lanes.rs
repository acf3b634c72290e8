//! Field operations on packed words, and what both permutations build of them.

use crate::fields::koala_bear::{KoalaBear, P};
use phalanx_core::lanes::{MinLanes, WordLanes};

/// A vector of 32-bit words, one of every lane.
pub(super) type Vector<L> = <<L as FieldLanes>::Words as WordLanes<u32>>::Vector;

/// Field operations on vectors of 32-bit words; the implementor holds a witness that its instructions exist.
pub(crate) trait FieldLanes: Copy {
    /// What works on the words as integers.
    type Words: MinLanes;

    /// A vector made ready for [`product`](Self::product).
    type Factor: Copy;

    /// One 64-bit integer of every lane.
    type Wide: Copy;

    /// A third power half computed.
    type Square: Copy;

    /// Whether the square of the next word is written before a cube is completed, where all words take an S-box: the
    /// steps of a cube wait for each other, and two cubes under way use the gaps.
    const AHEAD: bool = false;

    /// The words as integers.
    fn words(self) -> Self::Words;

    /// The smaller one of two words as unsigned integers: a reduced word, wherever the algorithm asks for it.
    #[inline(always)]
    fn lesser(self, a: Vector<Self>, b: Vector<Self>) -> Vector<Self> {
        self.words().min(a, b)
    }

    /// `x` or `x - p`, whichever is reduced. `x < 2 p`.
    #[inline(always)]
    fn less_one_p(self, x: Vector<Self>) -> Vector<Self> {
        // Subtracting p wraps around to a larger value exactly if x is below p.
        self.lesser(x, self.words().sub(x, self.words().splat(P)))
    }

    /// `x` or `x + p`, whichever is reduced. `x`: a signed integer in `-p..p`.
    #[inline(always)]
    fn plus_one_p(self, x: Vector<Self>) -> Vector<Self> {
        // Negative integers are above 2^31 as unsigned ones, and adding p brings them below p; others grow.
        self.lesser(x, self.words().add(x, self.words().splat(P)))
    }

    /// `x`, to be read from memory where it is used. A compiler that may read it once for a whole loop loads all of
    /// it, runs out of registers, and writes it to another place.
    #[inline(always)]
    fn in_memory<A>(self, x: &A) -> &A {
        x
    }

    /// Sum of reduced words, reduced.
    #[inline(always)]
    fn add(self, a: Vector<Self>, b: Vector<Self>) -> Vector<Self> {
        add(self, a, b)
    }

    /// Difference of reduced words, reduced.
    #[inline(always)]
    fn sub(self, a: Vector<Self>, b: Vector<Self>) -> Vector<Self> {
        sub(self, a, b)
    }

    /// The reduced word of a signed integer in `-p..p`.
    #[inline(always)]
    fn reduced(self, x: Vector<Self>) -> Vector<Self> {
        reduced(self, x)
    }

    /// The Montgomery word of the third power, between `-p` and `p` (excluded), as a signed integer.
    ///
    /// Input: a signed integer between `-p` and `p` (both included).
    ///
    /// With `x` the input, a signed Montgomery product gives `r = x^2 / 2^32 - m` with `|m| <= p / 2`, so
    /// `|r| <= p^2 / 2^32 + p / 2 < 0.9961 p`, and then `|r x| / 2^32 + p / 2 < 0.9942 p`.
    #[inline(always)]
    fn cube(self, x: Vector<Self>) -> Vector<Self> {
        self.times_root(self.square(x))
    }

    /// The first half of [`cube`](Self::cube), for callers that have other work to write between the halves.
    fn square(self, x: Vector<Self>) -> Self::Square;

    /// The second half.
    fn times_root(self, x: Self::Square) -> Vector<Self>;

    /// [`times_root`](Self::times_root), with the lanes in an order that is the old one after an even number of times.
    #[inline(always)]
    fn times_root_in_some_order(self, x: Self::Square) -> Vector<Self> {
        self.times_root(x)
    }

    /// `x / 2^N` of a reduced word, between `-p` (excluded) and `p / 2^N` as a signed integer. `N <= 24`, `REST = 32 - N`.
    ///
    /// With `l` the low `N` bits of `x` and `h` the others, `x = 2^N h + l`. As `2^31 - 2^24 = -1 mod p`, the quotient is
    /// `h - l (2^(31-N) - 2^(24-N))`, where `0 <= h <= p / 2^N` and the subtrahend is at most `p - 1 - 127 * 2^(24-N)`.
    #[inline(always)]
    fn divide<const N: i32, const REST: i32>(self, x: Vector<Self>) -> Vector<Self> {
        divide_by_shifts::<Self, N, REST>(self, x)
    }

    /// `x * constant / 2^32`, between `-p` and `p` (both excluded), as a signed integer. `x`, `constant`: reduced.
    fn scale(self, x: Vector<Self>, constant: Constant) -> Vector<Self>;

    /// Makes `x` ready for products.
    fn factor(self, x: Vector<Self>) -> Self::Factor;

    /// `x * constant`, both signed.
    fn product(self, x: Self::Factor, constant: u32) -> Self::Wide;

    /// The same integer in every lane.
    fn splat_wide(self, x: u64) -> Self::Wide;

    /// `a + b`.
    fn add_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// `a - b`.
    fn sub_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// `x` or `x - 2^32 p`, whichever is smaller as an unsigned integer.
    fn fold(self, x: Self::Wide) -> Self::Wide;

    /// `x / 2^32 mod p`, between `-p` and `p` (excluded), as a signed integer. `x < 2^32 p`.
    fn reduce(self, x: Self::Wide) -> Vector<Self>;
}

/// A constant for [`FieldLanes::scale`].
#[derive(Clone, Copy)]
pub(crate) struct Constant {
    /// The Montgomery word.
    pub(super) word: u32,
    /// `word / p mod 2^32`.
    pub(super) quotient: u32,
}

/// `1 / p mod 2^32`.
pub(super) const P_INVERSE: u32 = 0x8100_0001;
const _: () = assert!(P.wrapping_mul(P_INVERSE) == 1);

impl Constant {
    /// Multiplication by `x`.
    pub(super) const fn new(x: KoalaBear) -> Self {
        Self { word: x.montgomery(), quotient: x.montgomery().wrapping_mul(P_INVERSE) }
    }
}

/// [`FieldLanes::add`].
#[inline(always)]
pub(super) fn add<L: FieldLanes>(lanes: L, a: Vector<L>, b: Vector<L>) -> Vector<L> {
    // Below 2 p < 2^32.
    lanes.less_one_p(lanes.words().add(a, b))
}

/// [`FieldLanes::sub`].
#[inline(always)]
pub(super) fn sub<L: FieldLanes>(lanes: L, a: Vector<L>, b: Vector<L>) -> Vector<L> {
    lanes.reduced(lanes.words().sub(a, b))
}

/// [`FieldLanes::reduced`].
#[inline(always)]
pub(super) fn reduced<L: FieldLanes>(lanes: L, x: Vector<L>) -> Vector<L> {
    lanes.plus_one_p(x)
}

/// [`FieldLanes::divide`] in shifts and sums.
#[inline(always)]
pub(super) fn divide_by_shifts<L: FieldLanes, const N: i32, const REST: i32>(
    lanes: L,
    x: Vector<L>,
) -> Vector<L> {
    const { assert!(N > 0 && N <= 24 && N + REST == 32) };
    let words = lanes.words();
    let l = words.shift_left::<REST>(x);
    let plus = words.add(words.shift_right::<N>(x), words.shift_right::<8>(l));
    words.sub(plus, words.shift_right::<1>(l))
}

/// `x / 2^N` of a reduced word, reduced. `N <= 24`, `REST = 32 - N`.
#[inline(always)]
pub(super) fn divided<L: FieldLanes, const N: i32, const REST: i32>(lanes: L, x: Vector<L>) -> Vector<L> {
    lanes.reduced(lanes.divide::<N, REST>(x))
}

/// `1/2`.
pub(super) const HALF: KoalaBear = KoalaBear::new(P.div_ceil(2));

/// A round constant as the word that [`sbox`] adds: the Montgomery word less `p`, a signed integer in `-p..0`.
pub(super) const fn round_constant(x: KoalaBear) -> u32 {
    x.montgomery().wrapping_sub(P)
}

/// The S-box on a reduced word after adding a [`round_constant`]. Output: reduced.
#[inline(always)]
pub(super) fn sbox<L: FieldLanes>(lanes: L, x: Vector<L>, constant: u32) -> Vector<L> {
    lanes.reduced(lanes.cube(lanes.words().add(x, lanes.words().splat(constant))))
}

/// The S-box on every word after adding a [`round_constant`]; it may order the lanes anew as [`FieldLanes::times_root_in_some_order`] does.
#[inline(always)]
pub(super) fn sboxes<L: FieldLanes, const T: usize>(lanes: L, x: &mut [Vector<L>; T], constants: &[u32; T]) {
    every_sbox(lanes, x, Some(constants));
}

/// The same without constants, on integers between `-p` and `p`.
#[cfg(any(target_arch = "x86_64", test))]
#[inline(always)]
pub(super) fn cubes<L: FieldLanes, const T: usize>(lanes: L, x: &mut [Vector<L>; T]) {
    every_sbox(lanes, x, None);
}

#[inline(always)]
fn every_sbox<L: FieldLanes, const T: usize>(lanes: L, x: &mut [Vector<L>; T], constants: Option<&[u32; T]>) {
    // By hand: the compiler does not unroll a loop with so large a body.
    if const { !L::AHEAD } {
        for block in 0..T / 4 {
            let i = 4 * block;
            x[i] = ended(lanes, begun(lanes, x, constants, i));
            x[i + 1] = ended(lanes, begun(lanes, x, constants, i + 1));
            x[i + 2] = ended(lanes, begun(lanes, x, constants, i + 2));
            x[i + 3] = ended(lanes, begun(lanes, x, constants, i + 3));
        }
        return;
    }
    let mut square = begun(lanes, x, constants, 0);
    for block in 0..T / 4 {
        let i = 4 * block;
        let next = begun(lanes, x, constants, i + 1);
        x[i] = ended(lanes, square);
        square = begun(lanes, x, constants, i + 2);
        x[i + 1] = ended(lanes, next);
        let next = begun(lanes, x, constants, i + 3);
        x[i + 2] = ended(lanes, square);
        if i + 4 < T {
            square = begun(lanes, x, constants, i + 4);
        }
        x[i + 3] = ended(lanes, next);
    }
}

/// The first half of [`sbox`] on word `i`.
#[inline(always)]
fn begun<L: FieldLanes, const T: usize>(
    lanes: L,
    x: &[Vector<L>; T],
    constants: Option<&[u32; T]>,
    i: usize,
) -> L::Square {
    match constants {
        Some(constants) => lanes.square(lanes.words().add(x[i], lanes.words().splat(constants[i]))),
        None => lanes.square(x[i]),
    }
}

/// The second half, in the order of [`FieldLanes::times_root_in_some_order`].
#[inline(always)]
fn ended<L: FieldLanes>(lanes: L, square: L::Square) -> Vector<L> {
    lanes.reduced(lanes.times_root_in_some_order(square))
}

/// `2^32` as an element.
pub(super) const SHIFT: KoalaBear = KoalaBear::new(1 << 31).add(KoalaBear::new(1 << 31));

/// `2^(32 i + 64) mod p`: its product with limb `i` of a 128-bit integer, reduced, is the Montgomery word of limb times
/// `2^(32 i)`. A product is below `2^32 p`, so the sum of two folds to below `2^32 p`, and so does the sum of two such.
pub(super) const POWERS: [u32; 4] = [
    SHIFT.montgomery(),
    SHIFT.mul(SHIFT).montgomery(),
    SHIFT.cube().montgomery(),
    SHIFT.cube().mul(SHIFT).montgomery(),
];

/// `floor(2^62 / p)`, below `2^32`, for the digits of `n < 2^60`: with `h = floor(n / 2^28) < 2^32`, `h m / 2^34` is at
/// most `n / p`, and less than that by at most `n / 2^62 + 2^28 / p < 0.38`. So its floor is the quotient or one less.
pub(super) const RECIPROCAL: u64 = (1 << 62) / P as u64;
