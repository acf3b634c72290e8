//! What the ledger's guard asks of a key, whichever generation of XMSS it is of.
#![forbid(unsafe_code)]

use crate::identity::{Family, KeyId, OneTimeKeyId};
use phalanx_core::{InvalidSignature, Pool};
use phalanx_xmss::{Error, Format, any, hazmat};
use std::ops::{ControlFlow, Range};

/// A key that signs once an epoch: of the sets over KoalaBear ([`phalanx_xmss::SigningKey`]), or of any
/// ([`any::SigningKey`]).
pub trait EpochKey: Send + sealed::Sealed {
    /// What verifies its signatures.
    type VerifyingKey: Send + Sync;
    /// What it signs.
    type Signature: Send;
    /// A bottom tree on its way to it.
    type NextTree: Send;

    /// Name of its parameter set.
    fn scheme(&self) -> &'static str;
    /// The name of the key.
    fn key_id(&self) -> KeyId;
    /// The name of its one-time keys.
    fn one_time_key_id(&self) -> OneTimeKeyId;
    /// What verifies its signatures.
    fn verifying_key(&self) -> Self::VerifyingKey;
    /// That in SSZ.
    fn public_key(key: &Self::VerifyingKey) -> Vec<u8>;
    /// Whether `key` signed `message` at `epoch`.
    ///
    /// # Errors
    /// [`InvalidSignature`] if it did not.
    fn verify(
        key: &Self::VerifyingKey,
        epoch: u32,
        message: &[u8; 32],
        signature: &Self::Signature,
    ) -> Result<(), InvalidSignature>;
    /// The epochs it can ever sign.
    fn activation_interval(&self) -> Range<u64>;
    /// The epochs it can sign now, without computing a bottom tree.
    fn prepared_interval(&self) -> Range<u64>;
    /// The bottom trees by which `epoch` becomes prepared.
    fn trees_to(&self, epoch: u64) -> Vec<Self::NextTree>;
    /// The bottom tree of an epoch that it has left behind.
    fn passed_tree(&self, epoch: u32) -> Option<Self::NextTree>;
    /// Computes a bottom tree on `pool`.
    ///
    /// # Errors
    /// None: nothing stops it.
    fn compute(tree: &mut Self::NextTree, pool: &dyn Pool) -> Result<(), Error>;
    /// Moves the prepared interval on by trees that were computed.
    ///
    /// # Errors
    /// As [`phalanx_xmss::SigningKey::move_on_with`].
    fn move_on_with(&mut self, trees: Vec<Self::NextTree>) -> Result<(), Error>;
    /// Signs an epoch that is reserved for `message`.
    ///
    /// # Errors
    /// As [`hazmat::sign_reserved`].
    fn sign_reserved(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Self::Signature, Error>;
    /// Signs again at an epoch that it has left behind, whose tree was computed.
    ///
    /// # Errors
    /// As [`hazmat::sign_passed`].
    fn sign_passed(
        &self,
        tree: Self::NextTree,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<Self::Signature, Error>;

    /// The family within which its one-time keys can be shared.
    fn family(&self) -> Family {
        Family::of_scheme(self.scheme()).expect("keys that sign are of a scheme that has a family")
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The trait for the keys of one module, which have methods of the same names.
macro_rules! epoch_key {
    ($($module:ident)::+, $($hazmat:ident)::+, |$key:ident| $public_key:expr) => {
        impl sealed::Sealed for $($module)::+::SigningKey {}

        impl EpochKey for $($module)::+::SigningKey {
            type VerifyingKey = $($module)::+::VerifyingKey;
            type Signature = $($module)::+::Signature;
            type NextTree = $($module)::+::NextTree;

            fn scheme(&self) -> &'static str {
                self.parameter_set().name()
            }

            fn key_id(&self) -> KeyId {
                self.verifying_key().key_id().into()
            }

            fn one_time_key_id(&self) -> OneTimeKeyId {
                self.one_time_key_id().into()
            }

            fn verifying_key(&self) -> Self::VerifyingKey {
                self.verifying_key()
            }

            fn public_key($key: &Self::VerifyingKey) -> Vec<u8> {
                $public_key
            }

            fn verify(
                key: &Self::VerifyingKey,
                epoch: u32,
                message: &[u8; 32],
                signature: &Self::Signature,
            ) -> Result<(), InvalidSignature> {
                key.verify(epoch, message, signature)
            }

            fn activation_interval(&self) -> Range<u64> {
                self.activation_interval()
            }

            fn prepared_interval(&self) -> Range<u64> {
                self.prepared_interval()
            }

            fn trees_to(&self, epoch: u64) -> Vec<Self::NextTree> {
                self.trees_to(epoch)
            }

            fn passed_tree(&self, epoch: u32) -> Option<Self::NextTree> {
                $($hazmat)::+::passed_tree(self, epoch)
            }

            fn compute(tree: &mut Self::NextTree, pool: &dyn Pool) -> Result<(), Error> {
                tree.compute_on(pool, &|_| ControlFlow::Continue(()))
            }

            fn move_on_with(&mut self, trees: Vec<Self::NextTree>) -> Result<(), Error> {
                self.move_on_with(trees)
            }

            fn sign_reserved(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Self::Signature, Error> {
                $($hazmat)::+::sign_reserved(self, epoch, message)
            }

            fn sign_passed(
                &self,
                tree: Self::NextTree,
                epoch: u32,
                message: &[u8; 32],
            ) -> Result<Self::Signature, Error> {
                $($hazmat)::+::sign_passed(self, tree, epoch, message)
            }
        }
    };
}
epoch_key!(phalanx_xmss, hazmat, |key| key.to_bytes(Format::Ssz));
epoch_key!(any, hazmat::any, |key| key.to_bytes(Format::Ssz).expect("every set has SSZ"));
