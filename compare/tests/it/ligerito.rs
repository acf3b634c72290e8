//! `ligerito-ref-v08` and the published crate: the same proofs, each accepted by the other's verifier, with both transcripts,
//! with claims and without.

use ligerito::eval_proof::EvalClaim;
use ligerito::{
    FiatShamir, FinalizedLigeritoProof, ProverConfig, VerifierConfig, prove_with_evaluations,
    verify_with_evaluations, verify_with_transcript,
};
use ligerito_binary_fields::{BinaryElem32, BinaryElem128};
use phalanx::Backend;
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, TranscriptKind};
use std::marker::PhantomData;

type Proof = FinalizedLigeritoProof<BinaryElem32, BinaryElem128>;

/// One size on both sides.
struct Size {
    config: Config,
    prover: ProverConfig<BinaryElem32, BinaryElem128>,
    verifier: VerifierConfig,
    polynomial: Vec<u32>,
}

impl Size {
    fn new(variables: u8) -> Self {
        let (small, large) = (PhantomData::<BinaryElem32>, PhantomData::<BinaryElem128>);
        let (prover, verifier) = match variables {
            12 => (ligerito::hardcoded_config_12(small, large), ligerito::hardcoded_config_12_verifier()),
            16 => (ligerito::hardcoded_config_16(small, large), ligerito::hardcoded_config_16_verifier()),
            other => unreachable!("2^{other} is not compared"),
        };
        let coefficient = |i: u32| i.wrapping_mul(0x9e37_79b9).rotate_left(i % 31) ^ 0x5eed;
        Self {
            config: Config::published(variables).expect("a published size"),
            prover,
            verifier,
            polynomial: (0..1u32 << variables).map(coefficient).collect(),
        }
    }

    /// True claims about some coefficients.
    fn claims(&self, count: usize) -> Vec<CoefficientClaim> {
        let last = self.polynomial.len() - 1;
        let claim = |index: usize| CoefficientClaim { index: index as u64, value: self.polynomial[index] };
        [last, 0, 1234].into_iter().take(count).map(claim).collect()
    }

    fn their_proof(&self, kind: TranscriptKind, claims: &[CoefficientClaim]) -> Vec<u8> {
        let polynomial: Vec<_> = self.polynomial.iter().map(|&word| BinaryElem32::from(word)).collect();
        let proof = prove_with_evaluations(&self.prover, &polynomial, &theirs(claims), transcript(kind));
        bincode::serialize(&proof.expect("a good configuration")).expect("plain data")
    }

    fn they_accept(&self, kind: TranscriptKind, claims: &[CoefficientClaim], proof: &[u8]) -> bool {
        // What they cannot read they do not accept.
        let Ok(proof) = bincode::deserialize::<Proof>(proof) else { return false };
        // Their function for claims refuses to have none.
        let verdict = if claims.is_empty() {
            verify_with_transcript(&self.verifier, &proof, transcript(kind))
        } else {
            verify_with_evaluations(&self.verifier, &proof, &theirs(claims), transcript(kind))
        };
        verdict.unwrap_or(false)
    }

    fn our_proof(&self, kind: TranscriptKind, claims: &[CoefficientClaim]) -> Vec<u8> {
        ref_v08::prove(&self.config, kind, &self.polynomial, claims).expect("true claims")
    }

    fn we_accept(&self, kind: TranscriptKind, claims: &[CoefficientClaim], proof: &[u8]) -> bool {
        let root = ref_v08::commit(&self.config, &self.polynomial).expect("a good length");
        ref_v08::verify(&self.config, kind, &root, claims, proof).is_ok()
    }
}

fn transcript(kind: TranscriptKind) -> FiatShamir {
    match kind {
        TranscriptKind::Sha256 => FiatShamir::new_sha256(1234),
        TranscriptKind::Merlin => FiatShamir::new_merlin(),
        other => unreachable!("{other:?} is not the crate's"),
    }
}

fn theirs(claims: &[CoefficientClaim]) -> Vec<EvalClaim<BinaryElem32>> {
    let claim = |claim: &CoefficientClaim| EvalClaim {
        index: usize::try_from(claim.index).expect("an index"),
        value: BinaryElem32::from(claim.value),
    };
    claims.iter().map(claim).collect()
}

#[test]
fn each_accepts_the_proofs_of_the_other() {
    for variables in [12, 16] {
        let size = Size::new(variables);
        for kind in TranscriptKind::ALL {
            for count in [0, 1, 3] {
                let place = format!("2^{variables}, {}, {count} claims", kind.name());
                let claims = size.claims(count);
                let their_proof = size.their_proof(kind, &claims);
                for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
                    backend
                        .force(|| {
                            let our_proof = size.our_proof(kind, &claims);
                            assert!(size.they_accept(kind, &claims, &our_proof), "{place}: ours by them");
                            assert!(size.we_accept(kind, &claims, &their_proof), "{place}: theirs by us");
                            assert!(our_proof == their_proof, "{place}: the same bytes");
                        })
                        .expect("it is available");
                }
            }
        }
    }
}

#[test]
fn both_reject_what_is_not_proved() {
    let size = Size::new(12);
    for kind in TranscriptKind::ALL {
        let claims = size.claims(3);
        let proof = size.our_proof(kind, &claims);
        let both_reject = |kind: TranscriptKind, claims: &[CoefficientClaim], proof: &[u8], what: &str| {
            assert!(!size.they_accept(kind, claims, proof), "{}: {what}: by them", kind.name());
            assert!(!size.we_accept(kind, claims, proof), "{}: {what}: by us", kind.name());
        };
        let mut wrong = claims.clone();
        wrong[1].value ^= 1;
        both_reject(kind, &wrong, &proof, "a false value");
        wrong[1] = CoefficientClaim { index: claims[1].index + 1, ..claims[1] };
        both_reject(kind, &wrong, &proof, "another coefficient");
        both_reject(kind, &claims[..2], &proof, "a claim less");
        both_reject(kind, &[], &proof, "no claims");
        let other =
            if kind == TranscriptKind::Sha256 { TranscriptKind::Merlin } else { TranscriptKind::Sha256 };
        both_reject(other, &claims, &proof, "the other transcript");
        for offset in (40..proof.len()).step_by(997) {
            let mut changed = proof.clone();
            changed[offset] ^= 0x10;
            both_reject(kind, &claims, &changed, &format!("byte {offset} changed"));
        }
    }
}
