//! The vectors of Rescue, damaged.

use crate::support::{bites, folder, put, read, run, stdout};
use serde_json::{Value, json};
use std::fs;

/// A file with few cases in each list, those of every form among them: of the bytes one that has no answer too.
fn few(name: &str) -> Value {
    let mut file = read("rescue", name);
    for (key, list) in file.as_object_mut().expect("an object") {
        let Value::Array(list) = list else { continue };
        let panics = |case: &Value| case.get("reference_panics").is_some();
        let refused = list.iter().find(|case| panics(case)).cloned();
        // The first cases of some lists are empty, and with them nothing to change.
        let few: Vec<Value> = list.iter().take(3).cloned().chain(refused).collect();
        assert!(!few.is_empty(), "{key}");
        *list = few;
    }
    file
}

#[test]
fn changed_cases_are_noticed() {
    for (name, at_least) in
        [("rp64_256.json", 25), ("rp64_256_jive.json", 23), ("rpo256.json", 16), ("rpx256.json", 16)]
    {
        bites(name, &few(name), &[".system"], at_least);
    }
}

#[test]
fn changed_constants_are_noticed() {
    let file = read("rescue", "constants.json");
    bites("constants.json", &file, &[], 14);
    // The other end of every table.
    let root = folder("ends");
    let mut paths = Vec::new();
    for (system, tables) in file.as_object().expect("an object") {
        for (table, rows) in tables.as_object().into_iter().flatten() {
            let (height, width) =
                (rows.as_array().expect("rows").len(), rows[0].as_array().expect("a row").len());
            let mut copy = file.clone();
            let word = &mut copy[system][table][height - 1][width - 1];
            *word = json!(if *word == json!("8") { "9" } else { "8" });
            paths.push(put(&root, paths.len(), "constants.json", &copy));
        }
    }
    assert!(paths.len() >= 11, "{} tables", paths.len());
    let output = run(&["--json", "--backend", "portable"], &paths);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    for file in report["files"].as_array().expect("files") {
        assert_ne!(file["failed"], 0, "{file}");
    }
}

#[test]
fn a_change_of_any_word_is_noticed() {
    let root = folder("words");
    let mut file = few("rp64_256.json");
    // As many copies of a case as it has words, each with another one changed.
    let copies = |case: &Value, key: &str| -> Vec<Value> {
        let count = case[key].as_array().expect("words").len();
        let changed = |i: usize| {
            let mut copy = case.clone();
            copy[key][i] = json!(if copy[key][i] == json!("8") { "9" } else { "8" });
            copy
        };
        (0..count).map(changed).collect()
    };
    let permuted = file["permutation"][1].clone();
    file["permutation"] = json!([copies(&permuted, "in"), copies(&permuted, "out")].concat());
    let hashed = file["hash_elements"][2].clone();
    file["hash_elements"] = json!([copies(&hashed, "in"), copies(&hashed, "out")].concat());
    let (permuted, hashed) = (24, file["hash_elements"].as_array().expect("cases").len());
    fs::write(root.join("rp64_256.json"), file.to_string()).expect("a copy");

    let mut file = read("rescue", "field.json");
    let row = file["binary"].as_array().expect("rows").last().expect("a row").clone();
    let changed = copies(&json!({ "row": row }), "row");
    file["binary"] = changed.iter().map(|case| case["row"].clone()).collect();
    fs::write(root.join("field.json"), file.to_string()).expect("a copy");

    let output = run(&["--json"], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let failed = |list: &str| {
        let failures = report["failures"].as_array().expect("failures").iter();
        failures.filter(|failure| failure["case"].as_str().is_some_and(|case| case.starts_with(list))).count()
    };
    assert_eq!((failed("permutation["), failed("hash_elements["), failed("binary[")), (permuted, hashed, 5));
    assert_eq!(report["failed"], json!(permuted + hashed + 5), "and nothing else");
}

#[test]
fn changed_rows_of_the_field_are_noticed() {
    let mut file = read("rescue", "field.json");
    for list in ["binary", "unary"] {
        file[list].as_array_mut().expect("rows").truncate(20);
    }
    bites("field.json", &file, &[".note"], 12);
}

#[test]
fn what_is_not_understood_is_never_skipped() {
    let root = folder("rescue not understood");
    let mut paths = Vec::new();
    let mut copy = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut file = if name == "rpo256.json" { few(name) } else { read("rescue", name) };
        change(&mut file);
        paths.push(put(&root, paths.len(), name, &file));
    };
    let remove = |file: &mut Value, key: &str| drop(file.as_object_mut().expect("an object").remove(key));
    copy("rpo256.json", &|file| remove(file, "hash_elements_in_domain"));
    copy("rpo256.json", &|file| remove(file, "system"));
    copy("rpo256.json", &|file| file["merge_many"] = json!([{ "digests": [], "out": ["0", "0", "0", "0"] }]));
    copy("rpo256.json", &|file| file["merge"] = json!([]));
    copy("constants.json", &|file| remove(file, "modulus"));
    copy("constants.json", &|file| drop(file["rpo256"]["ark1"].as_array_mut().expect("rows").pop()));
    copy("constants.json", &|file| file["rp64_512"] = json!({}));
    copy("field.json", &|file| remove(file, "unary"));
    copy("field.json", &|file| file["ternary"] = json!([[]]));
    copy("field.json", &|file| *file = json!({}));
    for path in paths {
        let output = run(&["--backend", "portable"], std::slice::from_ref(&path));
        assert_eq!(output.status.code(), Some(2), "{}: {}", path.display(), stdout(&output));
    }
    // A file of another function under a name of this one, and one whose name says nothing.
    let of_rpx = few("rpx256.json");
    let path = put(&root, 100, "rpo256.json", &of_rpx);
    assert_eq!(run(&[], &[path]).status.code(), Some(1));
    let unnamed = root.join("rescue");
    fs::create_dir(&unnamed).expect("a folder");
    fs::write(unnamed.join("more.json"), of_rpx.to_string()).expect("a file");
    assert_eq!(run(&[], &[unnamed]).status.code(), Some(0));
}
