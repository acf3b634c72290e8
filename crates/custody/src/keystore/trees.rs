//! The cache of trees: what a key computes from its secret in minutes, read back in a second.
//!
//! Source: specification, section 2.8. The file holds no secret (nodes of trees are public), is bound to one key, ends in
//! a checksum, and may be deleted at any time. Nothing has to trust it: every inner node is hashed again, so that leaves
//! that are not the key's lead to another root, which is not that of the public key.

use super::document::Header;
use super::error::Error;
use super::file::{FileError, replace_derived};
use super::master::Child;
use super::open::{OpenKey, Signable};
use super::payload::PRF_KEY_BYTES;
use super::root::over_koala_bear;
use phalanx_xmss::{Format, Pool, SigningKey, any};
use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The first line of the file.
pub const MAGIC: &[u8] = b"phalanx-trees 1\n";

/// Bytes of the checksum at the end.
const SUM_BYTES: usize = 32;

/// No key of the library has more.
const MAX_BYTES: u64 = 64 << 20;

/// Where the cache of the keystore at `path` is: `<name>.trees` beside it.
#[must_use]
pub fn path_beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".trees");
    PathBuf::from(name)
}

/// What a key that is derived from the master at `path` would be called, if it had a file: its cache is beside that.
#[must_use]
pub fn path_of_child(path: &Path, child: &Child) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".");
    name.push(child.name());
    PathBuf::from(name)
}

impl OpenKey {
    /// The XMSS key over KoalaBear, as [`cached_any_signing_key_on`](Self::cached_any_signing_key_on) gives it.
    ///
    /// # Errors
    /// As [`signing_key_on`](Self::signing_key_on).
    pub fn cached_signing_key_on(&self, pool: &dyn Pool, trees: &Path) -> Result<SigningKey, Error> {
        self.check_koala_bear()?;
        over_koala_bear(self.cached_any_signing_key_on(pool, trees)?)
    }

    /// The XMSS key: from the cache at `trees` if that holds it, else computed on the threads of `pool` and then written
    /// there. A cache never answers for a file whose header nothing binds: there everything is computed.
    ///
    /// A cache that cannot be written is no failure: the key is there, and is computed again the next time.
    ///
    /// # Errors
    /// As [`any_signing_key_on`](Self::any_signing_key_on).
    pub fn cached_any_signing_key_on(&self, pool: &dyn Pool, trees: &Path) -> Result<any::SigningKey, Error> {
        if let Some(key) = self.read_trees(trees) {
            return Ok(key);
        }
        let key = self.any_signing_key_on(pool, None)?;
        let _ = self.keep_any_trees(trees, &key);
        Ok(key)
    }

    /// Writes the trees of `key`, which is this one, to the cache: also later, when its prepared interval has moved on.
    ///
    /// # Errors
    /// [`FileError::Keystore`] if `key` is another one; [`FileError::System`], [`FileError::Refused`] for the folder.
    pub fn keep_trees(&self, trees: &Path, key: &SigningKey) -> Result<(), FileError> {
        self.confirm(key)?;
        keep(self.header(), trees, &key.to_bytes(Format::Ssz))
    }

    /// The same for a key of any generation.
    ///
    /// # Errors
    /// As [`keep_trees`](Self::keep_trees).
    pub fn keep_any_trees(&self, trees: &Path, key: &any::SigningKey) -> Result<(), FileError> {
        self.confirm(key)?;
        keep(self.header(), trees, &in_ssz(key))
    }

    /// The key that the cache holds; `None` for whatever is not exactly that.
    fn read_trees(&self, trees: &Path) -> Option<any::SigningKey> {
        let scheme = self.header().scheme;
        let set = scheme.parameter_set()?;
        if self.signable() != Signable::Yes {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file: File = rustix::fs::open(trees, flags, Mode::empty()).ok()?.into();
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let (body, sum) = bytes.split_last_chunk::<SUM_BYTES>()?;
        if Sha256::digest(body)[..] != sum[..] {
            return None;
        }
        let nodes = body.strip_prefix(&preamble(self.header())[..])?;
        let mut whole = Zeroizing::new(Vec::with_capacity(PRF_KEY_BYTES + nodes.len()));
        whole.extend_from_slice(&self.secret().leading_bytes(scheme)?[..]);
        whole.extend_from_slice(nodes);
        let key = any::SigningKey::from_bytes(set, Format::Ssz, &whole).ok()?;
        let is_whole = Some(key.activation_interval().start) == self.header().start;
        (is_whole && self.confirm(&key).is_ok()).then_some(key)
    }
}

/// The key in SSZ.
pub(crate) fn in_ssz(key: &any::SigningKey) -> Zeroizing<Vec<u8>> {
    key.to_bytes(Format::Ssz).expect("every key has SSZ")
}

/// Writes the trees of the key of `header` to the cache; `key` is that in SSZ, where the secret comes first.
pub(crate) fn keep(header: &Header, trees: &Path, key: &[u8]) -> Result<(), FileError> {
    let mut file = preamble(header);
    file.extend_from_slice(&key[PRF_KEY_BYTES..]);
    let sum = Sha256::digest(&file);
    file.extend_from_slice(&sum);
    replace_derived(trees, &file)
}

/// What the file begins with: whose trees they are.
fn preamble(header: &Header) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&header.key_id.0);
    for number in [header.start, header.count] {
        bytes.extend_from_slice(&number.unwrap_or_default().to_le_bytes());
    }
    bytes.extend_from_slice(header.scheme.name().as_bytes());
    bytes.push(b'\n');
    bytes
}
