//! `phalanx ligerito`: the vectors through the command line, round trips, and everything that can be wrong.

mod johnson;
mod published;
mod together;

use crate::support::{Folder, Run, ligerito_vector, point};
use phalanx_reference::ligerito::Generator;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

const SUITE: &str = "ligerito-v1-provable100";

/// What the suite up to the Johnson radius is never shown without.
const CONDITION: &str =
    "128 bits, conditional on a theorem of 2026 (https://eprint.iacr.org/2026/2056, Theorem 5.12)";

/// Words from a seed, by the generator of the vectors.
fn words(seed: u64, count: usize) -> Vec<u8> {
    let mut generator = Generator(seed);
    (0..count).flat_map(|_| generator.word().to_le_bytes()[..4].to_vec()).collect()
}

/// A case of `vectors/ligerito-own/proofs.json` or of a file with one.
fn case(name: &str) -> Value {
    let of = |file: &str| -> Value {
        serde_json::from_slice(&std::fs::read(ligerito_vector(file)).expect("a vector file")).expect("JSON")
    };
    if name == "p1_16" {
        return of("proof_16.json")[0].clone();
    }
    let cases = of("proofs.json");
    let found = cases.as_array().expect("a list").iter().find(|case| case["name"] == name);
    found.expect("a case").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn list(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(text).collect()
}

/// A folder with a polynomial of 2^10 coefficients, its commitment, and a proof of two values.
struct Opened {
    folder: Folder,
    commitment: String,
    points: [String; 2],
    values: Vec<String>,
}

impl Opened {
    fn new() -> Self {
        let folder = Folder::new();
        folder.write("polynomial", words(9, 1 << 10));
        let commitment = folder.good("ligerito commit polynomial --out commitment --json").json();
        let commitment = text(&commitment["commitment"]).to_owned();
        let points = [point(1, 10), point(2, 10)];
        let open = format!(
            "ligerito open polynomial --point {} --point {} --context-hex c0ffee --commitment commitment --out proof --json",
            points[0], points[1]
        );
        let values = folder.good(&open).json();
        let values = list(&values["values"]).into_iter().map(str::to_owned).collect();
        Self { folder, commitment, points, values }
    }

    /// The arguments that verify it.
    fn verify(&self) -> String {
        let [first, second] = &self.points;
        format!(
            "ligerito verify --commitment commitment --point {first} --value {} --point {second} --value {} \
             --proof proof --context-hex c0ffee",
            self.values[0], self.values[1]
        )
    }

    /// What a run says that must not verify.
    fn refused(&self, args: &str) -> Run {
        let run = self.folder.bad(args, 1);
        assert!(run.stderr.starts_with("phalanx: error: proof does not verify: "), "{}", run.stderr);
        run
    }
}

/// Every registered case of the vectors: root, values and proof, byte for byte, and the proof of the vectors verifies.
#[test]
fn vectors() {
    for (name, profile) in
        [("p1_10", "balanced"), ("p2_10", "compact"), ("p1_12", "balanced"), ("p1_16", "balanced")]
    {
        let case = case(name);
        let folder = Folder::new();
        let variables = case["mu"].as_u64().expect("a number");
        folder.write("f", words(case["poly_seed"].as_u64().expect("a seed"), 1 << variables));
        folder.write("context", hex::decode(text(&case["ctx_hex"])).expect("digits"));
        let object =
            folder.good(&format!("ligerito commit f --profile {profile} --out c --threads 2 --json")).json();
        assert_eq!(object["root"], case["root0"], "{name}");
        assert_eq!((&object["params"], &object["profile"]), (&json!(SUITE), &json!(profile)));
        assert_eq!(hex::encode(folder.read("c")), text(&object["commitment"]));
        assert_eq!(folder.read("c").len(), 34);

        let claim = &case["claims"][0];
        let point = list(&claim["point"]).join(",");
        let open = format!("ligerito open f --commitment c --point {point} --context-file context --out p");
        let run = folder.good(&open);
        assert!(run.stdout.starts_with(&format!("value {}\n", text(&claim["value"]))), "{}", run.stdout);
        let wanted = std::fs::read(ligerito_vector(text(&case["proof_file"]))).expect("a proof");
        assert!(folder.read("p") == wanted, "{name}: the proof is another one");

        let value = text(&claim["value"]);
        let verify = format!(
            "ligerito verify --commitment c --point {point} --value {value} --proof p --context-hex {} --accept-profile {profile}",
            text(&case["ctx_hex"])
        );
        assert!(folder.good(&verify).stdout.contains(&format!("profile {profile}, {variables} variables")));
        let object = folder.good(&format!("{verify} --json")).json();
        assert_eq!(
            (&object["valid"], &object["check"], &object["claims"]),
            (&json!(true), &Value::Null, &json!(1))
        );
    }
}

/// The suite of 128 bits by its vectors; and neither suite's commitments, points or proofs pass where the other is
/// named.
#[test]
fn the_suite_of_128_bits() {
    const SUITE_128: &str = "ligerito-v1-provable128";
    let vector = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ligerito-128");
        std::fs::read(folder.join(name)).expect("a vector file")
    };
    let cases: Value = serde_json::from_slice(&vector("proofs.json")).expect("JSON");
    for name in ["p3_10", "p3_12"] {
        let case = cases.as_array().expect("a list").iter().find(|case| case["name"] == name);
        let case = case.expect("a case");
        let folder = Folder::new();
        let variables = u8::try_from(case["mu"].as_u64().expect("a number")).expect("small");
        folder.write("f", words(case["poly_seed"].as_u64().expect("a seed"), 1 << variables));
        let commit = format!("ligerito commit f --params {SUITE_128} --out c --json");
        let object = folder.good(&commit).json();
        assert_eq!(object["root"], case["root0"], "{name}");
        assert_eq!((&object["params"], &object["profile"]), (&json!(SUITE_128), &json!("balanced")));
        assert_eq!(folder.read("c")[..2], [3, variables]);

        let (claim, context) = (&case["claims"][0], text(&case["ctx_hex"]));
        let (point, value) = (list(&claim["point"]).join(","), text(&claim["value"]));
        let open = format!(
            "ligerito open f --params {SUITE_128} --commitment c --point {point} --context-hex {context} --out p"
        );
        let run = folder.good(&open);
        assert!(run.stdout.starts_with(&format!("value {value}\n")), "{}", run.stdout);
        assert!(folder.read("p") == vector(text(&case["proof_file"])), "{name}: the proof is another one");
        let verify = format!(
            "ligerito verify --commitment c --point {point} --value {value} --proof p --context-hex {context}"
        );
        let good = format!("{verify} --params {SUITE_128}");
        assert!(folder.good(&good).stdout.contains(&format!("profile balanced, {variables} variables")));
        folder.good(&format!("{good} --accept-profile balanced --max-variables 30"));
        let wrong = good.replace(value, &format!("{}0", &value[..47]));
        if wrong != good {
            folder.bad(&wrong, 1);
        }
        assert!(folder.good("inspect c").stdout.contains("commitment of ligerito-v1-provable128"));
        let reading = folder.good("inspect p --json").json()["files"][0]["readings"][0].clone();
        let by_length = text(&reading["details"]["by its length"]).to_owned();
        assert!(
            by_length.contains(&format!("balanced of 128 bits with {variables} variables")),
            "{by_length}"
        );

        // Where the other suite is named, or none: points of 48 digits, and commitments of its own profile, are
        // refused.
        let run = folder.bad(&verify, 2);
        assert!(run.stderr.contains("wanted 32 hexadecimal digits"), "{}", run.stderr);
        let narrow = vec!["00000000000000000000000000000001"; variables.into()].join(",");
        let of_100 = format!("ligerito verify --point {narrow} --value {} --proof p", &narrow[..32]);
        let run = folder.bad(&format!("{of_100} --commitment c"), 2);
        assert!(run.stderr.contains("is not a commitment"), "{}", run.stderr);
        assert!(run.stderr.contains("--params ligerito-v1-provable128"), "{}", run.stderr);
        folder.good("ligerito commit f --out c100");
        let run = folder.bad(&good.replace("--commitment c", "--commitment c100"), 2);
        assert!(run.stderr.contains("is not a commitment"), "{}", run.stderr);
        assert!(run.stderr.contains("--params ligerito-v1-provable100"), "{}", run.stderr);
        for other in ["--profile compact", "--sizes autosized"] {
            let run = folder.bad(&format!("ligerito commit f --params {SUITE_128} {other}"), 2);
            assert!(run.stderr.contains("does not go with --params"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_round_trip_in_every_form() {
    let opened = Opened::new();
    let Opened { folder, commitment, points, values } = &opened;
    let good = opened.verify();
    folder.good(&good);
    // The commitment as digits, in the argument and in a file.
    folder.good(&good.replace("--commitment commitment", &format!("--commitment {commitment}")));
    folder.write("digits", format!("{commitment}\n"));
    folder.good(&good.replace("--commitment commitment", "--commitment digits"));
    // Points and values from files; one point on every line, with commas or blanks.
    folder.write("points", format!("{}\r\n\n {} \n", points[0], points[1].replace(',', "  ")));
    folder.write("values", values.join("\n"));
    let from_files = "ligerito verify --commitment commitment --point @points --value @values --proof proof --context-hex c0ffee";
    folder.good(from_files);
    folder.good(&from_files.replace("@values", &values.join(",")));
    folder.good(&from_files.replace("@values", &values.join(",").to_uppercase()));
    folder.good("ligerito open polynomial --point @points --context-hex c0ffee --out again");
    assert!(folder.read("again") == folder.read("proof"), "the same input gives the same proof");
    // What is accepted.
    folder.good(&format!("{good} --variables 10"));
    folder.good(&format!("{good} --max-variables 30 --accept-profile compact --accept-profile balanced"));
    // Standard input and output.
    let mut child =
        folder.command("ligerito commit - --out -").stdin(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(&folder.read("polynomial")).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(hex::encode(output.stdout), *commitment);
    assert!(
        folder
            .good("ligerito commit polynomial")
            .stdout
            .starts_with(&format!("commitment {commitment}\nroot "))
    );
}

#[test]
fn everything_wrong_is_refused_and_says_why() {
    let opened = Opened::new();
    let Opened { folder, commitment, points, values } = &opened;
    let good = opened.verify();
    let is = |run: &Run, check: &str| assert!(run.stderr.contains(&format!("({check})\n")), "{}", run.stderr);
    // Another transcript asks for other rows: with more siblings than there are, or as many or fewer.
    let asks_others = |run: &Run| {
        assert!(
            ["(MerkleRoot)\n", "(ProofLength)\n"].iter().any(|check| run.stderr.contains(check)),
            "{}",
            run.stderr
        );
    };

    let swapped = good
        .replace(&values[0], "x")
        .replace(&values[1], &values[0])
        .replace(" x ", &format!(" {} ", values[1]));
    assert_ne!(swapped, good);
    for bad in [
        good.replace("c0ffee", "c0ffef"),
        good.replace(" --context-hex c0ffee", ""),
        good.replace(&points[0], &point(3, 10)),
        good.replace(&values[1], &format!("{:032x}", 1)),
        swapped,
    ] {
        asks_others(&opened.refused(&bad));
    }
    let short = format!(
        "ligerito verify --commitment commitment --point {} --value {} --proof proof --context-hex c0ffee",
        points[0], values[0]
    );
    asks_others(&opened.refused(&short));
    is(&opened.refused(&format!("{good} --accept-profile compact")), "UnacceptedParams");
    is(&opened.refused(&format!("{good} --variables 11")), "UnacceptedParams");
    is(&opened.refused(&format!("{good} --max-variables 9")), "UnacceptedParams");
    let nine = good.replace(&points[0], &point(1, 9)).replace(&points[1], &point(2, 9));
    is(&opened.refused(&nine), "UnacceptedParams");
    is(&opened.refused(&format!("{nine} --max-variables 10")), "PointLength");

    // Another root, another profile, another number of variables, as digits.
    let with = |digits: &str| good.replace("--commitment commitment", &format!("--commitment {digits}"));
    let other = format!("{}{}", &commitment[..66], if commitment.ends_with("00") { "01" } else { "00" });
    asks_others(&opened.refused(&with(&other)));
    is(&opened.refused(&with(&format!("02{}", &commitment[2..]))), "UnacceptedParams");
    is(
        &opened.refused(&format!("{} --accept-profile compact", with(&format!("02{}", &commitment[2..])))),
        "ProofOfWork",
    );
    is(&opened.refused(&with(&format!("01ff{}", &commitment[4..]))), "UnacceptedParams");
    is(
        &opened.refused(&format!("{} --max-variables 255", with(&format!("01ff{}", &commitment[4..])))),
        "UnacceptedParams",
    );

    // Every proof is judged, whatever its bytes.
    let proof = folder.read("proof");
    let cut = &proof[..proof.len() - 1];
    for (bytes, check) in [
        (&[][..], "ProofLength"),
        (cut, "ProofLength"),
        (&[&proof[..], &[0]].concat(), "ProofLength"),
        (&[0xff; 100_000], "ProofLength"),
        (&vec![0x5a; proof.len()], "MerkleRoot"),
    ] {
        folder.write("proof", bytes);
        is(&opened.refused(&good), check);
    }
    for at in (0..proof.len()).step_by(977) {
        let mut bytes = proof.clone();
        bytes[at] ^= 1 << (at % 8);
        folder.write("proof", bytes);
        let run = folder.run(&format!("{good} --json"));
        run.check_bad("verify", 1);
        assert_eq!(run.json()["valid"], false, "byte {at}");
        assert!(run.json()["check"].is_string(), "byte {at}");
    }
}

#[test]
fn malformed_input() {
    let opened = Opened::new();
    let Opened { folder, commitment, points, values } = &opened;
    let good = opened.verify();
    let with = |digits: &str| good.replace("--commitment commitment", &format!("--commitment {digits}"));
    for (bytes, problem) in [
        (&b""[..], "length in bytes: got 0, wanted 34"),
        (&[1; 33], "length in bytes: got 33, wanted 34"),
        (&[3; 34], "profile of the commitment: got 3, wanted 2"),
    ] {
        folder.write("bad", bytes);
        let run = folder.bad(&with("bad"), 2);
        assert!(
            run.stderr.contains("'bad' is not a commitment") && run.stderr.contains(problem),
            "{}",
            run.stderr
        );
    }
    folder.bad(&with(&format!("00{}", &commitment[2..])), 2);
    folder.bad(&with("missing"), 4);
    folder.bad(&good.replace("--proof proof", "--proof missing"), 4);
    let half = &points[0][..points[0].len() - 1];
    for bad in [
        good.replace(&points[0], half),
        good.replace(&points[0], &point(1, 9)),
        good.replace(&values[0], "1"),
        good.replace(&values[0], &format!("0x{}", &values[0][2..])),
        good.replace(&values[0], "@polynomial"),
        good.replace(&format!("--value {}", values[0]), ""),
        format!("{good} --value {}", values[0]),
        good.replace("c0ffee", "c0ffe"),
        format!("{good} --variables 10 --max-variables 10"),
        format!("{good} --params another"),
        good.replace("--proof proof", "--proof -").replace("--context-hex c0ffee", "--context-file -"),
    ] {
        folder.bad(&bad, 2);
    }
    folder.bad(&good.replace(&values[0], "@missing"), 4);

    let open = format!("ligerito open polynomial --point {} --out new", points[0]);
    for (length, problem) in [
        (0, "has 0 words"),
        (4, "has 1 words"),
        (4 << 9, "has 512 words"),
        (4095, "has 4095 bytes: wanted words of 4 bytes"),
        (4097, "has 4097 bytes: wanted words of 4 bytes"),
        (4096 + 4, "has 1025 words"),
        (12 << 10, "has 3072 words"),
    ] {
        folder.write("wrong", vec![7; length]);
        for args in [open.replace("polynomial", "wrong"), "ligerito commit wrong --out new".to_owned()] {
            let run = folder.bad(&args, 2);
            assert!(
                run.stderr.contains(problem) && run.stderr.contains("hint: a polynomial is a file of"),
                "{}",
                run.stderr
            );
        }
    }
    let run = folder.bad(&open.replace(&points[0], &point(1, 11)), 2);
    assert!(run.stderr.contains("got 11 coordinates, wanted 10"), "{}", run.stderr);
    folder.bad("ligerito commit . --out new", 2);
    folder.bad("ligerito commit missing --out new", 4);
    folder.bad("ligerito commit polynomial --out missing/new", 4);
    folder.bad("ligerito commit polynomial --out new --profile fast", 2);
    folder.run("ligerito commit polynomial --out - --json").check_bad("commit", 2);
    folder.bad(&format!("{open} --commitment {}", commitment.replace('0', "1").replacen("11", "01", 1)), 1);
    folder.bad(&format!("{open} --commitment commitment --profile compact"), 1);
    assert!(!folder.exists("new"));
    let run = folder.bad("ligerito commit polynomial --out commitment", 2);
    assert!(run.stderr.contains("exists"), "{}", run.stderr);
    folder.good("ligerito commit polynomial --out commitment --force");
}

#[test]
fn transcripts() {
    let opened = Opened::new();
    let folder = &opened.folder;
    let good = opened.verify();
    let cases = [
        (
            &good.replace("commitment --", "commitment --accept-profile compact --"),
            1,
            "phalanx: error: proof does not verify: the commitment's profile and size are not among the accepted ones \
             (UnacceptedParams)\nphalanx: hint: the commitment has profile balanced; --accept-profile balanced accepts it\n",
        ),
        (
            &good.replace("c0ffee", "00"),
            1,
            "phalanx: error: proof does not verify: the opened rows of level 0 are not the committed ones (MerkleRoot)\n",
        ),
        (
            &good.replace("--proof proof", "--proof polynomial"),
            1,
            "phalanx: error: proof does not verify: the proof is not as long as its content (ProofLength)\n",
        ),
        (
            &"ligerito commit commitment".to_owned(),
            2,
            "phalanx: error: 'commitment' has 34 bytes: wanted words of 4 bytes\nphalanx: hint: a polynomial is a file of 2^10 \
             to 2^30 words, a power of two, each a little-endian integer of 32 bits\n",
        ),
    ];
    for (args, code, stderr) in cases {
        assert_eq!(folder.bad(args, code).stderr, stderr, "{args}");
    }
}

#[test]
fn params() {
    let folder = Folder::new();
    let object = folder.good("ligerito params --json").json();
    let shapes = object["shapes"].as_array().expect("a list");
    // The first suite, then that of 128 bits.
    let tables = ["params.json", "../ligerito-128/params.json"].map(|name| {
        let text = std::fs::read(ligerito_vector(name)).expect("a vector file");
        serde_json::from_slice::<Value>(&text).expect("JSON")
    });
    let entries = tables.iter().flat_map(|table| {
        let entries = table["entries"].as_array().expect("a list");
        entries.iter().map(|entry| (&table["suite"], entry))
    });
    let wanted: Vec<_> = entries.collect();
    assert_eq!((shapes.len(), wanted.len()), (63 + 21, 63));
    // And that up to the Johnson radius, which says what it is conditional on.
    for shape in &shapes[63..] {
        assert_eq!((&shape["params"], &shape["profile_code"]), (&json!("ligerito-v2-johnson128"), &json!(4)));
        assert_eq!(shape["at_least_128_bits"], true);
        assert!(text(&shape["condition"]).starts_with(CONDITION));
    }
    assert_eq!(shapes[63 + 10]["expected_proof_bytes"], 129_051);
    for (shape, (suite, wanted)) in shapes.iter().zip(wanted) {
        assert_eq!(&shape["params"], suite);
        assert!(shape["condition"].is_null());
        for (ours, theirs) in [
            ("profile", "name"),
            ("profile_code", "profile"),
            ("variables", "mu"),
            ("params_hex", "params_hex"),
            ("final_elements", "final_len"),
            ("expected_proof_bytes", "expected_proof_bytes"),
            ("max_proof_bytes", "max_proof_bytes"),
        ] {
            assert_eq!(shape[ours], wanted[theirs], "{ours} of {wanted}");
        }
        for (ours, theirs) in [
            ("union_bits", "union_bits"),
            ("union_bits_without_pow", "union_bits_without_pow"),
            ("worst_round_bits", "fs_round_bits"),
        ] {
            let difference = shape[ours].as_f64().expect("bits") - wanted[theirs].as_f64().expect("bits");
            assert!(difference.abs() < 0.0011, "{ours} of {wanted}");
        }
        assert_eq!(shape["at_least_100_bits"], true);
        assert_eq!(shape["at_least_128_bits"], shape["profile_code"] == 3);
        let is_compact = shape["profile"] == "compact";
        assert_eq!(shape["proof_of_work_bits"], if is_compact { 16 } else { 0 });
        let made_of = shape["made_of"].as_str().expect("text");
        assert_eq!(
            made_of.contains("interactive bits and 16 bits of proof of work"),
            is_compact,
            "{made_of}"
        );
    }
    let table = folder.good("ligerito params --profile compact --variables 20").stdout;
    assert!(table.contains("14+6/2:125+16 10+4/4:93+16"), "{table}");
    assert!(!table.lines().any(|row| row.starts_with("balanced")), "{table}");
    assert!(table.contains("level 1: queries"), "{table}");
    let all = folder.good("ligerito params").stdout;
    let said = "compact has 84.0 to 88.2 interactive bits and 16 bits of proof of work";
    assert!(all.contains(said), "{all}");
    let one = folder.good("ligerito params --variables 20 --claims 1 --json").json();
    assert_eq!(one["shapes"][0]["moves"][0], json!({ "draws": "gamma", "level": null, "bits": null }));
    for bad in ["--variables 9", "--variables 31", "--claims 0", "--claims 65537", "--profile small"] {
        folder.bad(&format!("ligerito params {bad}"), 2);
    }
}

#[test]
fn inspect_and_tour() {
    let opened = Opened::new();
    let folder = &opened.folder;
    let object = folder.good("inspect commitment proof --json").json();
    let reading = |at: usize| object["files"][at]["readings"][0].clone();
    assert_eq!((text(&reading(0)["kind"]), text(&reading(0)["scheme"])), ("commitment", SUITE));
    assert_eq!(reading(0)["root"], opened.commitment[4..]);
    assert_eq!(
        (&reading(0)["details"]["profile"], &reading(0)["details"]["variables"]),
        (&json!("balanced"), &json!("10"))
    );
    assert_eq!(reading(1)["kind"], "possible proof");
    assert!(text(&reading(1)["details"]["by its length"]).contains("balanced with 10 variables"));
    folder.write("digits", &opened.commitment);
    assert!(folder.good("inspect digits").stdout.contains("commitment of ligerito-v1-provable100 in hex"));
    let proof = folder.read("proof");
    for bad in [vec![3; 34], vec![0; proof.len()], proof[1..].to_vec(), words(1, 1000)] {
        folder.write("bad", bad);
        folder.run("inspect bad").check_bad("inspect", 2);
    }
    let tour = folder.good("tour").stdout;
    assert!(tour.contains("Ligerito (ligerito-v1-provable100)"), "{tour}");
    assert!(tour.contains("rejected: the opened rows of level 0 are not the committed ones"), "{tour}");
}
