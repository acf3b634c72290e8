//! Poseidon2 and Poseidon over KoalaBear, and RPO over Goldilocks, under the traits of `p3-symmetric` (0.9), in SIMD lanes
//! chosen at run time.
//!
//! Plonky3's trees hand lists of rows and nodes to a hasher that has lanes; [`PackedSponge`] and [`PackedCompression`] have
//! them in every build, whatever `target-cpu` says. So the packings of a tree are `KoalaBear` itself:
//!
//! ```
//! use p3_commit::Mmcs as _;
//! use p3_koala_bear::{KoalaBear, default_koalabear_poseidon1_16};
//! use p3_matrix::dense::RowMajorMatrix;
//! use p3_merkle_tree::MerkleTreeMmcs;
//! use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
//! use phalanx_plonky3::{PackedCompression, PackedSponge, Poseidon1Width16};
//!
//! type Sponge = PackedSponge<Poseidon1Width16>;
//! type Compression = PackedCompression<Poseidon1Width16>;
//! type Ours = MerkleTreeMmcs<KoalaBear, KoalaBear, Sponge, Compression, 2, 8>;
//!
//! let matrix = RowMajorMatrix::new((0..640).map(KoalaBear::new).collect(), 10);
//! let (root, _) = Ours::new(Sponge::default(), Compression::default(), 0).commit_matrix(matrix.clone());
//!
//! let permutation = default_koalabear_poseidon1_16();
//! let hash = PaddingFreeSponge::<_, 16, 8, 8>::new(permutation.clone());
//! let compress = TruncatedPermutation::<_, 2, 8, 16>::new(permutation);
//! let theirs = MerkleTreeMmcs::<KoalaBear, KoalaBear, _, _, 2, 8>::new(hash, compress, 0);
//! assert_eq!(theirs.commit_matrix(matrix).0, root);
//! ```
//!
//! The same types serve the FRI prover: its commitments are that tree and `ExtensionMmcs` of it, and [`PackedChallenger`] is
//! its challenger, which searches for the proof of work in lanes. Proofs are Plonky3's, byte for byte.
//!
//! Poseidon has the constants of `default_koalabear_poseidon1_16` and `_24`. Poseidon2 has leanSig's, which Plonky3's own
//! type takes, too ([`poseidon2_width16`]); Plonky3's default constants of 0.9 are others, and have no lanes here. With the
//! feature `goldilocks`, `RpoWidth12` is RPO over Goldilocks, the permutation of `p3_rescue::RpoGoldilocks`.
//!
//! For public data: working memory is not wiped.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod challenger;
#[cfg(feature = "goldilocks")]
mod goldilocks;
mod permutations;
mod sponge;
mod words;

pub use challenger::PackedChallenger;
#[cfg(feature = "goldilocks")]
pub use goldilocks::RpoWidth12;
pub use permutations::{
    Poseidon1Width16, Poseidon1Width24, Poseidon2Width16, Poseidon2Width24, PoseidonPermutation,
    poseidon2_width16, poseidon2_width24,
};
pub use sponge::{PackedCompression, PackedSponge};
