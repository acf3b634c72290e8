//! The same rows give the same verdicts, whatever they are written in.

use crate::columns::{PLAIN, Style, parquet};
use crate::rows::{csv, jsonl, of_every_kind};
use crate::{Folder, exits};
use serde_json::{Value, json};

/// Verifies a file, and gives the report.
fn report(folder: &Folder, file: &str, more: &str, code: i32) -> Value {
    let output = exits(folder, &format!("{file} --out out-{file} --json {more}"), code);
    let report: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let kept: Value =
        serde_json::from_slice(&folder.read(&format!("out-{file}/report.json"))).expect("an object");
    assert_eq!(report, kept);
    report
}

#[test]
fn three_formats_one_root() {
    let folder = Folder::new();
    let (rows, verdicts) = of_every_kind();
    folder.write("a.jsonl", jsonl(&rows));
    folder.write("a.csv", csv(&rows));
    let small = Style { group_rows: 23, page_rows: 5, ..PLAIN };
    let styles = [
        PLAIN,
        Style { snappy: true, ..small },
        Style { dictionary: false, ..small },
        Style { v2: true, ..small },
        Style { v2: true, snappy: true, dictionary: false, page_rows: 7, ..PLAIN },
    ];
    let mut files = vec!["a.jsonl".to_owned(), "a.csv".to_owned()];
    for (number, style) in styles.into_iter().enumerate() {
        let file = format!("a{number}.parquet");
        folder.write(&file, parquet(&rows, style));
        files.push(file);
    }
    let mut roots = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let rows_of_chunk = [7, 1000][number % 2];
        let report = report(&folder, file, &format!("--chunk-rows {rows_of_chunk}"), 2);
        let found = folder.read(&format!("out-{file}/verdicts.bin"));
        assert_eq!(found, verdicts, "{file}");
        assert_eq!(
            report["totals"],
            json!({"total": 68, "valid": 50, "invalid": 7, "malformed": 11}),
            "{file}"
        );
        assert_eq!(
            report["schemes"]["xmss-blake2s-l32-d42b8"],
            json!({"total": 12, "valid": 4, "invalid": 4, "malformed": 4}),
            "{file}"
        );
        assert_eq!(report["schemes"][""], json!({"total": 2, "valid": 0, "invalid": 0, "malformed": 2}));
        // Lines and rows are counted from 1, and a CSV file has a line of names.
        let first = if file == "a.csv" { 2 } else { 1 };
        let positions = report["bad"].as_array().expect("a list").iter().map(|bad| bad["position"].as_u64());
        let wanted =
            (0..).zip(&verdicts).filter(|(_, verdict)| **verdict != 0).map(|(at, _)| Some(at + first));
        assert!(positions.eq(wanted), "{file}: {}", report["bad"]);
        roots.push(report["verdicts_root"].clone());
    }
    assert!(roots.iter().all(|root| *root == roots[0]), "{roots:?}");
    // One leaf: SHA-256 of a zero byte and the verdicts.
    let digest = <sha2::Sha256 as sha2::Digest>::digest([&[0], &*verdicts].concat());
    assert_eq!(roots[0], hex::encode(digest));
}

#[test]
fn bytes_in_parquet() {
    let folder = Folder::new();
    let (rows, verdicts) = of_every_kind();
    let is_bytes = |text: &Option<String>| text.as_ref().is_none_or(|text| hex::decode(text).is_ok());
    let kept = |row: &crate::rows::Row| is_bytes(&row.public_key) && is_bytes(&row.message);
    let narrow = |row: &crate::rows::Row| row.epoch != Some(1 << 32);
    let of = |keep: &dyn Fn(&crate::rows::Row) -> bool| -> (Vec<_>, Vec<u8>) {
        rows.iter().cloned().zip(verdicts.iter().copied()).filter(|(row, _)| keep(row)).unzip()
    };
    let fixed = |row: &crate::rows::Row| {
        let has = |text: &Option<String>, len| text.as_ref().is_some_and(|text| text.len() == len);
        has(&row.public_key, 64) && has(&row.signature, 128)
    };
    let binary = Style { binary: true, page_rows: 9, ..PLAIN };
    for (number, (style, (rows, verdicts))) in [
        (binary, of(&kept)),
        (Style { narrow: true, snappy: true, ..binary }, of(&|row| kept(row) && narrow(row))),
        (Style { fixed: true, ..binary }, of(&|row| kept(row) && fixed(row))),
        (Style { fixed: true, dictionary: false, v2: true, ..binary }, of(&|row| kept(row) && fixed(row))),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(verdicts.len() > 40);
        let file = format!("b{number}.parquet");
        folder.write(&file, parquet(&rows, style));
        report(&folder, &file, "--chunk-rows 17", 2);
        assert_eq!(folder.read(&format!("out-{file}/verdicts.bin")), verdicts, "{style:?}");
    }
}

/// What a file is, is told from what it holds and what it is called, or said.
#[test]
fn formats_are_told() {
    let folder = Folder::new();
    let rows = crate::rows::ed25519(3);
    folder.write("a", jsonl(&rows));
    folder.write("b", csv(&rows));
    folder.write("c.csv", parquet(&rows, PLAIN));
    folder.write("d.csv", jsonl(&rows));
    for file in ["a", "b", "c.csv"] {
        report(&folder, file, "", 0);
    }
    let said = report(&folder, "d.csv", "", 2);
    assert_eq!(said["inputs"][0]["problem"], "something after a quote");
    std::fs::remove_dir_all(folder.path("out-d.csv")).expect("it is there");
    report(&folder, "d.csv", "--format jsonl", 0);
}
