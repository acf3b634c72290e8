//! Ledgers: making and opening them, what keys they know, what an operator answers for.

use super::roles;
use super::store::{self, Failure, Store};
use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_LEDGER_FENCED, PHALANX_ERROR_LEDGER_FORKED,
    PHALANX_ERROR_LEDGER_UNAVAILABLE, Status,
};
use crate::xmss::keys::XmssSigningKey;
use core::ffi::c_char;
use phalanx::xmss::Format;
use phalanx_custody::identity::KeyId;
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::record::{KeyInstance, KeyState, Ordering};
use phalanx_custody::ledger::{Health, InitialState, Standing as LedgerStanding, strict, xmss_instance};
use std::sync::Arc;

/// Length of the name of a key in bytes: SHA-256 of what its one-time keys depend on, so that all keys of one seed have one.
pub const PHALANX_KEY_ID_BYTES: usize = 32;
/// Length of the name of a ledger in bytes.
pub const PHALANX_LEDGER_ID_BYTES: usize = 16;

/// An open ledger of used epochs. Several threads may use it at the same time.
pub struct Ledger {
    pub(super) store: Arc<dyn Store>,
    ordering: Ordering,
}

/// Where a key stands in a ledger.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Standing {
    /// Whether it may sign: a `phalanx_key_state`.
    pub state: u32,
    /// What it is for: a `phalanx_key_role`.
    pub role: u32,
    /// The first epoch of the key.
    pub start_epoch: u64,
    /// The first epoch after its last one.
    pub end_epoch: u64,
    /// The low watermark: nothing new below it is signed.
    pub low: u64,
    /// The high watermark: nothing new from here on is signed. Only if `has_high`.
    pub high: u64,
    /// The greatest epoch that was ever reserved. Only if `has_highest`.
    pub highest: u64,
    /// How many epochs are left.
    pub remaining: u64,
    /// Whether there is a high watermark.
    pub has_high: bool,
    /// Whether an epoch was ever reserved.
    pub has_highest: bool,
    /// Whether the key signs only forward.
    pub is_strict: bool,
}

impl From<LedgerStanding> for Standing {
    fn from(standing: LedgerStanding) -> Self {
        let LedgerStanding { instance, state, low, high, highest, remaining } = standing;
        let role = Role::from_name(&instance.role);
        Self {
            state: roles::number_of_state(state),
            role: roles::number_of(role.unwrap_or(Role::Other)),
            start_epoch: instance.start,
            end_epoch: instance.end,
            low,
            high: high.unwrap_or(0),
            highest: highest.unwrap_or(0),
            remaining,
            has_high: high.is_some(),
            has_highest: highest.is_some(),
            is_strict: instance.ordering == Ordering::Strict,
        }
    }
}

/// Makes an empty ledger at `path`, a folder that is created for its owner alone. Once in the life of a set of keys, best
/// by the tool that makes them: a program that makes a ledger wherever it finds none would begin anew after a loss.
/// `PHALANX_ERROR_LEDGER_STORE` if there is one already. Configuration: `phalanx_ledger_open`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_create(path_or_url: *const c_char, config_toml: *const c_char) -> Status {
    entry!({ Ok(store::create(path_or_url, config_toml)?) })
}

/// Opens a ledger, for this process alone, and checks it: store and side log must agree, and be in the place and of the
/// state that the last process left. Whatever a crash does not explain is refused, for good reasons:
/// `PHALANX_ERROR_LEDGER_IN_USE`, `_STORE_OLDER`, `_WITNESS`, `_STORE`. What an operator can do about them are verbs of the
/// command line (`phalanx ledger`), each of which burns forward.
///
/// `path_or_url` is a folder, wherever the store is: that of a ledger in PostgreSQL says where. Or it is the URL of the
/// store, `postgres://USER@HOST/DATABASE`, and the configuration names the folder, which has lock and side log. A library
/// that was built without databases (feature `postgres`) answers `PHALANX_ERROR_UNAVAILABLE`. A host joins such a ledger by
/// the command line (`phalanx ledger join`).
///
/// `config_toml` is null or a text in TOML. Everything may be left out; a key that is not among these is
/// `PHALANX_ERROR_INVALID_ARGUMENT`:
///
/// - `witness = "FOLDER"`: where the side log of this ledger is, best on another disk. Without it, where the command line
///   has it: in `$XDG_STATE_HOME/phalanx` or `$HOME/.local/state/phalanx`, so that a ledger folder that was copied or
///   restored by itself is found out.
/// - `folder = "FOLDER"`: that of the ledger, where the URL of its store is given.
/// - `store = "URL"`: the store is in PostgreSQL, at this address, whatever the folder says. A password in it is refused:
///   its parameter `passfile`, or the environment variable PGPASSFILE, names a file.
/// - `host = "NAME"`: what this host is called in the database, read by `phalanx_ledger_create` alone.
/// - `lease_ms = 10000`: how long another host waits for this one, if it is not heard of any more.
/// - `allow_file_systems = ["overlay"]`, also `"9p"`, `"afs"`, `"ceph"`, `"fuse"`: file systems whose flushes and locks are
///   not the disk's. NFS and SMB are always refused.
/// - `allow_unsynchronised_clock = true`: open a ledger with a clock although the system says that nobody keeps it right.
/// - `resume = "burn-forward"` or `"trust-store"`: with a clock, every start closes the epochs that can have been signed by
///   now, some six; or none, which is refused unless the last process stopped cleanly in this boot.
/// - `ordering = "any"` or `"strict"`: whether keys that are registered through this handle sign only forward.
/// - `timeout_ms = 2000`: how long a call waits for the ledger.
/// - `[new]`, read by `phalanx_ledger_create` alone: `genesis_time` (Unix seconds of epoch 0) and `epoch_seconds`, the clock
///   of the chain, after which epochs too far `ahead = 4` of it and too far `behind = 64` are refused; `max_gap = 262144`,
///   how many epochs a key passes over at most; `genesis_validators_root`, 64 hexadecimal digits, for exchange files.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_open(
    ledger: *mut *mut Ledger,
    path_or_url: *const c_char,
    config_toml: *const c_char,
) -> Status {
    entry!({ ffi::give(ledger, || Ok(open(path_or_url, config_toml)?)) })
}

/// As `phalanx_ledger_open`; and writes why it was refused, for people: a text that ends with a zero byte, cut to
/// `why_capacity` bytes, empty if there is nothing to say. It names files, and holds no secret.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_open_explained(
    ledger: *mut *mut Ledger,
    why: *mut c_char,
    why_capacity: usize,
    path_or_url: *const c_char,
    config_toml: *const c_char,
) -> Status {
    entry!({
        let why = ffi::slice_mut(why.cast::<u8>(), why_capacity)?;
        ffi::give(ledger, || {
            let opened = open(path_or_url, config_toml);
            write_text(why, &opened.as_ref().err().map(Failure::text).unwrap_or_default());
            Ok(opened?)
        })
    })
}

/// Opens a ledger.
///
/// # Safety
/// As [`ffi::text`]; `config_toml` may be null.
unsafe fn open(path_or_url: *const c_char, config_toml: *const c_char) -> Result<Ledger, Failure> {
    // SAFETY: as the caller's.
    let (store, ordering) = unsafe { store::open(path_or_url, config_toml) }?;
    Ok(Ledger { store, ordering })
}

/// Writes `text` and a zero byte, cut between characters to what fits.
fn write_text(out: &mut [u8], text: &str) {
    let Some(room) = out.len().checked_sub(1) else { return };
    let end = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    out[..end].copy_from_slice(&text.as_bytes()[..end]);
    out[end] = 0;
}

/// Ends the handle of a ledger. Null is fine. Commits nothing; the ledger is closed, and its lock released, when the
/// guarded keys on it have been freed, too.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ledger_free(ledger: *mut Ledger) {
    ffi::free(ledger);
}

/// Writes the name of the ledger, 16 bytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_id(ledger: *const Ledger, ledger_id: *mut u8) -> Status {
    entry!({ ffi::write_slice(ledger_id, &ffi::value(ledger)?.store.id()) })
}

/// What a key is to a ledger, with its public key.
fn instance(ledger: &Ledger, key: &XmssSigningKey, role: u32) -> Result<(KeyInstance, Vec<u8>), Status> {
    let (key, role) = (key.lock()?, roles::role(role)?);
    let instance = xmss_instance(&*key, role.name());
    let instance = if ledger.ordering == Ordering::Strict { strict(instance) } else { instance };
    Ok((instance, key.verifying_key().to_bytes(Format::Ssz)?))
}

/// Registers a key that has just been made, durably, with its `role` (a `phalanx_key_role`); do so before the key is
/// written anywhere. Nothing below `low` is ever signed; 0 leaves all of its epochs. A key that the ledger knows already
/// stays as it is.
///
/// For a key that has been anywhere else, whose past this ledger does not have: `phalanx_ledger_adopt`.
///
/// `PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS` if the ledger has another key of the same seed: nothing overrides that.
/// `PHALANX_ERROR_INVALID_ARGUMENT` for a `low` after the end of the key.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_register(
    ledger: *mut Ledger,
    key: *const XmssSigningKey,
    role: u32,
    low: u64,
) -> Status {
    entry!({
        let ledger = ffi::value(ledger.cast_const())?;
        let (instance, public_key) = instance(ledger, ffi::value(key)?, role)?;
        if low > instance.end {
            return Err(PHALANX_ERROR_INVALID_ARGUMENT);
        }
        let state = if low > instance.start {
            InitialState::Adopt { low, reason: "registered with a low watermark".to_owned() }
        } else {
            InitialState::New
        };
        Ok(ledger.store.register(&instance, &public_key, state)?)
    })
}

/// An operator answers for a key that the ledger does not know, or has quarantined: it has signed nothing from
/// `i_accept_epoch` on, and signs nothing below. The reason is written down. An epoch that is too low makes forgeries
/// possible; take one above everything that the key can have signed anywhere. Nothing lowers a watermark: of a key that is
/// known and active nothing changes but that its low watermark is raised.
///
/// `PHALANX_ERROR_LEDGER_RETIRED` for a key that has moved away.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_adopt(
    ledger: *mut Ledger,
    key: *const XmssSigningKey,
    role: u32,
    i_accept_epoch: u64,
    reason: *const c_char,
) -> Status {
    entry!({
        let (ledger, reason) = (ffi::value(ledger.cast_const())?, ffi::text(reason)?);
        let (instance, public_key) = instance(ledger, ffi::value(key)?, role)?;
        adopt(&*ledger.store, &instance, &public_key, i_accept_epoch, reason)
    })
}

/// Answers for a key, known or not.
pub(crate) fn adopt(
    store: &dyn Store,
    instance: &KeyInstance,
    public_key: &[u8],
    low: u64,
    reason: &str,
) -> Result<(), Status> {
    if low > instance.end {
        return Err(PHALANX_ERROR_INVALID_ARGUMENT);
    }
    let state = InitialState::Adopt { low, reason: reason.to_owned() };
    store.register(instance, public_key, state)?;
    let standing = store.standing(&instance.key_id)?;
    // A key that was not known is done. One that was is raised, or let go from its quarantine; both burn forward.
    match standing.state {
        KeyState::Active if low > standing.low => Ok(store.raise_low(&instance.key_id, low, reason)?),
        KeyState::Active => Ok(()),
        KeyState::Quarantined | KeyState::Retired => Ok(store.adopt(&instance.key_id, low, reason)?),
    }
}

/// Raises the low watermark of a key: nothing new below it is signed any more. Nothing lowers it again. The reason is
/// written down. `PHALANX_ERROR_INVALID_ARGUMENT` if `low` is below the watermark, or after the end of the key.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_raise_low(
    ledger: *mut Ledger,
    key_id: *const u8,
    low: u64,
    reason: *const c_char,
) -> Status {
    entry!({
        let (key_id, reason) = (KeyId(*ffi::array(key_id)?), ffi::text(reason)?);
        Ok(ffi::value(ledger.cast_const())?.store.raise_low(&key_id, low, reason)?)
    })
}

/// The key signs nothing, not even what it has signed before, until an operator has answered for it
/// (`phalanx_ledger_adopt`). The reason is written down.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_quarantine(
    ledger: *mut Ledger,
    key_id: *const u8,
    reason: *const c_char,
) -> Status {
    entry!({
        let (key_id, reason) = (KeyId(*ffi::array(key_id)?), ffi::text(reason)?);
        Ok(ffi::value(ledger.cast_const())?.store.quarantine(&key_id, reason)?)
    })
}

/// Writes where a key stands. `PHALANX_ERROR_LEDGER_UNKNOWN_KEY`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_standing(
    ledger: *const Ledger,
    standing: *mut Standing,
    key_id: *const u8,
) -> Status {
    entry!({
        let key_id = KeyId(*ffi::array(key_id)?);
        ffi::write(standing, ffi::value(ledger)?.store.standing(&key_id)?.into())
    })
}

/// Whether the ledger answers: `PHALANX_OK`, `PHALANX_ERROR_LEDGER_UNAVAILABLE` after a fault of its storage (nothing is
/// signed until it has been freed, with its keys, and opened anew), `PHALANX_ERROR_LEDGER_FORKED` in a fork of the process
/// that opened it, `PHALANX_ERROR_LEDGER_FENCED`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ledger_health(ledger: *const Ledger) -> Status {
    entry!({
        match ffi::value(ledger)?.store.health() {
            Health::Open => Ok(()),
            Health::Poisoned(_) => Err(PHALANX_ERROR_LEDGER_UNAVAILABLE),
            Health::Fenced => Err(PHALANX_ERROR_LEDGER_FENCED),
            Health::Forked => Err(PHALANX_ERROR_LEDGER_FORKED),
        }
    })
}

/// Writes the name of a key, 32 bytes, by which ledgers know it. All keys of one seed have the same.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signing_key_id(key: *const XmssSigningKey, key_id: *mut u8) -> Status {
    entry!({ ffi::write_slice(key_id, ffi::value(key)?.lock()?.verifying_key().key_id().as_bytes()) })
}
