//! verify-many, inspect, convert, tour, cpu, completions and man.

use crate::support::{Folder, SET, message, sign, verify};
use serde_json::json;
use sha2::{Digest, Sha256};

/// A folder with a key, and a line for verify-many of every epoch below `count`.
fn signed(count: u8) -> (Folder, Vec<serde_json::Value>) {
    let folder = Folder::new();
    folder.keygen("");
    let public = hex::encode(folder.read("keys/public-key.ssz"));
    let line = |n: u8| {
        folder.good(&sign(n.into(), n, &format!("s{n}")));
        json!({
            "scheme": SET, "public_key": public, "epoch": n, "message": message(n),
            "signature": hex::encode(folder.read(&format!("s{n}"))),
        })
    };
    let lines = (0..count).map(line).collect();
    (folder, lines)
}

#[test]
fn verify_many() {
    let (folder, mut lines) = signed(10);
    let write = |lines: &[serde_json::Value]| {
        folder.write("file.jsonl", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    };
    write(&lines);
    assert!(
        folder
            .good("xmss verify-many file.jsonl")
            .stdout
            .starts_with("total 10, valid 10, invalid 0, malformed 0")
    );

    lines[3]["epoch"] = json!(4);
    lines[5]["epoch"] = json!(1u64 << 40);
    write(&lines);
    let run = folder.run("xmss verify-many file.jsonl --json");
    run.check_bad("verify-many", 1);
    assert_eq!(run.stderr, "phalanx: error: 2 of 10 signatures do not verify\n");
    let wanted = json!([
        { "line": 4, "reason": "signature does not verify" }, { "line": 6, "reason": "signature does not verify" },
    ]);
    assert_eq!(run.json()["bad"], wanted);

    lines[7]["message"] = json!("00");
    lines[8]["scheme"] = json!("xmss-poseidon2-l32-d64b8");
    write(&lines);
    let run = folder.run("xmss verify-many file.jsonl");
    run.check_bad("verify-many", 2);
    assert!(run.stdout.contains("line 8: malformed: message: got 1 bytes, wanted 32\n"), "{}", run.stdout);
    assert!(run.stdout.contains("total 10, valid 6, invalid 2, malformed 2 ("), "{}", run.stdout);

    lines.truncate(1);
    for key in ["public_key", "message", "signature"] {
        let mut line = lines[0].clone();
        line[key] = json!(format!("0x{}", line[key].as_str().expect("digits")));
        write(&[line]);
        let run = folder.run("xmss verify-many file.jsonl");
        assert!(run.stdout.contains("total 1, valid 1"), "{key}: {}", run.stdout);
        // As clients write bytes in JSON.
        let mut line = lines[0].clone();
        let digits = line[key].as_str().expect("digits").to_owned();
        line[key] = json!(hex::decode(digits).expect("digits"));
        write(&[line]);
        let run = folder.run("xmss verify-many file.jsonl");
        assert!(run.stdout.contains("total 1, valid 1"), "{key}: {}", run.stdout);
        let mut line = lines[0].clone();
        line[key] = json!([256]);
        write(&[line]);
        let run = folder.run("xmss verify-many file.jsonl");
        run.check_bad("verify-many", 2);
        assert!(
            run.stdout.starts_with(&format!("line 1: malformed: {key}: invalid value")),
            "{}",
            run.stdout
        );
    }
    // As leanSig's serde writes keys and signatures.
    folder.good("convert keys/public-key.ssz key.json --to json --from ssz");
    folder.good("convert s0 signature.json --to json");
    let mut line = lines[0].clone();
    for (key, file) in [("public_key", "key.json"), ("signature", "signature.json")] {
        line[key] = serde_json::from_slice(&folder.read(file)).expect("JSON");
    }
    write(&[line]);
    let run = folder.run("xmss verify-many file.jsonl");
    assert!(run.stdout.contains("total 1, valid 1"), "{}", run.stdout);

    folder.write("file.jsonl", "\n\n");
    folder.bad("xmss verify-many file.jsonl", 2);
}

#[test]
fn verify_many_in_batches() {
    let (folder, lines) = signed(2);
    let (good, mut bad) = (lines[0].to_string(), lines[1].clone());
    bad["message"] = json!(message(9));
    let mut text = format!("{good}\n").repeat(5000);
    text.push_str(&format!("{bad}\n{}\n{good}", "x".repeat(200_000)));
    folder.write("file.jsonl", text);
    for more in ["--threads 1", "--threads 3"] {
        let run = folder.run(&format!("xmss verify-many file.jsonl --json {more}"));
        assert_eq!(run.code, Some(2));
        let object = run.json();
        assert_eq!((&object["total"], &object["valid"]), (&json!(5003), &json!(5001)));
        assert_eq!((&object["bad"][0]["line"], &object["bad"][1]["line"]), (&json!(5001), &json!(5002)));
    }
}

#[test]
fn inspect() {
    let (folder, _) = signed(1);
    let public_key = Sha256::digest(folder.read("keys/public-key.ssz"));
    let record = format!("phalanx-epochs v1 {SET} {}\n0000000001 {}\n", hex::encode(public_key), message(1));
    folder.write("record", record);
    folder.write("moved", "phalanx-epochs v2 moved-to-ledger 8d22\n");
    let files = "keys/secret-key.ssz s0 keys/public-key.ssz record keys/key.json moved";
    let object = folder.good(&format!("inspect {files} --json")).json();
    let first = |at: usize| object["files"][at]["readings"][0].clone();
    assert_eq!((first(0)["kind"].as_str(), first(0)["scheme"].as_str()), (Some("secret key"), Some(SET)));
    assert_eq!(first(0)["prepared"], json!({ "start": 0, "end": 32 }));
    assert_eq!((first(1)["kind"].as_str(), first(1)["format"].as_str()), (Some("signature"), Some("ssz")));
    let sets = object["files"][2]["readings"].as_array().expect("a list");
    assert!(
        sets.iter().filter(|reading| reading["format"] == "ssz").count() > 1,
        "52 bytes fit several sets"
    );
    assert_eq!(
        (first(3)["kind"].as_str(), first(3)["used_epochs"].as_u64()),
        (Some("epoch record"), Some(1))
    );
    assert_eq!(first(5)["details"]["moved to ledger"], "8d22");
    assert_eq!(first(4)["kind"].as_str(), Some("key.json"));
    assert_eq!(object["files"][4]["problems"], json!([]));

    let key_json = String::from_utf8(folder.read("keys/key.json")).expect("text");
    for key in ["public_key", "sha256"] {
        folder.write(
            "keys/key.json",
            key_json.replacen(&format!("\"{key}\": \""), &format!("\"{key}\": \"0x"), 1),
        );
        let run = folder.bad("inspect keys/key.json", 2);
        let problem = "begins with 0x, wanted hexadecimal digits alone\n\
                       phalanx: hint: keys and hashes in a key.json are hexadecimal digits without a prefix\n";
        assert!(run.stderr.contains(key) && run.stderr.ends_with(problem), "{}", run.stderr);
        folder.bad(&sign(1, 1, "s1"), 2);
    }
    folder.write("keys/key.json", key_json);

    folder.write("keys/public-key.ssz", [0; 52]);
    let text = folder.good("inspect keys/key.json").stdout;
    assert!(text.contains("problem: 'public-key.ssz' is not the file it lists"), "{text}");
}

#[test]
fn convert() {
    let (folder, _) = signed(1);
    for (input, kind) in
        [("s0", "signature"), ("keys/public-key.ssz", "public-key"), ("keys/secret-key.ssz", "secret-key")]
    {
        let mut last = (input.to_owned(), "ssz");
        for to in ["bincode", "json", "bincode2", "ssz"] {
            let out = format!("{kind}-{to}");
            let (name, from) = last;
            folder
                .good(&format!("convert {name} {out} --to {to} --from {from} --kind {kind} --scheme {SET}"));
            last = (out, to);
        }
        assert!(folder.read(input) == folder.read(&last.0), "{kind} comes back");
    }
    #[cfg(unix)]
    assert_eq!((folder.mode("secret-key-json"), folder.mode("public-key-json")), (0o600, 0o644));
    folder.good("convert s0 padded --to bincode-padded");
    folder.good("convert padded back --to ssz");
    assert_eq!(folder.read("back"), folder.read("s0"));

    folder.bad("convert s0 back --to json", 2);
    folder.bad("convert s0 new --to json --from bincode", 2);
    folder.bad("convert s0 new --to json --kind secret-key", 2);
    folder.bad("convert keys/secret-key.ssz - --to json", 2);
    folder.bad("convert keys/public-key.ssz new --to bincode-padded --from ssz", 2);
    // The right to sign goes from file to file: those it has left give it no more.
    folder.bad(&sign(9, 1, "new"), 3);
    folder.good("convert secret-key-ssz checked --to json --public-key keys/public-key.ssz");
    let mut other = folder.read("keys/public-key.ssz");
    other[0] ^= 1;
    folder.write("other", other);
    let refused = folder.bad("convert checked new --to ssz --public-key other", 2);
    assert!(refused.stderr.contains("does not belong"), "{}", refused.stderr);
    assert!(!folder.exists("new"));
}

#[test]
fn tour() {
    let folder = Folder::new();
    let text = folder.good("tour").stdout;
    assert!(
        text.contains("refused: epoch 99 has already signed another message")
            && text.contains("rejected: signature does not verify"),
        "{text}"
    );
    let object = folder.good("tour --json").json();
    assert!(object["systems"][0]["steps"].as_array().is_some_and(|steps| steps.len() >= 6));
    assert!(object["systems"][1]["steps"].as_array().is_some_and(|steps| steps.len() >= 9));
    assert!(
        text.contains("bad: [171]") && text.contains("rejected: public key has small order (strict)"),
        "{text}"
    );
    assert!(object["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn backends() {
    let folder = Folder::new();
    let object = folder.good("cpu --json").json();
    assert_eq!(object["backends"][0], json!({ "name": "portable", "available": true }));
    for backend in object["backends"].as_array().expect("a list") {
        let name = backend["name"].as_str().expect("a string");
        let run = folder.command("tour --json").env("PHALANX_BACKEND", name).output().expect("it starts");
        let run = crate::support::Run::from(run);
        if backend["available"] == true {
            assert_eq!((run.code, run.json()["backend"].as_str()), (Some(0), Some(name)));
        } else {
            run.check_bad(name, 2);
        }
    }
    let run = folder.command("cpu --json").env("PHALANX_BACKEND", "portable").output().expect("it starts");
    let run = crate::support::Run::from(run).json();
    let algorithms = run["algorithms"].as_array().expect("a list");
    assert!(algorithms.len() > 10 && algorithms.iter().all(|algorithm| algorithm["kernel"] == "portable"));
    let run = folder.command("cpu").env("PHALANX_BACKEND", "abacus").output().expect("it starts");
    let run = crate::support::Run::from(run);
    run.check_bad("cpu", 2);
    assert!(
        run.stderr.starts_with("phalanx: error: PHALANX_BACKEND: this version has no backend 'abacus'\n")
    );
    assert!(run.stderr.contains("available here: portable"), "{}", run.stderr);
    let run = folder.command("xmss keygen --help").env("PHALANX_THREADS", "0").output().expect("it starts");
    assert!(run.status.success(), "help needs no environment");
}

#[test]
fn the_same_key_on_every_backend_and_thread_count() {
    let folder = Folder::new();
    let mut keys = Vec::new();
    for (backend, threads) in [("portable", "1"), ("", "1"), ("", "3"), ("", "0")] {
        let out = format!("keys-{backend}{threads}");
        let args = format!(
            "xmss keygen --scheme {SET} --start 0 --active 256 --out {out} --insecure-seed-hex {}",
            message(5)
        );
        let run =
            folder.command(&args).env("PHALANX_BACKEND", backend).env("PHALANX_THREADS", threads).output();
        assert!(run.expect("it starts").status.success());
        keys.push(folder.read(&format!("{out}/secret-key.ssz")));
    }
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn completions_and_manual() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(folder.good(&format!("completions {shell}")).stdout.contains("verify-many"), "{shell}");
    }
    assert!(folder.good("man").stdout.contains(".TH phalanx"));
    assert!(folder.good("man xmss sign").stdout.contains(".TH phalanx-xmss-sign"));
    let refused = folder.bad("man xmss sing", 2);
    assert!(refused.stderr.contains("there is no command 'xmss sing'"), "{}", refused.stderr);
    folder.good("man --out pages");
    for page in [
        "phalanx.1",
        "phalanx-xmss.1",
        "phalanx-xmss-keygen.1",
        "phalanx-ed25519-verify.1",
        "phalanx-inspect.1",
    ] {
        assert!(folder.exists(&format!("pages/{page}")), "{page}");
    }
    folder.bad("man --out pages", 2);
}

#[test]
fn signatures_survive_a_round_of_tools() {
    let (folder, _) = signed(1);
    folder.good("convert s0 s0.json --to json");
    folder.good(&format!("{} --signature-format json", verify(0, 0, "s0.json")));
}
