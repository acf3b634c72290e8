//! `phalanx ligerito` of bits, of bytes, and of several files in one proof.

use super::{list, text, words};
use crate::support::{Folder, point};
use serde_json::json;

/// The corner of the cube with this number, as a point: there the value is the coefficient.
fn corner(number: usize, variables: u8, digits: usize) -> String {
    let bits = (0..variables).map(|j| format!("{:0digits$x}", number >> j & 1));
    bits.collect::<Vec<_>>().join(",")
}

/// What `open --json` says, and the arguments of `verify`: points and values alternate.
fn opened(folder: &Folder, open: &str, points: &[String]) -> (serde_json::Value, String) {
    let of_points: String = points.iter().map(|point| format!(" --point {point}")).collect();
    let object = folder.good(&format!("ligerito open {open}{of_points} --json")).json();
    let claims = points.iter().zip(list(&object["values"]));
    let claims: String = claims.map(|(point, value)| format!(" --point {point} --value {value}")).collect();
    (object, claims)
}

/// Every suite: bits at corners are the bits of the file, and the commitment is that of the words.
#[test]
fn bits_and_bytes() {
    for (set, digits) in
        [("ligerito-v1-provable100", 32), ("ligerito-v1-provable128", 48), ("ligerito-v2-johnson128", 48)]
    {
        let folder = Folder::new();
        let file = words(5, 1 << 10);
        folder.write("f", &file);
        let commit =
            |more: &str| folder.good(&format!("ligerito commit f --params {set} --json {more}")).json();
        let as_words = commit("");
        folder.write("c", text(&as_words["commitment"]));
        for (option, variables, of_file) in [
            ("bits", 15, (|file, i| file[i / 8] >> (i % 8) & 1) as fn(&[u8], usize) -> u8),
            ("bytes", 12, |file, i| file[i]),
        ] {
            let object = commit(&format!("--{option} --out made --force"));
            assert_eq!(object["commitment"], as_words["commitment"]);
            assert_eq!((&object["holds"], &as_words["holds"]), (&json!(option), &json!("words")));
            let said = folder.good(&format!("ligerito commit f --params {set} --{option}")).stdout;
            assert!(said.contains(&format!("10 variables, 2^{variables} {option}")), "{said}");

            let at = [1, 1234, (1 << variables) - 1];
            let points = at.map(|i| corner(i, variables, digits));
            let open = format!("f --params {set} --commitment c --{option} --context-hex 0b --out p --force");
            let (object, claims) = opened(&folder, &open, &points);
            for (i, value) in at.into_iter().zip(list(&object["values"])) {
                let wanted = of_file(&file, i);
                if option == "bits" {
                    assert_eq!(value, format!("{wanted:0digits$x}"), "bit {i}");
                } else {
                    assert_eq!(value == "0".repeat(digits), wanted == 0, "byte {i}");
                }
            }
            let verify =
                format!("ligerito verify --params {set} --commitment c --context-hex 0b --proof p{claims}");
            let said = folder.good(&format!("{verify} --{option}")).stdout;
            assert!(said.contains(&format!("3 values of 1 polynomial of {option}")), "{said}");
            // Not as what it is not, nor with another number of claims.
            let refused = |args: &str, check: &str| {
                let run = folder.bad(args, 1);
                assert!(run.stderr.contains(&format!("({check})\n")), "{args}: {}", run.stderr);
            };
            let other = if option == "bits" { "bytes" } else { "bits" };
            refused(&format!("{verify} --{other}"), "ProofFile");
            refused(&format!("{verify} --{option}{}", &claims[..claims.len() / 3]), "ProofFile");
            let value = list(&object["values"])[0];
            let wrong = format!("{:0digits$x}", 2 + u8::from(value.ends_with('2')));
            let wrong = verify.replacen(&format!("--value {value}"), &format!("--value {wrong}"), 1);
            refused(&format!("{wrong} --{option}"), "Value");

            let reading = folder.good("inspect p --json").json()["files"][0]["readings"][0].clone();
            assert_eq!((&reading["kind"], &reading["details"]["claims"]), (&json!("proof"), &json!("3")));
            assert_eq!(reading["details"]["coefficients"], option);
            assert_eq!(reading["scheme"], set.replace("-v1-", "-v2-"));
        }
        folder.bad(&format!("ligerito commit f --params {set} --bits --bytes"), 2);
    }
}

/// At corners the values of bytes are the bytes, as elements of the large field: sums and products are those of AES.
#[test]
fn bytes_are_elements_of_one_field() {
    let folder = Folder::new();
    // Bytes 0, 1, 2, …: products in the field of AES are those of the values. 0x53 and 0xca are inverse there.
    let file: Vec<u8> = (0..=255u8).cycle().take(1 << 12).collect();
    folder.write("f", file);
    let points = [1usize, 2, 4, 6, 0x53, 0xca].map(|i| corner(i, 12, 32));
    let (object, _) = opened(&folder, "f --bytes --out p", &points);
    let values = list(&object["values"]);
    let element = |i: usize| u128::from_str_radix(values[i], 16).expect("digits");
    assert_eq!(element(0), 1);
    assert_eq!(element(1) ^ element(2), element(3), "6 = 2 + 4");
    assert_eq!(product(element(1), element(1)), element(2), "2 times 2 is 4");
    assert_eq!(product(element(4), element(5)), 1, "0x53 times 0xca is 1");
}

/// In GF(2^128), modulo x^128 + x^7 + x^2 + x + 1.
fn product(a: u128, b: u128) -> u128 {
    (0..128).rev().fold(0, |sum: u128, i| {
        let doubled = (sum << 1) ^ ((sum >> 127) * 0x87);
        doubled ^ if b >> i & 1 == 1 { a } else { 0 }
    })
}

/// Three files of two sizes in one proof, of words and of bits; every claim can be wrong.
#[test]
fn several_files_in_one_proof() {
    for (set, digits) in [("ligerito-v1-provable100", 32), ("ligerito-v1-provable128", 48)] {
        let folder = Folder::new();
        let mut commitments = String::new();
        for (name, seed, variables) in [("a", 1, 10), ("b", 2, 11), ("c", 3, 10)] {
            folder.write(name, words(seed, 1 << variables));
            folder.good(&format!("ligerito commit {name} --params {set} --out {name}.c"));
            commitments += &format!(" --commitment {name}.c");
        }
        for (option, more) in [("", 0u8), (" --bits", 5)] {
            let at =
                |number: usize, i, variables: u8| format!("{number}:{}", corner(i, variables + more, digits));
            let points = [at(2, 7, 10), at(0, 8, 10), at(1, 2000, 11), at(0, 9, 10)];
            let open = format!("a b c --params {set}{commitments}{option} --out p --force --threads 2");
            let (object, claims) = opened(&folder, &open, &points);
            assert_eq!(object["commitments"].as_array().map(Vec::len), Some(3));
            assert_eq!(object["commitments"][1]["variables"], 11);
            let verify = format!("ligerito verify --params {set}{commitments} --proof p{option}{claims}");
            let said = folder.good(&verify).stdout;
            assert!(said.contains("4 values of 3 polynomials of"), "{said}");
            folder.good(&format!("{verify} --max-variables 11"));
            let refused = |args: &str, check: &str| {
                let run = folder.bad(args, 1);
                assert!(run.stderr.contains(check), "{args}: {}", run.stderr);
            };
            refused(&format!("{verify} --max-variables 10"), "(UnacceptedParams)");
            refused(&format!("{verify} --variables 10"), "(UnacceptedParams)");
            refused(&verify.replace("a.c --commitment b.c", "b.c --commitment a.c"), "(PointLength)");
            for (claim, value) in list(&object["values"]).into_iter().enumerate() {
                let marked = claims.replace(&format!("{} --value {value}", points[claim]), "HERE");
                assert_ne!(marked, claims);
                let wrong = format!("{} --value {:0digits$x}", points[claim], 5);
                let run = folder.bad(&verify.replace(&claims, &marked.replace("HERE", &wrong)), 1);
                assert!(run.stderr.starts_with("phalanx: error: proof does not verify"), "{}", run.stderr);
            }
            // The same claims of the same polynomials in another order are another statement.
            refused(
                &verify.replace(
                    "a.c --commitment b.c --commitment c.c",
                    "c.c --commitment b.c --commitment a.c",
                ),
                "proof does not verify",
            );
            let proof = folder.read("p");
            for at in [0, 16, 17, 18, 20, 24, 30, proof.len() / 2, proof.len() - 1] {
                let mut bytes = proof.clone();
                bytes[at] ^= 4;
                folder.write("p", bytes);
                refused(&verify, "proof does not verify");
            }
            for bytes in [&proof[..proof.len() - 1], &proof[..24], &proof[..23], &[&proof[..], &[0]].concat()]
            {
                folder.write("p", bytes);
                refused(&verify, "proof does not verify");
            }
        }
    }
}

/// What a user may get wrong about several files.
#[test]
fn mistakes_about_several_files() {
    let folder = Folder::new();
    folder.write("a", words(1, 1 << 10));
    folder.write("b", words(2, 1 << 10));
    folder.good("ligerito commit a --out a.c");
    let (short, long) = (point(1, 10), point(1, 15));
    for (args, problem) in [
        (format!("a b --point {short}"), "N: is missing before the point"),
        (format!("a b --point 2:{short}"), "'2' is no number from 0 to 1"),
        (format!("a b --point x:{short}"), "'x' is no number from 0 to 1"),
        (format!("a b --point 1:{long}"), "got 15 coordinates in point 0, wanted 10: file 1 has 2^10 words"),
        (
            format!("a --bits --point {short}"),
            "got 10 coordinates in point 0, wanted 15: file 0 has 2^15 bits",
        ),
        (format!("a --bytes --point {short}"), "wanted 12: file 0 has 2^12 bytes"),
        (format!("a b --commitment a.c --point 0:{short}"), "--commitment: got 1, wanted 2"),
        (format!("a b --profile compact --point 0:{short}"), "no proof together under profile compact"),
        (
            format!("a b --params ligerito-v2-johnson128 --point 0:{}", corner(3, 10, 48)),
            "no proof together under profile balanced of ligerito-v2-johnson128",
        ),
        ("a b".to_owned(), "--point is missing"),
        ("a b --params ligerito-ref-v08".to_owned(), "a second FILE does not go with"),
        ("a --bits --params ligerito-ref-v08".to_owned(), "--bits does not go with"),
        (format!("- - --point 0:{short}"), "only one input can be standard input"),
    ] {
        let run = folder.bad(&format!("ligerito open {args} --out p"), 2);
        assert!(run.stderr.contains(problem), "{args}: {}", run.stderr);
        assert!(!folder.exists("p"));
    }
    // Another file than the commitment's, named.
    let run = folder
        .bad(&format!("ligerito open a b --commitment a.c --commitment a.c --point 0:{short} --out p"), 1);
    assert!(run.stderr.contains("'b' is not the polynomial of that commitment"), "{}", run.stderr);
    let run = folder
        .bad(&format!("ligerito verify --commitment a.c --commitment a.c --point 0:{short} --proof a"), 2);
    assert!(run.stderr.contains("got 0 values for 1 points"), "{}", run.stderr);
    let run = folder.bad(&format!("ligerito verify --bits --point {short} --proof a"), 2);
    assert!(run.stderr.contains("--commitment is missing"), "{}", run.stderr);
}

/// Files that are read in pieces: the same commitments, within a bound, and not from what can be read once only.
#[test]
fn streamed_files() {
    let folder = Folder::new();
    folder.write("f", words(4, 1 << 17));
    for set in ["ligerito-v1-provable100", "ligerito-v1-provable128", "ligerito-v2-johnson128"] {
        let commit = format!("ligerito commit f --params {set} --json");
        let wanted = folder.good(&commit).json();
        for mebibytes in [25, 1000] {
            let object = folder.good(&format!("{commit} --memory {mebibytes} --threads 2")).json();
            for key in ["commitment", "root", "variables", "coefficients"] {
                assert_eq!(object[key], wanted[key], "{set} {mebibytes} {key}");
            }
            assert!(object["encoded_bytes"].is_null() && wanted["encoded_bytes"].is_u64());
        }
        let run = folder.bad(&format!("ligerito commit f --params {set} --memory 24"), 2);
        assert!(run.stderr.contains("committing in pieces takes"), "{}", run.stderr);
    }
    folder.write("odd", words(4, 1000));
    for (args, code, problem) in [
        ("- --memory 100", 2, "not standard input"),
        ("odd --memory 100", 2, "has 1000 words"),
        ("missing --memory 100", 4, "cannot read 'missing'"),
        ("f --params ligerito-ref-v08 --memory 100", 2, "--memory does not go with"),
    ] {
        let run = folder.bad(&format!("ligerito commit {args}"), code);
        assert!(run.stderr.contains(problem), "{args}: {}", run.stderr);
    }
}

/// Files of another length are spoken of in what they were said to hold.
#[test]
fn lengths_are_told_in_bits_and_bytes() {
    let folder = Folder::new();
    folder.write("odd", words(4, 1000));
    folder.write("five", vec![1; 5]);
    for (args, problem) in [
        ("odd --bits", "'odd' has 32000 bits"),
        ("five --bits", "'five' has 40 bits"),
        ("five --bits --memory 100", "'five' has 40 bits"),
        ("odd --bytes", "'odd' has 4000 bytes"),
        ("five --bytes", "'five' has 5 bytes"),
    ] {
        let run = folder.bad(&format!("ligerito commit {args}"), 2);
        let wanted = if args.contains("bits") {
            "a polynomial is a file of 2^15 to 2^35 bits, a power of two, eight in a byte\n"
        } else {
            "a polynomial is a file of 2^12 to 2^32 bytes, a power of two\n"
        };
        assert_eq!(run.stderr, format!("phalanx: error: {problem}\nphalanx: hint: {wanted}"), "{args}");
    }
    let point = point(5, 15);
    let run = folder.bad(&format!("ligerito open five --bits --point {point} --out new"), 2);
    assert!(run.stderr.contains("'five' has 40 bits"), "{}", run.stderr);
}
