//! Weights that are no points go through the same doors: `open_weights` and `verify_weights`.

use super::*;
use crate::binary::{Gf32, Gf128};
use crate::shape::{self, Shape};
use crate::suite::{PROVABLE100, TEST_SUITE};
use crate::verify::verify_weights;
use crate::{Opening, ProofError, ProverData};
use alloc::vec;
use phalanx_core::simd::Backend;
use phalanx_core::threads::Inline;
use std::eprintln;

/// A sum of tensors of any factors, and the name under which it enters the transcript.
#[derive(Clone)]
struct Sum {
    name: Vec<u8>,
    tensors: Vec<Vec<Factor<Gf128>>>,
}

impl Sum {
    fn new(tensors: Vec<Vec<Factor<Gf128>>>) -> Self {
        let entries = tensors.iter().flatten().flat_map(|factor| match *factor {
            Factor::Equal(z) => [0, z.0, 0],
            Factor::Generator(a) => [1, a.0, 0],
            Factor::Pair(zero, one) => [2, zero.0, one.0],
        });
        Self { name: entries.flat_map(u128::to_le_bytes).collect(), tensors }
    }

    /// The weight of `x`, by the definition.
    fn at(&self, x: usize) -> Gf128 {
        let entry = |(j, factor): (usize, &Factor<Gf128>)| {
            let (zero, one) = match *factor {
                Factor::Equal(z) => (Gf128(1) + z, z),
                Factor::Generator(a) => (Gf128(1), a),
                Factor::Pair(zero, one) => (zero, one),
            };
            if x >> j & 1 == 0 { zero } else { one }
        };
        let product = |tensor: &Vec<Factor<Gf128>>| {
            tensor.iter().enumerate().map(entry).fold(Gf128(1), |product, entry| product * entry)
        };
        self.tensors.iter().map(product).fold(Gf128(0), |sum, weight| sum + weight)
    }

    /// The weighted sum, by the definition.
    fn of(&self, f: &[u32]) -> Gf128 {
        f.iter().enumerate().fold(Gf128(0), |sum, (x, &f)| sum + Gf128::from(Gf32(f)) * self.at(x))
    }
}

impl Weight<Gf128> for Sum {
    fn absorb(&self, transcript: &mut Transcript) {
        transcript.absorb("weight", &[&self.name]);
    }

    fn tensors(&self) -> Vec<Vec<Factor<Gf128>>> {
        self.tensors.clone()
    }
}

struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn element(&mut self) -> Gf128 {
        Gf128(u128::from(self.word()) << 64 | u128::from(self.word()))
    }

    /// A tensor with factors of every kind.
    fn tensor(&mut self, variables: u8) -> Vec<Factor<Gf128>> {
        let factor = |random: &mut Self, j| match j % 3 {
            0 => Factor::Pair(random.element(), random.element()),
            1 => Factor::Equal(random.element()),
            _ => Factor::Generator(random.element()),
        };
        (0..variables).map(|j| factor(self, j)).collect()
    }
}

/// d, k, r, Q and g of a level.
type Numbers = (u8, u8, u8, u16, u8);

/// One, two and three levels.
fn shapes() -> [Shape; 3] {
    let level = |(d, k, r, queries, grinding_bits): Numbers| shape::Level {
        log2_message: d,
        log2_columns: k,
        log2_inverse_rate: r,
        queries,
        grinding_bits,
    };
    let shapes: [&[Numbers]; 3] = [
        &[(5, 3, 2, 12, 0)],
        &[(6, 2, 1, 14, 0), (3, 3, 3, 12, 3)],
        &[(7, 2, 2, 14, 0), (4, 3, 3, 12, 2), (2, 2, 4, 12, 0)],
    ];
    shapes.map(|levels| {
        let variables = levels[0].0 + levels[0].1;
        Shape::unregistered(variables, levels.iter().copied().map(level).collect()).expect("valid")
    })
}

fn commit<'a>(shape: &Shape, f: &'a [u32]) -> ProverData<'a> {
    let f = crate::binary::gf32s(f).into();
    ProverData::commit(&Inline, &PROVABLE100, TEST_SUITE, shape.clone(), f, &|_, _| ())
        .expect("a length of the shape")
}

/// The same weights against the values, by the verifier.
fn verdict(data: &ProverData<'_>, weights: &[Sum], opening: &Opening) -> Result<(), ProofError> {
    let claims: Vec<_> = weights.iter().cloned().zip(opening.values.iter().copied()).collect();
    verify_weights(&PROVABLE100, TEST_SUITE, data.shape(), &data.root(), &claims, &opening.proof, b"weights")
}

#[test]
fn weighted_sums_are_opened_and_verified() {
    let mut random = Random(5);
    for shape in shapes() {
        let variables = shape.variables();
        let f: Vec<u32> = (0..1 << variables).map(|_| (random.word() >> 32) as u32).collect();
        let everything = Sum::new(vec![vec![Factor::Pair(Gf128(1), Gf128(1)); variables.into()]]);
        let twofold = Sum::new(vec![random.tensor(variables), random.tensor(variables)]);
        let nothing = Sum::new(vec![]);
        for weights in [
            vec![everything.clone()],
            vec![twofold.clone()],
            vec![twofold.clone(), everything.clone(), nothing.clone(), twofold.clone()],
        ] {
            for backend in Backend::ALL {
                let ran = backend.force(|| {
                    let data = commit(&shape, &f);
                    let opening = data.open_weights(&Inline, weights.clone(), b"weights");
                    let wanted: Vec<_> = weights.iter().map(|weight| weight.of(&f)).collect();
                    assert_eq!(opening.values, wanted, "{}", backend.name());
                    assert_eq!(verdict(&data, &weights, &opening), Ok(()), "{}", backend.name());
                });
                if ran.is_err() {
                    eprintln!("not run: {}", backend.name());
                }
            }
        }
        // The first of them is what it says.
        let sum = f.iter().fold(Gf128(0), |sum, &x| sum + Gf128::from(Gf32(x)));
        assert_eq!(everything.of(&f), sum);
    }
}

#[test]
fn wrong_sums_and_other_weights_are_refused() {
    let mut random = Random(6);
    for shape in shapes() {
        let variables = shape.variables();
        let f: Vec<u32> = (0..1 << variables).map(|_| (random.word() >> 32) as u32).collect();
        let data = commit(&shape, &f);
        let weights = [
            Sum::new(vec![random.tensor(variables), random.tensor(variables)]),
            Sum::new(vec![vec![Factor::Pair(Gf128(1), Gf128(1)); variables.into()]]),
        ];
        let opening = data.open_weights(&Inline, weights.to_vec(), b"weights");
        for claim in 0..2 {
            let mut wrong = opening.clone();
            wrong.values[claim] += Gf128(1 << 100);
            assert!(verdict(&data, &weights, &wrong).is_err());
            let mut others = weights.clone();
            others[claim] = Sum::new(vec![random.tensor(variables)]);
            assert!(verdict(&data, &others, &opening).is_err());
            // Under the same name every challenge is as before: the last check alone knows the weight.
            others[claim].name.clone_from(&weights[claim].name);
            assert_eq!(verdict(&data, &others, &opening), Err(ProofError::FinalClaim));
        }
    }
}

/// A point given as a sum of one tensor is the same to everything but the transcript's label.
#[test]
fn a_point_is_a_tensor() {
    struct Disguised(Vec<Gf128>);
    impl Weight<Gf128> for Disguised {
        fn absorb(&self, transcript: &mut Transcript) {
            Point(&self.0).absorb(transcript);
        }
        fn tensors(&self) -> Vec<Vec<Factor<Gf128>>> {
            vec![self.0.iter().map(|&z| Factor::Pair(Gf128(1) + z, z)).collect()]
        }
    }
    let mut random = Random(7);
    for shape in shapes() {
        let f: Vec<u32> = (0..1 << shape.variables()).map(|_| (random.word() >> 32) as u32).collect();
        let point: Vec<Gf128> = (0..shape.variables()).map(|_| random.element()).collect();
        let data = commit(&shape, &f);
        let opening = data.open(&[&point], b"weights").expect("a point of the shape");
        assert_eq!(data.open_weights(&Inline, vec![Disguised(point)], b"weights"), opening);
    }
}
