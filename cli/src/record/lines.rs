//! The text of a record, format v1: a first line that says whose it is, then a line for every used epoch.
//!
//! ```text
//! 0000000017 <SHA-256 of the message>     epoch 17 has signed this message
//! 0000000018 unknown                      epoch 18 signs no more
//! begin 0000000100                        nothing below epoch 100 signs any more
//! moved                                   nothing signs any more: another file has the right to
//! ```
//!
//! What phalanx wrote before it knew the last two refuses them as damaged, which is what they mean. A last line without
//! its end was cut short by a crash or a full disk. Nothing was signed on the strength of it; but where its ten digits
//! are whole its epoch is closed all the same (custody specification 3.11).

use std::fmt;

/// Digits of an epoch: fixed, so that an epoch cut short is not taken for a smaller one.
const EPOCH_DIGITS: usize = 10;

/// What closes all epochs below the one it names.
const BEGIN: &[u8] = b"begin ";

/// What closes all epochs.
const MOVED: &[u8] = b"moved";

/// A line after the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Line {
    /// An epoch that has signed the message of this SHA-256; `None` if that is not known.
    Used { epoch: u32, message: Option<[u8; 32]> },
    /// Epochs below this one do not sign: the record was begun on purpose, for a key that came without one.
    Begin { from: u64 },
    /// Another file of this key has the right to sign.
    Moved,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Used { epoch, message: Some(message) } => {
                writeln!(f, "{epoch:0EPOCH_DIGITS$} {}", hex::encode(message))
            }
            Self::Used { epoch, message: None } => writeln!(f, "{epoch:0EPOCH_DIGITS$} unknown"),
            Self::Begin { from } => writeln!(f, "begin {from:0EPOCH_DIGITS$}"),
            Self::Moved => writeln!(f, "moved"),
        }
    }
}

impl Line {
    /// The epoch, of a line about one.
    fn epoch(&self) -> Option<u32> {
        if let Self::Used { epoch, .. } = self { Some(*epoch) } else { None }
    }

    /// Reads a line without its end; `None` if it is none of these.
    fn parse(line: &[u8]) -> Option<Self> {
        if line == MOVED {
            return Some(Self::Moved);
        }
        if let Some(digits) = line.strip_prefix(BEGIN) {
            return number(digits).map(|from| Self::Begin { from });
        }
        let (digits, rest) = line.split_at_checked(EPOCH_DIGITS)?;
        let epoch = u32::try_from(number(digits)?).ok()?;
        let mut message = [0; 32];
        let read = rest.strip_prefix(b" ").filter(|text| hex::decode_to_slice(text, &mut message).is_ok());
        Some(Self::Used { epoch, message: read.map(|_| message) })
    }

    /// Reads a last line that was cut short: an epoch whose digits are whole is closed.
    fn parse_torn(line: &[u8]) -> Option<Self> {
        let epoch = u32::try_from(number(line.get(..EPOCH_DIGITS)?)?).ok()?;
        Some(Self::Used { epoch, message: None })
    }
}

/// Exactly ten digits.
fn number(digits: &[u8]) -> Option<u64> {
    let is_one = digits.len() == EPOCH_DIGITS && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_one)?.parse().ok()
}

/// What a record ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Tail {
    /// A whole line.
    #[default]
    Whole,
    /// A line cut short, of which not even the epoch can be read: it counts for nothing.
    Lost,
    /// A line cut short, whose epoch is closed.
    Closes,
}

/// What stands after the first line of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content {
    /// Every line that can be read; last of all, with [`Tail::Closes`], the epoch of one that was cut short.
    pub(crate) lines: Vec<Line>,
    /// Bytes of the whole lines; what follows them was cut short.
    pub(crate) whole_bytes: usize,
    /// What follows them.
    pub(crate) tail: Tail,
    /// The first whole line that cannot be read, counted from 1 for the first line of the file.
    pub(crate) damaged_line: Option<u64>,
}

impl Content {
    /// Reads the bytes after the first line.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut content = Self::default();
        for (number, line) in (2..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let Some(whole) = line.strip_suffix(b"\n") else {
                let torn = Line::parse_torn(line);
                content.tail = if torn.is_some() { Tail::Closes } else { Tail::Lost };
                content.lines.extend(torn);
                break;
            };
            content.whole_bytes += line.len();
            match Line::parse(whole) {
                Some(line) => content.lines.push(line),
                None => content.damaged_line = content.damaged_line.or(Some(number)),
            }
        }
        content
    }

    /// The line that was cut short, if it closes an epoch.
    pub(crate) fn torn(&self) -> impl Iterator<Item = Line> {
        self.lines.last().copied().filter(|_| self.tail == Tail::Closes).into_iter()
    }
}

/// What two files of one record lack, beyond their whole lines, to be the same: after a crash between two writes, their
/// last line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Missing {
    /// To be appended to the whole lines of the first.
    pub(crate) in_first: Vec<Line>,
    /// To be appended to the whole lines of the second.
    pub(crate) in_second: Vec<Line>,
}

/// Two files that are not two records of one life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Disagreement {
    /// The first ends this many lines before the second.
    FirstIsOlder(usize),
    /// The second ends this many lines before the first.
    SecondIsOlder(usize),
    /// From this line on they differ, counted from 1.
    Differ(usize),
}

/// Compares two files of one record, up to the last line of each.
pub(crate) fn compare(first: &Content, second: &Content) -> Result<Missing, Disagreement> {
    let common = first.lines.iter().zip(&second.lines).take_while(|(a, b)| a == b).count();
    let mut missing = Missing { in_first: first.torn().collect(), in_second: second.torn().collect() };
    match (&first.lines[common..], &second.lines[common..]) {
        ([], []) => {}
        ([], [line]) => missing.in_first.push(*line),
        ([line], []) => missing.in_second.push(*line),
        // One write that reached one of them whole and was cut short in the other: the whole line is what was meant.
        ([torn], [whole]) if first.tail == Tail::Closes && torn.epoch() == whole.epoch() => {
            missing.in_first = vec![*whole];
        }
        ([whole], [torn]) if second.tail == Tail::Closes && torn.epoch() == whole.epoch() => {
            missing.in_second = vec![*whole];
        }
        ([], rest) => return Err(Disagreement::FirstIsOlder(rest.len())),
        (rest, []) => return Err(Disagreement::SecondIsOlder(rest.len())),
        _ => return Err(Disagreement::Differ(common + 1)),
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(epoch: u32, byte: u8) -> Line {
        Line::Used { epoch, message: Some([byte; 32]) }
    }

    #[test]
    fn lines_read_back() {
        let lines = [
            used(0, 1),
            used(u32::MAX, 0xab),
            Line::Used { epoch: 18, message: None },
            Line::Begin { from: 1 << 32 },
            Line::Moved,
        ];
        let text: String = lines.iter().map(ToString::to_string).collect();
        let content = Content::parse(text.as_bytes());
        assert_eq!(content.lines, lines);
        assert_eq!(
            (content.whole_bytes, content.tail, content.damaged_line),
            (text.len(), Tail::Whole, None)
        );
    }

    #[test]
    fn cut_after_every_byte() {
        let text: String = [used(4, 1), used(5, 2)].iter().map(ToString::to_string).collect();
        let first = text.find('\n').expect("a line") + 1;
        for cut in 0..=text.len() {
            let content = Content::parse(&text.as_bytes()[..cut]);
            let torn = |epoch| Line::Used { epoch, message: None };
            let (lines, tail) = match cut {
                0 => (vec![], Tail::Whole),
                1..10 => (vec![], Tail::Lost),
                10..76 => (vec![torn(4)], Tail::Closes),
                76 => (vec![used(4, 1)], Tail::Whole),
                77..86 => (vec![used(4, 1)], Tail::Lost),
                86..152 => (vec![used(4, 1), torn(5)], Tail::Closes),
                _ => (vec![used(4, 1), used(5, 2)], Tail::Whole),
            };
            assert_eq!((content.lines, content.tail), (lines, tail), "{cut}");
            assert_eq!(content.whole_bytes, cut / first * first);
            assert_eq!(content.damaged_line, None);
        }
    }

    #[test]
    fn damage_is_named_and_the_rest_is_read() {
        let good = used(7, 7).to_string();
        for bad in [
            "garbage",
            "",
            "00000",
            "000000001x 00",
            "4294967296 00",
            "begin 7",
            "begin 00000000001",
            "moved ",
            "\0\0",
        ] {
            let content = Content::parse(format!("{good}{bad}\n{good}").as_bytes());
            assert_eq!((content.damaged_line, content.lines.len()), (Some(3), 2), "{bad}");
        }
        // A readable epoch with anything else behind it is closed.
        for closed in ["0000000018", "0000000018 unknown", "0000000018 9f82", "0000000018x"] {
            let content = Content::parse(format!("{closed}\n").as_bytes());
            assert_eq!(content.lines, [Line::Used { epoch: 18, message: None }], "{closed}");
            assert_eq!(content.damaged_line, None);
        }
    }

    #[test]
    fn two_files_may_differ_by_one_write() {
        let (a, b, c) = (used(1, 1), used(2, 2), used(3, 3));
        let content = |lines: &[Line]| Content { lines: lines.to_vec(), ..Content::default() };
        let cut = |lines: &[Line]| Content { tail: Tail::Closes, ..content(lines) };
        let lacks = |in_first: &[Line], in_second: &[Line]| {
            Ok(Missing { in_first: in_first.to_vec(), in_second: in_second.to_vec() })
        };
        let torn = Line::Used { epoch: 2, message: None };
        assert_eq!(compare(&content(&[a, b]), &content(&[a, b])), lacks(&[], &[]));
        assert_eq!(compare(&content(&[a]), &content(&[a, b])), lacks(&[b], &[]));
        assert_eq!(compare(&content(&[a, b]), &content(&[a])), lacks(&[], &[b]));
        // Cut short in one, in both, or in one and whole in the other.
        assert_eq!(compare(&content(&[a]), &cut(&[a, torn])), lacks(&[torn], &[torn]));
        assert_eq!(compare(&cut(&[a, torn]), &content(&[a])), lacks(&[torn], &[torn]));
        assert_eq!(compare(&cut(&[a, torn]), &cut(&[a, torn])), lacks(&[torn], &[torn]));
        assert_eq!(compare(&cut(&[a, torn]), &content(&[a, b])), lacks(&[b], &[]));
        assert_eq!(compare(&content(&[a, b]), &cut(&[a, torn])), lacks(&[], &[b]));
        // A whole line that says the same is no such thing; nor is anything else.
        let differ = Err(Disagreement::Differ(2));
        assert_eq!(compare(&content(&[a, torn]), &content(&[a, b])), differ);
        assert_eq!(compare(&content(&[a, b]), &content(&[a, c])), differ);
        assert_eq!(compare(&content(&[a, b]), &content(&[a, used(2, 9)])), differ);
        assert_eq!(compare(&cut(&[a, torn]), &content(&[a, c])), differ);
        assert_eq!(compare(&content(&[a, b, c]), &content(&[a, used(2, 9), c])), differ);
        assert_eq!(compare(&content(&[]), &content(&[a, b])), Err(Disagreement::FirstIsOlder(2)));
        assert_eq!(compare(&content(&[a, b, c]), &content(&[a])), Err(Disagreement::SecondIsOlder(2)));
    }
}
