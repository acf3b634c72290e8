//! Whole proofs: Plonky3's FRI prover with our types.

use crate::fibonacci::{Config, Fibonacci, Ours, Prover, Theirs, config, trace};
use crate::{elements, on_backends};
use p3_challenger::{CanObserve, CanSample, CanSampleBits, DuplexChallenger, GrindingChallenger};
use p3_field::PrimeCharacteristicRing;
use p3_koala_bear::{KoalaBear, default_koalabear_poseidon1_16};
use p3_uni_stark::{Proof, prove, verify};
use phalanx_plonky3::{PackedChallenger, Poseidon1Width16};

const QUERIES: usize = 3;
const BITS: usize = 6;

fn bytes<P: Prover>(rows: usize) -> Vec<u8> {
    let (trace, public) = trace(rows);
    let proof = prove(&config::<P>(QUERIES, BITS), &Fibonacci, trace, &public).expect("an honest trace");
    serde_json::to_vec(&proof).expect("a proof in memory")
}

/// Whether the verifier with the types of `P` takes the proof for the public values.
fn accepts<P: Prover>(proof: &[u8], public: &[KoalaBear; 3]) -> bool {
    let proof: Proof<Config<P::Mmcs, P::Challenger>> = serde_json::from_slice(proof).expect("a proof");
    verify(&config::<P>(QUERIES, BITS), &Fibonacci, &proof, public).is_ok()
}

#[test]
fn proofs_are_theirs() {
    let rows = 32;
    let theirs = bytes::<Theirs>(rows);
    let (_, public) = trace(rows);
    let another = [public[0], public[1], public[2] + KoalaBear::ONE];
    assert!(accepts::<Theirs>(&theirs, &public) && !accepts::<Theirs>(&theirs, &another));
    on_backends(|| assert!(bytes::<Ours>(rows) == theirs, "the proofs differ"));
    assert!(accepts::<Ours>(&theirs, &public) && !accepts::<Ours>(&theirs, &another));
}

/// Samples and witnesses, whatever has been observed before.
#[test]
fn challengers_answer_the_same() {
    on_backends(|| {
        let mut ours = PackedChallenger::<Poseidon1Width16>::default();
        let mut theirs = DuplexChallenger::<KoalaBear, _, 16, 8>::new(default_koalabear_poseidon1_16());
        let mut same = |observed: &[KoalaBear], bits: usize| {
            ours.observe_slice(observed);
            theirs.observe_slice(observed);
            let witness = ours.grind(bits);
            assert_eq!(witness, theirs.grind(bits), "{} observed, {bits} bits", observed.len());
            // The next witness is searched for after a sample, too.
            let sampled: KoalaBear = ours.sample();
            assert_eq!(sampled, CanSample::<KoalaBear>::sample(&mut theirs));
            assert_eq!(ours.sample_bits(20), theirs.sample_bits(20));
            witness
        };
        let last = (0..12).map(|count| same(&elements(count), count % 3 * 3)).max();
        assert!(last > Some(KoalaBear::new(1)), "no search went beyond its first candidates");
        // More candidates than a group has.
        assert!(same(&elements(5), 9) > KoalaBear::new(64));
    });
}
