//! What is found, what is not understood, and which backends run.

use crate::ed25519;
use crate::support::{folder, put, read, run, stdout, vectors};
use serde_json::{Value, json};
use std::fs;

#[test]
fn what_is_not_understood_is_never_skipped() {
    let root = folder("not understood");
    let name = "p1-abort-l8-d4b8-test.intermediate.json";
    let file = read("xmss", name);
    let mut copies = Vec::new();
    let mut copy = |change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file);
        copies.push(put(&root, copies.len(), name, &file));
    };
    copy(&|file| drop(file.as_object_mut().expect("an object").remove("chain_walk")));
    copy(&|file| file["a_list_of_tomorrow"] = json!([{}]));
    copy(&|file| file["chain_walk"] = json!([]));
    copy(&|file| *file = json!([]));
    // A value that a case of today does not have fails that case: exit code 1.
    let mut with_key = file.clone();
    with_key["chain_walk"][0]["of_tomorrow"] = json!(1);
    let key = put(&root, 100, name, &with_key);

    let empty_folder = root.join("empty");
    fs::create_dir(&empty_folder).expect("a folder");
    let documentation = root.join("documentation");
    fs::create_dir(&documentation).expect("a folder");
    fs::write(documentation.join("README.md"), "nothing to run").expect("a file");
    let file_in = |folder: &str, name: &str, text: &str| {
        let folder = root.join(folder);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join(name), text).expect("a file");
        folder
    };
    let not_json = file_in("not JSON", name, "{");
    let empty_file = file_in("empty file", name, "");
    let stranger = file_in("stranger", "abacus.json", "{}");
    let ed25519 = ed25519::strangers(&root);
    let other_set = file_in("other set", "p9-top-l8-d64b8.e2e.json", "[]");
    let missing = root.join("missing");

    let good = vectors("xmss").join("constants");
    for path in copies
        .into_iter()
        .chain([empty_folder, documentation, not_json, empty_file, stranger, other_set, missing])
        .chain(ed25519)
    {
        let output = run(&[], &[good.clone(), path.clone()]);
        assert_eq!(output.status.code(), Some(2), "{}: {}", path.display(), stdout(&output));
        let text = stdout(&output);
        let last = text.lines().last().expect("lines");
        assert!(last.contains(" passed, ") && !last.contains(" 0 failed"), "{}: {last}", path.display());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("phalanx: failed: ") && errors.contains("phalanx: error: "), "{errors}");
    }
    assert_eq!(run(&[], &[key]).status.code(), Some(1));
}

#[test]
fn backends_are_chosen_by_name() {
    let path = vectors("xmss").join("poseidon1.primitives.json");
    let output = run(&["--backend", "portable", "--json"], std::slice::from_ref(&path));
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["backends"], json!(["portable"]));
    let output = run(&["--backend", "abacus"], &[path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no backend 'abacus'"));
}
