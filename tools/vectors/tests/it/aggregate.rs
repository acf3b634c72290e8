//! The vectors of aggregates, damaged.

use crate::support::{bites_in, folder, read, run, vectors};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const AGGREGATE: &str = "aggregate";

/// An empty folder of the name that the runner goes by, with the statements and aggregates.
fn folder_with_files(name: &str) -> PathBuf {
    let root = folder(&format!("{name}/{AGGREGATE}"));
    for file in fs::read_dir(vectors(AGGREGATE)).expect("vectors") {
        let path = file.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            fs::copy(&path, root.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    root
}

#[test]
fn changed_vectors_of_aggregates_are_noticed() {
    let root = folder_with_files("changed aggregates");
    let cases = read(AGGREGATE, "cases.json");
    let cases = cases.as_array().expect("a list");
    // One of each kind: as it is, and with each kind of change.
    let kinds = ["blake2s_of_aggregate", "flip", "cut", "append"];
    let one_with =
        |key: &str| cases.iter().find(|case| case.get(key).is_some()).expect("a case of each kind");
    let file: Value = kinds.iter().map(|key| one_with(key).clone()).collect();
    // For readers; and what is refused for one change is for its neighbour.
    let unnoticed = ["[].name", "flip.offset", "flip.xor", "cut.length", "append.bytes_hex"];
    bites_in("aggregates", &file, &unnoticed, 8, &|number, file| {
        let path = root.join(format!("cases-{number:03}.json"));
        fs::write(&path, file.to_string()).expect("a copy");
        path
    });
}

#[test]
fn every_changed_verdict_on_an_aggregate_is_noticed() {
    let root = folder_with_files("changed verdicts");
    let mut file = read(AGGREGATE, "cases.json");
    let mut wanted = BTreeSet::new();
    for (i, case) in file.as_array_mut().expect("a list").iter_mut().enumerate() {
        case["verdict"] = json!(if case["verdict"] == "accept" { "refuse" } else { "accept" });
        wanted.insert(format!("[{i}]"));
    }
    let path = root.join("cases.json");
    fs::write(&path, file.to_string()).expect("a copy");
    let output = run(&["--json", "--backend", "portable"], &[path]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let failures = report["failures"].as_array().expect("failures");
    let got: BTreeSet<String> =
        failures.iter().map(|failure| failure["case"].as_str().expect("text").to_owned()).collect();
    assert_eq!(got, wanted);
}
