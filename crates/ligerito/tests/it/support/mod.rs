//! Bridges between the library's Ligerito and the plain one, for every suite, and inputs for both sides.

use phalanx_ligerito::{
    self as ligerito, Accepted, Commitment, Error, EvaluationClaim, Gf128, Opening, PlanesClaim, Preset,
    PresetOf, ProofError, ProofReader, ProverData, SumClaim, Transcript, Weight, hazmat, johnson128,
    provable128,
};
use phalanx_ligerito::{Inline, Pool};
use phalanx_reference::ligerito as plain;
use plain::sums::Committed34;
use plain::{J192, Large, U192};

use phalanx_testing::Random;

/// The library's elements of a large field.
pub(crate) type Fast<N> = <<N as Suite>::Preset as PresetOf>::Challenge;

/// The library's test shapes.
pub(crate) type TestShape<N> = hazmat::TestShapeOf<<N as Suite>::Preset>;

/// A suite as both sides know it. The plain side names it by the integers of its large field.
pub(crate) trait Suite: Large {
    /// The library's presets.
    type Preset: PresetOf + Copy + Eq + std::fmt::Debug;
    /// All of them, each with its number.
    const PRESETS: &'static [(u8, Self::Preset)];
    /// The suite string of the library's test shapes.
    const HAZMAT: &'static str;

    /// The same for weighted sums.
    const HAZMAT_SUMS: &'static str;
    /// The profile byte of their commitments.
    const TEST_CODE: u8 = 0;

    /// An element of the library.
    fn fast(self) -> Fast<Self>;
    /// An element of the reference.
    fn of_fast(element: Fast<Self>) -> Self;
    /// The largest power of x that is an element as it is.
    fn top_bit() -> Self;
    /// All bits.
    fn ones() -> Self;
    /// A test shape.
    fn shape(variables: u8, levels: Vec<ligerito::Level>) -> Result<TestShape<Self>, Error>;
    /// Commits under a test shape.
    fn commit<'a>(
        pool: &dyn Pool,
        shape: &TestShape<Self>,
        f: &'a [u32],
    ) -> Result<ProverData<'a, Fast<Self>>, Error>;
    /// Verifies under a test shape.
    fn verify(
        suite: &str,
        shape: &TestShape<Self>,
        root: &[u8; 32],
        claims: &[EvaluationClaim<'_, Fast<Self>>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Verifies planes under a test shape.
    fn verify_planes(
        shape: &TestShape<Self>,
        root: &[u8; 32],
        claims: &[PlanesClaim<'_, Fast<Self>>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Verifies weighted sums under a test shape; the commitment is that of the reference.
    fn verify_sums(
        suite: &str,
        shape: &TestShape<Self>,
        commitment: &Committed34<Self>,
        claims: &[SumClaim<'_, Fast<Self>>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Verifies weighted sums under a test shape where a larger proof is read; of a suite without samples.
    fn verify_sums_in<'a>(
        shape: &TestShape<Self>,
        reader: ProofReader<'a, Fast<Self>>,
        root: &[u8; 32],
        claims: &[SumClaim<'_, Fast<Self>>],
        context: &[u8],
    ) -> Result<ProofReader<'a, Fast<Self>>, ProofError>;
    /// Opens several commitments under test shapes, whose later levels are these; of a suite without samples.
    fn open_together(
        under: (&[TestShape<Self>], &[ligerito::Level]),
        data: &[&ProverData<'_, Fast<Self>>],
        weights: &[(usize, Weight<'_, Fast<Self>>)],
        context: &[u8],
    ) -> Result<Opening<Fast<Self>>, Error>;
    /// Verifies that.
    fn verify_together(
        under: (&[TestShape<Self>], &[ligerito::Level]),
        roots: &[[u8; 32]],
        claims: &[(usize, SumClaim<'_, Fast<Self>>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Verifies several commitments by the public interface, by a verifier that accepts this preset and any size.
    fn verify_registered_together(
        preset: Self::Preset,
        commitments: &[Vec<u8>],
        claims: &[(usize, SumClaim<'_, Fast<Self>>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
    /// Binds a commitment under a test shape; of a suite without samples.
    fn bind(shape: &TestShape<Self>, transcript: &mut Transcript<Fast<Self>>, root: &[u8; 32]);
    /// Commits under a registered shape, by the public interface; the commitment as bytes.
    fn commit_registered<'a>(
        pool: &dyn Pool,
        preset: Self::Preset,
        f: &'a [u32],
    ) -> Result<(Vec<u8>, ProverData<'a, Fast<Self>>), Error>;
    /// Verifies by the public interface, by a verifier that accepts this preset and size only.
    fn verify_registered(
        preset: Self::Preset,
        variables: u8,
        commitment: &[u8],
        claims: &[EvaluationClaim<'_, Fast<Self>>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
}

/// What the suites' modules have under the same names.
macro_rules! suite {
    ($module:ident, $accepted:ty, $commitment:ty) => {
        const HAZMAT: &'static str = $module::hazmat::SUITE;
        const HAZMAT_SUMS: &'static str = $module::hazmat::SUMS_SUITE;

        fn shape(variables: u8, levels: Vec<ligerito::Level>) -> Result<TestShape<Self>, Error> {
            $module::hazmat::TestShape::new(variables, levels)
        }

        fn commit<'a>(
            pool: &dyn Pool,
            shape: &TestShape<Self>,
            f: &'a [u32],
        ) -> Result<ProverData<'a, Fast<Self>>, Error> {
            shape.commit_on(pool, f)
        }

        fn verify(
            suite: &str,
            shape: &TestShape<Self>,
            root: &[u8; 32],
            claims: &[EvaluationClaim<'_, Fast<Self>>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            shape.verify(suite, root, claims, proof, context)
        }

        fn verify_planes(
            shape: &TestShape<Self>,
            root: &[u8; 32],
            claims: &[PlanesClaim<'_, Fast<Self>>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            shape.verify_planes(Self::HAZMAT, root, claims, proof, context)
        }

        fn verify_sums(
            suite: &str,
            shape: &TestShape<Self>,
            commitment: &Committed34<Self>,
            claims: &[SumClaim<'_, Fast<Self>>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            let sample = commitment.sample.map(Self::fast);
            shape.verify_sums(suite, &commitment.root, sample, claims, proof, context)
        }

        fn verify_sums_in<'a>(
            shape: &TestShape<Self>,
            reader: ProofReader<'a, Fast<Self>>,
            root: &[u8; 32],
            claims: &[SumClaim<'_, Fast<Self>>],
            context: &[u8],
        ) -> Result<ProofReader<'a, Fast<Self>>, ProofError> {
            shape.verify_sums_in(Self::HAZMAT_SUMS, reader, root, None, claims, context)
        }

        fn open_together(
            (shapes, later): (&[TestShape<Self>], &[ligerito::Level]),
            data: &[&ProverData<'_, Fast<Self>>],
            weights: &[(usize, Weight<'_, Fast<Self>>)],
            context: &[u8],
        ) -> Result<Opening<Fast<Self>>, Error> {
            ligerito::hazmat::TestLayoutOf::new(shapes, later)?.open(data, weights, context)
        }

        fn verify_together(
            (shapes, later): (&[TestShape<Self>], &[ligerito::Level]),
            roots: &[[u8; 32]],
            claims: &[(usize, SumClaim<'_, Fast<Self>>)],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            let layout = ligerito::hazmat::TestLayoutOf::new(shapes, later).expect("shapes that follow");
            layout.verify(Self::HAZMAT_SUMS, roots, claims, proof, context)
        }

        fn verify_registered_together(
            preset: Self::Preset,
            commitments: &[Vec<u8>],
            claims: &[(usize, SumClaim<'_, Fast<Self>>)],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            let accepted = <$accepted>::up_to(&[preset], 30);
            let read = |bytes: &Vec<u8>| <$commitment>::from_bytes(bytes).expect("of this suite");
            let commitments: Vec<_> = commitments.iter().map(read).collect();
            $module::verify_together(&accepted, &commitments, claims, proof, context)
        }

        fn bind(shape: &TestShape<Self>, transcript: &mut Transcript<Fast<Self>>, root: &[u8; 32]) {
            shape.bind(transcript, root, None);
        }

        fn commit_registered<'a>(
            pool: &dyn Pool,
            preset: Self::Preset,
            f: &'a [u32],
        ) -> Result<(Vec<u8>, ProverData<'a, Fast<Self>>), Error> {
            let (commitment, data) = $module::commit_on(pool, preset, f)?;
            Ok((commitment.to_bytes().to_vec(), data))
        }

        fn verify_registered(
            preset: Self::Preset,
            variables: u8,
            commitment: &[u8],
            claims: &[EvaluationClaim<'_, Fast<Self>>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            let accepted = <$accepted>::exactly(preset, variables);
            let commitment = <$commitment>::from_bytes(commitment).expect("of this suite");
            $module::verify(&accepted, &commitment, claims, proof, context)
        }
    };
}

impl Suite for u128 {
    type Preset = Preset;
    const PRESETS: &'static [(u8, Preset)] = &[(1, Preset::Balanced), (2, Preset::Compact)];

    fn fast(self) -> Gf128 {
        Gf128(self)
    }

    fn of_fast(element: Gf128) -> u128 {
        element.0
    }

    fn top_bit() -> u128 {
        1 << 127
    }

    fn ones() -> u128 {
        u128::MAX
    }

    suite!(ligerito, Accepted, Commitment);
}

/// A suite over GF(2^192).
macro_rules! suite_over_gf192 {
    ($module:ident, $plain:ident, $code:literal, test code $test_code:literal) => {
        impl Suite for $plain {
            type Preset = $module::Preset;
            const PRESETS: &'static [(u8, $module::Preset)] = &[($code, $module::Preset::Balanced)];
            const TEST_CODE: u8 = $test_code;

            fn fast(self) -> provable128::Gf192 {
                provable128::Gf192(self.0)
            }

            fn of_fast(element: provable128::Gf192) -> $plain {
                $plain(element.0)
            }

            fn top_bit() -> $plain {
                $plain([0, 0, 1 << 63])
            }

            fn ones() -> $plain {
                $plain([u64::MAX; 3])
            }

            suite!($module, $module::Accepted, $module::Commitment);
        }
    };
}

suite_over_gf192!(provable128, U192, 3, test code 0);
suite_over_gf192!(johnson128, J192, 4, test code 4);

/// The same tests for each suite of `ligerito-v1`, and also for that up to the Johnson radius if it is named. Tests that try
/// every backend themselves do not run again where one is forced: nearly all of their time is the plain version's.
macro_rules! for_every_suite {
    (each on every backend, also johnson128, $($test:ident),* $(,)?) => {
        for_every_suite!(each on every backend, $($test),*);
        mod johnson_128 {
            $(#[test] fn $test() { if !phalanx_testing::again() { super::$test::<phalanx_reference::ligerito::J192>() } })*
        }
    };
    (each on every backend, $($test:ident),* $(,)?) => {
        mod bits_100 {
            $(#[test] fn $test() { if !phalanx_testing::again() { super::$test::<u128>() } })*
        }
        mod bits_128 {
            $(#[test] fn $test() { if !phalanx_testing::again() { super::$test::<phalanx_reference::ligerito::U192>() } })*
        }
    };
    ($($test:ident),* $(,)?) => {
        mod bits_100 {
            $(#[test] fn $test() { super::$test::<u128>() })*
        }
        mod bits_128 {
            $(#[test] fn $test() { super::$test::<phalanx_reference::ligerito::U192>() })*
        }
    };
}
pub(crate) use for_every_suite;

/// The library's form of a shape; a registered one too becomes a test shape.
pub(crate) fn shape<N: Suite>(shape: &plain::Shape<N>) -> TestShape<N> {
    let level = |level: &plain::Level| ligerito::Level {
        log2_message: level.d,
        log2_columns: level.k,
        log2_inverse_rate: level.r,
        queries: level.queries,
        grinding_bits: level.grind,
    };
    N::shape(shape.mu(), shape.levels().iter().map(level).collect()).expect("both have the same rules")
}

/// d, k, r, Q, g of a level.
pub(crate) type Sizes = (u8, u8, u8, u16, u8);

/// A test shape.
pub(crate) fn plain_shape<N: Suite>(levels: &[Sizes]) -> plain::Shape<N> {
    let level = |&(d, k, r, queries, grind)| plain::Level { d, k, r, queries, grind };
    plain::Shape::test(levels[0].0 + levels[0].1, &levels.iter().map(level).collect::<Vec<_>>())
        .expect("a shape within the rules")
}

/// The library's form of a point.
pub(crate) fn point<N: Suite>(z: &[N]) -> Vec<Fast<N>> {
    z.iter().copied().map(N::fast).collect()
}

/// The plain form of the values.
pub(crate) fn values<N: Suite>(opening: &Opening<Fast<N>>) -> Vec<N> {
    opening.values.iter().copied().map(N::of_fast).collect()
}

/// The library's verdict about a proof: under a registered shape by the public verifier, else by the one for tests.
pub(crate) fn verify<N: Suite>(
    shape: &plain::Shape<N>,
    root: &plain::Digest,
    claims: &[plain::Claim<N>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    let points: Vec<_> = claims.iter().map(|claim| point(&claim.point)).collect();
    let claim = |(claim, point)| {
        let (claim, point): (&plain::Claim<N>, &Vec<_>) = (claim, point);
        EvaluationClaim { point, value: claim.value.fast() }
    };
    let claims: Vec<_> = claims.iter().zip(&points).map(claim).collect();
    if shape.suite() != N::PRODUCTION {
        return N::verify(shape.suite(), &self::shape(shape), root, &claims, proof, context);
    }
    let is_registered =
        |(code, _): &&(u8, N::Preset)| plain::registered(*code, shape.mu()).as_ref() == Some(shape);
    let (code, preset) = N::PRESETS.iter().find(is_registered).expect("a registered shape");
    let commitment = [&[*code, shape.mu()], &root[..]].concat();
    N::verify_registered(*preset, shape.mu(), &commitment, &claims, proof, context)
}

/// The name that both sides give to an error.
pub(crate) fn name(error: plain::Error) -> String {
    format!("{error:?}")
}

/// No threads, and where the library has them, three.
pub(crate) fn pools() -> Vec<Box<dyn Pool>> {
    #[allow(unused_mut, reason = "without threads there is one pool")]
    let mut pools: Vec<Box<dyn Pool>> = vec![Box::new(Inline)];
    #[cfg(feature = "parallel")]
    pools.push(Box::new(ligerito::Threads::new(3)));
    pools
}

/// A shape with `later` levels after level 0, small enough for the plain encoder.
pub(crate) fn random_shape<N: Suite>(random: &mut Random, later: usize) -> plain::Shape<N> {
    let mut d = random.within(1..if later > 1 { 3 } else { 5 });
    let mut levels = Vec::new();
    for i in (0..=later).rev() {
        let k = random.within(1..if i == 0 { 5 } else { 3 });
        // The plain encoder makes 2^(2d + k + r) products, five times as dear in the large field.
        let room: u64 = if i == 0 { 20 } else { 16 };
        let most = room.saturating_sub(2 * d + k).clamp(1, 8);
        let usual = if random.u32().is_multiple_of(4) { most } else { most.min(3) };
        let r = random.within(1..usual + 1);
        let half = 1 << (d + r - 1);
        let queries = match random.u32() % 4 {
            0 => half.min(200),
            1 => 1,
            _ => random.within(1..half.min(24) + 1),
        };
        let grind = if random.u32().is_multiple_of(3) { random.within(1..8) } else { 0 };
        let byte = |x: u64| u8::try_from(x).expect("small");
        levels.insert(0, (byte(d), byte(k), byte(r), u16::try_from(queries).expect("small"), byte(grind)));
        d += k;
    }
    plain_shape(&levels)
}

/// `2^mu` coefficients: all of one edge, all zero but one, edges among random ones, or random ones.
pub(crate) fn random_polynomial(random: &mut Random, mu: u8) -> Vec<u32> {
    let len = 1 << mu;
    match random.u32() % 8 {
        0 => vec![[0, 1, u32::MAX, 1 << 31][usize::from(random.u8() % 4)]; len],
        1 => {
            let mut f = vec![0; len];
            let last = len - 1;
            f[usize::try_from(random.u64()).expect("64 bits") & last] = random.u32() | 1;
            f
        }
        2..4 => (0..len).map(|_| [0, 1, u32::MAX, random.u32()][usize::from(random.u8() % 4)]).collect(),
        _ => (0..len).map(|_| random.u32()).collect(),
    }
}

/// An element of the large field, one time in four at an edge.
pub(crate) fn random_element<N: Suite>(random: &mut Random) -> N {
    let bytes = N::FIELD.bytes();
    let any: Vec<u8> = (0..bytes).map(|_| random.u8()).collect();
    let half = |range: std::ops::Range<usize>| {
        let kept = any.iter().enumerate().map(|(i, &byte)| if range.contains(&i) { byte } else { 0 });
        N::of_le(&kept.collect::<Vec<u8>>())
    };
    match random.u32() % 24 {
        0 => N::default(),
        1 => N::one(),
        2 => N::ones(),
        3 => N::top_bit(),
        4 => half(0..8),
        5 => half(bytes - 8..bytes),
        _ => N::of_le(&any),
    }
}

/// The same, but never zero: added to a value it makes another one.
pub(crate) fn random_nonzero<N: Suite>(random: &mut Random) -> N {
    loop {
        let element = random_element(random);
        if element != N::default() {
            return element;
        }
    }
}

/// A point, one time in four a corner of the cube.
pub(crate) fn random_point<N: Suite>(random: &mut Random, mu: u8) -> Vec<N> {
    let corner = random.u32().is_multiple_of(4);
    (0..mu)
        .map(|_| if corner { N::from(u64::from(random.u8() % 2)) } else { random_element(random) })
        .collect()
}

/// `count` points; when there are several, the last is sometimes the first again.
pub(crate) fn random_points<N: Suite>(random: &mut Random, mu: u8, count: usize) -> Vec<Vec<N>> {
    let mut points: Vec<_> = (0..count).map(|_| random_point(random, mu)).collect();
    if random.u32().is_multiple_of(4) {
        points[count - 1] = points[0].clone();
    }
    points
}

/// Any bytes, of a length around the edges of a BLAKE3 block and chunk.
pub(crate) fn random_context(random: &mut Random) -> Vec<u8> {
    let len = [0, 0, 1, 11, 63, 64, 65, 1023, 1024, 1025, 3000][usize::from(random.u8() % 11)];
    (0..len).map(|_| random.u8()).collect()
}
