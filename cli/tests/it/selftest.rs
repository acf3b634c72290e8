//! `phalanx selftest`: the built-in set, and that its answers are those of the repository's vector files.

use crate::support::Folder;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn the_built_in_set_passes() {
    let folder = Folder::new();
    let text = folder.good("selftest").stdout;
    let last = text.lines().last().expect("lines");
    let passed: usize = last.strip_suffix(" passed, 0 failed").expect(last).parse().expect("a number");
    assert!(passed > 10, "{last}");
    assert!(text.starts_with("ok    built-in/xmss: "), "{text}");
    let object = folder.good("selftest --backend portable --json").json();
    assert_eq!((&object["passed"], &object["failed"]), (&json!(passed), &json!(0)));
    assert_eq!(object["backends"], json!(["portable"]));
    assert_eq!(object["files"].as_array().map(Vec::len), Some(4));
}

#[test]
fn files_are_run_elsewhere() {
    let folder = Folder::new();
    let run = folder.bad("selftest vectors/xmss", 2);
    assert!(
        run.stderr.contains("phalanx: hint: in the repository, 'cargo xtask vectors PATH'"),
        "{}",
        run.stderr
    );
    assert!(folder.bad("selftest --backend abacus", 2).stderr.contains("no backend 'abacus'"));
}

/// Whether every value of `part` is somewhere below `whole`, at the end of the same keys.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Array(list), part) if list.iter().any(|one| holds(one, part)) => true,
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|known| holds(known, value)))
        }
        _ => whole == part,
    }
}

#[test]
fn its_answers_are_in_the_vector_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| -> Value {
        let text = fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_slice(&text).expect("it is JSON")
    };
    let answers = read("src/selftest/answers.json");
    for (file, part) in [
        ("rescue/rp64_256.json", &answers["rescue"][0]),
        ("rescue/rp64_256_jive.json", &answers["rescue"][1]),
        ("rescue/rpo256.json", &answers["rescue"][2]),
        ("rescue/rpx256.json", &answers["rescue"][3]),
        ("ligerito-own/proofs.json", &answers["ligerito"][0]),
        ("ligerito-own/proofs.json", &answers["ligerito"][1]),
        ("ligerito-128/proofs.json", &answers["ligerito"][2]),
        ("ligerito/proofs.json", &answers["ligerito_ref_v08"]),
        ("xmss/p1-abort-l8-d4b8-test.e2e.json", &answers["xmss"][0]),
        ("xmss/p2-top-l8-d64b8.e2e.json", &answers["xmss"][1]),
        ("xmss/p1-abort-l32-d46b8.e2e.json", &answers["xmss_signature"]),
    ] {
        let vectors = read(&format!("../vectors/{file}"));
        let mut part = part.clone();
        // Of Rescue the name of the file says it.
        part.as_object_mut().expect("an object").remove("function");
        assert!(holds(&vectors, &part), "{file} does not hold {part:#}");
    }
}
