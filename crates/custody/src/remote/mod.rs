//! A client of `phalanx serve`: asks a signer on another host, or in another process, for signatures.
//!
//! What comes back is verified against the public key that was asked for before the caller sees it: a signer, or whoever
//! answers in its place, cannot pass on anything but a signature of this key, epoch and message. The answer that an
//! epoch is used is final: another message will not be signed there, and the same one gives the same signature again.
//!
//! Answers are at most 1 MiB long, nothing waits longer than the time-out, redirections are not followed and no proxy is
//! asked. Errors hold no token, key or message.
#![forbid(unsafe_code)]

mod answers;
mod client;
mod connect;
mod endpoint;
mod error;
#[cfg(unix)]
mod socket;

pub use answers::KeyStanding;
pub use client::{Answer, Client, Method, Request, Signed};
pub use connect::{Identity, Options, Roots};
pub use endpoint::{Endpoint, Token};
pub use error::{Error, Refusal};
