//! Loads a signer and judges what came of it: how long signatures took, what was answered, whether every signature
//! verifies, and whether two messages were ever signed at one epoch, which is counted from the answers alone.
//!
//! [`rig`] makes keys that are cheap to open, a ledger and a configuration, and starts `phalanx serve` on them: for this
//! program, and for the tests of the command line.
#![forbid(unsafe_code)]

pub mod load;
pub mod outcome;
pub mod rig;
