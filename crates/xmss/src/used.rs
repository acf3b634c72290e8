//! Which epochs have signed what: the record that keeps an epoch from signing two messages.
//!
//! With `std` the record is one for the whole process, so that loading a key twice does not give it two memories. It
//! belongs to the one-time keys and not to the public key: a second key from the same seed, in another parameter set or
//! for another interval, has the same one-time keys and is refused. It ends with the process; keeping it on disk is the
//! caller's task (see `docs/xmss.md`). A fork would double it, so in a forked child nothing signs.
#![forbid(unsafe_code)]

use super::digest::{Digest, Parameter};
use super::error::Error;
use super::identity::OneTimeKeyId;
use alloc::collections::BTreeMap;
use phalanx_core::process::ProcessMark;

/// Most epochs a record remembers before it forgets those that have passed: two bottom trees of the longest lifetime,
/// some megabytes.
const MAX_REMEMBERED: usize = 1 << 17;

/// One key among those that share their one-time keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instance {
    /// Name of its parameter set.
    pub(crate) scheme: &'static str,
    pub(crate) root: Digest,
    pub(crate) parameter: Parameter,
    /// First epoch of its activation interval.
    pub(crate) start: u64,
    /// First epoch after it.
    pub(crate) end: u64,
}

impl Instance {
    /// The error for a second instance.
    fn taken(&self) -> Error {
        let Self { scheme, start, end, .. } = *self;
        Error::OtherInstance { scheme, start, end }
    }
}

/// What one-time keys have signed.
struct Record {
    /// The process that began the record.
    process: ProcessMark,
    /// The key that has signed with them: no other may.
    instance: Option<Instance>,
    /// Epochs below this are forgotten: what they signed is no longer kept, so they no longer sign.
    floor: u64,
    /// The message of every used epoch from `floor` on.
    signed: BTreeMap<u32, [u8; 32]>,
}

impl Record {
    fn of_process(process: ProcessMark) -> Self {
        Self { process, instance: None, floor: 0, signed: BTreeMap::new() }
    }

    /// Notes that `epoch` signs `message` under `instance` in `process`, unless it must not. The same message again is
    /// fine: signing is a deterministic function, so nothing new is revealed.
    fn reserve(
        &mut self,
        process: ProcessMark,
        instance: &Instance,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<(), Error> {
        if self.process != process {
            return Err(Error::Forked);
        }
        if let Some(other) = self.instance.as_ref().filter(|other| *other != instance) {
            return Err(other.taken());
        }
        if u64::from(epoch) < self.floor {
            return Err(Error::Passed { epoch: u64::from(epoch), prepared: self.floor });
        }
        self.instance = Some(*instance);
        if self.signed.entry(epoch).or_insert(*message) == message {
            Ok(())
        } else {
            Err(Error::EpochUsed { epoch: u64::from(epoch) })
        }
    }

    /// Notes that `instance` has moved on to `floor`. Once the record has grown beyond `limit` epochs, it forgets those
    /// before `floor` and lets nothing sign there again. (Only who has signed can have filled it.)
    fn pass(&mut self, instance: &Instance, floor: u64, limit: usize) {
        if self.instance.as_ref() == Some(instance) && self.signed.len() > limit && floor > self.floor {
            self.floor = floor;
            self.signed.retain(|&epoch, _| u64::from(epoch) >= floor);
        }
    }
}

/// A key's access to its record.
pub(crate) struct Used {
    instance: Instance,
    /// The process in which the key object was made.
    process: ProcessMark,
    #[cfg(feature = "std")]
    id: OneTimeKeyId,
    #[cfg(not(feature = "std"))]
    record: Record,
}

impl Used {
    /// The record of the one-time keys called `id`, for the key `instance`.
    #[cfg_attr(not(feature = "std"), allow(unused_variables, reason = "the record is the key object's own"))]
    pub(crate) fn of(id: OneTimeKeyId, instance: Instance) -> Self {
        let process = ProcessMark::here();
        #[cfg(feature = "std")]
        {
            let mut used = Self { instance, process, id };
            // From now on a fork of this process finds that the record is not its own, also for keys it loads itself.
            // (In a fork where even that fails, nothing will sign.)
            let _ = used.with(|_| ());
            used
        }
        #[cfg(not(feature = "std"))]
        Self { instance, process, record: Record::of_process(process) }
    }

    /// See [`Record::reserve`].
    pub(crate) fn reserve(&mut self, epoch: u32, message: &[u8; 32]) -> Result<(), Error> {
        let (process, instance) = (ProcessMark::here(), self.instance);
        if self.process != process {
            return Err(Error::Forked);
        }
        self.with(|record| record.reserve(process, &instance, epoch, message))?
    }

    /// See [`Record::pass`].
    pub(crate) fn pass(&mut self, floor: u64) {
        let instance = self.instance;
        // In a fork nothing signs, so that nothing needs to be forgotten.
        let _ = self.with(|record| record.pass(&instance, floor, MAX_REMEMBERED));
    }

    #[cfg(feature = "std")]
    fn with<R>(&mut self, act: impl FnOnce(&mut Record) -> R) -> Result<R, Error> {
        let mut records = shared::records()?;
        Ok(act(records.entry(self.id).or_insert_with(|| Record::of_process(ProcessMark::here()))))
    }

    #[cfg(not(feature = "std"))]
    fn with<R>(&mut self, act: impl FnOnce(&mut Record) -> R) -> Result<R, Error> {
        Ok(act(&mut self.record))
    }
}

/// The records of the process.
#[cfg(feature = "std")]
mod shared {
    use super::{BTreeMap, Error, OneTimeKeyId, ProcessMark, Record};
    use core::time::Duration;
    use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

    pub(super) type Records = BTreeMap<OneTimeKeyId, Record>;

    static RECORDS: Mutex<Records> = Mutex::new(BTreeMap::new());

    /// The process that locked the records first.
    static OWNER: OnceLock<ProcessMark> = OnceLock::new();

    /// How often a fork asks for the lock, a millisecond apart, before it gives up.
    const ATTEMPTS: u32 = 1000;

    /// The records, locked.
    ///
    /// # Errors
    /// [`Error::Forked`] in a fork that was made while another thread held the lock: nobody there will give it back.
    pub(super) fn records() -> Result<MutexGuard<'static, Records>, Error> {
        if OWNER.get_or_init(ProcessMark::here).is_here() {
            // A record is consistent after every statement above, so a panic elsewhere does not spoil it.
            return Ok(RECORDS.lock().unwrap_or_else(PoisonError::into_inner));
        }
        for _ in 0..ATTEMPTS {
            match RECORDS.try_lock() {
                Ok(records) => return Ok(records),
                Err(TryLockError::Poisoned(error)) => return Ok(error.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        Err(Error::Forked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(end: u64) -> Instance {
        let (root, parameter) = (Digest([0x5eed; 8]), Digest([3; 8]));
        Instance { scheme: "xmss-poseidon2-l8-d64b8", root, parameter, start: 0, end: 16 * end }
    }

    fn id(byte: u8) -> OneTimeKeyId {
        OneTimeKeyId::of(&crate::prf_key::PrfKey::filled_by(|bytes| bytes.fill(byte)))
    }

    #[test]
    fn one_message_per_epoch_in_the_whole_process() {
        let (mut a, mut b) = (Used::of(id(1), instance(2)), Used::of(id(1), instance(2)));
        assert_eq!(a.reserve(7, &[1; 32]), Ok(()));
        assert_eq!(a.reserve(7, &[1; 32]), Ok(()), "the same message again");
        let refused = Err(Error::EpochUsed { epoch: 7 });
        assert_eq!(a.reserve(7, &[2; 32]), refused);
        assert_eq!(b.reserve(7, &[2; 32]), if cfg!(feature = "std") { refused } else { Ok(()) });
    }

    #[test]
    fn who_signs_first_keeps_the_one_time_keys() {
        let (mut a, mut b) = (Used::of(id(2), instance(2)), Used::of(id(2), instance(3)));
        assert_eq!(b.reserve(7, &[1; 32]), Ok(()), "loading alone does not count");
        let refused = Err(Error::OtherInstance { scheme: "xmss-poseidon2-l8-d64b8", start: 0, end: 48 });
        let wanted = |refused| if cfg!(feature = "std") { refused } else { Ok(()) };
        // Not even the same message, nor an epoch that nobody has used.
        assert_eq!(a.reserve(7, &[1; 32]), wanted(refused));
        assert_eq!(a.reserve(8, &[1; 32]), wanted(refused));
        assert_eq!(b.reserve(8, &[1; 32]), Ok(()));
    }

    #[test]
    fn a_record_of_another_process_signs_nothing() {
        let [five, six] = [5, 6].map(|id| ProcessMark::new(id, 0));
        let mut record = Record::of_process(five);
        assert_eq!(record.reserve(six, &instance(2), 7, &[1; 32]), Err(Error::Forked));
        assert_eq!(record.reserve(five, &instance(2), 7, &[1; 32]), Ok(()));
        assert_eq!(record.reserve(six, &instance(2), 7, &[1; 32]), Err(Error::Forked), "not even again");
        let mut used = Used::of(id(3), instance(2));
        used.process = six;
        assert_eq!(used.reserve(7, &[1; 32]), Err(Error::Forked), "an object of another process");
    }

    #[test]
    fn forgotten_epochs_stay_closed() {
        let here = ProcessMark::here();
        let (mut record, me) = (Record::of_process(here), instance(2));
        assert_eq!(record.reserve(here, &me, 7, &[1; 32]), Ok(()));
        record.pass(&me, 16, 1);
        assert_eq!(
            record.reserve(here, &me, 7, &[2; 32]),
            Err(Error::EpochUsed { epoch: 7 }),
            "still remembered"
        );
        record.pass(&instance(3), 16, 0);
        assert_eq!(record.reserve(here, &me, 7, &[1; 32]), Ok(()), "another instance cannot make it forget");
        record.pass(&me, 16, 0);
        record.pass(&me, 8, 0);
        assert!(record.signed.is_empty());
        assert_eq!(record.reserve(here, &me, 7, &[1; 32]), Err(Error::Passed { epoch: 7, prepared: 16 }));
        assert_eq!(record.reserve(here, &me, 16, &[1; 32]), Ok(()));
    }
}
