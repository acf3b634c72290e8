//! The lines of a side log and their chain.
#![forbid(unsafe_code)]

use crate::hexadecimal;
use crate::ledger::layout::LOG_BEGINNING as BEGINNING;
use crate::ledger::record::{Record, number};
use sha2::{Digest as _, Sha256};

/// A chain value.
pub(crate) type Chain = [u8; 32];

/// A line has at most this many bytes, with its LF.
pub const MAX_LINE_BYTES: usize = 1024;

/// A group has at most this many bytes.
pub const MAX_GROUP_BYTES: usize = 65_536;

/// The first line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The ledger that it belongs to.
    pub ledger_id: [u8; 16],
    /// The witness that it is.
    pub witness_id: [u8; 16],
    /// Which file of that witness, from 1.
    pub segment: u32,
    /// The last chain value of the segment before; zeros in the first.
    pub previous: [u8; 32],
}

impl Header {
    /// The line with its LF, and its chain value.
    #[must_use]
    pub fn line(&self) -> (Vec<u8>, [u8; 32]) {
        let [ledger, witness] = [self.ledger_id, self.witness_id].map(|id| hexadecimal::text(&id));
        let previous = hexadecimal::text(&self.previous);
        chained(&[0; 32], &format!("{BEGINNING}{ledger} {witness} {:08} {previous}", self.segment))
    }

    /// The header that `body` is: a line without its chain value.
    fn parse(body: &str) -> Option<Self> {
        let mut fields = body.strip_prefix(BEGINNING)?.split(' ');
        let header = Self {
            ledger_id: hexadecimal::array(fields.next()?)?,
            witness_id: hexadecimal::array(fields.next()?)?,
            segment: padded(fields.next()?, 8)?.try_into().ok()?,
            previous: hexadecimal::array(fields.next()?)?,
        };
        let is_first_as_it_should = header.segment > 1 || (header.segment == 1 && header.previous == [0; 32]);
        (fields.next().is_none() && is_first_as_it_should).then_some(header)
    }

    /// The header at the beginning of `bytes`: it, its length and its chain value.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, usize, Chain)> {
        let (line, len) = whole_line(bytes)?;
        let (body, chain) = unchained(&[0; 32], line)?;
        Some((Self::parse(body)?, len, chain))
    }
}

/// What a line says: a record, or the end of a group of so many lines.
pub(super) enum Content {
    Record(Record),
    GroupEnd(u64),
}

/// A line of a group.
pub(super) struct Line {
    pub(super) seq: u64,
    pub(super) group: u64,
    pub(super) content: Content,
    pub(super) chain: Chain,
    pub(super) len: usize,
}

impl Line {
    /// The line at the beginning of `bytes`, whose predecessor has the chain value `before`.
    pub(super) fn read(before: &Chain, bytes: &[u8]) -> Option<Self> {
        let (line, len) = whole_line(bytes)?;
        let (body, chain) = unchained(before, line)?;
        let (seq, group, rest) = numbers(body)?;
        let content = match rest.strip_prefix("G ") {
            Some(count) => Content::GroupEnd(number(count).filter(|&count| count >= 1)?),
            None => Content::Record(Record::parse(rest)?),
        };
        Some(Self { seq, group, content, chain, len })
    }
}

/// The numbers at the beginning of a line, and what follows them.
fn numbers(body: &str) -> Option<(u64, u64, &str)> {
    let (seq, rest) = body.split_once(' ')?;
    let (group, rest) = rest.split_once(' ')?;
    Some((padded(seq, 12)?, padded(group, 12)?, rest))
}

/// The group that a piece of a damaged tail claims to be of, if it looks like a line at all.
pub(super) fn claimed_group(piece: &[u8]) -> Option<u64> {
    let start = std::str::from_utf8(piece.get(..26)?).ok()?;
    numbers(start).map(|(_, group, _)| group)
}

/// The body `body` as a line with chain value and LF.
pub(super) fn chained(before: &Chain, body: &str) -> (Vec<u8>, Chain) {
    let chain = link(before, body);
    (format!("{body} {}\n", hexadecimal::text(&chain)).into_bytes(), chain)
}

fn link(before: &Chain, body: &str) -> Chain {
    Sha256::new().chain_update(before).chain_update(body).finalize().into()
}

/// The body of `line` and its chain value, if that is the one it should have.
fn unchained<'a>(before: &Chain, line: &'a str) -> Option<(&'a str, Chain)> {
    let (body, chain) = line.rsplit_once(' ')?;
    let chain = hexadecimal::array(chain)?;
    (link(before, body) == chain).then_some((body, chain))
}

/// The line at the beginning of `bytes` without its LF, and its length with it: it ends within the bound and is ASCII.
fn whole_line(bytes: &[u8]) -> Option<(&str, usize)> {
    let end = bytes.iter().take(MAX_LINE_BYTES).position(|&byte| byte == b'\n')?;
    let line = &bytes[..end];
    let text = std::str::from_utf8(line).ok().filter(|text| text.is_ascii())?;
    Some((text, end + 1))
}

/// A number of exactly `len` digits.
fn padded(text: &str, len: usize) -> Option<u64> {
    (text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}
