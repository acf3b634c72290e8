//! Key and signature files: PKCS#8, SPKI, OpenSSH, JWK, hex, minisign and SSHSIG.
//!
//! The readers and writers are methods of [`SigningKey`](crate::SigningKey) and [`VerifyingKey`](crate::VerifyingKey).
//! Every reader takes bytes from outside: it never panics, allocates at most a small multiple of its input, and says
//! the first problem it meets. Secrets leave in containers that wipe themselves, and no table is indexed by them.
#![forbid(unsafe_code)]

mod base64;
mod der;
mod detect;
mod hex;
mod jwk;
#[cfg(feature = "minisign")]
pub mod minisign;
mod openssh;
mod pem;
mod pkcs8;
mod ssh_wire;
pub mod sshsig;
#[cfg(test)]
mod tests;
mod traits;

pub use detect::KeyFormat;
