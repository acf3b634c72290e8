//! A folder of files as other programs and people leave them around: `inspect` names every one, and none wrongly.

use crate::support::{Folder, SET, first_key, vector};
use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

/// What a file is.
struct Wanted {
    kind: &'static str,
    /// A set that it fits, among others perhaps.
    scheme: &'static str,
    /// Whether its bytes tell: of 32, 64 or 1208 bytes there is nothing to be sure of.
    is_told: bool,
}

/// Files by name, with what they are.
struct Files(Vec<(String, Vec<u8>, Wanted)>);

impl Files {
    fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>, kind: &'static str, scheme: &'static str) {
        let bytes = bytes.into();
        let is_told = !matches!(bytes.len(), 32 | 64 | 1208) && scheme != BLAKE2S && scheme != "raw";
        let scheme = if scheme == "raw" { "ed25519" } else { scheme };
        self.0.push((name.to_owned(), bytes, Wanted { kind, scheme, is_told }));
    }

    /// A value in every form that tools print.
    fn add_forms(&mut self, name: &str, bytes: &[u8], kind: &'static str, scheme: &'static str) {
        let digits = hex::encode(bytes);
        let field = if kind == "signature" { "signature" } else { "publicKey" };
        let wrap = |text: &str, width: usize| {
            let lines = text.as_bytes().chunks(width).map(String::from_utf8_lossy);
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        for (form, text) in [
            ("hex", format!("{digits}\n")),
            ("0x", format!("0x{}\r\n", digits.to_uppercase())),
            ("wrapped", wrap(&digits, 60)),
            ("base64", wrap(&Base64::encode_string(bytes), 76)),
            ("numbers", format!("{bytes:?}\n")),
            ("nested", json!({ "data": { "items": [{ field: format!("0x{digits}") }] } }).to_string()),
            ("object", json!({ "slot": 3, field: bytes }).to_string()),
        ] {
            self.add(&format!("{name}.{form}"), text, kind, scheme);
        }
        self.add(&format!("{name}.raw"), bytes, kind, scheme);
    }
}

const POSEIDON2: &str = "xmss-poseidon2-l32-d64b8";
const POSEIDON1: &str = "xmss-poseidon1-l32-d46b8";
const BLAKE2S: &str = "xmss-blake2s-l32-d42b8";

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a text")).expect("digits")
}

/// A public key and a signature of every generation.
fn values() -> [(&'static str, Vec<u8>, Vec<u8>); 3] {
    let of_poseidon = |file| {
        let key = first_key(file);
        (bytes(&key["pk_ssz"]), bytes(&key["signatures"][0]["sig_ssz"]))
    };
    let (key, signature) = of_poseidon("p2-top-l32-d64b8.e2e.json");
    let first = (POSEIDON2, key, signature);
    let (key, signature) = of_poseidon("p1-abort-l32-d46b8.e2e.json");
    let second = (POSEIDON1, key, signature);
    let path = phalanx_testing::vectors("xmss-blake2s").join("profile-b.json");
    let all: Value =
        serde_json::from_slice(&std::fs::read(path).expect("it is there")).expect("vectors are JSON");
    let case = &all["verify"][0];
    [first, second, (BLAKE2S, bytes(&case["public_key"]), bytes(&case["signature"]))]
}

/// What clients and their tools write about keys.
fn documents(files: &mut Files) {
    let [(_, old, _), (_, new, _), (_, blake2s, _)] = values();
    let [old, new, blake2s] = [old, new, blake2s].map(hex::encode);
    let head = "key_scheme: SIGTopLevelTargetSumLifetime32Dim64Base8\nhash_function: Poseidon2\nencoding: TargetSum\n\
                lifetime: 4294967296\nlog_num_active_epochs: 18\nnum_active_epochs: 262144\nnum_validators: 1\nvalidators:\n";
    let manifest = "validator keys manifest";
    for (name, kind, text) in [
        (
            "legacy.yaml",
            manifest,
            format!("{head}  - index: 0\n    pubkey_hex: 0x{old}\n    privkey_file: a.ssz\n"),
        ),
        (
            "validator-keys-manifest.yaml",
            manifest,
            format!(
                "{head}  - index: 0\n    proposer_key_pubkey_hex: 0x{old}\n    proposer_key_privkey_file: p.ssz\n    \
                 attester_key_pubkey_hex: 0x{new}\n    attester_key_privkey_file: a.ssz\n"
            ),
        ),
        (
            "devnet4.yaml",
            manifest,
            format!(
                "num_validators: 1\nvalidators:\n- attestation_public_key_hex: {new}\n  proposal_public_key_hex: {old}\n  \
                 attestation_private_key_file: a.ssz\n  proposal_private_key_file: b.ssz\n"
            ),
        ),
        (
            "blake2s.yaml",
            manifest,
            format!(
                "num_validators: 1\nvalidators:\n- index: 0\n  pubkey_hex: 0x{blake2s}\n  privkey_file: a\n"
            ),
        ),
        (
            "annotated_validators.yaml",
            "annotated validators",
            format!(
                "zeam_0:\n  - index: 0\n    pubkey_hex: {new}\n    privkey_file: validator_0_attester_key_sk.ssz\n"
            ),
        ),
        (
            "annotated-blake2s.yaml",
            "annotated validators",
            format!("ream_0:\n  - index: 5\n    pubkey_hex: {blake2s}\n    privkey_file: validator_5_sk\n"),
        ),
        (
            "config.yaml",
            "genesis configuration",
            format!("GENESIS_TIME: 1763712794\nVALIDATOR_COUNT: 1\nGENESIS_VALIDATORS:\n  - \"{new}\"\n"),
        ),
    ] {
        files.add(name, text, kind, "");
    }
    for (name, scheme, key) in [("test-keys", POSEIDON1, &new), ("test-keys-blake2s", BLAKE2S, &blake2s)] {
        let text = json!({ "attestation_keypair": { "public_key": key } });
        files.add(&format!("{name}-pairs.json"), text.to_string(), "public key", scheme);
        files.add(
            &format!("{name}.json"),
            json!({ "attestation_public": key }).to_string(),
            "public key",
            scheme,
        );
    }
}

/// Keys of Ed25519, in the forms that they have elsewhere.
fn of_ed25519(folder: &Folder, files: &mut Files) {
    folder.good("ed25519 keygen --out ed25519");
    for (kind, form) in
        [("secret-key", "raw"), ("secret-key", "hex"), ("public-key", "raw"), ("public-key", "hex")]
    {
        let (name, wanted) = (format!("{kind}.{form}"), kind.replace('-', " "));
        folder.good(&format!("convert ed25519/{kind}.raw {name} --to {form} --kind {kind}"));
        let wanted = if wanted == "secret key" { "secret key" } else { "public key" };
        files.add(&name, folder.read(&name), wanted, "raw");
    }
    for form in ["pkcs8", "der", "openssh", "jwk", "minisign"] {
        for (kind, wanted) in [("secret-key", "secret key"), ("public-key", "public key")] {
            let name = format!("{kind}.{form}");
            folder.good(&format!("convert ed25519/{kind}.raw {name} --to {form} --kind {kind}"));
            files.add(&name, folder.read(&name), wanted, "ed25519");
        }
    }
}

#[test]
fn every_file_of_a_folder_is_named() {
    let folder = Folder::new();
    let mut files = Files(Vec::new());
    for (scheme, key, signature) in values() {
        files.add_forms(&format!("{scheme}.key"), &key, "public key", scheme);
        files.add_forms(&format!("{scheme}.signature"), &signature, "signature", scheme);
    }
    documents(&mut files);
    of_ed25519(&folder, &mut files);
    for name in
        ["p2-top-l8-d64b8.k0.sk.ssz", "p2-top-l8-d64b8.k0.sk.bincode1", "p2-top-l8-d64b8.k0.sk.bincode2std"]
    {
        files.add(name, std::fs::read(vector(name)).expect("a vector"), "secret key", SET);
    }
    let count = files.0.len();
    assert!(count >= 60, "{count} files");
    for (name, bytes, _) in &files.0 {
        folder.write(name, bytes);
        #[cfg(unix)]
        folder.chmod(name, 0o600);
    }
    let names: Vec<_> = files.0.iter().map(|(name, ..)| name.as_str()).collect();
    let said = folder.good(&format!("inspect --json {}", names.join(" "))).json();
    let mut wrong = Vec::new();
    for ((name, _, wanted), said) in files.0.iter().zip(said["files"].as_array().expect("a list")) {
        let readings = said["readings"].as_array().expect("a list");
        let fits = |reading: &&Value| {
            reading["kind"] == wanted.kind && (wanted.scheme.is_empty() || reading["scheme"] == wanted.scheme)
        };
        let is_sure = |reading: &&Value| reading["confidence"] != "possible";
        let is_named = readings.iter().any(|reading| fits(&reading) && wanted.is_told == is_sure(&reading));
        // Sets of one shape are one reading: what matters is that no other kind is claimed.
        let is_wrong = readings.iter().filter(is_sure).any(|reading| reading["kind"] != wanted.kind);
        let begins_with_a_secret = !is_sure(&&readings[0]) && readings[0]["kind"] == "secret key";
        let has_next = readings.iter().all(|reading| reading["next"].is_string());
        if !is_named || is_wrong || begins_with_a_secret || !has_next {
            wrong.push(format!("{name}: wanted {} {}: {said:#}", wanted.kind, wanted.scheme));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
