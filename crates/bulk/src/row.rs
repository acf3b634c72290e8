//! A row before anything is decoded, the same from every format.

/// The longest row, or value of a row: of longer ones the rest is skipped, and they are malformed.
pub const MAX_ROW_BYTES: usize = 16 << 20;

/// A value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    /// There is none, or it is null.
    Absent,
    /// Text: hexadecimal where bytes are meant.
    Text(&'a [u8]),
    /// The bytes themselves.
    Bytes(&'a [u8]),
    /// A value of another type.
    Wrong,
}

/// The epoch of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Epoch {
    /// There is none, or it is null.
    Absent,
    /// A number.
    Is(u64),
    /// Something else.
    Wrong,
}

impl Epoch {
    /// An epoch written in decimal digits, or nothing.
    pub(crate) fn from_digits(text: &[u8]) -> Self {
        let text = text.trim_ascii();
        if text.is_empty() {
            return Self::Absent;
        }
        let number = || {
            if !text.iter().all(u8::is_ascii_digit) {
                return None;
            }
            std::str::from_utf8(text).ok()?.parse().ok()
        };
        number().map_or(Self::Wrong, Self::Is)
    }
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) scheme: Cell<'a>,
    pub(crate) profile: Cell<'a>,
    pub(crate) public_key: Cell<'a>,
    pub(crate) epoch: Epoch,
    pub(crate) message: Cell<'a>,
    pub(crate) signature: Cell<'a>,
}
