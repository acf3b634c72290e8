//! Which process this is. A fork begins as a copy of its parent's memory, and whoever guards one-time keys there has to
//! notice that it is another.
#![forbid(unsafe_code)]

/// The mark of a process: equal in one process, and not in a fork of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessMark {
    id: u32,
    nonce: u64,
}

impl ProcessMark {
    /// The mark of the process that has this number and found this in its page.
    #[must_use]
    pub const fn new(id: u32, nonce: u64) -> Self {
        Self { id, nonce }
    }

    /// The mark of this process. Its number alone may come again, in another name space of processes; with the feature
    /// `locked`, what stands in a page that the system wipes in every fork does not (Linux from 4.14).
    #[must_use]
    pub fn here() -> Self {
        Self::new(id(), nonce())
    }

    /// Whether this is the process whose mark it is.
    #[must_use]
    pub fn is_here(&self) -> bool {
        *self == Self::here()
    }
}

fn id() -> u32 {
    // Where there is no fork, one number will do (and on bare WebAssembly there is no other).
    #[cfg(all(feature = "std", unix))]
    return std::process::id();
    #[cfg(not(all(feature = "std", unix)))]
    1
}

#[cfg(not(all(feature = "locked", target_os = "linux")))]
fn nonce() -> u64 {
    0
}

#[cfg(all(feature = "locked", target_os = "linux"))]
fn nonce() -> u64 {
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;
    use std::time::SystemTime;

    static PLACE: OnceLock<Option<&'static AtomicU64>> = OnceLock::new();
    let Some(place) = PLACE.get_or_init(crate::locked::wiped_on_fork) else { return 0 };
    let known = place.load(Relaxed);
    if known != 0 {
        return known;
    }
    // Here and in a fork the hasher begins alike, but what it has hashed once it does not hash again.
    let fresh = RandomState::new().hash_one((SystemTime::now(), id())) | 1;
    place.compare_exchange(0, fresh, Relaxed, Relaxed).map_or_else(|other| other, |_| fresh)
}
