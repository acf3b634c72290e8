//! Statements of aggregates, from the lines that `verify-many` reads.

use super::lines::{Line, MAX_LINE_BYTES, signed, unsigned};
use crate::exit::Failure;
use crate::json_lines::{BATCH_LINES, Lines, decode_all};
use crate::output::Output;
use phalanx::Threads;
use phalanx::aggregate::{Error, MAX_SIGNATURES, Statement};
use phalanx::xmss::any;
use phalanx::xmss::blake2s::{ParameterSet, Signature, VerifyingKey};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Keys with two messages that are named; of more, the number is said.
const MAX_NAMED: usize = 10;

/// What a file of lines says, in the order of the statement.
pub(super) struct Rows<S> {
    pub(super) statement: Statement,
    /// The number of the line of each signature.
    pub(super) lines: Vec<u64>,
    /// What was asked for of each line.
    pub(super) signatures: Vec<S>,
}

/// A line in a form that is sorted as statements are.
struct Row<S> {
    epoch: u32,
    message: [u8; 32],
    key: VerifyingKey,
    number: u64,
    signature: S,
}

impl Rows<Signature> {
    /// Lines with their signatures.
    ///
    /// # Errors
    /// As [`Rows::unsigned`].
    pub(super) fn signed(file: &Path, pool: &Threads) -> Result<Self, Failure> {
        Self::read(file, pool, |line| {
            let (line, signature) = signed(line, None)?;
            match signature {
                any::Signature::Blake2s(signature) => Ok((line, *signature)),
                other => Err(other_set(other.parameter_set())),
            }
        })
    }
}

impl Rows<()> {
    /// Lines whose signatures do not matter.
    ///
    /// # Errors
    /// Exit code 2 for a line that is malformed, or of another parameter set, for two that say the same, and for no line or
    /// too many; 4 for a file that cannot be read.
    pub(super) fn unsigned(file: &Path, pool: &Threads) -> Result<Self, Failure> {
        Self::read(file, pool, |line| unsigned(line).map(|line| (line, ())))
    }
}

impl<S: Send> Rows<S> {
    fn read(
        file: &Path,
        pool: &Threads,
        decode: impl Fn(&[u8]) -> Result<(Line, S), String> + Sync,
    ) -> Result<Self, Failure> {
        let decode = |line: &[u8]| decode(line).and_then(|(line, signature)| Row::new(line, signature));
        let mut lines = Lines::open(file, MAX_LINE_BYTES)?;
        let (mut rows, mut batch, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let line = lines.next()?;
            let is_last = line.is_none();
            batch.extend(line);
            if batch.len() == BATCH_LINES || is_last {
                for ((number, _), row) in batch.iter().zip(decode_all(pool, &batch, decode)) {
                    match row {
                        Ok(row) => rows.push(Row { number: *number, ..row }),
                        Err(reason) => bad.push((*number, reason)),
                    }
                }
                batch.clear();
            }
            if rows.len() + bad.len() + batch.len() > MAX_SIGNATURES {
                return Err(Failure::usage(Error::TooManySignatures)
                    .hint(format_args!("an aggregate has at most {MAX_SIGNATURES}")));
            }
            if is_last {
                break;
            }
        }
        match &bad[..] {
            [] => Self::of(file, rows),
            [(number, reason)] => Err(Failure::usage(format_args!("line {number}: {reason}"))),
            [(number, reason), rest @ ..] => Err(Failure::usage(format_args!(
                "line {number}: {reason} (and {} more lines are bad)",
                rest.len()
            ))),
        }
    }

    fn of(file: &Path, mut rows: Vec<Row<S>>) -> Result<Self, Failure> {
        rows.sort_by(|a, b| {
            (a.epoch, a.message, a.key.to_bytes(), a.number).cmp(&(
                b.epoch,
                b.message,
                b.key.to_bytes(),
                b.number,
            ))
        });
        let same = |a: &Row<S>, b: &Row<S>| (a.epoch, a.message, &a.key) == (b.epoch, b.message, &b.key);
        if let Some(pair) = rows.windows(2).find(|pair| same(&pair[0], &pair[1])) {
            return Err(Failure::usage(format_args!(
                "lines {} and {} have the same key, epoch and message",
                pair[0].number, pair[1].number
            ))
            .hint("a key counts once for an epoch and a message: take one of them out"));
        }
        let signers: Vec<_> = rows.iter().map(|row| (row.key, row.epoch, row.message)).collect();
        let statement = Statement::of(&signers).map_err(|error| match error {
            Error::NoGroups => Failure::usage(format_args!("'{}' holds no signatures", file.display())),
            error => Failure::usage(error),
        })?;
        let lines = rows.iter().map(|row| row.number).collect();
        Ok(Self { statement, lines, signatures: rows.into_iter().map(|row| row.signature).collect() })
    }
}

impl<S> Row<S> {
    /// Without its number.
    fn new(line: Line, signature: S) -> Result<Self, String> {
        let Line { key, epoch, message, .. } = line;
        let set = key.parameter_set();
        match key {
            any::VerifyingKey::Blake2s(key) if key.parameter_set() == ParameterSet::L32_D42B8 => {
                let epoch = epoch.ok_or("malformed: epoch: no key has epochs beyond 4294967295")?;
                Ok(Self { epoch, message, key, number: 0, signature })
            }
            _ => Err(other_set(set)),
        }
    }
}

fn other_set(set: any::ParameterSet) -> String {
    format!("scheme: aggregates are of {}, and this is of {}", ParameterSet::L32_D42B8.name(), set.name())
}

/// Epoch and key of every signer with more than one message at it, as the object of a command has them.
pub(super) fn equivocations(statement: &Statement) -> Vec<Value> {
    let object = |(epoch, key): (u32, [u8; 32])| json!({ "epoch": epoch, "public_key": hex::encode(key) });
    broken(statement).into_iter().map(object).collect()
}

/// The same for people.
pub(super) fn note_equivocations(statement: &Statement, output: &Output) {
    let broken = broken(statement);
    for (epoch, key) in broken.iter().take(MAX_NAMED) {
        output.note(format_args!(
            "key {} has signed more than one message at epoch {epoch}: its signer has broken it",
            hex::encode(key)
        ));
    }
    if let Some(more) = broken.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        output.note(format_args!("so have {more} more signers"));
    }
}

fn broken(statement: &Statement) -> BTreeSet<(u32, [u8; 32])> {
    let signers: Vec<_> = statement.signers().collect();
    let pairs = statement.equivocations().into_iter();
    pairs.map(|(first, _)| (signers[first].epoch, *signers[first].key)).collect()
}

/// So many signatures, in words.
pub(super) fn count(statement: &Statement) -> String {
    let of = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    format!("{} in {}", of(statement.signatures(), "signature"), of(statement.groups().len(), "group"))
}
