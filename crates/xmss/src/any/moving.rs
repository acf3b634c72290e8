//! How keys move on over trees that were computed beside them.

use super::signing::{NextTree, SigningKey};
use crate::error::Error;
use crate::{blake2s, key};
use alloc::vec::Vec;

impl SigningKey {
    /// The bottom trees by which `epoch` becomes prepared, to be computed beside the live key: the next one, or two where
    /// trees are passed over; none if `epoch` is prepared, passed, or outside the activation interval.
    #[must_use]
    pub fn trees_to(&self, epoch: u64) -> Vec<NextTree> {
        match self {
            Self::KoalaBear(key) => key.trees_to(epoch).into_iter().map(NextTree::KoalaBear).collect(),
            Self::Blake2s(key) => key.trees_to(epoch).into_iter().map(NextTree::Blake2s).collect(),
        }
    }

    /// Moves the prepared interval on by trees that [`trees_to`](Self::trees_to) gave and that were computed.
    ///
    /// # Errors
    /// As [`advance_with`](Self::advance_with). The key is then unchanged.
    pub fn move_on_with(&mut self, trees: Vec<NextTree>) -> Result<(), Error> {
        let trees = trees.into_iter();
        match self {
            Self::KoalaBear(key) => {
                let wanted = key.left_index + 2;
                key.move_on_with(trees.map(|tree| tree.koala_bear(wanted)).collect::<Result<_, _>>()?)
            }
            Self::Blake2s(key) => {
                let wanted = key.left_index + 2;
                key.move_on_with(trees.map(|tree| tree.blake2s(wanted)).collect::<Result<_, _>>()?)
            }
        }
    }
}

impl NextTree {
    /// The tree over KoalaBear, for a key that wants tree `wanted`.
    pub(crate) fn koala_bear(self, wanted: u64) -> Result<key::NextTree, Error> {
        match self {
            Self::KoalaBear(tree) => Ok(tree),
            Self::Blake2s(tree) => Err(Error::WrongTree { got: tree.index, wanted }),
        }
    }

    /// The tree over BLAKE2s, for a key that wants tree `wanted`.
    pub(crate) fn blake2s(self, wanted: u64) -> Result<blake2s::NextTree, Error> {
        match self {
            Self::Blake2s(tree) => Ok(tree),
            Self::KoalaBear(tree) => Err(Error::WrongTree { got: tree.index, wanted }),
        }
    }
}
