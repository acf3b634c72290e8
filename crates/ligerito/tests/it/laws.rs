//! Ligerito, laws: what the library proves of any polynomial, at any points, in any shape, it believes; and it believes
//! nothing that differs from it by a bit.
use crate::support::{
    Sizes, plain_shape, point, random_context, random_points, random_polynomial, random_shape, shape,
};
use phalanx_ligerito::Inline;
use phalanx_ligerito::{
    self as ligerito, Accepted, Commitment, EvaluationClaim, Gf128, Preset, ProofError, ProverData, Shape,
    hazmat::{self, TestShape},
};
use phalanx_testing::{Random, again, on_every_backend};

/// What a statement is proved under.
#[derive(Clone, Debug)]
enum Under {
    Registered(Commitment),
    Test(TestShape),
}

/// A statement under a registered shape, or under one for tests, with its proof.
#[derive(Clone)]
struct Statement {
    under: Under,
    root: [u8; 32],
    points: Vec<Vec<Gf128>>,
    values: Vec<Gf128>,
    context: Vec<u8>,
    proof: Vec<u8>,
}

/// Which polynomials a statement may be about.
#[derive(Clone, Copy)]
enum Kind {
    /// Edges, too: constants, a single coefficient.
    Any,
    /// Coefficients without a pattern. A proof about the zero polynomial shows zeros whatever is opened, so other
    /// challenges need not change its bytes: it can be a proof of another, equally true statement.
    Dense,
}

impl Statement {
    /// A statement under a shape for tests.
    fn random(random: &mut Random, kind: Kind, shape: &TestShape, count: usize) -> Self {
        Self::new(random, kind, shape.shape(), count, |f| {
            let data = shape.commit_on(&Inline, f).expect("a length of the shape");
            (Under::Test(shape.clone()), data)
        })
    }

    /// A statement under a registered shape.
    fn registered(random: &mut Random, kind: Kind, preset: Preset, variables: u8, count: usize) -> Self {
        let shape = preset.shape(variables).expect("registered");
        Self::new(random, kind, &shape, count, |f| {
            let (commitment, data) = ligerito::commit(preset, f).expect("registered");
            (Under::Registered(commitment), data)
        })
    }

    fn new(
        random: &mut Random,
        kind: Kind,
        shape: &Shape,
        count: usize,
        commit: impl Fn(&[u32]) -> (Under, ProverData<'_>),
    ) -> Self {
        let f: Vec<u32> = match kind {
            Kind::Any => random_polynomial(random, shape.variables()),
            Kind::Dense => (0..1u64 << shape.variables()).map(|_| random.u32()).collect(),
        };
        let points: Vec<_> =
            random_points::<u128>(random, shape.variables(), count).iter().map(|z| point(z)).collect();
        let context = random_context(random);
        let borrowed: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
        let (under, data) = commit(&f);
        let opening = data.open(&borrowed, &context).expect("points of the shape");
        let root = data.root();
        Self { under, root, points, values: opening.values, context, proof: opening.proof }
    }

    fn verify(&self) -> Result<(), ProofError> {
        let claims: Vec<_> = self
            .points
            .iter()
            .zip(&self.values)
            .map(|(point, &value)| EvaluationClaim { point, value })
            .collect();
        match &self.under {
            Under::Registered(commitment) => {
                let accepted = Accepted::up_to(&Preset::ALL, 30);
                ligerito::verify(&accepted, commitment, &claims, &self.proof, &self.context)
            }
            Under::Test(shape) => {
                shape.verify(hazmat::SUITE, &self.root, &claims, &self.proof, &self.context)
            }
        }
    }

    /// The statement after `change` is refused.
    fn refuses(&self, what: &str, change: impl FnOnce(&mut Self)) {
        let mut changed = self.clone();
        change(&mut changed);
        assert!(changed.verify().is_err(), "{what} under {:?}", self.under);
    }

    /// One of `step` bits of the proof, some of a long context, and every bit of everything else flipped, one at a
    /// time.
    fn refuses_flips(&self, random: &mut Random, step: usize) {
        assert_eq!(self.verify(), Ok(()));
        let first = usize::from(random.u8()) % step;
        for bit in (first..8 * self.proof.len()).step_by(step) {
            self.refuses(&format!("bit {bit} of the proof"), |changed| {
                changed.proof[bit / 8] ^= 1 << (bit % 8)
            });
        }
        for bit in (0..8 * self.context.len()).step_by(1 + self.context.len() / 32) {
            self.refuses("the context", |changed| changed.context[bit / 8] ^= 1 << (bit % 8));
        }
        for claim in 0..self.points.len() {
            for bit in 0..128 {
                self.refuses("a value", |changed| changed.values[claim].0 ^= 1 << bit);
                for coordinate in 0..self.points[claim].len() {
                    self.refuses("a point", |changed| changed.points[claim][coordinate].0 ^= 1 << bit);
                }
            }
        }
        match &self.under {
            Under::Test(_) => (0..256)
                .for_each(|bit| self.refuses("the root", |changed| changed.root[bit / 8] ^= 1 << (bit % 8))),
            Under::Registered(commitment) => {
                for bit in 0..8 * Commitment::LEN_BYTES {
                    let mut bytes = commitment.to_bytes();
                    bytes[bit / 8] ^= 1 << (bit % 8);
                    // Some flips make it an unknown preset: refused even sooner.
                    if let Ok(other) = Commitment::from_bytes(&bytes) {
                        self.refuses("the commitment", |changed| changed.under = Under::Registered(other));
                    }
                }
            }
        }
    }
}

#[test]
fn honest_proofs_are_believed() {
    let mut random = Random::new();
    for i in 0..160 {
        let shape = shape(&random_shape::<u128>(&mut random, i % 4));
        let statement = Statement::random(&mut random, Kind::Any, &shape, 1 + i / 4 % 4);
        on_every_backend(|_| assert_eq!(statement.verify(), Ok(()), "{:?}", statement.under));
    }
}

#[test]
fn honest_proofs_under_registered_shapes_are_believed() {
    let mut random = Random::new();
    for preset in Preset::ALL {
        for variables in 10..=13 {
            for count in [1, 2, 5] {
                let statement = Statement::registered(&mut random, Kind::Any, preset, variables, count);
                on_every_backend(|_| assert_eq!(statement.verify(), Ok(()), "{preset:?} {variables}"));
                let most = preset.shape(variables).expect("registered").max_proof_len_bytes();
                assert!(statement.proof.len() <= most, "{} of {most} bytes", statement.proof.len());
            }
        }
    }
}

/// Shapes in which other challenges open other rows: in the smallest ones, a change may be lucky.
fn strong_shapes() -> [TestShape; 4] {
    let shapes: [&[Sizes]; 4] = [
        &[(6, 3, 2, 10, 0)],
        &[(6, 2, 2, 8, 3), (4, 2, 3, 8, 0)],
        &[(5, 2, 3, 8, 0), (4, 1, 3, 8, 2), (3, 1, 4, 8, 0)],
        &[(7, 1, 1, 9, 0), (5, 2, 2, 8, 0), (4, 1, 3, 8, 0), (3, 1, 4, 9, 4)],
    ];
    shapes.map(|levels| shape(&plain_shape::<u128>(levels)))
}

#[test]
fn no_bit_may_differ() {
    if again() {
        return;
    }
    let mut random = Random::new();
    for (i, shape) in strong_shapes().into_iter().enumerate() {
        Statement::random(&mut random, Kind::Dense, &shape, 1 + i % 2).refuses_flips(&mut random, 3);
    }
}

#[test]
fn no_bit_may_differ_under_registered_shapes() {
    if again() {
        return;
    }
    let mut random = Random::new();
    for preset in Preset::ALL {
        let statement = Statement::registered(&mut random, Kind::Dense, preset, 10, 1);
        statement.refuses_flips(&mut random, 53);
    }
}

/// The order, the number and the multiplicity of claims are part of the statement.
#[test]
fn claims_may_not_be_moved() {
    let mut random = Random::new();
    for shape in strong_shapes() {
        let mut statement = Statement::random(&mut random, Kind::Dense, &shape, 3);
        while statement.points[0] == statement.points[2] {
            statement = Statement::random(&mut random, Kind::Dense, &shape, 3);
        }
        let swap = |changed: &mut Statement| {
            changed.points.swap(0, 2);
            changed.values.swap(0, 2);
        };
        statement.refuses("the order", swap);
        statement.refuses("the number", |changed| {
            changed.points.pop();
            changed.values.pop();
        });
        statement.refuses("the multiplicity", |changed| {
            changed.points.push(changed.points[2].clone());
            changed.values.push(changed.values[2]);
        });
    }
}
