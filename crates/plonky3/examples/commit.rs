//! Times the commitment to a matrix of KoalaBear elements by Plonky3's Merkle tree, with its own types and with this crate's,
//! and compares the roots. With the feature `goldilocks`, RPO over Goldilocks too, with a sixteenth of the rows.
//!
//! `cargo run --release -p phalanx-plonky3 --all-features --example commit -- 20 32 5`: the base-2 logarithm of the rows,
//! columns and rounds. Reported is the least processor time of all rounds, in which the two take turns. Theirs is compiled for the CPU
//! that `target-cpu` names, with the packed types that go with it.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use cpu_time::ProcessTime;
use p3_commit::Mmcs;
use p3_field::Field;
use p3_koala_bear::{KoalaBear, default_koalabear_poseidon1_16};
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
use phalanx_plonky3::{
    PackedCompression, PackedSponge, Poseidon1Width16, Poseidon2Width16, PoseidonPermutation,
    poseidon2_width16,
};
use std::time::Duration;

type Packing = <KoalaBear as Field>::Packing;

fn time<F: Field, M: Mmcs<F>>(mmcs: &M, matrix: &RowMajorMatrix<F>) -> (Duration, M::Commitment) {
    let matrix = matrix.clone();
    let start = ProcessTime::now();
    let (root, _) = mmcs.commit_matrix(matrix);
    (start.elapsed(), root)
}

fn compare<F, T, O>(name: &str, theirs: &T, ours: &O, matrix: &RowMajorMatrix<F>, rounds: usize)
where
    F: Field,
    T: Mmcs<F>,
    O: Mmcs<F, Commitment = T::Commitment>,
    T::Commitment: PartialEq,
{
    let mut least = [Duration::MAX; 2];
    for _ in 0..rounds {
        let (their_time, root) = time(theirs, matrix);
        let (our_time, our_root) = time(ours, matrix);
        assert!(root == our_root, "{name}: the roots differ");
        least = [least[0].min(their_time), least[1].min(our_time)];
    }
    let [theirs, ours] = least.map(|time| time.as_secs_f64());
    println!("{name:12} theirs {:8.1} ms, ours {:8.1} ms: {:.2}", theirs * 1e3, ours * 1e3, theirs / ours);
}

fn ours<P: PoseidonPermutation>()
-> MerkleTreeMmcs<KoalaBear, KoalaBear, PackedSponge<P>, PackedCompression<P>, 2, 8> {
    MerkleTreeMmcs::new(PackedSponge::default(), PackedCompression::default(), 0)
}

macro_rules! theirs {
    ($permutation:expr) => {
        MerkleTreeMmcs::<Packing, Packing, _, _, 2, 8>::new(
            PaddingFreeSponge::<_, 16, 8, 8>::new($permutation),
            TruncatedPermutation::<_, 2, 8, 16>::new($permutation),
            0,
        )
    };
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().expect("a number"));
    let mut next = |default: usize| arguments.next().unwrap_or(default);
    let (log2_rows, columns, rounds) = (next(20), next(32), next(5));
    let values =
        (0..u32::MAX).map(|i| KoalaBear::new(i.wrapping_mul(0x9e37_79b9))).take(columns << log2_rows);
    let matrix = RowMajorMatrix::new(values.collect(), columns);
    println!("2^{log2_rows} x {columns}, the least of {rounds}; the roots are equal");
    compare("Poseidon2", &theirs!(poseidon2_width16()), &ours::<Poseidon2Width16>(), &matrix, rounds);
    compare(
        "Poseidon",
        &theirs!(default_koalabear_poseidon1_16()),
        &ours::<Poseidon1Width16>(),
        &matrix,
        rounds,
    );
    #[cfg(feature = "goldilocks")]
    rpo(log2_rows.saturating_sub(4), columns, rounds);
}

#[cfg(feature = "goldilocks")]
fn rpo(log2_rows: usize, columns: usize, rounds: usize) {
    use p3_goldilocks::Goldilocks;
    use phalanx_plonky3::RpoWidth12;

    type Ours =
        MerkleTreeMmcs<Goldilocks, Goldilocks, PackedSponge<RpoWidth12>, PackedCompression<RpoWidth12>, 2, 4>;
    let permutation = p3_rescue::RpoGoldilocks::from_standard_constants();
    let theirs = MerkleTreeMmcs::<Goldilocks, Goldilocks, _, _, 2, 4>::new(
        PaddingFreeSponge::<_, 12, 8, 4>::new(permutation.clone()),
        TruncatedPermutation::<_, 2, 4, 12>::new(permutation),
        0,
    );
    let ours = Ours::new(PackedSponge::default(), PackedCompression::default(), 0);
    let values = (0..u64::MAX).map(|i| Goldilocks::new(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let matrix = RowMajorMatrix::new(values.take(columns << log2_rows).collect(), columns);
    compare("RPO", &theirs, &ours, &matrix, rounds);
}
