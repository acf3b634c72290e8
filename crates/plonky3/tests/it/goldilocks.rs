//! RPO over Goldilocks: what `p3-rescue` has.

use crate::on_backends;
use p3_commit::Mmcs;
use p3_field::PrimeCharacteristicRing;
use p3_goldilocks::Goldilocks;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_rescue::RpoGoldilocks;
use p3_symmetric::{
    CryptographicHasher, PaddingFreeSponge, Permutation, PseudoCompressionFunction, TruncatedPermutation,
};
use phalanx_plonky3::{PackedCompression, PackedSponge, RpoWidth12};

type Digest = [Goldilocks; 4];
type TheirSponge = PaddingFreeSponge<RpoGoldilocks, 12, 8, 4>;
type TheirCompression = TruncatedPermutation<RpoGoldilocks, 2, 4, 12>;

/// The edges first, then a generator; words that are not canonical among them.
fn elements(count: usize) -> Vec<Goldilocks> {
    let words = (1..).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let edges = [0, 1, 0xffff_ffff_0000_0000, 0xffff_ffff_0000_0001, u64::MAX];
    edges.into_iter().chain(words).map(Goldilocks::new).take(count).collect()
}

fn theirs() -> (TheirSponge, TheirCompression) {
    let permutation = RpoGoldilocks::from_standard_constants();
    (TheirSponge::new(permutation.clone()), TheirCompression::new(permutation))
}

#[test]
fn permutations() {
    let theirs = RpoGoldilocks::from_standard_constants();
    on_backends(|| {
        let columns: [[Goldilocks; 3]; 12] =
            core::array::from_fn(|i| elements(36)[3 * i..][..3].try_into().expect("three"));
        let permuted = RpoWidth12.permute(columns);
        for lane in 0..3 {
            let wanted = theirs.permute(columns.map(|column| column[lane]));
            assert_eq!(permuted.map(|column| column[lane]), wanted);
            assert_eq!(RpoWidth12.permute(columns.map(|column| column[lane])), wanted);
        }
    });
}

#[test]
fn lists() {
    let (their_sponge, their_compression) = theirs();
    let (sponge, compression) =
        (PackedSponge::<RpoWidth12>::default(), PackedCompression::<RpoWidth12>::default());
    on_backends(|| {
        for (len, count) in [(0, 3), (1, 1), (7, 49), (8, 2), (9, 48), (17, 5)] {
            let input = elements(len * count);
            let (mut digests, mut wanted) =
                (vec![[Goldilocks::TWO; 4]; count], vec![Digest::default(); count]);
            sponge.hash_many(&input, &mut digests);
            their_sponge.hash_many(&input, &mut wanted);
            assert_eq!(digests, wanted, "{count} of {len}");
        }
        for count in [0, 1, 3, 48, 49] {
            let pairs: Vec<[Digest; 2]> = elements(8 * count).as_chunks::<4>().0.as_chunks::<2>().0.to_vec();
            let mut digests = vec![Digest::default(); count];
            compression.compress_many(&pairs, &mut digests);
            let wanted: Vec<_> = pairs.iter().map(|&pair| their_compression.compress(pair)).collect();
            assert_eq!(digests, wanted);
        }
    });
}

#[test]
fn trees_of_two_heights() {
    type Ours =
        MerkleTreeMmcs<Goldilocks, Goldilocks, PackedSponge<RpoWidth12>, PackedCompression<RpoWidth12>, 2, 4>;
    let (sponge, compression) = theirs();
    let theirs = MerkleTreeMmcs::<Goldilocks, Goldilocks, _, _, 2, 4>::new(sponge, compression, 0);
    let matrices =
        [(64, 9), (16, 3)].map(|(height, width)| RowMajorMatrix::new(elements(height * width), width));
    let ours = Ours::new(PackedSponge::default(), PackedCompression::default(), 0);
    assert_eq!(ours.commit(matrices.to_vec()).0, theirs.commit(matrices.to_vec()).0);
}
