//! Eight packed lanes of AVX2.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::engine::{Entry, Kernel, Packed};
use super::lanes::{Constant, FieldLanes, P_INVERSE, POWERS, RECIPROCAL, SHIFT, reduced};
use crate::fields::koala_bear::{KoalaBear, P};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// Products exist for every other lane: a vector `[even, odd]` keeps the words of the even and of the odd lanes.
type Halves = [__m256i; 2];

/// The witness with the two constants of every reduction.
///
/// They are loaded as if they could change: the compiler that knows them turns each product into four shifts and sums.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    witness: Avx2,
    p: __m256i,
    /// `1 / p mod 2^32`.
    inverse: __m256i,
}

impl Lanes {
    /// The lanes of a CPU with AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(witness: Avx2) -> Self {
        static CONSTANTS: [u32; 2] = [P, P_INVERSE];
        // SAFETY: a reference to a static is valid for reads.
        let [p, inverse] = unsafe { core::ptr::read_volatile(&raw const CONSTANTS) };
        let [p, inverse] = [p, inverse].map(u32::cast_signed);
        Self { witness, p: _mm256_set1_epi32(p), inverse: _mm256_set1_epi32(inverse) }
    }
}

impl FieldLanes for Lanes {
    type Words = Avx2;
    type Factor = Halves;
    type Wide = Halves;

    #[inline(always)]
    fn words(self) -> Avx2 {
        self.witness
    }

    #[inline(always)]
    fn cube(self, x: __m256i) -> __m256i {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe {
            let [even, odd] = self.factor(x);
            // The squares, reduced, in the upper words; then as the lower words of factors.
            let [a, b] = quotient_taken(self, [_mm256_mul_epi32(even, even), _mm256_mul_epi32(odd, odd)]);
            let (a, b) = (_mm256_shuffle_epi32::<0xf5>(a), _mm256_shuffle_epi32::<0xf5>(b));
            upper_words(self, quotient_taken(self, [_mm256_mul_epi32(a, even), _mm256_mul_epi32(b, odd)]))
        }
    }

    #[inline(always)]
    fn scale(self, x: __m256i, constant: Constant) -> __m256i {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe {
            let [even, odd] = self.factor(x);
            let (word, quotient, p) = (splat(self, constant.word), splat(self, constant.quotient), self.p);
            // The quotient x * word / p mod 2^32, known without waiting for the product.
            let (q, r) = (_mm256_mul_epu32(even, quotient), _mm256_mul_epu32(odd, quotient));
            let even = _mm256_sub_epi64(_mm256_mul_epu32(even, word), _mm256_mul_epu32(q, p));
            let odd = _mm256_sub_epi64(_mm256_mul_epu32(odd, word), _mm256_mul_epu32(r, p));
            upper_words(self, [even, odd])
        }
    }

    #[inline(always)]
    fn factor(self, x: __m256i) -> Halves {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        [x, unsafe { _mm256_shuffle_epi32::<0xf5>(x) }]
    }

    #[inline(always)]
    fn product(self, [even, odd]: Halves, constant: u32) -> Halves {
        let constant = splat(self, constant);
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe { [_mm256_mul_epi32(even, constant), _mm256_mul_epi32(odd, constant)] }
    }

    #[inline(always)]
    fn splat_wide(self, x: u64) -> Halves {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        let x = unsafe { _mm256_set1_epi64x(x.cast_signed()) };
        [x, x]
    }

    #[inline(always)]
    fn add_wide(self, a: Halves, b: Halves) -> Halves {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe { [_mm256_add_epi64(a[0], b[0]), _mm256_add_epi64(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub_wide(self, a: Halves, b: Halves) -> Halves {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe { [_mm256_sub_epi64(a[0], b[0]), _mm256_sub_epi64(a[1], b[1])] }
    }

    #[inline(always)]
    fn fold(self, x: Halves) -> Halves {
        let [p, _] = self.splat_wide(u64::from(P) << 32);
        // The lower words stay, so the smaller integer is the one with the smaller upper word.
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe {
            [
                _mm256_min_epu32(x[0], _mm256_sub_epi32(x[0], p)),
                _mm256_min_epu32(x[1], _mm256_sub_epi32(x[1], p)),
            ]
        }
    }

    #[inline(always)]
    fn reduce(self, x: Halves) -> __m256i {
        // SAFETY: `self` holds the proof that this CPU has AVX2.
        unsafe {
            let (p, inverse) = (self.p, self.inverse);
            let (q, r) = (_mm256_mul_epu32(x[0], inverse), _mm256_mul_epu32(x[1], inverse));
            upper_words(self, self.sub_wide(x, [_mm256_mul_epu32(q, p), _mm256_mul_epu32(r, p)]))
        }
    }
}

/// The same word in every lane.
#[inline(always)]
fn splat(_: Lanes, word: u32) -> __m256i {
    // SAFETY: the first argument holds the proof that this CPU has AVX2.
    unsafe { _mm256_set1_epi32(word.cast_signed()) }
}

/// `x - m` with `m` the multiple of `p`, between `-2^31 p` and `2^31 p`, that has the lower word of `x`: a multiple of
/// `2^32`, so the upper words are `(x - m) / 2^32`.
#[inline(always)]
fn quotient_taken(lanes: Lanes, x: Halves) -> Halves {
    let (p, inverse) = (lanes.p, lanes.inverse);
    // SAFETY: `lanes` holds the proof that this CPU has AVX2.
    unsafe {
        let (q, r) = (_mm256_mul_epu32(x[0], inverse), _mm256_mul_epu32(x[1], inverse));
        lanes.sub_wide(x, [_mm256_mul_epi32(q, p), _mm256_mul_epi32(r, p)])
    }
}

/// The upper words of both halves in their lanes.
#[inline(always)]
fn upper_words(_: Lanes, [even, odd]: Halves) -> __m256i {
    // SAFETY: the first argument holds the proof that this CPU has AVX2.
    unsafe { _mm256_blend_epi32::<0b1010_1010>(_mm256_shuffle_epi32::<0xf5>(even), odd) }
}

/// Eight reduced Montgomery words.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Word([KoalaBear; 8]);

/// The engine on a CPU with AVX2.
pub(crate) fn engine(witness: Avx2) -> Packed<Avx2> {
    Packed(witness)
}

impl Entry for Avx2 {
    type Lanes = Lanes;
    type Word = Word;

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) {
        #[target_feature(enable = "avx2")]
        #[inline(never)]
        fn run<K: Kernel<Avx2>>(witness: Avx2, kernel: K) {
            kernel.run(Lanes::new(witness));
        }
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { run(self, kernel) }
    }

    #[inline(always)]
    fn read(_: Lanes, word: &Word) -> __m256i {
        // SAFETY: the first argument holds the proof of AVX2; a word is 32 bytes at an address that 32 divides, by its
        // representation.
        unsafe { _mm256_load_si256((&raw const *word).cast()) }
    }

    #[inline(always)]
    fn write(_: Lanes, x: __m256i, word: &mut Word) {
        // SAFETY: the first argument holds the proof of AVX2; a word is 32 bytes at an address that 32 divides, by its
        // representation, and any reduced Montgomery words are valid elements.
        unsafe { _mm256_store_si256((&raw mut *word).cast(), x) };
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> Word {
        Word([x; 8])
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> Word {
        Word(xs.try_into().expect("eight lanes"))
    }

    #[inline(always)]
    fn store(self, word: &Word, out: &mut [KoalaBear]) {
        out.copy_from_slice(&word.0);
    }

    #[inline(always)]
    fn add(self, a: &Word, b: &Word) -> Word {
        Word(core::array::from_fn(|i| a.0[i].add(b.0[i])))
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &Word, b: &Word) -> Word {
        Word(core::array::from_fn(|i| if lanes >> i & 1 == 1 { a.0[i] } else { b.0[i] }))
    }

    fn two_digits(self, n: &[u64]) -> [Word; 2] {
        let n = n.try_into().expect("eight lanes");
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { two_digits(self, n) }
    }

    fn from_u128(self, high: &[u64], low: &[u64]) -> Word {
        let (high, low) = (high.try_into().expect("eight lanes"), low.try_into().expect("eight lanes"));
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { from_u128(self, high, low) }
    }
}

/// Both base-`p` digits of integers below `2^60`.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn two_digits(witness: Avx2, n: &[u64; 8]) -> [Word; 2] {
    let lanes = Lanes::new(witness);
    let [first, last] = quads(n);
    let ([a, b], [c, d]) = (quotient_and_rest(first), quotient_and_rest(last));
    // A digit below p times 2^64 mod p, reduced, is its Montgomery word.
    let square = _mm256_set1_epi64x(i64::from(SHIFT.montgomery()));
    let low = [_mm256_mul_epu32(b, square), _mm256_mul_epu32(d, square)];
    let high = [_mm256_mul_epu32(a, square), _mm256_mul_epu32(c, square)];
    [reduced_word(lanes, low), reduced_word(lanes, high)]
}

/// `floor(n / p)` and `n mod p` of integers below `2^60`.
#[inline]
#[target_feature(enable = "avx2")]
fn quotient_and_rest(n: __m256i) -> [__m256i; 2] {
    // The quotient or one less, see [`RECIPROCAL`].
    let m = _mm256_set1_epi64x(RECIPROCAL.cast_signed());
    let h = _mm256_srli_epi64::<28>(n);
    let quotient = _mm256_srli_epi64::<34>(_mm256_mul_epu32(h, m));
    let p = _mm256_set1_epi64x(i64::from(P));
    let rest = _mm256_sub_epi64(n, _mm256_mul_epu32(quotient, p));
    // Below 2 p: less p, it wraps around to a larger word exactly if it is below p; the quotient is right then.
    let low = _mm256_min_epu32(rest, _mm256_sub_epi32(rest, p));
    let right = _mm256_cmpeq_epi64(low, rest);
    [_mm256_add_epi64(_mm256_add_epi64(quotient, _mm256_set1_epi64x(1)), right), low]
}

/// The residues of 128-bit integers.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn from_u128(witness: Avx2, high: &[u64; 8], low: &[u64; 8]) -> Word {
    let lanes = Lanes::new(witness);
    let low = two_limbs(lanes, quads(low), POWERS[0], POWERS[1]);
    let high = two_limbs(lanes, quads(high), POWERS[2], POWERS[3]);
    reduced_word(lanes, lanes.fold(lanes.add_wide(low, high)))
}

/// The lower word of `x` times `a` plus the upper word times `b`, modulo `p` and below `2^32 p`. `a`, `b`: reduced.
#[inline]
#[target_feature(enable = "avx2")]
fn two_limbs(lanes: Lanes, x: Halves, a: u32, b: u32) -> Halves {
    let (a, b) = (splat(lanes, a), splat(lanes, b));
    let upper = [_mm256_srli_epi64::<32>(x[0]), _mm256_srli_epi64::<32>(x[1])];
    let lower = [_mm256_mul_epu32(x[0], a), _mm256_mul_epu32(x[1], a)];
    lanes.fold(lanes.add_wide(lower, [_mm256_mul_epu32(upper[0], b), _mm256_mul_epu32(upper[1], b)]))
}

/// The integers of lanes 0 to 3 and of lanes 4 to 7.
#[inline]
#[target_feature(enable = "avx2")]
fn quads(x: &[u64; 8]) -> Halves {
    let (low, high) = x.split_at(4);
    // SAFETY: both are slices of four words; the loads need no alignment.
    unsafe { [_mm256_loadu_si256(low.as_ptr().cast()), _mm256_loadu_si256(high.as_ptr().cast())] }
}

/// `x / 2^32 mod p` of integers below `2^32 p`, split as [`quads`] does.
#[inline]
#[target_feature(enable = "avx2")]
fn reduced_word(lanes: Lanes, x: Halves) -> Word {
    // Lanes 0, 4, 1, 5, 2, 6, 3, 7.
    let x = reduced(lanes, lanes.reduce(x));
    let order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    let mut word = Word([KoalaBear::ZERO; 8]);
    Avx2::write(lanes, _mm256_permutevar8x32_epi32(x, order), &mut word);
    word
}
