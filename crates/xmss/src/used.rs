//! Which epochs have signed what: the record that keeps an epoch from signing two messages.
//!
//! With `std` the record is one for the whole process, so that loading a key twice does not give it two memories. It
//! ends with the process; keeping it on disk is the caller's task (see `docs/xmss.md`).
#![forbid(unsafe_code)]

use super::digest::Digest;
use super::error::Error;
use alloc::collections::BTreeMap;

/// Most epochs a record remembers before it forgets those that have passed: two bottom trees of the longest lifetime,
/// some megabytes.
const MAX_REMEMBERED: usize = 1 << 17;

/// Names a key: the root and the parameter of its public key.
#[cfg(feature = "std")]
type KeyId = [u32; 16];

/// What one key has signed.
#[derive(Default)]
struct Record {
    /// Epochs below this are forgotten: what they signed is no longer kept, so they no longer sign.
    floor: u64,
    /// The message of every used epoch from `floor` on.
    signed: BTreeMap<u32, [u8; 32]>,
}

impl Record {
    /// Notes that `epoch` signs `message`, unless it must not. The same message again is fine: signing is a
    /// deterministic function, so nothing new is revealed.
    fn reserve(&mut self, epoch: u32, message: &[u8; 32]) -> Result<(), Error> {
        if u64::from(epoch) < self.floor {
            return Err(Error::Passed { epoch: u64::from(epoch), prepared: self.floor });
        }
        if self.signed.entry(epoch).or_insert(*message) == message {
            Ok(())
        } else {
            Err(Error::EpochUsed { epoch: u64::from(epoch) })
        }
    }

    /// Notes that the key has moved on to `floor`. Once the record has grown beyond `limit` epochs, it forgets those
    /// before `floor` and lets nothing sign there again.
    fn pass(&mut self, floor: u64, limit: usize) {
        if self.signed.len() > limit && floor > self.floor {
            self.floor = floor;
            self.signed.retain(|&epoch, _| u64::from(epoch) >= floor);
        }
    }
}

/// A key's access to its record.
pub(crate) struct Used {
    #[cfg(feature = "std")]
    id: KeyId,
    #[cfg(not(feature = "std"))]
    record: Record,
}

#[cfg(feature = "std")]
static RECORDS: std::sync::Mutex<BTreeMap<KeyId, Record>> = std::sync::Mutex::new(BTreeMap::new());

impl Used {
    /// The record of the key with this root and parameter.
    #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "the record is the key object's own"))]
    pub(crate) fn of(root: &Digest, parameter: &Digest) -> Self {
        #[cfg(feature = "std")]
        {
            let word = |i: usize| if i < 8 { root.0[i] } else { parameter.0[i - 8] };
            Self { id: core::array::from_fn(word) }
        }
        #[cfg(not(feature = "std"))]
        Self { record: Record::default() }
    }

    /// See [`Record::reserve`].
    pub(crate) fn reserve(&mut self, epoch: u32, message: &[u8; 32]) -> Result<(), Error> {
        self.with(|record| record.reserve(epoch, message))
    }

    /// See [`Record::pass`].
    pub(crate) fn pass(&mut self, floor: u64) {
        self.with(|record| record.pass(floor, MAX_REMEMBERED));
    }

    #[cfg(feature = "std")]
    fn with<R>(&mut self, act: impl FnOnce(&mut Record) -> R) -> R {
        // A record is consistent after every statement above, so a panic elsewhere does not spoil it.
        let mut records = RECORDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(records.entry(self.id).or_default())
    }

    #[cfg(not(feature = "std"))]
    fn with<R>(&mut self, act: impl FnOnce(&mut Record) -> R) -> R {
        act(&mut self.record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_per_epoch_in_the_whole_process() {
        let id = Digest([0x5eed; 8]);
        let (mut a, mut b) = (Used::of(&id, &id), Used::of(&id, &id));
        assert_eq!(a.reserve(7, &[1; 32]), Ok(()));
        assert_eq!(a.reserve(7, &[1; 32]), Ok(()), "the same message again");
        let refused = Err(Error::EpochUsed { epoch: 7 });
        assert_eq!(a.reserve(7, &[2; 32]), refused);
        assert_eq!(b.reserve(7, &[2; 32]), if cfg!(feature = "std") { refused } else { Ok(()) });
    }

    #[test]
    fn forgotten_epochs_stay_closed() {
        let mut record = Record::default();
        assert_eq!(record.reserve(7, &[1; 32]), Ok(()));
        record.pass(16, 1);
        assert_eq!(record.reserve(7, &[2; 32]), Err(Error::EpochUsed { epoch: 7 }), "still remembered");
        record.pass(16, 0);
        record.pass(8, 0);
        assert!(record.signed.is_empty());
        assert_eq!(record.reserve(7, &[1; 32]), Err(Error::Passed { epoch: 7, prepared: 16 }));
        assert_eq!(record.reserve(16, &[1; 32]), Ok(()));
    }
}
