//! Crate `ligerito`, with its SHA-256 transcript, on a pool of rayon's with as many threads as ours has.

use super::Peer;
use crate::sample::peer_build;
use ligerito::{FinalizedLigeritoProof, ProverConfig, VerifierConfig, prove_sha256, verify_sha256};
use ligerito_binary_fields::{BinaryElem32, BinaryElem128};
use std::hint::black_box;
use std::marker::PhantomData;

pub(super) const NAME: &str = "ligerito";
const NOTE: &str = "sha256 transcript, no claims; its README asks for target-cpu=native";

type Proof = FinalizedLigeritoProof<BinaryElem32, BinaryElem128>;

/// What it makes before it proves, and a proof.
pub(super) struct Setup {
    polynomial: Vec<BinaryElem32>,
    prover: ProverConfig<BinaryElem32, BinaryElem128>,
    verifier: VerifierConfig,
    proof: Proof,
}

/// A pool of its own, so that its threads end with it.
fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}

/// How it was built.
fn version() -> String {
    format!("0.8.0, {}", peer_build())
}

impl Setup {
    pub(super) fn new(variables: u8, polynomial: &[u32]) -> Self {
        let (small, large) = (PhantomData::<BinaryElem32>, PhantomData::<BinaryElem128>);
        let (prover, verifier) = match variables {
            20 => (ligerito::hardcoded_config_20(small, large), ligerito::hardcoded_config_20_verifier()),
            24 => (ligerito::hardcoded_config_24(small, large), ligerito::hardcoded_config_24_verifier()),
            other => unreachable!("2^{other} is not compared"),
        };
        let polynomial: Vec<_> = polynomial.iter().map(|&word| BinaryElem32::from(word)).collect();
        let proof = pool(1).install(|| prove_sha256(&prover, &polynomial)).expect("a good configuration");
        Self { polynomial, prover, verifier, proof }
    }

    pub(super) fn prover(&self) -> Peer<'_> {
        self.prover_on(1)
    }

    pub(super) fn prover_on(&self, threads: usize) -> Peer<'_> {
        let pool = pool(threads);
        let run = move || {
            let proof = pool.install(|| prove_sha256(&self.prover, black_box(&self.polynomial)));
            black_box(proof).expect("a good configuration");
        };
        Peer { name: NAME, version: version(), note: NOTE, run: Box::new(run) }
    }

    pub(super) fn verifier(&self) -> Peer<'_> {
        let pool = pool(1);
        let run = move || {
            let verdict = pool.install(|| verify_sha256(&self.verifier, black_box(&self.proof)));
            assert!(verdict.expect("a well-formed proof"), "its own proof");
        };
        Peer { name: NAME, version: version(), note: NOTE, run: Box::new(run) }
    }

    /// As its command line writes it.
    pub(super) fn proof(&self) -> Vec<u8> {
        bincode::serialize(&self.proof).expect("plain data")
    }
}
