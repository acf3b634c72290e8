//! Verification of signatures in bulk: files of any size in JSON lines, CSV or Parquet, streamed through
//! [`verify_many`](phalanx::ed25519::verify_many) of every scheme, and a report by which two runs can be compared.
//!
//! A job has three verbs, so that it can be spread over machines: [`Plan::make`] lists chunks of rows, [`verify`] does
//! one chunk, and [`report`] puts what became of them together. [`run`] is the three in one, with threads, bounded
//! memory, and chunks that lie complete in the output folder not done again. `docs/bulk.md` says what files are read and
//! what is written.
//!
//! Bytes of inputs never panic, and never make it hold more than a small multiple of what they are: the reader of
//! Parquet is written for that, and reads what writers write unless told otherwise.
#![forbid(unsafe_code)]

mod chunk;
mod csv;
mod engine;
mod error;
mod files;
mod gather;
mod hexadecimal;
mod html;
mod json;
mod judge;
mod lines;
mod merkle;
mod options;
mod parquet;
mod plan;
mod planning;
mod report;
mod result;
mod row;
mod text;
mod verdict;

pub use chunk::verify;
pub use engine::{Run, run, take_folder};
pub use error::Error;
pub use files::{is_done, write_chunk};
pub use gather::{Quarantine, report};
pub use merkle::Tree;
pub use options::{Format, Options};
pub use plan::{Chunk, Input, Place, Plan};
pub use report::{BadRow, InputReport, Quarantined, Rates, Report};
pub use result::{Bad, ChunkResult, Totals};
pub use row::MAX_ROW_BYTES;
pub use verdict::Verdict;
