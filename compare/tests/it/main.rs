//! phalanx against the published implementations, in one program: the same answers and the same bytes.

mod ed25519;
mod ed25519_reasons;
mod ligerito;
mod minisign;
mod rescue;
