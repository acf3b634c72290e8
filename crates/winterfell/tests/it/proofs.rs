//! Whole proofs.

use crate::computations::{Commitments, Computation, Fibonacci, Ours, ProverOf, Rounds, Shuffle, Theirs};
use crate::on_backends;
use phalanx_winterfell as ours;
use winterfell::crypto::{DefaultRandomCoin, MerkleTree, hashers};
use winterfell::math::FieldElement;
use winterfell::math::fields::f64::BaseElement;
use winterfell::{AcceptableOptions, BatchingMethod, FieldExtension, Proof, ProofOptions, Prover, verify};

fn options(extension: FieldExtension, folding: usize) -> ProofOptions {
    let linear = BatchingMethod::Linear;
    ProofOptions::new(20, 8, 8, extension, folding, 7, linear, linear)
}

fn prove<A: Computation, C: Commitments>(rows: usize, options: &ProofOptions) -> Vec<u8> {
    ProverOf::<A, C>::new(options.clone()).prove(A::trace(rows)).expect("an honest trace").to_bytes()
}

/// The same bytes, which Winterfell's verifier takes, and not for another result.
fn same<A: Computation<PublicInputs = BaseElement>>(rows: usize, options: &ProofOptions) {
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
    let check = |public| {
        let proof = Proof::from_bytes(&theirs).expect("a proof");
        let accepted = AcceptableOptions::OptionSet(vec![options.clone()]);
        verify::<A, Rp64, DefaultRandomCoin<Rp64>, MerkleTree<Rp64>>(proof, public, &accepted)
    };
    assert!(check(public).is_ok());
    assert!(check(public + BaseElement::ONE).is_err());
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
