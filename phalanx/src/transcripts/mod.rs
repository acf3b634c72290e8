//! Fiat-Shamir transcripts: both sides absorb what is said, and squeeze the challenges from all of it.

mod framed;

pub(crate) use framed::Transcript;
