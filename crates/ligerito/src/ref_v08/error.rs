//! What goes wrong: for those who prove, and for those who verify.
#![forbid(unsafe_code)]

use core::fmt;
use phalanx_core::Malformed;

/// A mistake of the caller who proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Not as many coefficients as the configuration is for.
    PolynomialLength {
        /// Coefficients given.
        got: usize,
        /// 2^variables.
        wanted: u64,
    },
    /// A claim about a coefficient that the polynomial does not have.
    ClaimIndex {
        /// Which claim.
        claim: usize,
        /// Its index.
        got: u64,
        /// The number of coefficients.
        len: u64,
    },
    /// A claim that is false.
    ClaimValue {
        /// Which claim.
        claim: usize,
        /// The value claimed.
        got: u32,
        /// The coefficient.
        wanted: u32,
    },
    /// The encoded polynomial does not fit into the address space.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PolynomialLength { got, wanted } => {
                write!(f, "the polynomial has {got} coefficients, wanted {wanted}")
            }
            Self::ClaimIndex { claim, got, len } => {
                write!(f, "claim {claim} is about coefficient {got} of a polynomial of {len}")
            }
            Self::ClaimValue { claim, got, wanted } => {
                write!(f, "claim {claim} is false: claimed {got}, the coefficient is {wanted}")
            }
            Self::TooLarge => f.write_str("the encoded polynomial does not fit into the address space"),
        }
    }
}

impl core::error::Error for Error {}

/// Why a proof is not accepted. All of it concerns public data. Level 0 is the polynomial's own matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofError {
    /// A claim about a coefficient that the polynomial does not have.
    ClaimIndex {
        /// Which claim.
        claim: usize,
    },
    /// The bytes are not those of a proof of this configuration: a length, a count or a tag is wrong, or bytes are
    /// missing or left over.
    Encoding {
        /// The level that the part belongs to.
        level: u8,
        /// The part.
        malformed: Malformed,
    },
    /// The proof is about another root than the expected one.
    InitialRoot,
    /// The evaluation rounds at level 0, or a later round of sumcheck: the values at 0 and 1 do not add up.
    Round {
        /// The level whose columns are folded.
        level: u8,
        /// The round within the level.
        round: u8,
    },
    /// There are more or fewer siblings than the opened rows need.
    Siblings {
        /// The level.
        level: u8,
    },
    /// Rows that are not those of the level's commitment.
    MerkleRoot {
        /// The level.
        level: u8,
    },
    /// The final vector does not encode to an opened row.
    FinalRow {
        /// Which of the opened rows.
        query: u16,
        /// Where it stands in the codeword.
        position: u32,
    },
    /// The final vector does not give the sum that all rounds led to.
    FinalSum,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClaimIndex { claim } => {
                write!(f, "claim {claim} is about a coefficient that does not exist")
            }
            Self::Encoding { level, malformed } => write!(f, "level {level}: {malformed}"),
            Self::InitialRoot => f.write_str("the proof is not about the expected root"),
            Self::Round { level, round } => {
                write!(f, "level {level}, round {round}: the values at 0 and 1 do not add up to the sum")
            }
            Self::Siblings { level } => write!(f, "level {level}: the number of siblings is wrong"),
            Self::MerkleRoot { level } => {
                write!(f, "level {level}: the opened rows are not the committed ones")
            }
            Self::FinalRow { query, position } => {
                write!(f, "query {query}: the final vector does not encode to row {position}")
            }
            Self::FinalSum => f.write_str("the final vector does not give the sum of the rounds"),
        }
    }
}

impl core::error::Error for ProofError {}
