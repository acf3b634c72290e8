//! Key files and signatures of Ed25519: recognised by their content, never by their name.

mod describe;
mod keys;
mod readings;
mod signatures;
mod text;

pub use describe::{describe, encrypted};
pub use keys::{EncodeError, KeyFormat, PublicKey, SecretKey};
pub use readings::{Reading, readings};
pub use signatures::{Signature, SignatureFormat};
