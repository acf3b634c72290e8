//! Suite `ligerito-v1-provable100`: its presets, its registered shapes as data, and the functions that serve it alone.
//!
//! Source: section 10 of the specification (docs/ligerito.md), found by a search over all shapes for the shortest proof
//! at bounded prover work. Their soundness is recomputed by a test, and shown by `phalanx ligerito params`.
#![forbid(unsafe_code)]

use crate::binary::Gf128;
use crate::functions::suite;
use crate::preset::level;
use crate::shape::Level;
use crate::suite::{PROVABLE100, SUITE, SUMS_SUITE};

/// What proofs are made small for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preset {
    /// 100 provable bits without proof of work. The default.
    #[default]
    Balanced,
    /// Shorter proofs. Of the 100 bits 84 to 88 are those of the interactive protocol; the rest is a proof of work of
    /// 16 bits at every level, which the prover does and every new attempt of a cheating one costs.
    Compact,
}

suite! {
    Gf128, SUITE, SUMS_SUITE, PROVABLE100, last code 2,
    commitments of 34 bytes, samples false,
    Balanced = 1 "balanced" BALANCED,
    Compact = 2 "compact" COMPACT,
}

#[rustfmt::skip]
const BALANCED: [&[Level]; 21] = [
    // 10
    &[level(6, 4, 2, 104, 0)],
    // 11
    &[level(7, 4, 2, 123, 0)],
    // 12
    &[level(8, 4, 1, 185, 0)],
    // 13
    &[level(8, 5, 2, 135, 0)],
    // 14
    &[level(9, 5, 2, 141, 0)],
    // 15
    &[level(10, 5, 2, 145, 0)],
    // 16
    &[level(10, 6, 2, 145, 0)],
    // 17
    &[level(12, 5, 2, 148, 0), level(9, 3, 3, 120, 0)],
    // 18
    &[level(12, 6, 2, 148, 0), level(9, 3, 3, 120, 0)],
    // 19
    &[level(13, 6, 2, 148, 0), level(10, 3, 3, 121, 0)],
    // 20
    &[level(14, 6, 2, 149, 0), level(10, 4, 3, 121, 0)],
    // 21
    &[level(15, 6, 2, 150, 0), level(12, 3, 2, 149, 0), level(9, 3, 3, 120, 0)],
    // 22
    &[level(16, 6, 2, 149, 0), level(12, 4, 3, 123, 0), level(9, 3, 3, 120, 0)],
    // 23
    &[level(17, 6, 2, 149, 0), level(13, 4, 3, 123, 0), level(10, 3, 3, 122, 0)],
    // 24
    &[level(18, 6, 2, 150, 0), level(14, 4, 3, 123, 0), level(10, 4, 4, 111, 0)],
    // 25
    &[level(19, 6, 2, 150, 0), level(15, 4, 3, 123, 0), level(12, 3, 3, 123, 0), level(9, 3, 3, 121, 0)],
    // 26
    &[level(20, 6, 2, 150, 0), level(16, 4, 3, 124, 0), level(12, 4, 3, 123, 0), level(9, 3, 3, 121, 0)],
    // 27
    &[level(21, 6, 2, 150, 0), level(17, 4, 3, 123, 0), level(13, 4, 3, 124, 0), level(10, 3, 3, 123, 0)],
    // 28
    &[level(22, 6, 2, 151, 0), level(18, 4, 3, 124, 0), level(14, 4, 4, 113, 0), level(10, 4, 4, 112, 0)],
    // 29
    &[level(22, 7, 2, 152, 0), level(18, 4, 4, 113, 0), level(14, 4, 4, 113, 0), level(10, 4, 4, 113, 0)],
    // 30
    &[level(23, 7, 2, 155, 0), level(19, 4, 3, 128, 0), level(15, 4, 4, 118, 0), level(12, 3, 4, 119, 0), level(9, 3, 4, 118, 0)],
];

#[rustfmt::skip]
const COMPACT: [&[Level]; 21] = [
    // 10
    &[level(6, 4, 2, 92, 16)],
    // 11
    &[level(7, 4, 2, 107, 16)],
    // 12
    &[level(8, 4, 2, 115, 16)],
    // 13
    &[level(8, 5, 2, 115, 16)],
    // 14
    &[level(9, 5, 2, 120, 16)],
    // 15
    &[level(9, 6, 3, 100, 16)],
    // 16
    &[level(10, 6, 2, 122, 16)],
    // 17
    &[level(12, 5, 2, 125, 16), level(9, 3, 3, 101, 16)],
    // 18
    &[level(13, 5, 2, 125, 16), level(10, 3, 3, 102, 16)],
    // 19
    &[level(13, 6, 2, 125, 16), level(10, 3, 3, 102, 16)],
    // 20
    &[level(14, 6, 2, 125, 16), level(10, 4, 4, 93, 16)],
    // 21
    &[level(15, 6, 2, 126, 16), level(12, 3, 3, 103, 16), level(9, 3, 3, 102, 16)],
    // 22
    &[level(16, 6, 2, 126, 16), level(12, 4, 3, 103, 16), level(9, 3, 3, 102, 16)],
    // 23
    &[level(17, 6, 2, 126, 16), level(13, 4, 4, 94, 16), level(10, 3, 4, 94, 16)],
    // 24
    &[level(18, 6, 2, 126, 16), level(14, 4, 4, 94, 16), level(10, 4, 4, 94, 16)],
    // 25
    &[level(19, 6, 2, 126, 16), level(15, 4, 4, 95, 16), level(12, 3, 4, 95, 16), level(9, 3, 4, 94, 16)],
    // 26
    &[level(20, 6, 2, 126, 16), level(16, 4, 4, 95, 16), level(12, 4, 4, 95, 16), level(9, 3, 4, 94, 16)],
    // 27
    &[level(21, 6, 2, 127, 16), level(17, 4, 4, 95, 16), level(13, 4, 4, 95, 16), level(10, 3, 4, 94, 16)],
    // 28
    &[level(22, 6, 2, 127, 16), level(18, 4, 4, 96, 16), level(14, 4, 4, 96, 16), level(10, 4, 4, 95, 16)],
    // 29
    &[level(23, 6, 2, 132, 16), level(19, 4, 4, 98, 16), level(15, 4, 4, 98, 16), level(12, 3, 4, 98, 16), level(9, 3, 4, 97, 16)],
    // 30
    &[level(23, 7, 2, 131, 16), level(19, 4, 3, 109, 16), level(15, 4, 4, 101, 16), level(12, 3, 4, 102, 16), level(9, 3, 4, 101, 16)],
];
