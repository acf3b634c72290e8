//! Ligerito, planes: 32 bits of the coefficients opened in one pass, byte for byte as 32 points by the plain version; false
//! planes refused; small coefficients under the same commitment.
use crate::support::{
    Fast, Suite, for_every_suite, plain_shape, point, pools, random_context, random_element, random_nonzero,
    random_point, random_polynomial, random_shape, shape, verify,
};
use phalanx_ligerito::{
    self as ligerito, Accepted, Error, Gf128, Inline, MAX_CLAIMS, Orbit, PLANES, PlanesClaim, Preset,
    ProofError, aes_basis, provable128, value_of_planes,
};
use phalanx_reference::ligerito::{self as plain, planes as plainly};
use phalanx_testing::{Random, on_every_backend};

for_every_suite!(
    orbits_are_opened_as_their_points,
    long_polynomials_are_opened_as_their_points,
    false_planes_are_refused,
    thirty_one_right_values_are_not_enough,
    mistakes_of_the_caller,
    claims_of_another_form,
    values_of_small_coefficients,
);

/// Planes and proof by the plain version, on every backend and pool.
fn check<N: Suite>(plain_shape: &plain::Shape<N>, f: &[u32], points: &[Vec<N>], context: &[u8]) {
    let committed = plain::commit(plain_shape, f).expect("a length of the shape");
    let (planes, opening) = committed.open_planes(points, context).expect("points of the shape");
    let (fast, root) = (shape(plain_shape), committed.root());
    on_every_backend(|backend| {
        for pool in pools() {
            let data = N::commit(&*pool, &fast, f).expect("a length of the shape");
            let orbits: Vec<Orbit<Fast<N>>> = points
                .iter()
                .map(|z| data.orbit_on(&*pool, &point(z)).expect("a point of the shape"))
                .collect();
            for ((orbit, z), wanted) in orbits.iter().zip(points).zip(&planes) {
                assert!(*orbit.point() == *point(z));
                let got: Vec<N> = orbit.planes().iter().copied().map(N::of_fast).collect();
                assert_eq!(got, *wanted, "{} {plain_shape:?}", backend.name());
            }
            let proof = data.open_orbits_on(&*pool, &orbits, context).expect("orbits of this polynomial");
            let differs = proof.iter().zip(&opening.proof).position(|(fast, plain)| fast != plain);
            assert_eq!(differs, None, "{}: the first byte that differs; {plain_shape:?}", backend.name());
            assert_eq!(proof.len(), opening.proof.len());
            let claims = claims::<N>(&orbits);
            let verdict = N::verify_planes(&fast, &root, &claims, &proof, context);
            assert_eq!(verdict, Ok(()), "{}", backend.name());
        }
    });
}

fn claims<N: Suite>(orbits: &[Orbit<Fast<N>>]) -> Vec<PlanesClaim<'_, Fast<N>>> {
    orbits.iter().map(|orbit| PlanesClaim { point: orbit.point(), planes: orbit.planes() }).collect()
}

fn orbits_are_opened_as_their_points<N: Suite>() {
    let mut random = Random::new();
    for i in 0..10 {
        let shape = random_shape::<N>(&mut random, i % 3);
        if shape.mu() > 9 {
            continue;
        }
        let f = random_polynomial(&mut random, shape.mu());
        let points: Vec<_> = (0..1 + i % 3).map(|_| random_point(&mut random, shape.mu())).collect();
        check(&shape, &f, &points, &random_context(&mut random));
    }
    // A row of one column pair, one strip and more; the point twice: gamma alone keeps the claims apart.
    for levels in [&[(3, 1, 1, 4, 0)][..], &[(4, 5, 1, 8, 0)], &[(5, 3, 1, 8, 0), (3, 2, 2, 6, 2)]] {
        let shape = plain_shape::<N>(levels);
        let f = random_polynomial(&mut random, shape.mu());
        check(&shape, &f, &vec![random_point(&mut random, shape.mu()); 2], b"edges");
    }
}

/// More rows than a piece has, and more weights than a job makes: against `open` at the 32 points.
fn long_polynomials_are_opened_as_their_points<N: Suite>() {
    let mut random = Random::new();
    let plain_shape = plain_shape::<N>(&[(14, 2, 1, 40, 0), (10, 4, 1, 20, 0)]);
    let (fast, mu) = (shape(&plain_shape), plain_shape.mu());
    let f: Vec<u32> = (0..1 << mu).map(|_| random.u32()).collect();
    let z = random_point::<N>(&mut random, mu);
    let points: Vec<_> = plainly::orbit(&z).iter().map(|z| point(z)).collect();
    let points: Vec<&[Fast<N>]> = points.iter().map(Vec::as_slice).collect();
    let data = N::commit(&Inline, &fast, &f).expect("a length of the shape");
    let opening = data.open(&points, b"long").expect("points of the shape");
    on_every_backend(|backend| {
        for pool in pools() {
            let orbit = data.orbit_on(&*pool, &point(&z)).expect("a point of the shape");
            let proof = data.open_orbits_on(&*pool, &[orbit], b"long").expect("its orbit");
            assert!(proof == opening.proof, "{}", backend.name());
        }
    });
}

/// A commitment and an orbit of it.
struct Setting<N: Suite> {
    plain_shape: plain::Shape<N>,
    f: Vec<u32>,
    z: Vec<N>,
}

impl<N: Suite> Setting<N> {
    fn new(random: &mut Random) -> Self {
        let plain_shape = plain_shape::<N>(&[(4, 3, 2, 12, 0), (2, 2, 2, 6, 0)]);
        let f = (0..1 << plain_shape.mu()).map(|_| random.u32()).collect();
        let z = random_point(random, plain_shape.mu());
        Self { plain_shape, f, z }
    }
}

fn false_planes_are_refused<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(&mut random);
    let fast = shape(&setting.plain_shape);
    let data = N::commit(&Inline, &fast, &setting.f).expect("a length of the shape");
    let orbits =
        [data.orbit(&point(&setting.z)).expect("a point"), data.orbit(&point(&setting.z)).expect("a point")];
    let proof = data.open_orbits(&orbits, b"").expect("orbits");
    let verdict =
        |claims: &[PlanesClaim<'_, Fast<N>>]| N::verify_planes(&fast, &data.root(), claims, &proof, b"");
    let honest = claims::<N>(&orbits);
    assert_eq!(verdict(&honest), Ok(()));
    for claim in 0..2 {
        for plane in 0..PLANES {
            let mut planes = *orbits[claim].planes();
            planes[plane] = (N::of_fast(planes[plane]) ^ random_nonzero::<N>(&mut random)).fast();
            let mut claims = honest.clone();
            claims[claim].planes = &planes;
            assert!(verdict(&claims).is_err(), "plane {plane} of claim {claim}");
        }
    }
    // Two planes wrong so that the words' value stays.
    let mut planes = *orbits[0].planes();
    planes[3] = (N::of_fast(planes[3]) ^ N::powers()[20]).fast();
    planes[20] = (N::of_fast(planes[20]) ^ N::powers()[3]).fast();
    let mut claims = honest.clone();
    claims[0].planes = &planes;
    let value = |planes: &[Fast<N>; PLANES]| value_of_planes(&[], &point(N::powers()), planes);
    assert!(value(&planes) == value(orbits[0].planes()));
    assert!(verdict(&claims).is_err());
}

/// The false planes that satisfy 31 of the 32 equations, told by a prover who runs the honest protocol on the false
/// claims: the last check alone refuses, and a verifier of 31 points accepts.
fn thirty_one_right_values_are_not_enough<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(&mut random);
    let fast = shape(&setting.plain_shape);
    let committed = plain::commit(&setting.plain_shape, &setting.f).expect("a length of the shape");
    let roots: Vec<N> = (0..31).map(|k| (0..N::FIELD.bits - k).fold(N::X_OF_T, |x, _| x.times(x))).collect();
    let truth = plainly::planes(&setting.f, &setting.z);
    let planes: Vec<N> = truth.iter().zip(plainly::vanishing(&roots)).map(|(&s, error)| s ^ error).collect();
    let prove = |claims: &[plain::Claim<N>]| {
        let (v, matrix) = (&committed.polynomial, &committed.matrix);
        let honest = &mut plain::dishonest::Honest;
        plain::dishonest::prove(&setting.plain_shape, v, matrix, committed.root(), claims, b"", honest).proof
    };
    let wrong = plainly::claims_of_planes(&setting.z, &planes);
    let verdict = verify(&setting.plain_shape, &committed.root(), &wrong[..31], &prove(&wrong[..31]), b"");
    assert_eq!(verdict, Ok(()));
    let fast_planes: [Fast<N>; PLANES] = point(&planes).try_into().unwrap_or_else(|_| panic!("32 of them"));
    let claim = PlanesClaim { point: &point(&setting.z), planes: &fast_planes };
    let verdict = N::verify_planes(&fast, &committed.root(), &[claim], &prove(&wrong), b"");
    assert_eq!(verdict, Err(ProofError::FinalClaim));
}

fn mistakes_of_the_caller<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(&mut random);
    let fast = shape(&setting.plain_shape);
    let mu = setting.z.len();
    let data = N::commit(&Inline, &fast, &setting.f).expect("a length of the shape");
    for len in [0, mu - 1, mu + 1] {
        let z = vec![N::one().fast(); len];
        assert_eq!(data.orbit(&z).err(), Some(Error::PointLength { claim: 0, got: len, wanted: mu }));
    }
    let orbit = data.orbit(&point(&setting.z)).expect("a point");
    assert_eq!(data.open_orbits(&[], b""), Err(Error::NoClaims));
    let many = vec![orbit.clone(); MAX_CLAIMS / PLANES + 1];
    let got = MAX_CLAIMS + PLANES;
    assert_eq!(data.open_orbits(&many, b""), Err(Error::TooManyClaims { got }));
    let mut other = setting.f.clone();
    other[0] ^= 1;
    let other = N::commit(&Inline, &fast, &other).expect("a length of the shape");
    let orbits = [other.orbit(&point(&setting.z)).expect("a point"), orbit];
    assert_eq!(other.open_orbits(&orbits, b""), Err(Error::OtherPolynomial { orbit: 1 }));
    assert_eq!(Error::OtherPolynomial { orbit: 1 }.to_string(), "orbit 1 is of another commitment");
}

fn claims_of_another_form<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(&mut random);
    let fast = shape(&setting.plain_shape);
    let (z, planes) = (point(&setting.z), [N::one().fast(); PLANES]);
    let claim = PlanesClaim { point: &z, planes: &planes };
    let verdict = |claims: &[_]| N::verify_planes(&fast, &[0; 32], claims, &[], b"");
    assert_eq!(verdict(&[]), Err(ProofError::NoClaims));
    assert_eq!(verdict(&vec![claim; MAX_CLAIMS / PLANES + 1]), Err(ProofError::TooManyClaims));
    assert_eq!(verdict(&[claim; 2]), Err(ProofError::ProofLength));
    for len in [0, z.len() - 1] {
        let short = PlanesClaim { point: &z[..len], planes: &planes };
        assert_eq!(verdict(&[claim, short]), Err(ProofError::PointLength { claim: 1 }));
    }
}

/// Bits, bytes, GF(2^16) and other bases: the value of the coefficients' own extension.
fn values_of_small_coefficients<N: Suite>() {
    let mut random = Random::new();
    let f = random_polynomial(&mut random, 4);
    let z = random_point::<N>(&mut random, 4);
    let planes: [Fast<N>; PLANES] =
        point(&plainly::planes(&f, &z)).try_into().unwrap_or_else(|_| panic!("32 of them"));
    for inside in [5, 2, 1, 0] {
        let low = random_point::<N>(&mut random, inside);
        let basis: Vec<N> = match inside {
            5 => vec![N::one()],
            2 => basis_of_bytes(),
            _ => (0..32 >> inside).map(|_| random_element(&mut random)).collect(),
        };
        let at = [&low[..], &z].concat();
        let wanted = plain::evaluate(&plainly::small_coefficients(&f, &basis), &at);
        on_every_backend(|_| {
            let value = value_of_planes(&point(&low), &point(&basis), &planes);
            assert_eq!(value.map(N::of_fast), Ok(wanted), "{inside} coordinates inside");
        });
    }
    let one = N::one().fast();
    for (low, got, wanted) in
        [(0, 31, 32), (0, 33, 32), (5, 2, 1), (5, 0, 1), (6, 0, 0), (6, 1, 0), (70, 0, 0)]
    {
        let value = value_of_planes(&vec![one; low], &vec![one; got], &planes);
        assert!(value == Err(Error::BasisLength { got, wanted }), "{low} {got}");
    }
    let error = Error::BasisLength { got: 31, wanted: 32 }.to_string();
    assert_eq!(error, "the basis of a coefficient has 31 elements, wanted 32");
}

/// 1, k, k^2, … k^7, where k is of the eight roots of the modulus of AES, x^8 + x^4 + x^3 + x + 1, the smallest integer.
fn basis_of_bytes<N: Suite>() -> Vec<N> {
    let basis = aes_basis::<Fast<N>>().map(N::of_fast);
    let power = |x: N, e: usize| (0..e).fold(N::one(), |product, _| product.times(x));
    let k = basis[1];
    assert_eq!(power(k, 8) ^ power(k, 4) ^ power(k, 3) ^ k ^ N::one(), N::default());
    let integer = |x: N| x.to_le().into_iter().rev().collect::<Vec<u8>>();
    let conjugates: Vec<N> = std::iter::successors(Some(k), |&k| Some(k.times(k))).take(9).collect();
    assert_eq!(conjugates[8], k);
    assert!(conjugates[1..8].iter().all(|other| integer(*other) > integer(k)));
    assert_eq!(basis.to_vec(), (0..8).map(|e| power(k, e)).collect::<Vec<_>>());
    basis.to_vec()
}

/// The same commitment as of the words, and no other lengths.
#[test]
fn bits_are_committed_as_words() {
    let mut random = Random::new();
    let words: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
    let both = |[low, high]: &[u32; 2]| u64::from(*low) | u64::from(*high) << 32;
    let bits: Vec<u64> = words.as_chunks().0.iter().map(both).collect();
    let (commitment, data) = ligerito::commit_bits(Preset::Balanced, &bits).expect("registered");
    assert_eq!(commitment, ligerito::commit(Preset::Balanced, &words).expect("registered").0);
    let (other, _) = provable128::commit_bits(provable128::Preset::Balanced, &bits).expect("registered");
    let words_of = provable128::commit(provable128::Preset::Balanced, &words).expect("registered").0;
    assert_eq!(other, words_of);

    // Bit number n = 32 x + i at the corner n: the value there is the bit.
    let corner =
        |n: u64, count: u32| -> Vec<Gf128> { (0..count).map(|j| Gf128((n >> j & 1).into())).collect() };
    let n = 12_345u64;
    let (low, z) = (corner(n & 31, 5), corner(n >> 5, 10));
    let orbit = data.orbit(&z).expect("ten coordinates");
    let bit = value_of_planes(&low, &[Gf128(1)], orbit.planes()).expect("bits");
    assert_eq!(bit, Gf128((bits[(n / 64) as usize] >> (n % 64) & 1).into()));

    let proof = data.open_orbits(std::slice::from_ref(&orbit), b"bits").expect("its orbit");
    let claim = PlanesClaim { point: &z, planes: orbit.planes() };
    let accepted = Accepted::exactly(Preset::Balanced, 10);
    assert_eq!(ligerito::verify_planes(&accepted, &commitment, &[claim], &proof, b"bits"), Ok(()));
    let refused = ligerito::verify_planes(
        &Accepted::exactly(Preset::Compact, 10),
        &commitment,
        &[claim],
        &proof,
        b"bits",
    );
    assert_eq!(refused, Err(ProofError::UnacceptedParams));

    for len in [0, 1, 3, 256, 511, 513] {
        let got = 2 * len;
        let error = ligerito::commit_bits(Preset::Balanced, &bits.repeat(2)[..len]).err();
        assert_eq!(error, Some(Error::PolynomialLength { got }), "{len}");
    }
}
