//! Four states in AVX2 lanes, and two more in scalar words interleaved with them; or one state of twelve words,
//! eight of which go through lanes for the S-boxes.
//!
//! A lane is any `u64` of its class. AVX2 has neither carries nor unsigned comparisons, so the borrow that random products
//! meet once in 2^32 is not corrected: the largest upper half of all differences is kept, and a batch that may have met one
//! is computed again in scalar words. docs/rescue.md has the product.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::interleaved::Interleaved;
use super::kernel::{self, Layer, PackedField};
use super::names::Permutation;
use super::portable::{Scalar, permute_scalar};
use crate::goldilocks::{Vartime, VartimeInterleaved, canonical};
use core::arch::x86_64::*;
use core::cell::Cell;
use core::marker::PhantomData;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::{self, Avx2, opaque_ymm};

/// 2^32 - 1, which is 2^64 modulo p.
const EPSILON: u64 = 0xffff_ffff;

/// X4 lanes.
#[derive(Clone, Copy)]
struct X4<'a> {
    witness: Avx2,
    /// [`EPSILON`], unknown to the optimiser: it would make three instructions of a product by it.
    epsilon: __m256i,
    /// The largest 32-bit words met where a borrow leaves 2^32 - 1 in the upper half.
    largest: &'a Cell<__m256i>,
}

impl X4<'_> {
    /// The lanes as words: of the vocabularies that AVX2 has, the one of 64 bits.
    #[inline(always)]
    fn words(self) -> impl WordLanes<u64, Vector = __m256i, Words = [u64; 4]> {
        self.witness
    }

    /// The product of the lower halves.
    #[inline(always)]
    fn product(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX2.
        unsafe { _mm256_mul_epu32(a, b) }
    }

    /// The upper half in the lower one; the upper one is junk.
    #[inline(always)]
    fn upper(self, a: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX2.
        unsafe { _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(a))) }
    }

    /// All ones where a > b, as signed numbers.
    #[inline(always)]
    fn greater(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX2.
        unsafe { _mm256_cmpgt_epi64(a, b) }
    }

    /// lo + 2^64 hi, as long as lo is at least hi / 2^32.
    #[inline(always)]
    fn reduced(self, lo: __m256i, hi: __m256i) -> __m256i {
        let w = self.words();
        let low = w.sub(lo, w.shift_right::<32>(hi));
        // SAFETY: the witness proves AVX2.
        self.largest.set(unsafe { _mm256_max_epu32(self.largest.get(), low) });
        // Unsigned comparison, by signed numbers 2^63 lower.
        let sign = w.splat(1 << 63);
        let low = w.xor(low, sign);
        let sum = w.add(low, self.product(hi, self.epsilon));
        let carry = self.greater(low, sum);
        w.xor(w.add(sum, w.shift_right::<32>(carry)), sign)
    }
}

impl PackedField for X4<'_> {
    const CHAINS: usize = 12;
    /// Any `u64` of the class, in each lane.
    type Word = __m256i;
    /// 32-bit limbs: sums of 160 of them stay below 2^40.
    type Limb = __m256i;

    #[inline(always)]
    fn mul_inlined(self, x: __m256i, y: __m256i) -> __m256i {
        let w = self.words();
        let (x1, y1) = (self.upper(x), self.upper(y));
        let lowest = self.product(x, y);
        let middle = w.add(self.product(x, y1), w.shift_right::<32>(lowest));
        let other = w.add(self.product(x1, y), w.and(middle, w.splat(EPSILON)));
        let hi = w.add(self.product(x1, y1), w.shift_right::<32>(middle));
        // SAFETY: the witness proves AVX2.
        let lo = unsafe { _mm256_blend_epi32::<0b1010_1010>(lowest, w.shift_left::<32>(other)) };
        self.reduced(lo, w.add(hi, w.shift_right::<32>(other)))
    }

    #[inline(always)]
    fn square_inlined(self, x: __m256i) -> __m256i {
        let w = self.words();
        let x1 = self.upper(x);
        let (lowest, cross, highest) = (self.product(x, x), self.product(x, x1), self.product(x1, x1));
        let middle = w.add(cross, w.shift_right::<33>(lowest));
        let lo = w.add(lowest, w.shift_left::<33>(cross));
        self.reduced(lo, w.add(highest, w.shift_right::<31>(middle)))
    }

    #[inline(always)]
    fn split(self, a: __m256i) -> [__m256i; 2] {
        let w = self.words();
        [w.and(a, w.splat(EPSILON)), w.shift_right::<32>(a)]
    }

    #[inline(always)]
    fn join(self, [low, high]: [__m256i; 2], constant: u64) -> __m256i {
        let w = self.words();
        let low = w.add(low, w.splat(constant & EPSILON));
        let high = w.add(high, w.splat(constant >> 32));
        // 2^64 = epsilon.
        let low = w.add(low, self.product(w.shift_right::<32>(high), self.epsilon));
        let high = w.shift_left::<32>(high);
        let sum = w.add(low, high);
        // `low` is small: the sum has carried if the top bit is gone.
        // SAFETY: the witness proves AVX2.
        let (zero, lost) = unsafe { (_mm256_setzero_si256(), _mm256_andnot_si256(sum, high)) };
        w.add(sum, w.shift_right::<32>(self.greater(zero, lost)))
    }

    #[inline(always)]
    fn step<K: simd::Kernel<Self>>(self, kernel: K) -> K::Output {
        #[inline]
        #[target_feature(enable = "avx2,fma")]
        fn stepped<'a, K: simd::Kernel<X4<'a>>>(lanes: X4<'a>, kernel: K) -> K::Output {
            kernel.run(lanes)
        }
        // SAFETY: the witness proves AVX2 and FMA.
        unsafe { stepped(self, kernel) }
    }

    #[inline(always)]
    fn layer<K: Layer<__m256i>>(self, layer: K) {
        /// With the largest word in a register, until it is given back.
        #[inline(never)]
        #[target_feature(enable = "avx2,fma")]
        fn layered<K: Layer<__m256i>>(lanes: X4<'_>, layer: K) {
            let largest = Cell::new(lanes.largest.get());
            layer.run(X4 { largest: &largest, ..lanes });
            lanes.largest.set(largest.get());
        }
        // SAFETY: the witness proves AVX2 and FMA.
        unsafe { layered(self, layer) }
    }

    #[inline(always)]
    fn plus(self, a: __m256i, b: __m256i) -> __m256i {
        self.words().add(a, b)
    }

    #[inline(always)]
    fn minus(self, a: __m256i, b: __m256i) -> __m256i {
        self.words().sub(a, b)
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self, a: __m256i) -> __m256i {
        self.words().shift_left::<BITS>(a)
    }
}

/// States of a batch: four in lanes and two in scalar words.
const BATCH: usize = 6;
/// With fewer states than this, one after the other is faster than a batch that is not full (Zen 4, and by its single
/// states Emerald Rapids, too; Zen 5 would rather have four in a batch, but there other kernels run).
const fn fewest(permutation: Permutation) -> usize {
    match permutation {
        Permutation::Jive => 5,
        Permutation::Rp64 | Permutation::Rpo | Permutation::Rpx => BATCH,
    }
}

/// Four lanes and two scalar words, for each word of a state.
type Words<const W: usize> = [(__m256i, (u64, u64)); W];
/// A permutation of a batch, compiled for AVX2. `true` if the lanes met no borrow.
type Kernel<State> = unsafe fn(Avx2, &mut State) -> bool;

/// Permutes states that stand one after the other.
pub(super) fn permute_many(witness: Avx2, permutation: Permutation, words: &mut [u64]) {
    for batch in words.chunks_mut(BATCH * permutation.width()) {
        if batch.len() < fewest(permutation) * permutation.width() {
            // SAFETY: the witness proves the features that the kernels are compiled for.
            unsafe {
                match permutation {
                    Permutation::Rp64 => permute_each(witness, permutation, batch, single::rp64),
                    Permutation::Jive => permute_each(witness, permutation, batch, single::jive),
                    Permutation::Rpo => permute_each(witness, permutation, batch, single::rpo),
                    Permutation::Rpx => permute_each(witness, permutation, batch, single::rpx),
                }
            }
            continue;
        }
        // SAFETY: the witness proves the features that the kernels are compiled for.
        unsafe {
            match permutation {
                Permutation::Rp64 => permute_batch(witness, permutation, batch, batch::rp64),
                Permutation::Jive => permute_batch(witness, permutation, batch, batch::jive),
                Permutation::Rpo => permute_batch(witness, permutation, batch, batch::rpo),
                Permutation::Rpx => permute_batch(witness, permutation, batch, batch::rpx),
            }
        }
    }
}

/// Brings up to six states of `W` words into lanes and scalar words, permutes them and brings them back, canonical.
#[target_feature(enable = "avx2,fma")]
fn permute_batch<const W: usize>(
    witness: Avx2,
    permutation: Permutation,
    words: &mut [u64],
    kernel: Kernel<Words<W>>,
) {
    let mut columns = [[0u64; BATCH]; W];
    for (lane, state) in words.chunks_exact(W).enumerate() {
        for (column, &word) in columns.iter_mut().zip(state) {
            column[lane] = word;
        }
    }
    let mut state = [(_mm256_setzero_si256(), (0, 0)); W];
    for (word, column) in state.iter_mut().zip(&columns) {
        // SAFETY: a column has at least four words of 64 bits.
        let lanes = unsafe { _mm256_loadu_si256(column.as_ptr().cast()) };
        *word = (lanes, (column[4], column[5]));
    }
    // SAFETY: this function is compiled for the features that the kernel needs.
    let exact = unsafe { kernel(witness, &mut state) };
    for ((lanes, (fifth, sixth)), column) in state.iter().zip(&mut columns) {
        // SAFETY: a column has at least four words of 64 bits.
        unsafe { _mm256_storeu_si256(column.as_mut_ptr().cast(), *lanes) };
        (column[4], column[5]) = (*fifth, *sixth);
    }
    let (lanes, scalars) = words.split_at_mut(4 * W);
    if !exact {
        permute_scalar::<Vartime>(permutation, lanes);
    }
    let first = if exact { 0 } else { 4 };
    for (lane, state) in lanes.chunks_exact_mut(W).chain(scalars.chunks_exact_mut(W)).enumerate().skip(first)
    {
        for (column, word) in columns.iter().zip(state) {
            *word = canonical(column[lane]);
        }
    }
}

/// Permutes states of `W` words one after the other, canonical.
#[target_feature(enable = "avx2,fma")]
fn permute_each<const W: usize>(
    witness: Avx2,
    permutation: Permutation,
    words: &mut [u64],
    kernel: Kernel<[u64; W]>,
) {
    for state in words.as_chunks_mut::<W>().0 {
        let mut permuted = *state;
        // SAFETY: this function is compiled for the features that the kernel needs.
        if unsafe { kernel(witness, &mut permuted) } {
            *state = permuted.map(canonical);
        } else {
            permute_scalar::<Vartime>(permutation, state);
        }
    }
}

/// Runs a kernel on a state of some kind, with arithmetic made of the lanes.
macro_rules! entry {
    ($name:ident, $state:ty, $field:expr) => {
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        pub(super) fn $name(witness: Avx2, state: &mut $state) -> bool {
            let largest = Cell::new(_mm256_setzero_si256());
            let epsilon = opaque_ymm(_mm256_set1_epi64x(EPSILON.cast_signed()));
            let lanes = X4 { witness, epsilon, largest: &largest };
            kernel::$name($field(lanes), state);
            let borrowed = _mm256_cmpeq_epi32(largest.get(), _mm256_set1_epi32(-1));
            _mm256_testz_si256(borrowed, borrowed) == 1
        }
    };
}

/// Four states in lanes, and two in scalar words.
mod batch {
    use super::*;

    #[inline(always)]
    fn field(lanes: X4<'_>) -> impl PackedField<Word = (__m256i, (u64, u64))> + use<'_> {
        Interleaved(lanes, Interleaved(SCALAR, SCALAR))
    }

    entry!(rp64, Words<12>, field);
    entry!(jive, Words<8>, field);
    entry!(rpo, Words<12>, field);
    entry!(rpx, Words<12>, field);
}

/// One state in scalar words, its S-boxes in lanes.
mod single {
    use super::*;

    entry!(rp64, [u64; 12], Single);
    entry!(jive, [u64; 8], Single);
    entry!(rpo, [u64; 12], Single);
    entry!(rpx, [u64; 12], Single);
}

/// Twelve scalar words of which eight go through lanes for the S-boxes, beside four that do not. A vector of four takes
/// 20 micro-operations for a square and four words ten to twelve each; but vectors take longer, so that three of them
/// wait for each other. Sapphire Rapids, busy, ns for twelve squares: 9.4, in three vectors 10.1, in words 9.6.
#[derive(Clone, Copy)]
struct Single<'a>(X4<'a>);

/// The arithmetic of the words.
const SCALAR: Scalar<VartimeInterleaved> = Scalar(PhantomData);

impl Single<'_> {
    /// x^d of twelve words if `ROOT`, else x^7. (The chain is no argument: called as one it is not inlined, and forty
    /// times slower.)
    #[inline(always)]
    fn in_lanes<const ROOT: bool>(self, words: &mut [u64]) {
        let w = self.0.words();
        match words.as_chunks_mut().0 {
            [first, second, rest] => {
                let f = Interleaved(self.0, Interleaved(SCALAR, SCALAR));
                let mut x = [(w.load(first), (rest[0], rest[1])), (w.load(second), (rest[2], rest[3]))];
                x = if ROOT { kernel::root_chain(f, x) } else { kernel::power_chain(f, x) };
                w.store(first, x[0].0);
                w.store(second, x[1].0);
                *rest = [x[0].1.0, x[0].1.1, x[1].1.0, x[1].1.1];
            }
            [first, rest] => {
                let f = Interleaved(
                    self.0,
                    Interleaved(Interleaved(SCALAR, SCALAR), Interleaved(SCALAR, SCALAR)),
                );
                let mut x = [(w.load(first), ((rest[0], rest[1]), (rest[2], rest[3])))];
                x = if ROOT { kernel::root_chain(f, x) } else { kernel::power_chain(f, x) };
                let [(lanes, ((a, b), (c, d)))] = x;
                w.store(first, lanes);
                *rest = [a, b, c, d];
            }
            _ => unreachable!("eight words or twelve"),
        }
    }
}

impl PackedField for Single<'_> {
    const CHAINS: usize = 12;
    type Word = u64;
    type Limb = u64;

    #[inline(always)]
    fn mul_inlined(self, a: u64, b: u64) -> u64 {
        SCALAR.mul_inlined(a, b)
    }

    #[inline(always)]
    fn square_inlined(self, a: u64) -> u64 {
        SCALAR.square_inlined(a)
    }

    #[inline(always)]
    fn split(self, a: u64) -> [u64; 2] {
        SCALAR.split(a)
    }

    #[inline(always)]
    fn join(self, limbs: [u64; 2], constant: u64) -> u64 {
        SCALAR.join(limbs, constant)
    }

    #[inline(always)]
    fn step<K: simd::Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn layer<K: Layer<u64>>(self, layer: K) {
        layer.run(self);
    }

    #[inline(always)]
    fn plus(self, a: u64, b: u64) -> u64 {
        SCALAR.plus(a, b)
    }

    #[inline(always)]
    fn minus(self, a: u64, b: u64) -> u64 {
        SCALAR.minus(a, b)
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self, a: u64) -> u64 {
        SCALAR.shifted::<BITS>(a)
    }

    #[inline(always)]
    fn power_7<const W: usize>(self, state: &mut [u64; W]) {
        self.in_lanes::<false>(state);
    }

    #[inline(always)]
    fn root_7<const W: usize>(self, state: &mut [u64; W]) {
        self.in_lanes::<true>(state);
    }
}
