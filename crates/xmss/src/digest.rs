//! Values of the hash family: nodes, chain values, parameters, randomness.
#![forbid(unsafe_code)]

/// Up to eight 32-bit words. How many are in use and what they mean says the hash family of the parameter set
/// (Poseidon: Montgomery words of field elements); unused words are zero.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Digest(pub(crate) [u32; 8]);

/// The public part of a key that enters every hash call: the family's parameter `P`.
pub(crate) type Parameter = Digest;

/// The randomness `rho` of a signature.
pub(crate) type Randomness = Digest;
