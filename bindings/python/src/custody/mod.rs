//! `phalanx.Ledger`, `phalanx.GuardedKey`, `phalanx.keystore`: keys that never sign an epoch twice.

mod guarded;
mod keystore;
mod ledger;
mod refusals;

pub(crate) use keystore::{open as open_keystore, open_encrypted};
use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ledger::Ledger>()?;
    module.add_class::<ledger::Standing>()?;
    module.add_class::<guarded::GuardedKey>()?;
    module.add_class::<keystore::Header>()?;
    module.add_function(wrap_pyfunction!(keystore::read, module)?)?;
    module.add_function(wrap_pyfunction!(keystore::loads, module)?)?;
    module.add_function(wrap_pyfunction!(keystore::loads_ed25519, module)?)?;
    module.add_function(wrap_pyfunction!(keystore::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(keystore::write, module)?)
}
