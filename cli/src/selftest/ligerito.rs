//! Ligerito: proofs of both of our suites and of the published crate, made again and verified.

use super::case::{Case, Check, answers, array, bytes, same, text};
use crate::commands::ligerito::elements::Element;
use crate::commands::ligerito::own::Own;
use phalanx::Inline;
use phalanx::ligerito::ref_v08::{self, Config, TranscriptKind};
use phalanx::ligerito::{EvaluationClaim, Preset, provable128};
use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Answer {
    suite: String,
    profile: u8,
    mu: u8,
    poly_seed: u64,
    root0: String,
    claims: Claimed,
    ctx_hex: String,
    proof_sha256: String,
}

#[derive(Deserialize)]
struct Claimed {
    point: Vec<String>,
    value: String,
}

#[derive(Deserialize)]
struct Published {
    log_n: u8,
    poly: String,
    sha256_transcript: PublishedProof,
}

#[derive(Deserialize)]
struct PublishedProof {
    initial_root: String,
    bincode_sha256: String,
}

/// The cases.
pub(super) fn cases() -> Vec<Case> {
    let own: Vec<Answer> = answers("ligerito");
    let published: Published = answers("ligerito_ref_v08");
    let own = own.into_iter().map(|answer| {
        Case::new(format!("{} {}", answer.suite, answer.profile), move || {
            if answer.suite == provable128::SUITE {
                proves(&answer, provable128::Preset::from_code(answer.profile))
            } else {
                proves(&answer, Preset::from_code(answer.profile))
            }
        })
    });
    own.chain([Case::new("ligerito-ref-v08", move || proves_published(&published))]).collect()
}

/// The coefficients: xorshift of Marsaglia, 64 bits wide, the lower half of each output.
fn polynomial(mut state: u64, variables: u8) -> Vec<u32> {
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let [a, b, c, d, ..] = state.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    };
    (0..1u32 << variables).map(|_| next()).collect()
}

/// The commitment, the value and the proof; a changed proof is refused.
fn proves<P: Own>(answer: &Answer, profile: Option<P>) -> Check {
    let profile = profile.expect("every version has the profile");
    let element = |digits: &String| P::Challenge::from_be_slice(&bytes(digits)).expect("an element");
    let polynomial = polynomial(answer.poly_seed, answer.mu);
    let (commitment, data) = profile.commit(&Inline, &polynomial, &|_, _| ()).map_err(text)?;
    same("root", *commitment.root(), array::<32>(&answer.root0))?;
    let point: Vec<P::Challenge> = answer.claims.point.iter().map(element).collect();
    let context = bytes(&answer.ctx_hex);
    let opening = data.open(&[&point], &context).map_err(text)?;
    let value = element(&answer.claims.value);
    same("value", opening.values[0].to_be_bytes(), value.to_be_bytes())?;
    let mut proof = opening.proof;
    same("SHA-256 of the proof", hex::encode(Sha256::digest(&proof)), &*answer.proof_sha256)?;
    let claims = [EvaluationClaim { point: &point, value }];
    let accepted = profile.accept_exactly(answer.mu);
    same("verify", P::verify(&accepted, &commitment, &claims, &proof, &context), Ok(()))?;
    let middle = proof.len() / 2;
    proof[middle] ^= 1;
    let changed = P::verify(&accepted, &commitment, &claims, &proof, &context);
    same("a changed proof is refused", changed.is_err(), true)
}

/// The proof of the published crate.
fn proves_published(answer: &Published) -> Check {
    let seed = answer.poly.strip_prefix("xorshift:").and_then(|seed| u64::from_str_radix(seed, 16).ok());
    let seed = seed.expect("the polynomial is that of a seed");
    let config = Config::published(answer.log_n).expect("the crate has the size");
    let polynomial = polynomial(seed, answer.log_n);
    let PublishedProof { initial_root, bincode_sha256 } = &answer.sha256_transcript;
    let root: [u8; 32] = array(initial_root);
    same("root", ref_v08::commit(&config, &polynomial), Ok(root))?;
    let proof = ref_v08::prove(&config, TranscriptKind::Sha256, &polynomial, &[]);
    let mut proof = proof.map_err(text)?;
    same("SHA-256 of the proof", hex::encode(Sha256::digest(&proof)), &**bincode_sha256)?;
    same("verify", ref_v08::verify(&config, TranscriptKind::Sha256, &root, &[], &proof), Ok(()))?;
    let middle = proof.len() / 2;
    proof[middle] ^= 1;
    let changed = ref_v08::verify(&config, TranscriptKind::Sha256, &root, &[], &proof);
    same("a changed proof is refused", changed.is_err(), true)
}
