//! What became of the rows of a chunk, and its form as a file.

use crate::plan::Chunk;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What the file of a result begins with.
const MAGIC: &[u8] = b"phalanx-bulk-chunk-v1\n";

/// Bytes of a reason that are kept.
const MAX_REASON_BYTES: usize = 200;

/// Rows counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// All of them.
    pub total: u64,
    /// Those that verify.
    pub valid: u64,
    /// Those that do not.
    pub invalid: u64,
    /// Those of which that cannot be said.
    pub malformed: u64,
}

impl Totals {
    fn count(&mut self, verdict: Verdict) {
        self.total += 1;
        match verdict {
            Verdict::Valid => self.valid += 1,
            Verdict::Invalid => self.invalid += 1,
            _ => self.malformed += 1,
        }
    }

    /// Adds others.
    pub(crate) fn add(&mut self, other: Self) {
        self.total += other.total;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.malformed += other.malformed;
    }
}

/// A row that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bad {
    /// Its line, or its number among the rows of a Parquet file, counted from 1.
    pub position: u64,
    /// `invalid` or `malformed`.
    pub verdict: &'static str,
    /// Why.
    pub reason: String,
}

/// What became of the rows of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkResult {
    /// A verdict for every row.
    pub(crate) verdicts: Vec<u8>,
    /// By scheme; without a name, rows whose scheme is unknown.
    pub(crate) schemes: BTreeMap<String, Totals>,
    /// In the order of rows.
    pub(crate) bad: Vec<Bad>,
}

impl ChunkResult {
    /// What stands for the result of a chunk that nobody could verify: of all its rows it cannot be said. They are told of
    /// in one line, and have no verdicts here: a plan says how many they are, and no file was looked at.
    pub(crate) fn of_quarantined(chunk: &Chunk, reason: &str) -> Self {
        let all = Totals { total: chunk.rows, malformed: chunk.rows, ..Totals::default() };
        let verdict = Verdict::Unreadable.name();
        let bad = Bad { position: chunk.first_position, verdict, reason: reason.to_owned() };
        Self { verdicts: Vec::new(), schemes: BTreeMap::from([(String::new(), all)]), bad: vec![bad] }
    }

    /// A row more, whose verdict is settled later.
    pub(crate) fn push(&mut self) -> usize {
        self.verdicts.push(Verdict::Unreadable as u8);
        self.verdicts.len() - 1
    }

    /// Settles the verdict on the row that `push` gave this index.
    pub(crate) fn settle(
        &mut self,
        index: usize,
        position: u64,
        scheme: &str,
        verdict: Verdict,
        reason: &str,
    ) {
        self.verdicts[index] = verdict as u8;
        if let Some(totals) = self.schemes.get_mut(scheme) {
            totals.count(verdict);
        } else {
            self.schemes.entry(scheme.to_owned()).or_default().count(verdict);
        }
        if verdict != Verdict::Valid {
            let mut reason = reason.to_owned();
            let fits = |end: &usize| reason.is_char_boundary(*end);
            reason.truncate((0..=MAX_REASON_BYTES.min(reason.len())).rev().find(fits).unwrap_or_default());
            self.bad.push(Bad { position, verdict: verdict.name(), reason });
        }
    }

    /// Brings the bad rows into the order of the file.
    pub(crate) fn sort(&mut self) {
        self.bad.sort_by_key(|bad| bad.position);
    }

    /// A verdict for every row: the numbers of [`Verdict`].
    #[must_use]
    pub fn verdicts(&self) -> &[u8] {
        &self.verdicts
    }

    /// The rows that are not valid.
    #[must_use]
    pub fn bad(&self) -> &[Bad] {
        &self.bad
    }

    /// The rows by scheme; without a name, those whose scheme is unknown.
    #[must_use]
    pub fn schemes(&self) -> &BTreeMap<String, Totals> {
        &self.schemes
    }

    /// The contents of the file of this result of chunk `index` of the plan with this digest: what it is of, the verdicts,
    /// the rest as JSON, and SHA-256 of all that, so that what was not written to its end is not taken for a result.
    #[must_use]
    pub fn to_bytes(&self, plan: &[u8; 32], index: usize) -> Vec<u8> {
        let rest = serde_json::to_vec(&Rest {
            schemes: self.schemes.clone(),
            bad: self
                .bad
                .iter()
                .map(|bad| (bad.position, bad.verdict == Verdict::Invalid.name(), (&*bad.reason).into()))
                .collect(),
        });
        let rest = rest.expect("numbers and text are JSON");
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(plan);
        for number in [index, self.verdicts.len(), rest.len()] {
            bytes.extend_from_slice(&(number as u64).to_le_bytes());
        }
        bytes.extend_from_slice(&self.verdicts);
        bytes.extend_from_slice(&rest);
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest);
        bytes
    }

    /// The result that `bytes` hold, if they hold all of one, of this chunk of that plan.
    #[must_use]
    pub fn from_bytes(plan: &[u8; 32], index: usize, rows: u64, bytes: &[u8]) -> Option<Self> {
        let (bytes, digest) = bytes.split_last_chunk::<32>()?;
        if Sha256::digest(bytes)[..] != digest[..] {
            return None;
        }
        let bytes = bytes.strip_prefix(MAGIC)?.strip_prefix(plan)?;
        let (head, bytes) = bytes.split_first_chunk::<24>()?;
        let [at, len_rows, len_rest] =
            [0, 8, 16].map(|i| head[i..i + 8].try_into().map(u64::from_le_bytes).unwrap_or(u64::MAX));
        if at != index as u64 || len_rows != rows || len_rows.checked_add(len_rest)? != bytes.len() as u64 {
            return None;
        }
        let (verdicts, rest) = bytes.split_at(usize::try_from(len_rows).ok()?);
        let rest: Rest<'_> = serde_json::from_slice(rest).ok()?;
        let bad = rest.bad.into_iter().map(|(position, invalid, reason)| {
            let verdict = if invalid { Verdict::Invalid } else { Verdict::Row };
            Bad { position, verdict: verdict.name(), reason: reason.into() }
        });
        let known = verdicts.iter().all(|byte| Verdict::from_byte(*byte).is_some());
        let (verdicts, bad) = (verdicts.to_vec(), bad.collect());
        known.then_some(Self { verdicts, schemes: rest.schemes, bad })
    }
}

/// All but the verdicts, as it is written.
#[derive(Serialize, Deserialize)]
struct Rest<'a> {
    schemes: BTreeMap<String, Totals>,
    #[serde(borrow)]
    bad: Vec<(u64, bool, Cow<'a, str>)>,
}
