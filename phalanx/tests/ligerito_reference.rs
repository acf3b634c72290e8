//! Ligerito: fast equals plain. The same root, the same values and every byte of the proof, on every backend, with and
//! without threads, for all kinds of shapes, polynomials, points and contexts; and each side accepts what the other proves.
#![cfg(feature = "ligerito")]

mod support;

use phalanx::ligerito::{self, Accepted, Claim, Commitment, Gf128, Opening, Profile, hazmat};
use phalanx::{Inline, Pool};
use phalanx_reference::ligerito as plain;
use support::ligerito::{
    Sizes, plain_shape, point, random_context, random_point, random_points, random_polynomial, random_shape,
    shape, verify,
};
use support::{Random, on_every_backend};

/// No threads, and where the library has them, three.
fn pools() -> Vec<Box<dyn Pool>> {
    #[allow(unused_mut, reason = "without threads there is one pool")]
    let mut pools: Vec<Box<dyn Pool>> = vec![Box::new(Inline)];
    #[cfg(feature = "parallel")]
    pools.push(Box::new(phalanx::Threads::new(3)));
    pools
}

/// What is expected, by the plain version.
struct Expected {
    shape: plain::Shape<u128>,
    root: plain::Digest,
    claims: Vec<plain::Claim<u128>>,
    context: Vec<u8>,
    proof: Vec<u8>,
}

impl Expected {
    fn new(shape: &plain::Shape<u128>, f: &[u32], points: &[Vec<u128>], context: &[u8]) -> Self {
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

    fn points(&self) -> Vec<Vec<Gf128>> {
        self.claims.iter().map(|claim| point(&claim.point)).collect()
    }

    fn compare(&self, opening: &Opening, how: &str) {
        let values: Vec<u128> = opening.values.iter().map(|value| value.0).collect();
        assert!(values.iter().eq(self.claims.iter().map(|claim| &claim.value)), "{how}: values {values:x?}");
        assert_eq!(opening.proof.len(), self.proof.len(), "{how}: {:?}", self.shape);
        let differs = opening.proof.iter().zip(&self.proof).position(|(fast, plain)| fast != plain);
        assert_eq!(differs, None, "{how}: the first byte that differs; {:?}", self.shape);
    }
}

/// A test shape, on every backend and pool.
fn check(shape: &plain::Shape<u128>, f: &[u32], points: &[Vec<u128>], context: &[u8]) {
    let expected = Expected::new(shape, f, points, context);
    let (points, fast) = (expected.points(), support::ligerito::shape(shape));
    let points: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
    let plainly = plain::verify_shape(shape, &expected.root, &expected.claims, &expected.proof, context);
    assert!(plainly.is_ok(), "{plainly:?} {shape:?}");
    on_every_backend(|backend| {
        for pool in pools() {
            let data = hazmat::commit(&*pool, fast.clone(), f).expect("a length of the shape");
            assert_eq!(data.root(), expected.root, "{shape:?}");
            let opening = data.open_on(&*pool, &points, context).expect("points of the shape");
            expected.compare(&opening, backend.name());
        }
        let verdict = verify(shape, &expected.root, &expected.claims, &expected.proof, context);
        assert_eq!(verdict, Ok(()), "{shape:?}");
    });
}

#[test]
fn random_shapes() {
    let mut random = Random::new();
    for i in 0..64 {
        let shape = random_shape(&mut random, i % 4);
        let f = random_polynomial(&mut random, shape.mu());
        let points = random_points(&mut random, shape.mu(), 1 + i / 4 % 4);
        check(&shape, &f, &points, &random_context(&mut random));
    }
}

/// Rows shorter and longer than a register, a hash block and a hash chunk; codes around the lengths at which transforms
/// change their plan; every level both the narrowest and the widest.
#[test]
fn shapes_at_the_edges_of_kernels() {
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
        let shape = plain_shape(levels);
        let f: Vec<u32> = (0..1 << shape.mu()).map(|_| random.u32()).collect();
        let points = random_points(&mut random, shape.mu(), 2);
        check(&shape, &f, &points, b"edges");
    }
}

#[test]
fn polynomials_and_points_at_the_edges() {
    let mut random = Random::new();
    let shape = plain_shape(&[(5, 2, 2, 30, 0), (2, 3, 3, 12, 2)]);
    let (len, mu) = (1 << shape.mu(), usize::from(shape.mu()));
    let mut single = vec![0; len];
    single[len - 1] = u32::MAX;
    for f in [vec![0; len], vec![1; len], vec![u32::MAX; len], vec![1 << 31; len], single] {
        for z in [vec![0; mu], vec![1; mu], vec![u128::MAX; mu], vec![1 << 127; mu]] {
            check(&shape, &f, &[z], b"");
        }
        // A point thrice: gamma alone keeps the claims apart.
        check(&shape, &f, &vec![random_point(&mut random, shape.mu()); 3], b"");
    }
}

/// By the public interface, under the registered shapes that the plain encoder can do in a second.
#[test]
fn registered_shapes() {
    let mut random = Random::new();
    for (profile, sizes) in [(Profile::Balanced, 10..=13), (Profile::Compact, 10..=12)] {
        for variables in sizes {
            let shape = plain::registered::<u128>(profile.code(), variables).expect("registered");
            let f = random_polynomial(&mut random, variables);
            let z = random_points(&mut random, variables, 1 + usize::from(variables % 3));
            let context = random_context(&mut random);
            let expected = Expected::new(&shape, &f, &z, &context);
            registered(profile, &f, &expected);
        }
    }
}

fn registered(profile: Profile, f: &[u32], expected: &Expected) {
    let (points, context) = (expected.points(), &expected.context);
    let points: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
    let accepted = Accepted::exactly(profile, expected.shape.mu());
    on_every_backend(|backend| {
        for pool in pools() {
            let (commitment, data) = ligerito::commit_on(&*pool, profile, f).expect("registered");
            let wanted = Commitment::new(profile, expected.shape.mu(), expected.root);
            assert_eq!(commitment, wanted);
            let opening = data.open_on(&*pool, &points, context).expect("points of the shape");
            expected.compare(&opening, backend.name());
            let claims: Vec<_> =
                points.iter().zip(opening.values).map(|(point, value)| Claim { point, value }).collect();
            let verdict = ligerito::verify(&accepted, &commitment, &claims, &opening.proof, context);
            assert_eq!(verdict, Ok(()));
        }
    });
    let commitment =
        plain::Commitment { profile: profile.code(), mu: expected.shape.mu(), root: expected.root };
    let accepted = plain::Accepted::Exactly { profile: commitment.profile, mu: commitment.mu };
    let verdict = plain::verify(&accepted, &commitment, &expected.claims, &expected.proof, context);
    assert!(verdict.is_ok(), "{verdict:?}");
}

/// One commitment serves any number of openings, each of them as if it were the first.
#[test]
fn a_commitment_is_opened_many_times() {
    let mut random = Random::new();
    let plain_shape = random_shape(&mut random, 2);
    let f = random_polynomial(&mut random, plain_shape.mu());
    let data = hazmat::commit(&Inline, shape(&plain_shape), &f).expect("a length of the shape");
    for count in [3, 1, 4, 1] {
        let z = random_points(&mut random, plain_shape.mu(), count);
        let expected = Expected::new(&plain_shape, &f, &z, &random_context(&mut random));
        let points = expected.points();
        let points: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
        for _ in 0..2 {
            let opening = data.open(&points, &expected.context).expect("points of the shape");
            expected.compare(&opening, "again");
        }
    }
}
