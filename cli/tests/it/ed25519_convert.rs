//! `convert` and `inspect` with keys and signatures of Ed25519.

use crate::support::{Folder, ed25519_vector};
use serde_json::{Value, json};

/// Forms of secret keys; those that public keys have too come first.
const FORMATS: [&str; 10] =
    ["hex", "pkcs8", "der", "openssh", "jwk", "minisign", "raw", "keypair", "pkcs8-v2", "der-v2"];

#[test]
fn every_form_into_every_other() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys");
    folder.write("seed", folder.read("keys/secret-key.raw"));
    for from in FORMATS {
        folder.good(&format!("convert keys/secret-key.raw secret.{from} --to {from} --kind secret-key"));
        #[cfg(unix)]
        assert_eq!(folder.mode(&format!("secret.{from}")), 0o600);
        for to in FORMATS {
            let kind = if from == "raw" || from == "hex" { "--kind secret-key" } else { "" };
            folder.good(&format!(
                "convert secret.{from} out --to {to} {kind} --force --public-key keys/public-key.raw"
            ));
            folder.good("convert out back --to raw --kind secret-key --force");
            assert_eq!(folder.read("back"), folder.read("seed"), "{from} to {to}");
        }
    }
    for from in &FORMATS[..7] {
        folder.good(&format!("convert keys/public-key.raw public.{from} --to {from} --kind public-key"));
        for to in &FORMATS[..7] {
            folder.good(&format!("convert public.{from} out --to {to} --kind public-key --force"));
            folder.good("convert out back --to raw --kind public-key --force");
            assert_eq!(folder.read("back"), folder.read("keys/public-key.raw"), "{from} to {to}");
        }
    }
    // The name that minisign has for a key is the same for both halves.
    folder.good("ed25519 sign --secret-key secret.minisign --message-hex 00 --out s --format minisign");
    folder.good("ed25519 verify --public-key public.minisign --message-hex 00 --signature s");
}

/// What keys.json writes for its seeds: the same bytes.
#[test]
fn forms_are_those_of_the_vectors() {
    let folder = Folder::new();
    let bytes = std::fs::read(ed25519_vector("keys.json")).expect("the vectors are there");
    let file: Value = serde_json::from_slice(&bytes).expect("vectors are JSON");
    for case in file["cases"].as_array().expect("a list") {
        let text = |key: &str| case[key].as_str().expect("text");
        let bytes = |key: &str| hex::decode(text(key)).expect("hexadecimal");
        folder.write("seed", bytes("seed"));
        folder.write("pk", bytes("pk"));
        let convert = |input: &str, to: &str, kind: &str| {
            folder.good(&format!("convert {input} out --to {to} --kind {kind} --force"));
            folder.read("out")
        };
        assert_eq!(convert("seed", "der", "secret-key"), bytes("pkcs8_v1_der"));
        assert_eq!(convert("seed", "pkcs8", "secret-key"), text("pkcs8_v1_pem").as_bytes());
        assert_eq!(convert("seed", "der-v2", "secret-key"), bytes("pkcs8_v2_der"));
        assert_eq!(convert("seed", "pkcs8-v2", "secret-key"), text("pkcs8_v2_pem").as_bytes());
        assert_eq!(convert("pk", "der", "public-key"), bytes("spki_der"));
        assert_eq!(convert("pk", "pkcs8", "public-key"), text("spki_pem").as_bytes());
        folder.write("ssh", text("openssh_private"));
        assert_eq!(convert("ssh", "raw", "secret-key"), bytes("seed"));
        folder.write("ssh", text("openssh_public"));
        assert_eq!(convert("ssh", "raw", "public-key"), bytes("pk"));
    }
    for reject in file["reject"].as_array().expect("a list") {
        let encoding = reject.get("der").or(reject.get("keypair")).and_then(Value::as_str).expect("text");
        folder.write("reject", hex::decode(encoding).expect("hexadecimal"));
        folder.bad("convert reject new --to pkcs8", 2);
        assert!(!folder.exists("new"), "{reject}");
    }
}

#[test]
fn what_cannot_be_converted_is_refused() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys --format pkcs8");
    folder.good("ed25519 keygen --out raw");
    // Without its key.json nothing says which half it is.
    folder.write("lonely", folder.read("raw/secret-key.raw"));
    folder.write("letter", "Dear Bob\n");
    folder.good("ed25519 sign --secret-key keys/secret-key.pkcs8 --message-file letter --out s.raw");
    folder.good("ed25519 sign --secret-key keys/secret-key.pkcs8 --message-file letter --format minisign");
    folder.good("convert s.raw s.hex --to hex");
    folder.good("convert s.hex back --to raw");
    assert_eq!(folder.read("back"), folder.read("s.raw"));

    for (args, text) in [
        ("lonely new --to hex", "reads as a public key of ed25519 in raw, but also as a secret key"),
        ("keys/secret-key.pkcs8 - --to hex", "a secret is not written to standard output"),
        (
            "keys/secret-key.pkcs8 new --to hex --public-key raw/public-key.raw",
            "does not belong to the secret key",
        ),
        (
            "keys/public-key.pkcs8 new --to hex --public-key raw/public-key.raw",
            "--public-key is for secret keys",
        ),
        ("keys/public-key.pkcs8 new --to keypair", "a public key has no form keypair"),
        ("keys/secret-key.pkcs8 new --to ssz", "cannot be read"),
        ("raw/secret-key.raw new --to ssz", "has the same bytes in every encoding"),
        ("keys/secret-key.pkcs8 new --to hex --from ssz", "one is of ed25519, the other of xmss"),
        ("keys/secret-key.pkcs8 new --to ssz --from hex", "one is of ed25519, the other of xmss"),
        ("keys/secret-key.pkcs8 new --to hex --kind signature", "is not what --kind and --from say"),
        ("keys/secret-key.pkcs8 new --to hex --scheme xmss-poseidon2-l8-d64b8", "--scheme is for xmss"),
        ("s.raw new --to pkcs8", "a signature has no form pkcs8"),
        ("letter.minisig new --to raw", "signs more than the message"),
        ("letter new --to raw", "cannot be read as a file of ed25519"),
    ] {
        let run = folder.bad(&format!("convert {args}"), 2);
        assert!(run.stderr.contains(text), "{args}: {}", run.stderr);
        assert!(!folder.exists("new"), "{args}");
    }
}

/// The only reading of a file.
fn reading(object: &Value, file: usize) -> &Value {
    let readings = object["files"][file]["readings"].as_array().expect("a list");
    assert_eq!(readings.len(), 1, "{readings:?}");
    &readings[0]
}

#[test]
fn inspect_tells_what_files_are() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    folder.good("ed25519 keygen --out raw");
    folder.good("ed25519 keygen --out ssh --format openssh --comment me@home");
    folder.good("ed25519 sign --secret-key raw/secret-key.raw --message-file letter --out s");
    folder.good("ed25519 sign --secret-key ssh/secret-key.openssh --message-file letter --format sshsig --namespace git");
    let mut command = folder
        .command("ed25519 sign --secret-key raw/secret-key.raw --message-file letter --format minisign");
    command.args(["--trusted-comment", "on Sunday"]);
    assert!(command.status().expect("it runs").success());
    let object = folder
        .good("inspect raw/secret-key.raw raw/public-key.raw raw/key.json ssh/secret-key.openssh ssh/public-key.openssh s letter.sig letter.minisig --json")
        .json();
    let problems: Vec<_> =
        object["files"].as_array().expect("a list").iter().map(|file| &file["problems"]).collect();
    assert!(problems.iter().all(|list| **list == json!([])), "{problems:?}");
    // key.json tells a seed from a public key.
    let kinds: Vec<&str> =
        (0..8).map(|file| reading(&object, file)["kind"].as_str().expect("text")).collect();
    let signature = "signature";
    assert_eq!(
        kinds,
        ["secret key", "public key", "key.json", "secret key", "public key", signature, signature, signature]
    );
    let formats: Vec<&str> =
        (0..8).map(|file| reading(&object, file)["format"].as_str().expect("text")).collect();
    assert_eq!(formats, ["raw", "raw", "raw", "openssh", "openssh", "raw", "sshsig", "minisign"]);
    assert!((0..8).all(|file| reading(&object, file)["scheme"] == "ed25519"));
    assert_eq!(reading(&object, 0)["public_key"], reading(&object, 1)["public_key"]);
    assert_eq!(reading(&object, 0)["public_key"], reading(&object, 2)["public_key"]);
    assert_eq!(reading(&object, 3)["details"]["comment"], "me@home");
    assert_eq!(reading(&object, 6)["details"]["namespace"], "git");
    assert_eq!(reading(&object, 6)["public_key"], reading(&object, 4)["public_key"]);
    assert_eq!(reading(&object, 7)["details"]["trusted comment, not verified"], "on Sunday");
    let text = folder.good("inspect raw/secret-key.raw ssh/secret-key.openssh").stdout;
    let seed = hex::encode(folder.read("raw/secret-key.raw"));
    assert!(!text.contains(&seed), "secrets are not printed");
}

#[test]
fn inspect_tells_what_is_wrong() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys --format pkcs8");
    folder.write("alone", [7; 32]);
    folder.write("weak", format!("01{}", "00".repeat(31)));
    let mut der = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x6e\x04\x22\x04\x20".to_vec();
    der.extend([0xff; 32]);
    folder.write("x25519", der);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(folder.path("keys/secret-key.pkcs8"), open).expect("it is ours");
        let text = folder.good("inspect keys/secret-key.pkcs8").stdout;
        assert!(text.contains("problem: holds a secret, and has mode 0644: wanted 0600"), "{text}");
    }
    let text = folder.good("inspect weak").stdout;
    assert!(text.contains("weakness small order: anyone can sign for it"), "{text}");
    assert!(text.contains("its bytes alone do not tell these apart"), "{text}");
    assert!(folder.good("inspect alone").stdout.contains("secret key of ed25519 in raw"));
    let run = folder.run("inspect x25519");
    run.check_bad("inspect", 2);
    assert!(run.stderr.contains("as a file of ed25519: "), "{}", run.stderr);
    folder.write("keys/public-key.pkcs8", "changed");
    let text = folder.good("inspect keys/key.json").stdout;
    assert!(text.contains("problem: 'public-key.pkcs8' is not the file it lists"), "{text}");
}
