//! Known values, and arithmetic against a plain one bit by bit.

use super::portable::L;
use super::{Scalar, WeightedSum, from_wide_many, mul_add_many};
use alloc::vec::Vec;
use phalanx_testing::Random;

/// Integers below 2^1024, slow and plain: nothing in common with what is tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Plain([u32; 32]);

impl Plain {
    fn new(words: &[u64]) -> Self {
        let mut limbs = [0; 32];
        for (i, word) in words.iter().enumerate() {
            limbs[2 * i] = u32::try_from(word & 0xffff_ffff).expect("masked");
            limbs[2 * i + 1] = u32::try_from(word >> 32).expect("the upper half");
        }
        Self(limbs)
    }

    fn of(scalar: &Scalar) -> Self {
        Self::new(&scalar.0)
    }

    fn add(self, other: Self) -> Self {
        let (mut sum, mut carry) = ([0; 32], 0);
        for (sum, (a, b)) in sum.iter_mut().zip(self.0.iter().zip(other.0)) {
            carry += u64::from(*a) + u64::from(b);
            *sum = u32::try_from(carry & 0xffff_ffff).expect("masked");
            carry >>= 32;
        }
        assert_eq!(carry, 0);
        Self(sum)
    }

    fn bit(self, i: usize) -> bool {
        self.0[i / 32] >> (i % 32) & 1 == 1
    }

    fn is_below(self, other: Self) -> bool {
        self.0.iter().rev().lt(other.0.iter().rev())
    }

    fn minus(self, other: Self) -> Self {
        let (mut difference, mut borrow) = ([0; 32], 0);
        for (digit, (a, b)) in difference.iter_mut().zip(self.0.iter().zip(other.0)) {
            let value = i64::from(*a) - i64::from(b) - borrow;
            borrow = i64::from(value < 0);
            *digit = u32::try_from(value + (borrow << 32)).expect("a digit");
        }
        assert_eq!(borrow, 0);
        Self(difference)
    }

    fn times(self, other: Self) -> Self {
        (0..512).rev().fold(Self([0; 32]), |sum, i| {
            let sum = sum.add(sum);
            if other.bit(i) { sum.add(self) } else { sum }
        })
    }

    /// The remainder of schoolbook division, a bit at a time.
    fn mod_l(self) -> Self {
        let l = Self::new(&L);
        (0..1024).rev().fold(Self([0; 32]), |rest, i| {
            let rest = rest.add(rest);
            let rest = if self.bit(i) { rest.add(Self::new(&[1])) } else { rest };
            if rest.is_below(l) { rest } else { rest.minus(l) }
        })
    }
}

/// One word in four is all zeros or all ones, for carries that ripple.
fn random_words<const N: usize>(random: &mut Random) -> [u64; N] {
    core::array::from_fn(|_| match random.below(8) {
        0 => 0,
        1 => u64::MAX,
        _ => random.u64(),
    })
}

fn wide_bytes(words: &[u64; 8]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (chunk, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
    bytes
}

fn bytes(words: &[u64; 4]) -> [u8; 32] {
    Scalar(*words).to_bytes()
}

/// x + by, as eight words, wrapping at 2^512.
fn offset(x: &[u64; 8], by: i64) -> [u64; 8] {
    let sign = if by < 0 { u64::MAX } else { 0 };
    let mut addend = [sign; 8];
    addend[0] = by.cast_unsigned();
    super::portable::add(x, &addend).0
}

/// 2^i, and multiples of L close below 2^512 and in between.
fn landmarks() -> Vec<[u64; 8]> {
    let mut marks = Vec::from([[0; 8], [u64::MAX; 8]]);
    for i in 0..512 {
        let mut power = [0; 8];
        power[i / 64] = 1 << (i % 64);
        marks.push(power);
    }
    let largest = {
        // 2^512 - 1 less its remainder.
        let all = Plain::new(&[u64::MAX; 8]);
        all.minus(all.mod_l())
    };
    let mut multiple = Plain::new(&L);
    while !largest.is_below(multiple) {
        for value in [multiple, largest.minus(multiple)] {
            marks.push(core::array::from_fn(|i| {
                u64::from(value.0[2 * i]) | u64::from(value.0[2 * i + 1]) << 32
            }));
        }
        multiple = multiple.add(multiple);
    }
    marks
}

/// Scalars at the edges.
fn edges() -> Vec<Scalar> {
    let mut all: Vec<_> = landmarks()
        .iter()
        .filter(|x| x[4..] == [0; 4])
        .flat_map(|x| (-2..=2).map(|by| Scalar::from_wide(&wide_bytes(&offset(x, by)))))
        .collect();
    all.extend(
        [[u64::MAX; 4], [0, 0, 0, u64::MAX], [u64::MAX, 0, u64::MAX, 0]]
            .map(|x| Scalar::from_bytes_reduced(&bytes(&x))),
    );
    all
}

/// 0, 1, L - 1, L, L + 1, 2^252, 2^253 - 1, 2^256 - 1, 2^512 - 1, and all other powers of two and multiples of L, each
/// with its neighbours.
#[test]
fn reduction_at_the_edges() {
    for mark in landmarks() {
        for by in -3..=3 {
            let x = offset(&mark, by);
            let wanted = Plain::new(&x).mod_l();
            assert_eq!(Plain::of(&Scalar::from_wide(&wide_bytes(&x))), wanted, "{x:x?}");
            if x[4..] == [0; 4] {
                let x = [x[0], x[1], x[2], x[3]];
                assert_eq!(Plain::of(&Scalar::from_bytes_reduced(&bytes(&x))), wanted, "{x:x?}");
                let canonical = Scalar::from_canonical(&bytes(&x));
                assert_eq!(canonical.is_some(), Plain::new(&x).is_below(Plain::new(&L)), "{x:x?}");
                assert!(canonical.is_none_or(|scalar| scalar.0 == x));
            }
        }
    }
}

#[test]
fn reduction_of_random_integers() {
    let mut random = Random::from_seed(1);
    for _ in 0..2000 {
        let x = random_words(&mut random);
        assert_eq!(Plain::of(&Scalar::from_wide(&wide_bytes(&x))), Plain::new(&x).mod_l(), "{x:x?}");
        let x = random_words(&mut random);
        assert_eq!(Plain::of(&Scalar::from_bytes_reduced(&bytes(&x))), Plain::new(&x).mod_l(), "{x:x?}");
    }
}

/// One triple through every operation.
fn check_arithmetic(a: &Scalar, b: &Scalar, c: &Scalar) {
    let (x, y, z) = (Plain::of(a), Plain::of(b), Plain::of(c));
    assert_eq!(Plain::of(&a.add(b)), x.add(y).mod_l());
    assert_eq!(Plain::of(&a.mul(b)), x.times(y).mod_l());
    assert_eq!(Plain::of(&a.mul_add(b, c)), x.times(y).add(z).mod_l());
    assert_eq!(Plain::of(&a.negate()), Plain::new(&L).minus(x).mod_l());
}

#[test]
fn arithmetic_at_the_edges() {
    if phalanx_testing::again() {
        return;
    }
    let edges = edges();
    for (i, a) in edges.iter().enumerate() {
        // Each with itself, with its negative, with the largest scalar and with some other.
        let largest = Scalar::from_u128(1).negate();
        for b in [*a, a.negate(), largest, edges[i * 31 % edges.len()]] {
            check_arithmetic(a, &b, &largest);
        }
    }
}

#[test]
fn arithmetic_on_random_scalars() {
    let mut random = Random::from_seed(2);
    for _ in 0..300 {
        let [a, b, c] = [random_words(&mut random), random_words(&mut random), random_words(&mut random)]
            .map(|x| Scalar::from_wide(&wide_bytes(&x)));
        check_arithmetic(&a, &b, &c);
    }
}

#[test]
fn weighted_sums() {
    let mut random = Random::from_seed(3);
    let largest = Scalar::from_u128(1).negate();
    let (mut sum, mut plain) = (WeightedSum::ZERO, Plain::new(&[]));
    for i in 0..300 {
        let (weight, scalar) = if i % 3 == 0 {
            (u128::MAX, largest)
        } else {
            let [low, high] = random_words(&mut random);
            (
                u128::from(low) | u128::from(high) << 64,
                Scalar::from_wide(&wide_bytes(&random_words(&mut random))),
            )
        };
        sum.add(weight, &scalar);
        plain = plain.add(Plain::of(&scalar).times(Plain::of(&Scalar::from_u128(weight))));
        assert_eq!(Plain::of(&sum.reduce()), plain.mod_l());
    }
}

/// Every level of this machine against one at a time: all landmarks and edges in changing lanes, and every count.
#[test]
fn many_equal_one() {
    let mut random = Random::from_seed(4);
    let mut wide: Vec<[u8; 64]> =
        landmarks().iter().flat_map(|x| (-3..=3).map(|by| wide_bytes(&offset(x, by)))).collect();
    wide.extend((0..3000).map(|_| wide_bytes(&random_words(&mut random))));
    let mut scalars = edges();
    scalars.extend(wide[wide.len() - 1000..].iter().map(Scalar::from_wide));
    let largest = Scalar::from_u128(1).negate();
    // Each with itself, with its negative, with the largest, and with others.
    let mut triples: Vec<[Scalar; 3]> = Vec::new();
    for (i, a) in scalars.iter().enumerate() {
        let other = scalars[(i * 31 + 5) % scalars.len()];
        triples.extend([
            [*a, *a, largest],
            [*a, a.negate(), *a],
            [*a, largest, largest],
            [*a, other, a.negate()],
        ]);
    }
    let [a, b, c]: [Vec<Scalar>; 3] = [0, 1, 2].map(|i| triples.iter().map(|triple| triple[i]).collect());
    let reduced: Vec<_> = wide.iter().map(|x| Scalar::from_wide(x).0).collect();
    let sums: Vec<_> = triples.iter().map(|[a, b, c]| a.mul_add(b, c).0).collect();
    for isa in phalanx_testing::isas() {
        let backend = isa.backend();
        let reduce = |wide: &[[u8; 64]]| {
            let mut got = alloc::vec![Scalar::ZERO; wide.len()];
            from_wide_many(isa, wide, &mut got);
            got.iter().map(|scalar| scalar.0).collect::<Vec<_>>()
        };
        let mul_add = |a: &[Scalar], b: &[Scalar], c: &[Scalar]| {
            let mut got = alloc::vec![Scalar::ZERO; a.len()];
            mul_add_many(isa, a, b, c, &mut got);
            got.iter().map(|scalar| scalar.0).collect::<Vec<_>>()
        };
        for shift in 0..8 {
            assert_eq!(reduce(&wide[shift..]), reduced[shift..], "{}", backend.name());
            assert_eq!(mul_add(&a[shift..], &b[shift..], &c[shift..]), sums[shift..], "{}", backend.name());
        }
        for n in 0..=33 {
            assert_eq!(reduce(&wide[..n]), reduced[..n], "{}, n = {n}", backend.name());
            assert_eq!(mul_add(&a[..n], &b[..n], &c[..n]), sums[..n], "{}, n = {n}", backend.name());
        }
    }
}

/// Values computed by Python's integers: 2^512 - 1 modulo L, and 2^252 times (2^128 - 1) modulo L.
#[test]
fn known_values() {
    let all_ones =
        [0xa406_11e3_449c_0f00, 0xd00e_1ba7_6885_9347, 0xceec_73d2_17f5_be65, 0x0399_411b_7c30_9a3d];
    assert_eq!(Scalar::from_wide(&[0xff; 64]).0, all_ones);
    let product =
        [0x0837_294f_16e1_7bc7, 0x3e9c_ed9b_e8e6_d683, 0xa7ed_9ce5_a30a_2c13, 0x0b21_0621_5d08_6329];
    let power = Scalar::from_bytes_reduced(&bytes(&[0, 0, 0, 1 << 60]));
    assert_eq!(power.mul(&Scalar::from_u128(u128::MAX)).0, product);
    assert_eq!(Scalar::ZERO.negate().0, [0; 4]);
}
