//! Proofs that have to be refused. For every check of the verifier there is one that dies by it alone: the others
//! accept it, because the prover lies in one place and is consistent everywhere else.

use super::polynomial;
use crate::binary::Gf128;
use crate::ref_v08::prove::{NoHooks, ProverHooks, prove_as};
use crate::ref_v08::*;
use alloc::string::ToString;
use alloc::vec::Vec;
use phalanx_core::Malformed;
use phalanx_core::threads::Inline;

const KIND: TranscriptKind = TranscriptKind::Sha256;

/// Three levels, the first with siblings, 2^10 coefficients.
fn config() -> Config {
    let level = |(log2_message, log2_columns)| Dimensions { log2_message, log2_columns };
    Config::unpublished([(7, 3), (5, 2), (3, 2)].map(level).to_vec()).expect("valid")
}

fn coefficients() -> Vec<u32> {
    polynomial(0x1234_5678_9abc_def1, 10)
}

/// Two true claims.
fn claims() -> Vec<CoefficientClaim> {
    let f = coefficients();
    [3, 1000]
        .map(|index: u64| CoefficientClaim { index, value: f[usize::try_from(index).expect("small")] })
        .into()
}

/// What the verifier says to a liar.
fn verdict(liar: &mut dyn ProverHooks, claims: &[CoefficientClaim]) -> Result<(), ProofError> {
    let (config, f) = (config(), coefficients());
    let proof = prove_as(liar, &Inline, &config, KIND, &f, claims);
    verify(&config, KIND, &commit(&config, &f).expect("a length of the configuration"), claims, &proof)
}

#[test]
fn the_honest_are_believed() {
    assert_eq!(verdict(&mut NoHooks, &[]), Ok(()));
    assert_eq!(verdict(&mut NoHooks, &claims()), Ok(()));
    let twice = [claims(), claims()].concat();
    assert_eq!(verdict(&mut NoHooks, &twice), Ok(()), "a claim may be made twice");
}

/// Says another root, and goes on from that.
struct OtherRoot(usize);

impl ProverHooks for OtherRoot {
    fn root(&mut self, level: usize, root: &mut [u8; 32]) {
        root[31] ^= u8::from(level == self.0);
    }
}

#[test]
fn rows_under_another_root() {
    for level in 1..3 {
        let error = Err(ProofError::MerkleRoot { level });
        assert_eq!(verdict(&mut OtherRoot(level.into()), &[]), error);
        assert_eq!(verdict(&mut OtherRoot(level.into()), &claims()), error);
    }
    // Level 0: the verifier expects the root that is said, and the rows are not under it.
    let (config, f) = (config(), coefficients());
    let mut root = commit(&config, &f).expect("a length of the configuration");
    root[31] ^= 1;
    let proof = prove_as(&mut OtherRoot(0), &Inline, &config, KIND, &f, &[]);
    assert_eq!(verify(&config, KIND, &root, &[], &proof), Err(ProofError::MerkleRoot { level: 0 }));
    // It says the expected root where challenges are drawn, and its own where rows are looked up.
    let (mut forged, own) = (proof, commit(&config, &f).expect("a length of the configuration"));
    forged[1..33].copy_from_slice(&own);
    assert_eq!(verify(&config, KIND, &root, &[], &forged), Err(ProofError::InitialRoot));
}

#[test]
fn a_true_proof_about_another_polynomial() {
    let (config, f) = (config(), coefficients());
    let proof = prove(&config, KIND, &f, &[]).expect("a length of the configuration");
    let mut root = commit(&config, &f).expect("a length of the configuration");
    assert_eq!(verify(&config, KIND, &root, &[], &proof), Ok(()));
    root[0] ^= 1;
    assert_eq!(verify(&config, KIND, &root, &[], &proof), Err(ProofError::InitialRoot));
}

/// Carries a false sum on from round to round, and drops it at one, where it says what is so.
struct Carries {
    until: Option<(usize, usize)>,
}

impl ProverHooks for Carries {
    fn message(
        &mut self,
        level: usize,
        round: usize,
        sum: Gf128,
        v: &[Gf128],
        w: &[Gf128],
        message: &mut [Gf128; 3],
    ) {
        let [at_zero, at_one, _] = message;
        if self.until != Some((level, round)) {
            *at_one = sum + *at_zero;
        } else if level > 0 {
            *at_one = Gf128(0);
            for (v, w) in v.as_chunks::<2>().0.iter().zip(w.as_chunks::<2>().0) {
                *at_one += v[1] * w[1];
            }
        }
    }
}

#[test]
fn a_false_claim_dies_in_the_round_that_drops_it() {
    let mut claims = claims();
    claims[1].value ^= 0x8000_0000;
    for (level, rounds) in [(0, 3), (1, 2), (2, 2)] {
        for round in 0..rounds {
            let mut liar = Carries { until: Some((usize::from(level), usize::from(round))) };
            assert_eq!(verdict(&mut liar, &claims), Err(ProofError::Round { level, round }));
        }
    }
}

#[test]
fn a_false_claim_that_is_never_dropped_dies_at_the_end() {
    let mut claims = claims();
    claims[0].value ^= 1;
    assert_eq!(verdict(&mut Carries { until: None }, &claims), Err(ProofError::FinalSum));
}

/// Commits to anything from some level on.
struct Random {
    from: usize,
}

impl ProverHooks for Random {
    fn vector(&mut self, level: usize, v: &mut [Gf128]) {
        if level >= self.from {
            for (i, x) in v.iter_mut().enumerate() {
                *x = Gf128((i as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
            }
        }
    }
}

/// The rounds of sumcheck alone do not see it; what the opened rows say of the next vector does.
#[test]
fn random_matrices() {
    for from in 1..3 {
        assert_eq!(verdict(&mut Random { from }, &[]), Err(ProofError::FinalSum));
        assert_eq!(verdict(&mut Random { from }, &claims()), Err(ProofError::FinalSum));
    }
}

/// Sends a final vector that gives the sum and is another one.
struct OtherFinal;

impl ProverHooks for OtherFinal {
    fn last(&mut self, v: &mut [Gf128], w: &[Gf128]) {
        v[2] += w[5];
        v[5] += w[2];
    }
}

#[test]
fn another_final_vector() {
    for claims in [Vec::new(), claims()] {
        let error = verdict(&mut OtherFinal, &claims).expect_err("not what was folded");
        // The basis polynomials that coefficients 2 and 5 belong to vanish at 0 and 1.
        assert_eq!(error, ProofError::FinalRow { query: 2, position: 2 });
    }
}

/// Where the counts and tags of a proof are: offset, level, what, value.
fn layout(config: &Config, proof: &[u8], claims: bool) -> Vec<(usize, u8, &'static str, u64)> {
    fn count(proof: &[u8], at: &mut usize) -> u64 {
        let value = u64::from_le_bytes(*proof[*at..].first_chunk().expect("a count"));
        *at += 8;
        value
    }
    let opened = |at: &mut usize, level: usize, found: &mut Vec<_>| {
        let (number, row_len) = (u8::try_from(level).expect("small"), config.row_len_bytes(level));
        found.push((*at, number, "opened rows", count(proof, at)));
        for _ in 0..config.queries(level) {
            found.push((*at, number, "elements of a row", count(proof, at)));
            *at += row_len;
        }
        found.push((*at, number, "siblings", count(proof, at)));
        *at += 32 * usize::try_from(found.last().expect("just pushed").3).expect("small");
    };
    let last = config.last();
    let (mut at, mut found) = (0, Vec::new());
    found.push((at, 0, "tag of a root", 1));
    at += 33;
    opened(&mut at, 0, &mut found);
    found.push((at, 1, "roots", count(proof, &mut at)));
    for level in 1..=last {
        found.push((at, u8::try_from(level).expect("small"), "tag of a root", 1));
        at += 33;
    }
    found.push((at, 1, "openings", count(proof, &mut at)));
    for level in 1..last {
        opened(&mut at, level, &mut found);
    }
    let number = u8::try_from(last).expect("small");
    found.push((at, number, "elements of the final vector", count(proof, &mut at)));
    at += 16 << config.log2_final();
    opened(&mut at, last, &mut found);
    found.push((at, 1, "rounds", count(proof, &mut at)));
    at += 48 * config.rounds();
    found.push((at, 0, "evaluation rounds", count(proof, &mut at)));
    at += if claims { 48 * usize::from(config.first().log2_columns) } else { 0 };
    assert_eq!(at, proof.len());
    found
}

#[test]
fn counts_and_tags_are_the_only_possible_ones() {
    let (config, f, claims) = (config(), coefficients(), claims());
    let root = commit(&config, &f).expect("a length of the configuration");
    let proof = prove(&config, KIND, &f, &claims).expect("true claims");
    assert!(proof.len() <= config.max_proof_len_bytes());
    let places = layout(&config, &proof, true);
    assert!(places.len() > 300);
    for (at, level, what, value) in places {
        let bits: &[usize] = if what == "tag of a root" { &[0, 1, 7] } else { &[0, 5, 31, 63] };
        for bit in bits {
            let mut changed = proof.clone();
            changed[at + bit / 8] ^= 1 << (bit % 8);
            let got = value ^ 1 << bit;
            let error = verify(&config, KIND, &root, &claims, &changed).expect_err("changed");
            if what == "siblings" {
                // One more or fewer than there are: what follows is out of place.
                assert!(matches!(error, ProofError::Encoding { .. }), "{what} at {at}: {error}");
            } else {
                let malformed = Malformed { what, got, wanted: value };
                assert_eq!(error, ProofError::Encoding { level, malformed });
            }
        }
    }
}

#[test]
fn as_many_siblings_as_the_rows_need() {
    let (config, f) = (config(), coefficients());
    let root = commit(&config, &f).expect("a length of the configuration");
    let proof = prove(&config, KIND, &f, &[]).expect("a length of the configuration");
    for (at, level, what, value) in layout(&config, &proof, false) {
        if what != "siblings" {
            continue;
        }
        let end = at + 8 + 32 * usize::try_from(value).expect("small");
        let error = Err(ProofError::Siblings { level });
        let mut more = proof.clone();
        more[at..at + 8].copy_from_slice(&(value + 1).to_le_bytes());
        more.splice(end..end, [0; 32]);
        assert_eq!(verify(&config, KIND, &root, &[], &more), error);
        if value > 0 {
            let mut fewer = proof.clone();
            fewer[at..at + 8].copy_from_slice(&(value - 1).to_le_bytes());
            fewer.drain(end - 32..end);
            assert_eq!(verify(&config, KIND, &root, &[], &fewer), error);
        } else {
            assert!(level > 0, "level 0 of this configuration has siblings");
        }
    }
}

#[test]
fn proofs_cut_short_or_too_long() {
    let (config, f, claims) = (config(), coefficients(), claims());
    let root = commit(&config, &f).expect("a length of the configuration");
    let mut proof = prove(&config, KIND, &f, &claims).expect("true claims");
    for len in 0..proof.len() {
        let error = verify(&config, KIND, &root, &claims, &proof[..len]).expect_err("cut short");
        assert!(matches!(error, ProofError::Encoding { .. }), "{len} bytes: {error}");
    }
    proof.push(0);
    let malformed = Malformed { what: "bytes after the end", got: 1, wanted: 0 };
    assert_eq!(
        verify(&config, KIND, &root, &claims, &proof),
        Err(ProofError::Encoding { level: 2, malformed })
    );
}

#[test]
fn claims_and_evaluation_rounds_belong_together() {
    let (config, f, claims) = (config(), coefficients(), claims());
    let root = commit(&config, &f).expect("a length of the configuration");
    for (proved, verified, got, wanted) in [(&[][..], &claims[..], 0, 3), (&claims, &[], 3, 0)] {
        let proof = prove(&config, KIND, &f, proved).expect("true claims");
        let malformed = Malformed { what: "evaluation rounds", got, wanted };
        let error = Err(ProofError::Encoding { level: 0, malformed });
        assert_eq!(verify(&config, KIND, &root, verified, &proof), error);
    }
}

#[test]
fn every_flipped_bit() {
    let (config, f, claims) = (config(), coefficients(), claims());
    let root = commit(&config, &f).expect("a length of the configuration");
    let proof = prove(&config, KIND, &f, &claims).expect("true claims");
    for at in (0..proof.len()).step_by(7) {
        let mut changed = proof.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(verify(&config, KIND, &root, &claims, &changed).is_err(), "byte {at}");
    }
}

#[test]
fn mistakes_of_the_prover() {
    let (config, mut f) = (config(), coefficients());
    let proves =
        |f: &[u32], claims: &[CoefficientClaim]| prove(&config, KIND, f, claims).expect_err("a mistake");
    let wrong = [claims()[0], CoefficientClaim { index: 1024, value: 0 }];
    assert_eq!(proves(&f, &wrong), Error::ClaimIndex { claim: 1, got: 1024, len: 1024 });
    let wrong = [CoefficientClaim { index: 3, value: f[3] ^ 1 }];
    assert_eq!(proves(&f, &wrong), Error::ClaimValue { claim: 0, got: f[3] ^ 1, wanted: f[3] });
    f.pop();
    let error = Error::PolynomialLength { got: 1023, wanted: 1024 };
    assert_eq!(proves(&f, &[]), error);
    assert_eq!(commit(&config, &f), Err(error));
}

#[test]
fn configurations_follow_their_rules() {
    let valid = |levels: &[(u8, u8)]| {
        let level = |&(log2_message, log2_columns): &_| Dimensions { log2_message, log2_columns };
        Config::unpublished(levels.iter().map(level).collect()).is_some()
    };
    assert!(valid(&[(6, 2), (4, 2)]));
    assert!(!valid(&[]), "no level");
    assert!(!valid(&[(6, 2)]), "one level");
    assert!(!valid(&[(6, 2), (4, 1)]), "d and k are not the d before");
    assert!(!valid(&[(6, 0), (4, 2)]), "no columns");
    assert!(!valid(&[(6, 2), (6, 0)]), "no columns at the last level");
    assert!(!valid(&[(6, 2), (0, 6)]), "a message of one element");
    assert!(!valid(&[(28, 3), (20, 8)]), "31 variables");
    assert!(!valid(&[(255, 255), (127, 128)]), "sums that overflow");
    let deep: Vec<_> = (1..=17).rev().map(|d| (d, 1)).collect();
    assert!(valid(&deep[1..]), "16 levels");
    assert!(!valid(&deep), "17 levels");
}

/// What is published and what the command line chooses agree where both say so.
#[test]
fn configurations_of_the_crate() {
    for variables in 0..=40 {
        let published = Config::published(variables);
        let autosized = Config::autosized(variables);
        assert_eq!(published.is_some(), [12, 16, 20, 24, 26, 28, 30].contains(&variables));
        assert_eq!(autosized.is_some(), (20..=30).contains(&variables));
        assert_eq!(
            published == autosized,
            [20, 24, 30].contains(&variables) || published.is_none() && autosized.is_none()
        );
        for config in published.into_iter().chain(autosized) {
            assert_eq!(config.variables(), variables);
            assert_eq!(Config::unpublished(config.levels().to_vec()), Some(config));
        }
    }
}

#[test]
fn texts_are_pinned() {
    let malformed = Malformed { what: "rounds", got: 3, wanted: 2 };
    for (error, text) in [
        (ProofError::ClaimIndex { claim: 3 }, "claim 3 is about a coefficient that does not exist"),
        (ProofError::Encoding { level: 1, malformed }, "level 1: malformed input: rounds: got 3, wanted 2"),
        (ProofError::InitialRoot, "the proof is not about the expected root"),
        (
            ProofError::Round { level: 2, round: 1 },
            "level 2, round 1: the values at 0 and 1 do not add up to the sum",
        ),
        (ProofError::Siblings { level: 0 }, "level 0: the number of siblings is wrong"),
        (ProofError::MerkleRoot { level: 4 }, "level 4: the opened rows are not the committed ones"),
        (
            ProofError::FinalRow { query: 7, position: 99 },
            "query 7: the final vector does not encode to row 99",
        ),
        (ProofError::FinalSum, "the final vector does not give the sum of the rounds"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    for (error, text) in [
        (Error::PolynomialLength { got: 5, wanted: 4096 }, "the polynomial has 5 coefficients, wanted 4096"),
        (
            Error::ClaimIndex { claim: 1, got: 4096, len: 4096 },
            "claim 1 is about coefficient 4096 of a polynomial of 4096",
        ),
        (
            Error::ClaimValue { claim: 0, got: 5, wanted: 6 },
            "claim 0 is false: claimed 5, the coefficient is 6",
        ),
        (Error::TooLarge, "the encoded polynomial does not fit into the address space"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    for kind in TranscriptKind::ALL {
        assert_eq!(TranscriptKind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(TranscriptKind::from_name("blake2b"), None);
}
