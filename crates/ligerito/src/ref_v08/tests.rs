mod rejects;

use super::*;
use alloc::vec::Vec;
use serde_json::Value;
use sha2::Digest;

fn file(name: &str) -> Vec<u8> {
    let path = std::format!("{}/../../vectors/ligerito/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&file(name)).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn sha256(bytes: &[u8]) -> std::string::String {
    hex::encode(sha2::Sha256::digest(bytes))
}

/// The polynomial that a case describes in words.
fn polynomial(description: &str, variables: u8) -> Vec<u32> {
    let len = 1usize << variables;
    if let Some(seed) = description.strip_prefix("xorshift:") {
        let mut x = u64::from_str_radix(seed, 16).expect("digits");
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x & 0xffff_ffff) as u32
        };
        return (0..len).map(|_| next()).collect();
    }
    let mut polynomial = alloc::vec![0; len];
    if let Some(entries) = description.strip_prefix("sparse:") {
        for entry in entries.split(',') {
            let (index, value) = entry.split_once('=').expect("index and value");
            polynomial[index.parse::<usize>().expect("an index")] =
                u32::from_str_radix(value, 16).expect("digits");
        }
    } else {
        assert_eq!(description, "all-zero");
    }
    polynomial
}

/// Proves what the case describes, for both transcripts if it has both, and compares the bytes.
fn reproduce(case: &Value) -> u32 {
    let variables = u8::try_from(number(&case["log_n"])).expect("small");
    let config = Config::published(variables).expect("published");
    assert_eq!(hex::encode(config.to_bytes()), text(&case["trace"]["config_header_hex"]));
    let f = polynomial(text(&case["poly"]), variables);
    let bytes: Vec<u8> = f.iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(sha256(&bytes), text(&case["poly_sha256"]));
    let root = commit(&config, &f).expect("a length of the configuration");
    let mut checked = 0;
    for (kind, key) in
        [(TranscriptKind::Sha256, "sha256_transcript"), (TranscriptKind::Merlin, "merlin_transcript")]
    {
        let summary = &case[key];
        if summary.is_null() {
            continue;
        }
        assert_eq!(hex::encode(root), text(&summary["initial_root"]));
        let proof = prove(&config, kind, &f, &[]).expect("a length of the configuration");
        assert_eq!(proof.len() as u64, number(&summary["bincode_bytes"]));
        assert_eq!(sha256(&proof), text(&summary["bincode_sha256"]));
        if let (TranscriptKind::Sha256, Some(name)) = (kind, case["file"].as_str()) {
            assert_eq!(proof, file(name));
        }
        assert_eq!(verify(&config, kind, &root, &[], &proof), Ok(()));
        checked += 1;
    }
    checked
}

#[test]
fn proofs_of_the_vectors_are_reproduced_and_verified() {
    let file = json("proofs.json");
    let cases = file.as_array().expect("a list");
    let small = cases.iter().filter(|case| number(&case["log_n"]) <= 16);
    assert_eq!(small.map(reproduce).sum::<u32>(), 9);
}

#[test]
#[ignore = "2^24 coefficients: seconds with lanes, minutes without"]
fn the_largest_proof_of_the_vectors_is_reproduced_and_verified() {
    let file = json("proofs.json");
    let cases = file.as_array().expect("a list");
    assert_eq!(cases.iter().filter(|case| number(&case["log_n"]) == 24).map(reproduce).sum::<u32>(), 1);
}

#[test]
fn the_proof_of_a_million_coefficients_is_reproduced_and_verified() {
    let file = json("proofs.json");
    let cases = file.as_array().expect("a list");
    assert_eq!(cases.iter().filter(|case| number(&case["log_n"]) == 20).map(reproduce).sum::<u32>(), 1);
}

/// A proof of claims about 2^12 coefficients.
struct Claimed {
    config: Config,
    polynomial: Vec<u32>,
    root: [u8; 32],
    claims: Vec<CoefficientClaim>,
    proof: Vec<u8>,
}

impl Claimed {
    fn all() -> Vec<Self> {
        let cases = json("eval_proofs.json");
        let read = |case: &Value| {
            let claim = |claim: &Value| CoefficientClaim {
                index: number(&claim["index"]),
                value: u32::from_str_radix(text(&claim["value"]), 16).expect("digits"),
            };
            Self {
                config: Config::published(12).expect("published"),
                polynomial: polynomial(text(&case["poly"]), 12),
                root: hex::decode(text(&case["summary"]["initial_root"]))
                    .expect("digits")
                    .try_into()
                    .expect("32 bytes"),
                claims: case["claims"].as_array().expect("a list").iter().map(claim).collect(),
                proof: file(text(&case["file"])),
            }
        };
        cases.as_array().expect("a list").iter().map(read).collect()
    }

    fn verify(&self, claims: &[CoefficientClaim]) -> Result<(), ProofError> {
        verify(&self.config, TranscriptKind::Sha256, &self.root, claims, &self.proof)
    }
}

#[test]
fn proofs_of_claims_are_reproduced_and_verified() {
    let cases = Claimed::all();
    assert_eq!(cases.len(), 2);
    for case in cases {
        assert_eq!(commit(&case.config, &case.polynomial), Ok(case.root));
        let proof = prove(&case.config, TranscriptKind::Sha256, &case.polynomial, &case.claims);
        assert_eq!(proof.as_ref(), Ok(&case.proof));
        assert_eq!(case.verify(&case.claims), Ok(()));
        let mut wrong = case.claims.clone();
        wrong[0].value ^= 1;
        assert_eq!(case.verify(&wrong), Err(ProofError::Round { level: 0, round: 0 }));
        wrong[0] = CoefficientClaim { index: case.claims[0].index ^ 1, ..case.claims[0] };
        assert_eq!(case.verify(&wrong), Err(ProofError::Round { level: 0, round: 0 }));
        wrong[0].index = 1 << 12;
        assert_eq!(case.verify(&wrong), Err(ProofError::ClaimIndex { claim: 0 }));
        let fewer = case.verify(&case.claims[1..]);
        assert!(fewer.is_err(), "a proof of other claims");
        let merlin = verify(&case.config, TranscriptKind::Merlin, &case.root, &case.claims, &case.proof);
        assert!(merlin.is_err(), "another transcript");
    }
}
