//! Sums against naive ones, on every backend.

use super::*;
use crate::curve::{BASE_POINT, decode, double_base_mul_vartime};
use phalanx_core::simd::Isa;
use phalanx_testing::Random;
use std::vec;

fn random_scalar(random: &mut Random) -> Scalar {
    let mut bytes = [0; 32];
    bytes.fill_with(|| random.u8());
    Scalar::from_bytes_reduced(&bytes)
}

fn small(value: u128) -> Scalar {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&value.to_le_bytes());
    Scalar::from_bytes_reduced(&bytes)
}

/// 1, 2, 2^128 - 1, L - 1, (L - 1)/2, (L + 1)/2, 2^251, 2^251 - 1, ...
fn edge_scalars() -> Vec<Scalar> {
    let mut scalars = vec![Scalar::ZERO, small(1), small(2), small(u128::MAX), small(1).negate()];
    let mut bytes = [0; 32];
    bytes[31] = 8;
    let power = Scalar::from_bytes_reduced(&bytes);
    scalars.extend([power, power.add(&small(1)), power.add(&small(1).negate()), power.negate()]);
    // 2^124 + ... : the halves of L, where s and s - L are closest.
    let half = small(27742317777372353535851937790883648493u128.div_ceil(2)).add(&power);
    scalars.extend([half, half.add(&small(1)), half.add(&small(1).negate()), half.negate()]);
    scalars
}

fn multiples_of(point: &Point, count: usize, random: &mut Random) -> Vec<Point> {
    (0..count)
        .map(|_| double_base_mul_vartime(Isa::PORTABLE, &Scalar::ZERO, point, &random_scalar(random)))
        .collect()
}

/// A point of order 8.
fn torsion() -> Point {
    let mut bytes =
        hex::decode("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05").expect("hex");
    bytes.truncate(32);
    decode(&bytes.try_into().expect("32 bytes")).expect("a point").point
}

fn row(point: &Point) -> NielsRow {
    let inverse = point.z.invert();
    NielsRow::from_affine(&point.x.mul(&inverse), &point.y.mul(&inverse))
}

fn naive(points: &[Point], long: &[(u32, Scalar)], short: &[(u32, u128)]) -> Point {
    let times = |point: u32, scalar: &Scalar| {
        double_base_mul_vartime(Isa::PORTABLE, &Scalar::ZERO, &points[point as usize], scalar)
    };
    let long = long.iter().map(|(point, scalar)| times(*point, scalar));
    let short = short.iter().map(|(point, scalar)| times(*point, &small(*scalar)));
    long.chain(short).fold(Point::IDENTITY, |sum, product| sum.add(&product))
}

fn same(a: &Point, b: &Point) -> bool {
    a.add(&b.negate()).is_identity()
}

fn check(points: &[Point], long: &[(u32, Scalar)], short: &[(u32, u128)], widths: &[usize]) {
    let rows: Vec<_> = points.iter().map(row).collect();
    let wanted = naive(points, long, short);
    let sum = Sum { points: &rows, long, short };
    for isa in phalanx_testing::isas() {
        let backend = isa.backend();
        for width in widths {
            let shape = Shape::new(*width);
            let got = sum.evaluate_in(isa, &shape);
            let (long, short) = (long.len(), short.len());
            assert!(same(&got, &wanted), "{}: width {width}, {long} + {short} terms", backend.name());
        }
    }
}

#[test]
fn empty_and_small() {
    let mut random = Random::from_seed(1);
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let mut points = vec![Point::IDENTITY, base];
    points.extend(multiples_of(&base, 40, &mut random));
    check(&points, &[], &[], &[3, 8]);
    for n in [1u32, 2, 3, 7, 8, 9, 17, 40] {
        let long: Vec<_> = (1..=n).map(|i| (i, random_scalar(&mut random))).collect();
        let short: Vec<_> =
            (1..=n).map(|i| (i, u128::from(random.u64()) << 64 | u128::from(random.u64()))).collect();
        check(&points, &long, &[], &[3, 5, 8]);
        check(&points, &[], &short, &[3, 5, 8]);
        check(&points, &long, &short, &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }
}

/// Every edge scalar in every width, of base, torsion, mixed and repeated points.
#[test]
fn edges() {
    let mut random = Random::from_seed(2);
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let mixed = base.add(&torsion());
    let points = [Point::IDENTITY, base, mixed, base.negate(), Point::IDENTITY, base];
    // Torsion points are left out of long terms: s and s - L differ there, which the final product by 8 forgives.
    let long: Vec<_> = edge_scalars()
        .into_iter()
        .flat_map(|scalar| [(1, scalar), (3, scalar), (4, scalar), (5, random_scalar(&mut random))])
        .collect();
    let short: Vec<_> = [0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1]
        .into_iter()
        .flat_map(|scalar| [(1, scalar), (2, scalar), (3, scalar), (4, scalar)])
        .collect();
    let widths = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    check(&points, &long, &short, &widths);
    for scalar in edge_scalars() {
        check(&points, &[(1, scalar)], &[(2, u128::MAX)], &widths);
    }
    // All in one bucket: the list is cut into parts.
    let same_digit = vec![(1, small(1)); 300];
    check(&points, &same_digit, &[], &[3, 8]);
}
