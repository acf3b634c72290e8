//! Commitments: made, and read from arguments.

use super::own::{self, Own};
use super::polynomial::Polynomial;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::progress::{Display, Unit};
use crate::{digits, files};
use phalanx::ligerito::{self, CommitmentOf, johnson128};
use phalanx::{Pool, Threads};
use std::path::Path;

/// Polynomials with this many variables and more take long enough for a progress bar.
const LONG_VARIABLES: u32 = 20;

/// Commits, with a progress bar if it takes long.
pub(crate) fn commit<'a, S: Own>(
    pool: &Threads,
    profile: S,
    polynomial: &'a Polynomial,
    output: &Output,
) -> Result<own::Committed<'a, S>, Failure> {
    let display = (polynomial.len().ilog2() >= LONG_VARIABLES).then(|| Display::new(output, 0, Unit::Rows));
    let progress = |done, total| {
        if let Some(display) = &display {
            display.show(done, total);
        }
    };
    let committed = profile.commit(pool as &dyn Pool, polynomial, &progress);
    display.as_ref().inspect(|display| display.finish());
    Ok(committed?)
}

/// The bytes of as many digits as a commitment of some suite has.
fn of_digits(digits: &[u8]) -> Option<Vec<u8>> {
    let short = || digits::array::<{ ligerito::Commitment::LEN_BYTES }>(digits).map(Vec::from);
    short().or_else(|| digits::array::<{ johnson128::Commitment::LEN_BYTES }>(digits).map(Vec::from))
}

/// The commitment that an argument gives: 68 hexadecimal digits (116 where it has a sample), or a file with 34 bytes (58) or
/// those digits.
pub(crate) fn read_commitment<S: Own>(argument: &str) -> Result<CommitmentOf<S>, Failure> {
    let parse = |place: &str, bytes: &[u8]| {
        CommitmentOf::from_bytes(bytes).map_err(|error| {
            let failure = Failure::usage(format_args!("{place} is not a commitment: {error}"));
            match own::other_set::<S>(bytes) {
                Some(set) => failure.hint(format_args!("it is one of --params {}", set.name())),
                None => failure,
            }
        })
    };
    if let Some(bytes) = of_digits(argument.as_bytes()) {
        return parse("--commitment", &bytes);
    }
    let bytes = files::read(Path::new(argument))?;
    let place = format!("'{argument}'");
    parse(&place, of_digits(&bytes).as_deref().unwrap_or(&bytes))
}

/// Refuses a polynomial that is not that of a commitment.
pub(super) fn check_commitment<S: Own>(
    file: &Path,
    wanted: &CommitmentOf<S>,
    commitment: &CommitmentOf<S>,
) -> Result<(), Failure> {
    if wanted.to_bytes() == commitment.to_bytes() {
        return Ok(());
    }
    let problem = format_args!("'{}' is not the polynomial of that commitment", file.display());
    Err(Failure::new(Exit::DoesNotVerify, problem).hint(format_args!(
        "with profile {} its commitment is {}",
        commitment.preset().name(),
        hex::encode(commitment.to_bytes())
    )))
}
