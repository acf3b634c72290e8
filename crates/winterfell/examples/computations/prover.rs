//! A prover of any [`Computation`] with any [`Commitments`].

use core::marker::PhantomData;
use phalanx_winterfell::{
    PackedConstraintCommitment, PackedHasher, PackedMerkleTree, PackedRandomCoin, PackedTraceLde,
};
use winterfell::crypto::{DefaultRandomCoin, ElementHasher, MerkleTree, RandomCoin, VectorCommitment};
use winterfell::math::FieldElement;
use winterfell::math::fields::f64::BaseElement;
use winterfell::matrix::ColMatrix;
use winterfell::{
    Air, AuxRandElements, CompositionPoly, CompositionPolyTrace, ConstraintCompositionCoefficients,
    DefaultConstraintCommitment, DefaultConstraintEvaluator, DefaultTraceLde, EvaluationFrame,
    PartitionOptions, ProofOptions, Prover, StarkDomain, Trace, TraceInfo, TraceLde, TracePolyTable,
};

/// An AIR whose trace holds its public inputs.
pub(crate) trait Computation:
    Air<BaseField = BaseElement, PublicInputs: Clone + Send> + Sync + Send + 'static
{
    /// The trace of this many rows.
    fn trace(rows: usize) -> Table;

    /// What the proof is about.
    fn public(trace: &Table) -> Self::PublicInputs;

    /// The auxiliary columns, if there are any.
    fn auxiliary<E: FieldElement<BaseField = BaseElement>>(
        _: &Table,
        _: &AuxRandElements<E>,
    ) -> ColMatrix<E> {
        unreachable!("this trace has one segment")
    }
}

/// A trace, perhaps of a computation with auxiliary columns.
pub(crate) struct Table {
    info: TraceInfo,
    columns: ColMatrix<BaseElement>,
}

impl Table {
    /// Of these columns, and as many auxiliary ones, each with a random element.
    pub(crate) fn new(columns: Vec<Vec<BaseElement>>, auxiliary: usize) -> Self {
        let (width, rows) = (columns.len(), columns[0].len());
        let info = TraceInfo::new_multi_segment(width, auxiliary, auxiliary, rows, Vec::new());
        Self { info, columns: ColMatrix::new(columns) }
    }

    pub(crate) fn get(&self, column: usize, row: usize) -> BaseElement {
        self.columns.get(column, row)
    }
}

impl Trace for Table {
    type BaseField = BaseElement;

    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn main_segment(&self) -> &ColMatrix<BaseElement> {
        &self.columns
    }

    fn read_main_frame(&self, row: usize, frame: &mut EvaluationFrame<BaseElement>) {
        self.columns.read_row_into(row, frame.current_mut());
        self.columns.read_row_into((row + 1) % self.columns.num_rows(), frame.next_mut());
    }
}

/// Hash function and commitments of a prover.
pub(crate) trait Commitments: Sync + Send {
    type HashFn: ElementHasher<BaseField = BaseElement> + Sync;
    type VC: VectorCommitment<Self::HashFn> + Sync;
    type RandomCoin: RandomCoin<BaseField = BaseElement, Hasher = Self::HashFn> + Send;
    type TraceLde<E: FieldElement<BaseField = BaseElement>>: TraceLde<E, HashFn = Self::HashFn, VC = Self::VC>;
    type ConstraintCommitment<E: FieldElement<BaseField = BaseElement>>: winter_prover::ConstraintCommitment<E, HashFn = Self::HashFn, VC = Self::VC>;

    fn trace<E: FieldElement<BaseField = BaseElement>>(
        info: &TraceInfo,
        main: &ColMatrix<BaseElement>,
        domain: &StarkDomain<BaseElement>,
        options: PartitionOptions,
    ) -> (Self::TraceLde<E>, TracePolyTable<E>);

    fn constraints<E: FieldElement<BaseField = BaseElement>>(
        trace: CompositionPolyTrace<E>,
        columns: usize,
        domain: &StarkDomain<BaseElement>,
        options: PartitionOptions,
    ) -> (Self::ConstraintCommitment<E>, CompositionPoly<E>);
}

/// Winterfell's, with its own hash function or with ours.
pub(crate) struct Theirs<H>(PhantomData<H>);

/// Those of this crate.
pub(crate) struct Ours<H>(PhantomData<H>);

macro_rules! commitments {
    ($name:ident: $bound:path, $tree:ty, $coin:ty, $trace:ident($($vc:ty)?), $constraint:ident) => {
        impl<H: $bound + Sync + Send> Commitments for $name<H> {
            type HashFn = H;
            type VC = $tree;
            type RandomCoin = $coin;
            type TraceLde<E: FieldElement<BaseField = BaseElement>> = $trace<E, H $(, $vc)?>;
            type ConstraintCommitment<E: FieldElement<BaseField = BaseElement>> = $constraint<E, H $(, $vc)?>;

            fn trace<E: FieldElement<BaseField = BaseElement>>(
                info: &TraceInfo,
                main: &ColMatrix<BaseElement>,
                domain: &StarkDomain<BaseElement>,
                options: PartitionOptions,
            ) -> (Self::TraceLde<E>, TracePolyTable<E>) {
                $trace::new(info, main, domain, options)
            }

            fn constraints<E: FieldElement<BaseField = BaseElement>>(
                trace: CompositionPolyTrace<E>,
                columns: usize,
                domain: &StarkDomain<BaseElement>,
                options: PartitionOptions,
            ) -> (Self::ConstraintCommitment<E>, CompositionPoly<E>) {
                $constraint::new(trace, columns, domain, options)
            }
        }
    };
}

/// A hash function over the field of 64 bits.
pub(crate) trait Hash64: ElementHasher<BaseField = BaseElement> {}

impl<H: ElementHasher<BaseField = BaseElement>> Hash64 for H {}

commitments!(
    Theirs: Hash64, MerkleTree<H>, DefaultRandomCoin<H>, DefaultTraceLde(MerkleTree<H>), DefaultConstraintCommitment
);
commitments!(
    Ours: PackedHasher, PackedMerkleTree<H>, PackedRandomCoin<H>, PackedTraceLde(), PackedConstraintCommitment
);

/// The prover.
pub(crate) struct ProverOf<A, C> {
    options: ProofOptions,
    of: PhantomData<(A, C)>,
}

impl<A, C> ProverOf<A, C> {
    pub(crate) fn new(options: ProofOptions) -> Self {
        Self { options, of: PhantomData }
    }
}

impl<A: Computation, C: Commitments> Prover for ProverOf<A, C> {
    type BaseField = BaseElement;
    type Air = A;
    type Trace = Table;
    type HashFn = C::HashFn;
    type VC = C::VC;
    type RandomCoin = C::RandomCoin;
    type TraceLde<E: FieldElement<BaseField = BaseElement>> = C::TraceLde<E>;
    type ConstraintEvaluator<'a, E: FieldElement<BaseField = BaseElement>> =
        DefaultConstraintEvaluator<'a, A, E>;
    type ConstraintCommitment<E: FieldElement<BaseField = BaseElement>> = C::ConstraintCommitment<E>;

    fn get_pub_inputs(&self, trace: &Self::Trace) -> A::PublicInputs {
        A::public(trace)
    }

    fn options(&self) -> &ProofOptions {
        &self.options
    }

    fn new_trace_lde<E: FieldElement<BaseField = BaseElement>>(
        &self,
        info: &TraceInfo,
        main: &ColMatrix<BaseElement>,
        domain: &StarkDomain<BaseElement>,
        options: PartitionOptions,
    ) -> (Self::TraceLde<E>, TracePolyTable<E>) {
        C::trace(info, main, domain, options)
    }

    fn new_evaluator<'a, E: FieldElement<BaseField = BaseElement>>(
        &self,
        air: &'a A,
        random: Option<AuxRandElements<E>>,
        coefficients: ConstraintCompositionCoefficients<E>,
    ) -> Self::ConstraintEvaluator<'a, E> {
        DefaultConstraintEvaluator::new(air, random, coefficients)
    }

    fn build_constraint_commitment<E: FieldElement<BaseField = BaseElement>>(
        &self,
        trace: CompositionPolyTrace<E>,
        columns: usize,
        domain: &StarkDomain<BaseElement>,
        options: PartitionOptions,
    ) -> (Self::ConstraintCommitment<E>, CompositionPoly<E>) {
        C::constraints(trace, columns, domain, options)
    }

    fn build_aux_trace<E: FieldElement<BaseField = BaseElement>>(
        &self,
        trace: &Self::Trace,
        random: &AuxRandElements<E>,
    ) -> ColMatrix<E> {
        debug_assert!(trace.info().is_multi_segment());
        A::auxiliary(trace, random)
    }
}
