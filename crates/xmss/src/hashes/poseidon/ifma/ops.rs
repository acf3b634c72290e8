//! Arithmetic on eight KoalaBear residues in 64-bit lanes, with the 52-bit products of AVX-512 IFMA.
//!
//! A lane stands for the residue `value / R mod p` with `R = 2^52` (the *R form*), and is any integer of that class:
//! nothing is brought below `p` until it is stored. docs/koalabear.md sections 1 to 3 have the proofs.
//!
//! The operations form a trait, [`ResidueLanes`], because the permutations are run on two kinds of value: on vectors
//! ([`Vector`]), and, in tests, on intervals, which proves the bounds of the very code that ships.
#![allow(
    unsafe_code,
    reason = "value intrinsics are entered on the strength of the witness; loads and stores"
)]

use core::arch::x86_64::*;
use phalanx_core::simd::Ifma;

/// The modulus.
pub(super) const P: u64 = crate::fields::koala_bear::P as u64;

/// Mask of the 52 bits that a product reads and of its low half.
pub(super) const LOW: u64 = (1 << 52) - 1;

/// `R mod p`, the R form of one.
pub(super) const R: u64 = (1 << 52) % P;

/// `-p^-1 mod 2^52`.
pub(super) const NEGATED_INVERSE: u64 = {
    // Newton: each step doubles the number of correct low bits; p is odd, so the start is right modulo 8.
    let mut inverse = P;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(P.wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg() & LOW
};

/// `1 - R^-1 mod p`: what the carry-free product and [`ResidueLanes::mul_const`] lose, given back through the start
/// value.
pub(super) const CARRY: u64 = sub_mod(1, inverse_mod(R));

/// Sum modulo `p` of two residues below `p`.
pub(super) const fn add_mod(a: u64, b: u64) -> u64 {
    (a + b) % P
}

/// Difference modulo `p` of two residues below `p`.
pub(super) const fn sub_mod(a: u64, b: u64) -> u64 {
    (a + P - b) % P
}

/// Product modulo `p` of two residues below `2^32`.
pub(super) const fn mul_mod(a: u64, b: u64) -> u64 {
    a * b % P
}

/// Power modulo `p`.
pub(super) const fn pow_mod(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul_mod(result, base);
        }
        base = mul_mod(base, base);
        exponent >>= 1;
    }
    result
}

/// Inverse modulo `p`; zero for zero.
pub(super) const fn inverse_mod(a: u64) -> u64 {
    pow_mod(a, P - 2)
}

/// The R form, below `p`, of a residue below `2^32`.
pub(super) const fn form(x: u64) -> u64 {
    mul_mod(x % P, R)
}

/// A row of canonical residues in R form.
pub(super) const fn forms<const T: usize>(row: &[u32; T]) -> [u64; T] {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = form(row[i] as u64);
        i += 1;
    }
    out
}

/// A known constant, prepared for [`ResidueLanes::mul_const`].
#[derive(Clone, Copy)]
pub(super) struct Factor {
    /// `m R mod p`.
    pub(super) c: u64,
    /// `-c p^-1 mod 2^52`.
    pub(super) q: u64,
}

impl Factor {
    /// The factor `m`, a residue below `2^32`.
    pub(super) const fn new(m: u64) -> Self {
        let c = form(m);
        Self { c, q: c.wrapping_mul(NEGATED_INVERSE) & LOW }
    }

    /// One: [`ResidueLanes::mul_const`] with it is a range reduction.
    pub(super) const ONE: Self = Self::new(1);
}

/// Eight lanes, or what is known about a lane.
///
/// The provided methods are the formulas; an implementation for intervals replaces them by their bounds.
pub(super) trait ResidueLanes: Copy {
    /// One word of eight states.
    type V: Copy;

    /// The same integer in every lane.
    fn splat(self, x: u64) -> Self::V;

    /// `a + b`, below `2^64`.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a - b`. Wherever the result is more than an operand of `lo` or `hi`, `a >= b`.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;

    /// `c + a b mod 2^52`, where of `a` and `b` the low 52 bits are read.
    fn lo(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// `c + floor(a b / 2^52)`, where of `a` and `b` the low 52 bits are read.
    fn hi(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// `floor(x / 2^52)`: the carries out of a sum of low halves.
    fn carries(self, x: Self::V) -> Self::V;

    /// `start - CARRY + a b / R (mod p)`, at most `start + floor(a b / 2^52) + p`. Inputs: below `2^52`.
    ///
    /// Four operations (docs/koalabear.md section 2). With `start = CARRY + k` a constant is added for nothing. The
    /// kernels need only its special cases below, whose bounds the tests derive from it.
    #[cfg(test)]
    fn mul(self, start: Self::V, a: Self::V, b: Self::V) -> Self::V {
        let l = self.lo(self.splat(1), a, b);
        let q = self.lo(self.splat(0), l, self.splat(NEGATED_INVERSE));
        self.hi(self.hi(start, a, b), q, self.splat(P))
    }

    /// `start - CARRY + x^3 / R^2 (mod p)`: the third power in R form. Input: below `2^48`.
    ///
    /// With `r = p + CARRY + floor(x^2 / 2^52)` the result is at most `start + p + floor(r x / 2^52)`. Seven operations
    /// (docs/koalabear.md section 2): `n = -x/p` serves the quotients of both products.
    #[inline(always)]
    fn cube(self, start: Self::V, x: Self::V) -> Self::V {
        cube(self, start, x)
    }

    /// `acc - CARRY + m x (mod p)`, at most `acc + floor(c x / 2^52) + p < acc + x / 2^21 + p`. Input: `x < 2^52`.
    ///
    /// Three operations (docs/koalabear.md section 3).
    #[inline(always)]
    fn mul_const(self, acc: Self::V, x: Self::V, m: &Factor) -> Self::V {
        mul_const(self, acc, x, m)
    }

    /// [`ResidueLanes::mul_const`] for a constant with `c x < 2^52`, whose upper half is nothing: two operations.
    #[inline(always)]
    fn mul_small_const(self, acc: Self::V, x: Self::V, m: &Factor) -> Self::V {
        mul_small_const(self, acc, x, m)
    }

    /// `start - CARRY + (low + 2^52 high) / R (mod p)` for a sum of products in two accumulators; at most
    /// `start + high + floor(low / 2^52) + p`.
    #[inline(always)]
    fn fold(self, high: Self::V, low: Self::V) -> Self::V {
        fold(self, high, low)
    }
}

// The formulas behind the methods of these names.

#[inline(always)]
fn cube<A: ResidueLanes>(a: A, start: A::V, x: A::V) -> A::V {
    cube_from(a, a.splat(CARRY), start, x)
}

/// The third power with the accumulator of the first product given, too.
#[inline(always)]
pub(super) fn cube_from<A: ResidueLanes>(a: A, first: A::V, start: A::V, x: A::V) -> A::V {
    let (ni, p) = (a.splat(NEGATED_INVERSE), a.splat(P));
    let n = a.lo(a.splat(0), x, ni);
    let q = a.lo(ni, x, n);
    let r = a.hi(a.hi(first, x, x), q, p);
    let q = a.lo(ni, r, n);
    a.hi(a.hi(start, r, x), q, p)
}

#[inline(always)]
fn mul_const<A: ResidueLanes>(a: A, acc: A::V, x: A::V, m: &Factor) -> A::V {
    let q = a.lo(a.splat(NEGATED_INVERSE), x, a.splat(m.q));
    a.hi(a.hi(acc, x, a.splat(m.c)), q, a.splat(P))
}

#[inline(always)]
fn mul_small_const<A: ResidueLanes>(a: A, acc: A::V, x: A::V, m: &Factor) -> A::V {
    let q = a.lo(a.splat(NEGATED_INVERSE), x, a.splat(m.q));
    a.hi(acc, q, a.splat(P))
}

#[inline(always)]
fn fold<A: ResidueLanes>(a: A, high: A::V, low: A::V) -> A::V {
    let ni = a.splat(NEGATED_INVERSE);
    let q = a.lo(ni, low, ni);
    a.hi(a.add(high, a.carries(low)), q, a.splat(P))
}

/// Methods of [`Vector`] that are formulas of several instructions. Each is a function that carries the features: the
/// compiler simplifies it before it inlines it. Left to the trait, every instruction would be inlined by itself in every
/// place, from a call that passes vectors through memory, and that was most of the work of compiling a kernel.
macro_rules! formulas {
    ($($name:ident($($operand:ident: $type:ty),+);)+) => {$(
        #[inline(always)]
        fn $name(self, $($operand: $type),+) -> __m512i {
            #[inline]
            #[target_feature(enable = "avx512f,avx512ifma")]
            fn compiled(v: Vector, $($operand: $type),+) -> __m512i {
                $name(v, $($operand),+)
            }
            // SAFETY: the witness proves AVX-512 IFMA.
            unsafe { compiled(self, $($operand),+) }
        }
    )+};
}
pub(super) use formulas;

/// Vectors of eight lanes, on the strength of the witness.
///
/// The methods are `inline(always)` and carry no target feature: they end up inside the one `#[target_feature]`
/// function that enters a kernel, and exist only there.
#[derive(Clone, Copy)]
pub(super) struct Vector(pub(super) Ifma);

impl Vector {
    /// Eight lanes from memory.
    #[inline(always)]
    pub(super) fn load(self, lanes: &[u64; 8]) -> __m512i {
        // SAFETY: the reference covers 64 readable bytes, the load asks for no alignment, and the witness proves
        // AVX-512.
        unsafe { _mm512_loadu_epi64(lanes.as_ptr().cast()) }
    }

    /// Eight lanes into memory.
    #[inline(always)]
    pub(super) fn store(self, v: __m512i, lanes: &mut [u64; 8]) {
        // SAFETY: the reference covers 64 writable bytes, the store asks for no alignment, and the witness proves
        // AVX-512.
        unsafe { _mm512_storeu_epi64(lanes.as_mut_ptr().cast(), v) }
    }
}

impl ResidueLanes for Vector {
    type V = __m512i;

    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a bit pattern")]
    fn splat(self, x: u64) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_set1_epi64(x as i64) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn lo(self, c: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52lo_epu64(c, a, b) }
    }

    #[inline(always)]
    fn hi(self, c: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52hi_epu64(c, a, b) }
    }

    #[inline(always)]
    fn carries(self, x: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_srli_epi64::<52>(x) }
    }

    formulas! {
        cube(start: __m512i, x: __m512i);
        mul_const(acc: __m512i, x: __m512i, m: &Factor);
        mul_small_const(acc: __m512i, x: __m512i, m: &Factor);
        fold(high: __m512i, low: __m512i);
    }
}
