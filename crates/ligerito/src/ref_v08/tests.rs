mod rejects;

use super::*;
use alloc::vec::Vec;
use sha2::Digest;

fn sha256(bytes: &[u8]) -> std::string::String {
    hex::encode(sha2::Sha256::digest(bytes))
}

/// Coefficients drawn by the generator of the vectors.
fn polynomial(seed: u64, variables: u8) -> Vec<u32> {
    let mut generator = phalanx_reference::ligerito::Generator(seed);
    (0..1usize << variables).map(|_| (generator.word() & 0xffff_ffff) as u32).collect()
}

/// The smallest case of the published crate's proofs with each transcript, and one with claims. All others, on every
/// backend, are run by `cargo xtask vectors`.
#[test]
fn proofs_of_the_published_crate() {
    let config = Config::published(12).expect("published");
    let f = polynomial(0x8991_96c0_d706_6b0b, 12);
    let root = commit(&config, &f).expect("a length of the configuration");
    assert_eq!(hex::encode(root), "786c00acfa44b91c23883626ea9a616ca57b23db5085a65c5523c960181389ea");
    let claims = [(576, 0x0a6e_d57c), (164, 0xd91e_f0e6), (293, 0x1b5b_85b9)]
        .map(|(index, value)| CoefficientClaim { index, value });
    for (kind, claims, wanted) in [
        (TranscriptKind::Sha256, &[][..], "cfefb68d6076fa54ac6fd068dab7c31c983942bbfc4d1656a1e0ac3f9cfb9392"),
        (TranscriptKind::Merlin, &[], "9e7c658a4afdaa4793318d019ebbddfd4bbf0ebf2baebef22c82d3caec7b7222"),
        (TranscriptKind::Sha256, &claims, "655d1315a4e15706d5b93fa5bd2f37fd3cf19febe75a619a2df0f586e6f16c24"),
    ] {
        let proof = prove(&config, kind, &f, claims).expect("true claims");
        assert_eq!(sha256(&proof), wanted, "{}, {} claims", kind.name(), claims.len());
        assert_eq!(verify(&config, kind, &root, claims, &proof), Ok(()));
    }
}

#[test]
fn proofs_are_about_their_claims() {
    let config = Config::published(12).expect("published");
    let f = polynomial(1, 12);
    let root = commit(&config, &f).expect("a length of the configuration");
    let claims =
        [7, 3000].map(|index: u16| CoefficientClaim { index: index.into(), value: f[usize::from(index)] });
    let proof = prove(&config, TranscriptKind::Sha256, &f, &claims).expect("true claims");
    let verify = |kind, claims: &[CoefficientClaim]| verify(&config, kind, &root, claims, &proof);
    assert_eq!(verify(TranscriptKind::Sha256, &claims), Ok(()));
    let mut wrong = claims;
    wrong[0].value ^= 1;
    assert_eq!(verify(TranscriptKind::Sha256, &wrong), Err(ProofError::Round { level: 0, round: 0 }));
    wrong[0] = CoefficientClaim { index: claims[0].index ^ 1, ..claims[0] };
    assert_eq!(verify(TranscriptKind::Sha256, &wrong), Err(ProofError::Round { level: 0, round: 0 }));
    wrong[0].index = 1 << 12;
    assert_eq!(verify(TranscriptKind::Sha256, &wrong), Err(ProofError::ClaimIndex { claim: 0 }));
    assert!(verify(TranscriptKind::Sha256, &claims[1..]).is_err(), "a proof of other claims");
    assert!(verify(TranscriptKind::Merlin, &claims).is_err(), "another transcript");
}
