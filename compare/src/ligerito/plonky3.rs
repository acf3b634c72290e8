//! Plonky3's `p3-binary-pcs`: one column over its GF(2^32), challenges over its GF(2^128), Keccak-256, as its own benchmark
//! has it; inverse rate 4, 100 bits without proof of work, one thread.

use super::Peer;
use crate::sample::peer_build;
use p3_binary_field::{BinaryChallenger, BinaryField32, BinaryField128, TowerLevel};
use p3_binary_pcs::{BinaryPcs, BinaryPcsConfig, BinaryPcsParams, BinaryPcsProof, GroupedCodewordMmcs};
use p3_challenger::HashChallenger;
use p3_commit::{Mmcs, MultilinearPcs};
use p3_keccak::Keccak256Hash;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_sumcheck::layout::{Layout, SuffixProver, Table, Witness};
use p3_sumcheck::{OpeningBatch, OpeningProtocol, TableShape, TableSpec};
use p3_symmetric::{CompressionFunctionFromHasher, SerializingHasher};
use std::hint::black_box;

const NAME: &str = "p3-binary-pcs";
const NOTE: &str =
    "one opening; GF(2^32) under GF(2^128), Keccak-256, inverse rate 4, 8-fold batches in grouped leaves";

/// Variables folded between two commitments. Others were not tried.
pub(super) const FOLDING: usize = 3;

type Small = BinaryField32;
pub(super) type Large = BinaryField128;
type Hash = SerializingHasher<Keccak256Hash>;
type Compress = CompressionFunctionFromHasher<Keccak256Hash, 2, 32>;
pub(super) type Trees<F> = GroupedCodewordMmcs<MerkleTreeMmcs<F, u8, Hash, Compress, 2, 32>>;
type Challenger = BinaryChallenger<Small, HashChallenger<u8, Keccak256Hash, 32>>;
type Pcs = BinaryPcs<Small, Large, Trees<Small>, Trees<Large>>;
type Proof = BinaryPcsProof<Small, Large, Trees<Small>, Trees<Large>>;

/// What it makes before it proves, and a proof.
pub(super) struct Setup {
    pcs: Pcs,
    witness: Witness<Small>,
    protocol: OpeningProtocol,
    commitment: <Trees<Small> as Mmcs<Small>>::Commitment,
    proof: Proof,
}

pub(super) fn trees<F: p3_field::Field>(config: &BinaryPcsConfig) -> Trees<F> {
    let trees = MerkleTreeMmcs::new(Hash::new(Keccak256Hash), Compress::new(Keccak256Hash), 0);
    GroupedCodewordMmcs::for_folding(trees, config)
}

fn challenger() -> Challenger {
    Challenger::from_hasher(Vec::new(), Keccak256Hash)
}

impl Setup {
    pub(super) fn new(variables: u8, polynomial: &[u32]) -> Self {
        let variables = usize::from(variables);
        let params = BinaryPcsParams { log_inv_rate: 2, pow_bits: 0, security_level: 100 };
        let config = BinaryPcsConfig::try_new_with_folding::<Small, Large>(variables, params, FOLDING)
            .expect("a sound configuration");
        let pcs = Pcs::new(config, trees(&config), trees(&config)).expect("derived for these fields");
        let words: Vec<Small> = polynomial.iter().map(|&word| Small::from_repr(word)).collect();
        let table = Table::new(RowMajorMatrix::new_row(words));
        let witness = SuffixProver::<Small, Large>::new_witness(vec![table], 0);
        let opening = OpeningBatch::new(vec![0], Vec::new());
        let protocol =
            OpeningProtocol::new(vec![TableSpec::new(TableShape::new(variables, 1), vec![opening])]);
        let (commitment, proof) = prove(&pcs, &witness, &protocol);
        Self { pcs, witness, protocol, commitment, proof }
    }

    pub(super) fn prover(&self) -> Peer<'_> {
        let run = || {
            black_box(prove(&self.pcs, black_box(&self.witness), &self.protocol));
        };
        Peer { name: NAME, version: version(), note: NOTE, run: Box::new(run) }
    }

    pub(super) fn verifier(&self) -> Peer<'_> {
        let run = || {
            let protocol = self.protocol.clone();
            let verdict =
                self.pcs.verify(&self.commitment, black_box(&self.proof), &mut challenger(), protocol);
            verdict.expect("its own proof");
        };
        Peer { name: NAME, version: version(), note: NOTE, run: Box::new(run) }
    }

    /// With all lengths as eight bytes.
    pub(super) fn proof_bytes(&self) -> usize {
        bincode::serialize(&self.proof).expect("plain data").len()
    }
}

fn prove(
    pcs: &Pcs,
    witness: &Witness<Small>,
    protocol: &OpeningProtocol,
) -> (<Trees<Small> as Mmcs<Small>>::Commitment, Proof) {
    let mut challenger = challenger();
    let (commitment, data) = pcs.commit(witness.clone(), &mut challenger).expect("of the right length");
    let proof = pcs.open(data, protocol.clone(), &mut challenger).expect("one claim is within its budget");
    (commitment, proof)
}

/// How it was built.
pub(super) fn version() -> String {
    format!("0.9.0-rc.2, {}", peer_build())
}
