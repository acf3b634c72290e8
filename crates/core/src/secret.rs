//! Secrets of 32 bytes.
#![forbid(unsafe_code)]

#[cfg(not(all(feature = "locked", unix)))]
use self::boxed::Place;
#[cfg(all(feature = "locked", unix))]
use crate::locked::Place;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// 32 secret bytes that stay in one place, so that moving them leaves no copy behind, and that are wiped on drop. With the
/// feature `locked` that place is in memory that is neither swapped out nor dumped, as far as the system allows.
pub struct Secret32(Place);

impl Secret32 {
    /// Bytes that are filled where they stay.
    pub fn filled_by(fill: impl FnOnce(&mut [u8; 32])) -> Self {
        let mut place = Place::take();
        fill(place.bytes_mut());
        Self(place)
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }
}

impl ZeroizeOnDrop for Secret32 {}

/// Overwrites 8 KiB of the stack below the caller: what the functions that it called have left there, because it did not fit
/// into the registers.
#[inline(never)]
pub fn wipe_stack() {
    [0u64; 1024].zeroize();
}

/// Places on the heap.
#[cfg(not(all(feature = "locked", unix)))]
mod boxed {
    use alloc::boxed::Box;
    use zeroize::Zeroize;

    pub(super) struct Place(Box<[u8; 32]>);

    impl Place {
        pub(super) fn take() -> Self {
            Self(Box::new([0; 32]))
        }

        pub(super) fn bytes(&self) -> &[u8; 32] {
            &self.0
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8; 32] {
            &mut self.0
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            self.0.zeroize();
        }
    }
}
