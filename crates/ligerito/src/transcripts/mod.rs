//! Fiat-Shamir transcripts: both sides absorb what is said, and squeeze the challenges from all of it.
#![forbid(unsafe_code)]

mod framed;
#[cfg(feature = "ref-v08")]
mod merlin;
#[cfg(feature = "ref-v08")]
mod published;
#[cfg(feature = "ref-v08")]
mod sha256;

pub use framed::Transcript;
#[cfg(feature = "ref-v08")]
pub(crate) use published::Published;
