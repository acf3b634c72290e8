//! Commitments and proofs of Ligerito.

use crate::hexadecimal;
use crate::proof_file;
use crate::reading::{Confidence, Reading};
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, ProofError, TranscriptKind};
use phalanx::ligerito::soundness::expected_proof_len_bytes;
use phalanx::ligerito::{
    Commitment, MAX_VARIABLES, MIN_VARIABLES, Preset, SUITE, Shape, johnson128, provable128,
};
use std::collections::{BTreeMap, BTreeSet};

/// How far the length of a proof may be from the expected one. It varies by some tens of hashes, with what the queries
/// share of their paths; this is several times as many.
const TOLERANCE_BYTES: u64 = 32 * 100;

/// Hashes at the end of a proof that are looked at: every proof ends in more.
const HASHES: usize = 16;

/// The readings of some bytes; none if they are nothing of Ligerito's.
#[must_use]
pub fn readings(bytes: &[u8]) -> Vec<Reading> {
    let found = commitment(bytes).or_else(|| proof_file::reading(bytes));
    found.or_else(|| proof_of_ref_v08(bytes)).or_else(|| proof(bytes)).into_iter().collect()
}

fn commitment(bytes: &[u8]) -> Option<Reading> {
    let decoded = hexadecimal::decode(bytes).ok();
    let (bytes, format) = match &decoded {
        Some(decoded) => (decoded.as_slice(), "hex"),
        None => (bytes, "raw"),
    };
    let (suite, profile, shape, root) = if let Ok(commitment) = Commitment::from_bytes(bytes) {
        let (profile, root) = (commitment.preset(), *commitment.root());
        (SUITE, profile.name(), profile.shape(commitment.variables())?, root)
    } else if let Ok(commitment) = provable128::Commitment::from_bytes(bytes) {
        let (profile, root) = (commitment.preset(), *commitment.root());
        (provable128::SUITE, profile.name(), profile.shape(commitment.variables())?, root)
    } else {
        let commitment = johnson128::Commitment::from_bytes(bytes).ok()?;
        let (profile, root) = (commitment.preset(), *commitment.root());
        (johnson128::SUITE, profile.name(), profile.shape(commitment.variables())?, root)
    };
    Some(Reading {
        kind: "commitment",
        confidence: Confidence::Likely,
        scheme: Some(suite.to_owned()),
        format: Some(format.to_owned()),
        root: Some(hex::encode(root)),
        details: BTreeMap::from([
            ("profile", profile.to_owned()),
            ("variables", shape.variables().to_string()),
            ("proofs of at most", format!("{} bytes", shape.max_proof_len_bytes())),
        ]),
        ..Reading::default()
    })
}

/// Every registered shape, with its suite and profile.
fn shapes() -> impl Iterator<Item = (&'static str, &'static str, Shape)> {
    fn of_profile(
        suite: &'static str,
        profile: &'static str,
        shape: impl Fn(u8) -> Option<Shape>,
    ) -> impl Iterator<Item = (&'static str, &'static str, Shape)> {
        (MIN_VARIABLES..=MAX_VARIABLES).filter_map(move |variables| Some((suite, profile, shape(variables)?)))
    }
    let of_100 = Preset::ALL.into_iter();
    let of_100 = of_100.flat_map(|one| of_profile(SUITE, one.name(), move |n| one.shape(n)));
    let of_128 = provable128::Preset::ALL.into_iter();
    let of_128 = of_128.flat_map(|one| of_profile(provable128::SUITE, one.name(), move |n| one.shape(n)));
    let to_johnson = johnson128::Preset::ALL.into_iter();
    let to_johnson =
        to_johnson.flat_map(|one| of_profile(johnson128::SUITE, one.name(), move |n| one.shape(n)));
    of_100.chain(of_128).chain(to_johnson)
}

/// A proof of the published crate: its lengths fit one configuration.
fn proof_of_ref_v08(bytes: &[u8]) -> Option<Reading> {
    // No proof is about this root; what matters is whether the verifier gets as far as comparing it.
    let is_encoded = |config: &Config, claims: &[CoefficientClaim]| {
        let result = ref_v08::verify(config, TranscriptKind::Sha256, &[0; 32], claims, bytes);
        !matches!(result, Err(ProofError::Encoding { .. }))
    };
    let some = [CoefficientClaim { index: 0, value: 0 }];
    let configs = (MIN_VARIABLES..=MAX_VARIABLES).flat_map(|variables| {
        [(Config::published(variables), "published"), (Config::autosized(variables), "autosized")]
    });
    let (config, sizes, claims) =
        configs.filter_map(|(config, sizes)| Some((config?, sizes))).find_map(|(config, sizes)| {
            let claims = if is_encoded(&config, &[]) {
                "none"
            } else if is_encoded(&config, &some) {
                "one or more"
            } else {
                return None;
            };
            Some((config, sizes, claims))
        })?;
    Some(Reading {
        kind: "proof",
        confidence: Confidence::Possible,
        scheme: Some(ref_v08::SUITE.to_owned()),
        root: bytes.get(1..33).map(hex::encode),
        details: BTreeMap::from([
            ("claims", claims.to_owned()),
            ("sizes", sizes.to_owned()),
            ("variables", config.variables().to_string()),
        ]),
        ..Reading::default()
    })
}

/// A proof has neither a header nor lengths: its own length, and hashes where every proof ends, are all there is to
/// see.
fn proof(bytes: &[u8]) -> Option<Reading> {
    let (_, hashes) = bytes.as_rchunks::<32>();
    let last = hashes.get(hashes.len().checked_sub(HASHES)?..)?;
    let looks_random = |hash: &[u8; 32]| hash.iter().collect::<BTreeSet<_>>().len() > 16;
    if last.iter().collect::<BTreeSet<_>>().len() < HASHES || !last.iter().all(looks_random) {
        return None;
    }
    let len = bytes.len() as u64;
    let (mut fitting, mut suites) = (Vec::new(), BTreeSet::new());
    for (suite, profile, shape) in shapes() {
        let longest = shape.max_proof_len_bytes() as u64;
        // Lengths differ by whole hashes.
        if len <= longest
            && (longest - len).is_multiple_of(32)
            && len.abs_diff(expected_proof_len_bytes(&shape)) <= TOLERANCE_BYTES
        {
            let other = match suite {
                SUITE => "",
                johnson128::SUITE => " of 128 bits up to the Johnson radius, conditional,",
                _ => " of 128 bits",
            };
            fitting.push(format!("{profile}{other} with {} variables", shape.variables()));
            suites.insert(suite);
        }
    }
    if fitting.is_empty() {
        return None;
    }
    Some(Reading {
        kind: "possible proof",
        confidence: Confidence::Possible,
        scheme: Some(Vec::from_iter(suites).join(" or ")),
        details: BTreeMap::from([("by its length", fitting.join(", or "))]),
        ..Reading::default()
    })
}
