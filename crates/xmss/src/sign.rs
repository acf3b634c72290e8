//! Signing (spec section 11).
#![forbid(unsafe_code)]

use super::digest::Digest;
use super::error::Error;
use super::family::{MAX_ATTEMPTS, OneTimeKey};
use super::key::SigningKey;
use super::signature::Signature;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::Subtree;

impl SigningKey {
    /// Signs `message` at `epoch`, noting it in a record that **ends with this process**: across restarts, keep your own.
    ///
    /// The message is 32 bytes; callers hash longer ones. The signature is a deterministic function of key, epoch and
    /// message. An epoch signs one message in the life of this process, whichever copy of the key is asked; the same
    /// message again gives the same signature. Of several keys from one seed, in other parameter sets or for other
    /// intervals, one signs: they share their one-time keys. If the epoch lies beyond the prepared interval the key
    /// moves on first, which computes one or two bottom trees.
    ///
    /// # Errors
    /// [`Error::NotActive`], [`Error::Exhausted`], [`Error::Passed`] for epochs outside what the key can still sign;
    /// [`Error::EpochUsed`] for a second message; [`Error::OtherInstance`] if another key with the same one-time keys
    /// has signed; [`Error::Forked`] in a fork of the process that loaded the key; [`Error::EncodingAttempts`] if no
    /// encoding is found (never seen); [`Error::Malformed`] if the key's secret part is damaged.
    pub fn sign(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
        self.check_can_sign(epoch)?;
        self.used.reserve(epoch, message)?;
        self.advance_to(epoch.into())?;
        self.sign_prepared(epoch, message)
    }

    /// Whether `epoch` is one that the key can still sign.
    pub(crate) fn check_can_sign(&self, epoch: u32) -> Result<(), Error> {
        let active = self.activation_interval();
        let at = u64::from(epoch);
        if at < active.start {
            return Err(Error::NotActive { epoch: at, start: active.start, end: active.end });
        }
        if at >= active.end {
            return Err(Error::Exhausted { epoch: at, end: active.end });
        }
        let prepared = self.prepared_interval().start;
        if at < prepared {
            return Err(Error::Passed { epoch: at, prepared });
        }
        Ok(())
    }

    /// The signature, for an epoch of the prepared interval that may sign `message`.
    pub(crate) fn sign_prepared(&self, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
        let tree = u64::from(epoch) / self.set.tree_leaves();
        let bottom = if tree == self.left_index { &self.left } else { &self.right };
        self.sign_in(bottom, epoch, message)
    }

    /// The same, for an epoch of the bottom tree `bottom`, which is one of the key's.
    pub(crate) fn sign_in(
        &self,
        bottom: &Subtree<Digest>,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<Signature, Error> {
        let set = self.set.parameters();
        let isa = Isa::current();
        let key = OneTimeKey { parameter: &self.parameter, prf_key: &self.prf_key, epoch };
        let (randomness, codeword) = set
            .family
            .find_encoding(isa, &key, message)
            .ok_or(Error::EncodingAttempts { attempts: MAX_ATTEMPTS })?;
        let mut hashes = alloc::vec![Digest::default(); set.chains];
        set.family.reveal(isa, &key, &codeword, &mut hashes);
        let tree = u64::from(epoch) / set.tree_leaves();
        let mut path = bottom.path(u64::from(epoch)).expect("the epoch is the tree's");
        path.extend(self.top.path(tree).expect("the epoch is active"));
        Ok(Signature { set: self.set, path, randomness, hashes })
    }
}
