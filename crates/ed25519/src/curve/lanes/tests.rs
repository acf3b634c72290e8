//! The stages in lanes against the portable group, at the edges of encodings and digits.

use super::decode::Decoded;
use super::*;
use crate::curve::{BASE_POINT, Point, decode as decode_one, double_base_mul_vartime};
use crate::fields::p25519::{Element, MAX_LANES, Single};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Calls `$check` with every backend that this CPU has.
macro_rules! on_every_kernel {
    ($check:ident) => {
        $check(Single);
        #[cfg(target_arch = "x86_64")]
        match phalanx_core::simd::Avx2::detect() {
            Some(witness) => $check(crate::fields::p25519::Doubles(witness)),
            None => std::eprintln!("avx2: not run"),
        }
        #[cfg(target_arch = "x86_64")]
        match phalanx_core::simd::Avx512::detect() {
            Some(witness) => $check(crate::fields::p25519::Doubles(witness)),
            None => std::eprintln!("avx512: not run"),
        }
        #[cfg(target_arch = "x86_64")]
        match phalanx_core::simd::Ifma::detect() {
            Some(witness) => $check(crate::fields::p25519::X8(witness)),
            None => std::eprintln!("ifma: not run"),
        }
    };
}

/// Deterministic bytes.
fn noise(seed: u64) -> [u8; 32] {
    let digest = crate::sha512::digest(&[&seed.to_le_bytes()]);
    digest[..32].try_into().expect("half of 64")
}

/// Lanes out of a value, behind the entry.
fn store<L: PointLanes>(l: L, value: &L::Fe) -> [Element; MAX_LANES] {
    struct Store<'a, F>(&'a F, &'a mut [Element; MAX_LANES]);
    impl<L: PointLanes> Stage<L> for Store<'_, L::Fe> {
        #[inline(always)]
        fn run(self, l: L) {
            l.store(self.0, &mut self.1[..L::COUNT]);
        }
    }
    let mut elements = [Element::ZERO; MAX_LANES];
    l.enter(Store(value, &mut elements));
    elements
}

/// Limbs at and around every bound: 0, 1, p - 1, p, p + 1, 2^255 - 1, 2p, the largest that `reduce` leaves.
fn edge_elements() -> Vec<Element> {
    const ONES: u64 = (1 << 51) - 1;
    let limbs =
        [0, 1, 2, 18, 19, 20, ONES - 20, ONES - 19, ONES - 18, ONES - 17, ONES, ONES + 1, ONES + (1 << 13)];
    let mut all = Vec::new();
    for low in limbs {
        for rest in [0, 1, ONES - 1, ONES, ONES + 1, ONES + (1 << 13)] {
            all.push(Element([low, rest, rest, rest, rest]));
            all.push(Element([low, rest, rest, rest, ONES]));
            all.push(Element([low, ONES, ONES, ONES, rest]));
        }
    }
    // 2p and its neighbours.
    for low in [2 * (ONES - 18) - 1, 2 * (ONES - 18)] {
        all.push(Element([low & ONES, (2 * ONES + (low >> 51)) & ONES, ONES, ONES, ONES + 1]));
    }
    all
}

fn masks_of_edges<L: PointLanes>(l: L) {
    struct Masks<'a> {
        elements: &'a [Element; MAX_LANES],
        zero: &'a mut u8,
        odd: &'a mut u8,
    }
    impl<L: PointLanes> Stage<L> for Masks<'_> {
        #[inline(always)]
        fn run(self, l: L) {
            let value = l.load(&self.elements[..L::COUNT]);
            *self.zero = l.zero_mask(&value);
            *self.odd = l.odd_mask(&value);
        }
    }
    let edges = edge_elements();
    for start in 0..edges.len() {
        let elements: [Element; MAX_LANES] = core::array::from_fn(|i| edges[(start + 7 * i) % edges.len()]);
        let (mut zero, mut odd) = (0, 0);
        l.enter(Masks { elements: &elements, zero: &mut zero, odd: &mut odd });
        for (lane, element) in elements[..L::COUNT].iter().enumerate() {
            assert_eq!(zero >> lane & 1 == 1, element.is_zero(), "{:x?}", element.0);
            assert_eq!(odd >> lane & 1 == 1, element.is_odd(), "{:x?}", element.0);
        }
    }
}

#[test]
fn masks() {
    on_every_kernel!(masks_of_edges);
}

/// Encodings of every kind: canonical and not, of small order, of no point, arbitrary.
fn edge_encodings() -> Vec<[u8; 32]> {
    let mut all = Vec::new();
    let mut top = [0xff; 32];
    top[31] = 0x7f;
    for low in 0xe8..=0xff {
        top[0] = low;
        all.push(top);
    }
    for low in 0..4 {
        let mut bytes = [0; 32];
        bytes[0] = low;
        all.push(bytes);
    }
    for y in [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ] {
        all.push(hex::decode(y).expect("hex").try_into().expect("32 bytes"));
    }
    all.push(BASE_POINT);
    all.extend((0..40).map(noise));
    let signed: Vec<_> = all
        .iter()
        .map(|bytes| {
            let mut bytes = *bytes;
            bytes[31] ^= 0x80;
            bytes
        })
        .collect();
    all.extend(signed);
    all
}

fn decoding_of_edges<L: PointLanes>(l: L) {
    let edges = edge_encodings();
    for start in 0..edges.len() {
        let pick = |step: usize| core::array::from_fn(|i| edges[(start + step * i) % edges.len()]);
        let bytes: [[[u8; 32]; MAX_LANES]; 2] = [pick(1), pick(5)];
        let decoded = decode_x2(l, [&bytes[0], &bytes[1]], [false, true]);
        for (negated, Decoded { point, valid, y_is_canonical, sign_is_canonical }) in
            [false, true].into_iter().zip(decoded)
        {
            let (x, y) = (store(l, &point.x), store(l, &point.y));
            for lane in 0..L::COUNT {
                let bytes = &bytes[usize::from(negated)][lane];
                let bit = |mask: u8| mask >> lane & 1 == 1;
                let wanted = decode_one(bytes);
                assert_eq!(bit(valid), wanted.is_some(), "{bytes:x?}");
                let Some(wanted) = wanted else { continue };
                let point = if negated { wanted.point.negate() } else { wanted.point };
                assert_eq!(x[lane].to_bytes(), point.x.to_bytes(), "{bytes:x?}");
                assert_eq!(y[lane].to_bytes(), point.y.to_bytes(), "{bytes:x?}");
                assert_eq!(bit(y_is_canonical), wanted.y_is_canonical, "{bytes:x?}");
                assert_eq!(bit(sign_is_canonical), wanted.sign_is_canonical, "{bytes:x?}");
            }
        }
    }
}

#[test]
fn decoding() {
    on_every_kernel!(decoding_of_edges);
}

#[test]
fn lists_of_small_order() {
    let (mut small, mut two) = (0, 0);
    for bytes in edge_encodings() {
        let Some(decoded) = decode_one(&bytes) else { continue };
        let twice = decoded.point.double();
        let (is_two, is_small) = (twice.is_identity(), twice.double().double().is_identity());
        assert_eq!(small_order(&[bytes; MAX_LANES]), if is_small { 0xff } else { 0 }, "{bytes:x?}");
        assert_eq!(order_2(&[bytes; MAX_LANES]), if is_two { 0xff } else { 0 }, "{bytes:x?}");
        small += usize::from(is_small);
        two += usize::from(is_two);
    }
    assert_eq!((small, two), (14, 6));
}

/// 0, 1, L - 1, all digits at either end of their range for both widths, powers of two, arbitrary ones.
fn edge_scalars() -> Vec<Scalar> {
    let mut minus_one = [0; 32];
    minus_one[0] = 1;
    let one = Scalar::from_bytes_reduced(&minus_one);
    let mut all = Vec::from([Scalar::ZERO, one, one.negate(), one.add(&one).negate()]);
    for bytes in [[0xff; 32], [0x55; 32], [0xaa; 32], [0x7f; 32], [0x80; 32], [0xf0; 32]] {
        let mut bytes = bytes;
        bytes[31] &= 0x0f;
        all.push(Scalar::from_bytes_reduced(&bytes));
    }
    for width in [5, 10] {
        // The digits -2^(width - 1), 2^(width - 1) - 1 and 2^(width - 1) everywhere.
        for digit in [1u16 << (width - 1), (1 << (width - 1)) - 1, (1 << (width - 1)) + 1] {
            let mut bytes = [0; 32];
            for bit in 0..250 {
                bytes[bit / 8] |= u8::from(digit >> (bit % width) & 1 == 1) << (bit % 8);
            }
            all.push(Scalar::from_bytes_reduced(&bytes));
        }
    }
    for bit in [4, 5, 9, 10, 63, 64, 127, 249, 250, 251] {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        all.push(Scalar::from_bytes_reduced(&bytes));
    }
    all.extend((100..110).map(|seed| Scalar::from_bytes_reduced(&noise(seed))));
    all
}

fn products_of_edges<L: PointLanes>(l: L) {
    let scalars = edge_scalars();
    // With points of small and mixed order among them.
    let encodings: Vec<_> =
        edge_encodings().into_iter().filter(|bytes| decode_one(bytes).is_some()).collect();
    let mut scratch = Scratch::new();
    for start in 0..scalars.len() {
        let bytes: [[u8; 32]; MAX_LANES] =
            core::array::from_fn(|i| encodings[(3 * start + 11 * i) % encodings.len()]);
        let s: [Scalar; MAX_LANES] = core::array::from_fn(|i| scalars[(start + 13 * i) % scalars.len()]);
        let k: [Scalar; MAX_LANES] = core::array::from_fn(|i| scalars[(start + 5 * i + 1) % scalars.len()]);
        let wanted: [Point; MAX_LANES] = core::array::from_fn(|lane| {
            let minus = decode_one(&bytes[lane]).expect("a point").point.negate();
            double_base_mul_vartime(Isa::PORTABLE, &s[lane], &minus, &k[lane])
        });
        let r = wanted.map(|point| point.encode());
        // One lane is a little off, another off by a point of order 2.
        let mut wrong = r;
        wrong[start % L::COUNT] = wanted[start % L::COUNT].double().add(&wanted[0]).encode();
        let minus_one = decode_one(&edge_encodings()[4]).expect("-1").point;
        let twisted = (start + 1) % MAX_LANES;
        wrong[twisted] = wanted[twisted].add(&minus_one).encode();
        let [a, right] = decode_x2(l, [&bytes, &r], [true, false]);
        let [_, wrong_point] = decode_x2(l, [&bytes, &wrong], [true, false]);
        let q = double_base_mul(l, &mut scratch, &s, &a.point, &k);
        let all = u8::MAX >> (8 - L::COUNT);
        assert_eq!(q.equals(l, &right.point) & all, all);
        assert_eq!(q.equals_times_8(l, &right.point) & all, all);
        let same: u8 = (0..L::COUNT).map(|lane| u8::from(wrong[lane] == r[lane]) << lane).sum();
        assert_eq!(q.equals(l, &wrong_point.point) & all, same);
        let near: u8 = (0..L::COUNT)
            .map(|lane| {
                let r = decode_one(&wrong[lane]).expect("a point").point.negate();
                u8::from(wanted[lane].add(&r).double().double().double().is_identity()) << lane
            })
            .sum();
        assert_eq!(q.equals_times_8(l, &wrong_point.point) & all, near);
        let two: u8 = (0..L::COUNT).map(|lane| u8::from(wanted[lane].double().is_identity()) << lane).sum();
        assert_eq!(q.has_order_2(l) & all, two);
    }
}

#[test]
fn products() {
    on_every_kernel!(products_of_edges);
}
