//! The commitment to the constraints' composition polynomial, in lanes.

use crate::hashers::PackedHasher;
use crate::rows::commit;
use crate::trace::{SEGMENT_WIDTH, open};
use crate::tree::PackedMerkleTree;
use winter_air::PartitionOptions;
use winter_air::proof::Queries;
use winter_crypto::VectorCommitment;
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;
use winter_prover::matrix::RowMatrix;
use winter_prover::{CompositionPoly, CompositionPolyTrace, ConstraintCommitment, StarkDomain};

/// What `winter_prover::DefaultConstraintCommitment` is, with rows and tree hashed in lanes.
pub struct PackedConstraintCommitment<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> {
    rows: RowMatrix<E>,
    tree: PackedMerkleTree<H>,
}

impl<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> PackedConstraintCommitment<E, H> {
    /// Splits the composition polynomial into `num_columns` of the trace's length, extends them and commits to the rows: what
    /// `Prover::build_constraint_commitment` returns.
    #[must_use]
    pub fn new(
        composition_poly_trace: CompositionPolyTrace<E>,
        num_columns: usize,
        domain: &StarkDomain<BaseElement>,
        partition_options: PartitionOptions,
    ) -> (Self, CompositionPoly<E>) {
        let polynomial = CompositionPoly::new(composition_poly_trace, domain, num_columns);
        let rows = RowMatrix::evaluate_polys_over::<SEGMENT_WIDTH>(polynomial.data(), domain);
        let tree = commit(&rows, partition_options);
        (Self { rows, tree }, polynomial)
    }
}

impl<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> ConstraintCommitment<E>
    for PackedConstraintCommitment<E, H>
{
    type HashFn = H;
    type VC = PackedMerkleTree<H>;

    fn commitment(&self) -> H::Digest {
        self.tree.commitment()
    }

    fn query(self, positions: &[usize]) -> Queries {
        open(&self.rows, &self.tree, positions)
    }
}
