//! Keys that sign only what their ledger has reserved.

use super::ledger::Ledger;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INTERNAL, PHALANX_ERROR_NULL_POINTER, PHALANX_OK, Status};
use crate::xmss::keys::XmssSigningKey;
use crate::xmss::{XmssFormat, format_of, number_of, phalanx_xmss_signature_size};
use phalanx::xmss::Format;
use phalanx::xmss::any::SigningKey;
use phalanx_custody::ledger::{EpochLedger, Guarded, Signed, check_known};
use std::sync::Arc;

/// A signing key and the ledger that every signature of it goes through. Several threads may use it at the same time.
pub struct GuardedKey {
    key: Guarded<dyn EpochLedger, SigningKey>,
    /// Bytes of a signature.
    signature_len: usize,
}

/// A signature that is wanted: what is asked for first, then room for it, then what became of it.
#[repr(C)]
pub struct SignItem {
    /// The key.
    pub key: *mut GuardedKey,
    /// The epoch.
    pub epoch: u32,
    /// The message, 32 bytes.
    pub message: *const u8,
    /// Where the signature goes, in SSZ.
    pub signature: *mut u8,
    /// How many bytes fit there.
    pub capacity: usize,
    /// Out: how many bytes the signature has.
    pub signature_len: usize,
    /// Out: whether it is one that was given before.
    pub repeated: bool,
    /// Out: the answer, as that of `phalanx_guarded_key_sign`.
    pub status: Status,
}

/// Guards a key by a ledger that knows exactly it: from now on it signs through that ledger only. The key is taken over,
/// and its handle must not be used or freed any more; if this fails, the key is still the caller's.
///
/// `PHALANX_ERROR_LEDGER_NO_STATE` if the ledger does not know it (`phalanx_ledger_register`, `phalanx_ledger_adopt`),
/// `PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS` if it knows another key of the same seed. The ledger stays open until the
/// guarded key is freed.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_new(
    guarded: *mut *mut GuardedKey,
    ledger: *const Ledger,
    key: *mut XmssSigningKey,
) -> Status {
    entry!({
        ffi::give(guarded, || {
            let ledger: Arc<dyn EpochLedger> = Arc::clone(&ffi::value(ledger)?.store) as Arc<dyn EpochLedger>;
            let set = {
                let key = ffi::value(key.cast_const())?.lock()?;
                check_known(&*ledger, &*key)?;
                number_of(key.parameter_set())?
            };
            let key = ffi::take(key).ok_or(PHALANX_ERROR_NULL_POINTER)?.into_kept()?;
            let signature_len = phalanx_xmss_signature_size(set, XmssFormat::Ssz as u32);
            Ok(GuardedKey { key: Guarded::new(key, ledger)?, signature_len })
        })
    })
}

/// Signs a message of 32 bytes at `epoch`, if the ledger gives the epoch to it, and writes the signature in SSZ. When this
/// answers `PHALANX_OK`, the epoch and the message are in both files of the ledger, on the disk; `repeated`, which may be
/// null, says whether they were before: then it is the identical signature.
///
/// If the buffer is too small nothing is reserved; `phalanx_xmss_signature_size` says how large it must be. Refusals are
/// `PHALANX_ERROR_LEDGER_EPOCH_USED` and its neighbours; see `phalanx_ledger_refusal_is_final`. If the epoch lies beyond the
/// prepared interval the key moves on first, which computes one or two bottom trees on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_sign(
    guarded: *mut GuardedKey,
    signature: *mut u8,
    capacity: usize,
    signature_len: *mut usize,
    repeated: *mut bool,
    epoch: u32,
    message: *const u8,
) -> Status {
    entry!({
        let guarded = ffi::value(guarded.cast_const())?;
        let message = ffi::array(message)?;
        ffi::check_room(signature, capacity, signature_len, guarded.signature_len)?;
        let signed = guarded.key.answer(epoch, message)?;
        if !repeated.is_null() {
            ffi::write(repeated, signed.repeated)?;
        }
        ffi::write_bytes(signature, capacity, signature_len, &signed.signature.to_bytes(Format::Ssz)?)
    })
}

/// Signs `count` messages on `threads` threads, and writes into each item what became of it. The epochs of keys of one
/// ledger are made durable together: 64 keys of one slot wait for the disk once.
///
/// `PHALANX_OK` only if every status is it; else the first that is not.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_sign_many(items: *mut SignItem, count: usize, threads: u32) -> Status {
    entry!({
        let items = ffi::slice_mut(items, count)?;
        for item in &mut *items {
            (item.status, item.repeated) = (PHALANX_ERROR_INTERNAL, false);
        }
        let mut wanted = Vec::new();
        let mut at = Vec::new();
        for (i, item) in items.iter_mut().enumerate() {
            let checked = ffi::value(item.key.cast_const()).and_then(|key| {
                let message: &[u8; 32] = ffi::array(item.message)?;
                ffi::check_room(
                    item.signature,
                    item.capacity,
                    &raw mut item.signature_len,
                    key.signature_len,
                )?;
                Ok((&key.key, item.epoch, message))
            });
            match checked {
                Ok(one) => {
                    wanted.push(one);
                    at.push(i);
                }
                Err(status) => item.status = status,
            }
        }
        let answers = Guarded::answer_many(&wanted, &ffi::threads(threads));
        for (i, answer) in at.into_iter().zip(answers) {
            let item = &mut items[i];
            let written = answer.map_err(Status::from).and_then(|Signed { signature, repeated }| {
                item.repeated = repeated;
                let bytes = signature.to_bytes(Format::Ssz)?;
                ffi::write_bytes(item.signature, item.capacity, &raw mut item.signature_len, &bytes)
            });
            item.status = written.err().unwrap_or(PHALANX_OK);
        }
        items.iter().map(|item| item.status).find(|status| *status != PHALANX_OK).map_or(Ok(()), Err)
    })
}

/// Ends a guarded key and wipes its secret. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_guarded_key_free(guarded: *mut GuardedKey) {
    ffi::free(guarded);
}

/// Writes the key that verifies what this one signs, in `format`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_verifying_key(
    guarded: *const GuardedKey,
    verifying_key: *mut u8,
    verifying_key_capacity: usize,
    verifying_key_len: *mut usize,
    format: u32,
) -> Status {
    entry!({
        let encoded = ffi::value(guarded)?.key.verifying_key().to_bytes(format_of(format)?)?;
        ffi::write_bytes(verifying_key, verifying_key_capacity, verifying_key_len, &encoded)
    })
}

/// Writes the name of the key, 32 bytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_id(guarded: *const GuardedKey, key_id: *mut u8) -> Status {
    entry!({ ffi::write_slice(key_id, &ffi::value(guarded)?.key.key_id().0) })
}

/// Writes the epochs that the key can sign now, without computing a bottom tree: the first, and the first after them.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_guarded_key_prepared_interval(
    guarded: *const GuardedKey,
    start_epoch: *mut u64,
    end_epoch: *mut u64,
) -> Status {
    entry!({
        let range = ffi::value(guarded)?.key.prepared();
        ffi::write(start_epoch, range.start)?;
        ffi::write(end_epoch, range.end)
    })
}
