//! `phalanx ligerito --params ligerito-ref-v08`: the published crate's proofs.

use super::{text, words};
use crate::support::{Folder, Run, point, reference_vector};
use serde_json::{Value, json};

/// The published crate's proofs, with and without claims, and copies of one that were damaged.
#[test]
fn proofs_of_the_published_crate() {
    let folder = Folder::new();
    let file = |name: &str| std::fs::read(reference_vector(name)).expect("a vector file");
    let json = |name: &str| -> Value { serde_json::from_slice(&file(name)).expect("JSON") };
    let seed = |case: &Value| {
        let digits = text(&case["poly"]).strip_prefix("xorshift:").expect("a seed");
        u64::from_str_radix(digits, 16).expect("digits")
    };
    let set = "--params ligerito-ref-v08";
    let proofs = json("proofs.json");
    let case = &proofs[0];
    folder.write("f", words(seed(case), 1 << 12));
    let root = text(&case["sha256_transcript"]["initial_root"]);
    let run = folder.good(&format!("ligerito commit f {set} --out root"));
    assert!(run.stdout.starts_with(&format!("root {root}\n")), "{}", run.stdout);
    assert_eq!(hex::encode(folder.read("root")), root);

    folder.good(&format!("ligerito open f {set} --out p"));
    assert!(folder.read("p") == file(text(&case["file"])), "the crate's proof is another one");
    let object = folder.good(&format!("ligerito open f {set} --transcript merlin --out m --json")).json();
    assert_eq!((&object["root"], &object["transcript"]), (&json!(root), &json!("merlin")));
    assert_eq!(object["proof_bytes"], case["merlin_transcript"]["bincode_bytes"]);
    let verify = format!("ligerito verify {set} --root {root} --variables 12");
    folder.good(&format!("{verify} --proof p"));
    folder.good(&format!("ligerito verify {set} --root root --variables 12 --transcript merlin --proof m"));
    folder.bad(&format!("{verify} --proof m"), 1);

    let cases = json("eval_proofs.json");
    let case =
        cases.as_array().expect("a list").iter().max_by_key(|case| case["claims"].as_array().map(Vec::len));
    let case = case.expect("a case");
    folder.write("f", words(seed(case), 1 << 12));
    let claims = case["claims"].as_array().expect("claims");
    let indices: String = claims.iter().map(|claim| format!(" --index {}", claim["index"])).collect();
    let values: String = claims.iter().map(|claim| format!(" --value {}", text(&claim["value"]))).collect();
    let object = folder.good(&format!("ligerito open f {set}{indices} --out e --json")).json();
    assert_eq!(object["claims"], case["claims"]);
    assert!(folder.read("e") == file(text(&case["file"])), "the crate's proof is another one");
    let good = format!("{verify}{indices}{values} --proof e");
    folder.good(&good);
    folder.good(&good.replace("--value ", "--value 0x"));
    let first = text(&claims[0]["value"]);
    let other = format!("{:08x}", u32::from_str_radix(first, 16).expect("digits") ^ 1);
    let is = |run: Run, wanted: &str| assert!(run.stderr.contains(wanted), "{}", run.stderr);
    is(folder.bad(&good.replacen(first, &other, 1), 1), "(Round)\n");
    is(folder.bad(&good.replace(root, &"0".repeat(64)), 1), "(InitialRoot)\n");
    is(
        folder.bad(&good.replace("--proof e", "--proof p"), 2),
        "is not a proof of ligerito-ref-v08 with 12 variables",
    );
    is(folder.bad(&good.replace("--variables 12", "--variables 16"), 2), "malformed input");
    is(
        folder.bad(&good.replace("--variables 12", "--variables 13"), 2),
        "no configuration for 2^13 coefficients",
    );
    is(folder.bad(&good.replace("--variables 12", ""), 2), "--variables is missing");
    is(folder.bad(&good.replace(&format!("--root {root}"), ""), 2), "--root is missing");
    is(folder.bad(&good.replacen(first, "1", 1), 2), "wanted 8 hexadecimal digits");
    is(folder.bad(&format!("{good} --value {first}"), 2), "a value belongs to every index");
    is(folder.bad(&format!("{good} --index 4096 --value {first}"), 2), "a coefficient that does not exist");
    is(
        folder.bad(&format!("ligerito open f {set} --index 4096 --out new"), 2),
        "got 4096, wanted at most 4095",
    );
    is(
        folder.bad(&format!("ligerito open f {set} --point {} --out new", point(1, 12)), 2),
        "--point does not go with",
    );
    is(folder.bad("ligerito open f --index 1 --out new", 2), "--index does not go with");
    is(folder.bad("ligerito open f --out new", 2), "--point is missing");
    is(folder.bad(&format!("ligerito commit f {set} --sizes autosized"), 2), "no configuration");
    assert!(!folder.exists("new"));

    for tampered in json("tampered.json")["files"].as_array().expect("a list") {
        folder.write("t", file(text(&tampered["file"])));
        let run = folder.run(&format!("{verify} --proof t"));
        assert!(matches!(run.code, Some(1 | 2)), "{}: {}", tampered["what"], run.stderr);
        run.check_bad(text(&tampered["file"]), run.code.unwrap_or_default());
    }
    let object = folder.good("inspect p e --json").json();
    for (at, claims) in [(0, "none"), (1, "one or more")] {
        let reading = &object["files"][at]["readings"][0];
        assert_eq!((&reading["kind"], &reading["scheme"]), (&json!("proof"), &json!("ligerito-ref-v08")));
        assert_eq!((&reading["details"]["claims"], &reading["root"]), (&json!(claims), &json!(root)));
    }
}
