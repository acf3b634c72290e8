//! Finite fields.

pub(crate) mod koala_bear;
