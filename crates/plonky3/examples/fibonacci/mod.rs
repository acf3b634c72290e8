//! What Plonky3's first example computes, the Fibonacci sequence with two terms in each row, and its prover with Plonky3's
//! own types and with ours: what differs is the three types of [`Prover`].
#![allow(dead_code, reason = "the example and the tests need different parts")]

use p3_air::{Air, AirBuilder, BaseAir, WindowAccess};
use p3_challenger::{CanObserve, CanSample, DuplexChallenger, FieldChallenger, GrindingChallenger};
use p3_commit::{ExtensionMmcs, Mmcs};
use p3_dft::Radix2DitParallel;
use p3_field::extension::BinomialExtensionField;
use p3_field::{Field, PrimeCharacteristicRing};
use p3_fri::{FriParameters, TwoAdicFriPcs};
use p3_koala_bear::{KoalaBear, Poseidon1KoalaBear, default_koalabear_poseidon1_16};
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
use p3_uni_stark::StarkConfig;
use phalanx_plonky3::{PackedChallenger, PackedCompression, PackedSponge, Poseidon1Width16};

/// Two columns. Public: the terms of the first row, and the last term.
pub(crate) struct Fibonacci;

impl<F> BaseAir<F> for Fibonacci {
    fn width(&self) -> usize {
        2
    }

    fn num_public_values(&self) -> usize {
        3
    }
}

impl<B: AirBuilder> Air<B> for Fibonacci {
    fn eval(&self, builder: &mut B) {
        let main = builder.main();
        let [now, next] = [main.current_slice(), main.next_slice()].map(|row| [row[0], row[1]]);
        let public = builder.public_values();
        let [first, second, last] = [public[0], public[1], public[2]];
        builder.when_first_row().assert_eq(now[0], first);
        builder.when_first_row().assert_eq(now[1], second);
        builder.when_transition().assert_eq(next[0], now[1]);
        builder.when_transition().assert_eq(next[1], now[0] + now[1]);
        builder.when_last_row().assert_eq(now[1], last);
    }
}

/// The rows that begin with 0 and 1, and what is public of them.
pub(crate) fn trace(rows: usize) -> (RowMajorMatrix<KoalaBear>, [KoalaBear; 3]) {
    let first = [KoalaBear::ZERO, KoalaBear::ONE];
    let terms: Vec<_> =
        core::iter::successors(Some(first), |&[a, b]| Some([b, a + b])).take(rows).flatten().collect();
    let last = terms[terms.len() - 1];
    (RowMajorMatrix::new(terms, 2), [first[0], first[1], last])
}

/// The extension that challenges are drawn from.
type Challenge = BinomialExtensionField<KoalaBear, 4>;

/// Plonky3's configuration over the commitments `M` and the challenger `C`.
pub(crate) type Config<M, C> = StarkConfig<
    TwoAdicFriPcs<KoalaBear, Radix2DitParallel<KoalaBear>, M, ExtensionMmcs<KoalaBear, Challenge, M>>,
    Challenge,
    C,
>;

/// The parts of a prover that hash.
pub(crate) trait Prover {
    type Mmcs: Mmcs<KoalaBear, MultiProof: Sync, Error: Sync>;
    type Challenger: FieldChallenger<KoalaBear>
        + GrindingChallenger<Witness = KoalaBear>
        + CanObserve<<Self::Mmcs as Mmcs<KoalaBear>>::Commitment>
        + CanSample<Challenge>
        + Clone;

    fn mmcs() -> Self::Mmcs;
    fn challenger() -> Self::Challenger;
}

type Packing = <KoalaBear as Field>::Packing;
type TheirPermutation = Poseidon1KoalaBear<16>;
type TheirSponge = PaddingFreeSponge<TheirPermutation, 16, 8, 8>;
type TheirCompression = TruncatedPermutation<TheirPermutation, 2, 8, 16>;

/// Plonky3's types, packed as `target-cpu` allows.
pub(crate) struct Theirs;

impl Prover for Theirs {
    type Mmcs = MerkleTreeMmcs<Packing, Packing, TheirSponge, TheirCompression, 2, 8>;
    type Challenger = DuplexChallenger<KoalaBear, TheirPermutation, 16, 8>;

    fn mmcs() -> Self::Mmcs {
        let permutation = default_koalabear_poseidon1_16();
        MerkleTreeMmcs::new(TheirSponge::new(permutation.clone()), TheirCompression::new(permutation), 0)
    }

    fn challenger() -> Self::Challenger {
        DuplexChallenger::new(default_koalabear_poseidon1_16())
    }
}

type OurSponge = PackedSponge<Poseidon1Width16>;
type OurCompression = PackedCompression<Poseidon1Width16>;

/// This crate's types.
pub(crate) struct Ours;

impl Prover for Ours {
    type Mmcs = MerkleTreeMmcs<KoalaBear, KoalaBear, OurSponge, OurCompression, 2, 8>;
    type Challenger = PackedChallenger<Poseidon1Width16>;

    fn mmcs() -> Self::Mmcs {
        MerkleTreeMmcs::new(OurSponge::default(), OurCompression::default(), 0)
    }

    fn challenger() -> Self::Challenger {
        PackedChallenger::default()
    }
}

/// Plonky3's parameters of its benchmarks (conjectured: 116 bits), or with fewer queries and bits.
pub(crate) fn config<P: Prover>(
    num_queries: usize,
    query_proof_of_work_bits: usize,
) -> Config<P::Mmcs, P::Challenger> {
    let benchmark = FriParameters::new_benchmark(ExtensionMmcs::new(P::mmcs()));
    let parameters = FriParameters { num_queries, query_proof_of_work_bits, ..benchmark };
    StarkConfig::new(TwoAdicFriPcs::new(Radix2DitParallel::default(), P::mmcs(), parameters), P::challenger())
}
