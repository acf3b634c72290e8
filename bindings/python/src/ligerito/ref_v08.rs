//! `phalanx.ligerito.ref_v08`: the proofs of the published crate `ligerito` 0.8.0.

use crate::arguments::{Bytes, Words, choice, detached, items, tuple_of};
use crate::errors;
use crate::threads::Team;
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, TranscriptKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SUITE", ref_v08::SUITE)?;
    module.add_class::<Config>()?;
    module.add_function(wrap_pyfunction!(commit, module)?)?;
    module.add_function(wrap_pyfunction!(prove, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)
}

fn transcript_of(name: &str) -> PyResult<TranscriptKind> {
    let names = || TranscriptKind::ALL.map(TranscriptKind::name).to_vec();
    choice("transcript", name, TranscriptKind::from_name, names)
}

fn claims_of(claims: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<CoefficientClaim>> {
    let Some(claims) = claims else { return Ok(Vec::new()) };
    let claim = |claim: Bound<'_, PyAny>| {
        let [index, value] = items(&claim, "index, value")?;
        Ok(CoefficientClaim { index: index.extract()?, value: value.extract()? })
    };
    tuple_of(claims)?.iter().map(claim).collect()
}

/// The levels of a proof.
#[pyclass(frozen, eq, module = "phalanx.ligerito.ref_v08")]
#[derive(PartialEq, Eq)]
pub(crate) struct Config(ref_v08::Config);

#[pymethods]
impl Config {
    /// The crate's configuration for 2^`variables` coefficients: 12, 16, 20, 24, 26, 28 or 30.
    #[staticmethod]
    fn published(variables: u8) -> PyResult<Self> {
        let unknown =
            || PyValueError::new_err(format!("no published configuration for {variables} variables"));
        ref_v08::Config::published(variables).map(Self).ok_or_else(unknown)
    }

    /// The configuration that the crate's command line chooses for 2^`variables` coefficients: 20 to 30.
    #[staticmethod]
    fn autosized(variables: u8) -> PyResult<Self> {
        let unknown = || PyValueError::new_err(format!("no configuration chosen for {variables} variables"));
        ref_v08::Config::autosized(variables).map(Self).ok_or_else(unknown)
    }

    /// The polynomial has 2^variables coefficients.
    #[getter]
    fn variables(&self) -> u8 {
        self.0.variables()
    }

    /// Length of the longest proof, in bytes.
    #[getter]
    fn max_proof_len_bytes(&self) -> usize {
        self.0.max_proof_len_bytes()
    }

    fn __repr__(&self) -> String {
        format!("<Config of {} variables, {} levels>", self.0.variables(), self.0.levels().len())
    }
}

/// The root that proofs about `polynomial` begin with: 32 bytes. The polynomial is not copied. Raises `PolynomialLength`.
#[pyfunction]
#[pyo3(signature = (config, polynomial, *, threads = Team::one()))]
fn commit<'py>(
    py: Python<'py>,
    config: &Config,
    polynomial: Words<u32>,
    threads: Team,
) -> PyResult<Bound<'py, PyBytes>> {
    let (pool, words) = (threads.pool(), polynomial.get());
    let root = detached(py, || ref_v08::commit_on(&pool, &config.0, words))?;
    Ok(PyBytes::new(py, &root.map_err(|error| errors::ref_v08(py, error))?))
}

/// Proves `claims` (tuples of index and value) about coefficients of `polynomial`: the bytes that the crate gives.
/// `transcript` is "sha256" or "merlin". Raises `PolynomialLength`, `ClaimIndex` or `ClaimValue`.
#[pyfunction]
#[pyo3(signature = (config, polynomial, *, transcript = "sha256", claims = None, threads = Team::one()))]
fn prove<'py>(
    py: Python<'py>,
    config: &Config,
    polynomial: Words<u32>,
    transcript: &str,
    claims: Option<Bound<'py, PyAny>>,
    threads: Team,
) -> PyResult<Bound<'py, PyBytes>> {
    let (pool, words) = (threads.pool(), polynomial.get());
    let (kind, claims) = (transcript_of(transcript)?, claims_of(claims.as_ref())?);
    let proof = detached(py, || ref_v08::prove_on(&pool, &config.0, kind, words, &claims))?;
    Ok(PyBytes::new(py, &proof.map_err(|error| errors::ref_v08(py, error))?))
}

/// Verifies that the polynomial committed under `root` has the claimed coefficients. Raises `ProofError`.
#[pyfunction]
#[pyo3(signature = (config, root, proof, *, transcript = "sha256", claims = None))]
fn verify(
    py: Python<'_>,
    config: &Config,
    root: Bytes<'_>,
    proof: Bytes<'_>,
    transcript: &str,
    claims: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (root, proof) = (*root.array::<32>("root")?, proof.get());
    let (kind, claims) = (transcript_of(transcript)?, claims_of(claims.as_ref())?);
    detached(py, || ref_v08::verify(&config.0, kind, &root, &claims, proof))?
        .map_err(|error| errors::ref_v08_proof(py, error))
}
