//! The field that Poseidon computes in.

pub(crate) mod koala_bear;
