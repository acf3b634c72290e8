//! The self-test bites: every value, list and key of a vector file that is changed must be noticed.
//!
//! Copies of the 2^8 vectors of XMSS and of those of Ed25519 are damaged one value at a time. The values are found by walking the files, so a new list is
//! covered without a word here; what may change unnoticed is listed by name.

#[path = "selftest/ligerito.rs"]
mod ligerito;
#[path = "selftest/rescue.rs"]
mod rescue;

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `phalanx selftest`.
fn selftest(arguments: &[&str], paths: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phalanx"));
    command.arg("selftest").args(arguments).args(paths).env_remove("PHALANX_BACKEND");
    command.output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/xmss")
}

fn read(name: &str) -> Value {
    read_from(&vectors(), name)
}

fn read_from(folder: &Path, name: &str) -> Value {
    let path = folder.join(name);
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("vectors are JSON")
}

/// An empty folder of this test program.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selftest").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the former run's folder goes away");
    }
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// A step into a value: a key, or an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Index(usize),
}

/// The first place of every kind: `a[0].b` stands for all `a[i].b`. Lists of numbers count as one place.
fn places(value: &Value) -> BTreeMap<String, Vec<Step>> {
    fn visit(value: &Value, name: &str, way: &mut Vec<Step>, places: &mut BTreeMap<String, Vec<Step>>) {
        let mut below = |step: Step, value: &Value, name: &str| {
            way.push(step);
            visit(value, name, way, places);
            way.pop();
        };
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    below(Step::Key(key.clone()), value, &format!("{name}.{key}"));
                }
            }
            Value::Array(values) => {
                for (i, value) in values.iter().enumerate() {
                    below(Step::Index(i), value, &format!("{name}[]"));
                }
            }
            _ => {
                places.entry(name.to_owned()).or_insert_with(|| way.clone());
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(value, "", &mut Vec::new(), &mut found);
    found
}

fn at<'a>(value: &'a mut Value, way: &[Step]) -> &'a mut Value {
    way.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key],
        Step::Index(i) => &mut value[i],
    })
}

/// Changes a value a little, to one of the same form.
fn damage(value: &mut Value) {
    *value = match value.take() {
        Value::Bool(b) => json!(!b),
        Value::Number(n) => match n.as_u64() {
            Some(n) => json!(n ^ 1),
            None => json!(n.as_f64().expect("a number") + 0.01),
        },
        Value::String(mut text) => {
            match text.pop() {
                Some(last) => text.push(if last == '0' { '1' } else { '0' }),
                // An empty message gets a byte.
                None => text.push_str("00"),
            }
            json!(text)
        }
        Value::Null => json!(0),
        other => panic!("{other} is not a single value"),
    };
}

/// Writes a copy of `file` called `name` into a folder of its own.
fn put(root: &Path, number: usize, name: &str, file: &Value) -> PathBuf {
    let folder = root.join(format!("{number:03}"));
    fs::create_dir(&folder).expect("a temporary folder");
    fs::write(folder.join(name), file.to_string()).expect("a copy");
    folder
}

/// Damages `name` at every place but the `unnoticed`, one copy for each, and expects every copy to be reported; there are
/// `at_least` so many places.
fn bites(name: &str, file: &Value, unnoticed: &[&str], at_least: usize) {
    let root = folder(name);
    bites_in(name, file, unnoticed, at_least, &|number, file| put(&root, number, name, file));
}

/// [`bites`], where `put` writes the copy of a number and says where it is.
fn bites_in(
    name: &str,
    file: &Value,
    unnoticed: &[&str],
    at_least: usize,
    put: &dyn Fn(usize, &Value) -> PathBuf,
) {
    let mut damaged = Vec::new();
    let mut excused = BTreeSet::new();
    for (place, way) in places(file) {
        if unnoticed.iter().any(|end| place.ends_with(end)) {
            excused.insert(place);
            continue;
        }
        let mut copy = file.clone();
        damage(at(&mut copy, &way));
        damaged.push((place, put(damaged.len(), &copy)));
    }
    assert!(damaged.len() >= at_least, "{name}: only {} places found", damaged.len());
    for end in unnoticed {
        assert!(
            excused.iter().any(|place| place.ends_with(end)),
            "{name} has no place {end}: strike it from the list"
        );
    }
    let paths: Vec<PathBuf> = damaged.iter().map(|(_, path)| path.clone()).collect();
    let output = selftest(&["--json"], &paths);
    assert_eq!(output.status.code(), Some(1), "{name}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), damaged.len(), "{name}: one report for each copy");
    let missed: Vec<&String> = files
        .iter()
        .zip(&damaged)
        .filter(|(file, _)| file["failed"] == 0)
        .map(|(_, (place, _))| place)
        .collect();
    assert!(missed.is_empty(), "{name}: changed, and not noticed: {missed:#?}");
}

#[test]
fn the_built_in_set_passes() {
    let output = selftest(&[], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = stdout(&output);
    let last = text.lines().last().expect("lines");
    let passed: usize = last.strip_suffix(" passed, 0 failed").expect(last).parse().expect("a number");
    assert!(passed > 1000, "{last}");
    assert!(
        text.lines()
            .next()
            .is_some_and(|line| line.starts_with("ok    built-in/p1-abort-l8-d4b8-test.e2e.json: "))
    );
}

#[test]
fn changed_primitives_are_noticed() {
    // Rounding forgives: a key for one epoch more, or of another lifetime, may have the same trees.
    let rounding = [
        "activation_rounding[].log_lifetime",
        "activation_rounding[].activation_epoch",
        "activation_rounding[].num_active_epochs",
    ];
    for name in ["poseidon1.primitives.json", "poseidon2.primitives.json"] {
        bites(name, &read(name), &rounding, 10);
    }
}

#[test]
fn changed_constants_are_noticed() {
    for name in ["poseidon1_koalabear.json", "poseidon2_koalabear.json"] {
        bites(name, &read(&format!("constants/{name}")), &["note"], 10);
    }
}

#[test]
fn changed_stages_are_noticed() {
    for profile in ["p1-abort-l8-d4b8-test", "p2-top-l8-d64b8"] {
        let name = format!("{profile}.intermediate.json");
        bites(&name, &read(&name), &[], 10);
    }
}

#[test]
fn changed_keys_are_noticed() {
    let name = "p1-abort-l8-d4b8-test.e2e.json";
    let file = read(name);
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
    for file in fs::read_dir(vectors()).expect("vectors") {
        let file = file.expect("an entry");
        if file.file_name().to_string_lossy().starts_with(profile) {
            fs::copy(file.path(), root.join(file.file_name())).expect("a copy");
        }
    }
    let mut file = read(&name);
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

    let output = selftest(&["--json"], std::slice::from_ref(&root));
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

#[test]
fn what_is_not_understood_is_never_skipped() {
    let root = folder("not understood");
    let name = "p1-abort-l8-d4b8-test.intermediate.json";
    let file = read(name);
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
    let ed25519 = ed25519_strangers(&root);
    let other_set = file_in("other set", "p9-top-l8-d64b8.e2e.json", "[]");
    let missing = root.join("missing");

    let good = vectors().join("constants");
    for path in copies
        .into_iter()
        .chain([empty_folder, documentation, not_json, empty_file, stranger, other_set, missing])
        .chain(ed25519)
    {
        let output = selftest(&[], &[good.clone(), path.clone()]);
        assert_eq!(output.status.code(), Some(2), "{}: {}", path.display(), stdout(&output));
        let text = stdout(&output);
        let last = text.lines().last().expect("lines");
        assert!(last.contains(" passed, ") && !last.contains(" 0 failed"), "{}: {last}", path.display());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("phalanx: failed: ") && errors.contains("phalanx: error: "), "{errors}");
    }
    assert_eq!(selftest(&[], &[key]).status.code(), Some(1));
}

/// Files of `ed25519/` of which a part is not understood.
fn ed25519_strangers(root: &Path) -> Vec<PathBuf> {
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
        let mut file = read_from(&ed25519(), name);
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

fn ed25519() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ed25519")
}

#[test]
fn changed_ed25519_signatures_are_noticed() {
    let files: [(&str, &[&str]); 2] = [
        ("rfc8032.json", &[".set", ".source", ".id"]),
        ("sign_noise.json", &[".set", ".source", ".id", ".rule"]),
    ];
    for (name, unnoticed) in files {
        let mut file = read_from(&ed25519(), name);
        file["cases"].as_array_mut().expect("a list").truncate(2);
        bites(name, &file, unnoticed, 4);
    }
}

#[test]
fn changed_ed25519_verdicts_are_noticed() {
    let mut file = read_from(&ed25519(), "cctv.json");
    let cases = file["cases"].as_array_mut().expect("a list");
    // A case that every profile accepts: whatever is changed in it, it is no longer what it was.
    cases.retain(|case| case["verdict"].as_object().expect("verdicts").values().all(|value| *value == true));
    cases.truncate(1);
    bites("cctv.json", &file, &[".set", ".source", ".id", ".tags[]"], 9);
}

#[test]
fn every_changed_ed25519_verdict_is_noticed() {
    let root = folder("verdicts");
    let mut file = read_from(&ed25519(), "speccheck.json");
    let mut wanted = BTreeSet::new();
    for (i, case) in file["cases"].as_array_mut().expect("a list").iter_mut().enumerate() {
        let id = case["id"].as_str().expect("text").to_owned();
        for (profile, verdict) in case["verdict"].as_object_mut().expect("verdicts") {
            *verdict = json!(*verdict == json!(false));
            wanted.insert(format!("cases[{i}] {id} {profile}"));
        }
    }
    fs::write(root.join("speccheck-2.json"), file.to_string()).expect("a copy");
    let output = selftest(&["--json", "--backend", "portable"], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let failures = report["failures"].as_array().expect("failures");
    let got: BTreeSet<String> =
        failures.iter().map(|failure| failure["case"].as_str().expect("text").to_owned()).collect();
    assert_eq!(got, wanted);
}

#[test]
fn changed_ed25519_batches_are_noticed() {
    let mut file = read_from(&ed25519(), "batches.json");
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
    let file = read_from(&ed25519(), "keys.json");
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
    let output = selftest(&[], std::slice::from_ref(&root));
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("the PKCS#8 reader accepts it"), "{errors}");
}

#[test]
fn backends_are_chosen_by_name() {
    let path = vectors().join("poseidon1.primitives.json");
    let output = selftest(&["--backend", "portable", "--json"], std::slice::from_ref(&path));
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["backends"], json!(["portable"]));
    let output = selftest(&["--backend", "abacus"], &[path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no backend 'abacus'"));
}
