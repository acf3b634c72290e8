//! XMSS over BLAKE2s, the generation after the Poseidon sets: profile B (the current one) and profile A (August 2026).
//!
//! "Specification section N" means section N of the project's text on XMSS over BLAKE2s. All hashing goes through
//! [`tweak_hash`], each call with its label, [`tweak`].

mod hash;
mod keys;
mod leaf;
mod profile;
mod scheme;

pub(crate) use hash::{IV, SIGMA};
pub use hash::{blake2s, tweak, tweak_hash};
pub use keys::{PublicKey, SecretKey};
pub use leaf::{CHAINS, HEIGHT, NoEncoding, Node, STEPS, TARGET, digits, encoding_digest, leaf, node, walk};
pub use profile::Profile;
pub use scheme::{SIGNATURE_LEN, Signature, Verdict, randomizer, sign, verify};
