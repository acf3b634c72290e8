//! The side log: a file that only grows, in which every group of records is chained to all before it.
//!
//! It is the second witness beside the store: what it says must agree with the store up to one group, or the ledger does
//! not open. [`read`] judges a log alone; [`Head`] makes the bytes of new groups and of new segments.
#![forbid(unsafe_code)]

mod line;
mod reading;
mod writing;

pub use line::{Header, MAX_GROUP_BYTES, MAX_LINE_BYTES};
pub use reading::{Group, Reading, Verdict, read};
pub use writing::{Head, Refusal, Segment};
pub(crate) use writing::{MAX_LINES_BYTES, line_len};
