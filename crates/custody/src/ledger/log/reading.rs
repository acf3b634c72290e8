//! What a side log says by itself.
#![forbid(unsafe_code)]

use super::line::{Chain, Content, Header, Line, MAX_GROUP_BYTES, MAX_LINE_BYTES, claimed_group};
use crate::ledger::layout::LOG_BEGINNING as BEGINNING;
use crate::ledger::record::Record;

/// What a log is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whole groups and nothing else.
    Good,
    /// Its last group was cut while it was being written: that group has released nothing.
    Torn,
    /// Its last group is there in parts. Only the store can tell whether it has released something.
    DamagedTail,
    /// Something is wrong before the last group.
    Damaged,
    /// Not even a first line.
    Empty,
}

impl Verdict {
    /// Its name in reports and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Torn => "torn",
            Self::DamagedTail => "damaged_tail",
            Self::Damaged => "damaged",
            Self::Empty => "empty",
        }
    }
}

/// A whole group of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its number.
    pub number: u64,
    /// What it says.
    pub records: Vec<Record>,
    /// The number of its last line.
    pub last_seq: u64,
    /// The chain value before it.
    pub chain_before: [u8; 32],
    /// Its own: that of its last line.
    pub chain: [u8; 32],
    /// Where it is in the file.
    pub bytes: std::ops::Range<usize>,
}

/// A log as far as it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it is worth.
    pub verdict: Verdict,
    /// Its first line, if that is in order.
    pub header: Option<Header>,
    /// The chain value of the first line; zeros without one.
    pub header_chain: [u8; 32],
    /// The whole groups.
    pub groups: Vec<Group>,
    /// Bytes up to the end of the last of them.
    pub valid_bytes: usize,
    /// Bytes after it.
    pub tail_bytes: usize,
}

impl Reading {
    /// Number of the last whole group; 0 without one.
    #[must_use]
    pub fn last_group(&self) -> u64 {
        self.groups.last().map_or(0, |group| group.number)
    }

    /// Number of the last line of the last whole group; 0 without one.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.groups.last().map_or(0, |group| group.last_seq)
    }

    /// Chain value after the last whole group.
    #[must_use]
    pub fn last_chain(&self) -> [u8; 32] {
        self.groups.last().map_or(self.header_chain, |group| group.chain)
    }
}

/// Reads a log alone.
#[must_use]
pub fn read(bytes: &[u8]) -> Reading {
    let Some((header, header_len, header_chain)) = Header::read(bytes) else {
        let verdict = if is_torn_header(bytes) { Verdict::Empty } else { Verdict::Damaged };
        let (groups, tail_bytes) = (Vec::new(), bytes.len());
        return Reading { verdict, header: None, header_chain: [0; 32], groups, valid_bytes: 0, tail_bytes };
    };
    let mut reader = Reader { bytes, header, header_chain, at: header_len, groups: Vec::new() };
    while reader.group() {}
    let valid_bytes = reader.groups.last().map_or(header_len, |group| group.bytes.end);
    let verdict = judge_tail(&bytes[valid_bytes..], reader.at - valid_bytes, reader.last_group());
    let tail_bytes = bytes.len() - valid_bytes;
    Reading { verdict, header: Some(header), header_chain, groups: reader.groups, valid_bytes, tail_bytes }
}

fn is_torn_header(bytes: &[u8]) -> bool {
    let len = bytes.len().min(BEGINNING.len());
    bytes.len() <= MAX_LINE_BYTES && !bytes.contains(&b'\n') && bytes[..len] == BEGINNING.as_bytes()[..len]
}

/// What a tail is worth of which the first `valid` bytes are lines in order.
fn judge_tail(tail: &[u8], valid: usize, last_group: u64) -> Verdict {
    if tail.is_empty() {
        return Verdict::Good;
    }
    if tail.len() > MAX_GROUP_BYTES {
        return Verdict::Damaged;
    }
    if !tail[valid..].contains(&b'\n') {
        return Verdict::Torn;
    }
    let is_later = |piece| claimed_group(piece).is_some_and(|group| group > last_group.saturating_add(1));
    if tail.split(|&byte| byte == b'\n').any(is_later) { Verdict::Damaged } else { Verdict::DamagedTail }
}

struct Reader<'a> {
    bytes: &'a [u8],
    header: Header,
    header_chain: Chain,
    /// After the last line that is in order.
    at: usize,
    groups: Vec<Group>,
}

impl Reader<'_> {
    fn last_group(&self) -> u64 {
        self.groups.last().map_or(0, |group| group.number)
    }

    /// The numbers that the next line must have: its own and that of its group. The first line of a later segment goes
    /// on from a file that is not here.
    fn wanted(&self) -> Option<(u64, u64)> {
        match self.groups.last() {
            Some(group) => Some((group.last_seq + 1, group.number + 1)),
            None if self.header.segment == 1 => Some((1, 1)),
            None => None,
        }
    }

    /// Reads a group; `false` if no whole one follows. `at` is then after its last line that is in order.
    fn group(&mut self) -> bool {
        let start = self.at;
        let chain_before = self.groups.last().map_or(self.header_chain, |group| group.chain);
        let (mut chain, mut wanted, mut records) = (chain_before, self.wanted(), Vec::new());
        loop {
            let Some(line) = Line::read(&chain, &self.bytes[self.at..]) else { return false };
            if wanted.is_some_and(|wanted| wanted != (line.seq, line.group)) {
                return false;
            }
            let end = self.at + line.len;
            if end - start > MAX_GROUP_BYTES || line.seq == 0 || line.group == 0 {
                return false;
            }
            match line.content {
                Content::Record(record) => records.push(record),
                Content::GroupEnd(count) if count == records.len() as u64 => {
                    self.at = end;
                    self.groups.push(Group {
                        number: line.group,
                        records,
                        last_seq: line.seq,
                        chain_before,
                        chain: line.chain,
                        bytes: start..end,
                    });
                    return true;
                }
                Content::GroupEnd(_) => return false,
            }
            self.at = end;
            (chain, wanted) = (line.chain, Some((line.seq + 1, line.group)));
        }
    }
}
