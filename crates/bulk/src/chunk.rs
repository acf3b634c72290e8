//! One chunk verified.

use crate::error::Error;
use crate::judge::Judge;
use crate::plan::{Place, Plan};
use crate::result::ChunkResult;
use crate::{parquet, text};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Verifies the rows of chunk `index`, on the calling thread.
///
/// # Errors
/// [`Error::System`] if the input cannot be read; [`Error::Usage`] for a chunk that the plan does not have, and for an
/// input that is not what was planned.
pub fn verify(plan: &Plan, index: usize) -> Result<ChunkResult, Error> {
    let chunk = plan.chunks.get(index).ok_or_else(|| {
        Error::usage(format_args!("there is no chunk {index}: the plan has {}", plan.chunks.len()))
    })?;
    let input = plan.inputs.get(chunk.input).ok_or_else(|| Error::usage("a chunk of no input"))?;
    let mut judge = Judge::new(&plan.options).map_err(Error::Usage)?;
    // What has another length is another file. That is no digest: who spreads a job leaves its files alone.
    let path = Path::new(&input.path);
    let len_bytes = fs::metadata(path).map_err(|error| Error::read(path, &error))?.len();
    if len_bytes != input.len_bytes {
        return Err(Error::usage(format_args!("'{}' has changed since it was planned", input.path)));
    }
    let read = || match &chunk.place {
        Place::Bytes { offset, len_bytes } => {
            text::verify(input, chunk, *offset, *len_bytes, &plan.options, &mut judge)
        }
        Place::RowGroup { number, skip } => parquet::verify(input, chunk, *number, *skip, &mut judge),
    };
    // None is known: what nobody thought of costs one chunk its result and says where, and not the process.
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(Error::system(format_args!("chunk {index} of '{}': a panic", input.path))))?;
    let result = judge.finish();
    if result.verdicts.len() as u64 != chunk.rows {
        return Err(Error::usage(format_args!(
            "'{}' has changed: {} rows where {} were",
            input.path,
            result.verdicts.len(),
            chunk.rows
        )));
    }
    Ok(result)
}
