//! XMSS over BLAKE2s: keygen, sign, verify, and what must be refused.

use crate::support::{Folder, message};
use serde_json::{Value, json};

const SET: &str = "xmss-blake2s-l32-d42b8";
const PROFILE_A: &str = "xmss-blake2s-a-l32-d42b8";
const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const KEY: &str = "keys/secret-key.ssz";

/// Writes the seed, and gives the arguments that make its key.
fn keygen(folder: &Folder, start: u64, active: u64, more: &str) -> String {
    folder.write("seed", SEED);
    #[cfg(unix)]
    folder.chmod("seed", 0o600);
    format!("xmss keygen --scheme {SET} --start {start} --active {active} --seed-file seed --out keys {more}")
}

fn sign(epoch: u64, number: u8, more: &str) -> String {
    let message = message(number);
    format!("xmss sign --secret-key {KEY} --scheme {SET} --epoch {epoch} --message-hex {message} {more}")
}

fn verify(set: &str, epoch: u64, number: u8, signature: &str) -> String {
    let message = message(number);
    format!(
        "xmss verify --public-key keys/public-key.ssz --scheme {set} --epoch {epoch} --message-hex {message} \
         --signature {signature}"
    )
}

/// The cases under `name` of a file of vectors.
fn vectors(file: &str, name: &str) -> Vec<Value> {
    let path = phalanx_testing::vectors("xmss-blake2s").join(file);
    let text = std::fs::read_to_string(path).expect("the file is there");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    object[name].as_array().expect("a list").clone()
}

#[test]
fn a_key_signs_and_its_signatures_verify() {
    let folder = Folder::new();
    // The first key of vectors/xmss-blake2s/upstream-b.json.
    let made = folder.good(&keygen(&folder, 0, 4, "--json")).json();
    assert_eq!(made["public_key"], "febc365e0b1f38bd16acba8d13d2915fc487ed3aef7201c095bf4c74aad6b6e3");
    assert_eq!((&made["scheme"], &made["encoding"]), (&json!(SET), &json!("ssz")));
    assert_eq!(made["activation"], json!({ "start": 0, "end": 4 }), "nothing is rounded");
    assert_eq!(folder.read("keys/public-key.ssz").len(), 32);
    folder.good(&sign(3, 7, "--out signature"));
    assert_eq!(folder.read("signature").len(), 1208);
    let good = folder.good(&verify(SET, 3, 7, "signature"));
    assert_eq!(good.stdout, format!("signature verifies ({SET}, epoch 3)\n"));

    folder.bad(&verify(SET, 2, 7, "signature"), 1);
    folder.bad(&verify(SET, 3, 8, "signature"), 1);
    folder.bad(&verify(SET, 1 << 32, 7, "signature"), 1);
    folder.bad(&verify(PROFILE_A, 3, 7, "signature"), 1);
    let bytes = folder.read("signature");
    folder.write("short", &bytes[..1207]);
    let malformed = folder.bad(&verify(SET, 3, 7, "short"), 2);
    assert!(malformed.stderr.contains("length in bytes: got 1207, wanted 1208"), "{}", malformed.stderr);
    let mut tampered = bytes.clone();
    tampered[1000] ^= 1;
    folder.write("tampered", tampered);
    folder.bad(&verify(SET, 3, 7, "tampered"), 1);

    // The same again, the same bytes; another message there, or an epoch that the key does not have, never.
    folder.good(&sign(3, 7, "--out again"));
    assert_eq!(folder.read("again"), bytes);
    let used = folder.bad(&sign(3, 8, "--out b"), 3);
    assert!(used.stderr.contains("epoch_used"), "{}", used.stderr);
    folder.bad(&sign(4, 8, "--out b"), 3);
    assert!(!folder.exists("b"));
}

/// A key of several trees: it moves on, and is saved.
#[test]
fn a_key_moves_on() {
    let folder = Folder::new();
    folder.good(&keygen(&folder, 100, 900, ""));
    let signed = folder.good(&sign(900, 1, "--out a --json")).json();
    assert_eq!(
        (&signed["advanced"], &signed["prepared"]),
        (&json!(true), &json!({ "start": 768, "end": 1000 }))
    );
    folder.good(&verify(SET, 900, 1, "a"));
    let passed = folder.bad(&sign(100, 1, "--out b"), 3);
    assert!(passed.stderr.contains("epoch 100"), "{}", passed.stderr);
    folder.good(&sign(999, 1, "--out b"));
    folder.good(&verify(SET, 999, 1, "b"));
    assert_eq!(folder.status("keys/secret-key.ssz.ledger")["scheme"], SET);
}

#[test]
fn one_seed_is_one_interval() {
    let folder = Folder::new();
    folder.good(&keygen(&folder, 0, 4, ""));
    let other = keygen(&folder, 0, 5, "").replace("--out keys", "--out other");
    let refused = folder.bad(&other, 3);
    assert!(refused.stderr.contains("same_one_time_keys"), "{}", refused.stderr);
    assert!(!folder.exists("other/secret-key.ssz"));
    // A file of another interval that comes from elsewhere has no ledger here either.
    let elsewhere = Folder::new();
    elsewhere.good(&keygen(&elsewhere, 0, 5, ""));
    folder.write(KEY, elsewhere.read(KEY));
    std::fs::remove_file(folder.path("keys/key.json")).expect("it is there");
    let refused = folder.bad(&sign(1, 1, "--out a"), 3);
    assert!(refused.stderr.contains("same_one_time_keys"), "{}", refused.stderr);
    assert!(!folder.exists("a"));
}

/// Profile A verifies what leanVM-b signed, and makes and signs nothing.
#[test]
fn profile_a_only_verifies() {
    let folder = Folder::new();
    for case in vectors("profile-a.json", "verify") {
        let text = |name: &str| case[name].as_str().expect("a text").to_owned();
        let bytes = |name: &str| hex::decode(text(name)).expect("hexadecimal");
        if !matches!(case["case"].as_str(), Some("valid" | "wrong_epoch")) {
            continue;
        }
        folder.write("key", bytes("public_key"));
        folder.write("signature", bytes("signature"));
        let args = format!(
            "xmss verify --public-key key --scheme {PROFILE_A} --epoch {} --message-hex {} --signature signature",
            case["epoch"],
            text("message")
        );
        let wanted = if text("result") == "valid" { 0 } else { 1 };
        assert_eq!(folder.run(&args).code, Some(wanted), "{args}");
    }
    let sentence = format!("phalanx: error: {PROFILE_A} is for verification only: no key is made of it\n");
    let refused = folder.bad(&keygen(&folder, 0, 4, "").replace(SET, PROFILE_A), 2);
    assert!(refused.stderr.starts_with(&sentence), "{}", refused.stderr);
    folder.good(&keygen(&folder, 0, 4, ""));
    let refused = folder.bad(&sign(0, 1, "--out a").replace(SET, PROFILE_A), 2);
    assert!(refused.stderr.starts_with(&sentence), "{}", refused.stderr);
    assert!(!folder.exists("a"));
}

#[test]
fn verify_many_takes_every_generation() {
    let folder = Folder::new();
    folder.good(&keygen(&folder, 0, 4, ""));
    folder.good(&sign(0, 1, "--out a"));
    let key = hex::encode(folder.read("keys/public-key.ssz"));
    let signature = hex::encode(folder.read("a"));
    let line = |scheme: &str, message: &str, signature: &str| {
        let line = json!({ "scheme": scheme, "public_key": key, "epoch": 0, "message": message, "signature": signature });
        format!("{line}\n")
    };
    let koala_bear = &crate::support::first_key("p2-top-l8-d64b8.e2e.json");
    let signed = &koala_bear["signatures"][0];
    let other = json!({ "scheme": crate::support::SET, "public_key": koala_bear["pk_ssz"], "epoch": signed["epoch"],
        "message": signed["message"], "signature": signed["sig_ssz"] });
    folder.write("good.jsonl", line(SET, &message(1), &signature) + &format!("{other}\n"));
    let good = folder.good("xmss verify-many good.jsonl --json").json();
    assert_eq!((&good["total"], &good["valid"]), (&json!(2), &json!(2)));
    let lines = [
        line(SET, &message(2), &signature),
        line(PROFILE_A, &message(1), &signature),
        line(SET, &message(1), &signature),
    ];
    folder.write("bad.jsonl", lines.concat());
    let bad = folder.run("xmss verify-many bad.jsonl --json");
    assert_eq!((bad.code, &bad.json()["valid"], &bad.json()["invalid"]), (Some(1), &json!(1), &json!(2)));
    folder.write("short.jsonl", line(SET, &message(1), &signature[2..]));
    let short = folder.run("xmss verify-many short.jsonl --json");
    assert_eq!((short.code, &short.json()["malformed"]), (Some(2), &json!(1)));
}

#[test]
fn keys_have_one_encoding() {
    let folder = Folder::new();
    let refused = folder.bad(&keygen(&folder, 0, 4, "--format json"), 2);
    assert!(
        refused.stderr.contains("signing keys of xmss-blake2s-l32-d42b8 have no encoding json"),
        "{}",
        refused.stderr
    );
    folder.good(&keygen(&folder, 0, 4, ""));
    folder.bad(&sign(0, 1, "--out a --signature-format json"), 2);
    assert!(!folder.exists("a"));
}

/// What a name does not tell is said of the bytes: never a secret first.
#[test]
fn inspect_says_what_bytes_may_be() {
    let folder = Folder::new();
    folder.good(&keygen(&folder, 0, 4, ""));
    folder.good(&sign(0, 1, "--out a"));
    folder.write("key", folder.read("keys/public-key.ssz"));
    let files = "key a keys/public-key.ssz keys/secret-key.ssz keys/key.json";
    let object = folder.good(&format!("inspect {files} --json")).json();
    let kinds = |at: usize| -> Vec<String> {
        let readings = object["files"][at]["readings"].as_array().expect("a list");
        let text = |reading: &Value, name: &str| reading[name].as_str().unwrap_or_default().to_owned();
        readings.iter().map(|reading| text(reading, "kind") + " of " + &text(reading, "scheme")).collect()
    };
    let public = [format!("public key of {SET}"), format!("public key of {PROFILE_A}")];
    let of_ed25519 = ["public key of ed25519".to_owned(), "secret key of ed25519".to_owned()];
    assert_eq!(kinds(0), [&public[..], &of_ed25519[..]].concat());
    assert_eq!(kinds(1), [format!("signature of {SET}"), format!("signature of {PROFILE_A}")]);
    assert_eq!(kinds(2), public[..1], "key.json says which");
    assert_eq!(kinds(3), [format!("secret key of {SET}")]);
    assert_eq!(object["files"][3]["readings"][0]["activation"], json!({ "start": 0, "end": 4 }));
    assert_eq!(object["files"][3]["readings"][0]["public_key"], hex::encode(folder.read("key")));
    assert_eq!(kinds(4), [format!("key.json of {SET}")]);
    for at in 2..5 {
        assert_eq!(object["files"][at]["problems"], json!([]), "{at}");
    }
    let text = folder.good("inspect key").stdout;
    let first = format!("  possible: public key of {SET} or {PROFILE_A} in ssz");
    assert!(text.lines().nth(1).is_some_and(|line| line == first), "{text}");
}
