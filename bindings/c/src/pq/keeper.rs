//! What keeps used epochs from signing twice, for all keys of the lean names in this process: a ledger, or on request a
//! record that forgets. Without either, nothing is signed.

#[cfg(has_custody)]
use super::kept::Kept;
use super::{PQSignatureSchemeSecretKey, PQSigningError, answer, answered};
use crate::ffi;
use core::ffi::c_char;
use phalanx::xmss::any::{Signature, SigningKey};
use std::sync::{Once, PoisonError, RwLock, RwLockReadGuard};

/// What was chosen.
enum Keeper {
    /// Nothing yet.
    None,
    /// The record of this process.
    Forgetting,
    /// A ledger.
    Ledger(Kept),
    /// A ledger that was closed.
    Closed,
}

static KEEPER: RwLock<Keeper> = RwLock::new(Keeper::None);

fn chosen() -> RwLockReadGuard<'static, Keeper> {
    KEEPER.read().unwrap_or_else(PoisonError::into_inner)
}

/// Says on standard error why something is not done: the lean names have no other place for it.
fn refuse(why: &str) -> PQSigningError {
    eprintln!("phalanx: error: {why}");
    PQSigningError::UnknownError
}

/// Keeps used epochs in the ledger at `path`, a folder made by `phalanx ledger init` or `phalanx_ledger_create`: from now on
/// all keys of this process sign through it. Keys of `pq_key_gen` are registered there; others once, by `phalanx_pq_adopt`.
/// Call it before anything else. Null closes the ledger that was in use; afterwards nothing is signed until one is named.
///
/// `UnknownError` if it does not open, or keys of this process sign without one; with the reason on standard error.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pq_use_ledger(path: *const c_char) -> PQSigningError {
    phalanx_pq_use_ledger_with(path, core::ptr::null())
}

/// As `phalanx_pq_use_ledger`, with the configuration of `phalanx_ledger_open` in phalanx.h, or null.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pq_use_ledger_with(
    path: *const c_char,
    config_toml: *const c_char,
) -> PQSigningError {
    answer!({
        let mut keeper = KEEPER.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(*keeper, Keeper::Forgetting) {
            return Err(refuse(
                "what was signed without a ledger is in none: name it before anything is signed",
            ));
        }
        if path.is_null() {
            if matches!(*keeper, Keeper::Ledger(_)) {
                *keeper = Keeper::Closed;
            }
            return Ok(());
        }
        *keeper = Keeper::Ledger(Kept::open(path, config_toml).map_err(|why| refuse(&why))?);
        Ok(())
    })
}

/// Lets keys sign without a ledger: what an epoch has signed is forgotten when the process ends. Two messages signed at one
/// epoch let anybody forge at it, so this is for tests, and for programs that keep a record of their own. `UnknownError` if
/// a ledger has been in use, which knows more.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pq_forget_used_epochs_at_exit() -> PQSigningError {
    answered(|| {
        let mut keeper = KEEPER.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(*keeper, Keeper::Ledger(_) | Keeper::Closed) {
            return Err(refuse("a ledger has been in use, and knows what must not be forgotten"));
        }
        *keeper = Keeper::Forgetting;
        Ok(())
    })
}

/// An operator answers for a key that the ledger in use does not know, such as one that another tool made: it has signed
/// nothing from `i_accept_epoch` on, and signs nothing below. Once in the life of the key. `InvalidEpoch` if the epoch is
/// after its last, or the ledger has another key of the same seed; `UnknownError` without a ledger.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pq_adopt(
    sk: *const PQSignatureSchemeSecretKey,
    i_accept_epoch: u64,
) -> PQSigningError {
    answer!({
        let key = ffi::value(sk)?.0.lock()?;
        match &*chosen() {
            Keeper::None | Keeper::Forgetting | Keeper::Closed => Err(PQSigningError::UnknownError),
            Keeper::Ledger(ledger) => ledger.adopt(&key, i_accept_epoch),
        }
    })
}

/// Registers a key that has just been made, if there is a ledger.
pub(super) fn register(key: &SigningKey) -> Result<(), PQSigningError> {
    match &*chosen() {
        Keeper::None | Keeper::Forgetting | Keeper::Closed => Ok(()),
        Keeper::Ledger(ledger) => ledger.register(key),
    }
}

/// Signs through what was chosen.
pub(super) fn sign(
    key: &mut SigningKey,
    epoch: u32,
    message: &[u8; 32],
) -> Result<Signature, PQSigningError> {
    static SAID: Once = Once::new();
    match &*chosen() {
        Keeper::None | Keeper::Closed => {
            let text = "pq_sign refuses without a ledger of used epochs: call phalanx_pq_use_ledger(path)";
            SAID.call_once(|| eprintln!("phalanx: error: {text}"));
            Err(PQSigningError::UnknownError)
        }
        Keeper::Forgetting => Ok(key.sign(epoch, message)?),
        Keeper::Ledger(ledger) => ledger.sign(key, epoch, message),
    }
}

/// Builds without custody have no ledgers.
#[cfg(not(has_custody))]
enum Kept {}

#[cfg(not(has_custody))]
impl Kept {
    /// Refuses.
    ///
    /// # Safety
    /// None is needed.
    unsafe fn open(_path: *const c_char, _config_toml: *const c_char) -> Result<Self, String> {
        Err("this build has no ledgers (feature `custody`)".to_owned())
    }

    fn register(&self, _key: &SigningKey) -> Result<(), PQSigningError> {
        match *self {}
    }

    fn adopt(&self, _key: &SigningKey, _low: u64) -> Result<(), PQSigningError> {
        match *self {}
    }

    fn sign(&self, _: &mut SigningKey, _: u32, _: &[u8; 32]) -> Result<Signature, PQSigningError> {
        match *self {}
    }
}
