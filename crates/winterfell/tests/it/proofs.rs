//! Whole proofs.

use crate::computations::chain::{Digest, SEED};
use crate::computations::{
    Chain, Commitments, Computation, Fibonacci, Ours, ProverOf, Rounds, Shuffle, Theirs,
};
use crate::on_backends;
use phalanx_winterfell as ours;
use winterfell::crypto::{DefaultRandomCoin, ElementHasher, MerkleTree, hashers};
use winterfell::math::FieldElement;
use winterfell::math::fields::f64::BaseElement;
use winterfell::{
    AcceptableOptions, BatchingMethod, EvaluationFrame, FieldExtension, Proof, ProofOptions, Prover, Trace,
    verify,
};

fn options(extension: FieldExtension, folding: usize) -> ProofOptions {
    let linear = BatchingMethod::Linear;
    ProofOptions::new(20, 8, 8, extension, folding, 7, linear, linear)
}

fn prove<A: Computation, C: Commitments>(rows: usize, options: &ProofOptions) -> Vec<u8> {
    ProverOf::<A, C>::new(options.clone()).prove(A::trace(rows)).expect("an honest trace").to_bytes()
}

/// The same bytes, which Winterfell's verifier takes, and not for another result.
fn same<A: Computation<PublicInputs = BaseElement>>(rows: usize, options: &ProofOptions) {
    same_unless::<A>(rows, options, |public| public + BaseElement::ONE);
}

/// As [`same`], where `another` makes another result of the right one.
fn same_unless<A: Computation>(
    rows: usize,
    options: &ProofOptions,
    another: fn(A::PublicInputs) -> A::PublicInputs,
) {
    type Rp64 = hashers::Rp64_256;
    type Jive = hashers::RpJive64_256;
    let theirs = prove::<A, Theirs<Rp64>>(rows, options);
    let jive = prove::<A, Theirs<Jive>>(rows, options);
    assert!(theirs != jive, "the hash function matters");
    assert!(prove::<A, Ours<ours::Rp64_256>>(rows, options) == theirs, "Rp64_256, {rows} rows");
    assert!(prove::<A, Ours<ours::RpJive64_256>>(rows, options) == jive, "RpJive64_256, {rows} rows");
    // Our hash function one input at a time, in everything that is Winterfell's.
    assert!(prove::<A, Theirs<ours::Rp64_256>>(rows, options) == theirs);
    let public = A::public(&A::trace(rows));
    let check = |public: A::PublicInputs| {
        let proof = Proof::from_bytes(&theirs).expect("a proof");
        let accepted = AcceptableOptions::OptionSet(vec![options.clone()]);
        verify::<A, Rp64, DefaultRandomCoin<Rp64>, MerkleTree<Rp64>>(proof, public, &accepted)
    };
    assert!(check(public.clone()).is_ok());
    assert!(check(another(public)).is_err());
}

#[test]
fn fibonacci() {
    on_backends(|| same::<Fibonacci>(32, &options(FieldExtension::None, 2)));
    same::<Fibonacci>(64, &options(FieldExtension::Cubic, 16));
}

#[test]
fn twelve_columns() {
    same::<Rounds>(32, &options(FieldExtension::Quadratic, 8));
}

/// What is proved of four hashes is what the hash function says of them.
#[test]
fn a_chain_of_hashes() {
    same_unless::<Chain>(32, &options(FieldExtension::Quadratic, 8), |Digest([a, b, c, d])| {
        Digest([a, b, c, d + BaseElement::ONE])
    });
    let last = (0..4).fold(SEED.0, |elements, _| hashers::Rp64_256::hash_elements(&elements).into());
    assert_eq!(Chain::public(&Chain::trace(32)), Digest(last));
}

/// Every element of a row is bound to the row before it.
fn rows_follow<A: Computation>(rows: usize) {
    let trace = A::trace(rows);
    let air = A::new(trace.info().clone(), A::public(&trace), options(FieldExtension::None, 8));
    let columns = air.get_periodic_column_values();
    let mut frame = EvaluationFrame::new(trace.info().width());
    for row in 0..rows - 1 {
        let periodic: Vec<_> = columns.iter().map(|column| column[row % column.len()]).collect();
        let follows = |frame: &EvaluationFrame<BaseElement>| {
            let mut results = vec![BaseElement::ZERO; air.context().num_main_transition_constraints()];
            air.evaluate_transition(frame, &periodic, &mut results);
            results.iter().all(|result| *result == BaseElement::ZERO)
        };
        trace.read_main_frame(row, &mut frame);
        assert!(follows(&frame), "row {row}");
        for column in 0..trace.info().width() {
            frame.next_mut()[column] += BaseElement::ONE;
            assert!(!follows(&frame), "column {column} after row {row}");
            frame.next_mut()[column] -= BaseElement::ONE;
        }
    }
}

#[test]
fn constraints_leave_no_element_free() {
    rows_follow::<Chain>(16);
    rows_follow::<Rounds>(16);
    rows_follow::<Fibonacci>(8);
}

#[test]
fn an_auxiliary_segment() {
    same::<Shuffle>(64, &options(FieldExtension::Quadratic, 4));
}

/// Rows in several parts; and in one that is wider than the row, whose digest Winterfell hashes once more.
#[test]
fn partitions() {
    for (partitions, rate) in [(3, 1), (2, 8), (5, 2), (2, 32)] {
        same::<Rounds>(32, &options(FieldExtension::None, 8).with_partitions(partitions, rate));
    }
}
