//! The record of used epochs, which outlives the process.
//!
//! An epoch that signs two messages can be forged from then on. So before a signature is computed, its epoch and the
//! SHA-256 of its message stand in two files, flushed to the disk: `<secret key>.epochs` beside the key, and a witness
//! of the same lines, `<key id>.epochs` in the user's [state folder](crate::state). The first goes where the key goes;
//! the second stays, and belongs to the one-time keys: it finds a copied, restored or moved folder, and a second key of
//! the same seed.
//!
//! Both must be there and say the same, up to the last line (a crash between two writes): then both count together.
//! Anything else refuses to sign, until the operator [begins](begin()) a record on purpose.

mod begin;
#[cfg(unix)]
mod ledger;
mod lines;
mod log;
mod owner;
mod pair;
mod summary;
#[cfg(unix)]
mod to_ledger;

pub(crate) use begin::{begin, for_new_key, hand_over};
#[cfg(unix)]
pub(crate) use ledger::hand_to_ledger;
pub(crate) use owner::{Instance, Owner, path_beside};
pub(crate) use pair::{Record, Standing};
pub(crate) use summary::{Summary, summary};
#[cfg(unix)]
pub(crate) use to_ledger::Leaving;
