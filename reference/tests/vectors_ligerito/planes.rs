//! `planes_algebra.json` of `vectors/ligerito-v2`: planes and the values they stand for. And what they rest on: the map
//! between both is a bijection, and 31 of the 32 equations do not suffice.

use phalanx_reference::ligerito::planes::{
    claims_of_planes, orbit, planes, planes_of_values, small_coefficients, value_of_planes, value_of_words,
    values_of_planes, vanishing,
};
use phalanx_reference::ligerito::{Claim, Level, Shape, commit, evaluate, verify_shape};
use serde_json::Value;

use crate::json::{Suite, bytes, elements, for_every_suite, list};

for_every_suite!(
    planes_and_values_of_the_file,
    planes_open_as_points,
    false_planes_are_refused,
    thirty_one_conjugates_are_not_enough,
    small_coefficients_have_their_values,
);

fn planes_and_values_of_the_file<N: Suite>() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/ligerito-v2/planes_algebra.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases = list(&file).iter().filter(|case| case["field_bits"] == N::FIELD.bits);
    let mut seen = 0;
    for case in cases {
        let word = |word: &Value| u32::from_be_bytes(bytes(word).try_into().unwrap());
        let f: Vec<u32> = list(&case["f"]).iter().map(word).collect();
        let (z, s, t) = (elements::<N>(&case["z"]), elements::<N>(&case["s"]), elements::<N>(&case["t"]));
        assert_eq!(planes(&f, &z), s);
        assert_eq!(values_of_planes(&s), t);
        assert_eq!(planes_of_values(&t), s);
        let at_orbit: Vec<N> = orbit(&z).iter().map(|z| value_of_words(&f, z)).collect();
        assert_eq!(at_orbit, t);
        seen += 1;
    }
    assert_eq!(seen, 1);
}

/// One level, and two.
fn shapes<N: Suite>() -> [Shape<N>; 2] {
    let level = |d, k, r, queries| Level { d, k, r, queries, grind: 0 };
    let shapes: [&[Level]; 2] = [&[level(3, 2, 2, 6)], &[level(4, 2, 2, 6), level(2, 2, 2, 5)]];
    shapes.map(|levels| Shape::test(levels[0].d + levels[0].k, levels).unwrap())
}

/// xorshift64, as in the vectors.
struct Bits(u64);

impl Bits {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn f(&mut self, mu: u8) -> Vec<u32> {
        (0..1 << mu).map(|_| u32::try_from(self.word() >> 32).unwrap()).collect()
    }

    fn elements<N: Suite>(&mut self, count: usize) -> Vec<N> {
        let mut element = || N::of_le(&self.word().to_le_bytes().repeat(N::FIELD.bytes() / 8));
        (0..count).map(|_| element()).collect()
    }
}

fn planes_open_as_points<N: Suite>() {
    let mut random = Bits(1);
    for shape in shapes::<N>() {
        let f = random.f(shape.mu());
        let points: Vec<Vec<N>> = (0..2).map(|_| random.elements(shape.mu().into())).collect();
        let committed = commit(&shape, &f).unwrap();
        let (found, opening) = committed.open_planes(&points, b"planes").unwrap();
        let wanted: Vec<Vec<N>> = points.iter().map(|z| planes(&f, z)).collect();
        assert_eq!(found, wanted);
        let claims: Vec<Claim<N>> =
            points.iter().zip(&found).flat_map(|(z, s)| claims_of_planes(z, s)).collect();
        assert_eq!(claims.len(), 64);
        let verdict = verify_shape(&shape, &committed.root(), &claims, &opening.proof, b"planes");
        assert!(verdict.is_ok(), "{verdict:?}");
    }
}

/// Planes that give the right value of the words, and the right value at the first point of the orbit: still refused.
fn false_planes_are_refused<N: Suite>() {
    let mut random = Bits(2);
    for shape in shapes::<N>() {
        let f = random.f(shape.mu());
        let z: Vec<N> = random.elements(shape.mu().into());
        let committed = commit(&shape, &f).unwrap();
        let (found, opening) = committed.open_planes(std::slice::from_ref(&z), b"").unwrap();
        let verdict = |s: &[N]| {
            let claims = claims_of_planes(&z, s);
            verify_shape(&shape, &committed.root(), &claims, &opening.proof, b"").map(|_| ())
        };
        let truth = found[0].clone();
        assert_eq!(verdict(&truth), Ok(()));
        for i in 0..32 {
            let mut s = truth.clone();
            s[i] ^= N::one();
            assert!(verdict(&s).is_err(), "plane {i}");
        }
        let mut s = truth.clone();
        let (a, b) = (N::powers()[5], N::powers()[9]);
        s[5] ^= b;
        s[9] ^= a;
        assert_eq!(values_of_planes(&s)[0], values_of_planes(&truth)[0]);
        assert!(verdict(&s).is_err());
    }
}

/// Planes wrong by the coefficients of the product of v - g^(2^-k) for k < 31: the first 31 values are right.
fn thirty_one_conjugates_are_not_enough<N: Suite>() {
    let mut random = Bits(3);
    let roots: Vec<N> = (0..31).map(|k| (0..N::FIELD.bits - k).fold(N::X_OF_T, |x, _| x.times(x))).collect();
    let errors = vanishing(&roots);
    for shape in shapes::<N>() {
        let f = random.f(shape.mu());
        let z: Vec<N> = random.elements(shape.mu().into());
        let committed = commit(&shape, &f).unwrap();
        let truth = planes(&f, &z);
        let s: Vec<N> = truth.iter().zip(&errors).map(|(&s, &error)| s ^ error).collect();
        assert!(s != truth);
        let (right, wrong) = (claims_of_planes(&z, &truth), claims_of_planes(&z, &s));
        assert_eq!(wrong[..31], right[..31]);
        assert!(wrong[31] != right[31]);
        // A verifier of 31 claims is content.
        let opening = committed.open(&orbit(&z)[..31], b"").unwrap();
        let verdict = verify_shape(&shape, &committed.root(), &wrong[..31], &opening.proof, b"");
        assert!(verdict.is_ok(), "{verdict:?}");
        // One of all 32 refuses.
        let opening = committed.open(&orbit(&z), b"").unwrap();
        let verdict = verify_shape(&shape, &committed.root(), &wrong, &opening.proof, b"");
        assert!(verdict.is_err());
    }
}

/// Bits, bytes, halves and words in any basis, against their own extensions.
fn small_coefficients_have_their_values<N: Suite>() {
    let mut random = Bits(4);
    let f = random.f(4);
    let z: Vec<N> = random.elements(4);
    let s = planes(&f, &z);
    for inside in [5, 2, 1, 0] {
        let low: Vec<N> = random.elements(inside);
        let basis = if inside == 5 { vec![N::one()] } else { random.elements(32 >> inside) };
        let point = [&low[..], &z].concat();
        let wanted = evaluate(&small_coefficients(&f, &basis), &point);
        assert_eq!(value_of_planes(&low, &basis, &s), wanted, "{inside} coordinates inside");
    }
    assert_eq!(value_of_planes(&[], N::powers(), &s), value_of_words(&f, &z));
}
