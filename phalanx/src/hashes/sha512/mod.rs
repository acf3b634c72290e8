//! SHA-512 (FIPS 180-4): one message at a time through RustCrypto's `sha2`.

use sha2::{Digest, Sha512};

/// The digest of the concatenation of `parts`. The state is wiped.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 64] {
    let mut state = Sha512::new();
    for part in parts {
        state.update(part);
    }
    state.finalize().into()
}
