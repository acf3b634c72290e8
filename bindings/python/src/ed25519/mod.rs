//! `phalanx.ed25519`: what the module holds.

mod keys;
mod many;
mod minisign;
mod prepared;
mod profile;
mod sshsig;
mod verify;

use phalanx::ed25519::Profile;
use pyo3::prelude::*;

pub(crate) use keys::{SigningKey, VerifyingKey};
pub(crate) use many::judge;
pub(crate) use profile::profile_of;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("PROFILES", pyo3::types::PyTuple::new(py, Profile::ALL.map(Profile::name))?)?;
    module.add_class::<SigningKey>()?;
    module.add_class::<VerifyingKey>()?;
    module.add_class::<prepared::PreparedKey>()?;
    module.add_class::<many::BatchVerifier>()?;
    module.add_class::<verify::WhyNot>()?;
    module.add_function(wrap_pyfunction!(verify::verify, module)?)?;
    module.add_function(wrap_pyfunction!(verify::explain, module)?)?;
    module.add_function(wrap_pyfunction!(verify::detect, module)?)?;
    module.add_function(wrap_pyfunction!(many::sign_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::verify_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::verify_columns, module)?)?;
    module.add_function(wrap_pyfunction!(many::verify_batch, module)?)?;
    for (name, register) in [
        ("sshsig", sshsig::register as fn(&Bound<'_, PyModule>) -> PyResult<()>),
        ("minisign", minisign::register),
    ] {
        let part = PyModule::new(py, name)?;
        register(&part)?;
        module.add_submodule(&part)?;
    }
    Ok(())
}
