//! The packed algorithm on lanes that check every bound they are promised.

use super::super::portable::Scalar;
use super::super::{Engine, Version};
use super::{Constant, Lanes32, P_INVERSE, poseidon1, poseidon2};
use crate::fields::koala_bear::{KoalaBear, P};

/// One lane in plain integers; panics where an argument breaks the contract of [`Lanes32`].
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

impl Lanes32 for Checked {
    type Vector = u32;
    type Factor = u32;
    type Wide = i128;

    fn splat(self, word: u32) -> u32 {
        word
    }

    fn add(self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }

    fn sub(self, a: u32, b: u32) -> u32 {
        a.wrapping_sub(b)
    }

    fn min(self, a: u32, b: u32) -> u32 {
        // Every minimum of the algorithm gives a reduced word.
        assert!(a.min(b) < P);
        a.min(b)
    }

    fn shift_left<const COUNT: i32>(self, x: u32) -> u32 {
        x << COUNT
    }

    fn shift_right<const COUNT: i32>(self, x: u32) -> u32 {
        x >> COUNT
    }

    fn cube(self, x: u32) -> u32 {
        let x = i128::from(x.cast_signed());
        assert!(x.unsigned_abs() <= u128::from(P));
        let square = Self::upper(Self::signed_reduction(x * x)).cast_signed();
        Self::upper(Self::signed_reduction(i128::from(square) * x))
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

/// Words around the edges, then pseudo-random ones.
fn states<const T: usize>() -> impl Iterator<Item = [u32; T]> {
    let edges = [0, 1, 2, P / 2, P / 2 + 1, P - 2, P - 1, (1 << 24) - 1, 1 << 24, 0x7e00_0000, 0x7eff_ffff];
    let mut seed = 0x9e37_79b9u32;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed % P
    };
    let uniform = edges.into_iter().map(|edge| [edge; T]);
    uniform.chain((0..300).map(move |round| {
        core::array::from_fn(
            |_| if round % 2 == 0 { edges[random() as usize % edges.len()] } else { random() },
        )
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

#[test]
fn poseidon1_keeps_its_bounds() {
    check::<16>(
        |x| Scalar.permute16(Version::One, x),
        |x| poseidon1::permute::<_, 16, 4, true>(Checked, x, poseidon1::tables_16()),
    );
    check::<24>(
        |x| Scalar.permute24(Version::One, x),
        |x| poseidon1::permute::<_, 24, 6, false>(Checked, x, poseidon1::tables_24()),
    );
}
