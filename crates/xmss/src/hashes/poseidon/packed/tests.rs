//! The packed algorithm on lanes that check every bound they are promised.

use super::super::engine::{Engine, Version};
use super::super::portable::Scalar;
use super::halves::{self, HalfLanes};
use super::lanes::{Constant, FieldLanes, P_INVERSE, divide_by_shifts};
use super::{poseidon1, poseidon2};
use crate::fields::koala_bear::{KoalaBear, P};
use phalanx_core::lanes;
use phalanx_core::lanes::WordLanes;
use std::vec::Vec;

/// One lane in plain integers; panics where an argument breaks the contract of [`FieldLanes`].
#[derive(Clone, Copy)]
struct Checked;

impl Checked {
    /// `x / 2^32` for a multiple of `2^32`, which must be between `-p` and `p`.
    fn upper(x: i128) -> u32 {
        assert_eq!(x % (1 << 32), 0);
        let upper = i32::try_from(x >> 32).expect("a signed word");
        assert!(upper.unsigned_abs() < P, "between -p and p");
        upper.cast_unsigned()
    }

    /// `x / 2^32 mod p` with a signed quotient.
    fn signed_reduction(x: i128) -> i128 {
        let low = u32::try_from(x & 0xffff_ffff).expect("masked");
        let quotient = low.wrapping_mul(P_INVERSE).cast_signed();
        x - i128::from(quotient) * i128::from(P)
    }
}

impl FieldLanes for Checked {
    type Words = lanes::Scalar;
    type Factor = u32;
    type Wide = i128;
    type Square = [i128; 2];

    fn words(self) -> lanes::Scalar {
        lanes::Scalar
    }

    fn lesser(self, a: u32, b: u32) -> u32 {
        // Every minimum of the algorithm gives a reduced word.
        assert!(a.min(b) < P);
        a.min(b)
    }

    fn square(self, x: u32) -> [i128; 2] {
        let x = i128::from(x.cast_signed());
        assert!(x.unsigned_abs() <= u128::from(P));
        [i128::from(Self::upper(Self::signed_reduction(x * x)).cast_signed()), x]
    }

    fn times_root(self, [square, x]: [i128; 2]) -> u32 {
        Self::upper(Self::signed_reduction(square * x))
    }

    fn divide<const N: i32, const REST: i32>(self, x: u32) -> u32 {
        assert!(x < P);
        let quotient = divide_by_shifts::<Self, N, REST>(self, x).cast_signed();
        assert!(quotient > -P.cast_signed() && quotient <= (P >> N).cast_signed());
        quotient.cast_unsigned()
    }

    fn scale(self, x: u32, constant: Constant) -> u32 {
        assert!(x < P && constant.word < P);
        self.reduce(i128::from(x) * i128::from(constant.word))
    }

    fn factor(self, x: u32) -> u32 {
        assert!(x < P);
        x
    }

    fn product(self, x: u32, constant: u32) -> i128 {
        i128::from(x) * i128::from(constant.cast_signed())
    }

    fn splat_wide(self, x: u64) -> i128 {
        i128::from(x)
    }

    fn add_wide(self, a: i128, b: i128) -> i128 {
        let sum = a + b;
        assert!((-(1 << 63)..1 << 64).contains(&sum));
        sum
    }

    fn sub_wide(self, a: i128, b: i128) -> i128 {
        self.add_wide(a, -b)
    }

    fn fold(self, x: i128) -> i128 {
        let unit = i128::from(P) << 32;
        assert!((0..2 * unit).contains(&x));
        if x < unit { x } else { x - unit }
    }

    fn reduce(self, x: i128) -> u32 {
        assert!((0..i128::from(P) << 32).contains(&x));
        let low = u32::try_from(x & 0xffff_ffff).expect("masked");
        Self::upper(x - i128::from(low.wrapping_mul(P_INVERSE)) * i128::from(P))
    }
}

/// The lower and the upper half of a word, signed.
fn halves_of(x: u32) -> [i32; 2] {
    let low = x << 16;
    [low.cast_signed() >> 16, x.cast_signed() >> 16]
}

impl HalfLanes for Checked {
    fn lower_halves(self, a: u32, b: u32) -> u32 {
        assert!([a, b].iter().all(|x| x.cast_signed().unsigned_abs() < P));
        a & 0xffff | b << 16
    }

    fn upper_halves(self, a: u32, b: u32) -> u32 {
        assert!([a, b].iter().all(|x| x.cast_signed().unsigned_abs() < P));
        a >> 16 | b & 0xffff_0000
    }

    fn product_of_halves(self, x: u32, constant: u32) -> u32 {
        let ([a, b], [c, d]) = (halves_of(x), halves_of(constant));
        (a * c + b * d).cast_unsigned()
    }
}

/// Words around the edges, then pseudo-random ones.
fn states<const T: usize>() -> impl Iterator<Item = [u32; T]> {
    let edges = [0, 1, 2, P / 2, P / 2 + 1, P - 2, P - 1, (1 << 24) - 1, 1 << 24, 0x7e00_0000, 0x7eff_ffff];
    let mut random = phalanx_testing::Random::from_seed(1);
    let uniform = edges.into_iter().map(|edge| [edge; T]);
    uniform.chain((0..300).map(move |round| {
        let edge = round % 2 == 0;
        core::array::from_fn(|_| if edge { edges[random.below(edges.len())] } else { random.u32() % P })
    }))
}

/// Runs `permute` on all states and compares with the scalar engine.
fn check<const T: usize>(scalar: fn(&mut [KoalaBear; T]), permute: fn(&mut [u32; T])) {
    for input in states::<T>() {
        let mut wanted = input.map(KoalaBear::from_reduced_montgomery);
        scalar(&mut wanted);
        let mut got = input;
        permute(&mut got);
        assert_eq!(got, wanted.map(KoalaBear::montgomery), "{input:?}");
    }
}

#[test]
fn poseidon2_keeps_its_bounds() {
    check::<16>(
        |x| Scalar.permute16(Version::Two, x),
        |x| poseidon2::permute(Checked, poseidon2::Width16, x, &poseidon2::TABLES_16),
    );
    check::<24>(
        |x| Scalar.permute24(Version::Two, x),
        |x| poseidon2::permute(Checked, poseidon2::Width24, x, &poseidon2::TABLES_24),
    );
}

/// The divisions that x86-64 makes in other steps are those in shifts.
#[cfg(target_arch = "x86_64")]
#[test]
fn divisions_are_those_in_shifts() {
    use super::engine::{Entry, Kernel};
    use super::lanes::divided;
    use phalanx_core::first_of;
    use phalanx_core::simd::Isa;

    /// Quotients of the word by 2, 4 and 2^16, then the same in shifts.
    struct Divide<'a, E: Entry>(E::Word, &'a mut [E::Word; 6]);

    impl<E: Entry> Kernel<E> for Divide<'_, E> {
        #[inline(always)]
        fn run(self, lanes: E::Lanes) {
            let x = E::read(lanes, &self.0);
            E::write(lanes, divided::<_, 1, 31>(lanes, x), &mut self.1[0]);
            E::write(lanes, divided::<_, 2, 30>(lanes, x), &mut self.1[1]);
            E::write(lanes, divided::<_, 16, 16>(lanes, x), &mut self.1[2]);
            E::write(lanes, lanes.reduced(divide_by_shifts::<_, 1, 31>(lanes, x)), &mut self.1[3]);
            E::write(lanes, lanes.reduced(divide_by_shifts::<_, 2, 30>(lanes, x)), &mut self.1[4]);
            E::write(lanes, lanes.reduced(divide_by_shifts::<_, 16, 16>(lanes, x)), &mut self.1[5]);
        }
    }

    fn check<E: Entry>(entry: E) {
        let lanes = <E::Lanes as FieldLanes>::Words::LANES;
        let around = |x: u32| [x.saturating_sub(1), x, (x + 1).min(P - 1)];
        let edges = (0..31).flat_map(|bit| around(1 << bit).into_iter().chain(around((P - 1) - (1 << bit))));
        let words: Vec<KoalaBear> = edges
            .chain(states::<24>().flatten())
            .map(|word| KoalaBear::from_reduced_montgomery(word.min(P - 1)))
            .collect();
        for chunk in words.chunks_exact(lanes) {
            let mut quotients = [entry.splat(KoalaBear::ZERO); 6];
            entry.enter(Divide(entry.load(chunk), &mut quotients));
            let out = quotients.map(|word| {
                let mut out = [KoalaBear::ZERO; 16];
                entry.store(&word, &mut out[..lanes]);
                out.map(KoalaBear::montgomery)
            });
            assert_eq!(out[..3], out[3..], "{:?}", chunk.iter().map(|x| x.montgomery()).collect::<Vec<_>>());
        }
    }

    first_of!(Isa::current();
        avx512(witness) => check(witness),
        avx2(witness) => check(witness),
        else => std::eprintln!("divisions: not run, no vectors"),
    );
}

#[test]
fn poseidon1_keeps_its_bounds() {
    check::<16>(
        |x| Scalar.permute16(Version::One, x),
        |x| poseidon1::permute::<_, 16, 4, true>(Checked, x, poseidon1::tables_16()),
    );
    check::<16>(|x| Scalar.permute16(Version::One, x), |x| halves::permute(Checked, x, halves::tables()));
    check::<24>(
        |x| Scalar.permute24(Version::One, x),
        |x| poseidon1::permute::<_, 24, 6, false>(Checked, x, poseidon1::tables_24()),
    );
}

/// The lanes of this target give what the contract of [`FieldLanes`] says at the edges of what it allows.
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod four {
    use super::super::lanes::Vector;
    use super::*;
    use lanes::WordLanes;
    use std::vec::Vec;

    /// Lanes of four words.
    trait FourLanes: FieldLanes<Words: WordLanes<u32, Words = [u32; 4]>> {}
    impl<L: FieldLanes<Words: WordLanes<u32, Words = [u32; 4]>>> FourLanes for L {}

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn neon_keeps_the_contract() {
        keeps_the_contract(super::super::neon::lanes(phalanx_core::simd::Neon::detect().expect("aarch64")));
    }

    #[cfg(target_arch = "wasm32")]
    #[test]
    fn wasm128_keeps_the_contract() {
        keeps_the_contract(super::super::wasm128::lanes(
            phalanx_core::simd::Wasm128::detect().expect("there"),
        ));
    }

    fn load<L: FourLanes>(lanes: L, words: [u32; 4]) -> Vector<L> {
        lanes.words().load(&words)
    }

    fn store<L: FourLanes>(lanes: L, x: Vector<L>) -> [u32; 4] {
        let mut words = [0; 4];
        lanes.words().store(&mut words, x);
        words
    }

    /// Words at all edges, then pseudo-random ones, as many as fill lanes; every lane gets every word.
    fn words(below: u64) -> Vec<[u64; 4]> {
        let edges = [0, 1, 2, below / 2, below / 2 + 1, below - 2, below - 1, below / 3];
        let mut random = phalanx_testing::Random::from_seed(1);
        let drawn = (0..500).map(|_| random.within(0..below));
        let list: Vec<u64> = edges.into_iter().chain(drawn).collect();
        (0..list.len()).map(|i| core::array::from_fn(|lane| list[(i + lane) % list.len()])).collect()
    }

    fn wide<L: FourLanes>(lanes: L, x: [u64; 4]) -> L::Wide {
        // Out of what the trait has: limbs of 16 bits, each multiplied by 2^16 and then doubled as often as it takes.
        let part = |shift: u32| x.map(|x| u32::try_from(x >> shift & 0xffff).expect("16 bits"));
        let mut sum = lanes.splat_wide(0);
        for (shift, factor, doublings) in [(0, 1, 0), (16, 1 << 16, 0), (32, 1 << 16, 16), (48, 1 << 16, 32)]
        {
            let mut term = lanes.product(lanes.factor(load(lanes, part(shift))), factor);
            for _ in 0..doublings {
                term = lanes.add_wide(term, term);
            }
            sum = lanes.add_wide(sum, term);
        }
        sum
    }

    fn signed(word: u32) -> i128 {
        i128::from(word.cast_signed())
    }

    /// `x` is between `-p` and `p`, and `wanted` modulo `p`.
    fn assert_congruent(x: u32, wanted: u32, input: impl core::fmt::Debug) {
        assert!(signed(x).unsigned_abs() < u128::from(P), "{input:?} gave {x}");
        assert_eq!((signed(x) - signed(wanted)) % i128::from(P), 0, "{input:?} gave {x}");
    }

    fn keeps_the_contract<L: FourLanes>(lanes: L) {
        for x in words(2 * u64::from(P) + 1) {
            // From -p to p.
            let x = x.map(|x| u32::try_from(x).expect("32 bits").wrapping_sub(P));
            let got = store(lanes, lanes.cube(load(lanes, x)));
            assert_eq!(got, x.map(|x| Checked.cube(x)), "{x:?}");
        }
        for x in words(u64::from(P)) {
            let x = x.map(|x| u32::try_from(x).expect("32 bits"));
            for word in [0, 1, 2, P / 2, P - 2, P - 1, 0x0100_0000, 0x1234_5678] {
                let constant = Constant::new(KoalaBear::from_reduced_montgomery(word));
                let got = store(lanes, lanes.scale(load(lanes, x), constant));
                for (got, x) in got.into_iter().zip(x) {
                    assert_congruent(got, Checked.scale(x, constant), (x, word));
                }
            }
        }
        for x in words(u64::from(P) << 33) {
            let folded = lanes.fold(wide(lanes, x));
            let got = store(lanes, lanes.reduce(folded));
            for (got, x) in got.into_iter().zip(x) {
                assert_congruent(got, Checked.reduce(Checked.fold(i128::from(x))), x);
            }
        }
    }
}
