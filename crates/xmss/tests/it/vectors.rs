//! Known answers, end to end: the keys, signatures and verdicts of the published implementation, on every backend.
//!
//! The expected values are those of `vectors/xmss` (see its README). `PHALANX_VECTORS` names another folder of the same
//! structure.

use phalanx_testing::on_every_backend;
use phalanx_xmss::{
    Error, Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, hazmat, verify_many,
};
use phalanx_xmss::{InvalidSignature, Threads};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The formats of keys, by the names that vectors give them.
const FORMATS: [(Format, &str); 3] =
    [(Format::Ssz, "ssz"), (Format::Bincode, "bincode1"), (Format::BincodeStandard, "bincode2_standard")];

// ---- reading vectors ----

fn file(name: &str) -> Vec<u8> {
    let folder = std::env::var("PHALANX_VECTORS");
    let folder =
        folder.unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/xmss").to_owned());
    std::fs::read(format!("{folder}/{name}")).unwrap_or_else(|error| panic!("{folder}/{name}: {error}"))
}

/// The keys of `set`.
fn keys(set: ParameterSet) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&file(&format!("{}.e2e.json", set.profile()))).expect("JSON");
    list(&file).to_vec()
}

/// A list; an empty one would pass silently.
fn list(value: &Value) -> &[Value] {
    let list = value.as_array().expect("a list");
    assert!(!list.is_empty(), "an empty list of vectors");
    list
}

/// A number, or a decimal string where it may exceed what JSON numbers hold.
fn number(value: &Value) -> u64 {
    let text = value.as_str().map(|text| text.parse().expect("a number"));
    text.or(value.as_u64()).expect("a number")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn epoch(value: &Value) -> u32 {
    u32::try_from(number(&value["epoch"])).expect("32 bits")
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).expect("hex")
}

fn bytes32(value: &Value) -> [u8; 32] {
    bytes(value).try_into().expect("32 bytes")
}

fn words(value: &Value) -> Vec<u32> {
    list(value).iter().map(|x| u32::try_from(number(x)).expect("32 bits")).collect()
}

fn codeword(value: &Value) -> Vec<u8> {
    list(value).iter().map(|x| u8::try_from(number(x)).expect("a byte")).collect()
}

fn verifying_key(set: ParameterSet, key: &Value) -> VerifyingKey {
    VerifyingKey::from_bytes(set, Format::Ssz, &bytes(&key["pk_ssz"])).expect("a key")
}

// ---- signatures and verdicts ----

/// A signature vector, decoded.
struct Signed {
    key: VerifyingKey,
    epoch: u32,
    message: [u8; 32],
    signature: Signature,
}

impl Signed {
    fn claim(&self) -> SignedMessage<'_> {
        SignedMessage {
            key: &self.key,
            epoch: self.epoch,
            message: &self.message,
            signature: &self.signature,
        }
    }
}

fn signatures(set: ParameterSet) -> Vec<Signed> {
    let mut all = Vec::new();
    for key in keys(set) {
        let verifying = verifying_key(set, &key);
        let more = key["after_advance_preparation"].as_object().map(|_| &key["after_advance_preparation"]);
        for vector in list(&key["signatures"]).iter().chain(more) {
            let signature =
                Signature::from_bytes(set, Format::Ssz, &bytes(&vector["sig_ssz"])).expect("decodes");
            let (epoch, message) = (epoch(vector), bytes32(&vector["message"]));
            if !vector["rho"].is_null() {
                assert_eq!(hazmat::randomness_of(&signature), words(&vector["rho"]));
                let got = hazmat::codeword_of(&verifying, epoch, &message, &signature);
                assert_eq!(got, Some(codeword(&vector["codeword"])));
            }
            all.push(Signed { key: verifying, epoch, message, signature });
        }
    }
    assert!(all.len() >= 4, "{set}: only {} signatures", all.len());
    all
}

#[test]
fn published_signatures_verify() {
    let all: Vec<Signed> = ParameterSet::ALL.into_iter().flat_map(signatures).collect();
    on_every_backend(|_| {
        for signed in &all {
            let Signed { key, epoch, message, signature } = signed;
            assert_eq!(key.verify(*epoch, message, signature), Ok(()), "{} {epoch}", key.parameter_set());
        }
        let claims: Vec<_> = all.iter().map(Signed::claim).collect();
        assert_eq!(verify_many(&claims), vec![Ok(()); all.len()]);
        // The same claims with every epoch's neighbour: all refused.
        let shifted: Vec<_> =
            claims.iter().map(|claim| SignedMessage { epoch: claim.epoch ^ 1, ..*claim }).collect();
        assert_eq!(verify_many(&shifted), vec![Err(InvalidSignature); all.len()]);
    });
}

/// What this project does with a case: decode all, then verify.
fn verdict(set: ParameterSet, case: &Value, format: Format, key: &[u8], signature: &[u8]) -> &'static str {
    let key = VerifyingKey::from_bytes(set, format, key);
    let signature = Signature::from_bytes(set, format, signature);
    match (key, signature, u32::try_from(number(&case["epoch"]))) {
        (Ok(key), Ok(signature), Ok(epoch)) => {
            let message = bytes32(&case["message"]);
            let alone = key.verify(epoch, &message, &signature);
            let claim = SignedMessage { key: &key, epoch, message: &message, signature: &signature };
            assert_eq!(verify_many(&[claim, claim, claim]), [alone; 3], "{}", case["case"]);
            if alone.is_ok() { "accept" } else { "reject" }
        }
        _ => "reject",
    }
}

#[test]
fn verification_cases_are_decided_as_required() {
    let mut accepted = 0;
    for set in ParameterSet::ALL {
        let mut cases = 0;
        let keys = keys(set);
        on_every_backend(|_| {
            for key in &keys {
                for case in key["verify_cases_ssz"].as_array().into_iter().flatten() {
                    let got =
                        verdict(set, case, Format::Ssz, &bytes(&case["pk_ssz"]), &bytes(&case["sig_ssz"]));
                    assert_eq!(got, text(&case["required"]), "{set} ssz {}", case["case"]);
                    cases += 1;
                    accepted += usize::from(got == "accept");
                }
                for case in key["verify_cases_bincode1"].as_array().into_iter().flatten() {
                    let (public, signature) = (bytes(&key["pk_bincode1"]), bytes(&case["sig_bincode1"]));
                    let got = verdict(set, case, Format::Bincode, &public, &signature);
                    assert_eq!(got, text(&case["required"]), "{set} bincode {}", case["case"]);
                    cases += 1;
                    accepted += usize::from(got == "accept");
                }
            }
        });
        assert!(cases >= 80, "{set}: only {cases} cases");
    }
    assert!(accepted >= 2 * ParameterSet::ALL.len(), "the valid case of every file is accepted");
}

// ---- whole keys ----

fn generate(set: ParameterSet, vector: &Value) -> SigningKey {
    let start = number(&vector["requested_activation_epoch"]);
    let end = start + number(&vector["requested_active_epochs"]);
    let (seed, threads) = (bytes32(&vector["seed"]), Threads::available());
    // Threads do not see what is forced on this one: the level goes with the work.
    SigningKey::from_seed_on(&threads, set, &seed, start..end).expect("fits")
}

fn check_encodings(key: &SigningKey, vector: &Value) {
    for (format, name) in FORMATS {
        let form = key.to_bytes(format);
        assert_eq!(form.len() as u64, number(&vector[format!("sk_{name}_len")]), "{name}");
        let hash = hex::encode(Sha256::digest(&form[..]));
        assert_eq!(hash, text(&vector[format!("sk_{name}_sha256")]), "{name}");
        assert_eq!(key.verifying_key().to_bytes(format), bytes(&vector[format!("pk_{name}")]), "{name}");
    }
    for file_name in vector["sk_files"].as_array().into_iter().flatten().map(text) {
        let format = match file_name.rsplit_once('.').expect("PROFILE.KEY.sk.FORMAT").1 {
            "ssz" => Format::Ssz,
            "bincode1" => Format::Bincode,
            "bincode2std" => Format::BincodeStandard,
            other => panic!("{file_name}: {other}?"),
        };
        assert!(**key.to_bytes(format) == *file(file_name), "{file_name}");
    }
}

/// Everything that a vector says of one key.
fn check_key(set: ParameterSet, vector: &Value) {
    let mut key = generate(set, vector);
    let [active, prepared] = ["activation_interval", "prepared_interval"].map(|name| {
        let [start, end] = list(&vector[name]) else { panic!("{name} has two ends") };
        number(start)..number(end)
    });
    assert_eq!((key.activation_interval(), key.prepared_interval()), (active, prepared.clone()));
    assert_eq!(hazmat::expose_prf_key(&key), bytes32(&vector["prf_key"]));
    assert_eq!(hazmat::parameter_of(&key.verifying_key())[..], words(&vector["parameter"]));
    assert_eq!(hazmat::root_of(&key.verifying_key()), words(&vector["root"]));
    let (left, [left_root, right_root]) = hazmat::bottom_tree_roots(&key);
    assert_eq!(left, number(&vector["left_bottom_tree_index"]));
    assert_eq!(left_root, words(&vector["left_bottom_tree_root"]));
    assert_eq!(right_root, words(&vector["right_bottom_tree_root"]));
    for (layer, expected) in
        hazmat::top_tree_layers(&key).iter().zip(vector["top_tree_layers"].as_array().into_iter().flatten())
    {
        assert_eq!(layer.start, number(&expected["start_index"]));
        assert_eq!(layer.nodes, list(&expected["nodes"]).iter().map(words).collect::<Vec<_>>());
    }
    check_encodings(&key, vector);

    let mut first_messages = BTreeMap::new();
    for expected in list(&vector["signatures"]) {
        let (epoch, message) = (epoch(expected), bytes32(&expected["message"]));
        let signature = hazmat::sign_unrecorded(&key, epoch, &message).expect("prepared");
        assert_eq!(signature.to_bytes(Format::Ssz), bytes(&expected["sig_ssz"]), "epoch {epoch}");
        // And by the front door, which opens for one message an epoch: vectors sign some epochs twice.
        let first = *first_messages.entry(epoch).or_insert(message) == message;
        let allowed = if first { Ok(signature) } else { Err(Error::EpochUsed { epoch: epoch.into() }) };
        assert_eq!(key.sign(epoch, &message), allowed);
    }
    assert_eq!(key.prepared_interval(), prepared);

    let advanced = &vector["after_advance_preparation"];
    assert_eq!(key.advance(), Ok(!advanced.is_null()));
    if !advanced.is_null() {
        let form = key.to_bytes(Format::Ssz);
        assert_eq!(hex::encode(Sha256::digest(&form[..])), text(&advanced["sk_ssz_sha256"]));
        let signature = hazmat::sign_unrecorded(&key, epoch(advanced), &bytes32(&advanced["message"]));
        let signature = signature.expect("prepared");
        assert_eq!(signature.to_bytes(Format::Ssz), bytes(&advanced["sig_ssz"]));
    }
    // The key is now in the state of "after one advance"; where nothing was left to advance to, that is "fresh".
    for case in list(&vector["sign_out_of_range"]) {
        let fresh = generate_if_fresh(set, vector, case);
        let key = fresh.as_ref().unwrap_or(&key);
        let outcome = match u32::try_from(number(&case["epoch"])) {
            Ok(epoch) => hazmat::sign_unrecorded(key, epoch, &[7; 32]).map(|_| "ok").unwrap_or("error"),
            Err(_) => "error",
        };
        assert_eq!(outcome, text(&case["required"]), "{}", case["case"]);
    }
}

/// A key before any advance, if the case asks for one and the key at hand may have advanced.
fn generate_if_fresh(set: ParameterSet, vector: &Value, case: &Value) -> Option<SigningKey> {
    let fresh = text(&case["key_state"]) == "fresh";
    (fresh && !vector["after_advance_preparation"].is_null()).then(|| generate(set, vector))
}

#[test]
fn keys_of_four_chains() {
    let set = ParameterSet::POSEIDON1_L8_D4B8_TEST;
    let keys = keys(set);
    on_every_backend(|_| keys.iter().for_each(|vector| check_key(set, vector)));
}

#[test]
fn keys_of_64_chains() {
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    let keys = keys(set);
    on_every_backend(|_| keys.iter().for_each(|vector| check_key(set, vector)));
}

#[test]
fn keys_of_lifetime_2_18() {
    let set = ParameterSet::POSEIDON2_L18_D64B8;
    let keys = keys(set);
    on_every_backend(|_| keys.iter().for_each(|vector| check_key(set, vector)));
}

#[test]
#[ignore = "six keys of lifetime 2^32: a minute or two on two cores with AVX-512, many without"]
fn keys_of_lifetime_2_32() {
    for set in ParameterSet::ALL.into_iter().filter(|set| set.lifetime() == 1 << 32) {
        keys(set).iter().for_each(|vector| check_key(set, vector));
    }
}

// ---- damaged keys ----

/// Whatever the published implementation made of a damaged key, this one never signs badly with it.
#[test]
fn damaged_keys_do_not_sign_badly() {
    let mut cases = 0;
    for set in [ParameterSet::POSEIDON2_L8_D64B8, ParameterSet::POSEIDON1_L8_D4B8_TEST] {
        for vector in keys(set) {
            for case in vector["sk_cases_ssz"].as_array().into_iter().flatten() {
                let key = SigningKey::from_bytes(set, Format::Ssz, &bytes(&case["sk_ssz"]));
                assert_eq!(key.is_ok(), text(&case["case"]) == "valid", "{set} {}", case["case"]);
                cases += 1;
                let Ok(key) = key else { continue };
                let (at, message) = (number(&case["sign_epoch"]), bytes32(&case["sign_message"]));
                let at = u32::try_from(at).expect("32 bits");
                let signature: Result<_, Error> = hazmat::sign_unrecorded(&key, at, &message);
                let signature = signature.expect("prepared");
                assert_eq!(verifying_key(set, &vector).verify(at, &message, &signature), Ok(()));
            }
        }
    }
    assert!(cases >= 60, "only {cases} cases");
}
