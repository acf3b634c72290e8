//! minisign's files (jedisct1/minisign, "Signature format", "Public key format", "Secret key format"): public keys,
//! secret keys, plain or encrypted, and signatures.
//!
//! New signatures are of the prehashed kind (`ED`: BLAKE2b-512 of the message is signed), the only one that
//! minisign itself still makes; the older kind (`Ed`: the message itself) is verified too.

mod public_key;
mod secret;
mod signature;
#[cfg(test)]
mod tests;

pub use public_key::{KeyId, Prehash, PublicKey};
pub use secret::{Scrypt, SecretKey};
pub use signature::{Refusal, SignatureBox};
