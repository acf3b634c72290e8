//! Encrypted key files: EIP-8310 version 5.

use super::roles;
use crate::ed25519::keys::Ed25519SigningKey;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_KEYSTORE_SCHEME, Status};
use crate::xmss::keys::XmssSigningKey;
use crate::xmss::{PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX, number_of};
use core::ffi::c_char;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx::{Inline, Pool};
use phalanx_custody::keystore::file::{self, Access};
use phalanx_custody::keystore::{
    Derivation, Header, KeySecret, Keystore, NewKey, OpenKey, Password, Policy, Role, Scheme, SealedFile,
    Signable, Use, trees,
};
use std::path::Path;

/// What readers and writers of keystores are asked for beside the obvious. Combined by `|`.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum KeystoreFlags {
    /// Nothing.
    None = 0,
    /// Reading: also files whose derivation is so cheap that their passwords can be guessed. For conversion, and for tests.
    AcceptWeakKdf = 1,
    /// Reading: also a key whose file is for recovery only. Whoever signs with it answers for that.
    ForRecovery = 2,
    /// Reading a file: keeps the trees that were computed in `<file>.trees`, and takes them from there the next time. It
    /// holds no secret and may be deleted.
    CacheTrees = 4,
    /// Reading a file: also one of root that its group may read, as Kubernetes hands out secrets.
    AcceptGroupOfRoot = 8,
    /// Writing: scrypt instead of Argon2id.
    Scrypt = 16,
}

impl KeystoreFlags {
    fn is_in(self, flags: u32) -> bool {
        flags & self as u32 != 0
    }
}

/// Refuses flags that are not among `known`.
fn check_flags(flags: u32, known: &[KeystoreFlags]) -> Result<(), Status> {
    let known = known.iter().fold(0, |all, flag| all | *flag as u32);
    if flags & !known == 0 { Ok(()) } else { Err(PHALANX_ERROR_INVALID_ARGUMENT) }
}

/// What a keystore says of its key. Proved only where the password was given and `is_bound` holds.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct KeystoreInfo {
    /// The parameter set, by its number; 0 for a scheme that this library reads and does not sign with XMSS for.
    pub set: u32,
    /// What the key is for: a `phalanx_key_role`, `PHALANX_KEY_ROLE_OTHER` where the file does not say.
    pub role: u32,
    /// The first epoch of the key; 0 where the file does not say.
    pub start_epoch: u64,
    /// How many epochs it has; 0 where the file does not say.
    pub active_epochs: u64,
    /// The name of the key.
    pub key_id: [u8; 32],
    /// The public key, in SSZ.
    pub public_key: [u8; PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX],
    /// Its length in bytes.
    pub public_key_len: usize,
    /// Whether the file brings back the key for recovery only: nobody signs from it.
    pub is_recovery_only: bool,
    /// Whether what the file says is bound to its password. If not, the public key was computed from the secret anew.
    pub is_bound: bool,
    /// Whether its password can be guessed cheaply.
    pub has_weak_kdf: bool,
}

impl KeystoreInfo {
    fn of(keystore: &Keystore) -> Result<Self, Status> {
        let header: &Header = keystore.header();
        let set = match header.scheme {
            Scheme::KoalaBear(set) => number_of(ParameterSet::KoalaBear(set))?,
            Scheme::Blake2s | Scheme::Ed25519 => 0,
        };
        let mut public_key = [0; PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX];
        let room = public_key.get_mut(..header.public_key.len()).ok_or(PHALANX_ERROR_KEYSTORE_SCHEME)?;
        room.copy_from_slice(&header.public_key);
        Ok(Self {
            set,
            role: roles::number_of(header.role.unwrap_or(Role::Other)),
            start_epoch: header.start.unwrap_or(0),
            active_epochs: header.count.unwrap_or(0),
            key_id: header.key_id.0,
            public_key,
            public_key_len: header.public_key.len(),
            is_recovery_only: header.usage == Use::RecoveryOnly,
            is_bound: keystore.is_bound(),
            has_weak_kdf: keystore.has_weak_kdf(),
        })
    }
}

/// Reads a keystore: its bytes, not its name. Computes the key from the secret in it on this thread, which takes the time
/// of making it, and writes what the file says to `info`. Either may be null: without `key` the password is only tried,
/// and without a password (null, 0) the header alone is read.
///
/// `flags`: of `phalanx_keystore_flags`. Refusals are `PHALANX_ERROR_KEYSTORE_MALFORMED` and its neighbours. The key says
/// nothing of what it has signed: guard it by its ledger. A key of Ed25519 is `PHALANX_ERROR_KEYSTORE_SCHEME`: see
/// `phalanx_keystore_read_ed25519`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_keystore_read(
    key: *mut *mut XmssSigningKey,
    info: *mut KeystoreInfo,
    file: *const u8,
    file_len: usize,
    password: *const u8,
    password_len: usize,
    flags: u32,
) -> Status {
    entry!({
        check_flags(flags, &[KeystoreFlags::AcceptWeakKdf, KeystoreFlags::ForRecovery])?;
        let password = ffi::slice(password, password_len)?;
        let keystore = || Ok(Keystore::parse(ffi::slice(file, file_len)?)?);
        read(key, info, keystore, &Reader { password, flags }, |open| of_xmss(&open, &Inline, None))
    })
}

/// As `phalanx_keystore_read`, of the keystore of a key of Ed25519, which needs no ledger: nothing is computed.
/// `PHALANX_ERROR_KEYSTORE_SCHEME` if it is of XMSS. A file's bytes of any form: `phalanx_ed25519_signing_key_open`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_keystore_read_ed25519(
    key: *mut *mut Ed25519SigningKey,
    info: *mut KeystoreInfo,
    file: *const u8,
    file_len: usize,
    password: *const u8,
    password_len: usize,
    flags: u32,
) -> Status {
    entry!({
        check_flags(flags, &[KeystoreFlags::AcceptWeakKdf, KeystoreFlags::ForRecovery])?;
        let password = ffi::slice(password, password_len)?;
        let keystore = || Ok(Keystore::parse(ffi::slice(file, file_len)?)?);
        let reader = Reader { password, flags };
        read(key, info, keystore, &reader, |open| Ok(Ed25519SigningKey(open.ed25519_key()?)))
    })
}

/// The key of Ed25519 in a keystore that is read as strictly as can be.
pub(crate) fn ed25519_key(file: &[u8], password: &[u8]) -> Result<phalanx::ed25519::SigningKey, Status> {
    let open = Reader { password, flags: 0 }.open(&Keystore::parse(file)?, true)?;
    Ok(open.ed25519_key()?)
}

/// As `phalanx_keystore_read`, of the file at `path`, which its owner alone may read (0600, one name), on `threads`
/// threads. `PHALANX_ERROR_KEYSTORE_FILE` if it is not there, or others can read it.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_keystore_load(
    key: *mut *mut XmssSigningKey,
    info: *mut KeystoreInfo,
    path: *const c_char,
    password: *const u8,
    password_len: usize,
    flags: u32,
    threads: u32,
) -> Status {
    entry!({
        use KeystoreFlags as F;
        check_flags(flags, &[F::AcceptWeakKdf, F::ForRecovery, F::CacheTrees, F::AcceptGroupOfRoot])?;
        let password = ffi::slice(password, password_len)?;
        let (path, pool) = (Path::new(ffi::text(path)?), ffi::threads(threads));
        let access = Access { group_may_read_files_of_root: F::AcceptGroupOfRoot.is_in(flags) };
        let trees = F::CacheTrees.is_in(flags).then_some(path);
        let keystore = || Ok(file::read(path, access)?);
        read(key, info, keystore, &Reader { password, flags }, |open| of_xmss(&open, &pool, trees))
    })
}

/// How a keystore is opened.
struct Reader<'a> {
    password: &'a [u8],
    flags: u32,
}

impl Reader<'_> {
    /// What is in it. Where a key is wanted, one that may be used.
    fn open(&self, keystore: &Keystore, wants_key: bool) -> Result<OpenKey, Status> {
        let policy = Policy { accept_weak_kdf: KeystoreFlags::AcceptWeakKdf.is_in(self.flags) };
        let open = keystore.open(&Password::from_bytes(self.password)?, policy)?;
        if wants_key && open.signable() == Signable::No && !KeystoreFlags::ForRecovery.is_in(self.flags) {
            return Err(PHALANX_ERROR_KEYSTORE_SCHEME);
        }
        Ok(open)
    }
}

/// The key of XMSS, computed from the secret, or taken from the trees that are kept beside the file `trees`.
fn of_xmss(open: &OpenKey, pool: &dyn Pool, trees: Option<&Path>) -> Result<XmssSigningKey, Status> {
    let key = match trees {
        Some(path) => open.cached_any_signing_key_on(pool, &trees::path_beside(path))?,
        None => open.any_signing_key_on(pool, None)?,
    };
    Ok(XmssSigningKey::new(key))
}

/// Writes what is asked for of a keystore.
///
/// # Safety
/// `key` and `info` are null or have room for what their types say.
unsafe fn read<Key>(
    key: *mut *mut Key,
    info: *mut KeystoreInfo,
    keystore: impl FnOnce() -> Result<Keystore, Status>,
    reader: &Reader<'_>,
    make: impl FnOnce(OpenKey) -> Result<Key, Status>,
) -> Result<(), Status> {
    if !key.is_null() {
        // SAFETY: as the caller's.
        unsafe { ffi::write(key, core::ptr::null_mut()) }?;
    }
    let keystore = keystore()?;
    if !info.is_null() {
        // SAFETY: as the caller's.
        unsafe { ffi::write(info, KeystoreInfo::of(&keystore)?) }?;
    }
    if key.is_null() && reader.password.is_empty() {
        return Ok(());
    }
    let open = reader.open(&keystore, !key.is_null())?;
    if key.is_null() {
        return Ok(());
    }
    // SAFETY: as the caller's.
    unsafe { ffi::give(key, || make(open)) }
}

/// Writes a key to a new keystore at `path`, where nothing may stand, in a folder for its owner alone (0700, made if it is
/// not there). Register the key with its ledger before: what is lost then is a key without a file, never a key without
/// state.
///
/// `seed` is the 32 bytes that the key was made from; null writes the expanded key, which only this library reads (a key
/// over BLAKE2s has none: `PHALANX_ERROR_INVALID_ARGUMENT`). `role` is a `phalanx_key_role`, `description` a text for people or null; both are bound to the password. `flags`: 0 or
/// `PHALANX_KEYSTORE_FLAGS_SCRYPT`. Takes 256 MiB of memory, and some time on purpose.
///
/// `PHALANX_ERROR_KEYSTORE_KEY_MISMATCH` if the seed is another key's, `PHALANX_ERROR_INVALID_ARGUMENT` for an empty
/// password or one that is not UTF-8, `PHALANX_ERROR_KEYSTORE_FILE`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_keystore_write(
    path: *const c_char,
    key: *const XmssSigningKey,
    seed: *const u8,
    role: u32,
    password: *const u8,
    password_len: usize,
    description: *const c_char,
    flags: u32,
) -> Status {
    entry!({
        check_flags(flags, &[KeystoreFlags::Scrypt])?;
        let path = Path::new(ffi::text(path)?);
        let description = if description.is_null() { "" } else { ffi::text(description)? };
        let password = Password::from_bytes(ffi::slice(password, password_len)?)?;
        if password.is_empty() {
            return Err(PHALANX_ERROR_INVALID_ARGUMENT);
        }
        let role = roles::role(role)?;
        let seed = if seed.is_null() { None } else { Some(ffi::array(seed)?) };
        let key = ffi::value(key)?.lock()?;
        file::check_place(path)?;
        let secret = match (seed, &*key) {
            (Some(seed), _) => KeySecret::from_seed(seed),
            (None, SigningKey::KoalaBear(key)) => KeySecret::from_signing_key(key),
            (None, _) => return Err(PHALANX_ERROR_INVALID_ARGUMENT),
        };
        let new = NewKey::of_xmss_key(&*key, &secret, role, description)?;
        let is_scrypt = KeystoreFlags::Scrypt.is_in(flags);
        let derivation = if is_scrypt { Derivation::SCRYPT } else { Derivation::ARGON2ID };
        Ok(file::create(path, &SealedFile::new(&new, &password, derivation)?)?)
    })
}
