//! New groups and new segments of a side log, as bytes.
#![forbid(unsafe_code)]

use super::line::{Header, MAX_GROUP_BYTES, MAX_LINE_BYTES, chained};
use crate::ledger::record::{Record, SNAPSHOT};
use std::fmt;

/// Where a log ends: what the next group goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of the last line.
    pub seq: u64,
    /// Number of the last group.
    pub group: u64,
    /// The last chain value.
    pub chain: [u8; 32],
}

/// A group that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has no lines.
    Empty,
    /// A line would be too long.
    Line,
    /// All lines together would be too long.
    Group,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "a group without lines",
            Self::Line => "a line of more than 1024 bytes",
            Self::Group => "a group of more than 65536 bytes",
        })
    }
}

impl Head {
    /// The bytes of the group that says `records`, and the head after it.
    ///
    /// # Errors
    /// A group that is empty or too long.
    pub fn group(&self, records: &[Record]) -> Result<(Vec<u8>, Self), Refusal> {
        if records.is_empty() {
            return Err(Refusal::Empty);
        }
        let mut head = Self { group: self.group + 1, ..*self };
        let mut bytes = Vec::new();
        let contents = records.iter().map(ToString::to_string);
        for content in contents.chain([format!("G {}", records.len())]) {
            head.seq += 1;
            let (line, chain) =
                chained(&head.chain, &format!("{:012} {:012} {content}", head.seq, head.group));
            if line.len() > MAX_LINE_BYTES {
                return Err(Refusal::Line);
            }
            head.chain = chain;
            bytes.extend_from_slice(&line);
        }
        if bytes.len() > MAX_GROUP_BYTES { Err(Refusal::Group) } else { Ok((bytes, head)) }
    }

    /// A new segment that goes on from here and says `records` in as many groups as that takes, each of which is marked as
    /// one of a snapshot: its bytes, the length of its last group, the head before that, and the head after all.
    ///
    /// # Errors
    /// A line that is too long.
    pub fn segment(&self, header: &Header, records: &[Record]) -> Result<Segment, Refusal> {
        let (mut bytes, chain) = header.line();
        let mut head = Self { chain, ..*self };
        let (mut before, mut last_group) = (head, 0);
        let mut rest = records;
        while !rest.is_empty() || before == head {
            let (now, later) = rest.split_at(rest.len().min(LINES_PER_GROUP));
            let mut group = now.to_vec();
            group.push(Record::Operator { action: SNAPSHOT.to_owned(), detail: Vec::new() });
            let (lines, after) = head.group(&group)?;
            (before, last_group) = (head, bytes.len());
            bytes.extend_from_slice(&lines);
            (head, rest) = (after, later);
        }
        Ok(Segment { last_group: last_group..bytes.len(), bytes, before, head })
    }
}

/// The bytes of the line that says `record`, in whichever group.
pub(crate) fn line_len(record: &Record) -> usize {
    AROUND + record.to_string().len()
}

/// What is around the content of a line: two numbers of 12 digits, a chain value of 64, and what separates and ends them.
const AROUND: usize = 12 + 1 + 12 + 1 + 1 + 64 + 1;

/// The most bytes that the lines of a group may have, so that its end fits, too: a line with a count of 19 digits at most.
pub(crate) const MAX_LINES_BYTES: usize = MAX_GROUP_BYTES - (AROUND + 2 + 19);

/// Lines of a snapshot that go into one group. So many of the longest fit.
const LINES_PER_GROUP: usize = MAX_GROUP_BYTES / MAX_LINE_BYTES - 2;

/// A new segment.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Where its last group is.
    pub last_group: std::ops::Range<usize>,
    /// The head before that group.
    pub before: Head,
    /// The head after it.
    pub head: Head,
}
