//! What is said about a row, in one byte.

/// The verdict on a row. The numbers stand in files and under the root of the report: they do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Verdict {
    /// The signature verifies.
    Valid = 0,
    /// It does not.
    Invalid = 1,
    /// The row as a whole is malformed: no JSON object, another number of fields, too long.
    Row = 2,
    /// The scheme is missing, or unknown.
    Scheme = 3,
    /// The public key is missing, or is none.
    PublicKey = 4,
    /// The epoch is missing, or is no number.
    Epoch = 5,
    /// The message is missing, or none that the scheme signs.
    Message = 6,
    /// The signature is missing, or is none.
    Signature = 7,
    /// The profile of Ed25519 is unknown.
    Profile = 8,
    /// The file is damaged here.
    Unreadable = 9,
}

impl Verdict {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Valid,
        Self::Invalid,
        Self::Row,
        Self::Scheme,
        Self::PublicKey,
        Self::Epoch,
        Self::Message,
        Self::Signature,
        Self::Profile,
        Self::Unreadable,
    ];

    /// The verdict with this number.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// `valid`, `invalid` or `malformed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            _ => "malformed",
        }
    }
}
