use super::*;
use alloc::vec::Vec;
use serde_json::Value;
use sha2::Digest;

fn file(name: &str) -> Vec<u8> {
    let path = std::format!("{}/../vectors/ligerito/{name}", env!("CARGO_MANIFEST_DIR"));
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
