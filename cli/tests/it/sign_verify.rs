//! Keygen, sign, verify and tamper, in every format.

use crate::support::{Folder, SET, first_key, message, sign, vector, verify};

const FORMATS: [&str; 4] = ["ssz", "bincode", "bincode2", "json"];

#[test]
fn all_formats() {
    let m = message(7);
    for format in FORMATS {
        let folder = Folder::new();
        folder.keygen(&format!("--format {format}"));
        let common = format!("--scheme {SET} --epoch 5 --message-hex {m} --format {format}");
        folder.good(&format!("xmss sign --secret-key keys/secret-key.{format} {common} --out signature"));
        let verify =
            format!("xmss verify --public-key keys/public-key.{format} {common} --signature signature");
        assert_eq!(folder.good(&verify).stdout, format!("signature verifies ({SET}, epoch 5)\n"));

        let wrong = folder.bad(&verify.replace("--epoch 5", "--epoch 6"), 1);
        assert_eq!(
            wrong.stderr,
            "phalanx: error: signature does not verify\nphalanx: hint: it verifies at epoch 5\n"
        );
        folder.bad(&verify.replace(&m, &message(8)), 1);
        folder.bad(&verify.replace("--epoch 5", "--epoch 256"), 1);
        folder.bad(&verify.replace("--epoch 5", "--epoch 18446744073709551615"), 1);

        let mut bytes = folder.read("signature");
        // Another digit of a number in JSON, the lowest bit of some word elsewhere: still canonical.
        let at = if format == "json" {
            bytes.iter().rposition(u8::is_ascii_digit).expect("there are digits")
        } else {
            41
        };
        bytes[at] ^= 1;
        folder.write("signature", bytes);
        let run = folder.run(&verify);
        assert!(matches!(run.code, Some(1 | 2)), "{format}: {run:?}");
        run.check_bad(&verify, run.code.expect("it exits"));
    }
}

/// Without `--format`, `key.json` says what the keys are in, and signatures are SSZ.
#[test]
fn key_json_names_the_format() {
    let folder = Folder::new();
    folder.keygen("--format bincode2");
    let common = format!("--scheme {SET} --epoch 0 --message-hex {}", message(1));
    folder.good(&format!("xmss sign --secret-key keys/secret-key.bincode2 {common} --out signature"));
    assert_eq!(folder.read("signature").len(), 2344);
    folder.good(&format!("xmss verify --public-key keys/public-key.bincode2 {common} --signature signature"));
    folder.bad(
        &format!(
            "xmss verify --public-key keys/public-key.bincode2 {common} --signature signature --format ssz"
        ),
        2,
    );
}

#[test]
fn padded_signatures() {
    let folder = Folder::new();
    folder.keygen("--format bincode");
    let common = format!("--scheme {SET} --epoch 0 --message-hex {} --format bincode-padded", message(1));
    folder.good(&format!("xmss sign --secret-key keys/secret-key.bincode {common} --out signature"));
    assert_eq!(folder.read("signature").len(), 3116);
    folder.good(&format!("xmss verify --public-key keys/public-key.bincode {common} --signature signature"));
}

#[test]
fn signatures_are_those_of_lean_sig() {
    let folder = Folder::new();
    let key = first_key("p2-top-l8-d64b8.e2e.json");
    std::fs::copy(vector("p2-top-l8-d64b8.k0.sk.ssz"), folder.path("secret"))
        .expect("the vector file is there");
    #[cfg(unix)]
    folder.chmod("secret", 0o600);
    // A key of another tool signs after somebody has answered for its past.
    let sign = format!(
        "xmss sign --secret-key secret --scheme {SET} --epoch 0 --message-hex {} --out a",
        message(1)
    );
    assert!(folder.bad(&sign, 3).stderr.contains("ledger adopt"));
    folder.adopt("secret", 0, 0);
    folder.write("public", hex::decode(key["pk_ssz"].as_str().expect("a string")).expect("hexadecimal"));
    let signatures = key["signatures"].as_array().expect("a list");
    let mut signatures: Vec<_> = signatures.iter().filter(|entry| entry["sig_ssz"].is_string()).collect();
    signatures.sort_by_key(|entry| entry["epoch"].as_u64());
    assert!(signatures.len() > 1);
    for entry in signatures {
        let (epoch, message) = (&entry["epoch"], entry["message"].as_str().expect("a string"));
        folder.write("message", hex::decode(message).expect("hexadecimal"));
        let common = format!("--scheme {SET} --epoch {epoch} --message-file message");
        folder.good(&format!("xmss sign --secret-key secret {common} --out signature --force"));
        assert_eq!(
            hex::encode(folder.read("signature")),
            entry["sig_ssz"].as_str().expect("a string"),
            "epoch {epoch}"
        );
        folder.good(&format!("xmss verify --public-key public {common} --signature signature"));
    }
}

#[test]
fn standard_input_and_output() {
    use std::io::Write;
    let folder = Folder::new();
    folder.keygen("");
    let output = folder.command(&sign(1, 2, "-")).output().expect("the program starts");
    assert!(output.status.success());
    assert_eq!(output.stdout.len(), 2344);
    let mut child =
        folder.command(&verify(1, 2, "-")).stdin(std::process::Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(&output.stdout).expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    folder.bad(&format!("{} --json", sign(1, 2, "-")).replace(" --json", " --out -"), 2);
    folder.bad(&sign(1, 2, "signature").replace("keys/secret-key.ssz", "-"), 2);
}

#[test]
fn the_window_moves_and_is_saved() {
    let folder = Folder::new();
    folder.keygen("");
    let before = folder.read("keys/secret-key.ssz");
    assert_eq!(folder.good(&format!("{} --json", sign(31, 1, "a"))).json()["advanced"], false);
    assert_eq!(folder.read("keys/secret-key.ssz"), before);
    let run = folder.good(&format!("{} --json", sign(200, 2, "b")));
    assert_eq!(run.json()["prepared"], serde_json::json!({ "start": 176, "end": 208 }));
    assert_ne!(folder.read("keys/secret-key.ssz"), before);
    folder.good(&verify(200, 2, "b"));
    let passed = folder.bad(&sign(5, 3, "c"), 3);
    assert_eq!(passed.stderr, "phalanx: error: epoch 5 has passed: the key signs from epoch 176 on\n");
    folder.bad(&sign(256, 3, "c"), 3);
    folder.bad(&sign(u64::MAX, 3, "c"), 3);
    assert!(!folder.exists("c"));
    // key.json has followed.
    let inspected = folder.good("inspect keys/key.json --json").json();
    assert_eq!(inspected["files"][0]["problems"], serde_json::json!([]));
    assert_eq!(inspected["files"][0]["readings"][0]["prepared"]["start"], 176);
    #[cfg(unix)]
    assert_eq!(folder.mode("keys/secret-key.ssz"), 0o600);
}

#[test]
fn outputs_are_not_overwritten() {
    let folder = Folder::new();
    folder.keygen("");
    folder.write("taken", "mine");
    folder.bad(&sign(1, 1, "taken"), 2);
    assert_eq!(folder.read("taken"), b"mine");
    let ledger = "keys/secret-key.ssz.ledger";
    assert!(folder.status(ledger)["highest"].is_null(), "no epoch is spent");
    folder.good(&format!("{} --force", sign(1, 1, "taken")));
    folder.good(&verify(1, 1, "taken"));
    let key = folder.read("keys/secret-key.ssz");
    folder.bad(&format!("{} --force", sign(2, 1, "keys/secret-key.ssz")), 2);
    folder.bad(&format!("{} --force", sign(2, 1, &format!("{ledger}/ledger.sqlite3"))), 2);
    folder.bad(&format!("{} --force", sign(2, 1, &folder.registered()[0])), 2);
    folder.bad(&format!("{} --force", sign(2, 1, &folder.witness())), 2);
    folder.bad(&format!("{} --force", sign(2, 1, "keys")), 2);
    folder.bad(&sign(2, 1, "missing/signature"), 4);
    assert_eq!(folder.read("keys/secret-key.ssz"), key);
}
