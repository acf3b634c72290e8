//! Our suites under one set of names. A suite is the type of its profiles.

use phalanx::Inline;
use phalanx::ligerito::hazmat::fields::{self, Field};
use phalanx::ligerito::hazmat::transcripts::Framed;
use phalanx::ligerito::hazmat::trees::{self, Hashing};
use phalanx::ligerito::hazmat::{TestLayoutOf, TestShapeOf};
use phalanx::ligerito::johnson128;
use phalanx::ligerito::provable128::{self, Gf192};
use phalanx::ligerito::{
    self, Error, EvaluationClaim, Gf128, Level, MAX_VARIABLES, Opening, PresetOf, ProofError, ProofReader,
    ProverData, Shape, SumClaim, Transcript, Weight,
};
use std::fmt::Debug;

/// A suite of ours.
pub(crate) trait Suite: PresetOf + Copy + Eq + Debug + Send + Sync + 'static {
    /// The string of registered shapes.
    const NAME: &'static str;
    /// The string of all others.
    const TEST_NAME: &'static str;
    /// The string of weighted sums under all others.
    const SUMS_TEST_NAME: &'static str;
    /// Bits of the field of challenges.
    const BITS: u32;
    /// The profile byte of test shapes.
    const TEST_CODE: u8 = 0;
    /// Every profile.
    const PROFILES: &'static [Self];

    /// Its number.
    fn number(self) -> u8;
    /// Its name.
    fn label(self) -> &'static str;
    /// The registered shape.
    fn registered(self, variables: u8) -> Option<Shape>;
    /// A shape for tests.
    fn test_shape(variables: u8, levels: Vec<Level>) -> Result<TestShapeOf<Self>, Error>;
    /// Commits under it.
    fn test_commit<'a>(
        shape: &TestShapeOf<Self>,
        polynomial: &'a [u32],
    ) -> Result<ProverData<'a, Self::Challenge>, Error>;
    /// Verifies under it, with any suite string.
    fn test_verify(
        suite: &str,
        shape: &TestShapeOf<Self>,
        root: &[u8; 32],
        claims: &[EvaluationClaim<'_, Self::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;

    /// Verifies weighted sums under it, with any suite string; the commitment's sample is that of a suite with samples.
    fn test_verify_sums(
        suite: &str,
        shape: &TestShapeOf<Self>,
        commitment: (&[u8; 32], Option<Self::Challenge>),
        claims: &[SumClaim<'_, Self::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;

    /// Verifies them where a larger proof is read; of a suite without samples.
    fn test_verify_sums_in<'a>(
        suite: &str,
        shape: &TestShapeOf<Self>,
        reader: ProofReader<'a, Self::Challenge>,
        root: &[u8; 32],
        claims: &[SumClaim<'_, Self::Challenge>],
        context: &[u8],
    ) -> Result<ProofReader<'a, Self::Challenge>, ProofError>;
    /// Several test shapes in one proof; of a suite without samples.
    fn test_layout(shapes: &[TestShapeOf<Self>], later: &[Level]) -> Result<TestLayoutOf<Self>, Error>;
    /// What the transcript absorbs of it.
    fn test_params(layout: &TestLayoutOf<Self>) -> Vec<u8>;
    /// Opens under it.
    fn test_open_together(
        layout: &TestLayoutOf<Self>,
        data: &[&ProverData<'_, Self::Challenge>],
        weights: &[(usize, Weight<'_, Self::Challenge>)],
        context: &[u8],
    ) -> Result<Opening<Self::Challenge>, Error>;
    /// Verifies under it.
    fn test_verify_together(
        suite: &str,
        layout: &TestLayoutOf<Self>,
        roots: &[[u8; 32]],
        claims: &[(usize, SumClaim<'_, Self::Challenge>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Binds a commitment under it; of a suite without samples.
    fn test_bind(shape: &TestShapeOf<Self>, transcript: &mut Transcript<Self::Challenge>, root: &[u8; 32]);

    /// A transcript in which nothing is said.
    fn transcript() -> Framed;
    /// What a nonce hashes to.
    fn work(seed: &[u8; 32], nonce: u64) -> u64;

    /// The element of an integer's bytes, the highest first; `None` unless there are as many as it has.
    fn element(bytes: &[u8]) -> Option<Self::Challenge>;
    /// Little-endian bytes.
    fn le_bytes(element: Self::Challenge) -> Vec<u8>;
    /// The small integer as an element.
    fn small(integer: u64) -> Self::Challenge;
    /// The image of an element of GF(2^32).
    fn embed(element: u32) -> Self::Challenge;
    /// The product with itself.
    fn square(element: Self::Challenge) -> Self::Challenge;
    /// The inverse.
    fn invert(element: Self::Challenge) -> Self::Challenge;
    /// The table of h_j(2^b).
    fn basis(log2_points: u32) -> Option<Vec<Vec<Self::Challenge>>>;
    /// Factors of a row of the generator matrix.
    fn generator_factors(
        log2_points: u32,
        log2_message: u32,
        position: usize,
    ) -> Option<Vec<Self::Challenge>>;
    /// Encodes the columns of a matrix.
    fn encode(message: &[Self::Challenge], log2_columns: u32, log2_rate: u32)
    -> Option<Vec<Self::Challenge>>;
    /// eq(z, x) for every x.
    fn equal(point: &[Self::Challenge]) -> Vec<Self::Challenge>;
    /// The value at a point.
    fn evaluate(polynomial: &[u32], point: &[Self::Challenge]) -> Option<Self::Challenge>;
}

/// A suite of `ligerito-v1`, which opens points by a protocol of its own.
pub(crate) trait Points: Suite {
    /// How trees are made.
    const HASHING: Hashing;

    /// The commitment's bytes.
    fn wire(self, variables: u8, root: [u8; 32]) -> Vec<u8>;
    /// Commits under the registered shape; with the commitment's bytes.
    fn commit(self, polynomial: &[u32]) -> Result<(Vec<u8>, ProverData<'_, Self::Challenge>), Error>;
    /// Verifies under the registered shape. The result is the same for everyone who accepts the commitment.
    fn verify(
        self,
        variables: u8,
        root: [u8; 32],
        claims: &[EvaluationClaim<'_, Self::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
}

/// The same for what only these suites have.
macro_rules! points {
    ($module:ident, $hashing:ident) => {
        impl Points for $module::Preset {
            const HASHING: Hashing = Hashing::$hashing;

            fn wire(self, variables: u8, root: [u8; 32]) -> Vec<u8> {
                $module::Commitment::new(self, variables, root).to_bytes().to_vec()
            }

            fn commit(self, polynomial: &[u32]) -> Result<(Vec<u8>, ProverData<'_, Self::Challenge>), Error> {
                let (commitment, data) = $module::commit(self, polynomial)?;
                Ok((commitment.to_bytes().to_vec(), data))
            }

            fn verify(
                self,
                variables: u8,
                root: [u8; 32],
                claims: &[EvaluationClaim<'_, Self::Challenge>],
                proof: &[u8],
                context: &[u8],
            ) -> Result<(), ProofError> {
                let bytes = $module::Commitment::new(self, variables, root).to_bytes();
                let commitment = $module::Commitment::from_bytes(&bytes).expect("its own bytes");
                let verify = |accepted: $module::Accepted| {
                    $module::verify(&accepted, &commitment, claims, proof, context)
                };
                let result = verify($module::Accepted::exactly(self, variables));
                assert_eq!(verify($module::Accepted::up_to(&[self], MAX_VARIABLES)), result);
                let other = verify($module::Accepted::up_to(&[self], variables - 1));
                assert_eq!(other, Err(ProofError::UnacceptedParams), "accepted by nobody else");
                result
            }
        }
    };
}

points!(ligerito, Own);
points!(provable128, Own128);

/// What the suites' modules have under the same names.
macro_rules! suite {
    ($module:ident, $hazmat:ident) => {
        const NAME: &'static str = $module::SUITE;
        const TEST_NAME: &'static str = $module::hazmat::SUITE;
        const SUMS_TEST_NAME: &'static str = $module::hazmat::SUMS_SUITE;
        const PROFILES: &'static [Self] = &$module::Preset::ALL;

        fn number(self) -> u8 {
            self.code()
        }

        fn label(self) -> &'static str {
            self.name()
        }

        fn registered(self, variables: u8) -> Option<Shape> {
            self.shape(variables)
        }

        fn test_shape(variables: u8, levels: Vec<Level>) -> Result<TestShapeOf<Self>, Error> {
            $module::hazmat::TestShape::new(variables, levels)
        }

        fn test_commit<'a>(
            shape: &TestShapeOf<Self>,
            polynomial: &'a [u32],
        ) -> Result<ProverData<'a, Self::Challenge>, Error> {
            shape.commit_on(&Inline, polynomial)
        }

        fn test_layout(shapes: &[TestShapeOf<Self>], later: &[Level]) -> Result<TestLayoutOf<Self>, Error> {
            TestLayoutOf::new(shapes, later)
        }

        fn test_params(layout: &TestLayoutOf<Self>) -> Vec<u8> {
            layout.params()
        }

        fn test_open_together(
            layout: &TestLayoutOf<Self>,
            data: &[&ProverData<'_, Self::Challenge>],
            weights: &[(usize, Weight<'_, Self::Challenge>)],
            context: &[u8],
        ) -> Result<Opening<Self::Challenge>, Error> {
            layout.open(data, weights, context)
        }

        fn test_verify_together(
            suite: &str,
            layout: &TestLayoutOf<Self>,
            roots: &[[u8; 32]],
            claims: &[(usize, SumClaim<'_, Self::Challenge>)],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            layout.verify(suite, roots, claims, proof, context)
        }

        fn test_verify(
            suite: &str,
            shape: &TestShapeOf<Self>,
            root: &[u8; 32],
            claims: &[EvaluationClaim<'_, Self::Challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            shape.verify(suite, root, claims, proof, context)
        }

        fn test_verify_sums(
            suite: &str,
            shape: &TestShapeOf<Self>,
            (root, sample): (&[u8; 32], Option<Self::Challenge>),
            claims: &[SumClaim<'_, Self::Challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            shape.verify_sums(suite, root, sample, claims, proof, context)
        }

        fn test_verify_sums_in<'a>(
            suite: &str,
            shape: &TestShapeOf<Self>,
            reader: ProofReader<'a, Self::Challenge>,
            root: &[u8; 32],
            claims: &[SumClaim<'_, Self::Challenge>],
            context: &[u8],
        ) -> Result<ProofReader<'a, Self::Challenge>, ProofError> {
            shape.verify_sums_in(suite, reader, root, None, claims, context)
        }

        fn test_bind(
            shape: &TestShapeOf<Self>,
            transcript: &mut Transcript<Self::Challenge>,
            root: &[u8; 32],
        ) {
            shape.bind(transcript, root, None);
        }

        fn square(element: Self::Challenge) -> Self::Challenge {
            element * element
        }

        fn equal(point: &[Self::Challenge]) -> Vec<Self::Challenge> {
            $hazmat::equal(point)
        }

        fn evaluate(polynomial: &[u32], point: &[Self::Challenge]) -> Option<Self::Challenge> {
            $hazmat::evaluate(polynomial, point)
        }
    };
}

impl Suite for ligerito::Preset {
    suite!(ligerito, fields);

    const BITS: u32 = 128;

    fn transcript() -> Framed {
        Framed::new()
    }

    fn work(seed: &[u8; 32], nonce: u64) -> u64 {
        trees::work(seed, nonce)
    }

    fn element(bytes: &[u8]) -> Option<Gf128> {
        bytes.try_into().ok().map(|bytes| Gf128(u128::from_be_bytes(bytes)))
    }

    fn le_bytes(element: Gf128) -> Vec<u8> {
        element.0.to_le_bytes().to_vec()
    }

    fn small(integer: u64) -> Gf128 {
        Gf128(integer.into())
    }

    fn embed(element: u32) -> Gf128 {
        Gf128(Field::Gf32.embed(element.into(), Field::Gf128).expect("an element"))
    }

    fn invert(element: Gf128) -> Gf128 {
        Gf128(Field::Gf128.invert(element.0).expect("an element"))
    }

    fn basis(log2_points: u32) -> Option<Vec<Vec<Gf128>>> {
        Some(Field::Gf128.basis(log2_points)?.into_iter().map(elements).collect())
    }

    fn generator_factors(log2_points: u32, log2_message: u32, position: usize) -> Option<Vec<Gf128>> {
        Field::Gf128.generator_factors(log2_points, log2_message, position).map(elements)
    }

    fn encode(message: &[Gf128], log2_columns: u32, log2_rate: u32) -> Option<Vec<Gf128>> {
        let message: Vec<u128> = message.iter().map(|element| element.0).collect();
        Field::Gf128.encode(&message, log2_columns, log2_rate).map(elements)
    }
}

fn elements(integers: Vec<u128>) -> Vec<Gf128> {
    integers.into_iter().map(Gf128).collect()
}

use provable128::hazmat::fields as fields192;

/// A suite over GF(2^192).
macro_rules! suite_over_gf192 {
    ($module:ident, test code $code:literal) => {
        impl Suite for $module::Preset {
            suite!($module, fields192);

            const TEST_CODE: u8 = $code;
            const BITS: u32 = 192;

            fn transcript() -> Framed {
                Framed::$module()
            }

            fn work(seed: &[u8; 32], nonce: u64) -> u64 {
                $module::hazmat::work(seed, nonce)
            }

            fn element(bytes: &[u8]) -> Option<Gf192> {
                let mut bytes: [u8; 24] = bytes.try_into().ok()?;
                bytes.reverse();
                Some(Gf192::from_le_bytes(bytes))
            }

            fn le_bytes(element: Gf192) -> Vec<u8> {
                element.to_le_bytes().to_vec()
            }

            fn small(integer: u64) -> Gf192 {
                Gf192([integer, 0, 0])
            }

            fn embed(element: u32) -> Gf192 {
                fields192::embed(element)
            }

            fn invert(element: Gf192) -> Gf192 {
                fields192::invert(element)
            }

            fn basis(log2_points: u32) -> Option<Vec<Vec<Gf192>>> {
                fields192::basis(log2_points)
            }

            fn generator_factors(log2_points: u32, log2_message: u32, position: usize) -> Option<Vec<Gf192>> {
                fields192::generator_factors(log2_points, log2_message, position)
            }

            fn encode(message: &[Gf192], log2_columns: u32, log2_rate: u32) -> Option<Vec<Gf192>> {
                fields192::encode(message, log2_columns, log2_rate)
            }
        }
    };
}

suite_over_gf192!(provable128, test code 0);
suite_over_gf192!(johnson128, test code 4);
