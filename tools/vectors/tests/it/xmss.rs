//! The vectors of XMSS, damaged.

use crate::support::{bites, folder, read, run, vectors};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn changed_primitives_are_noticed() {
    // Rounding forgives: a key for one epoch more, or of another lifetime, may have the same trees.
    let rounding = [
        "activation_rounding[].log_lifetime",
        "activation_rounding[].activation_epoch",
        "activation_rounding[].num_active_epochs",
    ];
    for name in ["poseidon1.primitives.json", "poseidon2.primitives.json"] {
        bites(name, &read("xmss", name), &rounding, 10);
    }
}

#[test]
fn changed_constants_are_noticed() {
    for name in ["poseidon1_koalabear.json", "poseidon2_koalabear.json"] {
        bites(name, &read("xmss", &format!("constants/{name}")), &["note"], 10);
    }
}

#[test]
fn changed_stages_are_noticed() {
    for profile in ["p1-abort-l8-d4b8-test", "p2-top-l8-d64b8"] {
        let name = format!("{profile}.intermediate.json");
        bites(&name, &read("xmss", &name), &[], 10);
    }
}

#[test]
fn changed_keys_are_noticed() {
    let name = "p1-abort-l8-d4b8-test.e2e.json";
    let file = read("xmss", name);
    // One key, with one case of each kind: the list of signatures has the forms in full, the bad ones are left to the
    // next test, since a case that must be rejected still is when it is changed.
    let mut key = file[0].clone();
    key["sk_files"] = json!([]);
    let keep = |value: &mut Value, wanted: &dyn Fn(&Value) -> bool| {
        let list = value.as_array().expect("a list");
        let kept = list.iter().find(|case| wanted(case)).expect("such a case").clone();
        *value = json!([kept]);
    };
    keep(&mut key["signatures"], &|_| true);
    keep(&mut key["sign_out_of_range"], &|case| case["required"] == "ok");
    for list in ["verify_cases_ssz", "verify_cases_bincode1", "sk_cases_ssz"] {
        keep(&mut key[list], &|case| case["case"] == "valid");
    }
    let unnoticed = [
        // Names, and what the reference did.
        "_cases_ssz[].reference",
        "verify_cases_bincode1[].reference",
        "sign_out_of_range[].reference",
        "verify_cases_ssz[].case",
        "verify_cases_bincode1[].case",
        "sign_out_of_range[].case",
        // Rounding forgives, and any epoch and message can be signed.
        "requested_activation_epoch",
        "requested_active_epochs",
        "sign_out_of_range[].epoch",
        "sk_cases_ssz[].sign_epoch",
        "sk_cases_ssz[].sign_message",
    ];
    bites(name, &json!([key]), &unnoticed, 10);
}

#[test]
fn wrong_requirements_and_files_are_noticed() {
    let root = folder("wrong");
    let profile = "p1-abort-l8-d4b8-test";
    let name = format!("{profile}.e2e.json");
    for file in fs::read_dir(vectors("xmss")).expect("vectors") {
        let file = file.expect("an entry");
        if file.file_name().to_string_lossy().starts_with(profile) {
            fs::copy(file.path(), root.join(file.file_name())).expect("a copy");
        }
    }
    let mut file = read("xmss", &name);
    let mut wanted = BTreeSet::new();
    for list in ["verify_cases_ssz", "verify_cases_bincode1", "sign_out_of_range"] {
        for (i, case) in file[0][list].as_array_mut().expect("a list").iter_mut().enumerate() {
            let other = match case["required"].as_str().expect("text") {
                "accept" => "reject",
                "reject" => "accept",
                "ok" => "error",
                _ => "ok",
            };
            case["required"] = json!(other);
            wanted.insert(format!("[0].{list}[{i}] {}", case["case"].as_str().expect("text")));
        }
    }
    // A sound key under the name of a damaged one, and a damaged one under that of the sound one.
    let (sound, broken) = (file[1]["sk_cases_ssz"][0].clone(), file[1]["sk_cases_ssz"][1].clone());
    file[1]["sk_cases_ssz"][0]["sk_ssz"] = broken["sk_ssz"].clone();
    file[1]["sk_cases_ssz"][1]["sk_ssz"] = sound["sk_ssz"].clone();
    wanted.insert("[1].sk_cases_ssz[0] valid".to_owned());
    wanted.insert(format!("[1].sk_cases_ssz[1] {}", broken["case"].as_str().expect("text")));
    fs::write(root.join(&name), file.to_string()).expect("a copy");
    // The key files: one with a flipped bit, one that is another key.
    let secret = format!("{profile}.k0.sk.bincode1");
    let mut bytes = fs::read(root.join(&secret)).expect("a copy");
    bytes[5] ^= 1;
    fs::write(root.join(&secret), bytes).expect("a copy");
    fs::copy(root.join(format!("{profile}.k1-sparse.pk.ssz")), root.join(format!("{profile}.k0.pk.ssz")))
        .expect("a copy");

    let output = run(&["--json"], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let failures = report["failures"].as_array().expect("failures");
    let failed = |file: &str| -> BTreeSet<String> {
        let path = root.join(file).display().to_string();
        let mine = failures.iter().filter(|failure| failure["file"] == json!(path));
        mine.map(|failure| failure["case"].as_str().expect("text").to_owned()).collect()
    };
    let got = failed(&name);
    assert!(wanted.is_subset(&got), "not noticed: {:#?}", wanted.difference(&got));
    assert!(got.contains(&format!("[0].sk_files {secret}")), "{got:#?}");
    assert!(!failed(&secret).is_empty());
    assert!(!failed(&format!("{profile}.k0.pk.ssz")).is_empty());
    assert!(failed(&format!("{profile}.k1-sparse.sk.ssz")).is_empty());
    assert_eq!(report["failed"], json!(failures.len()));
}
