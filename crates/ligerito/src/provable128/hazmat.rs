//! Sharp tools of this suite: shapes that are registered nowhere. Their suite string differs, so no such proof is ever
//! accepted by [`verify`](super::verify); they promise no security and are for tests and benchmarks.

pub mod fields;

use super::Preset;
use crate::hazmat::{TestShapeOf, TestSuite};
use crate::suite;

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = "ligerito-v1-provable128-test-insecure";
/// The same for weighted sums.
pub const SUMS_SUITE: &str = "ligerito-v2-128-test-insecure";

/// A shape of one's own, with challenges from GF(2^192).
pub type TestShape = TestShapeOf<Preset>;

impl TestSuite for Preset {
    const TEST: &'static str = SUITE;
    const TEST_SUMS: &'static str = SUMS_SUITE;
}

/// What a nonce hashes to in this suite: the work of g bits is done if the low g bits are zero.
#[must_use]
pub fn work(seed: &[u8; 32], nonce: u64) -> u64 {
    suite::PROVABLE128.work(seed, nonce)
}
