//! Bridges between the library's Ligerito and the plain one, and inputs for both.

use phalanx::ligerito::{self, Accepted, Claim, Commitment, Gf128, Profile, ProofError, Shape, hazmat};
use phalanx_reference::ligerito as plain;
use plain::Large as _;

use super::Random;

/// The library's form of a shape; a registered one too becomes a test shape.
pub(crate) fn shape(shape: &plain::Shape<u128>) -> Shape {
    let level = |level: &plain::Level| ligerito::Level {
        log2_message: level.d,
        log2_columns: level.k,
        log2_inverse_rate: level.r,
        queries: level.queries,
        grinding_bits: level.grind,
    };
    hazmat::shape(shape.mu(), shape.levels().iter().map(level).collect()).expect("both have the same rules")
}

/// d, k, r, Q, g of a level.
pub(crate) type Sizes = (u8, u8, u8, u16, u8);

/// A test shape.
pub(crate) fn plain_shape(levels: &[Sizes]) -> plain::Shape<u128> {
    let level = |&(d, k, r, queries, grind)| plain::Level { d, k, r, queries, grind };
    plain::Shape::test(levels[0].0 + levels[0].1, &levels.iter().map(level).collect::<Vec<_>>())
        .expect("a shape within the rules")
}

/// The library's form of a point.
pub(crate) fn point(z: &[u128]) -> Vec<Gf128> {
    z.iter().copied().map(Gf128).collect()
}

/// The library's verdict about a proof: under a registered shape by the public verifier, else by the one for tests.
pub(crate) fn verify(
    shape: &plain::Shape<u128>,
    root: &plain::Digest,
    claims: &[plain::Claim<u128>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    let points: Vec<_> = claims.iter().map(|claim| point(&claim.point)).collect();
    let claims: Vec<_> =
        claims.iter().zip(&points).map(|(claim, point)| Claim { point, value: Gf128(claim.value) }).collect();
    if shape.suite() != u128::PRODUCTION {
        return hazmat::verify(shape.suite(), &self::shape(shape), root, &claims, proof, context);
    }
    let is_registered =
        |profile: &Profile| plain::registered::<u128>(profile.code(), shape.mu()).as_ref() == Some(shape);
    let profile = Profile::ALL.into_iter().find(is_registered).expect("a registered shape");
    let accepted = Accepted::exactly(profile, shape.mu());
    let commitment = Commitment::new(profile, shape.mu(), *root);
    ligerito::verify(&accepted, &commitment, &claims, proof, context)
}

/// The name that both sides give to an error.
pub(crate) fn name(error: plain::Error) -> String {
    format!("{error:?}")
}

/// A shape with `later` levels after level 0, small enough for the plain encoder.
pub(crate) fn random_shape(random: &mut Random, later: usize) -> plain::Shape<u128> {
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
pub(crate) fn random_element(random: &mut Random) -> u128 {
    let any = u128::from(random.u64()) << 64 | u128::from(random.u64());
    match random.u32() % 24 {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << 127,
        4 => any >> 64,
        5 => any << 64,
        _ => any,
    }
}

/// A point, one time in four a corner of the cube.
pub(crate) fn random_point(random: &mut Random, mu: u8) -> Vec<u128> {
    let corner = random.u32().is_multiple_of(4);
    (0..mu).map(|_| if corner { u128::from(random.u8() % 2) } else { random_element(random) }).collect()
}

/// `count` points; when there are several, the last is sometimes the first again.
pub(crate) fn random_points(random: &mut Random, mu: u8, count: usize) -> Vec<Vec<u128>> {
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
