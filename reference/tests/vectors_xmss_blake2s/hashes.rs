//! The hash, tweaks, encodings and what is derived from a seed.

use super::json::{array, bytes, for_each, int};
use phalanx_reference::xmss_blake2s::{
    NoEncoding, SecretKey, blake2s, digits, encoding_digest, tweak, tweak_hash, walk,
};
use serde_json::{Value, json};

#[test]
fn blake2s_of_lengths_around_blocks() {
    for_each("blake2s", 1, |_, case| {
        assert_eq!(blake2s(&[], &bytes(case, "message")), array(case, "digest"));
    });
}

#[test]
fn tweaks_and_tweaked_hashes() {
    for_each("tweak_hash", 3, |profile, case| {
        let kind = u8::try_from(int(case, "type")).unwrap();
        let label = tweak(profile, kind, int(case, "sub_position"), int(case, "index"));
        if !case["tweak"].is_null() {
            assert_eq!(label, array(case, "tweak"));
        }
        let digest = tweak_hash(&array(case, "public_param"), &label, &bytes(case, "payload"));
        assert_eq!(digest, array(case, "digest"), "{case}");
    });
}

#[test]
fn chains() {
    for_each("chain", 1, |profile, case| {
        let [epoch, chain, start, steps] = ["epoch", "chain", "start", "steps"].map(|key| int(case, key));
        let value = array(case, "value");
        let end = walk(profile, &array(case, "public_param"), epoch, chain, start, steps, value);
        assert_eq!(end, array(case, "result"), "{case}");
    });
}

#[test]
fn what_a_seed_gives() {
    for_each("seed_derivation", 1, |profile, case| {
        let epoch = int(case, "epoch");
        let key = SecretKey::new(profile, &array(case, "seed"), epoch, epoch).expect("one epoch");
        assert_eq!(key.parameter, array(case, "public_param"));
        assert_eq!(key.start(epoch, 0), array(case, "chain_start_0"));
        assert_eq!(key.start(epoch, 41), array(case, "chain_start_41"));
        for (level, name) in [(0, "filler_level_0"), (31, "filler_level_31")] {
            let filler = &case[name];
            assert_eq!(key.filler(level, int(filler, "index").into()), array(filler, "node"));
        }
        assert_eq!(key.leaf(epoch), array(case, "leaf"));
    });
}

/// Compares an encoding, or why there is none, with what a case has.
fn check_digits(case: &Value, reason: &str, got: Result<[u32; 42], NoEncoding>) {
    match got {
        Ok(digits) => assert_eq!(json!(&digits[..]), case["digits"], "{case}"),
        Err(why) => {
            assert!(case["digits"].is_null(), "{case}");
            let name = match why {
                NoEncoding::SpareBitSet => "spare_bit_set",
                NoEncoding::OffTarget => "off_target",
            };
            if let Some(wanted) = case[reason].as_str() {
                assert_eq!(name, wanted, "{case}");
            }
        }
    }
}

#[test]
fn digits_of_digests() {
    for_each("decode_digest", 1, |_, case| check_digits(case, "reason", digits(&array(case, "digest"))));
}

#[test]
fn encodings_of_messages() {
    for_each("encode", 3, |profile, case| {
        let parameter = array(case, "public_param");
        let (message, randomness) = (array(case, "message"), array(case, "randomness"));
        let digest = encoding_digest(profile, &parameter, int(case, "epoch"), &message, &randomness);
        if !case["digest"].is_null() {
            assert_eq!(digest, array(case, "digest"));
        }
        check_digits(case, "reason", digits(&digest));
    });
}
