//! The field of the curve's coordinates, and that of its scalars.

pub(crate) mod p25519;
pub(crate) mod scalar25519;
