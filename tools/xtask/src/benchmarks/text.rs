//! What BENCHMARKS.md says besides numbers. A number belongs in a table, never here.

/// The machine whose rows the README shows.
pub(super) const README_MACHINE: &str = "epyc-zen5";

/// The head of BENCHMARKS.md.
pub(super) const HEAD: &str = "\
# Benchmarks

Made by `cargo xtask benchmarks` from the files in [docs/measurements](docs/measurements/README.md); do not edit it
by hand. `cargo xtask benchmarks --check`, a part of `cargo xtask test`, fails where the two differ.

Times are medians on one thread, in a plain build, where nothing else is said. Comparisons run both sides in one
process, their samples interleaved. phalanx chooses its kernels when it runs; of the peers some choose when they are
compiled, and every row says how its peer was built. A ratio is the peer's time divided by ours: above 1 phalanx is
faster, and **bold** ratios are losses.

To measure a machine of your own:

```sh
cargo run --release -p phalanx-cli -- bench ed25519 --json FILE    # or xmss, rescue, ligerito; --quick for a first look
cargo run --release -p compare -- ed25519 --json FILE
cargo xtask compare --builds plain,haswell,native                  # peers built in three ways
```

Instructions do not depend on what else a machine does: `cargo xtask counts` makes the tables in
[docs/counts](docs/counts/README.md).
";

/// The systems in the order of BENCHMARKS.md: name, title, and what a reader of their tables has to know.
pub(super) const SYSTEMS: [(&str, &str, &str); 5] = [
    (
        "ed25519",
        "Ed25519",
        "`sign 64`, `verify 64` and the like are calls with so many signatures, each with a key of its own, under
`strict`; `batch` is one answer for all under `zip215`. Messages have 32 bytes where nothing else is said. Beside the
peers the work and the rule are the same; in `verify-many` and `sign-many` ours are computed together and theirs in a
loop. `verify-decoded` starts from a key that was decoded before.",
    ),
    (
        "xmss",
        "XMSS",
        "Key generation is per epoch of a bottom tree. The comparison is of the hashes, where nearly all the time goes.
Rows whose peer is phalanx itself have an operation of XMSS over BLAKE2s beside as many compressions of ours as it is
made of: at a ratio of 1 it does nothing else.",
    ),
    (
        "rescue",
        "Rescue",
        "Columns `of 1024` are calls with so many inputs. In the comparison `many` is one call with 64 inputs for us, and a
loop for the peer. Scalar code is close to the peers': it is the lanes that gain.",
    ),
    (
        "ligerito",
        "Ligerito",
        "Threads and memory are kept from one proof to the next; 2^28 coefficients are measured in
[docs/ligerito.md](docs/ligerito.md), section 10. The comparison counts processor time. Both peers choose their
instructions when compiled: each row says how they were built, and in a plain build they are several times slower
than natively, as the published crate's README asks to build it. That crate's proof carries no claim, ours opens a point; `ref-v08` is the crate's own proof, made
and verified by us.",
    ),
    (
        "aggregate",
        "Aggregates",
        "One core, one thread; processor time, the least of several runs, while other programs had the machine too. Slices are
computed in the stages that say them and kept for the opening, so the budget's line of both stands beside the opening
alone. **Bold** is above the budget. An aggregate saves bytes, not verifier time.",
    ),
];
