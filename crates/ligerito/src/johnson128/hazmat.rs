//! Sharp tools of this suite: shapes that are registered nowhere. Their suite string differs, so no such proof is ever
//! accepted by [`verify`](super::verify); they promise no security and are for tests and benchmarks.
//!
//! Their openings are all of weighted sums: `verify` and `verify_planes` of a [`TestShape`] refuse.

use super::Preset;
use crate::hazmat::{TestShapeOf, TestSuite};
use crate::suite;

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = "ligerito-v2-johnson128-test-insecure";

/// The same: all openings are of weighted sums.
pub const SUMS_SUITE: &str = SUITE;

/// A shape of one's own, with samples.
pub type TestShape = TestShapeOf<Preset>;

impl TestSuite for Preset {
    const TEST: &'static str = SUITE;
    const TEST_SUMS: &'static str = SUMS_SUITE;
    const TEST_CODE: u8 = 4;
}

/// What a nonce hashes to in this suite: the work of g bits is done if the low g bits are zero.
#[must_use]
pub fn work(seed: &[u8; 32], nonce: u64) -> u64 {
    suite::JOHNSON128.work(seed, nonce)
}
