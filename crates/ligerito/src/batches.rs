//! What statements about several commitments have in place of registered shapes: the queries of each code, and the levels
//! after the folded vectors, for each sum of their lengths. Each suite's table was searched for the shortest proof; the soundness
//! of all of it is recomputed by a test (docs/ligerito.md, section 17).
#![forbid(unsafe_code)]

use crate::preset::level;
use crate::shape::Level;
use alloc::borrow::Cow;

/// d of the first row of queries.
const LEAST_MESSAGE: u8 = 6;
/// D of the first tail.
const LEAST_ROWS: u8 = 6;

/// A suite's table.
pub(super) struct Table {
    /// Rows for d, columns for r from 1 to 5; 0 where there is none.
    queries: &'static [[u16; 5]],
    /// Later levels for D.
    later: &'static [&'static [Level]],
    /// kappa times the points of all codes may have as many bits; of the field terms the others are below 2^-150.
    log2_columns_times_points: Option<u32>,
}

impl Table {
    /// Q of a code, or `None`.
    pub(super) fn queries(&self, level: &Level) -> Option<u16> {
        let of_message = self.queries.get(usize::from(level.log2_message.checked_sub(LEAST_MESSAGE)?))?;
        let queries = *of_message.get(usize::from(level.log2_inverse_rate.checked_sub(1)?))?;
        (queries > 0).then_some(queries)
    }

    /// The later levels for 2^`log2_rows` folded rows, or `None`.
    pub(super) fn later(&self, log2_rows: u8) -> Option<Cow<'static, [Level]>> {
        self.later.get(usize::from(log2_rows.checked_sub(LEAST_ROWS)?)).map(|levels| Cow::Borrowed(*levels))
    }

    /// Whether the suite's bits hold for 2^`log2_columns` columns of codes that have so many points together.
    pub(super) fn takes(&self, log2_columns: u8, points: u64) -> bool {
        let product = u64::from(log2_columns) * points;
        self.log2_columns_times_points.is_none_or(|bits| product <= 1 << bits)
    }
}

/// The table of the suite that has this profile; `None` where several commitments have no proof together.
pub(super) fn table(profile: u8) -> Option<&'static Table> {
    match profile {
        1 => Some(&BITS100),
        3 => Some(&BITS128),
        _ => None,
    }
}

#[rustfmt::skip]
static BITS100: Table = Table {
    queries: &[
        [0, 106, 106, 105, 104], // 6
        [0, 126, 115, 109, 106], // 7
        [189, 139, 119, 111, 107], // 8
        [216, 145, 122, 112, 108], // 9
        [232, 149, 123, 113, 108], // 10
        [240, 151, 124, 113, 108], // 11
        [244, 151, 124, 113, 108], // 12
        [246, 152, 124, 113, 108], // 13
        [248, 152, 125, 113, 108], // 14
        [248, 152, 125, 113, 108], // 15
        [248, 152, 125, 113, 108], // 16
        [249, 152, 125, 113, 108], // 17
        [249, 152, 125, 113, 108], // 18
        [249, 152, 125, 113, 108], // 19
        [249, 152, 125, 113, 108], // 20
        [249, 152, 125, 113, 108], // 21
        [249, 152, 125, 113, 108], // 22
        [249, 152, 125, 113, 108], // 23
        [249, 152, 125, 113, 108], // 24
    ],
    later: &[
        &[], // 6
        &[], // 7
        &[], // 8
        &[], // 9
        &[], // 10
        &[level(9, 2, 2, 145, 0)], // 11
        &[level(9, 3, 3, 122, 0)], // 12
        &[level(10, 3, 3, 123, 0)], // 13
        &[level(10, 4, 3, 123, 0)], // 14
        &[level(12, 3, 3, 124, 0), level(9, 3, 3, 122, 0)], // 15
        &[level(12, 4, 3, 124, 0), level(9, 3, 3, 122, 0)], // 16
        &[level(13, 4, 3, 124, 0), level(10, 3, 3, 123, 0)], // 17
        &[level(14, 4, 3, 125, 0), level(10, 4, 4, 113, 0)], // 18
        &[level(15, 4, 3, 125, 0), level(12, 3, 3, 124, 0), level(9, 3, 3, 122, 0)], // 19
        &[level(16, 4, 3, 125, 0), level(12, 4, 4, 113, 0), level(9, 3, 3, 122, 0)], // 20
        &[level(17, 4, 3, 125, 0), level(13, 4, 4, 113, 0), level(10, 3, 3, 123, 0)], // 21
        &[level(18, 4, 3, 125, 0), level(14, 4, 4, 113, 0), level(10, 4, 4, 113, 0)], // 22
        &[level(19, 4, 3, 125, 0), level(15, 4, 4, 113, 0), level(12, 3, 3, 124, 0), level(9, 3, 3, 122, 0)], // 23
    ],
    log2_columns_times_points: Some(26),
};

#[rustfmt::skip]
static BITS128: Table = Table {
    queries: &[
        [0, 123, 129, 131, 131], // 6
        [0, 153, 143, 137, 134], // 7
        [225, 172, 150, 141, 136], // 8
        [265, 182, 154, 142, 137], // 9
        [289, 188, 156, 143, 137], // 10
        [302, 191, 157, 144, 137], // 11
        [309, 192, 158, 144, 137], // 12
        [313, 193, 158, 144, 138], // 13
        [314, 193, 158, 144, 138], // 14
        [315, 194, 158, 144, 138], // 15
        [316, 194, 158, 144, 138], // 16
        [316, 194, 158, 144, 138], // 17
        [316, 194, 158, 144, 138], // 18
        [316, 194, 158, 144, 138], // 19
        [316, 194, 158, 144, 138], // 20
        [316, 194, 158, 144, 138], // 21
        [316, 194, 158, 144, 138], // 22
        [316, 194, 158, 144, 138], // 23
        [316, 194, 158, 144, 138], // 24
    ],
    later: &[
        &[], // 6
        &[], // 7
        &[], // 8
        &[], // 9
        &[], // 10
        &[level(9, 2, 2, 182, 0)], // 11
        &[level(9, 3, 3, 154, 0)], // 12
        &[level(10, 3, 3, 156, 0)], // 13
        &[level(11, 3, 3, 157, 0), level(9, 2, 2, 182, 0)], // 14
        &[level(12, 3, 3, 158, 0), level(9, 3, 3, 154, 0)], // 15
        &[level(13, 3, 3, 158, 0), level(10, 3, 3, 156, 0)], // 16
        &[level(13, 4, 3, 158, 0), level(10, 3, 3, 156, 0)], // 17
        &[level(15, 3, 3, 158, 0), level(12, 3, 4, 144, 0), level(9, 3, 3, 154, 0)], // 18
        &[level(16, 3, 3, 158, 0), level(13, 3, 4, 144, 0), level(10, 3, 3, 156, 0)], // 19
        &[level(16, 4, 3, 158, 0), level(13, 3, 4, 144, 0), level(10, 3, 3, 156, 0)], // 20
        &[level(17, 4, 3, 158, 0), level(13, 4, 4, 144, 0), level(10, 3, 3, 156, 0)], // 21
        &[level(18, 4, 3, 158, 0), level(15, 3, 4, 144, 0), level(12, 3, 4, 144, 0), level(9, 3, 3, 154, 0)], // 22
        &[level(19, 4, 3, 158, 0), level(16, 3, 4, 144, 0), level(13, 3, 4, 144, 0), level(10, 3, 3, 156, 0)], // 23
        &[level(20, 4, 3, 158, 0), level(16, 4, 4, 144, 0), level(13, 3, 4, 144, 0), level(10, 3, 3, 156, 0)], // 24
        &[level(21, 4, 3, 158, 0), level(17, 4, 4, 144, 0), level(13, 4, 4, 144, 0), level(10, 3, 3, 156, 0)], // 25
    ],
    log2_columns_times_points: None,
};
