//! The vectors that every copy of the program carries: of XMSS the primitives and everything of the two 2^8 profiles, of
//! Ed25519 all but the two longest files, of Rescue all but those of the functions beside Rp64_256, of Ligerito the short
//! proofs and the parts.

use super::files::{Found, built_in};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Embeds files of a folder of `vectors`.
macro_rules! embed {
    ($folder:literal: $($name:literal),* $(,)?) => {
        BTreeMap::from([$((
            $name,
            &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/", $folder, "/", $name))[..],
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

static LIGERITO_OWN: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "ligerito-own":
        "basics.json",
        "p1_10.bin",
        "p1_12.bin",
        "p2_10.bin",
        "p2_12.bin",
        "params.json",
        "proofs.json",
        "toy00_1.bin",
        "toy00_3.bin",
        "toy01_1.bin",
        "toy01_2.bin",
        "toy02_1.bin",
        "toy02_3.bin",
        "toy03_1.bin",
        "toy03_2.bin",
        "toy04_1.bin",
        "toy04_3.bin",
        "toy05_1.bin",
        "toy05_2.bin",
        "toy06_1.bin",
        "toy06_3.bin",
        "toy07_1.bin",
        "toy07_2.bin",
    ]
});

static LIGERITO_128: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "ligerito-128":
        "basics.json",
        "p3_10.bin",
        "p3_12.bin",
        "p3_13.bin",
        "params.json",
        "proofs.json",
        "toy00_1.bin",
        "toy00_3.bin",
        "toy01_1.bin",
        "toy01_2.bin",
        "toy02_1.bin",
        "toy02_3.bin",
        "toy03_1.bin",
        "toy03_2.bin",
        "toy04_1.bin",
        "toy04_3.bin",
        "toy05_1.bin",
        "toy05_2.bin",
        "toy06_1.bin",
        "toy06_3.bin",
        "toy07_1.bin",
        "toy07_2.bin",
        "toy08_1.bin",
        "toy08_2.bin",
    ]
});

static LIGERITO: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    embed![
        "ligerito":
        "eval_proofs.json",
        "evalproof12_0.bin",
        "evalproof12_1.bin",
        "fields.json",
        "merkle.json",
        "transcript.json",
    ]
});

/// All of them.
pub(super) fn all() -> Vec<Found> {
    [
        ("", &FILES),
        ("ed25519", &ED25519),
        ("rescue", &RESCUE),
        ("ligerito-own", &LIGERITO_OWN),
        ("ligerito-128", &LIGERITO_128),
        ("ligerito", &LIGERITO),
    ]
    .into_iter()
    .flat_map(|(folder, files)| files.keys().map(move |name| built_in(name, folder, files)))
    .map(|file| Found::Run(file.expect("built-in files have known names")))
    .collect()
}
