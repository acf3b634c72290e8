//! What goes wrong: for those who state and prove, and for those who verify.
#![forbid(unsafe_code)]

use core::fmt;
use phalanx_ligerito as ligerito;

/// A statement that is none, or a mistake of the caller who proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A statement without a group.
    NoGroups,
    /// A group without a key.
    EmptyGroup,
    /// Groups that do not increase by epoch, then message.
    GroupOrder,
    /// Keys of a group that do not increase.
    KeyOrder,
    /// More signatures than a statement, or the verifier's limit, allows.
    TooManySignatures,
    /// A statement that is shorter or longer than its content.
    StatementLength,
    /// A statement about no compression.
    NoBlocks,
    /// More compressions than a statement allows.
    TooManyBlocks,
    /// A mask of public slots with one that is neither input nor output.
    UnknownSlot {
        /// The number of the compression.
        block: usize,
    },
    /// Not an input for every compression.
    InputCount {
        /// Inputs given.
        got: usize,
        /// Compressions of the statement.
        wanted: usize,
    },
    /// A compression that has not in a public slot what the statement says.
    FalseSlot {
        /// The number of the compression.
        block: usize,
        /// The slot.
        slot: usize,
    },
    /// A key or a signature of another parameter set than `xmss-blake2s-l32-d42b8`.
    ParameterSet,
    /// Not a signature for every key.
    SignatureCount {
        /// Signatures given.
        got: usize,
        /// Keys of the statement.
        wanted: usize,
    },
    /// A signature that does not verify.
    InvalidSignature {
        /// Its number in the statement.
        index: usize,
    },
    /// The proof takes more memory than the caller allows.
    Memory {
        /// Bytes it takes.
        wanted: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The proof takes more memory than there are addresses.
    TooLarge,
}

impl Error {
    /// The name of the rule that is broken, as in the specification where it has one.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoGroups => "NoGroups",
            Self::EmptyGroup => "EmptyGroup",
            Self::GroupOrder => "GroupOrder",
            Self::KeyOrder => "KeyOrder",
            Self::TooManySignatures => "TooManySignatures",
            Self::StatementLength => "StatementLength",
            Self::NoBlocks => "NoBlocks",
            Self::TooManyBlocks => "TooManyBlocks",
            Self::UnknownSlot { .. } => "UnknownSlot",
            Self::InputCount { .. } => "InputCount",
            Self::FalseSlot { .. } => "FalseSlot",
            Self::ParameterSet => "ParameterSet",
            Self::SignatureCount { .. } => "SignatureCount",
            Self::InvalidSignature { .. } => "InvalidSignature",
            Self::Memory { .. } => "Memory",
            Self::TooLarge => "TooLarge",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGroups => f.write_str("the statement has no group"),
            Self::EmptyGroup => f.write_str("a group of the statement has no key"),
            Self::GroupOrder => {
                f.write_str("the statement's groups do not increase strictly by epoch and message")
            }
            Self::KeyOrder => f.write_str("the keys of a group do not increase strictly"),
            Self::TooManySignatures => f.write_str("the statement has too many signatures"),
            Self::StatementLength => f.write_str("the statement is not as long as its content"),
            Self::NoBlocks => f.write_str("the statement has no compression"),
            Self::TooManyBlocks => f.write_str("the statement has too many compressions"),
            Self::UnknownSlot { block } => {
                write!(f, "compression {block} has a public slot that is neither input nor output")
            }
            Self::InputCount { got, wanted } => write!(f, "got {got} inputs for {wanted} compressions"),
            Self::FalseSlot { block, slot } => {
                write!(f, "slot {slot} of compression {block} is not what the statement says")
            }
            Self::ParameterSet => {
                f.write_str("aggregates are of keys and signatures of xmss-blake2s-l32-d42b8")
            }
            Self::SignatureCount { got, wanted } => {
                write!(f, "got {got} signatures for {wanted} keys")
            }
            Self::InvalidSignature { index } => write!(f, "signature {index} does not verify"),
            Self::Memory { wanted, limit } => {
                write!(f, "proving takes {wanted} bytes of memory, and {limit} are allowed")
            }
            Self::TooLarge => f.write_str("proving takes more memory than there are addresses"),
        }
    }
}

impl core::error::Error for Error {}

/// Why an aggregate is not accepted. All of it concerns public data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofError {
    /// More signatures than the verifier's limit.
    TooManySignatures,
    /// More compressions than the verifier's limit.
    TooManyBlocks,
    /// Not an aggregate, or of a profile that the verifier does not accept.
    UnacceptedProfile,
    /// Shorter or longer than any aggregate of the statement.
    Length,
    /// A randomizer that gives no encoding of its message.
    NoEncoding {
        /// The number of the signature.
        index: usize,
    },
    /// Check Z: some gate of the circuit is not what its inputs make it.
    Zerocheck,
    /// Check L: the factors of the gates are not those of the circuit.
    Lincheck,
    /// Check W: some wire does not lead where the statement says.
    Wiring,
    /// Check O: what was said about the committed bits is not so.
    Opening(ligerito::ProofError),
}

impl ProofError {
    /// The name of the check that failed, as in the specification.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TooManySignatures => "TooManySignatures",
            Self::TooManyBlocks => "TooManyBlocks",
            Self::UnacceptedProfile => "UnacceptedProfile",
            Self::Length => "Length",
            Self::NoEncoding { .. } => "NoEncoding",
            Self::Zerocheck => "Zerocheck",
            Self::Lincheck => "Lincheck",
            Self::Wiring => "Wiring",
            Self::Opening(_) => "Opening",
        }
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManySignatures => f.write_str("the statement has more signatures than the limit"),
            Self::TooManyBlocks => f.write_str("the statement has more compressions than the limit"),
            Self::UnacceptedProfile => f.write_str("not an aggregate of an accepted profile"),
            Self::Length => f.write_str("the aggregate is not as long as its content"),
            Self::NoEncoding { index } => {
                write!(f, "the randomizer of signature {index} gives no encoding of its message")
            }
            Self::Zerocheck => f.write_str("the zerocheck does not hold"),
            Self::Lincheck => f.write_str("the lincheck does not hold"),
            Self::Wiring => f.write_str("the wiring does not hold"),
            Self::Opening(error) => write!(f, "the opening does not hold: {error}"),
        }
    }
}

impl core::error::Error for ProofError {}
