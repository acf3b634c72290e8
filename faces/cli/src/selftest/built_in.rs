//! The vectors that every copy of the program carries: the primitives, and everything of the two 2^8 profiles.

use super::files::{Found, built_in};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Embeds files of `vectors/xmss`.
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        BTreeMap::from([$((
            $name,
            &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/xmss/", $name))[..],
        )),*])
    };
}

static FILES: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "p1-abort-l8-d4b8-test.e2e.json",
        "p1-abort-l8-d4b8-test.intermediate.json",
        "p1-abort-l8-d4b8-test.k0.pk.ssz",
        "p1-abort-l8-d4b8-test.k0.sk.bincode1",
        "p1-abort-l8-d4b8-test.k0.sk.bincode2std",
        "p1-abort-l8-d4b8-test.k0.sk.ssz",
        "p1-abort-l8-d4b8-test.k1-sparse.pk.ssz",
        "p1-abort-l8-d4b8-test.k1-sparse.sk.bincode1",
        "p1-abort-l8-d4b8-test.k1-sparse.sk.bincode2std",
        "p1-abort-l8-d4b8-test.k1-sparse.sk.ssz",
        "p2-top-l8-d64b8.e2e.json",
        "p2-top-l8-d64b8.intermediate.json",
        "p2-top-l8-d64b8.k0.pk.ssz",
        "p2-top-l8-d64b8.k0.sk.bincode1",
        "p2-top-l8-d64b8.k0.sk.bincode2std",
        "p2-top-l8-d64b8.k0.sk.ssz",
        "p2-top-l8-d64b8.k2-sparse.pk.ssz",
        "p2-top-l8-d64b8.k2-sparse.sk.bincode1",
        "p2-top-l8-d64b8.k2-sparse.sk.bincode2std",
        "p2-top-l8-d64b8.k2-sparse.sk.ssz",
        "poseidon1.primitives.json",
        "poseidon2.primitives.json",
    ]
});

/// All of them.
pub(super) fn all() -> Vec<Found> {
    FILES
        .keys()
        .map(|name| Found::Run(built_in(name, &FILES).expect("built-in files have known names")))
        .collect()
}
