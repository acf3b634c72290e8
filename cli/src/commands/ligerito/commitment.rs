//! Commitments: made, and read from arguments.

use super::own::{self, Own};
use super::polynomial::Polynomial;
use crate::exit::Failure;
use crate::output::Output;
use crate::progress::{Display, Unit};
use crate::{digits, files};
use phalanx::ligerito::{self, CommitmentOf};
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

/// Length of a commitment, of whichever suite.
const COMMITMENT_LEN_BYTES: usize = ligerito::Commitment::LEN_BYTES;

/// The commitment that an argument gives: 68 hexadecimal digits, or a file with 34 bytes or those digits.
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
    if let Some(bytes) = digits::array::<COMMITMENT_LEN_BYTES>(argument.as_bytes()) {
        return parse("--commitment", &bytes);
    }
    let bytes = files::read(Path::new(argument))?;
    let place = format!("'{argument}'");
    match digits::array::<COMMITMENT_LEN_BYTES>(&bytes) {
        Some(bytes) => parse(&place, &bytes),
        None => parse(&place, &bytes),
    }
}
