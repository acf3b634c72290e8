//! The vectors of Ed25519, damaged.

use crate::support::{bites, folder, put, read, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of `ed25519/` of which a part is not understood.
pub(crate) fn strangers(root: &Path) -> Vec<PathBuf> {
    let mut strangers = Vec::new();
    let mut put_as = |name: &str, file: &Value| {
        strangers.push(put(root, 200 + strangers.len(), name, file));
    };
    put_as("wycheproof.json", &json!({}));
    put_as("cctv.json", &json!({ "set": "cctv", "cases": [] }));
    put_as("rfc8032.json", &json!({ "set": "rfc8032", "cases": [{ "of_tomorrow": 1 }] }));
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Value));
    let changes: [Change<'_>; 6] = [
        ("keys.json", &|file| drop(file.as_object_mut().expect("an object").remove("reject"))),
        ("keys.json", &|file| file["reject"] = json!([])),
        ("batches.json", &|file| file["a_list_of_tomorrow"] = json!([{}])),
        ("speccheck.json", &|file| file["profiles"][0] = json!("abacus")),
        ("speccheck.json", &|file| drop(file["profiles"].as_array_mut().expect("a list").pop())),
        ("rfc8032.json", &|file| drop(file.as_object_mut().expect("an object").remove("set"))),
    ];
    for (name, change) in changes {
        let mut file = read("ed25519", name);
        // Few cases: the others are understood.
        for list in ["cases", "batches"] {
            if let Some(list) = file.get_mut(list).and_then(Value::as_array_mut) {
                list.truncate(1);
            }
        }
        change(&mut file);
        put_as(name, &file);
    }
    strangers
}

#[test]
fn changed_ed25519_signatures_are_noticed() {
    let files: [(&str, &[&str]); 2] = [
        ("rfc8032.json", &[".set", ".source", ".id"]),
        ("sign_noise.json", &[".set", ".source", ".id", ".rule"]),
    ];
    for (name, unnoticed) in files {
        let mut file = read("ed25519", name);
        file["cases"].as_array_mut().expect("a list").truncate(2);
        bites(name, &file, unnoticed, 4);
    }
}

#[test]
fn changed_ed25519_answers_are_noticed() {
    let mut file = read("ed25519", "cctv.json");
    let cases = file["cases"].as_array_mut().expect("a list");
    // A case that every profile accepts: whatever is changed in it, it is no longer what it was.
    cases.retain(|case| case["verdict"].as_object().expect("answers").values().all(|value| *value == true));
    cases.truncate(1);
    bites("cctv.json", &file, &[".set", ".source", ".id", ".tags[]"], 9);
}

#[test]
fn every_changed_ed25519_answer_is_noticed() {
    let root = folder("answers");
    let mut file = read("ed25519", "speccheck.json");
    let mut wanted = BTreeSet::new();
    for (i, case) in file["cases"].as_array_mut().expect("a list").iter_mut().enumerate() {
        let id = case["id"].as_str().expect("text").to_owned();
        for (profile, accepted) in case["verdict"].as_object_mut().expect("answers") {
            *accepted = json!(*accepted == json!(false));
            wanted.insert(format!("cases[{i}] {id} {profile}"));
        }
    }
    fs::write(root.join("speccheck-2.json"), file.to_string()).expect("a copy");
    let output = run(&["--json", "--backend", "portable"], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let failures = report["failures"].as_array().expect("failures");
    let got: BTreeSet<String> =
        failures.iter().map(|failure| failure["case"].as_str().expect("text").to_owned()).collect();
    assert_eq!(got, wanted);
}

#[test]
fn changed_ed25519_batches_are_noticed() {
    let mut file = read("ed25519", "batches.json");
    let batches = file["batches"].as_array_mut().expect("a list");
    // A batch with bad entries under every profile, and its first entry good under all: the first place of each kind.
    let is_bad = |batch: &Value| {
        let lists = batch["bad"].as_object().expect("lists");
        lists.values().all(|list| list.as_array().is_some_and(|list| !list.is_empty() && list[0] != 0))
    };
    batches.retain(is_bad);
    batches.truncate(1);
    bites("batches.json", &file, &[".set", ".source", ".id", ".touched[].index", ".touched[].kind"], 14);
}

#[test]
fn changed_ed25519_keys_are_noticed() {
    let file = read("ed25519", "keys.json");
    // An encoding that must be refused still is when it is changed, unless it becomes the good one: see the next test.
    let unnoticed = [".set", ".source", ".id", "reject[].der", "reject[].keypair"];
    bites("keys.json", &file, &unnoticed, 10);
    let mut file = file;
    let good = file["cases"][0]["pkcs8_v2_der"].clone();
    let reject = file["reject"].as_array_mut().expect("a list");
    reject.truncate(1);
    reject[0]["der"] = good;
    let root = folder("accepted");
    fs::write(root.join("keys.json"), file.to_string()).expect("a copy");
    let output = run(&[], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("the PKCS#8 reader accepts it"), "{errors}");
}
