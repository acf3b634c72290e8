//! Which of the functions called BLAKE3, and what its digests are.

/// The initial values of BLAKE2s and BLAKE3.
pub(super) const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Which of the functions called BLAKE3.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    /// The chaining value of the first block.
    pub(crate) chaining: [u32; 8],
    /// The flags that all blocks have.
    pub(crate) flags: u32,
}

impl Mode {
    /// The hash function without a key, as the published crate uses it.
    #[cfg(any(test, feature = "ref-v08"))]
    pub(crate) const UNKEYED: Self = Self { chaining: IV, flags: 0 };

    /// Key derivation under a context string, whose digest (the *context key*) is given as words.
    pub(crate) const fn derive_key(context_key: [u32; 8]) -> Self {
        Self { chaining: context_key, flags: 64 }
    }
}

/// A digest, in the order of its bytes.
pub(crate) type Digest = [u8; 32];

/// Longest input, in bytes.
pub(crate) const MAX_LEN_BYTES: usize = 1024;
