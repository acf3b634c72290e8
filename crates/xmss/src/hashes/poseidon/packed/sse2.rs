//! Lanes of the packed permutations on SSE2, which every CPU of x86-64 has: portable code is faster four states at a time.
//!
//! SSE2 multiplies unsigned words only, and has no minimum of words. So what is multiplied is reduced first, a reduction adds
//! a multiple of `p` instead of subtracting one, and corrections are chosen by a sign.
#![allow(unsafe_code, reason = "intrinsics of what every CPU of the target has")]
#![allow(unused_unsafe, reason = "such intrinsics are safe in newer compilers")]

use super::super::portable::Scalar;
use super::engine::Packed;
use super::four::{Four, FourLanes};
use super::halves::{self, HalfLanes};
use super::lanes::{Constant, FieldLanes, P_INVERSE, divide_by_shifts};
use crate::fields::koala_bear::P;
use core::arch::x86_64::*;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Sse2;

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    witness: Sse2,
    p: __m128i,
    /// `-1 / p mod 2^32`.
    inverse: __m128i,
}

/// The engine of any CPU of x86-64.
pub(crate) fn engine(witness: Sse2) -> Packed<Four<Lanes>, Scalar> {
    /// Loaded as if they could change: the compiler that knows them turns each product into four shifts and sums.
    static CONSTANTS: [u32; 2] = [P, P_INVERSE.wrapping_neg()];
    // SAFETY: a reference to a static is valid for reads.
    let [p, inverse] = unsafe { core::ptr::read_volatile(&raw const CONSTANTS) }.map(u32::cast_signed);
    // SAFETY: x86-64 has SSE2.
    let [p, inverse] = unsafe { [_mm_set1_epi32(p), _mm_set1_epi32(inverse)] };
    Packed(Four(Lanes { witness, p, inverse }), Scalar)
}

/// Products exist for every other lane: a vector keeps the words of the even and one those of the odd lanes, in 64 bits each.
type Halves = [__m128i; 2];

/// One integer of every lane: `halves` without what `more` takes from their upper words.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    halves: Halves,
    more: __m128i,
}

impl Wide {
    /// The integers.
    #[inline(always)]
    fn halves(self) -> Halves {
        // SAFETY: x86-64 has SSE2.
        unsafe {
            let upper = _mm_set1_epi64x(-1 << 32);
            let more = [_mm_slli_epi64::<32>(self.more), _mm_and_si128(self.more, upper)];
            differences(self.halves, more)
        }
    }
}

impl From<Halves> for Wide {
    #[inline(always)]
    fn from(halves: Halves) -> Self {
        // SAFETY: x86-64 has SSE2.
        Self { halves, more: unsafe { _mm_setzero_si128() } }
    }
}

/// A square reduced and what it is the square of, as factors.
#[derive(Clone, Copy)]
pub(crate) struct Square {
    roots: Halves,
    squares: Halves,
}

/// Products of the lower words.
#[inline(always)]
fn products(a: Halves, b: Halves) -> Halves {
    // SAFETY: x86-64 has SSE2.
    unsafe { [_mm_mul_epu32(a[0], b[0]), _mm_mul_epu32(a[1], b[1])] }
}

#[inline(always)]
fn sums(a: Halves, b: Halves) -> Halves {
    // SAFETY: x86-64 has SSE2.
    unsafe { [_mm_add_epi64(a[0], b[0]), _mm_add_epi64(a[1], b[1])] }
}

#[inline(always)]
fn differences(a: Halves, b: Halves) -> Halves {
    // SAFETY: x86-64 has SSE2.
    unsafe { [_mm_sub_epi64(a[0], b[0]), _mm_sub_epi64(a[1], b[1])] }
}

/// `x` plus the multiple of `p` below `2^32 p` that makes it a multiple of `2^32`.
#[inline(always)]
fn quotient_added(lanes: Lanes, x: Halves) -> Halves {
    let quotients = products(x, [lanes.inverse; 2]);
    sums(x, products(quotients, [lanes.p; 2]))
}

/// The words of the odd lanes where factors are.
#[inline(always)]
fn odd(x: __m128i) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_srli_epi64::<32>(x) }
}

/// The upper words of both halves, lanes 0, 2, 1, 3.
#[inline(always)]
fn upper_words_in_some_order([a, b]: Halves) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(_mm_castsi128_ps(a), _mm_castsi128_ps(b))) }
}

/// The upper words of both halves in their lanes.
#[inline(always)]
fn upper_words(x: Halves) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_shuffle_epi32::<0b11_01_10_00>(upper_words_in_some_order(x)) }
}

/// `addend` in the lanes where `x` is negative, added to `x`.
#[inline(always)]
fn add_to_negative(x: __m128i, addend: __m128i) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_add_epi32(x, _mm_and_si128(_mm_srai_epi32::<31>(x), addend)) }
}

/// The third power over `2^64`, in the upper words and below `1.75 p`: with `p < 0.4961 * 2^32` a square is reduced to at most
/// `1.4961 p`, its product with the root and a multiple of `p` below `2^32 p` are below `2^64`.
#[inline(always)]
fn cubes(lanes: Lanes, Square { roots, squares }: Square) -> Halves {
    quotient_added(lanes, products(squares, roots))
}

/// Less `p`, as [`FieldLanes::cube`] has it.
#[inline(always)]
fn less_p(lanes: Lanes, x: __m128i) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_sub_epi32(x, lanes.p) }
}

impl FieldLanes for Lanes {
    type Words = Sse2;
    type Factor = Halves;
    type Wide = Wide;
    type Square = Square;

    /// Width 16 gains 1.5 %, width 24 loses 1 % (Zen 4, 2026-11).
    const AHEAD: bool = true;

    #[inline(always)]
    fn words(self) -> Sse2 {
        self.witness
    }

    #[inline(always)]
    fn less_one_p(self, x: __m128i) -> __m128i {
        add_to_negative(less_p(self, x), self.p)
    }

    #[inline(always)]
    fn plus_one_p(self, x: __m128i) -> __m128i {
        add_to_negative(x, self.p)
    }

    #[inline(always)]
    fn square(self, x: __m128i) -> Square {
        let x = self.plus_one_p(x);
        let roots = [x, odd(x)];
        let [a, b] = quotient_added(self, products(roots, roots));
        Square { roots, squares: [odd(a), odd(b)] }
    }

    #[inline(always)]
    fn times_root(self, x: Square) -> __m128i {
        less_p(self, upper_words(cubes(self, x)))
    }

    #[inline(always)]
    fn times_root_in_some_order(self, x: Square) -> __m128i {
        less_p(self, upper_words_in_some_order(cubes(self, x)))
    }

    #[inline(always)]
    fn divide<const N: i32, const REST: i32>(self, x: __m128i) -> __m128i {
        if N != 16 {
            return divide_by_shifts::<_, N, REST>(self, x);
        }
        // The lower half less 2^15, as a signed integer, and the upper one, in one product of halves.
        const STEP: i32 = 127 << 8;
        // SAFETY: x86-64 has SSE2.
        unsafe {
            let biased = _mm_xor_si128(x, _mm_set1_epi32(1 << 15));
            let factors = _mm_set1_epi32(halves::halves(-STEP, 1).cast_signed());
            _mm_sub_epi32(_mm_madd_epi16(biased, factors), _mm_set1_epi32(STEP << 15))
        }
    }

    #[inline(always)]
    fn scale(self, x: __m128i, constant: Constant) -> __m128i {
        let [word, quotient] = [constant.word, constant.quotient].map(|word| {
            // SAFETY: x86-64 has SSE2.
            unsafe { [_mm_set1_epi32(word.cast_signed()); 2] }
        });
        let x = [x, odd(x)];
        let multiples = products(products(x, quotient), [self.p; 2]);
        upper_words(differences(products(x, word), multiples))
    }

    #[inline(always)]
    fn factor(self, x: __m128i) -> Halves {
        [x, odd(x)]
    }

    #[inline(always)]
    fn product(self, x: Halves, constant: u32) -> Wide {
        // SAFETY: x86-64 has SSE2.
        unsafe {
            let constant = _mm_set1_epi32(constant.cast_signed());
            // As a word a negative one is 2^32 more. The first half of a factor has the words of all lanes.
            let more = _mm_and_si128(x[0], _mm_srai_epi32::<31>(constant));
            Wide { halves: products(x, [constant; 2]), more }
        }
    }

    #[inline(always)]
    fn splat_wide(self, x: u64) -> Wide {
        // SAFETY: x86-64 has SSE2.
        Wide::from([unsafe { _mm_set1_epi64x(x.cast_signed()) }; 2])
    }

    #[inline(always)]
    fn add_wide(self, a: Wide, b: Wide) -> Wide {
        Wide { halves: sums(a.halves, b.halves), more: self.witness.add(a.more, b.more) }
    }

    #[inline(always)]
    fn sub_wide(self, a: Wide, b: Wide) -> Wide {
        Wide { halves: differences(a.halves, b.halves), more: self.witness.sub(a.more, b.more) }
    }

    #[inline(always)]
    fn fold(self, x: Wide) -> Wide {
        // SAFETY: x86-64 has SSE2.
        let p = unsafe { _mm_set1_epi64x(i64::from(P) << 32) };
        // The lower words stay: those of `2^32 p` are zero.
        let [a, b] = x.halves().map(|x| add_to_negative(self.witness.sub(x, p), p));
        Wide::from([a, b])
    }

    #[inline(always)]
    fn reduce(self, x: Wide) -> __m128i {
        less_p(self, upper_words(quotient_added(self, x.halves())))
    }
}

impl HalfLanes for Lanes {
    #[inline(always)]
    fn lower_halves(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_or_si128(_mm_and_si128(a, _mm_set1_epi32(0xffff)), _mm_slli_epi32::<16>(b)) }
    }

    #[inline(always)]
    fn upper_halves(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_or_si128(_mm_srli_epi32::<16>(a), _mm_and_si128(b, _mm_set1_epi32(-1 << 16))) }
    }

    #[inline(always)]
    fn product_of_halves(self, x: __m128i, constant: u32) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_madd_epi16(x, _mm_set1_epi32(constant.cast_signed())) }
    }
}

impl FourLanes for Lanes {
    #[inline(always)]
    fn poseidon1_16(self, x: &mut [__m128i; 16]) {
        halves::permute(self, x, halves::tables());
    }
}
