//! `ed25519 verify-many` on the vectors: every answer of every profile.

use crate::support::{Folder, ed25519_vector};
use serde_json::{Value, json};

const PROFILES: [&str; 5] = ["strict", "zip215", "rfc8032", "cofactorless", "zig-std"];

/// Cases with answers, of all files that have some.
fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    for name in ["speccheck.json", "wycheproof.json", "cctv.json"] {
        let bytes = std::fs::read(ed25519_vector(name)).expect("the vectors are there");
        let file: Value = serde_json::from_slice(&bytes).expect("vectors are JSON");
        cases.extend(file["cases"].as_array().expect("a list").iter().cloned());
    }
    cases
}

fn line(case: &Value, profile: Option<&str>) -> String {
    let mut line = json!({
        "public_key": case["pk"], "message": case["msg"], "signature": case["sig"],
    });
    if let Some(profile) = profile {
        line["profile"] = json!(profile);
    }
    format!("{line}\n")
}

/// Numbers of the bad lines.
fn bad_lines(report: &Value) -> Vec<u64> {
    report["bad"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|bad| bad["line"].as_u64().expect("a number"))
        .collect()
}

#[test]
fn every_answer_of_every_profile() {
    let (folder, cases) = (Folder::new(), cases());
    assert!(cases.len() > 1000);
    folder.write("file.jsonl", cases.iter().map(|case| line(case, None)).collect::<String>());
    for profile in PROFILES {
        let wanted: Vec<u64> =
            (1..).zip(&cases).filter(|(_, case)| case["verdict"][profile] == false).map(|(n, _)| n).collect();
        for threads in [1, 3] {
            let run = folder.run(&format!(
                "ed25519 verify-many file.jsonl --profile {profile} --json --threads {threads}"
            ));
            run.check_bad("verify-many", 1);
            let report = run.json();
            assert_eq!(bad_lines(&report), wanted, "{profile}");
            assert_eq!(report["total"], json!(cases.len()));
            assert_eq!(report["invalid"], json!(wanted.len()));
            assert_eq!(report["valid"], json!(cases.len() - wanted.len()));
        }
    }
}

#[test]
fn lines_name_profiles_of_their_own() {
    let (folder, cases) = (Folder::new(), cases());
    let (mut text, mut wanted, mut number) = (String::new(), Vec::new(), 0);
    for case in cases.iter().take(200) {
        for profile in PROFILES {
            number += 1;
            text += &line(case, Some(profile));
            if case["verdict"][profile] == false {
                wanted.push(number);
            }
        }
    }
    folder.write("file.jsonl", text);
    let run = folder.run("ed25519 verify-many file.jsonl --json");
    run.check_bad("verify-many", 1);
    assert_eq!(bad_lines(&run.json()), wanted);
}

#[test]
fn what_is_bad_is_said() {
    let (folder, cases) = (Folder::new(), cases());
    let good = line(cases.iter().find(|case| case["verdict"]["strict"] == true).expect("some"), None);
    folder.write("file.jsonl", format!("{good}\n{good}"));
    let run = folder.good("ed25519 verify-many file.jsonl");
    assert!(run.stdout.starts_with("total 2, valid 2, invalid 0, malformed 0 ("), "{}", run.stdout);

    let swapped =
        line(&cases.iter().rfind(|case| case["verdict"]["zip215"] == false).expect("some").clone(), None);
    let bad = [
        "{".to_owned(),
        json!({ "public_key": "00", "message": "zz", "signature": "" }).to_string(),
        json!({ "public_key": "00", "message": "", "signature": "" }).to_string(),
        good.trim_end().replace('}', ",\"profile\":\"abacus\"}"),
        "x".repeat(17 << 20),
    ];
    folder.write("file.jsonl", format!("{good}{}\n{swapped}{good}", bad.join("\n")));
    let run = folder.run("ed25519 verify-many file.jsonl");
    run.check_bad("verify-many", 2);
    for text in [
        "line 2: malformed: EOF",
        "line 3: malformed: message: ",
        "line 4: signature does not verify: public key has 1 bytes, 32 wanted\n",
        "line 5: malformed: profile: unknown profile\n",
        "line 6: malformed: longer than ",
        "line 7: signature does not verify: ",
        "total 8, valid 2, invalid 2, malformed 4 (",
    ] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    assert_eq!(run.stderr.lines().last(), Some("phalanx: error: 4 of 8 lines are malformed"));
    folder.write("file.jsonl", "\n\n");
    folder.bad("ed25519 verify-many file.jsonl", 2);
    folder.bad("ed25519 verify-many missing", 4);
    folder.bad("ed25519 verify-many .", 2);
}

#[test]
fn more_lines_than_a_batch() {
    let (folder, cases) = (Folder::new(), cases());
    let good = line(cases.iter().find(|case| case["verdict"]["strict"] == true).expect("some"), None);
    let bad = line(cases.iter().find(|case| case["verdict"]["strict"] == false).expect("some"), None);
    folder.write("file.jsonl", format!("{}{bad}{good}{bad}", good.repeat(9000)));
    let run = folder.run("ed25519 verify-many file.jsonl --json");
    run.check_bad("verify-many", 1);
    assert_eq!(bad_lines(&run.json()), [9001, 9003]);
    assert_eq!(run.json()["total"], json!(9003));
}
