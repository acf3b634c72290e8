//! The strings of the suites.
#![forbid(unsafe_code)]

use crate::transcript::Names;

/// Aggregates with 100 provable bits.
pub(crate) static PROVABLE100: Names = Names {
    magic: b"PXA1",
    suite: "phalanx-aggregate-v1-provable100",
    transcript: "phalanx-aggregate-v1-provable100 transcript",
    opening: "phalanx-aggregate-v1",
};

/// Aggregates with 128 provable bits.
pub(crate) static PROVABLE128: Names = Names {
    magic: b"PXA1",
    suite: "phalanx-aggregate-v1-provable128",
    transcript: "phalanx-aggregate-v1-provable128 transcript",
    opening: "phalanx-aggregate-v1",
};

/// Compressions with 100 provable bits.
pub(crate) static COMPRESSIONS100: Names = Names {
    magic: b"PXC1",
    suite: "phalanx-compressions-v1-provable100",
    transcript: "phalanx-compressions-v1-provable100 transcript",
    opening: "phalanx-compressions-v1",
};

/// Compressions with 128 provable bits.
pub(crate) static COMPRESSIONS128: Names = Names {
    magic: b"PXC1",
    suite: "phalanx-compressions-v1-provable128",
    transcript: "phalanx-compressions-v1-provable128 transcript",
    opening: "phalanx-compressions-v1",
};

/// Compressions of SHA-256 with 100 provable bits.
pub(crate) static SHA256_COMPRESSIONS100: Names = Names {
    magic: b"PXS1",
    suite: "phalanx-sha256-compressions-v1-provable100",
    transcript: "phalanx-sha256-compressions-v1-provable100 transcript",
    opening: "phalanx-sha256-compressions-v1",
};

/// Compressions of SHA-256 with 128 provable bits.
pub(crate) static SHA256_COMPRESSIONS128: Names = Names {
    magic: b"PXS1",
    suite: "phalanx-sha256-compressions-v1-provable128",
    transcript: "phalanx-sha256-compressions-v1-provable128 transcript",
    opening: "phalanx-sha256-compressions-v1",
};
