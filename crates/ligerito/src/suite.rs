//! The strings and keys of the suites `ligerito-v1-provable100`, `ligerito-v1-provable128` and `ligerito-v2-johnson128`,
//! and the hashes they make.
#![forbid(unsafe_code)]

use crate::hashes::blake3::{self, Digest, Mode};
use alloc::boxed::Box;
use core::sync::atomic::{AtomicUsize, Ordering};
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Job, Pool};

/// The suite of the registered shapes with 100 provable bits.
pub const SUITE: &str = "ligerito-v1-provable100";
/// The suite of all other shapes over GF(2^128).
#[cfg(any(test, feature = "hazmat"))]
pub(super) const TEST_SUITE: &str = "ligerito-v1-test-insecure";

/// The suite of weighted sums under the registered shapes with 100 provable bits.
pub const SUMS_SUITE: &str = "ligerito-v2-provable100";
/// The same under all other shapes over GF(2^128).
#[cfg(any(test, feature = "hazmat"))]
pub(super) const SUMS_TEST_SUITE: &str = "ligerito-v2-test-insecure";

/// How a suite hashes: BLAKE3 in key-derivation mode, a context for every use.
pub(super) struct Hashing {
    leaf: Mode,
    node: Mode,
    work: Mode,
    leaf_context: &'static str,
    work_context: &'static str,
    /// Of transcripts.
    pub(super) transcript_context: &'static str,
}

/// Of suite `ligerito-v1-provable100`, and of test shapes over GF(2^128).
pub(super) static PROVABLE100: Hashing = Hashing {
    leaf: Mode::derive_key([
        0x9992_6d57,
        0x3a24_61b8,
        0x802a_aeca,
        0xfd1a_7253,
        0x2d24_9955,
        0x94e8_e301,
        0x1943_6540,
        0xb63a_085e,
    ]),
    node: Mode::derive_key([
        0x6ca0_1a0c,
        0x2c5b_6558,
        0x0ad6_23b0,
        0x0d56_136c,
        0x3761_136f,
        0x01e9_ef18,
        0x3288_fbdf,
        0x7172_7de0,
    ]),
    work: Mode::derive_key([
        0xe0c2_2b13,
        0x77d3_1d99,
        0xb687_eccf,
        0xb60e_546f,
        0xccfa_7bc7,
        0xa099_e33e,
        0x10a3_421b,
        0x5047_a7e5,
    ]),
    leaf_context: "ligerito-v1-provable100 merkle leaf",
    work_context: "ligerito-v1-provable100 pow",
    transcript_context: "ligerito-v1-provable100 transcript",
};

/// Of suite `ligerito-v1-provable128`, and of test shapes over GF(2^192).
pub(super) static PROVABLE128: Hashing = Hashing {
    leaf: Mode::derive_key([
        0xb2a2_d76c,
        0xbd4e_9215,
        0xe839_4a1d,
        0xa49c_dada,
        0x0a38_d54a,
        0xcf79_fa4b,
        0x68be_2a04,
        0x46df_8dfb,
    ]),
    node: Mode::derive_key([
        0x3adf_914d,
        0xe477_0383,
        0x021a_4441,
        0x5173_addb,
        0x8645_e6c8,
        0x0064_6992,
        0x8fe4_2dbb,
        0x3045_3d55,
    ]),
    work: Mode::derive_key([
        0xdb8f_94d4,
        0x58af_bd64,
        0x99a8_e056,
        0xe3de_4852,
        0xb0a9_09eb,
        0xd4d7_dd79,
        0xaba8_3617,
        0x60e1_ce99,
    ]),
    leaf_context: "ligerito-v1-provable128 merkle leaf",
    work_context: "ligerito-v1-provable128 pow",
    transcript_context: "ligerito-v1-provable128 transcript",
};

/// Of suite `ligerito-v2-johnson128`, and of test shapes with samples.
pub(super) static JOHNSON128: Hashing = Hashing {
    leaf: Mode::derive_key([
        0xfe7e_eef5,
        0x6ec9_0c5a,
        0x4ec0_57c5,
        0x5439_5c19,
        0x3039_1129,
        0xa76c_6e38,
        0x1f12_3d28,
        0x0fee_a0df,
    ]),
    node: Mode::derive_key([
        0xaa77_eb54,
        0x20af_534e,
        0xdd9f_dd45,
        0x13ec_2b3c,
        0xd358_b748,
        0xd1d5_e6eb,
        0x9d40_fb9d,
        0x5c12_9f41,
    ]),
    work: Mode::derive_key([
        0xdcee_72eb,
        0xeab5_4858,
        0x5264_06c3,
        0x44c0_f846,
        0x4abe_9556,
        0x8744_5ab8,
        0xad55_a26d,
        0xdb7e_0229,
    ]),
    leaf_context: "ligerito-v2-johnson128 merkle leaf",
    work_context: "ligerito-v2-johnson128 pow",
    transcript_context: "ligerito-v2-johnson128 transcript",
};

/// What a commitment knows of its suite: how it hashes, the string that either opening begins with, and the profile byte.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub(super) hashing: &'static Hashing,
    /// Of openings at points.
    pub(super) points: &'static str,
    /// Of openings of weighted sums.
    pub(super) sums: &'static str,
    /// 0 for shapes that are registered nowhere.
    pub(super) profile: u8,
}

impl Hashing {
    /// How leaves are hashed, in lanes.
    pub(super) fn leaf_mode(&self) -> &Mode {
        &self.leaf
    }

    /// How nodes are hashed, in lanes.
    pub(super) fn node_mode(&self) -> &Mode {
        &self.node
    }

    /// The leaf of a row given as bytes.
    pub(super) fn leaf_of_bytes(&self, row: &[u8]) -> Digest {
        if row.len() <= blake3::MAX_LEN_BYTES {
            blake3::digest(&self.leaf, row)
        } else {
            ::blake3::derive_key(self.leaf_context, row)
        }
    }

    /// The parent of two nodes.
    #[cfg(feature = "hazmat")]
    pub(super) fn parent(&self, left: &Digest, right: &Digest) -> Digest {
        blake3::digest(&self.node, [*left, *right].as_flattened())
    }

    /// What a nonce hashes to.
    pub(super) fn work(&self, seed: &[u8; 32], nonce: u64) -> u64 {
        let mut hasher = ::blake3::Hasher::new_derive_key(self.work_context);
        let mut first = [0; 8];
        hasher.update(seed).update(&nonce.to_le_bytes()).finalize_xof().fill(&mut first);
        u64::from_le_bytes(first)
    }

    /// Whether the proof of work of `bits` bits is done by `nonce`.
    pub(super) fn work_is_done(&self, seed: &[u8; 32], nonce: u64, bits: u8) -> bool {
        self.work(seed, nonce) & ((1 << bits) - 1) == 0
    }

    /// The smallest nonce that does the work, `bits` of it.
    pub(super) fn grind(&self, pool: &dyn Pool, isa: Isa, seed: &[u8; 32], bits: u8) -> u64 {
        /// Some 4 microseconds of work.
        const NONCES_OF_A_JOB: usize = 1 << 10;
        const JOBS: usize = 16;
        let mask = (1 << bits) - 1;
        let mut first = 0_u64;
        loop {
            // The smallest nonce found so far, counted from `first`.
            let found = AtomicUsize::new(usize::MAX);
            let jobs = (0..JOBS).map(|job| {
                let (found, before) = (&found, job * NONCES_OF_A_JOB);
                Box::new(move || {
                    // Whoever is late would only look in vain.
                    if before < found.load(Ordering::Relaxed) {
                        let start = first + before as u64;
                        let nonces = start..start + NONCES_OF_A_JOB as u64;
                        if let Some(nonce) = blake3::smallest_nonce(isa, &self.work, seed, mask, nonces) {
                            let within = usize::try_from(nonce - start).expect("of this job");
                            found.fetch_min(before + within, Ordering::Relaxed);
                        }
                    }
                }) as Job<'_>
            });
            pool.run(jobs.collect());
            match found.into_inner() {
                usize::MAX => first += (JOBS * NONCES_OF_A_JOB) as u64,
                found => return first + found as u64,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx_core::threads::Inline;

    #[test]
    fn keys_are_those_of_the_contexts() {
        for (suite, hashing) in [
            (SUITE, &PROVABLE100),
            ("ligerito-v1-provable128", &PROVABLE128),
            ("ligerito-v2-johnson128", &JOHNSON128),
        ] {
            let modes = [("merkle leaf", hashing.leaf), ("merkle node", hashing.node), ("pow", hashing.work)];
            for (usage, mode) in modes {
                let context = std::format!("{suite} {usage}");
                let bytes = ::blake3::hazmat::hash_derive_key_context(&context);
                let words = bytes.as_chunks().0.iter().map(|x| u32::from_le_bytes(*x));
                let words: alloc::vec::Vec<u32> = words.collect();
                assert!(words == mode.chaining, "{context}: {words:x?}");
            }
            assert_eq!(hashing.leaf_context, std::format!("{suite} merkle leaf"));
            assert_eq!(hashing.work_context, std::format!("{suite} pow"));
            assert_eq!(hashing.transcript_context, std::format!("{suite} transcript"));
        }
    }

    /// On any pool it is the smallest: the published ones of `ligerito-own` are, and so are these.
    #[test]
    fn work_is_done_by_the_smallest_nonce() {
        #[cfg(feature = "parallel")]
        let pools: [&dyn Pool; 2] = [&Inline, &phalanx_core::Threads::new(3)];
        #[cfg(not(feature = "parallel"))]
        let pools: [&dyn Pool; 1] = [&Inline];
        for bits in [0, 1, 5, 9, 15] {
            let seed = [bits; 32];
            let wanted = (0..).find(|nonce| PROVABLE128.work_is_done(&seed, *nonce, bits));
            for pool in pools {
                let nonce = PROVABLE128.grind(pool, Isa::current(), &seed, bits);
                assert_eq!(Some(nonce), wanted, "{bits} bits");
            }
        }
    }
}
