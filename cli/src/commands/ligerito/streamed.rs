//! `phalanx ligerito commit --memory`: files that are read in pieces, as often as a bound on memory asks for.

use super::own::Own;
use super::polynomial::check_length;
use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use crate::progress::{Display, Unit};
use phalanx::ligerito::{CommitmentOf, StreamError};
use phalanx::{Pool, Threads};
use phalanx_identify::proof_file::Coefficients;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 18;

/// The commitment to the words of a file, which hold such coefficients, and how many words they are.
pub(super) fn commit<S: Own>(
    pool: &Threads,
    profile: S,
    (path, held): (&Path, Coefficients),
    mebibytes: u64,
    output: &Output,
) -> Result<(CommitmentOf<S>, usize), Failure> {
    let cannot =
        |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
    if files::is_standard(path) {
        return Err(Failure::usage("--memory needs a file, which is read several times, not standard input"));
    }
    let mut file = File::open(path).map_err(cannot)?;
    let before = file.metadata().map_err(cannot)?;
    if !before.is_file() {
        let shown = path.display();
        return Err(Failure::usage(format_args!(
            "--memory needs a file that is read several times, not '{shown}'"
        )));
    }
    let words = check_length(before.len(), path, held)?;
    let variables = u8::try_from(words.ilog2()).map_err(Failure::usage)?;
    let display = Display::new(output, 0, Unit::Rows);
    let progress = |done, total| display.show(done, total);
    let mut piece = vec![0; PIECE_BYTES];
    let mut read = |first: u64, words: &mut [u32]| {
        file.seek(SeekFrom::Start(4 * first))?;
        for words in words.chunks_mut(PIECE_BYTES / 4) {
            let bytes = &mut piece[..4 * words.len()];
            file.read_exact(bytes)?;
            words
                .iter_mut()
                .zip(bytes.as_chunks().0)
                .for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
        }
        Ok(())
    };
    let memory = mebibytes.saturating_mul(1 << 20);
    let committed = profile.commit_streamed(pool as &dyn Pool, variables, memory, &mut read, &progress);
    display.finish();
    let commitment = committed.map_err(|error| match error {
        StreamError::Refused(error) => Failure::from(error),
        StreamError::Read(error) => cannot(error),
        _ => Failure::system(error),
    })?;
    let after = file.metadata().map_err(cannot)?;
    if (after.len(), after.modified().ok()) != (before.len(), before.modified().ok()) {
        return Err(Failure::system(format_args!("'{}' changed while it was used", path.display())));
    }
    Ok((commitment, words))
}
