//! What people come for.

#[cfg(feature = "xmss")]
pub mod xmss;
