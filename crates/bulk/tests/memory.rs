//! How much is held at once: as much as the plan says, for whole files and for damaged ones. A program of its own, since the
//! count is that of the process.

#[path = "it/columns.rs"]
mod columns;
#[allow(dead_code, reason = "it has more kinds of rows than are needed here")]
#[path = "it/rows.rs"]
mod rows;

use columns::{PLAIN, Style, parquet};
use phalanx_bulk::{ChunkResult, Options, Plan, Verdict, verify};
use phalanx_testing::memory::{Counting, held, peak};
use std::path::Path;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A plan and the results of its chunks, which must not hold more than the plan says; `None` if it is refused.
fn judge(path: &Path, len: usize, max: u64) -> Option<Vec<ChunkResult>> {
    let files = [path.to_str().expect("UTF-8").to_owned()];
    let options = Options { chunk_rows: 16, ..Options::default() };
    let (before, mut plan) = (held(), None);
    let planned = peak(|| plan = Plan::make(&files, &options, 1, max).ok()) - before;
    assert!(planned < (2 << 20) + 4 * len, "planning holds {planned} bytes for a file of {len}");
    let plan = plan.expect("a file that can be opened is planned");
    assert!(plan.inputs[0].rows <= len as u64);
    if plan.inputs[0].problem.is_some() {
        return None;
    }
    let one = |index: usize| {
        let (before, mut result) = (held(), None);
        let held = peak(|| result = Some(verify(&plan, index).expect("the file can be read"))) - before;
        let allowed = plan.chunks[index].memory_bytes;
        assert!(held as u64 <= allowed, "chunk {index} holds {held} bytes, {allowed} planned");
        result.expect("there is one")
    };
    Some((0..plan.chunks.len()).map(one).collect())
}

/// Every byte of a file damaged in several ways, and the file cut off everywhere.
#[test]
fn damaged_files_and_large_ones() {
    let folder = std::env::temp_dir().join(format!("phalanx-bulk-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a.parquet");
    let mut rows = rows::ed25519(9);
    rows.iter_mut().step_by(4).for_each(|row| row.epoch = Some(3));
    let small = Style { binary: true, page_rows: 4, ..PLAIN };
    let (mut refused, mut read, mut unreadable) = (0, 0, 0);
    for style in [small, Style { snappy: true, v2: true, ..small }] {
        let whole = parquet(&rows, style);
        let mut check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("a file");
            match judge(&path, bytes.len(), 64 << 20) {
                None => refused += 1,
                Some(results) => {
                    let verdicts = results.iter().flat_map(ChunkResult::verdicts);
                    read += 1;
                    unreadable +=
                        usize::from(verdicts.clone().any(|byte| *byte == Verdict::Unreadable as u8));
                }
            }
        };
        for at in 0..whole.len() {
            // Signatures are not what is looked at here: fewer of their bytes.
            let step = if at < whole.len() / 2 { 7 } else { 1 };
            if at % step == 0 {
                let mut bytes = whole.clone();
                bytes[at] = [bytes[at] ^ 1, bytes[at] ^ 0x80, 0xff, 0, 0x7f][at / step % 5];
                check(&bytes);
            }
            if at % 3 == 0 {
                // The largest number of 32 bits with a sign, as Thrift writes it: a claim, if a count stood here.
                let mut bytes = whole.clone();
                bytes.splice(at..=at, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
                check(&bytes);
            }
            if at % 37 == 0 {
                check(&whole[..at]);
                let mut bytes = whole.clone();
                bytes.drain(at..(at + 3).min(whole.len()));
                check(&bytes);
            }
        }
    }
    assert!(refused > 100 && read > 100 && unreadable > 20, "{refused} {read} {unreadable}");

    // Of a long file no more is held than of a short one.
    let line = rows::jsonl(&rows);
    let file = line.repeat((24 << 20) / line.len());
    std::fs::write(&path, &file).expect("a file");
    let files = [path.to_str().expect("UTF-8").to_owned()];
    let options =
        Options { chunk_rows: 1 << 14, format: Some(phalanx_bulk::Format::Jsonl), ..Options::default() };
    let before = held();
    let most = peak(|| {
        let plan = Plan::make(&files, &options, 1, 64 << 20).expect("a plan");
        let result = verify(&plan, plan.chunks.len() - 2).expect("it can be read");
        assert!(result.verdicts().len() == 1 << 14 && result.bad().is_empty());
    }) - before;
    assert!(most < 6 << 20, "{most} bytes for a file of {}", file.len());
    std::fs::remove_dir_all(&folder).expect("it is there");
}
