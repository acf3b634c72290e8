//! SSHSIG: the signatures of files that `ssh-keygen -Y` makes and checks (PROTOCOL.sshsig of OpenSSH), for Ed25519
//! keys.
//!
//! A signature carries the key that made it, so checking it has two halves: does it verify, and may this key sign for
//! this person? [`AllowedSigners::verify`] does both, [`SshSignature::verify`] wants the key from the caller, and
//! [`SshSignature::check_novalidate`] does the first half only.
//!
//! The profile is the caller's: [`Profile::Strict`](crate::Profile::Strict) is the default elsewhere and a good one here; what ssh-keygen
//! itself checks is the equation of [`Profile::Cofactorless`](crate::Profile::Cofactorless). They differ only on signatures that no honest signer
//! makes.

mod allowed;
mod signature;
#[cfg(test)]
mod tests;
mod time;

pub use allowed::{AllowedSigners, AllowedSignersError, Refusal, Request};
pub(super) use signature::LABEL;
pub use signature::{Hash, Prehash, SshSignature};
