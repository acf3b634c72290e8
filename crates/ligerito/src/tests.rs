//! Proofs on several threads, in both suites. Their bytes are checked against the vectors by `cargo xtask vectors`, and
//! against the plain implementation by the integration tests.

use crate::binary::Gf32;
use crate::preset::PresetOf;
use crate::suite::{Names, TEST_SUITE};
use crate::verify::verify_shape;
use crate::{EvaluationClaim, Inline, Level, Pool, Preset, ProverData, Shape, Threads, provable128};
use alloc::vec::Vec;

/// Vectors so long that all they go through is done in pieces; several claims, and a level that is folded once.
fn proofs_through_pools<P: PresetOf>() {
    let level = |log2_message, log2_columns| Level {
        log2_message,
        log2_columns,
        log2_inverse_rate: 1,
        queries: 20,
        grinding_bits: 0,
    };
    let f: Vec<u32> = (0..1 << 17).map(|i: u32| (i ^ i >> 7).wrapping_mul(0x9e37_79b9)).collect();
    let points: Vec<Vec<P::Challenge>> =
        (1..3).map(|i| (0..17).map(|j| Gf32(0x1234_5678 * i + j).into()).collect()).collect();
    let points: Vec<&[P::Challenge]> = points.iter().map(|point| &**point).collect();
    for levels in
        [alloc::vec![level(15, 2), level(14, 1), level(9, 5)], alloc::vec![level(14, 3), level(10, 4)]]
    {
        let shape = Shape::unregistered(17, levels).expect("valid").over::<P::Challenge>();
        let threads = Threads::new(3);
        let openings = [&Inline as &dyn Pool, &threads].map(|pool| {
            let data = ProverData::commit(
                pool,
                Names { hashing: P::HASHING, points: TEST_SUITE, sums: TEST_SUITE, profile: 0 },
                shape.clone(),
                crate::binary::gf32s(&f).into(),
                &|_, _| (),
            );
            let data = data.expect("a length of the shape");
            let opening = data.open_on(pool, &points, b"pools").expect("points of the shape");
            let claims: Vec<_> = points
                .iter()
                .zip(&opening.values)
                .map(|(point, &value)| EvaluationClaim { point, value })
                .collect();
            let (suite, root) = (TEST_SUITE, data.root());
            let verdict = verify_shape(P::HASHING, suite, &shape, &root, &claims, &opening.proof, b"pools");
            assert_eq!(verdict, Ok(()));
            opening
        });
        assert_eq!(openings[0], openings[1]);
    }
}

#[test]
fn proofs_do_not_depend_on_the_pool() {
    proofs_through_pools::<Preset>();
    proofs_through_pools::<provable128::Preset>();
}
