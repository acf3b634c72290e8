//! Ligerito, weighted sums: points, tensors and planes in one proof, byte for byte as the plain version makes it; every
//! check has a proof that dies only by it.
use crate::described::Table;
use crate::support::{
    Fast, Suite, for_every_suite, plain_shape, point, pools, random_context, random_element, random_point,
    random_polynomial, random_shape, shape,
};
use phalanx_ligerito::{
    self as ligerito, Accepted, DescribedClaim, Error, EvaluationClaim, Gf128, Inline, MAX_CLAIMS, Orbit,
    PLANES, PlanesClaim, Preset, ProofError, ProverData, SumClaim, Tensor, TensorsClaim, Weight,
};
use phalanx_reference::ligerito::sums::{self, Claim, Committed34, Layout, Lies, Numbered, Without, suites};
use phalanx_reference::ligerito::{self as plain, Transcript, planes as plainly};
use phalanx_testing::{Random, on_every_backend};

for_every_suite!(
    each on every backend,
    also johnson128,
    sums_are_opened_as_plainly,
    tensors_of_equal_upper_factors,
    wide_coefficients,
    a_false_value_of_any_claim,
    another_polynomial,
    another_final_vector,
    no_work,
    other_lengths,
    statements_are_bound,
    claims_of_another_form,
    mistakes_of_the_caller,
);

/// A claim in the library's elements.
enum Owned<N: Suite> {
    Point(Vec<Fast<N>>, Fast<N>),
    Tensors(Vec<Pairs<N>>, Fast<N>),
    Described(Table<N>, Fast<N>),
    Planes(Vec<Fast<N>>, [Fast<N>; PLANES]),
}

/// A scale and factors.
struct Pairs<N: Suite> {
    scale: Fast<N>,
    factors: Vec<[Fast<N>; 2]>,
}

impl<N: Suite> Owned<N> {
    fn new(claim: &Claim<N>) -> Self {
        match claim {
            Claim::Point(z, y) => Self::Point(point(z), y.fast()),
            Claim::Planes(z, s) => {
                Self::Planes(point(z), point(s).try_into().unwrap_or_else(|_| panic!("32 planes")))
            }
            Claim::Described(description, table, y) => {
                Self::Described(Table { description: description.clone(), table: table.clone() }, y.fast())
            }
            Claim::Tensors(tensors, y) => {
                let pairs = |tensor: &sums::Tensor<N>| Pairs {
                    scale: tensor.scale.fast(),
                    factors: tensor.factors.iter().map(|(zero, one)| [zero.fast(), one.fast()]).collect(),
                };
                Self::Tensors(tensors.iter().map(pairs).collect(), y.fast())
            }
        }
    }

    fn tensors(&self) -> Vec<Tensor<'_, Fast<N>>> {
        let Self::Tensors(tensors, _) = self else { return Vec::new() };
        tensors.iter().map(|tensor| Tensor { scale: tensor.scale, factors: &tensor.factors }).collect()
    }

    fn claim<'a>(&'a self, tensors: &'a [Tensor<'a, Fast<N>>]) -> SumClaim<'a, Fast<N>> {
        match self {
            Self::Point(point, value) => SumClaim::Point(EvaluationClaim { point, value: *value }),
            Self::Tensors(_, value) => SumClaim::Tensors(TensorsClaim { tensors, value: *value }),
            Self::Described(weight, value) => SumClaim::Described(DescribedClaim { weight, value: *value }),
            Self::Planes(point, planes) => SumClaim::Planes(PlanesClaim { point, planes }),
        }
    }
}

/// Calls with the claims as the verifier takes them.
pub(crate) fn with_claims<N: Suite, R>(
    claims: &[Claim<N>],
    then: impl FnOnce(&[SumClaim<'_, Fast<N>>]) -> R,
) -> R {
    let owned: Vec<Owned<N>> = claims.iter().map(Owned::new).collect();
    let tensors: Vec<_> = owned.iter().map(Owned::tensors).collect();
    let claims: Vec<_> = owned.iter().zip(&tensors).map(|(owned, tensors)| owned.claim(tensors)).collect();
    then(&claims)
}

/// The values and the proof of claims whose values are not looked at.
fn open<N: Suite>(
    pool: &dyn ligerito::Pool,
    data: &ProverData<'_, Fast<N>>,
    claims: &[Claim<N>],
    context: &[u8],
) -> (Vec<N>, Vec<u8>) {
    let opened = with_weights(pool, data, claims, |weights| data.open_sums_on(pool, weights, context));
    let opening = opened.expect("weights of the shape");
    (opening.values.into_iter().map(N::of_fast).collect(), opening.proof)
}

/// Calls with what the claims are about as the prover takes it.
pub(crate) fn with_weights<N: Suite, R>(
    pool: &dyn ligerito::Pool,
    data: &ProverData<'_, Fast<N>>,
    claims: &[Claim<N>],
    then: impl FnOnce(&[Weight<'_, Fast<N>>]) -> R,
) -> R {
    with_weights_of(pool, |_| data, claims, then)
}

/// The same, where `of` says of which polynomial the claim of a number is.
pub(crate) fn with_weights_of<'d, N: Suite, R>(
    pool: &dyn ligerito::Pool,
    of: impl Fn(usize) -> &'d ProverData<'d, Fast<N>>,
    claims: &[Claim<N>],
    then: impl FnOnce(&[Weight<'_, Fast<N>>]) -> R,
) -> R {
    with_claims(claims, |claims| {
        let of_planes = |(number, claim): (usize, &SumClaim<'_, Fast<N>>)| match claim {
            SumClaim::Planes(claim) => {
                Some(of(number).orbit_on(pool, claim.point).expect("a point of the shape"))
            }
            _ => None,
        };
        let orbits: Vec<Option<Orbit<Fast<N>>>> = claims.iter().enumerate().map(of_planes).collect();
        let weight = |(claim, orbit)| match (claim, orbit) {
            (&SumClaim::Point(EvaluationClaim { point, .. }), _) => Weight::Point(point),
            (&SumClaim::Tensors(TensorsClaim { tensors, .. }), _) => Weight::Tensors(tensors),
            (&SumClaim::Described(DescribedClaim { weight, .. }), _) => Weight::Described(weight),
            (_, orbit) => Weight::Planes(Option::as_ref(orbit).expect("planes")),
        };
        let weights: Vec<Weight<'_, Fast<N>>> = claims.iter().zip(&orbits).map(weight).collect();
        then(&weights)
    })
}

/// A committed polynomial, by the plain version.
pub(crate) struct Setting<N: Suite> {
    pub(crate) shape: plain::Shape<N>,
    pub(crate) f: Vec<u32>,
    pub(crate) committed: plain::Committed<N>,
    pub(crate) commitment: Committed34<N>,
}

impl<N: Suite> Setting<N> {
    pub(crate) fn new(shape: plain::Shape<N>, f: Vec<u32>) -> Self {
        let committed = plain::commit(&shape, &f).expect("a length of the shape");
        let commitment = Committed34::of(&committed, N::TEST_CODE, N::HAZMAT_SUMS);
        Self { shape, f, committed, commitment }
    }

    /// One level with work, and two.
    pub(crate) fn both(random: &mut Random) -> [Self; 2] {
        let shapes: [&[_]; 2] = [&[(4, 2, 2, 12, 4)], &[(4, 3, 2, 12, 0), (2, 2, 2, 6, 3)]];
        shapes.map(|levels| {
            let shape = plain_shape(levels);
            let f = (0..1 << shape.mu()).map(|_| random.u32()).collect();
            Self::new(shape, f)
        })
    }

    pub(crate) fn point(&self, random: &mut Random) -> Claim<N> {
        let z = random_point(random, self.shape.mu());
        let y = plain::evaluate(&self.committed.polynomial, &z);
        Claim::Point(z, y)
    }

    pub(crate) fn planes(&self, random: &mut Random) -> Claim<N> {
        let z = random_point(random, self.shape.mu());
        let s = plainly::planes(&self.f, &z);
        Claim::Planes(z, s)
    }

    /// Tensors of any factors, among them those that sum over a coordinate or restrict it.
    pub(crate) fn tensors(&self, random: &mut Random, count: usize) -> Claim<N> {
        let factor = |random: &mut Random| match random.u8() % 6 {
            0 => (N::one(), N::one()),
            1 => (N::one(), N::default()),
            2 => (N::default(), N::one()),
            _ => (random_element(random), random_element(random)),
        };
        let one = |random: &mut Random| sums::Tensor {
            scale: random_element(random),
            factors: (0..self.shape.mu()).map(|_| factor(random)).collect(),
        };
        let terms: Vec<sums::Tensor<N>> = (0..count).map(|_| one(random)).collect();
        let claim = Claim::Tensors(terms, N::default());
        let y = plain::dot(N::FIELD, &claim.expanded()[0].0, &self.committed.polynomial);
        let Claim::Tensors(terms, _) = claim else { unreachable!("tensors are tensors") };
        Claim::Tensors(terms, y)
    }

    /// A weight of any values, and bytes that are said to describe it.
    pub(crate) fn described(&self, random: &mut Random) -> Claim<N> {
        let description = random_context(random);
        let table: Vec<N> = (0..1 << self.shape.mu()).map(|_| random_element(random)).collect();
        let y = plain::dot(N::FIELD, &table, &self.committed.polynomial);
        Claim::Described(description, table, y)
    }

    /// One claim of each kind; with closing rounds one more of so many tensors, and one that is described.
    pub(crate) fn mix(&self, random: &mut Random, closing: bool) -> Vec<Claim<N>> {
        let mut mix = vec![self.tensors(random, 2), self.planes(random), self.point(random)];
        if closing {
            mix.insert(1, self.tensors(random, 94));
            mix.push(self.described(random));
        }
        mix
    }

    pub(crate) fn prove(&self, lies: &Lies<N>, claims: &[Claim<N>]) -> Vec<u8> {
        let (mut transcript, suite) = (Transcript::default(), suites::<N>()[1]);
        let committed = [(&self.committed, N::TEST_CODE)];
        let layout = Layout::of(&self.shape);
        sums::open_with(lies, &mut transcript, suite, &layout, &committed, &numbered(claims), b"context").0
    }

    /// The verdict of the plain verifier that leaves something out.
    fn without(&self, without: Without, claims: &[Claim<N>], proof: &[u8]) -> Result<(), plain::Error> {
        let layout = Layout::of(&self.shape);
        let (mut transcript, suite) = (Transcript::default(), suites::<N>()[1]);
        let claims = numbered(claims);
        let verdict = sums::verify_without(
            without,
            &mut transcript,
            suite,
            &layout,
            std::slice::from_ref(&self.commitment),
            &claims,
            proof,
            b"context",
        );
        verdict.map(|_| ())
    }

    /// The verdict of the library, the same on every backend.
    pub(crate) fn verdict(&self, claims: &[Claim<N>], proof: &[u8]) -> Result<(), ProofError> {
        let fast = shape(&self.shape);
        let verify = || {
            with_claims(claims, |claims| {
                N::verify_sums(N::HAZMAT_SUMS, &fast, &self.commitment, claims, proof, b"context")
            })
        };
        let verdict = verify();
        on_every_backend(|backend| assert_eq!(verify(), verdict, "{}", backend.name()));
        verdict
    }

    /// A proof that dies by this check, and by no other.
    pub(crate) fn dies_only_by(&self, error: ProofError, level: usize, claims: &[Claim<N>], proof: &[u8]) {
        let check = match error {
            ProofError::ProofOfWork { .. } => plain::Error::ProofOfWork,
            ProofError::MerkleRoot { .. } => plain::Error::MerkleRoot,
            ProofError::FinalRow { .. } => plain::Error::FinalRow,
            ProofError::FinalClaim => plain::Error::FinalClaim,
            other => panic!("{other:?} has no liar"),
        };
        let verdict = self.verdict(claims, proof);
        assert_eq!(verdict.map_err(|error| error.name()), Err(error.name()));
        assert_eq!(self.without(Without::Nothing, claims, proof), Err(check));
        assert_eq!(self.without(Without::Check(check, level), claims, proof), Ok(()));
    }
}

pub(crate) fn numbered<N: Suite>(claims: &[Claim<N>]) -> Vec<Numbered<N>> {
    claims.iter().map(|claim| (0, claim.clone())).collect()
}

/// The same values, the same bytes, on every backend and pool, and both verifiers accept.
pub(crate) fn check<N: Suite>(setting: &Setting<N>, claims: &[Claim<N>], context: &[u8]) {
    let (mut transcript, suite) = (Transcript::default(), suites::<N>()[1]);
    let committed = [(&setting.committed, N::TEST_CODE)];
    let (wanted, _) = sums::open(&mut transcript, suite, &committed, &numbered(claims), context);
    let fast = shape(&setting.shape);
    on_every_backend(|backend| {
        for pool in pools() {
            let data = N::commit(&*pool, &fast, &setting.f).expect("a length of the shape");
            assert_eq!(data.sample().map(N::of_fast), setting.commitment.sample);
            let (values, proof) = open::<N>(&*pool, &data, claims, context);
            for (value, claim) in values.iter().zip(claims) {
                let at_point = match claim {
                    Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => *y,
                    Claim::Planes(z, _) => plainly::value_of_words(&setting.f, z),
                };
                assert_eq!(*value, at_point, "{}", backend.name());
            }
            let differs = proof.iter().zip(&wanted).position(|(fast, plain)| fast != plain);
            assert_eq!(differs, None, "{}: the first byte that differs; {:?}", backend.name(), setting.shape);
            assert_eq!(proof.len(), wanted.len());
        }
        let verdict = with_claims(claims, |claims| {
            N::verify_sums(N::HAZMAT_SUMS, &fast, &setting.commitment, claims, &wanted, context)
        });
        assert_eq!(verdict, Ok(()), "{}", backend.name());
    });
}

fn sums_are_opened_as_plainly<N: Suite>() {
    let mut random = Random::new();
    for i in 0..8 {
        let shape = random_shape::<N>(&mut random, i % 3);
        if shape.mu() > 9 {
            continue;
        }
        let f = random_polynomial(&mut random, shape.mu());
        let setting = Setting::new(shape, f);
        let mix = match i % 4 {
            0 => vec![setting.point(&mut random)],
            1 => vec![setting.tensors(&mut random, 3), setting.point(&mut random)],
            2 => setting.mix(&mut random, false),
            _ => vec![setting.planes(&mut random), setting.planes(&mut random)],
        };
        check(&setting, &mix, &random_context(&mut random));
    }
    // 128 tensors, and 129.
    for setting in Setting::<N>::both(&mut random) {
        for count in [93, 94] {
            let mut mix = setting.mix(&mut random, false);
            mix.push(setting.tensors(&mut random, count));
            check(&setting, &mix, b"closing");
        }
        check(&setting, &[setting.tensors(&mut random, 129)], b"tensors alone");
    }
}

/// Neighbours with equal upper factors share a pass, and no others do.
fn tensors_of_equal_upper_factors<N: Suite>() {
    let mut random = Random::new();
    let [_, setting] = Setting::<N>::both(&mut random);
    let k = usize::from(setting.shape.levels()[0].k);
    let Claim::Tensors(terms, _) = setting.tensors(&mut random, 1) else { unreachable!("tensors") };
    let mut all = Vec::new();
    for changed in [None, Some(0), Some(k - 1), Some(k), Some(usize::from(setting.shape.mu()) - 1), None] {
        let mut term = terms[0].clone();
        if let Some(j) = changed {
            term.factors[j].1 ^= N::one();
        }
        all.push(term);
    }
    let claim = Claim::Tensors(all, N::default());
    let y = plain::dot(N::FIELD, &claim.expanded()[0].0, &setting.committed.polynomial);
    let Claim::Tensors(all, _) = claim else { unreachable!("tensors") };
    check(&setting, &[Claim::Tensors(all, y)], b"");
}

/// Coefficients of the large field, four or six words each: the value at a point is one tensor.
fn wide_coefficients<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::new(plain_shape(&[(4, 3, 2, 12, 0)]), (0..128).map(|_| random.u32()).collect());
    let (words, log2_words) = if N::FIELD.bits == 128 { (4, 2) } else { (6, 3) };
    let powers: Vec<N> =
        std::iter::successors(Some(N::one()), |power| Some(power.times(N::from(2)))).take(8).collect();
    // Words 6 and 7 are redundant digits: they count, too.
    let h: Vec<N> = setting
        .committed
        .polynomial
        .chunks(1 << log2_words)
        .map(|words| plain::dot(N::FIELD, words, &powers[..words.len()]))
        .collect();
    assert!(words <= 1 << log2_words);
    let z = random_point::<N>(&mut random, 7 - log2_words);
    let inside = (0..log2_words).map(|j| (N::one(), powers[1 << j]));
    let outside = z.iter().map(|&z| (N::one() ^ z, z));
    let term = sums::Tensor { scale: N::one(), factors: inside.chain(outside).collect() };
    check(&setting, &[Claim::Tensors(vec![term], plain::evaluate(&h, &z))], b"wide");
}

/// A value of each claim and kind false, by a prover who runs the protocol honestly from there.
fn a_false_value_of_any_claim<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        for closing in [false, true] {
            let mix = setting.mix(&mut random, closing);
            for number in 0..mix.len() {
                let mut claims = mix.clone();
                match &mut claims[number] {
                    Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => {
                        *y ^= N::top_bit();
                    }
                    Claim::Planes(_, s) => s[usize::from(random.u8() % 32)] ^= N::one(),
                }
                let proof = setting.prove(&Lies::default(), &claims);
                setting.dies_only_by(ProofError::FinalClaim, 0, &claims, &proof);
            }
        }
    }
}

/// What is true of another polynomial, under the root of this one.
fn another_polynomial<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        let other = Setting::new(setting.shape.clone(), setting.f.iter().map(|x| !x).collect());
        let claims = other.mix(&mut random, false);
        let root = setting.committed.root();
        let proof = other.prove(&Lies { roots: Some(vec![root]), ..Lies::default() }, &claims);
        let commitment = Committed34::under(&other.committed, root, N::TEST_CODE, N::HAZMAT_SUMS);
        let setting = Setting { commitment, ..setting };
        setting.dies_only_by(ProofError::MerkleRoot { level: 0 }, 0, &claims, &proof);
    }
}

/// A final vector that gives what false claims add up to.
fn another_final_vector<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        for closing in [false, true] {
            let mut claims = setting.mix(&mut random, closing);
            claims[0] = Claim::Point(random_point(&mut random, setting.shape.mu()), N::top_bit());
            let proof = setting.prove(&Lies { final_vector: true, ..Lies::default() }, &claims);
            setting.dies_only_by(ProofError::FinalRow { position: 0 }, 0, &claims, &proof);
        }
    }
}

fn no_work<N: Suite>() {
    let mut random = Random::new();
    for (level, setting) in Setting::<N>::both(&mut random).into_iter().enumerate() {
        let claims = setting.mix(&mut random, true);
        let proof = setting.prove(&Lies { no_work: true, ..Lies::default() }, &claims);
        setting.dies_only_by(ProofError::ProofOfWork { level }, level, &claims, &proof);
    }
}

/// A byte more, a byte less, longer than any proof; and every byte counts.
fn other_lengths<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        for closing in [false, true] {
            let claims = setting.mix(&mut random, closing);
            let proof = setting.prove(&Lies::default(), &claims);
            assert_eq!(setting.verdict(&claims, &proof), Ok(()));
            let refused = Err(ProofError::ProofLength);
            assert_eq!(setting.verdict(&claims, &[&proof[..], &[0]].concat()), refused);
            for len in [0, 1, proof.len() / 2, proof.len() - 1] {
                assert!(setting.verdict(&claims, &proof[..len]).is_err(), "{len}");
            }
            let mut long = proof.clone();
            long.resize(1 << 20, 0);
            assert_eq!(setting.verdict(&claims, &long), refused);
            for _ in 0..40 {
                let mut flipped = proof.clone();
                let place = random.within(0..proof.len() as u64);
                flipped[usize::try_from(place).expect("small")] ^= 1 << (random.u8() % 8);
                assert!(setting.verdict(&claims, &flipped).is_err(), "byte {place}");
            }
        }
    }
}

/// Another suite string, context, order of claims, point, factor or scale: no proof.
fn statements_are_bound<N: Suite>() {
    let mut random = Random::new();
    let [_, setting] = Setting::<N>::both(&mut random);
    let claims = setting.mix(&mut random, false);
    let proof = setting.prove(&Lies::default(), &claims);
    let fast = shape(&setting.shape);
    with_claims(&claims, |claims| {
        for (suite, context, wanted) in [
            (N::HAZMAT_SUMS, &b"context"[..], true),
            (N::HAZMAT_SUMS, b"contexu", false),
            (N::HAZMAT, b"context", N::HAZMAT == N::HAZMAT_SUMS),
            (suites::<N>()[0], b"context", false),
        ] {
            let verdict = N::verify_sums(suite, &fast, &setting.commitment, claims, &proof, context);
            assert_eq!(verdict.is_ok(), wanted, "{suite}");
        }
    });
    let refused = |claims: &[Claim<N>]| assert!(setting.verdict(claims, &proof).is_err());
    let mut others = claims.clone();
    others.swap(0, 2);
    refused(&others);
    refused(&claims[..2]);
    // Of one value, but of another kind: a point as its tensor.
    let Claim::Point(z, y) = &claims[2] else { unreachable!("a point") };
    let factors = z.iter().map(|&z| (N::one() ^ z, z)).collect();
    let mut others = claims.clone();
    others[2] = Claim::Tensors(vec![sums::Tensor { scale: N::one(), factors }], *y);
    refused(&others);
}

fn claims_of_another_form<N: Suite>() {
    let mut random = Random::new();
    let [setting, _] = Setting::<N>::both(&mut random);
    let mu = usize::from(setting.shape.mu());
    let verdict = |claims: &[Claim<N>]| setting.verdict(claims, &[]);
    let (planes, point) = (setting.planes(&mut random), setting.point(&mut random));
    assert_eq!(verdict(&[]), Err(ProofError::NoClaims));
    assert_eq!(verdict(&vec![planes.clone(); MAX_CLAIMS / PLANES]), Err(ProofError::ProofLength));
    let many = [&vec![planes.clone(); MAX_CLAIMS / PLANES][..], std::slice::from_ref(&point)].concat();
    assert_eq!(verdict(&many), Err(ProofError::TooManyClaims));
    let body = Err(ProofError::ClaimBody { claim: 1 });
    assert_eq!(verdict(&[point.clone(), Claim::Tensors(Vec::new(), N::default())]), body);
    for len in [0, mu - 1, mu + 1] {
        let z = vec![N::one(); len];
        let length = Err(ProofError::PointLength { claim: 1 });
        assert_eq!(verdict(&[point.clone(), Claim::Point(z.clone(), N::one())]), length);
        assert_eq!(verdict(&[point.clone(), Claim::Planes(z, vec![N::one(); 32])]), length);
        let factors = vec![(N::one(), N::one()); len];
        let whole = sums::Tensor { scale: N::one(), factors: vec![(N::one(), N::one()); mu] };
        let tensors = vec![whole, sums::Tensor { scale: N::one(), factors }];
        assert_eq!(verdict(&[point.clone(), Claim::Tensors(tensors, N::one())]), body);
    }
    let text = ProofError::ClaimBody { claim: 1 }.to_string();
    assert_eq!(text, "claim 1 has no tensor, or one that has not two factors for every variable");
    assert_eq!(ProofError::ClaimBody { claim: 1 }.name(), "ClaimBody");
}

fn mistakes_of_the_caller<N: Suite>() {
    let mut random = Random::new();
    let [setting, other] = Setting::<N>::both(&mut random);
    let wanted = usize::from(setting.shape.mu());
    let data = N::commit(&Inline, &shape(&setting.shape), &setting.f).expect("a length of the shape");
    let error = |weights: &[Weight<'_, Fast<N>>]| data.open_sums(weights, b"").expect_err("a mistake");
    let one = N::one().fast();
    let whole = vec![one; wanted];
    let point = Weight::Point(&whole);
    assert_eq!(error(&[]), Error::NoClaims);
    assert_eq!(error(&[point, Weight::Tensors(&[])]), Error::NoTensors { claim: 1 });
    assert_eq!(Error::NoTensors { claim: 1 }.to_string(), "claim 1 is a sum of no tensors");
    let orbit = data.orbit(&whole).expect("a point");
    let planes = vec![Weight::Planes(&orbit); MAX_CLAIMS / PLANES];
    let got = MAX_CLAIMS + 1;
    assert_eq!(error(&[&planes[..], &[point]].concat()), Error::TooManyClaims { got });
    for got in [0, wanted - 1, wanted + 1] {
        let length = Error::PointLength { claim: 1, got, wanted };
        assert_eq!(error(&[point, Weight::Point(&vec![one; got])]), length);
        let tensor = Tensor { scale: one, factors: &vec![[one; 2]; got] };
        assert_eq!(error(&[point, Weight::Tensors(&[tensor])]), length);
    }
    let others = N::commit(&Inline, &shape(&other.shape), &other.f).expect("a length of the shape");
    let orbit = others.orbit(&vec![one; usize::from(other.shape.mu())]).expect("a point");
    assert_eq!(error(&[point, Weight::Planes(&orbit)]), Error::OtherPolynomial { orbit: 1 });
}

/// By the public interface, under a registered shape; and an opening of the first suite is none of this.
#[test]
fn registered_shapes() {
    let mut random = Random::new();
    let f: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
    let (commitment, data) = ligerito::commit(Preset::Balanced, &f).expect("registered");
    let z: Vec<Gf128> = (1..=10).map(Gf128).collect();
    let everything = [[Gf128(1); 2]; 10];
    let sum = Tensor { scale: Gf128(1), factors: &everything };
    let orbit = data.orbit(&z).expect("a point");
    let weights = [Weight::Point(&z), Weight::Tensors(&[sum]), Weight::Planes(&orbit)];
    let opening = data.open_sums(&weights, b"sums").expect("weights");
    let words = f.iter().map(|&x| plain::phi::<u128>(x.into()));
    assert_eq!(opening.values[1], Gf128(words.fold(0, |sum, x| sum ^ x)));
    assert_eq!(opening.values[2], opening.values[0]);
    let claims = [
        SumClaim::Point(EvaluationClaim { point: &z, value: opening.values[0] }),
        SumClaim::Tensors(TensorsClaim { tensors: &[sum], value: opening.values[1] }),
        SumClaim::Planes(PlanesClaim { point: &z, planes: orbit.planes() }),
    ];
    let verdict = |accepted: Accepted, claims: &[SumClaim<'_>], proof: &[u8]| {
        ligerito::verify_sums(&accepted, &commitment, claims, proof, b"sums")
    };
    let exactly = Accepted::exactly(Preset::Balanced, 10);
    assert_eq!(verdict(exactly, &claims, &opening.proof), Ok(()));
    let unaccepted = Err(ProofError::UnacceptedParams);
    assert_eq!(verdict(Accepted::exactly(Preset::Compact, 10), &claims, &opening.proof), unaccepted);
    let of_points = data.open(&[&z], b"sums").expect("a point");
    assert!(verdict(exactly, &claims[..1], &of_points.proof).is_err());
    let of_sums = data.open_sums(&weights[..1], b"sums").expect("a point");
    let claim = EvaluationClaim { point: &z, value: of_sums.values[0] };
    assert!(ligerito::verify(&exactly, &commitment, &[claim], &of_sums.proof, b"sums").is_err());
    assert_eq!(verdict(exactly, &claims[..1], &of_sums.proof), Ok(()));
}
