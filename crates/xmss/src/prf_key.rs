//! The secret of a key.
#![forbid(unsafe_code)]

use alloc::boxed::Box;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The secret from which all chain starts and all signing randomness come. Wiped on drop; it stays in one place on the
/// heap, so that moving a key leaves no copy behind.
pub(crate) struct PrfKey(Box<[u8; 32]>);

impl PrfKey {
    /// A key filled by `fill`.
    pub(crate) fn filled_by(fill: impl FnOnce(&mut [u8; 32])) -> Self {
        let mut bytes = Box::new([0; 32]);
        fill(&mut bytes);
        Self(bytes)
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A second copy, for work beside the live key.
    pub(crate) fn duplicate(&self) -> Self {
        Self::filled_by(|bytes| bytes.copy_from_slice(&self.0[..]))
    }
}

impl Drop for PrfKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for PrfKey {}
