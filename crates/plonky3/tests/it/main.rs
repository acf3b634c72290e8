//! Digests, roots and openings are Plonky3's, on every backend.

#[path = "../../examples/fibonacci/mod.rs"]
mod fibonacci;

#[cfg(feature = "goldilocks")]
mod goldilocks;
mod proofs;

use p3_commit::{BatchOpeningRef, Mmcs};
use p3_field::PrimeCharacteristicRing;
use p3_koala_bear::{KoalaBear, default_koalabear_poseidon1_16, default_koalabear_poseidon1_24};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{
    CryptographicHasher, CryptographicPermutation, PaddingFreeSponge, PseudoCompressionFunction,
    TruncatedPermutation,
};
use phalanx_plonky3::{
    PackedCompression, PackedSponge, Poseidon1Width16, Poseidon1Width24, Poseidon2Width16, Poseidon2Width24,
    PoseidonPermutation, poseidon2_width16, poseidon2_width24,
};
use phalanx_xmss::Backend;

/// Elements that repeat for nobody: the edges first, then a generator of 64 bits.
fn elements(count: usize) -> Vec<KoalaBear> {
    let edges = [KoalaBear::ZERO, KoalaBear::ONE, -KoalaBear::ONE, KoalaBear::TWO];
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let random = core::iter::repeat_with(move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        KoalaBear::from_u64(x)
    });
    edges.into_iter().chain(random).take(count).collect()
}

fn on_backends(check: impl Fn()) {
    for backend in Backend::ALL {
        if backend.force(&check).is_err() {
            eprintln!("{}: not run", backend.name());
        }
    }
}

/// Our sponge, compression and permutation `P` give what Plonky3's give over `theirs`.
fn same<P, T, const W: usize, const RATE: usize>(ours: P, theirs: T)
where
    P: PoseidonPermutation
        + CryptographicPermutation<[KoalaBear; W]>
        + CryptographicPermutation<[[KoalaBear; 2]; W]>,
    T: CryptographicPermutation<[KoalaBear; W]>,
{
    let their_sponge = PaddingFreeSponge::<T, W, RATE, 8>::new(theirs.clone());
    let their_compression = TruncatedPermutation::<T, 2, 8, W>::new(theirs.clone());
    let (sponge, compression) = (PackedSponge::<P>::default(), PackedCompression::<P>::default());
    on_backends(|| {
        let state: [KoalaBear; W] = elements(W).try_into().expect("as many");
        assert_eq!(ours.permute(state), theirs.permute(state));
        // Packed, as a search for a proof of work has it: two lanes that differ.
        let lanes = [state, core::array::from_fn(|i| state[W - 1 - i])];
        let permuted = ours.permute(core::array::from_fn(|i| lanes.map(|lane| lane[i])));
        for (at, lane) in lanes.into_iter().enumerate() {
            assert_eq!(permuted.map(|column| column[at]), theirs.permute(lane));
        }
        for len in [0, 1, 8, 9, 16, 17, 33] {
            for count in [1, 2, 16, 19] {
                let input = elements(len * count);
                let (mut digests, mut wanted) =
                    (vec![[KoalaBear::TWO; 8]; count], vec![[KoalaBear::ONE; 8]; count]);
                sponge.hash_many(&input, &mut digests);
                their_sponge.hash_many(&input, &mut wanted);
                assert_eq!(digests, wanted, "{count} of {len}");
                assert_eq!(
                    sponge.hash_iter(input.iter().copied()),
                    their_sponge.hash_iter(input.iter().copied())
                );
            }
        }
        for count in [0, 1, 2, 16, 19] {
            let input = elements(16 * count);
            let pairs: Vec<[[KoalaBear; 8]; 2]> = input
                .as_chunks::<16>()
                .0
                .iter()
                .map(|x| [0, 8].map(|at| core::array::from_fn(|i| x[at + i])))
                .collect();
            let mut digests = vec![[KoalaBear::ZERO; 8]; count];
            compression.compress_many(&pairs, &mut digests);
            for (digest, pair) in digests.iter().zip(&pairs) {
                assert_eq!(*digest, their_compression.compress(*pair));
                assert_eq!(*digest, compression.compress(*pair));
            }
        }
    });
}

#[test]
fn poseidon2_16() {
    same::<_, _, 16, 8>(Poseidon2Width16, poseidon2_width16());
}

#[test]
fn poseidon2_24() {
    same::<_, _, 24, 16>(Poseidon2Width24, poseidon2_width24());
}

#[test]
fn poseidon1_16() {
    same::<_, _, 16, 8>(Poseidon1Width16, default_koalabear_poseidon1_16());
}

#[test]
fn poseidon1_24() {
    same::<_, _, 24, 16>(Poseidon1Width24, default_koalabear_poseidon1_24());
}

#[test]
#[should_panic(expected = "7 elements are no 2 messages of one length")]
fn ragged_messages_panic() {
    PackedSponge::<Poseidon2Width16>::default().hash_many(&elements(7), &mut [[KoalaBear::ZERO; 8]; 2]);
}

/// Trees over matrices of several heights: roots, openings, and that each verifies the other's.
#[test]
fn trees() {
    type Sponge = PackedSponge<Poseidon2Width16>;
    type Compression = PackedCompression<Poseidon2Width16>;
    let ours = MerkleTreeMmcs::<KoalaBear, KoalaBear, Sponge, Compression, 2, 8>::new(
        Sponge::default(),
        Compression::default(),
        0,
    );
    let permutation = poseidon2_width16();
    let theirs = MerkleTreeMmcs::<KoalaBear, KoalaBear, _, _, 2, 8>::new(
        PaddingFreeSponge::<_, 16, 8, 8>::new(permutation.clone()),
        TruncatedPermutation::<_, 2, 8, 16>::new(permutation),
        0,
    );
    for sizes in [&[(64, 32)][..], &[(1, 3)], &[(32, 5), (32, 9), (8, 2)], &[(128, 1), (64, 17), (2, 8)]] {
        let matrices: Vec<_> = sizes
            .iter()
            .map(|&(height, width)| RowMajorMatrix::new(elements(height * width), width))
            .collect();
        let dimensions: Vec<_> = matrices.iter().map(Matrix::dimensions).collect();
        let (root, data) = ours.commit(matrices.clone());
        let (their_root, their_data) = theirs.commit(matrices);
        assert_eq!(root, their_root);
        let index = sizes[0].0 / 2;
        let (opening, their_opening) = (ours.open_batch(index, &data), theirs.open_batch(index, &their_data));
        assert_eq!(opening.opened_values, their_opening.opened_values);
        assert_eq!(opening.opening_proof, their_opening.opening_proof);
        // Each verifies what the other opened, where it was opened.
        let opened = BatchOpeningRef::new(&opening.opened_values, &opening.opening_proof);
        assert!(theirs.verify_batch(&root, &dimensions, index, opened).is_ok());
        let verify = |index| {
            let (values, proof) = (&their_opening.opened_values, &their_opening.opening_proof);
            ours.verify_batch(&root, &dimensions, index, BatchOpeningRef::new(values, proof))
        };
        assert!(verify(index).is_ok());
        assert!(index == 0 || verify(index - 1).is_err());
    }
}
