//! The secret of a key.
#![forbid(unsafe_code)]

use phalanx_core::secret::Secret32;

/// The secret from which all chain starts and all signing randomness come. Wiped on drop; it stays in one place, so that
/// moving a key leaves no copy behind.
pub(crate) struct PrfKey(Secret32);

impl PrfKey {
    /// A key filled by `fill`.
    pub(crate) fn filled_by(fill: impl FnOnce(&mut [u8; 32])) -> Self {
        Self(Secret32::filled_by(fill))
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }

    /// A second copy, for work beside the live key.
    pub(crate) fn duplicate(&self) -> Self {
        Self::filled_by(|bytes| bytes.copy_from_slice(self.bytes()))
    }
}
