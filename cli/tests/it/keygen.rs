//! Key files: the bytes of leanSig, who may read them, and what is not overwritten.

use crate::support::{Folder, SET, first_key, sign, vector};
use sha2::{Digest, Sha256};
use std::fs;

#[test]
fn key_files_are_those_of_lean_sig() {
    let folder = Folder::new();
    let key = first_key("p2-top-l8-d64b8.e2e.json");
    let seed = key["seed"].as_str().expect("seeds are hexadecimal");
    folder.write("seed.hex", format!("{seed}\n"));
    folder.write("seed.bin", hex::decode(seed).expect("seeds are hexadecimal"));
    let cases = [
        ("ssz", "seed.hex", "p2-top-l8-d64b8.k0.sk.ssz", "pk_ssz"),
        ("bincode", "seed.bin", "p2-top-l8-d64b8.k0.sk.bincode1", "pk_bincode1"),
        ("bincode2", "seed.hex", "p2-top-l8-d64b8.k0.sk.bincode2std", "pk_bincode2_standard"),
    ];
    for (format, seed, secret, public) in cases {
        let out = format!("keys-{format}");
        folder.good(&format!(
            "xmss keygen --scheme {SET} --start 0 --active 256 --out {out} --seed-file {seed} --format {format}"
        ));
        let wanted = fs::read(vector(secret)).expect("the vector file is there");
        assert!(folder.read(&format!("{out}/secret-key.{format}")) == wanted, "{secret}");
        let public_bytes = folder.read(&format!("{out}/public-key.{format}"));
        assert_eq!(hex::encode(&public_bytes), key[public].as_str().expect("a string"));

        let description: serde_json::Value =
            serde_json::from_slice(&folder.read(&format!("{out}/key.json"))).expect("key.json is JSON");
        assert_eq!(description["scheme"], SET);
        assert_eq!(description["public_key"], key["pk_ssz"]);
        assert_eq!(description["activation"], serde_json::json!({ "start": 0, "end": 256 }));
        assert_eq!(description["prepared"], serde_json::json!({ "start": 0, "end": 32 }));
        let secret_entry = &description["files"][format!("secret-key.{format}")];
        assert_eq!(secret_entry["sha256"], hex::encode(Sha256::digest(&wanted)));
    }
}

#[test]
fn the_other_set_of_256_epochs() {
    let folder = Folder::new();
    let key = first_key("p1-abort-l8-d4b8-test.e2e.json");
    folder.write("seed", key["seed"].as_str().expect("a string"));
    let args =
        "xmss keygen --scheme xmss-poseidon1-l8-d4b8-test --start 0 --active 256 --out keys --seed-file seed";
    let refused = folder.bad(args, 2);
    assert!(refused.stderr.contains("--insecure"), "{}", refused.stderr);
    assert!(!folder.exists("keys"));
    folder.good(&format!("{args} --insecure"));
    let wanted = fs::read(vector("p1-abort-l8-d4b8-test.k0.sk.ssz")).expect("the vector file is there");
    assert!(folder.read("keys/secret-key.ssz") == wanted);
}

#[cfg(unix)]
#[test]
fn secrets_are_for_their_owner() {
    let folder = Folder::new();
    folder.keygen("");
    assert_eq!(folder.mode("keys"), 0o700);
    assert_eq!(folder.mode("keys/secret-key.ssz"), 0o600);
    assert_eq!(folder.mode("keys/secret-key.ssz.ledger"), 0o700);
    assert!(!folder.exists("keys/keygen.checkpoint"));
    let names = fs::read_dir(folder.path("keys")).expect("the folder is there").count();
    assert_eq!(names, 4, "no temporary file is left");
}

#[test]
fn seeds_from_the_system_differ() {
    let folder = Folder::new();
    folder.keygen("");
    let first = folder.read("keys/public-key.ssz");
    folder.keygen("--force");
    assert_ne!(folder.read("keys/public-key.ssz"), first);
    assert!(folder.exists("keys/secret-key.ssz.ledger.old-1"), "the ledger of another key is kept");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::new();
    folder.keygen("");
    let before = folder.read("keys/secret-key.ssz");
    let args = format!("xmss keygen --scheme {SET} --start 0 --active 256 --out keys");
    let refused = folder.bad(&args, 2);
    assert_eq!(
        refused.stderr,
        "phalanx: error: 'keys/secret-key.ssz' exists\n\
         phalanx: hint: give another name, or --force to replace it\n"
    );
    folder.good(&sign(1, 1, "a"));
    for name in ["keys/secret-key.ssz", "keys/public-key.ssz", "keys/key.json"] {
        fs::remove_file(folder.path(name)).expect("it was there");
        folder.bad(&args, 2);
    }
    folder.write("keys/secret-key.ssz", &before);
    folder.keygen("--force");
    assert_ne!(folder.read("keys/secret-key.ssz"), before);
}

#[test]
fn seeds_never_show() {
    let folder = Folder::new();
    let seed = "5eed".repeat(16);
    folder.write("seed", &seed);
    folder.write("long", format!("{seed}00"));
    folder.write("letters", seed.replace('5', "x"));
    let args = format!("xmss keygen --scheme {SET} --start 0 --active 16 --out keys");
    let runs = [
        folder.good(&format!("{args} --seed-file seed")),
        folder.good(&format!("{args} --insecure-seed-hex {seed} --force --json")),
        folder.bad(&format!("{args} --seed-file long --force"), 2),
        folder.bad(&format!("{args} --seed-file letters --force"), 2),
        folder.bad(&format!("{args} --insecure-seed-hex {seed}00 --force"), 2),
        folder.bad(&format!("{args} --insecure-seed-hex {seed} --seed-file seed --force"), 2),
        folder.good("inspect keys/secret-key.ssz keys/key.json"),
    ];
    for run in runs {
        assert!(!run.stdout.contains("5eed5eed") && !run.stderr.contains("5eed5eed"), "{run:?}");
        assert!(!run.stderr.contains("xeedxeed"), "{run:?}");
    }
}
