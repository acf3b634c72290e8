//! `phalanx.xmss`: what the module holds.

mod begin;
mod keygen;
mod keys;
mod many;
mod signing;
mod slot;

use pyo3::prelude::*;

#[cfg(unix)]
pub(crate) use keys::format_of;
pub(crate) use keys::{Either, Given, Set, VerifyingKey};
pub(crate) use signing::SigningKey;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<keys::ParameterSet>()?;
    module.add_class::<VerifyingKey>()?;
    module.add_class::<keys::Signature>()?;
    module.add_class::<SigningKey>()?;
    module.add_class::<signing::NextTree>()?;
    module.add_class::<keygen::KeyGeneration>()?;
    module.add_function(wrap_pyfunction!(many::verify_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::verify_columns, module)?)
}
