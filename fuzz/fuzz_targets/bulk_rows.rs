//! Any bytes, as a file of rows in each format: no panic, a verdict for every row that was planned, results that are read again
//! as they were written, and never more memory than the plan was allowed.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use phalanx_bulk::{ChunkResult, Format, Options, Plan};

/// What a chunk may need.
const MEMORY_BYTES: u64 = 64 << 20;

/// The file that the bytes are put into.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("phalanx-fuzz-bulk-{}", std::process::id())));

fuzz_target!(|bytes: &[u8]| {
    fs::write(&*FILE, bytes).expect("a temporary file");
    let path = FILE.to_str().expect("text").to_owned();
    for (format, chunk_rows) in
        [(None, 3), (Some(Format::Jsonl), 1), (Some(Format::Csv), 2), (Some(Format::Parquet), 1 << 15)]
    {
        let options = Options { format, chunk_rows, ..Options::default() };
        let plan = Plan::make(std::slice::from_ref(&path), &options, 1, MEMORY_BYTES)
            .expect("a file that can be read");
        let rows: u64 = plan.chunks.iter().map(|chunk| chunk.rows).sum();
        assert_eq!(rows, plan.inputs[0].rows);
        assert!(rows <= bytes.len() as u64, "no more rows than bytes");
        let digest = plan.digest();
        // Of many chunks the first and the last: each row is verified alone in the smallest ones.
        for (index, chunk) in plan.chunks.iter().enumerate() {
            if (32..plan.chunks.len().saturating_sub(32)).contains(&index) {
                continue;
            }
            assert!(chunk.memory_bytes <= MEMORY_BYTES);
            let result = phalanx_bulk::verify(&plan, index).expect("a chunk of this file");
            assert_eq!(result.verdicts().len() as u64, chunk.rows);
            let written = result.to_bytes(&digest, index);
            let read =
                ChunkResult::from_bytes(&digest, index, chunk.rows, &written).expect("what was written");
            assert_eq!(read.to_bytes(&digest, index), written);
            assert!(ChunkResult::from_bytes(&digest, index + 1, chunk.rows, &written).is_none());
        }
    }
});
