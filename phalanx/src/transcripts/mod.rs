//! Fiat-Shamir transcripts: both sides absorb what is said, and squeeze the challenges from all of it.

mod framed;
mod merlin;
mod published;
mod sha256;

pub(crate) use framed::Transcript;
pub(crate) use published::Published;
