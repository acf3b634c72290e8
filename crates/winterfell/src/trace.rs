//! The extended execution trace, committed to in lanes.

use crate::hashers::PackedHasher;
use crate::rows::commit;
use crate::tree::PackedMerkleTree;
use alloc::vec::Vec;
use winter_air::proof::Queries;
use winter_air::{EvaluationFrame, PartitionOptions, TraceInfo};
use winter_crypto::VectorCommitment;
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;
use winter_prover::matrix::{ColMatrix, RowMatrix};
use winter_prover::{StarkDomain, TraceLde, TracePolyTable};

/// Columns that Winterfell transforms at the same time.
pub(crate) const SEGMENT_WIDTH: usize = 8;

/// What `winter_prover::DefaultTraceLde` is, with rows and tree hashed in lanes.
pub struct PackedTraceLde<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> {
    main: Segment<BaseElement, H>,
    aux: Option<Segment<E, H>>,
    blowup: usize,
    trace_info: TraceInfo,
    partition_options: PartitionOptions,
}

/// Columns of the trace over the extended domain, and the commitment to their rows.
struct Segment<F: FieldElement<BaseField = BaseElement>, H: PackedHasher> {
    rows: RowMatrix<F>,
    tree: PackedMerkleTree<H>,
}

impl<F: FieldElement<BaseField = BaseElement>, H: PackedHasher> Segment<F, H> {
    /// Extends the columns of `trace` and commits to the rows. Also returns the columns' polynomials.
    fn new(
        trace: &ColMatrix<F>,
        domain: &StarkDomain<BaseElement>,
        options: PartitionOptions,
    ) -> (Self, ColMatrix<F>) {
        let polynomials = trace.interpolate_columns();
        let rows = RowMatrix::evaluate_polys_over::<SEGMENT_WIDTH>(&polynomials, domain);
        let tree = commit(&rows, options);
        (Self { rows, tree }, polynomials)
    }

    fn read_frame(&self, step: usize, blowup: usize, frame: &mut EvaluationFrame<F>) {
        // After the last row comes the first.
        let next = (step + blowup) % self.rows.num_rows();
        frame.current_mut().copy_from_slice(self.rows.row(step));
        frame.next_mut().copy_from_slice(self.rows.row(next));
    }

    fn query(&self, positions: &[usize]) -> Queries {
        open(&self.rows, &self.tree, positions)
    }
}

/// The rows at these positions with the proof that they are in the tree.
///
/// # Panics
/// If there are none, if one comes twice, or if one is out of the domain: Winterfell's prover draws others.
pub(crate) fn open<F: FieldElement<BaseField = BaseElement>, H: PackedHasher>(
    rows: &RowMatrix<F>,
    tree: &PackedMerkleTree<H>,
    positions: &[usize],
) -> Queries {
    let (_, proof) = tree.open_many(positions).expect("positions are distinct rows of the domain");
    let opened = positions.iter().map(|&position| rows.row(position).to_vec()).collect();
    Queries::new::<H, F, PackedMerkleTree<H>>(proof, opened)
}

impl<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> PackedTraceLde<E, H> {
    /// Extends the main segment of the trace and commits to it: what `Prover::new_trace_lde` returns.
    #[must_use]
    pub fn new(
        trace_info: &TraceInfo,
        main_trace: &ColMatrix<BaseElement>,
        domain: &StarkDomain<BaseElement>,
        partition_options: PartitionOptions,
    ) -> (Self, TracePolyTable<E>) {
        let (main, polynomials) = Segment::new(main_trace, domain, partition_options);
        let (blowup, trace_info) = (domain.trace_to_lde_blowup(), trace_info.clone());
        (Self { main, aux: None, blowup, trace_info, partition_options }, TracePolyTable::new(polynomials))
    }
}

impl<E: FieldElement<BaseField = BaseElement>, H: PackedHasher> TraceLde<E> for PackedTraceLde<E, H> {
    type HashFn = H;
    type VC = PackedMerkleTree<H>;

    fn get_main_trace_commitment(&self) -> H::Digest {
        self.main.tree.commitment()
    }

    /// # Panics
    /// If the trace has no auxiliary segment or it is already set, or if it has not as many rows as the main segment.
    fn set_aux_trace(
        &mut self,
        aux_trace: &ColMatrix<E>,
        domain: &StarkDomain<BaseElement>,
    ) -> (ColMatrix<E>, H::Digest) {
        let wanted = self.trace_info.num_aux_segments();
        assert!(usize::from(self.aux.is_some()) < wanted, "the trace takes no further auxiliary segment");
        let (aux, polynomials) = Segment::new(aux_trace, domain, self.partition_options);
        assert_eq!(
            aux.rows.num_rows(),
            self.main.rows.num_rows(),
            "both segments have the same number of rows"
        );
        let commitment = aux.tree.commitment();
        self.aux = Some(aux);
        (polynomials, commitment)
    }

    fn read_main_trace_frame_into(&self, lde_step: usize, frame: &mut EvaluationFrame<BaseElement>) {
        self.main.read_frame(lde_step, self.blowup, frame);
    }

    /// # Panics
    /// If there is no auxiliary segment.
    fn read_aux_trace_frame_into(&self, lde_step: usize, frame: &mut EvaluationFrame<E>) {
        let aux = self.aux.as_ref().expect("the auxiliary segment is set before constraints are evaluated");
        aux.read_frame(lde_step, self.blowup, frame);
    }

    fn query(&self, positions: &[usize]) -> Vec<Queries> {
        let main = self.main.query(positions);
        core::iter::once(main).chain(self.aux.as_ref().map(|aux| aux.query(positions))).collect()
    }

    fn trace_len(&self) -> usize {
        self.main.rows.num_rows()
    }

    fn blowup(&self) -> usize {
        self.blowup
    }

    fn trace_info(&self) -> &TraceInfo {
        &self.trace_info
    }
}
