//! What the packed lanes of AVX2 and of AVX-512 share: all but the names of the intrinsics, and how halves are
//! merged.
//!
//! The file of an instruction set imports its intrinsics under the names used here, and has `upper_words`,
//! `odd_halves_of_second` and `lower_lanes_first`.

/// Methods of lanes that are the functions of these names, which carry the features: the compiler simplifies a function
/// before it inlines it. Written here, every intrinsic would be inlined by itself in every place, from a call that passes
/// vectors through memory.
macro_rules! functions {
    ($($name:ident$(<$(const $constant:ident),+>)?($($operand:ident: $type:ty),+) -> $result:ty;)+) => {$(
        #[inline(always)]
        fn $name$(<$(const $constant: i32),+>)?(self, $($operand: $type),+) -> $result {
            // SAFETY: `self` holds the proof that this CPU has the instructions.
            unsafe { $name$(::<$($constant),+>)?(self, $($operand),+) }
        }
    )+};
}
pub(super) use functions;

macro_rules! packed_lanes {
    ($witness:ident, $features:literal, lanes: $lanes:literal, bytes: $bytes:literal) => {
        use super::engine::{Entry, Kernel};
        use super::halves::{self, HalfLanes};
        use super::lanes::{
            self, Constant, FieldLanes, P_INVERSE, POWERS, RECIPROCAL, SHIFT, divide_by_shifts,
        };
        use crate::fields::koala_bear::{KoalaBear, P};
        use phalanx_core::lanes::WordLanes;
        use phalanx_core::simd::$witness;

        /// Products exist for every other lane: a vector `[even, odd]` keeps the words of the even and of the odd
        /// lanes.
        type Halves = [Vector; 2];

        /// The witness with the two constants of every reduction.
        ///
        /// They are loaded as if they could change: the compiler that knows them turns each product into four shifts
        /// and sums.
        #[derive(Clone, Copy)]
        pub(crate) struct Lanes {
            witness: $witness,
            p: Vector,
            /// `1 / p mod 2^32`.
            inverse: Vector,
        }

        impl Lanes {
            /// The lanes of a CPU that has the instructions.
            #[inline]
            #[target_feature(enable = $features)]
            fn new(witness: $witness) -> Self {
                static CONSTANTS: [u32; 2] = [P, P_INVERSE];
                // SAFETY: a reference to a static is valid for reads.
                let [p, inverse] = unsafe { core::ptr::read_volatile(&raw const CONSTANTS) };
                let [p, inverse] = [p, inverse].map(u32::cast_signed);
                Self { witness, p: set1_epi32(p), inverse: set1_epi32(inverse) }
            }
        }

        impl FieldLanes for Lanes {
            type Words = $witness;
            type Factor = Halves;
            type Wide = Halves;
            type Square = Square;

            const AHEAD: bool = true;

            #[inline(always)]
            fn words(self) -> $witness {
                self.witness
            }

            #[inline(always)]
            fn in_memory<A>(self, x: &A) -> &A {
                core::hint::black_box(x)
            }

            super::x86::functions! {
                add(a: Vector, b: Vector) -> Vector;
                sub(a: Vector, b: Vector) -> Vector;
                reduced(x: Vector) -> Vector;
                square(x: Vector) -> Square;
                times_root(x: Square) -> Vector;
                times_root_in_some_order(x: Square) -> Vector;
                divide<const N, const REST>(x: Vector) -> Vector;
                scale(x: Vector, constant: Constant) -> Vector;
                factor(x: Vector) -> Halves;
                product(x: Halves, constant: u32) -> Halves;
                splat_wide(x: u64) -> Halves;
                add_wide(a: Halves, b: Halves) -> Halves;
                sub_wide(a: Halves, b: Halves) -> Halves;
                fold(x: Halves) -> Halves;
                reduce(x: Halves) -> Vector;
            }
        }

        impl HalfLanes for Lanes {
            super::x86::functions! {
                lower_halves(a: Vector, b: Vector) -> Vector;
                upper_halves(a: Vector, b: Vector) -> Vector;
                product_of_halves(x: Vector, constant: u32) -> Vector;
            }
        }

        // The functions behind the methods of these names.

        #[inline]
        #[target_feature(enable = $features)]
        fn add(lanes: Lanes, a: Vector, b: Vector) -> Vector {
            lanes::add(lanes, a, b)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn sub(lanes: Lanes, a: Vector, b: Vector) -> Vector {
            lanes::sub(lanes, a, b)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn reduced(lanes: Lanes, x: Vector) -> Vector {
            lanes::reduced(lanes, x)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn square(lanes: Lanes, x: Vector) -> Square {
            let [even, odd] = factor(lanes, x);
            let [a, b] = quotient_taken(lanes, [mul_epi32(even, even), mul_epi32(odd, odd)]);
            Square { roots: [even, odd], squares: [shuffle_epi32::<0xf5>(a), shuffle_epi32::<0xf5>(b)] }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn times_root(lanes: Lanes, x: Square) -> Vector {
            upper_words(cubes(lanes, x))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn times_root_in_some_order(lanes: Lanes, x: Square) -> Vector {
            upper_words_in_some_order(cubes(lanes, x))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn divide<const N: i32, const REST: i32>(lanes: Lanes, x: Vector) -> Vector {
            /// What the lower bits subtract, for one of them.
            const fn step(n: i32) -> i32 {
                127 << (24 - n)
            }
            let upper = <$witness as WordLanes<u32>>::shift_right::<N>(lanes.words(), x);
            match N {
                // The two lowest bits choose a word.
                1 => add_epi32(upper, lookup(x, [0, -step(1), 0, -step(1)])),
                2 => add_epi32(upper, lookup(x, [0, -step(2), -2 * step(2), -3 * step(2)])),
                // The lower half less 2^15, as a signed integer, and the upper one, in one product of halves.
                16 => {
                    let biased = xor(x, splat(1 << 15));
                    let sum = madd_epi16(biased, splat(halves::halves(-step(16), 1)));
                    add_epi32(sum, splat((-step(16) << 15).cast_unsigned()))
                }
                _ => divide_by_shifts::<_, N, REST>(lanes, x),
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn scale(lanes: Lanes, x: Vector, constant: Constant) -> Vector {
            let [even, odd] = factor(lanes, x);
            let (word, quotient, p) = (splat(constant.word), splat(constant.quotient), lanes.p);
            // The quotient x * word / p mod 2^32, known without waiting for the product.
            let (q, r) = (low_product(even, quotient), low_product(odd, quotient));
            let even = sub_epi64(mul_epu32(even, word), mul_epu32(q, p));
            let odd = sub_epi64(mul_epu32(odd, word), mul_epu32(r, p));
            upper_words([even, odd])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn factor(_: Lanes, x: Vector) -> Halves {
            [x, shuffle_epi32::<0xf5>(x)]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn product(_: Lanes, [even, odd]: Halves, constant: u32) -> Halves {
            let constant = splat(constant);
            [mul_epi32(even, constant), mul_epi32(odd, constant)]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn splat_wide(_: Lanes, x: u64) -> Halves {
            let x = set1_epi64x(x.cast_signed());
            [x, x]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn add_wide(_: Lanes, a: Halves, b: Halves) -> Halves {
            [add_epi64(a[0], b[0]), add_epi64(a[1], b[1])]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn sub_wide(_: Lanes, a: Halves, b: Halves) -> Halves {
            [sub_epi64(a[0], b[0]), sub_epi64(a[1], b[1])]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn fold(lanes: Lanes, x: Halves) -> Halves {
            let [p, _] = splat_wide(lanes, u64::from(P) << 32);
            // The lower words stay, so the smaller integer is the one with the smaller upper word.
            [min_epu32(x[0], sub_epi32(x[0], p)), min_epu32(x[1], sub_epi32(x[1], p))]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn reduce(lanes: Lanes, x: Halves) -> Vector {
            let (p, inverse) = (lanes.p, lanes.inverse);
            let (q, r) = (low_product(x[0], inverse), low_product(x[1], inverse));
            upper_words(sub_wide(lanes, x, [mul_epu32(q, p), mul_epu32(r, p)]))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn lower_halves(_: Lanes, a: Vector, b: Vector) -> Vector {
            odd_halves_of_second(a, slli_epi32::<16>(b))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn upper_halves(_: Lanes, a: Vector, b: Vector) -> Vector {
            odd_halves_of_second(srli_epi32::<16>(a), b)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn product_of_halves(_: Lanes, x: Vector, constant: u32) -> Vector {
            madd_epi16(x, splat(constant))
        }

        /// The same word in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn splat(word: u32) -> Vector {
            set1_epi32(word.cast_signed())
        }

        /// The product of lower words, of which the lower half is wanted.
        ///
        /// Hidden from the compiler, which would take a product of 64-bit words where AVX-512 has one: three times
        /// the work.
        #[inline]
        #[target_feature(enable = $features)]
        fn low_product(a: Vector, b: Vector) -> Vector {
            opaque(mul_epu32(a, b))
        }

        /// Squares, reduced, and what they are squares of, both as the lower words of factors.
        #[derive(Clone, Copy)]
        pub(crate) struct Square {
            roots: Halves,
            squares: Halves,
        }

        /// The cubes in the upper words.
        #[inline]
        #[target_feature(enable = $features)]
        fn cubes(lanes: Lanes, Square { roots: [even, odd], squares: [a, b] }: Square) -> Halves {
            quotient_taken(lanes, [mul_epi32(a, even), mul_epi32(b, odd)])
        }

        /// `x - m` with `m` the multiple of `p`, between `-2^31 p` and `2^31 p`, that has the lower word of `x`: a
        /// multiple of `2^32`, so the upper words are `(x - m) / 2^32`.
        #[inline]
        #[target_feature(enable = $features)]
        fn quotient_taken(lanes: Lanes, x: Halves) -> Halves {
            let (p, inverse) = (lanes.p, lanes.inverse);
            let (q, r) = (low_product(x[0], inverse), low_product(x[1], inverse));
            sub_wide(lanes, x, [mul_epi32(q, p), mul_epi32(r, p)])
        }

        /// Reduced Montgomery words of all lanes.
        #[derive(Clone, Copy)]
        #[repr(C, align($bytes))]
        pub(crate) struct Word([KoalaBear; $lanes]);

        impl Entry for $witness {
            type Lanes = Lanes;
            type Word = Word;

            #[inline(always)]
            fn enter<K: Kernel<Self>>(self, kernel: K) {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn run<K: Kernel<$witness>>(witness: $witness, kernel: K) {
                    kernel.run(Lanes::new(witness));
                }
                // SAFETY: `self` is the proof that this CPU has the instructions.
                unsafe { run(self, kernel) }
            }

            #[inline(always)]
            fn read(_: Lanes, word: &Word) -> Vector {
                // SAFETY: the first argument holds the proof of the instructions; a word has the size of a vector and
                // an address that its size divides, by its representation.
                unsafe { load_aligned((&raw const *word).cast()) }
            }

            #[inline(always)]
            fn write(_: Lanes, x: Vector, word: &mut Word) {
                // SAFETY: the first argument holds the proof of the instructions; a word has the size of a vector and
                // an address that its size divides, by its representation, and any reduced Montgomery words are valid
                // elements.
                unsafe { store_aligned((&raw mut *word).cast(), x) };
            }

            #[inline(always)]
            fn poseidon1_16(lanes: Lanes, x: &mut [Vector; 16]) {
                halves::permute(lanes, x, halves::tables());
            }

            #[inline(always)]
            fn splat(self, x: KoalaBear) -> Word {
                Word([x; $lanes])
            }

            #[inline(always)]
            fn load(self, xs: &[KoalaBear]) -> Word {
                Word(xs.try_into().expect("one a lane"))
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
                let n = n.try_into().expect("one a lane");
                // SAFETY: `self` is the proof that this CPU has the instructions.
                unsafe { two_digits(self, n) }
            }

            fn from_u128(self, high: &[u64], low: &[u64]) -> Word {
                let (high, low) = (high.try_into().expect("one a lane"), low.try_into().expect("one a lane"));
                // SAFETY: `self` is the proof that this CPU has the instructions.
                unsafe { from_u128(self, high, low) }
            }
        }

        /// Both base-`p` digits of integers below `2^60`.
        #[target_feature(enable = $features)]
        #[inline(never)]
        fn two_digits(witness: $witness, n: &[u64; $lanes]) -> [Word; 2] {
            let lanes = Lanes::new(witness);
            let [first, last] = quads(n);
            let ([a, b], [c, d]) = (quotient_and_rest(first), quotient_and_rest(last));
            // A digit below p times 2^64 mod p, reduced, is its Montgomery word.
            let square = set1_epi64x(i64::from(SHIFT.montgomery()));
            let low = [mul_epu32(b, square), mul_epu32(d, square)];
            let high = [mul_epu32(a, square), mul_epu32(c, square)];
            [reduced_word(lanes, low), reduced_word(lanes, high)]
        }

        /// `floor(n / p)` and `n mod p` of integers below `2^60`.
        #[inline]
        #[target_feature(enable = $features)]
        fn quotient_and_rest(n: Vector) -> [Vector; 2] {
            // The quotient or one less, see [`RECIPROCAL`].
            let m = set1_epi64x(RECIPROCAL.cast_signed());
            let h = srli_epi64::<28>(n);
            let quotient = srli_epi64::<34>(mul_epu32(h, m));
            let p = set1_epi64x(i64::from(P));
            let rest = sub_epi64(n, mul_epu32(quotient, p));
            // Below 2 p: less p, it wraps around to a larger word exactly if it is below p; else p is what was taken,
            // whose bit 30 is its highest.
            let low = min_epu32(rest, sub_epi32(rest, p));
            [add_epi64(quotient, srli_epi64::<30>(sub_epi64(rest, low))), low]
        }

        /// The residues of 128-bit integers.
        #[target_feature(enable = $features)]
        #[inline(never)]
        fn from_u128(witness: $witness, high: &[u64; $lanes], low: &[u64; $lanes]) -> Word {
            let lanes = Lanes::new(witness);
            let low = two_limbs(lanes, quads(low), POWERS[0], POWERS[1]);
            let high = two_limbs(lanes, quads(high), POWERS[2], POWERS[3]);
            reduced_word(lanes, fold(lanes, add_wide(lanes, low, high)))
        }

        /// The lower word of `x` times `a` plus the upper word times `b`, modulo `p` and below `2^32 p`. `a`, `b`:
        /// reduced.
        #[inline]
        #[target_feature(enable = $features)]
        fn two_limbs(lanes: Lanes, x: Halves, a: u32, b: u32) -> Halves {
            let (a, b) = (splat(a), splat(b));
            let upper = [srli_epi64::<32>(x[0]), srli_epi64::<32>(x[1])];
            let lower = [mul_epu32(x[0], a), mul_epu32(x[1], a)];
            fold(lanes, add_wide(lanes, lower, [mul_epu32(upper[0], b), mul_epu32(upper[1], b)]))
        }

        /// The integers of the lower lanes and of the upper ones.
        #[inline]
        #[target_feature(enable = $features)]
        fn quads(x: &[u64; $lanes]) -> Halves {
            let (low, high) = x.split_at($lanes / 2);
            // SAFETY: both have the words of a vector; the loads need no alignment.
            unsafe { [load_unaligned(low.as_ptr().cast()), load_unaligned(high.as_ptr().cast())] }
        }

        /// `x / 2^32 mod p` of integers below `2^32 p`, split as [`quads`] does.
        #[inline]
        #[target_feature(enable = $features)]
        fn reduced_word(lanes: Lanes, x: Halves) -> Word {
            let x = reduced(lanes, reduce(lanes, x));
            let mut word = Word([KoalaBear::ZERO; $lanes]);
            $witness::write(lanes, lower_lanes_first(x), &mut word);
            word
        }
    };
}
pub(super) use packed_lanes;
