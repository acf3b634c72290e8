//! `phalanx.ligerito`: commitments here; proofs of the published crate in a file of their own.

mod ref_v08;

use crate::arguments::{Bytes, Words, choice, detached, items, pool, tuple_of};
use crate::buffer::Borrowing;
use crate::errors::{self, malformed};
use crate::progress::Watch;
use phalanx::ligerito::{self, Claim, Gf128, Profile};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SUITE", ligerito::SUITE)?;
    module.add("MIN_VARIABLES", ligerito::MIN_VARIABLES)?;
    module.add("MAX_VARIABLES", ligerito::MAX_VARIABLES)?;
    module.add("MAX_CLAIMS", ligerito::MAX_CLAIMS)?;
    module.add("PROFILES", PyTuple::new(py, Profile::ALL.map(Profile::name))?)?;
    module.add_class::<Commitment>()?;
    module.add_class::<ProverData>()?;
    module.add_class::<Accepted>()?;
    module.add_function(wrap_pyfunction!(commit, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    let part = PyModule::new(py, "ref_v08")?;
    ref_v08::register(&part)?;
    module.add_submodule(&part)
}

/// The profile called `name`.
fn profile_of(name: &str) -> PyResult<Profile> {
    choice("profile", name, Profile::from_name, || Profile::ALL.map(Profile::name).to_vec())
}

/// What is published of a polynomial: 34 bytes.
#[pyclass(frozen, eq, hash, module = "phalanx.ligerito")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Commitment(ligerito::Commitment);

#[pymethods]
impl Commitment {
    /// From its parts, which nobody has checked.
    #[new]
    fn new(profile: &str, variables: u8, root: Bytes<'_>) -> PyResult<Self> {
        let root = *root.array::<32>("root")?;
        Ok(Self(ligerito::Commitment::new(profile_of(profile)?, variables, root)))
    }

    /// From its 34 bytes. Raises `Malformed`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
        ligerito::Commitment::from_bytes(data.get()).map(Self).map_err(|error| malformed(py, error))
    }

    /// The 34 bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The profile it claims.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.profile().name()
    }

    /// The number of variables it claims.
    #[getter]
    fn variables(&self) -> u8 {
        self.0.variables()
    }

    /// The root of the tree over the encoded rows.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.root())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __repr__(&self) -> String {
        let root: String = self.0.root().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("<Commitment {}, {} variables, root {root}>", self.profile(), self.0.variables())
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (&'static str, u8, Bound<'py, PyBytes>) {
        (self.profile(), self.0.variables(), self.root(py))
    }
}

/// Commits to the polynomial whose 2^n values on the Boolean cube are `polynomial`, elements of GF(2^32) as uint32: an array
/// or another buffer, which is not copied and must not change while the returned data is used. `progress(done, total)`
/// hears how far it is; an exception of its is raised when all is done.
#[pyfunction]
#[pyo3(signature = (polynomial, *, profile = "balanced", threads = 1, progress = None))]
fn commit(
    py: Python<'_>,
    polynomial: Words<u32>,
    profile: &str,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Commitment, ProverData)> {
    let (profile, pool, watch) = (profile_of(profile)?, pool(threads)?, Watch::new(progress));
    let total = core::sync::atomic::AtomicU64::new(0);
    let tell = |done, all| {
        total.store(all, core::sync::atomic::Ordering::Relaxed);
        // The library does not stop here; an exception waits until it is done.
        let _ = watch.tell(done, all);
    };
    let mut commitment = None;
    let outcome = detached(py, || {
        Borrowing::new(polynomial, Words::get, |words| {
            let (made, data) = ligerito::commit_watched(&pool, profile, words, &tell)?;
            commitment = Some(made);
            Ok(data)
        })
    })?;
    let data = outcome.map_err(|error| errors::ligerito(py, error))?;
    watch.finish(py, Some(total.into_inner()))?;
    match commitment {
        Some(commitment) => Ok((Commitment(commitment), ProverData(data))),
        None => Err(errors::ligerito(py, ligerito::Error::TooLarge)),
    }
}

/// What the prover keeps of a commitment, to open it: the encoded polynomial, and a hold on the polynomial itself.
#[pyclass(frozen, module = "phalanx.ligerito")]
pub(crate) struct ProverData(Borrowing<ligerito::ProverData<'static>>);

#[pymethods]
impl ProverData {
    /// The values at `points` (each a sequence of as many elements of GF(2^128), as int, as there are variables), and one
    /// proof for all of them, bound to `context`. Raises `NoClaims`, `TooManyClaims` or `PointLength`.
    #[pyo3(signature = (points, *, context = None, threads = 1))]
    fn open<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        context: Option<Bytes<'_>>,
        threads: usize,
    ) -> PyResult<(Vec<u128>, Bound<'py, PyBytes>)> {
        let pool = pool(threads)?;
        let points: Vec<_> =
            tuple_of(points)?.iter().map(|point| point_of(&point)).collect::<PyResult<_>>()?;
        let points: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
        let context = context.as_ref().map_or(&[][..], Bytes::get);
        let opening = detached(py, || self.0.get().open_on(&pool, &points, context))?;
        let opening = opening.map_err(|error| errors::ligerito(py, error))?;
        let values = opening.values.iter().map(|value| value.0).collect();
        Ok((values, PyBytes::new(py, &opening.proof)))
    }

    /// The root of the tree over the encoded rows.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.get().root())
    }

    /// The number of variables.
    #[getter]
    fn variables(&self) -> u8 {
        self.0.get().shape().variables()
    }

    /// Length of the longest proof, in bytes.
    #[getter]
    fn max_proof_len_bytes(&self) -> usize {
        self.0.get().shape().max_proof_len_bytes()
    }

    fn __repr__(&self) -> String {
        format!("<ProverData of {} variables>", self.variables())
    }
}

/// A point as callers give it.
fn point_of(point: &Bound<'_, PyAny>) -> PyResult<Vec<Gf128>> {
    tuple_of(point)?.iter().map(|coordinate| coordinate.extract().map(Gf128)).collect()
}

/// Which commitments a verifier is ready to look at.
#[pyclass(frozen, eq, module = "phalanx.ligerito")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accepted(ligerito::Accepted);

#[pymethods]
impl Accepted {
    /// This profile with this number of variables and nothing else.
    #[staticmethod]
    fn exactly(profile: &str, variables: u8) -> PyResult<Self> {
        Ok(Self(ligerito::Accepted::exactly(profile_of(profile)?, variables)))
    }

    /// Any of `profiles` with at most `max_variables` variables.
    #[staticmethod]
    fn up_to(profiles: &Bound<'_, PyAny>, max_variables: u8) -> PyResult<Self> {
        let profile = |name: Bound<'_, PyAny>| profile_of(&name.extract::<String>()?);
        // A name alone is no sequence of names.
        let profiles: Vec<Profile> = match profiles.extract::<String>() {
            Ok(name) => vec![profile_of(&name)?],
            Err(_) => tuple_of(profiles)?.iter().map(profile).collect::<PyResult<_>>()?,
        };
        Ok(Self(ligerito::Accepted::up_to(&profiles, max_variables)))
    }
}

/// Verifies that the polynomial under `commitment` has the claimed values: tuples (point, value) of int. `context` is what
/// the prover bound the proof to. Raises `ProofError`, whose `name` is the check that failed.
#[pyfunction]
#[pyo3(signature = (accepted, commitment, claims, proof, *, context = None))]
fn verify(
    py: Python<'_>,
    accepted: &Accepted,
    commitment: &Commitment,
    claims: &Bound<'_, PyAny>,
    proof: Bytes<'_>,
    context: Option<Bytes<'_>>,
) -> PyResult<()> {
    let claims = tuple_of(claims)?;
    let mut held = Vec::with_capacity(claims.len());
    for claim in claims.iter() {
        let [point, value] = items(&claim, "point, value")?;
        held.push((point_of(&point)?, Gf128(value.extract()?)));
    }
    let claims: Vec<_> = held.iter().map(|(point, value)| Claim { point, value: *value }).collect();
    let (proof, context) = (proof.get(), context.as_ref().map_or(&[][..], Bytes::get));
    detached(py, || ligerito::verify(&accepted.0, &commitment.0, &claims, proof, context))?
        .map_err(|error| errors::proof(py, error))
}
