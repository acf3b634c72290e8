//! Files of other programs: documents of keys, and what stands beside them.

use crate::support::{Folder, vector};
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
        text.contains("next: phalanx xmss verify --public-key public --scheme xmss-poseidon2-l"),
        "{text}"
    );
    let of_noise = text.split("noise: 32 bytes").nth(1).expect("its report");
    assert!(of_noise.trim_start().starts_with("possible: public key of"), "a secret comes last: {of_noise}");
    assert!(of_noise.contains("possible: secret key of ed25519 in raw"), "{of_noise}");
}
