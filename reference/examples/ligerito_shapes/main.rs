//! Finds the registered shapes of `ligerito-v1-provable128` again: `cargo run --release -p phalanx-reference --example
//! ligerito_shapes -- FILE` writes `vectors/ligerito-128/params.json`, in half a minute.
//!
//! For every number of variables it is the shape with the shortest expected proof among all whose error is at most 2^-128
//! with 65536 claims, whose rows are one BLAKE3 chunk, and whose prover works at most 1.2 times as long as with the shape of 100
//! bits (`balanced`) for the same polynomial, by the model in `work.rs`. The search runs on floating-point numbers; what it
//! finds is judged, and everything that is written is computed, in fractions of integers.

mod exact;
mod search;
mod work;

use phalanx_reference::ligerito::{Large, Level, Shape, U192, registered};
use serde_json::{Value, json};

/// The prover's limit, in works of the shape of 100 bits.
const MOST_WORK: f64 = 1.2;

fn main() {
    let file = std::env::args().nth(1).expect("the file to write");
    let entries: Vec<String> = (10..=30).map(|mu| format!("  {}", entry(mu))).collect();
    let head = json!({
        "suite": U192::PRODUCTION,
        "level_fields": ["d", "k", "r", "Q", "g"],
        "claims_max": 65536,
        "g": hex::encode(U192::X_OF_T.to_le().into_iter().rev().collect::<Vec<u8>>()),
    });
    let head = head.to_string();
    let head = head.strip_suffix('}').expect("an object");
    let text = format!("{head},\n \"entries\": [\n{}\n ]}}\n", entries.join(",\n"));
    std::fs::write(file, text).expect("the file can be written");
}

fn entry(mu: u8) -> Value {
    let known = registered::<u128>(1, mu).expect("registered");
    let limit = MOST_WORK * work::of(&known);
    let found = search::shortest(mu, limit).expect("some shape is sound");
    let shape = Shape::<U192>::test(mu, &found).expect("valid");
    let error = exact::error(&shape);
    assert!(error.union.is_at_most_two_to_the_minus(128), "{found:?}");
    let worked = work::of(&shape);
    assert!(worked <= limit);
    let cost = exact::cost(&shape);
    let level = |level: &Level| json!([level.d, level.k, level.r, level.queries, level.grind]);
    let elements = |level: &Level| 1u64 << (level.d + level.r + level.k);
    let hashed = |(i, level): (usize, &Level)| {
        elements(level) * shape.field(i).bytes() as u64 + (64 << (level.d + level.r))
    };
    json!({
        "profile": 3,
        "name": "balanced",
        "mu": mu,
        "levels": found.iter().map(level).collect::<Vec<_>>(),
        "params_hex": hex::encode(shape.params_bytes()),
        "final_len": shape.final_len(),
        "expected_proof_bytes": cost.proof_bytes,
        "max_proof_bytes": shape.max_len(),
        "union_bits": rounded_down(error.union.bits()),
        "union_bits_without_pow": rounded_down(error.union.bits()),
        "fs_round_bits": rounded_down(error.worst_round.bits()),
        "verifier_hashes": cost.verifier_hashes,
        "work_vs_balanced100": (worked / work::of(&known) * 1000.0).round() / 1000.0,
        "encoded_elements": found.iter().map(elements).collect::<Vec<_>>(),
        "hashed_bytes": found.iter().enumerate().map(hashed).collect::<Vec<_>>(),
    })
}

fn rounded_down(bits: f64) -> f64 {
    (bits * 1000.0).floor() / 1000.0
}
