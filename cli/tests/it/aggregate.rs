//! Aggregates: what they cost, one made from lines and verified, and what is refused.

use crate::support::Folder;
use phalanx_reference::xmss_blake2s::{Profile, SecretKey, sign};
use serde_json::{Value, json};
use std::fs;

const SET: &str = "xmss-blake2s-l32-d42b8";
const P100: &str = "aggregate-v1-provable100";
const P128: &str = "aggregate-v1-provable128";
/// The context of the published aggregates: "context".
const CONTEXT: &str = "--context-hex 636f6e74657874";

/// A file of `vectors/aggregate`.
fn published(name: &str) -> Vec<u8> {
    fs::read(phalanx_testing::vectors("aggregate").join(name)).expect("the file is there")
}

fn counting(first: u8) -> [u8; 32] {
    std::array::from_fn(|i| first + u8::try_from(i).expect("small"))
}

/// A line, signed by a key of one epoch.
fn line(seed: [u8; 32], epoch: u32, message: [u8; 32]) -> Value {
    let key = SecretKey::new(Profile::B, &seed, epoch, epoch).expect("one epoch");
    let (signature, _) = sign(&key, epoch, &message).expect("its epoch");
    json!({ "scheme": SET, "public_key": hex::encode(key.public_key().to_bytes()), "epoch": epoch,
        "message": hex::encode(message), "signature": hex::encode(signature.to_bytes()) })
}

/// The one published signature.
fn first() -> Value {
    line(counting(0), 0x89ab_cdef, counting(100))
}

fn write(folder: &Folder, name: &str, lines: &[&Value]) {
    let text: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
    folder.write(name, text.concat());
}

#[test]
fn the_published_aggregates_come_from_lines() {
    let folder = Folder::new();
    write(&folder, "lines.jsonl", &[&first()]);
    for (profile, name) in [(P100, "1"), (P128, "3")] {
        let out = format!("--out {name} --statement-out statement{name} {CONTEXT}");
        let made = folder.good(&format!("xmss aggregate lines.jsonl --profile {profile} {out}"));
        assert!(folder.read(name) == published(&format!("aggregate{name}.bin")), "{profile}");
        assert!(folder.read(&format!("statement{name}")) == published(&format!("statement{name}.bin")));
        let len = folder.read(name).len();
        let line = format!("aggregate of 1 signature in 1 group: {len} bytes, the signatures are 1208 (");
        assert!(made.stdout.starts_with(&line), "{}", made.stdout);
        let stages: Vec<_> = made.stderr.lines().collect();
        assert_eq!(stages.len(), 7, "{stages:?}");
        assert_eq!(
            (stages[0], stages[3]),
            ("phalanx: note: 1 of 7: signatures", "phalanx: note: 4 of 7: zerocheck")
        );
        // By the lines, and by the bytes of the statement.
        for about in ["lines.jsonl".to_owned(), format!("--statement statement{name}")] {
            let verify = format!("xmss verify-aggregate {about} --aggregate {name} --profile {profile}");
            let good = folder.good(&format!("{verify} {CONTEXT}"));
            let wanted = format!("aggregate verifies: 1 signature in 1 group ({profile}, ");
            assert!(good.stdout.starts_with(&wanted), "{}", good.stdout);
            let bad = folder.bad(&verify, 1);
            let wanted = "phalanx: error: aggregate does not verify: the zerocheck does not hold (Zerocheck)\n\
                phalanx: hint: another statement, or a context that --context-hex has to name\n";
            assert_eq!(bad.stderr, wanted);
        }
    }
    folder.bad("xmss aggregate lines.jsonl --profile aggregate-v1-provable100 --out 1", 2);
    let again = folder.good(&format!("xmss aggregate lines.jsonl --profile {P100} --out 1 --force --json"));
    assert_eq!(again.stderr, "");
    let object = again.json();
    assert_eq!(
        (&object["signatures"], &object["groups"], &object["bits"]),
        (&json!(1), &json!(1), &json!(100))
    );
    assert_eq!(object["aggregate_bytes"], json!(folder.read("1").len()));
    assert_eq!(object["stages"].as_array().map(Vec::len), Some(7));
    assert_eq!(object["equivocations"], json!([]));
}

#[test]
fn lines_in_any_order_make_one_statement() {
    let folder = Folder::new();
    let (a, b) = ([b'a'; 32], [b'b'; 32]);
    let lines = [line([1; 32], 6, a), line([2; 32], 6, a), line([3; 32], 7, b), line([1; 32], 6, b)];
    let [one, two, three, other] = &lines;
    write(&folder, "lines.jsonl", &[three, one, two]);
    write(&folder, "turned.jsonl", &[one, two, three]);
    folder.good(&format!("xmss aggregate lines.jsonl --profile {P100} --out one"));
    folder.good(&format!("xmss aggregate turned.jsonl --profile {P100} --out two --threads 2"));
    assert!(folder.read("one") == folder.read("two"));
    // Who verifies needs no signatures.
    let unsigned: Vec<Value> = [two, one, three]
        .into_iter()
        .map(|line| {
            let mut line = line.clone();
            line.as_object_mut().expect("an object").remove("signature");
            line
        })
        .collect();
    write(&folder, "unsigned.jsonl", &unsigned.iter().collect::<Vec<_>>());
    let verify = format!("xmss verify-aggregate unsigned.jsonl --aggregate one --profile {P128}");
    let good = folder.good(&format!("{verify} --profile {P100} --json")).json();
    assert_eq!((&good["valid"], &good["profile"]), (&json!(true), &json!(P100)));
    assert_eq!((&good["signatures"], &good["groups"]), (&json!(3), &json!(2)));
    let bad = folder.bad(&verify, 1);
    let hint = format!("phalanx: hint: the aggregate has profile {P100}; --profile {P100} accepts it\n");
    assert!(bad.stderr.ends_with(&hint), "{}", bad.stderr);
    let bad = folder.bad(&format!("{verify} --profile {P100} --max-signatures 2"), 1);
    assert!(bad.stderr.contains("(TooManySignatures)"), "{}", bad.stderr);
    // Another statement: a line less, another message, no lines at all.
    write(&folder, "less.jsonl", &[one, two]);
    let run =
        folder.run(&format!("xmss verify-aggregate less.jsonl --aggregate one --profile {P100} --json"));
    assert_eq!((run.code, &run.json()["valid"]), (Some(1), &json!(false)));
    let mut changed = three.clone();
    changed["message"] = json!(hex::encode(a));
    write(&folder, "changed.jsonl", &[&changed, one, two]);
    let bad = folder.bad(&format!("xmss verify-aggregate changed.jsonl --aggregate one --profile {P100}"), 1);
    assert!(bad.stderr.contains("signature 2 is on line 1: "), "{}", bad.stderr);
    folder.write("empty.jsonl", "\n");
    folder.bad(&format!("xmss verify-aggregate empty.jsonl --aggregate one --profile {P100}"), 2);
    folder.bad(&format!("xmss verify-aggregate --aggregate one --profile {P100}"), 2);
    folder.bad("xmss verify-aggregate lines.jsonl --aggregate one", 2);
    let bad =
        folder.bad(&format!("xmss verify-aggregate --statement one --aggregate one --profile {P100}"), 2);
    assert!(bad.stderr.contains("'one' is not a statement: "), "{}", bad.stderr);
    // A key that signed two messages at one epoch: true, and said.
    write(&folder, "twice.jsonl", &[one, two, three, other]);
    let made = folder.good(&format!("xmss aggregate twice.jsonl --profile {P100} --out twice --json"));
    let broken = json!([{ "epoch": 6, "public_key": one["public_key"] }]);
    assert_eq!(made.json()["equivocations"], broken);
    assert!(made.stderr.contains("has signed more than one message at epoch 6"), "{}", made.stderr);
    let found =
        folder.good(&format!("xmss verify-aggregate twice.jsonl --aggregate twice --profile {P100} --json"));
    assert_eq!(found.json()["equivocations"], broken);
}

#[test]
fn what_aggregate_refuses() {
    let folder = Folder::new();
    let good = first();
    let other = line([9; 32], 5, [7; 32]);
    let refused = |lines: &[&Value], more: &str, code: i32, wanted: &str| {
        write(&folder, "lines.jsonl", lines);
        let run = folder.bad(&format!("xmss aggregate lines.jsonl --profile {P100} --out out {more}"), code);
        assert!(run.stderr.contains(wanted), "{}", run.stderr);
        assert!(!folder.exists("out"));
    };
    let mut changed = other.clone();
    changed["message"] = good["message"].clone();
    let hint = "phalanx: hint: 'phalanx xmss verify-many lines.jsonl' names every one that does not\n";
    refused(&[&good, &changed], "", 1, &format!("line 2: signature does not verify\n{hint}"));
    refused(&[&other, &good, &other], "", 2, "lines 1 and 3 have the same key, epoch and message");
    let mut changed = good.clone();
    changed["scheme"] = json!("xmss-blake2s-a-l32-d42b8");
    let set =
        "line 2: scheme: aggregates are of xmss-blake2s-l32-d42b8, and this is of xmss-blake2s-a-l32-d42b8";
    refused(&[&other, &changed], "", 2, set);
    changed = good.clone();
    changed["epoch"] = json!(1_u64 << 32);
    refused(
        &[&changed, &json!({})],
        "",
        2,
        "line 1: malformed: epoch: no key has epochs beyond 4294967295 (and 1 more lines are bad)",
    );
    changed = good.clone();
    changed.as_object_mut().expect("an object").remove("signature");
    refused(&[&changed], "", 2, "line 1: malformed: missing field `signature`");
    refused(&[], "", 2, "'lines.jsonl' holds no signatures");
    refused(
        &[&good],
        "--memory-limit-mib 1",
        4,
        "MiB of memory, and 1 are allowed\nphalanx: hint: --memory-limit-mib allows more",
    );
    refused(&[&good], "--statement-out out", 2, "--out and --statement-out are the same file");
    // One more line than any aggregate has signatures.
    let empty = json!({});
    let lines = vec![&empty; 14_769];
    refused(
        &lines,
        "",
        2,
        "the statement has too many signatures\nphalanx: hint: an aggregate has at most 14768",
    );
    let run = folder.bad("xmss aggregate lines.jsonl --out out", 2);
    assert!(run.stderr.contains("--profile <P>"), "{}", run.stderr);
}

#[test]
fn parameters() {
    let folder = Folder::new();
    let object = folder.good("aggregate params --signatures 461 --json").json();
    assert_eq!(object["signatures"], 461);
    let profiles = object["profiles"].as_array().expect("both");
    for (profile, (name, bytes, from, bits)) in
        profiles.iter().zip([(P100, 271_427, 199, 100), (P128, 374_284, 307, 128)])
    {
        assert_eq!(profile["profile"], name);
        assert_eq!(
            (&profile["expected_bytes"], &profile["signatures_bytes"]),
            (&json!(bytes), &json!(556_888))
        );
        assert_eq!(profile["shorter_from_signatures"], from);
        assert_eq!((&profile["wanted_bits"], &profile["at_least_wanted_bits"]), (&json!(bits), &json!(true)));
        assert_eq!((&profile["log2_blocks"], &profile["variables"]), (&json!(16), &json!(25)));
        // The terms, exactly: (90 + 6 n) / |E| before the opening.
        let moves = profile["moves"].as_array().expect("terms");
        let outer: u64 = moves
            .iter()
            .filter(|one| one["of_opening"] == false)
            .map(|one| one["exact"].as_str().and_then(|text| text.split_once('/')).expect("a fraction").0)
            .map(|count| count.parse::<u64>().expect("a number"))
            .sum();
        assert_eq!(outer, 90 + 6 * 16);
        let bits = |value: &Value| value["bits"].as_f64().expect("a number");
        let sum: f64 = moves.iter().map(|one| (-bits(one)).exp2()).sum();
        assert!((sum.log2() + bits(&profile["union"])).abs() < 1e-9);
    }
    let text = folder.good(&format!("aggregate params --signatures 198 --profile {P100}")).stdout;
    for wanted in [
        "aggregates of 198 signatures\naggregate-v1-provable100\n  blocks                  2^15, 24 variables\n",
        "  break-even              longer than the signatures; shorter from 199 on\n",
        "    zeta                          123.142\n",
        "    all together ",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains(P128), "{text}");
    folder.bad("aggregate params --signatures 0", 2);
    folder.bad("aggregate params --signatures 14769", 2);
}

#[test]
fn inspect_knows_aggregates_and_statements() {
    let folder = Folder::new();
    for name in ["aggregate1.bin", "aggregate3.bin", "statement1.bin"] {
        folder.write(name, published(name));
    }
    folder.write("cut", &published("aggregate1.bin")[..60_000]);
    let files = "aggregate1.bin aggregate3.bin statement1.bin cut";
    let object = folder.good(&format!("inspect {files} --json")).json();
    let reading = |at: usize| {
        let readings = object["files"][at]["readings"].as_array().expect("a list");
        assert_eq!(readings.len(), 1, "{readings:?}");
        readings[0].clone()
    };
    for (at, profile) in [(0, P100), (1, P128)] {
        let found = reading(at);
        assert_eq!((&found["kind"], &found["scheme"]), (&json!("aggregate"), &json!(profile)));
        assert_eq!(found["confidence"], "certain");
        assert_eq!(found["details"]["signatures, by its length"], "1");
        assert!(found["next"].as_str().is_some_and(|next| next.ends_with(&format!("--profile {profile}"))));
    }
    let root = "f13cd232d74660ce161f37c0623985520cccb086de9b0b4a7013b2a11468d62a";
    assert_eq!(reading(0)["root"], root);
    let statement = reading(2);
    assert_eq!(statement["kind"], "statement of an aggregate");
    let details = json!({ "signatures": "1", "groups": "1", "epochs": "2309737967" });
    assert_eq!(statement["details"], details);
    assert_eq!(reading(3)["confidence"], "possible");
}

#[test]
fn inspect_knows_proofs_of_compressions() {
    let folder = Folder::new();
    let vectors = phalanx_testing::vectors("compressions");
    for (profile, bits) in [(1, 100), (3, 128)] {
        let proof = fs::read(vectors.join(format!("sha256-preimages-{profile}.bin"))).expect("a vector");
        folder.write("proof.bin", &proof);
        let object = folder.good("inspect proof.bin --json").json();
        let readings = object["files"][0]["readings"].as_array().expect("a list");
        assert_eq!(readings.len(), 1, "{readings:?}");
        assert_eq!(readings[0]["kind"], "proof of compressions");
        assert_eq!(readings[0]["scheme"], format!("SHA-256, {bits} provable bits"));
        assert_eq!(readings[0]["root"], hex::encode(&proof[5..37]));
    }
}
