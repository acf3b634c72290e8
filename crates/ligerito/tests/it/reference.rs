//! Ligerito: fast equals plain. The same root, the same values and every byte of the proof, on every backend, with and
//! without threads, for all kinds of shapes, polynomials, points and contexts; and each side accepts what the other
//! proves.
use crate::support::{
    Fast, Sizes, Suite, for_every_suite, plain_shape, point, pools, random_context, random_point,
    random_points, random_polynomial, random_shape, shape, values, verify,
};
use phalanx_ligerito::Inline;
use phalanx_ligerito::{EvaluationClaim, Opening};
use phalanx_reference::ligerito as plain;
use phalanx_testing::{Random, on_every_backend};

for_every_suite!(
    each on every backend,
    random_shapes,
    shapes_at_the_edges_of_kernels,
    polynomials_and_points_at_the_edges,
    registered_shapes,
    a_commitment_is_opened_many_times,
);

/// What is expected, by the plain version.
struct Expected<N> {
    shape: plain::Shape<N>,
    root: plain::Digest,
    claims: Vec<plain::Claim<N>>,
    context: Vec<u8>,
    proof: Vec<u8>,
}

impl<N: Suite> Expected<N> {
    fn new(shape: &plain::Shape<N>, f: &[u32], points: &[Vec<N>], context: &[u8]) -> Self {
        let committed = plain::commit(shape, f).expect("a length of the shape");
        let opening = committed.open(points, context).expect("points of the shape");
        let claims = points.iter().zip(opening.values);
        Self {
            shape: shape.clone(),
            root: committed.root(),
            claims: claims.map(|(z, value)| plain::Claim { point: z.clone(), value }).collect(),
            context: context.to_vec(),
            proof: opening.proof,
        }
    }

    fn points(&self) -> Vec<Vec<Fast<N>>> {
        self.claims.iter().map(|claim| point(&claim.point)).collect()
    }

    fn compare(&self, opening: &Opening<Fast<N>>, how: &str) {
        let values: Vec<N> = values(opening);
        assert!(values.iter().eq(self.claims.iter().map(|claim| &claim.value)), "{how}: values {values:x?}");
        assert_eq!(opening.proof.len(), self.proof.len(), "{how}: {:?}", self.shape);
        let differs = opening.proof.iter().zip(&self.proof).position(|(fast, plain)| fast != plain);
        assert_eq!(differs, None, "{how}: the first byte that differs; {:?}", self.shape);
    }
}

/// A test shape, on every backend and pool.
fn check<N: Suite>(shape: &plain::Shape<N>, f: &[u32], points: &[Vec<N>], context: &[u8]) {
    let expected = Expected::new(shape, f, points, context);
    let (points, fast) = (expected.points(), crate::support::shape(shape));
    let points: Vec<&[Fast<N>]> = points.iter().map(|point| &**point).collect();
    let plainly = plain::verify_shape(shape, &expected.root, &expected.claims, &expected.proof, context);
    assert!(plainly.is_ok(), "{plainly:?} {shape:?}");
    on_every_backend(|backend| {
        for pool in pools() {
            let data = N::commit(&*pool, &fast, f).expect("a length of the shape");
            assert_eq!(data.root(), expected.root, "{shape:?}");
            let opening = data.open_on(&*pool, &points, context).expect("points of the shape");
            expected.compare(&opening, backend.name());
        }
        let verdict = verify(shape, &expected.root, &expected.claims, &expected.proof, context);
        assert_eq!(verdict, Ok(()), "{shape:?}");
    });
}

fn random_shapes<N: Suite>() {
    let mut random = Random::new();
    for i in 0..64 {
        let shape = random_shape::<N>(&mut random, i % 4);
        let f = random_polynomial(&mut random, shape.mu());
        let points = random_points(&mut random, shape.mu(), 1 + i / 4 % 4);
        check(&shape, &f, &points, &random_context(&mut random));
    }
}

/// Rows shorter and longer than a register, a hash block and a hash chunk; codes around the lengths at which transforms
/// change their plan; every level both the narrowest and the widest.
fn shapes_at_the_edges_of_kernels<N: Suite>() {
    let mut random = Random::new();
    let shapes: [&[Sizes]; 14] = [
        &[(1, 1, 1, 1, 0)],
        &[(1, 1, 8, 256, 0)],
        &[(1, 9, 1, 2, 0)],
        &[(2, 8, 2, 8, 3)],
        &[(4, 7, 1, 16, 0)],
        &[(8, 3, 1, 30, 0)],
        &[(9, 2, 1, 99, 0)],
        &[(10, 1, 1, 200, 0)],
        &[(5, 4, 4, 120, 0)],
        &[(6, 5, 2, 60, 0), (2, 4, 3, 16, 0)],
        &[(8, 2, 1, 150, 0), (1, 7, 2, 4, 0)],
        &[(8, 1, 2, 20, 0), (7, 1, 1, 40, 0)],
        &[(6, 2, 1, 32, 1), (5, 1, 8, 100, 2), (4, 1, 1, 8, 3), (1, 3, 3, 7, 4)],
        &[(5, 1, 1, 16, 0), (4, 1, 2, 9, 0), (3, 1, 3, 8, 0), (2, 1, 4, 7, 0), (1, 1, 5, 6, 0)],
    ];
    for levels in shapes {
        let shape = plain_shape::<N>(levels);
        let f: Vec<u32> = (0..1 << shape.mu()).map(|_| random.u32()).collect();
        let points = random_points(&mut random, shape.mu(), 2);
        check(&shape, &f, &points, b"edges");
    }
}

fn polynomials_and_points_at_the_edges<N: Suite>() {
    let mut random = Random::new();
    let shape = plain_shape::<N>(&[(5, 2, 2, 30, 0), (2, 3, 3, 12, 2)]);
    let (len, mu) = (1 << shape.mu(), usize::from(shape.mu()));
    let mut single = vec![0; len];
    single[len - 1] = u32::MAX;
    for f in [vec![0; len], vec![1; len], vec![u32::MAX; len], vec![1 << 31; len], single] {
        for z in [N::default(), N::one(), N::ones(), N::top_bit()] {
            check(&shape, &f, &[vec![z; mu]], b"");
        }
        // A point thrice: gamma alone keeps the claims apart.
        check(&shape, &f, &vec![random_point(&mut random, shape.mu()); 3], b"");
    }
}

/// By the public interface, under the registered shapes that the plain encoder can do in a second.
fn registered_shapes<N: Suite>() {
    let mut random = Random::new();
    for &(code, preset) in N::PRESETS {
        for variables in if code == 2 { 10..=12 } else { 10..=13 } {
            let shape = plain::registered::<N>(code, variables).expect("registered");
            let f = random_polynomial(&mut random, variables);
            let z = random_points(&mut random, variables, 1 + usize::from(variables % 3));
            let context = random_context(&mut random);
            let expected = Expected::new(&shape, &f, &z, &context);
            registered(code, preset, &f, &expected);
        }
    }
}

fn registered<N: Suite>(code: u8, preset: N::Preset, f: &[u32], expected: &Expected<N>) {
    let (points, context) = (expected.points(), &expected.context);
    let points: Vec<&[Fast<N>]> = points.iter().map(|point| &**point).collect();
    let (mu, root) = (expected.shape.mu(), &expected.root);
    on_every_backend(|backend| {
        for pool in pools() {
            let (commitment, data) = N::commit_registered(&*pool, preset, f).expect("registered");
            assert_eq!(commitment, [&[code, mu], &root[..]].concat());
            let opening = data.open_on(&*pool, &points, context).expect("points of the shape");
            expected.compare(&opening, backend.name());
            let claims: Vec<_> = points
                .iter()
                .zip(&opening.values)
                .map(|(point, &value)| EvaluationClaim { point, value })
                .collect();
            let verdict = N::verify_registered(preset, mu, &commitment, &claims, &opening.proof, context);
            assert_eq!(verdict, Ok(()));
        }
    });
    let commitment = plain::Commitment { profile: code, mu, root: *root };
    let accepted = plain::Accepted::Exactly { profile: code, mu };
    let verdict = plain::verify(&accepted, &commitment, &expected.claims, &expected.proof, context);
    assert!(verdict.is_ok(), "{verdict:?}");
}

/// One commitment serves any number of openings, each of them as if it were the first.
fn a_commitment_is_opened_many_times<N: Suite>() {
    let mut random = Random::new();
    let plain_shape = random_shape::<N>(&mut random, 2);
    let f = random_polynomial(&mut random, plain_shape.mu());
    let data = N::commit(&Inline, &shape(&plain_shape), &f).expect("a length of the shape");
    for count in [3, 1, 4, 1] {
        let z = random_points(&mut random, plain_shape.mu(), count);
        let expected = Expected::new(&plain_shape, &f, &z, &random_context(&mut random));
        let points = expected.points();
        let points: Vec<&[Fast<N>]> = points.iter().map(|point| &**point).collect();
        for _ in 0..2 {
            let opening = data.open(&points, &expected.context).expect("points of the shape");
            expected.compare(&opening, "again");
        }
    }
}
