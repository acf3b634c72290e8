//! What a job that is spread over hosts is made of: plans that are joined, chunks that nobody can verify, and a stop.

use crate::columns::{PLAIN, parquet};
use crate::rows::{csv, ed25519, jsonl, of_every_kind};
use crate::{Folder, exits};
use phalanx_bulk::{Error, Options, Plan, Quarantine, Run, is_done, report, run, verify, write_chunk};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

fn options() -> Options {
    Options { chunk_rows: 20, ..Options::default() }
}

fn plan(files: &[String]) -> Plan {
    Plan::make(files, &options(), 1, 512 << 20).expect("files")
}

/// Three files, with rows of every kind.
fn files(folder: &Folder) -> Vec<String> {
    let (rows, _) = of_every_kind();
    vec![
        folder.write("a.jsonl", jsonl(&rows)),
        folder.write("b.parquet", parquet(&ed25519(50), PLAIN)),
        folder.write("c.csv", csv(&rows)),
    ]
}

#[test]
fn plans_of_some_files_join_to_that_of_all() {
    let folder = Folder::new();
    let files = files(&folder);
    let whole = plan(&files);
    let parts = [plan(&files[..1]), plan(&files[1..])];
    let joined =
        Plan::join(parts.map(|part| Plan::from_json(&part.to_json()).expect("a plan"))).expect("two");
    assert_eq!(joined.to_json(), whole.to_json());
    assert_eq!(joined.digest(), whole.digest());
    assert!(matches!(Plan::join([]), Err(Error::Usage(_))));
    let other = Plan::make(&files[..1], &Options::default(), 1, 512 << 20).expect("a file");
    assert!(matches!(Plan::join([whole.clone(), other]), Err(Error::Usage(_))));
    let mut json = whole.to_json();
    json.truncate(json.len() - 3);
    assert!(matches!(Plan::from_json(&json), Err(Error::Usage(_))));
    let json = String::from_utf8(whole.to_json()).expect("UTF-8").replace("plan-v1", "plan-v0");
    assert!(Plan::from_json(json.as_bytes()).expect_err("another form").to_string().contains("plan-v0"));
}

/// A plan comes from a file: what it says of rows may neither take memory nor be counted where it cannot be true.
#[test]
fn plans_that_contradict_themselves_are_none() {
    let folder = Folder::new();
    let whole = plan(&files(&folder));
    assert_eq!(Plan::from_json(&whole.to_json()).expect("a plan"), whole);
    let refused = |forge: &dyn Fn(&mut Plan), why: &str| {
        let mut forged = whole.clone();
        forge(&mut forged);
        let error = Plan::from_json(&forged.to_json()).expect_err(why);
        assert!(matches!(error, Error::Usage(_)) && error.to_string().contains(why), "{error}");
    };
    refused(&|plan| plan.chunks[1].input = 3, "chunk 1 is of no input");
    refused(&|plan| plan.chunks[0].rows += 1, "more rows than a chunk may have");
    refused(&|plan| plan.chunks[0].rows -= 1, "its chunks have");
    refused(&|plan| plan.inputs[2].rows += 1, "its chunks have");
    refused(&|plan| plan.inputs[1].len_bytes = 49, "50 rows in 49 bytes");
    refused(
        &|plan| {
            plan.options.chunk_rows = u64::MAX;
            plan.chunks.iter_mut().for_each(|chunk| chunk.rows = u64::MAX);
            plan.inputs.iter_mut().for_each(|input| input.rows = u64::MAX);
        },
        "18446744073709551615 rows in",
    );
}

/// Of more rows than are written at a time.
#[test]
fn a_long_chunk_in_quarantine_is_all_unreadable() {
    let folder = Folder::new();
    let file = folder.write("long.jsonl", "x\n".repeat(3_001));
    let options = Options { chunk_rows: 5_000, ..Options::default() };
    let plan = Plan::make(&[file], &options, 1, 512 << 20).expect("a file");
    let rows = plan.chunks[0].rows;
    assert!(plan.chunks.len() == 1 && rows == 3_001);
    let out = folder.path("out");
    write_chunk(&out, &plan.digest(), 0, &verify(&plan, 0).expect("a chunk")).expect("written");
    let made = report(&plan, &out, &Quarantine::from([(0, "lost".to_owned())]), None).expect("it is known");
    assert_eq!(made.totals.malformed, rows);
    assert_eq!(folder.read("out/verdicts.bin"), vec![9; usize::try_from(rows).expect("few")]);
}

/// A chunk in quarantine is named, its rows are malformed, and the rest is as it was; done later it leaves no trace.
#[test]
fn a_quarantined_chunk_is_named() {
    let folder = Folder::new();
    let files = files(&folder);
    exits(&folder, &format!("{} --chunk-rows 20 --out whole", files.join(" ")), 2);
    let plan = plan(&files);
    let (digest, out) = (plan.digest(), folder.path("spread"));
    let bad = plan.chunks.iter().position(|chunk| chunk.input == 1).expect("there is one") + 1;
    for index in (0..plan.chunks.len()).filter(|index| *index != bad) {
        assert!(!is_done(&out, &digest, index, plan.chunks[index].rows));
        write_chunk(&out, &digest, index, &verify(&plan, index).expect("a chunk")).expect("written");
        assert!(is_done(&out, &digest, index, plan.chunks[index].rows));
        assert!(!is_done(&out, &[0; 32], index, plan.chunks[index].rows));
    }
    assert!(report(&plan, &out, &Quarantine::new(), None).is_err(), "a result is missing");
    let reason = "System: <out> of, \"memory\"".to_owned();
    let made = report(&plan, &out, &Quarantine::from([(bad, reason.clone())]), None).expect("it is known");
    let [quarantined] = &made.quarantined[..] else { panic!("{:?}", made.quarantined) };
    assert_eq!((quarantined.chunk, quarantined.input, quarantined.first_position), (bad, 1, 21));
    assert_eq!((quarantined.rows, &quarantined.reason), (20, &reason));
    assert!(
        made.is_malformed() && made.inputs[1].totals.malformed == 20 && made.inputs[1].totals.valid == 30
    );
    assert_eq!(made.schemes[""].malformed - 20, {
        let whole: serde_json::Value =
            serde_json::from_slice(&folder.read("whole/report.json")).expect("JSON");
        whole["schemes"][""]["malformed"].as_u64().expect("a number")
    });
    let rows_before: u64 = plan.chunks[..bad].iter().map(|chunk| chunk.rows).sum();
    let at = usize::try_from(rows_before).expect("few");
    let (whole, verdicts) = (folder.read("whole/verdicts.bin"), folder.read("spread/verdicts.bin"));
    assert_eq!((&verdicts[..at], &verdicts[at..at + 20]), (&whole[..at], &[9; 20][..]));
    assert_eq!(verdicts[at + 20..], whole[at + 20..]);
    let line = format!(",21,malformed,\"chunk {bad} was not verified: System: <out> of, \"\"memory\"\"\"\n");
    assert!(folder.text("spread/results.csv").contains(&line));
    let page = folder.text("spread/report.html");
    assert!(
        page.contains("20 rows in 1 chunks were not verified") && page.contains("System: &lt;out&gt; of")
    );
    assert!(folder.text("spread/report.json").contains("\"quarantined\": ["));

    write_chunk(&out, &digest, bad, &verify(&plan, bad).expect("a chunk")).expect("written");
    report(&plan, &out, &Quarantine::new(), None).expect("all are there");
    for file in ["report.json", "results.csv", "verdicts.bin"] {
        assert!(folder.read(&format!("whole/{file}")) == folder.read(&format!("spread/{file}")), "{file}");
    }
    let left = std::fs::read_dir(out.join("chunks")).expect("a folder").flatten();
    assert_eq!(left.count(), plan.chunks.len(), "nothing but results");
}

/// A job that its caller stops goes on where it was.
#[test]
fn stopped_and_resumed() {
    let folder = Folder::new();
    let files = files(&folder);
    let go = |out: &str, resume: bool, stop_at: u64| {
        let (mut how, told) = (Run::default(), AtomicU64::new(0));
        (how.threads, how.resume) = (1, resume);
        let made = run(&files, &options(), &how, &folder.path(out), &|done, _| {
            told.store(done, Ordering::Relaxed);
            if done >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (made, told.into_inner())
    };
    let (whole, all) = go("whole", false, u64::MAX);
    let (stopped, done) = go("stopped", false, 45);
    assert!(matches!(stopped, Err(Error::Stopped)) && (45..all).contains(&done), "{done} of {all}");
    assert!(!folder.path("stopped/report.json").exists());
    let (again, first) = go("stopped", true, 0);
    assert!(matches!(again, Err(Error::Stopped)) && first == done, "before anything was done");
    let (resumed, _) = go("stopped", true, u64::MAX);
    assert_eq!(resumed.expect("to its end"), whole.expect("to its end"));
    assert_eq!(folder.read("stopped/report.json"), folder.read("whole/report.json"));
}
