//! Signing keys: making them, moving them on, signing.

use super::{format_of, number_of, parameter_set};
use crate::ffi::{self, Team, entry};
use crate::status::{
    PHALANX_ERROR_INTERNAL, PHALANX_ERROR_NULL_POINTER, PHALANX_ERROR_RANDOMNESS, PHALANX_ERROR_STOPPED,
    PHALANX_ERROR_XMSS_EXHAUSTED, PHALANX_ERROR_XMSS_INTERVAL, PHALANX_ERROR_XMSS_NOT_PREPARED, Status,
};
use core::ffi::c_void;
use core::ops::{ControlFlow, Range};
use phalanx::xmss::any::{KeyGeneration, NextTree, SigningKey};
use phalanx::xmss::{Error, Progress};
use std::sync::{Mutex, MutexGuard};
use zeroize::Zeroizing;

/// A signing key, and a lock: calls from several threads take turns.
pub struct XmssSigningKey(Mutex<SigningKey>);

/// A bottom tree on its way to a key.
pub struct XmssNextTree(Mutex<NextTree>);

/// Is told how many leaves are done, of how many; answers 0 to go on and anything else to stop. Calls come from any of the
/// threads that compute, never two at the same time. It must return: no exception, no longjmp.
pub type XmssProgress =
    Option<extern "C" fn(context: *mut c_void, leaves_done: u64, leaves_total: u64) -> i32>;

/// The callback with its context, as the library calls it.
struct Watcher(Mutex<(XmssProgress, *mut c_void)>);

// SAFETY: the context goes to no one but the callback, which the header says may be called from any of the threads; the
// lock keeps two calls apart.
unsafe impl Sync for Watcher {}

impl Watcher {
    fn new(progress: XmssProgress, context: *mut c_void) -> Self {
        Self(Mutex::new((progress, context)))
    }

    fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let Ok(callback) = self.0.lock() else { return ControlFlow::Break(()) };
        match *callback {
            (Some(call), context) if call(context, progress.leaves_done, progress.leaves_total) != 0 => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl XmssSigningKey {
    pub(crate) fn new(key: SigningKey) -> Self {
        Self(Mutex::new(key))
    }

    /// The key, taken over for a ledger. After a fault during an earlier call it is refused.
    #[cfg(has_custody)]
    pub(crate) fn into_kept(self) -> Result<SigningKey, Status> {
        self.0.into_inner().map_err(|_| PHALANX_ERROR_INTERNAL)
    }

    /// The key. After a fault during an earlier call it is refused: it may be half moved on.
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, SigningKey>, Status> {
        self.0.lock().map_err(|_| PHALANX_ERROR_INTERNAL)
    }
}

/// The epochs that two arguments mean.
fn interval(start_epoch: u64, active_epochs: u64) -> Result<Range<u64>, Status> {
    let end = start_epoch.checked_add(active_epochs).ok_or(PHALANX_ERROR_XMSS_INTERVAL)?;
    Ok(start_epoch..end)
}

/// All steps of a generation.
pub(crate) fn generate(
    mut generation: KeyGeneration,
    pool: &Team,
    progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<SigningKey, Status> {
    let stopped =
        |error: Error| if error == Error::Unfinished { PHALANX_ERROR_STOPPED } else { error.into() };
    while generation.step_on(pool, progress).map_err(stopped)?.is_some() {}
    Ok(generation.finish()?)
}

/// Makes a signing key of `set` from the system's randomness, for `active_epochs` epochs from `start_epoch` on, rounded
/// outwards to bottom trees (at least two): see `phalanx_xmss_signing_key_activation_interval`. Keys over BLAKE2s have
/// exactly these epochs.
///
/// `threads`: how many threads may work, the calling one included; 0 is one for each core, 1 starts none. `progress` may be null. The time
/// grows with the number of epochs.
///
/// Fails with `PHALANX_ERROR_XMSS_INTERVAL`, `PHALANX_ERROR_STOPPED`, `PHALANX_ERROR_RANDOMNESS`,
/// `PHALANX_ERROR_XMSS_VERIFICATION_ONLY`. End the key with `phalanx_xmss_signing_key_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_generate(
    key: *mut *mut XmssSigningKey,
    set: u32,
    start_epoch: u64,
    active_epochs: u64,
    threads: u32,
    progress: XmssProgress,
    progress_context: *mut c_void,
) -> Status {
    entry!({
        ffi::give(key, || {
            let mut seed = Zeroizing::new([0; 32]);
            getrandom::fill(&mut *seed).map_err(|_| PHALANX_ERROR_RANDOMNESS)?;
            let watcher = Watcher::new(progress, progress_context);
            let range = interval(start_epoch, active_epochs)?;
            let generation = KeyGeneration::from_seed(parameter_set(set)?, &seed, range)?;
            let key = generate(generation, &ffi::threads(threads), &|done| watcher.tell(done))?;
            Ok(XmssSigningKey::new(key))
        })
    })
}

/// As `phalanx_xmss_signing_key_generate`, from a seed of 32 bytes: the key that leanSig makes from it, or over BLAKE2s the
/// one that other implementations make. Who has the seed has the key.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_from_seed(
    key: *mut *mut XmssSigningKey,
    set: u32,
    seed: *const u8,
    start_epoch: u64,
    active_epochs: u64,
    threads: u32,
    progress: XmssProgress,
    progress_context: *mut c_void,
) -> Status {
    entry!({
        ffi::give(key, || {
            let seed = ffi::array(seed)?;
            let watcher = Watcher::new(progress, progress_context);
            let range = interval(start_epoch, active_epochs)?;
            let generation = KeyGeneration::from_seed(parameter_set(set)?, seed, range)?;
            let key = generate(generation, &ffi::threads(threads), &|done| watcher.tell(done))?;
            Ok(XmssSigningKey::new(key))
        })
    })
}

/// Reads a signing key of `set` from bytes in `format`. Everything is checked that can be checked without computing the
/// leaves again. `PHALANX_ERROR_MALFORMED` if anything does not fit, `PHALANX_ERROR_XMSS_NO_ENCODING` if keys of the
/// set have no such format.
///
/// What the key has signed is not in the bytes. Within this process the library remembers it for every key; across
/// processes a ledger does (`phalanx_ledger_open`, `phalanx_guarded_key_new`).
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_from_bytes(
    key: *mut *mut XmssSigningKey,
    set: u32,
    format: u32,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({
        ffi::give(key, || {
            let bytes = ffi::slice(bytes, bytes_len)?;
            let key = SigningKey::from_bytes(parameter_set(set)?, format_of(format)?, bytes)?;
            Ok(XmssSigningKey::new(key))
        })
    })
}

/// Writes the key in `format`, secret part included: the caller wipes the buffer (`phalanx_wipe`). Up to 8.4 MB for the
/// sets of lifetime 2^32, in JSON some 23 MB; ask for the length with a null buffer of capacity 0.
/// `PHALANX_ERROR_XMSS_NO_ENCODING` if keys of its set have no such format: other software keeps keys over BLAKE2s as their
/// seed and their interval.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_to_bytes(
    key: *const XmssSigningKey,
    bytes: *mut u8,
    bytes_capacity: usize,
    bytes_len: *mut usize,
    format: u32,
) -> Status {
    entry!({
        let encoded = ffi::value(key)?.lock()?.to_bytes(format_of(format)?)?;
        ffi::write_bytes(bytes, bytes_capacity, bytes_len, &encoded)
    })
}

/// Ends a signing key and wipes its secret. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_signing_key_free(key: *mut XmssSigningKey) {
    ffi::free(key);
}

/// Writes the number of the key's parameter set.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_parameter_set(
    key: *const XmssSigningKey,
    set: *mut u32,
) -> Status {
    entry!({ ffi::write(set, number_of(ffi::value(key)?.lock()?.parameter_set())?) })
}

/// Writes the epochs that the key can ever sign: the first, and the first after them.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_activation_interval(
    key: *const XmssSigningKey,
    start_epoch: *mut u64,
    end_epoch: *mut u64,
) -> Status {
    entry!({
        let range = ffi::value(key)?.lock()?.activation_interval();
        ffi::write(start_epoch, range.start)?;
        ffi::write(end_epoch, range.end)
    })
}

/// Writes the epochs that the key can sign now, without computing a bottom tree: the first, and the first after them.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_prepared_interval(
    key: *const XmssSigningKey,
    start_epoch: *mut u64,
    end_epoch: *mut u64,
) -> Status {
    entry!({
        let range = ffi::value(key)?.lock()?.prepared_interval();
        ffi::write(start_epoch, range.start)?;
        ffi::write(end_epoch, range.end)
    })
}

/// Moves the prepared interval on by one bottom tree, which is computed now on `threads` threads.
/// `PHALANX_ERROR_XMSS_EXHAUSTED` at the end of the activation interval, where there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_advance(key: *mut XmssSigningKey, threads: u32) -> Status {
    entry!({
        let mut key = ffi::value(key.cast_const())?.lock()?;
        let mut next = key.next_tree().ok_or(PHALANX_ERROR_XMSS_EXHAUSTED)?;
        next.compute_on(&ffi::threads(threads), &|_| ControlFlow::Continue(()))?;
        Ok(key.advance_with(next)?)
    })
}

/// Begins the bottom tree by which the prepared interval moves on, to be computed beside the key that goes on signing: on
/// another thread, say. It holds a copy of the key's secret. `PHALANX_ERROR_XMSS_EXHAUSTED` at the end of the activation
/// interval. Then `phalanx_xmss_next_tree_compute`, and `phalanx_xmss_signing_key_advance_with`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_next_tree(
    key: *const XmssSigningKey,
    tree: *mut *mut XmssNextTree,
) -> Status {
    entry!({
        ffi::give(tree, || {
            let next = ffi::value(key)?.lock()?.next_tree().ok_or(PHALANX_ERROR_XMSS_EXHAUSTED)?;
            Ok(XmssNextTree(Mutex::new(next)))
        })
    })
}

/// Computes the tree on `threads` threads. `PHALANX_ERROR_STOPPED` if `progress`, which may be null, says so; it can be
/// computed again then.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_next_tree_compute(
    tree: *mut XmssNextTree,
    threads: u32,
    progress: XmssProgress,
    progress_context: *mut c_void,
) -> Status {
    entry!({
        let tree = ffi::value(tree.cast_const())?;
        let watcher = Watcher::new(progress, progress_context);
        let mut tree = tree.0.lock().map_err(|_| PHALANX_ERROR_INTERNAL)?;
        tree.compute_on(&ffi::threads(threads), &|done| watcher.tell(done)).map_err(|error| match error {
            Error::Unfinished => PHALANX_ERROR_STOPPED,
            error => error.into(),
        })
    })
}

/// Ends a tree that was not given to a key. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_next_tree_free(tree: *mut XmssNextTree) {
    ffi::free(tree);
}

/// Moves the prepared interval on by a tree that was computed before. The tree is ended, also if this fails:
/// `PHALANX_ERROR_XMSS_UNFINISHED` if it was not computed, `PHALANX_ERROR_XMSS_WRONG_TREE` if it belongs to another key or
/// the key has moved on since.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_advance_with(
    key: *mut XmssSigningKey,
    tree: *mut XmssNextTree,
) -> Status {
    entry!({
        let tree = ffi::take(tree).ok_or(PHALANX_ERROR_NULL_POINTER)?;
        let tree = tree.0.into_inner().map_err(|_| PHALANX_ERROR_INTERNAL)?;
        Ok(ffi::value(key.cast_const())?.lock()?.advance_with(tree)?)
    })
}

/// Writes the key that verifies what this one signs, in `format`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_verifying_key(
    key: *const XmssSigningKey,
    verifying_key: *mut u8,
    verifying_key_capacity: usize,
    verifying_key_len: *mut usize,
    format: u32,
) -> Status {
    entry!({
        let encoded = ffi::value(key)?.lock()?.verifying_key().to_bytes(format_of(format)?)?;
        ffi::write_bytes(verifying_key, verifying_key_capacity, verifying_key_len, &encoded)
    })
}

/// For keys that must not sign an epoch twice across restarts: `phalanx_guarded_key_sign`. This function forgets: its
/// record of used epochs ends with the process. It signs a message of 32 bytes at `epoch` and writes the signature in
/// `format`.
///
/// An epoch signs one message in the life
/// of the process (`PHALANX_ERROR_XMSS_EPOCH_USED`); the same message again gives the same signature. Of several keys from
/// one seed one signs (`PHALANX_ERROR_XMSS_OTHER_INSTANCE`); in a fork of the process that loaded the key, none
/// (`PHALANX_ERROR_XMSS_FORKED`). If the epoch lies beyond the prepared interval the key moves on first, which computes one or two
/// bottom trees on this thread. Epochs outside what the key can still sign: `PHALANX_ERROR_XMSS_NOT_ACTIVE`,
/// `PHALANX_ERROR_XMSS_EXHAUSTED`, `PHALANX_ERROR_XMSS_PASSED`.
///
/// With `PHALANX_ERROR_BUFFER_TOO_SMALL` the epoch counts as used; call again with more room for the same signature.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_sign(
    key: *mut XmssSigningKey,
    signature: *mut u8,
    signature_capacity: usize,
    signature_len: *mut usize,
    format: u32,
    epoch: u32,
    message: *const u8,
) -> Status {
    entry!({
        let (format, message) = (format_of(format)?, ffi::array(message)?);
        let encoded = ffi::value(key.cast_const())?.lock()?.sign_to_bytes(format, epoch, message)?;
        ffi::write_bytes(signature, signature_capacity, signature_len, &encoded)
    })
}

/// As `phalanx_xmss_sign`, with a key that does not move on: `PHALANX_ERROR_XMSS_NOT_PREPARED` if the epoch lies after the
/// prepared interval, in a time that does not depend on how far.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_sign_prepared(
    key: *mut XmssSigningKey,
    signature: *mut u8,
    signature_capacity: usize,
    signature_len: *mut usize,
    format: u32,
    epoch: u32,
    message: *const u8,
) -> Status {
    entry!({
        let (format, message) = (format_of(format)?, ffi::array(message)?);
        let mut key = ffi::value(key.cast_const())?.lock()?;
        let (prepared, active) = (key.prepared_interval(), key.activation_interval());
        if (prepared.end..active.end).contains(&u64::from(epoch)) {
            return Err(PHALANX_ERROR_XMSS_NOT_PREPARED);
        }
        let encoded = key.sign_to_bytes(format, epoch, message)?;
        ffi::write_bytes(signature, signature_capacity, signature_len, &encoded)
    })
}
