//! Lines that are no rows.

use crate::rows::{csv, ed25519, jsonl};
use crate::{Folder, exits};

/// The verdicts on a file, and the lines of `results.csv`.
fn verdicts(folder: &Folder, file: &str, more: &str) -> (Vec<u8>, Vec<String>) {
    exits(folder, &format!("{file} --out out-{file} {more}"), 2);
    let results = folder.text(&format!("out-{file}/results.csv"));
    assert!(results.starts_with("input,position,verdict,reason\n"));
    let lines = results.lines().skip(1).map(|line| line.split_once(',').expect("a comma").1.to_owned());
    (folder.read(&format!("out-{file}/verdicts.bin")), lines.collect())
}

#[test]
fn lines_of_json() {
    let folder = Folder::new();
    let good = jsonl(&ed25519(1));
    let good = good.trim_end();
    let deep = "[".repeat(100_000);
    let other_types = r#"{"scheme":"ed25519","public_key":[1,2],"message":"00","signature":"00"}"#;
    let escaped = good.replacen("ed25519", "ed\\u00325519", 1);
    // A blank line says nothing, but is counted.
    let lines = [good, "", "{", "   ", &deep, "null", other_types, &escaped, "\u{0}", good];
    folder.write("a.jsonl", lines.join("\n"));
    for rows in ["--chunk-rows 2", "--chunk-rows 1", ""] {
        let (found, bad) = verdicts(&folder, "a.jsonl", rows);
        assert_eq!(found, [0, 2, 2, 2, 4, 0, 2, 0]);
        let at: Vec<&str> = bad.iter().filter_map(|line| line.split(',').next()).collect();
        assert_eq!(at, ["3", "5", "6", "7", "9"]);
        assert!(bad.iter().any(|line| line == "7,malformed,public_key: no text"), "{bad:?}");
        std::fs::remove_dir_all(folder.path("out-a.jsonl")).expect("it is there");
    }
}

#[test]
fn lines_of_csv() {
    let folder = Folder::new();
    let text = csv(&ed25519(2));
    let lines: Vec<&str> = text.lines().collect();
    let [names, first, second] = lines[..] else { panic!("three lines") };
    let stray = first.replacen('"', "", 1);
    let open = first.replacen("ed25519\"", "ed25519", 1).replace("\",\"", ",");
    let more = format!("{first},1");
    let no_number = second.replacen(",,", ",-1,", 1);
    let all = ["", names, first, &stray, "", &open, &more, "x,y", &no_number, second];
    folder.write("a.csv", all.join("\n"));
    for rows in ["--chunk-rows 1", ""] {
        let (found, bad) = verdicts(&folder, "a.csv", rows);
        // Ed25519 has no epochs, and does not look at them.
        assert_eq!(found, [0, 3, 2, 2, 2, 0, 0]);
        assert!(bad.contains(&"7,malformed,\"7 values, wanted 6\"".to_owned()), "{bad:?}");
        std::fs::remove_dir_all(folder.path("out-a.csv")).expect("it is there");
    }
}

/// A line that is too long costs its own row.
#[test]
fn a_line_that_is_too_long() {
    let folder = Folder::new();
    let good = jsonl(&ed25519(1));
    let mut file = good.clone().into_bytes();
    file.resize(file.len() + (17 << 20), b'7');
    file.extend_from_slice(b"\n");
    file.extend_from_slice(good.as_bytes());
    file.resize(file.len() + (17 << 20), b' ');
    folder.write("a.jsonl", &file);
    let (found, bad) = verdicts(&folder, "a.jsonl", "");
    assert_eq!(found, [0, 2, 0, 2]);
    assert_eq!(bad, ["2,malformed,longer than 16777216 bytes", "4,malformed,longer than 16777216 bytes"]);
}
