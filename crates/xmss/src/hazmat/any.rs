//! Signing for callers who keep their own record, with keys of any generation: see the functions of the same names in
//! [`hazmat`](super) and [`hazmat::blake2s`](super::blake2s).

use crate::any::{NextTree, Signature, SigningKey};
use crate::blake2s;
use crate::error::Error;
use alloc::boxed::Box;

/// As [`sign_reserved`](super::sign_reserved).
///
/// # Errors
/// As there.
pub fn sign_reserved(key: &mut SigningKey, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
    match key {
        SigningKey::KoalaBear(key) => super::sign_reserved(key, epoch, message).map(Signature::KoalaBear),
        SigningKey::Blake2s(key) => super::blake2s::sign_reserved(key, epoch, message).map(over_blake2s),
    }
}

/// As [`passed_tree`](super::passed_tree).
#[must_use]
pub fn passed_tree(key: &SigningKey, epoch: u32) -> Option<NextTree> {
    match key {
        SigningKey::KoalaBear(key) => super::passed_tree(key, epoch).map(NextTree::KoalaBear),
        SigningKey::Blake2s(key) => super::blake2s::passed_tree(key, epoch).map(NextTree::Blake2s),
    }
}

/// As [`sign_passed`](super::sign_passed).
///
/// # Errors
/// As there.
pub fn sign_passed(
    key: &SigningKey,
    tree: NextTree,
    epoch: u32,
    message: &[u8; 32],
) -> Result<Signature, Error> {
    match key {
        SigningKey::KoalaBear(key) => {
            let tree = tree.koala_bear(key.left_index)?;
            super::sign_passed(key, tree, epoch, message).map(Signature::KoalaBear)
        }
        SigningKey::Blake2s(key) => {
            let tree = tree.blake2s(key.left_index)?;
            super::blake2s::sign_passed(key, tree, epoch, message).map(over_blake2s)
        }
    }
}

/// As [`check_can_sign`](super::check_can_sign).
///
/// # Errors
/// As there.
pub fn check_can_sign(key: &SigningKey, epoch: u32) -> Result<(), Error> {
    match key {
        SigningKey::KoalaBear(key) => super::check_can_sign(key, epoch),
        SigningKey::Blake2s(key) => super::blake2s::check_can_sign(key, epoch),
    }
}

fn over_blake2s(signature: blake2s::Signature) -> Signature {
    Signature::Blake2s(Box::new(signature))
}
