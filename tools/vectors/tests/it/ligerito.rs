//! The vectors of Ligerito, damaged.

use crate::support::{bites, bites_in, damage, folder, read, run, stdout, vectors};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const OWN: &str = "ligerito-own";
const OWN_128: &str = "ligerito-128";
const SUMS: &str = "ligerito-v2";
const PUBLISHED: &str = "ligerito";

/// An empty folder with the proofs of `from`.
fn folder_with_proofs(name: &str, from: &str) -> PathBuf {
    let root = folder(name);
    for file in fs::read_dir(vectors(from)).expect("vectors") {
        let path = file.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            fs::copy(&path, root.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    root
}

/// [`bites`] for a file that names proofs of `from`.
fn bites_beside(from: &str, stem: &str, file: &Value, unnoticed: &[&str], at_least: usize) {
    let root = folder_with_proofs(&format!("ligerito {stem}"), from);
    bites_in(stem, file, unnoticed, at_least, &|number, file| {
        let path = root.join(format!("{stem}-{number:03}.json"));
        fs::write(&path, file.to_string()).expect("a copy");
        path
    });
}

/// The list with the cases that `key` calls so.
fn only(mut list: Value, key: &str, names: &[&str]) -> Value {
    list.as_array_mut().expect("a list").retain(|case| names.iter().any(|name| case[key] == *name));
    assert_eq!(list.as_array().map(Vec::len), Some(names.len()));
    list
}

fn report(arguments: &[&str], paths: &[PathBuf], code: i32) -> Value {
    let output = run(&[&["--json"], arguments].concat(), paths);
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn changed_parts_of_our_suite_are_noticed() {
    // Rows of the generator matrix do not depend on how many there are.
    bites("basics.json", &read(OWN, "basics.json"), &["generator_row[].r"], 36);
    let mut file = read(OWN, "params.json");
    file["entries"].as_array_mut().expect("a list").truncate(2);
    // A model of the prover, which nothing depends on.
    bites("params.json", &file, &[".work_vs_rate4"], 17);
}

#[test]
fn changed_vectors_of_128_bits_are_noticed() {
    bites("basics.json", &read(OWN_128, "basics.json"), &["generator_row[].r"], 36);
    let mut file = read(OWN_128, "params.json");
    file["entries"].as_array_mut().expect("a list").truncate(2);
    bites("params.json", &file, &[".work_vs_balanced100"], 18);
    let file = only(read(OWN_128, "proofs.json"), "name", &["toy06_3", "p3_10"]);
    bites_beside(OWN_128, "proofs", &file, &[], 18);
}

#[test]
fn changed_vectors_of_weighted_sums_are_noticed() {
    bites("planes_algebra.json", &read(SUMS, "planes_algebra.json"), &[], 5);
    let file = read(SUMS, "section_ab.json");
    // For readers; a claim whose values are refused is, whatever they are; and a neighbouring byte.
    let unnoticed = [
        "note",
        "cases[].name",
        "rejects[].what",
        "rejects[].values[]",
        "rejects[].proof_hex",
        "rejects[].xor",
        "rejects[].offset",
    ];
    bites("section_ab.json", &file, &unnoticed, 17);
}

#[test]
fn changed_vectors_of_described_weights_are_noticed() {
    let mut file = read(SUMS, "section_a3.json");
    file["cases"] = only(file["cases"].take(), "name", &["described_128_L0", "described_of_two"]);
    let unnoticed = [
        "note",
        "cases[].name",
        "rejects[].what",
        "rejects[].values[]",
        "rejects[].proof_hex",
        "rejects[].xor",
        "rejects[].offset",
    ];
    bites("section_a3.json", &file, &unnoticed, 16);
}

#[test]
fn changed_vectors_up_to_the_johnson_radius_are_noticed() {
    let file = read(SUMS, "section_e.json");
    let unnoticed = ["note", "cases[].name", "rejects[].what"];
    bites("section_e.json", &file, &unnoticed, 17);
    let mut file = read(SUMS, "johnson128_shapes.json");
    // That of 17 variables, the first with two levels, has all terms.
    file["entries"] = json!([file["entries"][7]]);
    let unnoticed = [".work_vs_balanced100", ".m[]", ".A[]", ".list_bound[]", ".log2_E0[]"];
    bites("johnson128_shapes.json", &file, &unnoticed, 23);
}

#[test]
fn changed_protocols_are_noticed() {
    let file = read(SUMS, "section_d.json");
    // For readers; what is refused is, whatever else it says; and a neighbouring byte.
    let unnoticed = [
        "note",
        "protocols[].name",
        "rejects[].what",
        "rejects[].statement_hex",
        "rejects[].with.absorb.label",
        "rejects[].with.absorb.data_hex",
        "rejects[].with.open.ctx_hex",
        "rejects[].with.open.claims[].point[]",
        "rejects[].with.open.claims[].values[]",
        "rejects[].with.open.claims[].tensors[].scale",
        "rejects[].with.open.claims[].tensors[].factors[][]",
        "rejects[].offset",
        "rejects[].xor",
    ];
    bites("section_d.json", &file, &unnoticed, 34);
}

#[test]
fn changed_proofs_of_our_suite_are_noticed() {
    // Proof of work and three claims; a registered shape.
    let file = only(read(OWN, "proofs.json"), "name", &["toy06_3", "p1_10"]);
    bites_beside(OWN, "proofs", &file, &[], 18);
}

#[test]
fn changed_rejections_are_noticed() {
    let mut file = read(OWN, "reject.json");
    file["flips_of_base"].as_array_mut().expect("a list").truncate(10);
    let unnoticed = [
        // For readers.
        "cases[].name",
        "cases[].note",
        "flips_note",
        // What is rejected for a wrong nonce still is after another change.
        "cases[].suite",
        "cases[].ctx_hex",
        "cases[].root0",
        "cases[].claims[].point[]",
        "cases[].claims[].value",
        // A neighbouring byte.
        "flips_of_base[][]",
    ];
    bites_beside(OWN, "reject", &file, &unnoticed, 19);
}

#[test]
fn every_changed_reason_is_noticed() {
    let root = folder_with_proofs("ligerito reasons", OWN);
    let mut file = read(OWN, "reject.json");
    let mut wanted = BTreeSet::new();
    for (i, case) in file["cases"].as_array_mut().expect("a list").iter_mut().enumerate() {
        let other = if case["reason"] == "FinalRow" { "FinalClaim" } else { "FinalRow" };
        case["reason"] = json!(other);
        wanted.insert(format!("cases[{i}] {}", case["name"].as_str().expect("text")));
    }
    for (i, flip) in file["flips_of_base"].as_array_mut().expect("a list").iter_mut().enumerate() {
        flip[2] = json!(if flip[2] == "MerkleRoot" { "ProofOfWork" } else { "MerkleRoot" });
        wanted.insert(format!("flips_of_base[{i}]"));
    }
    let path = root.join("reject.json");
    fs::write(&path, file.to_string()).expect("a copy");
    let report = report(&["--backend", "portable"], &[path], 1);
    let failures = report["failures"].as_array().expect("failures");
    let got: BTreeSet<String> =
        failures.iter().map(|failure| failure["case"].as_str().expect("text").to_owned()).collect();
    assert!(wanted.len() > 3000);
    assert_eq!(got, wanted);
}

#[test]
fn changed_parts_of_the_crate_are_noticed() {
    let mut file = read(PUBLISHED, "fields.json");
    for (_, list) in file.as_object_mut().expect("an object") {
        list.as_array_mut().expect("a list").truncate(40);
    }
    bites("fields.json", &file, &[], 17);
    // Short ones in full, and one of each that is given by its digest.
    let few = |name: &str, log2: &str| {
        let mut file = read(PUBLISHED, name);
        let is_short = |case: &Value| case[log2].as_u64().is_some_and(|log2| log2 <= 2);
        let mut digests = 0;
        file.as_array_mut().expect("a list").retain(|case| {
            let is_digest = case.get("input_seed").or(case.get("message_seed")).is_some();
            digests += u32::from(is_digest);
            is_short(case) || is_digest && digests == 1
        });
        file
    };
    bites("fft.json", &few("fft.json", "log_n"), &[], 11);
    bites("reed_solomon.json", &few("reed_solomon.json", "log_message"), &[], 11);
    bites("merkle.json", &read(PUBLISHED, "merkle.json"), &[], 10);
    bites("transcript.json", &read(PUBLISHED, "transcript.json"), &[], 14);
}

#[test]
fn changed_proofs_of_the_crate_are_noticed() {
    let file = only(read(PUBLISHED, "proofs.json"), "file", &["proof12_0.bin"]);
    bites_beside(PUBLISHED, "proofs", &file, &[], 30);
    let file = read(PUBLISHED, "eval_proofs.json");
    bites_beside(PUBLISHED, "eval_proofs", &file, &[], 15);
}

#[test]
#[ignore = "2^24 coefficients, the only ones with a third level: seconds"]
fn a_changed_glue_challenge_is_noticed() {
    let mut file = read(PUBLISHED, "proofs.json");
    file.as_array_mut().expect("a list").retain(|case| case["log_n"] == 24);
    let beta = &mut file[0]["trace"]["levels"][1]["beta"];
    damage(beta);
    let root = folder("ligerito glue");
    let path = root.join("proofs.json");
    fs::write(&path, file.to_string()).expect("a copy");
    let report = report(&[], &[path], 1);
    assert_eq!(report["failed"], 1, "{report}");
}

#[test]
fn changed_tampering_is_noticed() {
    let mut file = read(PUBLISHED, "tampered.json");
    file["files"].as_array_mut().expect("a list").truncate(2);
    file["xor_flips_offset_mask_verdict"].as_array_mut().expect("a list").truncate(5);
    // For readers; another byte.
    let unnoticed = ["files[].what", "xor_flips_offset_mask_verdict[][]"];
    bites_beside(PUBLISHED, "tampered", &file, &unnoticed, 3);
    // The proof itself in place of one that was tampered with, and a flip that is none.
    let root = folder_with_proofs("ligerito not tampered", PUBLISHED);
    fs::copy(root.join("proof12_0.bin"), root.join("tamper12_00.bin")).expect("a copy");
    file["xor_flips_offset_mask_verdict"][0][1] = json!(0);
    file["xor_flips_offset_mask_verdict"][1][2] = json!("true");
    let path = root.join("tampered.json");
    fs::write(&path, file.to_string()).expect("a copy");
    assert_eq!(report(&[], &[path], 1)["failed"], 3);
}

#[test]
fn changed_proof_files_are_noticed() {
    let root = folder_with_proofs("ligerito files", OWN);
    fs::copy(vectors(OWN).join("proofs.json"), root.join("proofs.json")).expect("a copy");
    let change = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(root.join(name)).expect("a proof");
        change(&mut bytes);
        fs::write(root.join(name), bytes).expect("a copy");
    };
    change("toy00_1.bin", &|bytes| bytes[100] ^= 1);
    change("toy01_1.bin", &|bytes| bytes.truncate(bytes.len() - 1));
    change("toy02_1.bin", &|bytes| bytes.push(0));
    change("toy03_1.bin", &Vec::clear);
    fs::remove_file(root.join("toy04_1.bin")).expect("it was there");
    let report = report(&[], &[root.join("proofs.json")], 1);
    let failures = report["failures"].as_array().expect("failures");
    for name in ["toy00_1", "toy01_1", "toy02_1", "toy03_1", "toy04_1"] {
        let mine = |failure: &&Value| failure["case"].as_str().is_some_and(|case| case.contains(name));
        assert!(failures.iter().any(|failure| mine(&failure)), "{name}: {failures:#?}");
    }
}

#[test]
fn what_is_not_understood_is_never_skipped() {
    let root = folder("ligerito not understood");
    let mut paths = Vec::new();
    let mut copy = |from: &str, name: &str, change: &dyn Fn(&mut Value)| {
        let mut file = read(from, name);
        change(&mut file);
        let folder = root.join(format!("{:03}", paths.len()));
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join(name), file.to_string()).expect("a copy");
        paths.push(folder);
    };
    let remove = |file: &mut Value, key: &str| drop(file.as_object_mut().expect("an object").remove(key));
    copy(OWN, "basics.json", &|file| remove(file, "merkle"));
    copy(OWN, "basics.json", &|file| file["mul"] = json!([]));
    copy(OWN, "basics.json", &|file| file["of_tomorrow"] = json!([]));
    copy(OWN, "params.json", &|file| file["entries"] = json!([]));
    copy(OWN, "proofs.json", &|file| *file = json!([]));
    copy(OWN, "proofs.json", &|file| *file = json!([{ "name": "of tomorrow" }]));
    copy(PUBLISHED, "fields.json", &|file| remove(file, "gf16"));
    copy(PUBLISHED, "fields.json", &|file| file["gf64"] = json!([]));
    copy(PUBLISHED, "merkle.json", &|file| *file = json!({}));
    // A proof that nothing names, and one that is named but by no key for files.
    let stray = root.join("stray");
    fs::create_dir(&stray).expect("a folder");
    fs::copy(vectors(OWN).join("toy00_1.bin"), stray.join("toy00_1.bin")).expect("a copy");
    paths.push(stray);
    let noted = root.join("noted");
    fs::create_dir(&noted).expect("a folder");
    fs::copy(vectors(OWN).join("toy00_1.bin"), noted.join("toy00_1.bin")).expect("a copy");
    let mut file = read(PUBLISHED, "fields.json");
    for list in ["gf16", "gf32", "gf128", "embeddings"] {
        file[list].as_array_mut().expect("a list").truncate(2);
    }
    fs::write(noted.join("fields.json"), file.to_string()).expect("a copy");
    paths.push(noted);
    for path in paths {
        let output = run(&["--backend", "portable"], std::slice::from_ref(&path));
        assert_eq!(output.status.code(), Some(2), "{}: {}", path.display(), stdout(&output));
    }
}

#[test]
fn files_of_other_names_run_in_their_folders() {
    let root = folder("ligerito names");
    let own_folder = root.join("ligerito-own");
    fs::create_dir(&own_folder).expect("a folder");
    let file = only(read(OWN, "proofs.json"), "name", &["toy00_1"]);
    fs::write(own_folder.join("more.json"), file.to_string()).expect("a file");
    fs::copy(vectors(OWN).join("toy00_1.bin"), own_folder.join("toy00_1.bin")).expect("a copy");
    // The same under a known name in a folder of any name.
    let any = root.join("any");
    fs::create_dir(&any).expect("a folder");
    fs::copy(own_folder.join("more.json"), any.join("proofs-2.json")).expect("a copy");
    fs::copy(vectors(OWN).join("toy00_1.bin"), any.join("toy00_1.bin")).expect("a copy");
    let report = report(&[], &[root], 0);
    assert_eq!(report["files"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["passed"], 2 * (1 + 5), "{report}");
}
