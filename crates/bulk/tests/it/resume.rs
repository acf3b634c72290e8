//! A job that is killed, wherever it is, and resumed gives the same bytes as one that is not.

use crate::columns::{PLAIN, Style, parquet};
use crate::rows::{csv, ed25519, jsonl, of_every_kind};
use crate::{Folder, exits, program};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// What is compared.
const COMPARED: [&str; 4] = ["report.json", "results.csv", "verdicts.bin", "plan.json"];

fn check_same(folder: &Folder, other: &str) {
    for file in COMPARED {
        let same = folder.read(&format!("whole/{file}")) == folder.read(&format!("{other}/{file}"));
        assert!(same, "{other}/{file} is another");
    }
    // The page, too, but for how long it took.
    let page = |out| {
        let page = folder.text(&format!("{out}/report.html"));
        let (before, rates) = page.split_once("<p class=\"soft\" id=\"rates\">").expect("rates");
        format!("{before}{}", rates.split_once("</p>").expect("an end").1)
    };
    assert_eq!(page("whole"), page(other));
}

fn done(folder: &Folder) -> usize {
    let chunks = std::fs::read_dir(folder.path("killed/chunks"));
    let is_whole = |name: String| name.ends_with(".chunk");
    chunks.map_or(0, |files| {
        files.flatten().filter(|file| is_whole(file.file_name().to_string_lossy().into())).count()
    })
}

#[test]
fn killed_and_resumed() {
    let folder = Folder::new();
    let (bad, _) = of_every_kind();
    let mut rows = ed25519(6000);
    rows.splice(2000..2000, bad);
    folder.write("a.jsonl", jsonl(&rows[..2500]));
    folder.write("b.csv", csv(&rows[2500..3000]));
    folder.write("c.parquet", parquet(&rows, Style { group_rows: 2500, page_rows: 300, ..PLAIN }));
    let files = "a.jsonl b.csv c.parquet --chunk-rows 100";
    exits(&folder, &format!("{files} --out whole --threads 1"), 2);
    // Every kill is at another moment, and a few of them must have been in the middle.
    let (begun, mut in_the_middle, mut wait) = (Instant::now(), 0, 900);
    for round in 0..200 {
        let mut job = program(&folder.0);
        job.args(format!("{files} --out killed --resume --threads 2").split_whitespace());
        let mut job = job.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let before = done(&folder);
        while before + round % 3 >= done(&folder) && job.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(wait % 1000));
        }
        wait = wait * 7919 % 104_729;
        job.kill().expect("a child");
        let ended = job.wait().expect("a child");
        if ended.code().is_some() || begun.elapsed() > Duration::from_secs(60) {
            break;
        }
        in_the_middle += usize::from(done(&folder) > before);
    }
    assert!(in_the_middle >= 3, "{in_the_middle} kills were in the middle");
    exits(&folder, &format!("{files} --out killed --resume --threads 2"), 2);
    check_same(&folder, "killed");
}

/// What was not written to its end, or is damaged, is not taken for a result.
#[test]
fn damaged_results_are_done_again() {
    let folder = Folder::new();
    folder.write("a.jsonl", jsonl(&of_every_kind().0));
    let files = "a.jsonl --chunk-rows 10";
    exits(&folder, &format!("{files} --out whole"), 2);
    exits(&folder, &format!("{files} --out again"), 2);
    let chunk = |number: usize| format!("again/chunks/{number:08}.chunk");
    let contents = folder.read(&chunk(0));
    folder.write(&chunk(0), &contents[..contents.len() - 1]);
    let mut contents = folder.read(&chunk(1));
    // A verdict, behind 78 bytes that say whose: valid becomes invalid, and nothing else is amiss.
    contents[80] ^= 1;
    folder.write(&chunk(1), contents);
    folder.write(&chunk(2), folder.read(&chunk(3)));
    folder.write(&chunk(4), b"");
    std::fs::remove_file(folder.path("again/report.json")).expect("it is there");
    exits(&folder, &format!("{files} --out again --resume"), 2);
    check_same(&folder, "again");
    let rates: serde_json::Value =
        serde_json::from_slice(&folder.read("again/rates.json")).expect("an object");
    assert_eq!((&rates["rows"], &rates["rows_before"]), (&40.into(), &28.into()));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = Folder::new();
    folder.write("a.jsonl", jsonl(&ed25519(9)));
    exits(&folder, "a.jsonl --out whole", 0);
    exits(&folder, "a.jsonl --out whole", 2);
    exits(&folder, "a.jsonl --out whole --resume --profile zip215", 2);
    exits(&folder, "a.jsonl a.jsonl --out whole --resume", 2);
    exits(&folder, "a.jsonl --out whole --resume", 0);
    folder.write("a.jsonl", jsonl(&ed25519(8)));
    let refused = exits(&folder, "a.jsonl --out whole --resume", 2);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("holds results of other files"));
}

/// The three verbs one by one, as several machines would, and in another order.
#[test]
fn verb_by_verb() {
    let folder = Folder::new();
    let (rows, _) = of_every_kind();
    folder.write("a.csv", csv(&rows));
    folder.write("b.parquet", parquet(&rows, Style { group_rows: 40, ..PLAIN }));
    let files = "a.csv b.parquet --chunk-rows 30";
    exits(&folder, &format!("{files} --out whole"), 2);
    let plan = exits(&folder, &format!("plan {files}"), 0).stdout;
    assert_eq!(plan, folder.read("whole/plan.json"));
    folder.write("plan.json", plan);
    for chunk in [4, 0, 5, 2, 3, 1] {
        exits(&folder, "report --plan plan.json --out steps", 4);
        exits(&folder, &format!("chunk --plan plan.json --index {chunk} --out steps"), 0);
    }
    exits(&folder, "chunk --plan plan.json --index 6 --out steps", 2);
    exits(&folder, "report --plan plan.json --out steps", 2);
    for file in &COMPARED[..3] {
        assert!(folder.read(&format!("whole/{file}")) == folder.read(&format!("steps/{file}")), "{file}");
    }
    // A file that changes under its plan is noticed.
    folder.write("a.csv", csv(&rows[1..]));
    exits(&folder, "chunk --plan plan.json --index 2 --out steps", 2);
}
