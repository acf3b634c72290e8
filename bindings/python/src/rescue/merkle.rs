//! Merkle trees.

use super::digests::{bytes_of, digest_of};
use super::function::{Function, Named};
use super::many::Digests;
use crate::arguments::{Bytes, detached};
use crate::errors;
use crate::threads::Team;
use phalanx::rescue;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// A full binary tree whose nodes are `merge` of their children. Holds all nodes, 64 bytes for each leaf.
#[pyclass(frozen, module = "phalanx.rescue")]
pub(crate) struct MerkleTree(rescue::MerkleTree);

#[pymethods]
impl MerkleTree {
    /// The tree over `leaves`, a power of two of them: a sequence of 32 bytes each, or one buffer of digests. Raises
    /// `LeafCount`.
    #[new]
    #[pyo3(signature = (function, leaves, *, threads = Team::one()))]
    fn new(py: Python<'_>, function: Named, leaves: Digests, threads: Team) -> PyResult<Self> {
        let pool = threads.pool();
        detached(py, || rescue::MerkleTree::new_on(&pool, function.0, leaves.0))?
            .map(Self)
            .map_err(|error| errors::rescue(py, error))
    }

    /// The function that the tree is made with.
    #[getter]
    fn function(&self) -> Function {
        Function(self.0.function())
    }

    /// The root.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, &self.0.root())
    }

    /// The base-2 logarithm of the number of leaves, which is the number of digests in a path.
    #[getter]
    fn log2_leaves(&self) -> u32 {
        self.0.log2_leaves()
    }

    /// The leaves, as a new list.
    #[getter]
    fn leaves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.leaves().iter().map(|leaf| bytes_of(py, leaf)))
    }

    /// Leaf `index` and its path, the siblings on the way to the root, lowest first. Raises `LeafIndex`.
    fn open<'py>(
        &self,
        py: Python<'py>,
        index: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyList>)> {
        let (leaf, path) = self.0.open(index).map_err(|error| errors::rescue(py, error))?;
        Ok((bytes_of(py, &leaf), PyList::new(py, path.iter().map(|node| bytes_of(py, node)))?))
    }

    /// Checks that `leaf` is the one with this index in the tree of `2**log2_leaves` leaves that has this root. Raises
    /// `PathLength`, `LeafIndex` or `WrongRoot`.
    #[staticmethod]
    fn verify(
        py: Python<'_>,
        function: Named,
        root: Bytes<'_>,
        log2_leaves: u32,
        index: usize,
        leaf: Bytes<'_>,
        path: Digests,
    ) -> PyResult<()> {
        let (root, leaf) = (digest_of(py, root.get())?, digest_of(py, leaf.get())?);
        let verify = || rescue::MerkleTree::verify(function.0, &root, log2_leaves, index, &leaf, &path.0);
        detached(py, verify)?.map_err(|error| errors::rescue(py, error))
    }

    fn __len__(&self) -> usize {
        self.0.leaves().len()
    }

    fn __repr__(&self) -> String {
        let (function, root) = (self.0.function().name(), self.0.root());
        format!("<MerkleTree of 2^{} leaves, {function}, root {root}>", self.0.log2_leaves())
    }
}
