//! The C library of phalanx.
