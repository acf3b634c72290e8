//! Tests of the public functions, and of the prover's forgeries.

mod bent;
mod borders;
mod compressions;
mod flipped;
mod forge;
mod frozen;
mod prover;
mod random;
mod randomizers;
mod rejects;
mod support;
mod vectors;
