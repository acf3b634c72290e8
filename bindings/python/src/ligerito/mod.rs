//! `phalanx.ligerito`: the suites of ours, and the proofs of the published crate.

mod provable100;
mod provable128;
mod ref_v08;
mod suite;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    provable100::register(module)?;
    for (name, register) in [
        ("provable128", provable128::register as fn(&Bound<'_, PyModule>) -> PyResult<()>),
        ("ref_v08", ref_v08::register),
    ] {
        let part = PyModule::new(module.py(), name)?;
        register(&part)?;
        module.add_submodule(&part)?;
    }
    Ok(())
}
