//! The strings of the suites.
#![forbid(unsafe_code)]

use crate::transcript::Names;

/// Aggregates with 100 provable bits.
pub(crate) static PROVABLE100: Names = Names {
    suite: "phalanx-aggregate-v1-provable100",
    transcript: "phalanx-aggregate-v1-provable100 transcript",
    opening: "phalanx-aggregate-v1",
};

/// Aggregates with 128 provable bits.
pub(crate) static PROVABLE128: Names = Names {
    suite: "phalanx-aggregate-v1-provable128",
    transcript: "phalanx-aggregate-v1-provable128 transcript",
    opening: "phalanx-aggregate-v1",
};
