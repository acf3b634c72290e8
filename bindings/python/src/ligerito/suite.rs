//! One body for all suites of ours: their types differ in the library, so that none is taken for another.

use crate::arguments::tuple_of;
use phalanx::ligerito::{Gf128, provable128::Gf192};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// An element of a field, which is an int in Python.
pub(super) trait Element: Sized {
    /// The element of the bits of `int`. `OverflowError` if it is negative or has too many.
    fn of_int(int: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// Its bits.
    fn to_int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

impl Element for Gf128 {
    fn of_int(int: &Bound<'_, PyAny>) -> PyResult<Self> {
        int.extract().map(Self)
    }

    fn to_int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.0.into_pyobject(py)?.into_any())
    }
}

impl Element for Gf192 {
    fn of_int(int: &Bound<'_, PyAny>) -> PyResult<Self> {
        let int = int.py().import("operator")?.call_method1("index", (int,))?;
        let bytes = int.call_method1("to_bytes", (24, "little"))?;
        let bytes: &[u8] = bytes.extract()?;
        let wrong = || PyOverflowError::new_err("an int of 192 bits wanted");
        bytes.try_into().map(Self::from_le_bytes).map_err(|_| wrong())
    }

    fn to_int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (&self.to_le_bytes()[..], "little"))
    }
}

/// A point as callers give it.
pub(super) fn point_of<E: Element>(point: &Bound<'_, PyAny>) -> PyResult<Vec<E>> {
    tuple_of(point)?.iter().map(|coordinate| E::of_int(&coordinate)).collect()
}

/// Elements as a list of int.
pub(super) fn to_list<'py, E: Element>(py: Python<'py>, elements: &[E]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, elements.iter().map(|element| element.to_int(py)).collect::<PyResult<Vec<_>>>()?)
}

/// The classes and functions of the suite whose library module is `$library`, for the Python module `$module`.
macro_rules! suite {
    ($module:literal, $library:path, $element:ty) => {
        use crate::arguments::{Bytes, Polynomial, choice, detached, items, tuple_of};
        use crate::buffer::Borrowing;
        use crate::errors::{self, malformed};
        use crate::ligerito::suite::{Element, point_of, to_list};
        use crate::progress::Watch;
        use crate::threads::Team;
        use pyo3::prelude::*;
        use pyo3::types::{PyBytes, PyList, PyTuple};
        use $library as library;

        /// Adds the suite's names.
        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let py = module.py();
            module.add("SUITE", library::SUITE)?;
            module.add("MIN_VARIABLES", library::MIN_VARIABLES)?;
            module.add("MAX_VARIABLES", library::MAX_VARIABLES)?;
            module.add("MAX_CLAIMS", library::MAX_CLAIMS)?;
            let names = library::Preset::ALL.map(library::Preset::name);
            module.add("PROFILES", PyTuple::new(py, names)?)?;
            module.add_class::<Commitment>()?;
            module.add_class::<ProverData>()?;
            module.add_class::<Accepted>()?;
            module.add_function(wrap_pyfunction!(commit, module)?)?;
            module.add("PLANES", library::PLANES)?;
            module.add_function(wrap_pyfunction!(verify, module)?)?;
            module.add_function(wrap_pyfunction!(verify_planes, module)?)?;
            module.add_function(wrap_pyfunction!(open_together, module)?)?;
            module.add_function(wrap_pyfunction!(verify_together, module)?)?;
            module.add_function(wrap_pyfunction!(value_of_planes, module)?)?;
            module.add_function(wrap_pyfunction!(aes_basis, module)?)
        }

        /// The profile called `name`.
        fn profile_of(name: &str) -> PyResult<library::Preset> {
            choice("profile", name, library::Preset::from_name, || {
                library::Preset::ALL.map(library::Preset::name).to_vec()
            })
        }

        /// What is published of a polynomial: 34 bytes.
        #[pyclass(frozen, eq, hash, module = $module)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct Commitment(library::Commitment);

        #[pymethods]
        impl Commitment {
            /// From its parts, which nobody has checked.
            #[new]
            fn new(profile: &str, variables: u8, root: Bytes<'_>) -> PyResult<Self> {
                let root = *root.array::<32>("root")?;
                Ok(Self(library::Commitment::new(profile_of(profile)?, variables, root)))
            }

            /// From its 34 bytes. Raises `Malformed`.
            #[staticmethod]
            fn from_bytes(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
                library::Commitment::from_bytes(data.get()).map(Self).map_err(|error| malformed(py, error))
            }

            /// The 34 bytes.
            fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, &self.0.to_bytes())
            }

            /// The profile it claims.
            #[getter]
            fn profile(&self) -> &'static str {
                self.0.preset().name()
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
        /// or another buffer, which is not copied and must not change while the returned data is used. An array of other unsigned
        /// integers is the words of its memory, the lowest first: bits in uint64 or uint8, bytes, uint16. `progress(done, total)`
        /// hears how far it is; an exception of its is raised when all is done.
        #[pyfunction]
        #[pyo3(signature = (polynomial, *, profile = "balanced", threads = Team::one(), progress = None))]
        fn commit(
            py: Python<'_>,
            polynomial: Polynomial,
            profile: &str,
            threads: Team,
            progress: Option<Py<PyAny>>,
        ) -> PyResult<(Commitment, ProverData)> {
            let (profile, pool, watch) = (profile_of(profile)?, threads.pool(), Watch::new(progress));
            let total = core::sync::atomic::AtomicU64::new(0);
            let tell = |done, all| {
                total.store(all, core::sync::atomic::Ordering::Relaxed);
                // The library does not stop here; an exception waits until it is done.
                let _ = watch.tell(done, all);
            };
            let mut commitment = None;
            let outcome = detached(py, || {
                Borrowing::new(polynomial, Polynomial::get, |words| {
                    let (made, data) = library::commit_watched_on(&pool, profile, words, &tell)?;
                    commitment = Some(made);
                    Ok(data)
                })
            })?;
            let data = outcome.map_err(|error| errors::ligerito(py, error))?;
            watch.finish(py, Some(total.into_inner()))?;
            match commitment {
                Some(commitment) => Ok((Commitment(commitment), ProverData(data))),
                None => Err(errors::ligerito(py, library::Error::TooLarge)),
            }
        }

        /// What the prover keeps of a commitment, to open it: the encoded polynomial, and a hold on the polynomial itself.
        #[pyclass(frozen, module = $module)]
        pub(crate) struct ProverData(Borrowing<library::ProverData<'static>>);

        #[pymethods]
        impl ProverData {
            /// The values at `points` (each a sequence of as many elements of the suite's field, as int, as there are variables), and one
            /// proof for all of them, bound to `context`. Raises `NoClaims`, `TooManyClaims` or `PointLength`.
            #[pyo3(signature = (points, *, context = None, threads = Team::one()))]
            fn open<'py>(
                &self,
                py: Python<'py>,
                points: &Bound<'py, PyAny>,
                context: Option<Bytes<'_>>,
                threads: Team,
            ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyBytes>)> {
                let pool = threads.pool();
                let points: Vec<_> =
                    tuple_of(points)?.iter().map(|point| point_of(&point)).collect::<PyResult<_>>()?;
                let points: Vec<&[$element]> = points.iter().map(|point| &**point).collect();
                let context = context.as_ref().map_or(&[][..], Bytes::get);
                let opening = detached(py, || self.0.get().open_on(&pool, &points, context))?;
                let opening = opening.map_err(|error| errors::ligerito(py, error))?;
                Ok((to_list(py, &opening.values)?, PyBytes::new(py, &opening.proof)))
            }

            /// The 32 planes at each of `points`, for polynomials that hold bits or small elements, and one proof for all of them:
            /// plane i is the sum of eq(point, x) over the x whose word has bit i. Raises as `open`; planes count as 32 points.
            #[pyo3(signature = (points, *, context = None, threads = Team::one()))]
            fn open_planes<'py>(
                &self,
                py: Python<'py>,
                points: &Bound<'py, PyAny>,
                context: Option<Bytes<'_>>,
                threads: Team,
            ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyBytes>)> {
                let pool = threads.pool();
                let points: Vec<Vec<$element>> =
                    tuple_of(points)?.iter().map(|point| point_of(&point)).collect::<PyResult<_>>()?;
                let context = context.as_ref().map_or(&[][..], Bytes::get);
                let opened = detached(py, || {
                    let orbits = points.iter().map(|point| self.0.get().orbit_on(&pool, point));
                    let orbits = orbits.collect::<Result<Vec<_>, _>>()?;
                    let proof = self.0.get().open_orbits_on(&pool, &orbits, context)?;
                    Ok((orbits, proof))
                })?;
                let (orbits, proof) = opened.map_err(|error| errors::ligerito(py, error))?;
                let planes = orbits.iter().map(|orbit| to_list(py, orbit.planes()));
                let planes = planes.collect::<PyResult<Vec<_>>>()?;
                Ok((PyList::new(py, planes)?, PyBytes::new(py, &proof)))
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

        /// Which commitments a verifier is ready to look at.
        #[pyclass(frozen, eq, module = $module)]
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(crate) struct Accepted(library::Accepted);

        #[pymethods]
        impl Accepted {
            /// This profile with this number of variables and nothing else.
            #[staticmethod]
            fn exactly(profile: &str, variables: u8) -> PyResult<Self> {
                Ok(Self(library::Accepted::exactly(profile_of(profile)?, variables)))
            }

            /// Any of `profiles` with at most `max_variables` variables.
            #[staticmethod]
            fn up_to(profiles: &Bound<'_, PyAny>, max_variables: u8) -> PyResult<Self> {
                let profile = |name: Bound<'_, PyAny>| profile_of(&name.extract::<String>()?);
                // A name alone is no sequence of names.
                let profiles: Vec<library::Preset> = match profiles.extract::<String>() {
                    Ok(name) => vec![profile_of(&name)?],
                    Err(_) => tuple_of(profiles)?.iter().map(profile).collect::<PyResult<_>>()?,
                };
                Ok(Self(library::Accepted::up_to(&profiles, max_variables)))
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
                held.push((point_of::<$element>(&point)?, <$element>::of_int(&value)?));
            }
            let claims: Vec<_> =
                held.iter().map(|(point, value)| library::EvaluationClaim { point, value: *value }).collect();
            let (proof, context) = (proof.get(), context.as_ref().map_or(&[][..], Bytes::get));
            detached(py, || library::verify(&accepted.0, &commitment.0, &claims, proof, context))?
                .map_err(|error| errors::proof(py, error))
        }

        /// The 32 planes of a claim.
        fn planes_of(planes: &Bound<'_, PyAny>) -> PyResult<[$element; library::PLANES]> {
            let planes = point_of::<$element>(planes)?;
            let count = planes.len();
            planes.try_into().map_err(|_| {
                pyo3::exceptions::PyValueError::new_err(format!("{count} planes, wanted {}", library::PLANES))
            })
        }

        /// Verifies that the polynomial under `commitment` has the claimed planes: tuples (point, planes), planes being 32 int. The
        /// proof is one of `open_planes`. Raises `ProofError`.
        #[pyfunction]
        #[pyo3(signature = (accepted, commitment, claims, proof, *, context = None))]
        fn verify_planes(
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
                let [point, planes] = items(&claim, "point, planes")?;
                held.push((point_of::<$element>(&point)?, planes_of(&planes)?));
            }
            let claims: Vec<_> =
                held.iter().map(|(point, planes)| library::PlanesClaim { point, planes }).collect();
            let (proof, context) = (proof.get(), context.as_ref().map_or(&[][..], Bytes::get));
            detached(py, || library::verify_planes(&accepted.0, &commitment.0, &claims, proof, context))?
                .map_err(|error| errors::proof(py, error))
        }

        /// The values of several committed polynomials of one profile, of any sizes, and one proof for all of them: `data` are what
        /// `commit` gave, `points` tuples (number in `data`, point). Raises as `open`, `Together` or `CommitmentIndex`.
        #[pyfunction]
        #[pyo3(signature = (data, points, *, context = None, threads = Team::one()))]
        fn open_together<'py>(
            py: Python<'py>,
            data: Vec<PyRef<'py, ProverData>>,
            points: &Bound<'py, PyAny>,
            context: Option<Bytes<'_>>,
            threads: Team,
        ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyBytes>)> {
            let pool = threads.pool();
            let mut held = Vec::new();
            for point in tuple_of(points)?.iter() {
                let [number, point] = items(&point, "number, point")?;
                held.push((number.extract::<usize>()?, point_of::<$element>(&point)?));
            }
            let weights: Vec<_> =
                held.iter().map(|(number, point)| (*number, library::Weight::Point(point))).collect();
            let data: Vec<_> = data.iter().map(|data| data.0.get()).collect();
            let context = context.as_ref().map_or(&[][..], Bytes::get);
            let opening =
                detached(py, || library::ProverData::open_together_on(&pool, &data, &weights, context))?;
            let opening = opening.map_err(|error| errors::ligerito(py, error))?;
            Ok((to_list(py, &opening.values)?, PyBytes::new(py, &opening.proof)))
        }

        /// Verifies values of several polynomials: tuples (number in `commitments`, point, value). The proof is one of
        /// `open_together`. Raises `ProofError`.
        #[pyfunction]
        #[pyo3(signature = (accepted, commitments, claims, proof, *, context = None))]
        fn verify_together(
            py: Python<'_>,
            accepted: &Accepted,
            commitments: Vec<PyRef<'_, Commitment>>,
            claims: &Bound<'_, PyAny>,
            proof: Bytes<'_>,
            context: Option<Bytes<'_>>,
        ) -> PyResult<()> {
            let mut held = Vec::new();
            for claim in tuple_of(claims)?.iter() {
                let [number, point, value] = items(&claim, "number, point, value")?;
                held.push((
                    number.extract::<usize>()?,
                    point_of::<$element>(&point)?,
                    <$element>::of_int(&value)?,
                ));
            }
            let claims: Vec<_> = held
                .iter()
                .map(|(number, point, value)| {
                    (*number, library::SumClaim::Point(library::EvaluationClaim { point, value: *value }))
                })
                .collect();
            let commitments: Vec<_> = commitments.iter().map(|commitment| commitment.0).collect();
            let (proof, context) = (proof.get(), context.as_ref().map_or(&[][..], Bytes::get));
            detached(py, || library::verify_together(&accepted.0, &commitments, &claims, proof, context))?
                .map_err(|error| errors::proof(py, error))
        }

        /// A value of small coefficients, from the planes at a point: `low` are the coordinates inside a word (five for bits, two for
        /// bytes, one for GF(2^16), none), `basis` what each bit of a coefficient stands for ([1] for bits, `aes_basis()` for
        /// bytes). Raises `BasisLength`.
        #[pyfunction]
        fn value_of_planes<'py>(
            py: Python<'py>,
            low: &Bound<'py, PyAny>,
            basis: &Bound<'py, PyAny>,
            planes: &Bound<'py, PyAny>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (low, basis) = (point_of::<$element>(low)?, point_of::<$element>(basis)?);
            let value = library::value_of_planes(&low, &basis, &planes_of(planes)?);
            value.map_err(|error| errors::ligerito(py, error))?.to_int(py)
        }

        /// The images of 1, x, ... x^7 of the field of AES, GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, that of x being the smallest int.
        #[pyfunction]
        fn aes_basis(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
            to_list(py, &library::aes_basis::<$element>())
        }
    };
}

pub(super) use suite;
