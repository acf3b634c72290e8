//! How a record begins: with a new key, with the right to sign that another file hands over, or on purpose.

use super::lines::{Line, compare};
use super::log::{Log, State};
use super::owner::{Owner, path_beside};
use super::pair::{BEGIN, Record, check_near, check_witness, no_witness};
use crate::exit::Failure;
use crate::state::StateFolder;
use std::collections::BTreeSet;
use std::path::Path;

/// Makes the record of a new key, before the key is written to `secret_key`. A key that is known already keeps its used
/// epochs. With `force`, the record of another key that stands there is kept under another name.
///
/// # Errors
/// Exit code 3 if another key of the same seed is known, or the records that are there refuse; 4 if the system fails.
pub(crate) fn for_new_key(secret_key: &Path, owner: &Owner, force: bool) -> Result<Record, Failure> {
    let state = StateFolder::of_user()?;
    let _registration = state.lock()?;
    owner.instance.check_is_only_one(&state)?;
    let path = path_beside(secret_key);
    let (witness_path, header) = (owner.instance.witness_path(&state), owner.witness_header());
    let witness = Log::find(&witness_path, &header)?;
    let near = Log::find(&path, &owner.header())?;
    let replaces = |near: &Log| force && matches!(near.state, State::Foreign(_) | State::Headless);
    let near = near.filter(|near| !replaces(near));
    let mut witness = match (witness, &near) {
        (Some(witness), _) => witness,
        (None, None) => Log::create(&witness_path, &header, &[])?,
        (None, Some(near)) => {
            check_near(near)?;
            return Err(no_witness(near, owner, &state));
        }
    };
    check_witness(&witness)?;
    if let Some(near) = near {
        return Record::of(near, witness);
    }
    let torn: Vec<_> = witness.content.torn().collect();
    witness.append(&torn)?;
    let near = Log::create(&path, &owner.header(), &witness.content.lines)?;
    Record::of(near, witness)
}

/// Moves the right to sign from the file `from` to the file `to`, which `write` writes. `false` if `from` has no record,
/// and so no right to give: `to` then has none either.
///
/// A crash on the way leaves two files that share one witness: neither signs what the other has signed.
///
/// # Errors
/// As [`Record::open`]; and of `write`.
pub(crate) fn hand_over(
    from: &Path,
    to: &Path,
    owner: &Owner,
    write: impl FnOnce() -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let state = StateFolder::of_user()?;
    let target = path_beside(to);
    if path_beside(from).symlink_metadata().is_err() {
        if target.symlink_metadata().is_ok() {
            return Err(Failure::refused(format_args!(
                "'{}' is the record of a key, and '{}' has none to take its place",
                target.display(),
                from.display()
            ))
            .hint("give another name"));
        }
        write()?;
        return Ok(false);
    }
    let _registration = state.lock()?;
    let mut source = Record::open(from, owner)?;
    if let Some(found) = Log::find(&target, &owner.header())? {
        let known: BTreeSet<_> = source.lines().iter().chain([&Line::Moved]).collect();
        let is_older =
            found.state == State::Good && found.content.lines.iter().all(|line| known.contains(line));
        if !is_older {
            check_near(&found)?;
            return Err(Failure::refused(format_args!(
                "the epoch record '{}' knows epochs that the one of '{}' does not",
                target.display(),
                from.display()
            ))
            .hint(BEGIN));
        }
    }
    let target = Log::create(&target, &owner.header(), source.lines())?;
    write()?;
    target.check_in_place()?;
    source.check_in_place()?;
    source.near.append(&[Line::Moved])?;
    Ok(true)
}

/// Begins a record on purpose: everything below `from` is closed, and this is written down. All that can still be read
/// of older records is kept.
///
/// # Errors
/// Exit code 2 if `from` does not lie above every epoch that is known to be used, or outside the key's interval; 3 if
/// another key of the same seed is known, or a file is not its owner's alone; 4 if the system fails.
pub(crate) fn begin(secret_key: &Path, owner: &Owner, from: u64) -> Result<Record, Failure> {
    let epochs = &owner.instance.epochs;
    if !(epochs.start..=epochs.end).contains(&from) {
        return Err(Failure::usage(format_args!(
            "epoch {from} is outside the activation interval {}..{}",
            epochs.start, epochs.end
        )));
    }
    let state = StateFolder::of_user()?;
    let _registration = state.lock()?;
    owner.instance.check_is_only_one(&state)?;
    let path = path_beside(secret_key);
    let (witness_path, header) = (owner.instance.witness_path(&state), owner.witness_header());
    let witness = Log::find(&witness_path, &header)?;
    let near = Log::find(&path, &owner.header())?;

    let known = known_lines(witness.as_ref(), near.as_ref());
    check_above(from, &known)?;
    let begin = Line::Begin { from };
    match (near, witness) {
        (Some(near), Some(witness)) if is_in_order(&near, &witness) => {
            let Record { mut near, mut witness } = Record::of(near, witness)?;
            witness.append(&[begin])?;
            near.append(&[begin])?;
            Record::of(near, witness)
        }
        old => {
            let all: Vec<_> = known.into_iter().chain([begin]).collect();
            let witness = Log::create(&witness_path, &header, &all)?;
            let near = Log::create(&path, &owner.header(), &all)?;
            // Until here nobody else signs with what is replaced.
            drop(old);
            Record::of(near, witness)
        }
    }
}

/// Whether both files are the key's record, and say the same.
fn is_in_order(near: &Log, witness: &Log) -> bool {
    check_near(near).is_ok()
        && check_witness(witness).is_ok()
        && compare(&near.content, &witness.content).is_ok()
}

/// Every line that can be read in the witness, and then those that only the record beside the key has. As the witness is
/// continued, another copy of the key that agrees with it still does after a crash.
pub(super) fn known_lines(witness: Option<&Log>, near: Option<&Log>) -> Vec<Line> {
    let lines = |log: Option<&Log>| log.map(|log| log.content.lines.clone()).unwrap_or_default();
    let mut known = lines(witness);
    let mut seen: BTreeSet<_> = known.iter().copied().collect();
    known.extend(lines(near).into_iter().filter(|line| seen.insert(*line)));
    known.retain(|line| *line != Line::Moved);
    known
}

/// Refuses to begin at an epoch that is not above all that were used, or below which a record was begun before.
pub(super) fn check_above(from: u64, known: &[Line]) -> Result<(), Failure> {
    let lowest = known.iter().map(|line| match line {
        Line::Used { epoch, .. } => u64::from(*epoch) + 1,
        Line::Begin { from } => *from,
        Line::Moved => 0,
    });
    match lowest.max() {
        Some(lowest) if from < lowest => Err(Failure::usage(format_args!(
            "epoch {from} is too low: epochs below {lowest} are used or closed"
        ))
        .hint(format_args!(
            "--from-epoch {lowest} at least, and above every epoch that any copy of the key has signed"
        ))),
        _ => Ok(()),
    }
}
