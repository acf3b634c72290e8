//! The vectors that every copy of the program carries: of XMSS the primitives and everything of the two 2^8 profiles, of
//! Ed25519 all but the two longest files, of Rescue all but those of the functions beside Rp64_256.

use super::files::{Found, built_in};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Embeds files of a folder of `vectors`.
macro_rules! embed {
    ($folder:literal: $($name:literal),* $(,)?) => {
        BTreeMap::from([$((
            $name,
            &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/", $folder, "/", $name))[..],
        )),*])
    };
}

static FILES: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "xmss":
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

static ED25519: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "ed25519":
        "keys.json",
        "rfc8032.json",
        "sign_input.json",
        "sign_noise.json",
        "speccheck.json",
        "wycheproof.json",
    ]
});

static RESCUE: LazyLock<BTreeMap<&str, &[u8]>> =
    LazyLock::new(|| embed!["rescue": "constants.json", "field.json", "rp64_256.json"]);

/// All of them.
pub(super) fn all() -> Vec<Found> {
    [("", &FILES), ("ed25519", &ED25519), ("rescue", &RESCUE)]
        .into_iter()
        .flat_map(|(folder, files)| files.keys().map(move |name| built_in(name, folder, files)))
        .map(|file| Found::Run(file.expect("built-in files have known names")))
        .collect()
}
