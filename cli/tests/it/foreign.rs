//! Files of other programs: documents of keys, and what stands beside them.

use crate::support::{Folder, vector};
use base64ct::{Base64, Encoding};
use serde_json::json;
use std::fs;

const PUBLIC: &str = "p2-top-l8-d64b8.k0.pk.ssz";
const SECRET: &str = "p2-top-l8-d64b8.k0.sk.ssz";
const OTHER_PUBLIC: &str = "p2-top-l8-d64b8.k2-sparse.pk.ssz";

fn bytes(name: &str) -> Vec<u8> {
    fs::read(vector(name)).expect("a vector")
}

/// A manifest of one validator with two keys, whose files are beside it.
fn manifest(folder: &Folder) {
    let (attester, proposer) = (hex::encode(bytes(PUBLIC)), hex::encode(bytes(OTHER_PUBLIC)));
    folder.write("a_sk.ssz", bytes(SECRET));
    folder.write("b_sk.ssz", bytes("p2-top-l8-d64b8.k2-sparse.sk.ssz"));
    folder.write(
        "manifest.yaml",
        format!(
            "key_scheme: SIGTopLevelTargetSumLifetime8Dim64Base8\nnum_validators: 1\nvalidators:\n  - index: 0\n    \
             attester_key_pubkey_hex: 0x{attester}\n    attester_key_privkey_file: a_sk.ssz\n    \
             proposer_key_pubkey_hex: 0x{proposer}\n    proposer_key_privkey_file: b_sk.ssz\n"
        ),
    );
}

#[test]
fn a_manifest_is_compared_with_the_files_beside_it() {
    let folder = Folder::new();
    manifest(&folder);
    let run = folder.good("inspect manifest.yaml --json").json();
    let reading = &run["files"][0]["readings"][0];
    assert_eq!(
        (&reading["kind"], &reading["confidence"]),
        (&"validator keys manifest".into(), &"certain".into())
    );
    assert!(reading["next"].as_str().is_some_and(|next| next.contains("convert --to ssz --at")), "{reading}");
    assert_eq!(reading["details"]["files beside it"], "2 hold the key of their line, 0 are not here");
    assert_eq!(run["files"][0]["problems"], serde_json::json!([]));

    folder.write("b_sk.ssz", bytes(SECRET));
    let text = folder.good("inspect manifest.yaml").stdout;
    let problem = "problem: 'b_sk.ssz' is not the secret key of the proposer key in validators[0]";
    assert!(text.contains(problem), "{text}");
    fs::remove_file(folder.path("b_sk.ssz")).expect("a file");
    let text = folder.good("inspect manifest.yaml").stdout;
    assert!(
        text.contains("1 hold the key of their line, 1 are not here") && !text.contains("problem"),
        "{text}"
    );
    folder.write("b_sk.ssz", "nothing");
    let text = folder.good("inspect manifest.yaml").stdout;
    assert!(text.contains("'b_sk.ssz', which validators[0] names, is no secret key"), "{text}");
    // Nothing outside its folder is read.
    let text = String::from_utf8(folder.read("manifest.yaml")).expect("a text");
    folder.write("manifest.yaml", text.replace("a_sk.ssz", "../a_sk.ssz"));
    let text = folder.good("inspect manifest.yaml").stdout;
    assert!(text.contains("names '../a_sk.ssz', which is not a file name"), "{text}");
}

#[test]
fn keys_are_taken_out_of_documents() {
    let folder = Folder::new();
    manifest(&folder);
    let wanted = bytes(PUBLIC);
    folder.write("hex", format!("0x{}\n", hex::encode(&wanted).to_uppercase()));
    folder.write("numbers.json", format!("{{\"public_key\": {wanted:?}}}"));
    for (input, more) in [
        ("hex", ""),
        ("numbers.json", ""),
        ("numbers.json", "--at public_key"),
        ("manifest.yaml", "--at validators[0].attester_key_pubkey_hex"),
    ] {
        folder.good(&format!("convert {input} out --to ssz --force {more}"));
        assert_eq!(folder.read("out"), wanted, "{input} {more}");
    }
    for (input, more, problem) in [
        ("manifest.yaml", "", "holds 2 keys and signatures: --at says which"),
        (
            "manifest.yaml",
            "--at validators[1].pubkey_hex",
            "has no key and no signature at 'validators[1].pubkey_hex'",
        ),
        ("a_sk.ssz", "--at x", "is no document of keys"),
    ] {
        let run = folder.bad(&format!("convert {input} none --to ssz {more}"), 2);
        assert!(run.stderr.contains(problem), "{}", run.stderr);
    }
    assert!(!folder.exists("none"));
}

#[test]
fn a_reading_says_how_sure_it_is_and_what_to_try() {
    let folder = Folder::new();
    folder.write("public", bytes(PUBLIC));
    folder.write("noise", [0x5a; 32]);
    let text = folder.good("inspect public noise").stdout;
    assert!(text.contains("  likely: public key of xmss-poseidon2-l8-d64b8"), "{text}");
    assert!(
        text.contains(
            "next: phalanx verify -k public FILE SIGNATURE --epoch EPOCH --scheme xmss-poseidon2-l"
        ),
        "{text}"
    );
    let of_noise = text.split("noise: 32 bytes").nth(1).expect("its report");
    assert!(of_noise.trim_start().starts_with("possible: public key of"), "a secret comes last: {of_noise}");
    assert!(of_noise.contains("possible: secret key of ed25519 in raw"), "{of_noise}");
}

/// What is not read here, and what is kept beside keys, too; and a file's name is one word, whatever it holds.
#[test]
fn every_reading_has_a_command_to_try() {
    let folder = Folder::new();
    let set = crate::support::SET;
    folder.write("signature", [0x5a; 3112]);
    folder.write("secret", [0x5a; 2948]);
    folder.write("key.ssz.epochs", format!("phalanx-epochs v1 {set} 00\n"));
    folder.write("taken.ssz.epochs", "phalanx-epochs v2 moved-to-ledger 00\n");
    folder.write("-x;$(id)'", bytes(PUBLIC));
    let said =
        folder.good("inspect --json signature secret key.ssz.epochs taken.ssz.epochs ./-x;$(id)'").json();
    for (i, next) in [
        "phalanx inspect KEY (the public key that it is of)".to_owned(),
        "phalanx keygen DIR -t xmss --scheme SCHEME --epochs N (a new key in its place)".to_owned(),
        format!("phalanx ledger adopt-records --secret-key key.ssz --scheme {set}"),
        "phalanx ledger status --ledger taken.ssz.ledger".to_owned(),
        format!("phalanx verify -k './-x;$(id)'\\''' FILE SIGNATURE --epoch EPOCH --scheme {set}"),
    ]
    .into_iter()
    .enumerate()
    {
        let readings = said["files"][i]["readings"].as_array().expect("a list");
        let words: Vec<_> =
            readings.iter().map(|reading| reading["next"].as_str().unwrap_or("none")).collect();
        assert!(words.contains(&&*next), "{next}: {words:?}");
        assert!(!words.contains(&"none"), "{words:?}");
    }
}

/// Whose key a line names is what the list says, whatever stands in the line.
#[test]
fn signatures_are_verified_under_the_keys_of_a_list() {
    let folder = Folder::new();
    manifest(&folder);
    let vector = crate::support::first_key("p2-top-l8-d64b8.e2e.json");
    let signed = &vector["signatures"][0];
    let line = json!({ "scheme": crate::support::SET, "epoch": signed["epoch"], "message": signed["message"],
        "signature": signed["sig_ssz"] });
    let with = |more: serde_json::Value| {
        let mut line = line.clone();
        line.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        folder.write("file.jsonl", format!("{line}\n"));
    };
    let (own, other) = (hex::encode(bytes(PUBLIC)), hex::encode(bytes(OTHER_PUBLIC)));
    assert_eq!(vector["pk_ssz"].as_str().map(|text| text.trim_start_matches("0x")), Some(own.as_str()));
    for (more, code, problem) in [
        (json!({ "validator_index": 0, "role": "attester" }), 0, ""),
        (json!({ "validator_id": 0, "role": "attester" }), 0, ""),
        (json!({ "validator_index": 0, "public_key": own }), 0, ""),
        (json!({ "public_key": own }), 0, ""),
        (json!({ "validator_index": 0, "role": "proposer" }), 1, "signature does not verify"),
        (json!({ "validator_index": 0, "public_key": other }), 1, "signature does not verify"),
        (
            json!({ "validator_index": 0, "role": "proposer", "public_key": own }),
            1,
            "the public key is not that of validator 0",
        ),
        (json!({ "validator_index": 0 }), 2, "validator 0 has several keys"),
        (json!({ "validator_index": 1 }), 2, "the list has no validator 1"),
        (json!({ "validator_index": 1, "public_key": own }), 2, "the list has no validator 1"),
        (json!({ "validator_index": 0, "role": "aggregator" }), 2, "validator 0 has no key as aggregator"),
        (json!({}), 2, "missing field `public_key`"),
    ] {
        with(more.clone());
        let run = folder.run("xmss verify-many file.jsonl --validators manifest.yaml --json");
        assert_eq!(run.code, Some(code), "{more}: {}", run.stderr);
        let reason = &run.json()["bad"][0]["reason"];
        assert!(reason.as_str().unwrap_or_default().contains(problem), "{more}: {reason}");
    }
    with(json!({ "validator_index": 0, "role": "attester" }));
    let run = folder.run("xmss verify-many file.jsonl");
    run.check_bad("verify-many", 2);
    assert!(run.stdout.contains("--validators does not say whose keys there are"), "{}", run.stdout);
    // Without numbers in its lines a list has its places.
    folder.write("genesis.yaml", format!("GENESIS_VALIDATORS:\n- '0x{other}'\n- '0x{own}'\n"));
    with(json!({ "validator_index": 1 }));
    folder.good("xmss verify-many file.jsonl --validators genesis.yaml");
    for (text, problem) in [
        (format!("GENESIS_VALIDATORS:\n- '0x{own}'\n- '0x{own}'\n"), "contradicts itself"),
        (format!("key: 0x{own}\n"), "is no list of validators"),
    ] {
        folder.write("genesis.yaml", text);
        let run = folder.bad("xmss verify-many file.jsonl --validators genesis.yaml", 2);
        assert!(run.stderr.contains(problem), "{}", run.stderr);
    }
}

#[test]
fn base64_is_read_where_hexadecimal_is() {
    let folder = Folder::new();
    let wrapped: Vec<_> = Base64::encode_string(&bytes(PUBLIC)).into_bytes();
    let wrapped: Vec<_> = wrapped.chunks(64).map(String::from_utf8_lossy).collect();
    folder.write("public", wrapped.join("\n") + "\n");
    let text = folder.good("inspect public").stdout;
    assert!(text.contains("likely: public key of xmss-poseidon2-l8-d64b8"), "{text}");
    assert!(
        text.contains("in ssz within base64") && text.contains("next: phalanx convert --to ssz public OUT"),
        "{text}"
    );
    folder.good("convert public out --to ssz");
    assert_eq!(folder.read("out"), bytes(PUBLIC));
    // 32 bytes may be much, a secret last.
    folder.write("key", Base64::encode_string(&[0x5a; 32]));
    let text = folder.good("inspect key").stdout;
    assert!(!text.contains("certain") && !text.contains("likely"), "{text}");
    assert!(text.contains("possible: secret key of ed25519 in raw within base64"), "{text}");
    assert!(text.contains("problem: "), "a secret that others may read: {text}");
    folder.write("object", "{\"a\": [1, {\"b\": null}]}");
    let run = folder.run("inspect object");
    run.check_bad("inspect", 2);
    assert!(run.stderr.contains("JSON without a key or signature that is known"), "{}", run.stderr);
    folder.write("object", "{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"x\": 1}");
    let run = folder.run("inspect object");
    run.check_bad("inspect", 2);
    assert!(run.stderr.contains("as a file of ed25519"), "{}", run.stderr);
}
