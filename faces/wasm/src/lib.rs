//! The WebAssembly package of phalanx.
