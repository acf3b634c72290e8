//! The rules by which signatures are judged, as callers name them.

use crate::arguments::choice;
use phalanx::ed25519::Profile;
use pyo3::prelude::*;

/// The profile called `name`.
pub(crate) fn profile_of(name: &str) -> PyResult<Profile> {
    choice("profile", name, Profile::from_name, || Profile::ALL.map(Profile::name).to_vec())
}
