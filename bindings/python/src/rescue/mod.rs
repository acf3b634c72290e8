//! `phalanx.rescue`: what the module holds.

mod arrays;
mod digests;
mod function;
mod hasher;
mod many;
mod merkle;

use phalanx::rescue::hazmat;
use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MODULUS", hazmat::MODULUS)?;
    module.add_class::<function::Function>()?;
    module.add_class::<merkle::MerkleTree>()?;
    module.add_class::<hasher::Hasher>()?;
    module.add_function(wrap_pyfunction!(digests::digest_elements, module)?)?;
    module.add_function(wrap_pyfunction!(digests::digest_from_elements, module)?)?;
    module.add_function(wrap_pyfunction!(digests::digest_from_bytes_lenient, module)?)
}
