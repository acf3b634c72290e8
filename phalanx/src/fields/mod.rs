//! Finite fields.

#[cfg(feature = "ligerito")]
pub(crate) mod binary;
#[cfg(feature = "rescue")]
pub(crate) mod goldilocks;
#[cfg(feature = "xmss")]
pub(crate) mod koala_bear;
#[cfg(feature = "ed25519")]
pub(crate) mod p25519;
#[cfg(feature = "ed25519")]
pub(crate) mod scalar25519;
