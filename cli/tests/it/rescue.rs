//! Rescue: hashes of elements, digits, files and standard input; the permutation; what is refused.

use crate::support::{Folder, Run};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Functions and their files.
const FUNCTIONS: [(&str, &str); 4] = [
    ("rescue-rp64-256", "rp64_256"),
    ("rescue-jive-256", "rp64_256_jive"),
    ("rpo-256", "rpo256"),
    ("rpx-256", "rpx256"),
];

/// A file of `vectors/rescue`.
fn vectors(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/rescue/{name}.json"));
    serde_json::from_slice(&std::fs::read(path).expect("the vector file is there")).expect("it is JSON")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Words between commas.
fn joined(words: &Value) -> String {
    list(words).iter().map(|word| word.as_str().expect("text")).collect::<Vec<_>>().join(",")
}

/// The digits of a digest.
fn digest(words: &Value) -> String {
    let bytes = |word: &Value| word.as_str().expect("text").parse::<u64>().expect("a word").to_le_bytes();
    list(words).iter().map(|word| hex::encode(bytes(word))).collect()
}

/// Runs it with standard input.
fn fed(folder: &Folder, args: &str, input: &[u8]) -> Run {
    let mut child = folder.command(args).stdin(Stdio::piped()).spawn().expect("it starts");
    // It may stop reading early: then its exit code tells.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn hashes_of_the_vectors() {
    let folder = Folder::new();
    for (function, name) in FUNCTIONS {
        let file = vectors(name);
        for case in list(&file["hash_elements"]).iter().skip(1).step_by(13).take(4) {
            let run =
                folder.good(&format!("rescue hash --function {function} --elements {}", joined(&case["in"])));
            assert_eq!(run.stdout, format!("{}\n", digest(&case["out"])), "{function}");
        }
        for case in list(&file["hash_bytes"]).iter().skip(1).step_by(17) {
            let digits = case["in_hex"].as_str().expect("text");
            let hashed = format!("rescue hash --function {function} --json --hex {digits}");
            if case["out"].is_null() {
                let refused = folder.run(&hashed);
                refused.check_bad(&hashed, 2);
                assert!(refused.stderr.contains("hint: --padded"), "{}", refused.stderr);
                folder.good(&format!("{hashed} --padded"));
                continue;
            }
            let object = folder.good(&hashed).json();
            let wanted = digest(&case["out"]);
            assert_eq!(object["function"], function);
            assert_eq!(object["digests"][0]["digest"], wanted.as_str());
            assert_eq!(object["digests"][0]["digest_elements"], case["out"]);
            assert_eq!(object["digests"][0]["bytes"], case["len"]);
            let bytes = hex::decode(digits).expect("digits");
            folder.write("file", &bytes);
            let run = folder.good(&format!("rescue hash --function {function} file"));
            assert_eq!(run.stdout, format!("{wanted}  file\n"));
            let run = fed(&folder, &format!("rescue hash --function {function} -"), &bytes);
            assert_eq!(run.stdout, format!("{wanted}  -\n"));
        }
    }
}

#[test]
fn files_of_every_length_and_name() {
    let folder = Folder::new();
    for length in [0, 1, 55, 56, 57, 63, 64, 65_536, 70_000, 1 << 20] {
        let bytes: Vec<u8> = (0..length).map(|i| u8::try_from(i % 251).expect("small")).collect();
        folder.write("file", &bytes);
        for more in ["", "--padded", "--function rescue-jive-256", "--function rpo-256 --padded"] {
            let of_file = folder.run(&format!("rescue hash {more} file"));
            let of_input = fed(&folder, &format!("rescue hash {more} -"), &bytes);
            let is_defined = !more.is_empty() || length <= 56 || length % 7 == 0;
            assert_eq!(
                of_file.code,
                Some(if is_defined { 0 } else { 2 }),
                "{length} {more}: {}",
                of_file.stderr
            );
            assert_eq!(of_file.stdout.replace("file", "-"), of_input.stdout, "{length} {more}");
        }
    }
    folder.write("empty", "");
    let run = folder.good("rescue hash empty empty");
    let zeros = "0".repeat(64);
    assert_eq!(run.stdout, format!("{zeros}  empty\n{zeros}  empty\n"));
    let run = folder.good("rescue hash --json empty empty");
    assert_eq!(run.json()["digests"].as_array().map(Vec::len), Some(2));
    #[cfg(unix)]
    {
        folder.write("two\nlines", "");
        let run = folder.good("rescue hash two\nlines");
        assert_eq!(run.stdout, format!("\\{zeros}  two\\nlines\n"));
    }
    folder.bad("rescue hash - -", 2);
    folder.bad("rescue hash .", 2);
    folder.bad("rescue hash missing", 4);
    let run = folder.run("rescue hash empty missing");
    assert_eq!((run.code, run.stdout), (Some(4), format!("{zeros}  empty\n")));
}

#[test]
fn elements_are_words() {
    let folder = Folder::new();
    let hash = |elements: &str| folder.good(&format!("rescue hash --elements={elements}")).stdout;
    assert_eq!(hash("1,2,3"), hash("0x1,0x2,18446744069414584324"), "taken modulo p");
    assert_ne!(hash("1,2,3"), hash("1,2,3,0"));
    assert_eq!(hash(""), format!("{}\n", "0".repeat(64)));
    for bad in ["1,,2", "-1", "18446744073709551616", "one", "1,2,"] {
        folder.bad(&format!("rescue hash --elements={bad}"), 2);
    }
    for bad in [
        "",
        "--elements 1 --hex 00",
        "--hex 0",
        "--hex zz",
        "--elements 1 --padded",
        "--function abacus --hex 00",
    ] {
        folder.bad(&format!("rescue hash {bad}"), 2);
    }
}

#[test]
fn permutations_of_the_vectors() {
    let folder = Folder::new();
    for (function, name) in FUNCTIONS {
        let file = vectors(name);
        let cases = list(&file["permutation"]);
        let lines: String = cases.iter().map(|case| joined(&case["in"]).replace(',', " ") + "\n").collect();
        let wanted: String = cases.iter().map(|case| joined(&case["out"]) + "\n").collect();
        let permute = format!("rescue permute --function {function}");
        assert_eq!(fed(&folder, &permute, lines.as_bytes()).stdout, wanted, "{function}");
        let two =
            format!("{permute} --state {} --state {}", joined(&cases[1]["in"]), joined(&cases[2]["in"]));
        let object = folder.good(&format!("{two} --json")).json();
        assert_eq!(object["states"], serde_json::json!([cases[1]["out"], cases[2]["out"]]));
        folder.bad(&format!("{permute} --state 1,2,3"), 2);
        let run = fed(&folder, &permute, format!("{lines}1 2\n").as_bytes());
        run.check_bad(&permute, 2);
        let wanted = format!("line {}: a state of {function}: got 2 words", cases.len() + 1);
        assert!(run.stderr.contains(&wanted), "{}", run.stderr);
    }
    folder.bad("rescue permute", 2);
    fed(&folder, "rescue permute", &[0xff; 5000]).check_bad("permute", 2);
}

#[test]
fn the_tour_has_a_tree() {
    let folder = Folder::new();
    let object = folder.good("tour --json").json();
    let is_ours = |system: &&Value| system["system"].as_str().is_some_and(|name| name.starts_with("Rescue"));
    let section = list(&object["systems"]).iter().find(is_ours).expect("a section");
    let steps: Vec<&str> = list(&section["steps"]).iter().filter_map(|step| step["step"].as_str()).collect();
    assert!(steps.iter().any(|step| step.starts_with("Merkle tree")), "{steps:?}");
}
