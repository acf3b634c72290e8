//! What a validator of Tendermint signs: a canonical vote or proposal in protobuf, with its length before it.
//!
//! The bytes are read strictly: every field in its order and once, no other field, no number longer than it need be, no
//! default written out. So two texts that read the same are the same bytes.
//!
//! Source: CometBFT, `proto/cometbft/types/v1/canonical.proto` and `types/canonical.go`. What older chains sign as JSON, and
//! the extensions of votes, are not read.
#![forbid(unsafe_code)]

use super::position::{Position, Step};

/// When a vote or proposal says that it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// Seconds of Unix time.
    pub seconds: i64,
    /// Nanoseconds after them, below 10^9.
    pub nanoseconds: u32,
}

/// A canonical vote or proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignBytes<'a> {
    /// Where it belongs.
    pub position: Position<'a>,
    /// When it was made.
    pub timestamp: Timestamp,
    block: Option<Block<'a>>,
    /// The round in which a proposal's block was locked; of a vote 0.
    locked_round: u64,
}

/// The block that is voted for or proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block<'a> {
    hash: &'a [u8],
    parts: u64,
    parts_hash: &'a [u8],
}

/// The kinds of messages, by their number.
const PREVOTE: u64 = 1;
const PRECOMMIT: u64 = 2;
const PROPOSAL: u64 = 32;

/// Types of fields, as the low bits of their tags say them.
const VARINT: u8 = 0;
const FIXED: u8 = 1;
const LENGTH: u8 = 2;

impl<'a> SignBytes<'a> {
    /// Reads sign bytes; `None` if they are no canonical vote or proposal.
    #[must_use]
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut outer = Reader(bytes);
        let len = outer.varint()?;
        let mut fields = Reader(outer.0);
        if fields.0.len() as u64 != len {
            return None;
        }
        let step = match fields.number(1)? {
            PREVOTE => Step::Prevote,
            PRECOMMIT => Step::Precommit,
            PROPOSAL => Step::Propose,
            _ => return None,
        };
        let height = i64::try_from(fields.fixed(2)?).ok()?.unsigned_abs();
        let round = u32::try_from(fields.fixed(3)?).ok()?;
        // A proposal has one field more before the rest.
        let is_proposal = step == Step::Propose;
        let locked_round = if is_proposal { fields.number(4)? } else { 0 };
        let next = 4 + u8::from(is_proposal);
        let block = match fields.message(next)? {
            Some(block) => Some(block.block()?),
            None => None,
        };
        let timestamp = fields.message(next + 1)??.timestamp()?;
        let chain = std::str::from_utf8(fields.bytes(next + 2)?).ok()?;
        fields.end()?;
        let position = Position::Consensus { chain, height, round, step };
        position.place()?;
        Some(Self { position, timestamp, block, locked_round })
    }

    /// Whether `other` is the same but for its time.
    #[must_use]
    pub fn differs_in_time_only(&self, other: &Self) -> bool {
        self.timestamp != other.timestamp && Self { timestamp: other.timestamp, ..*self } == *other
    }
}

/// Whether `one` and `other` are sign bytes of one vote or proposal with two times.
#[must_use]
pub fn differ_in_time_only(one: &[u8], other: &[u8]) -> bool {
    match (SignBytes::read(one), SignBytes::read(other)) {
        (Some(one), Some(other)) => one.differs_in_time_only(&other),
        _ => false,
    }
}

/// The rest of a message.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn block(mut self) -> Option<Block<'a>> {
        let hash = self.bytes(1)?;
        let mut header = self.message(2)??;
        let (parts, parts_hash) = (header.number(1)?, header.bytes(2)?);
        let is_possible = parts <= u64::from(u32::MAX);
        header.end()?;
        self.end()?;
        is_possible.then_some(Block { hash, parts, parts_hash })
    }

    fn timestamp(mut self) -> Option<Timestamp> {
        let seconds = self.number(1)?.cast_signed();
        let nanoseconds = u32::try_from(self.number(2)?).ok().filter(|&n| n < 1_000_000_000)?;
        self.end()?;
        Some(Timestamp { seconds, nanoseconds })
    }

    /// `None` unless everything has been read.
    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    /// Whether the next field is this one. Its tag is read then.
    fn is_next(&mut self, field: u8, kind: u8) -> bool {
        let is_next = self.0.first() == Some(&(field << 3 | kind));
        if is_next {
            self.0 = &self.0[1..];
        }
        is_next
    }

    /// A number of seven bits a byte, lowest first, not longer than it need be.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has one bit left.
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return (byte != 0 || shift == 0).then_some(number);
            }
        }
        None
    }

    /// A field with a number; 0 where it is missing.
    fn number(&mut self, field: u8) -> Option<u64> {
        if self.is_next(field, VARINT) { self.varint().filter(|&number| number != 0) } else { Some(0) }
    }

    /// A field with a number of eight bytes; 0 where it is missing.
    fn fixed(&mut self, field: u8) -> Option<u64> {
        if !self.is_next(field, FIXED) {
            return Some(0);
        }
        let bytes = self.take(8)?.try_into().ok()?;
        Some(u64::from_le_bytes(bytes)).filter(|&number| number != 0)
    }

    /// A field with bytes; none where it is missing.
    fn bytes(&mut self, field: u8) -> Option<&'a [u8]> {
        match self.message(field)? {
            Some(Reader(bytes)) => Some(bytes).filter(|bytes| !bytes.is_empty()),
            None => Some(&[]),
        }
    }

    /// A field with a message, where there is one.
    fn message(&mut self, field: u8) -> Option<Option<Self>> {
        if !self.is_next(field, LENGTH) {
            return Some(None);
        }
        let len = usize::try_from(self.varint()?).ok()?;
        Some(Some(Self(self.take(len)?)))
    }
}
