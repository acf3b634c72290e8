//! The byte hashes under the traits of the `digest` crate: known answers, and the padded form at every length.

use digest::{Digest as _, FixedOutputReset, Update};
use phalanx_rescue::{Function, hashers};

fn known_answers<D: digest::Digest + FixedOutputReset>(function: Function, file: &str) {
    let path = format!("{}/../../vectors/rescue/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("vector file");
    let vectors: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut checked = 0;
    for case in vectors["hash_bytes"].as_array().expect("cases") {
        let input = hex::decode(case["in_hex"].as_str().expect("hex")).expect("hex");
        if function == Function::Rp64_256 && input.len() > 56 {
            continue;
        }
        let words = case["out"].as_array().expect("four words").iter();
        let words = words.map(|word| word.as_str().expect("decimal").parse::<u64>().expect("a word"));
        let wanted: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        assert_eq!(D::digest(&input).as_slice(), wanted);
        let mut hasher = D::new();
        input.chunks(5).for_each(|piece| digest::Digest::update(&mut hasher, piece));
        assert_eq!(digest::Digest::finalize_reset(&mut hasher).as_slice(), wanted);
        // Nothing is left of the first message.
        assert_eq!(hasher.finalize().as_slice(), [0; 32]);
        checked += 1;
    }
    assert!(checked > 50);
}

#[test]
fn the_vectors() {
    known_answers::<hashers::Rp64_256Padded>(Function::Rp64_256, "rp64_256");
    known_answers::<hashers::RpJive64_256>(Function::RpJive64_256, "rp64_256_jive");
    known_answers::<hashers::Rpo256>(Function::Rpo256, "rpo256");
    known_answers::<hashers::Rpx256>(Function::Rpx256, "rpx256");
}

#[test]
fn the_padded_form_at_every_length() {
    for len in 0..=150 {
        let bytes = vec![3; len];
        let got = hashers::Rp64_256Padded::default().chain(&bytes).finalize();
        assert_eq!(got.as_slice(), Function::Rp64_256.hash_padded(&bytes).to_bytes());
    }
}
