//! What people come for.

#[cfg(feature = "ed25519")]
pub mod ed25519;
#[cfg(feature = "ligerito")]
pub mod ligerito;
#[cfg(feature = "rescue")]
pub mod rescue;
#[cfg(feature = "xmss")]
pub mod xmss;
