//! What goes wrong: for those who commit and open, and for those who verify.
#![forbid(unsafe_code)]

use core::fmt;

/// A mistake of the caller who commits or opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No shape is registered for a polynomial of this many coefficients.
    PolynomialLength {
        /// Coefficients given.
        got: usize,
    },
    /// A test shape that breaks a rule of shapes.
    InvalidShape,
    /// Nothing to open.
    NoClaims,
    /// More points than one proof opens.
    TooManyClaims {
        /// Points given.
        got: usize,
    },
    /// A point with too many or too few coordinates.
    PointLength {
        /// Which point.
        claim: usize,
        /// Its coordinates.
        got: usize,
        /// The polynomial's variables.
        wanted: usize,
    },
    /// The encoded matrix does not fit into the address space.
    TooLarge,
    /// A sum of no tensors.
    NoTensors {
        /// Which claim.
        claim: usize,
    },
    /// The planes of another commitment.
    OtherPolynomial {
        /// Which orbit.
        orbit: usize,
    },
    /// A claim about a commitment that the caller's transcript has not, or only after a challenge that the claim contains.
    LateCommitment {
        /// Which claim.
        claim: usize,
    },
    /// Commitments that no proof is about together: none, more than [`MAX_COMMITMENTS`](crate::MAX_COMMITMENTS), of several
    /// presets, of one that has no table for several, or larger than its table (docs/ligerito.md, section 17).
    Together,
    /// A claim about a commitment that is not there.
    CommitmentIndex {
        /// Which claim.
        claim: usize,
    },
    /// Less memory than it takes to commit to a polynomial that is read in pieces.
    StreamingMemory {
        /// Bytes allowed.
        got: u64,
        /// The least that is needed.
        wanted: u64,
    },
    /// Images of bits that do not make 32 with the coordinates inside a word.
    BasisLength {
        /// Images given.
        got: usize,
        /// What 32 bits leave room for; 0 if there are more than five coordinates.
        wanted: usize,
    },
    /// No polynomials to stack, or more than 2^30 coefficients together.
    StackSizes,
    /// Not as many polynomials as the stack has sizes.
    StackedPolynomials {
        /// Polynomials given.
        got: usize,
        /// Sizes of the stack.
        wanted: usize,
    },
    /// A polynomial of another size than the stack has for it.
    StackedLength {
        /// Which polynomial.
        number: usize,
        /// Its coefficients.
        got: usize,
        /// What its size is.
        wanted: usize,
    },
    /// A polynomial that is not in the stack.
    NotStacked {
        /// Which one.
        number: usize,
        /// How many there are.
        of: usize,
    },
}

/// Of both enumerations, up to the number of a claim.
const LATE: &str = "the transcript does not have the commitment before what claim ";
/// The same.
const NO_SUCH: &str = "there is no commitment of the number that claim ";

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PolynomialLength { got } => {
                write!(
                    f,
                    "no shape for a polynomial of {got} coefficients: wanted 2^10 to 2^30, a power of two"
                )
            }
            Self::InvalidShape => f.write_str("the shape breaks a rule of shapes"),
            Self::NoClaims => f.write_str("no point to open"),
            Self::TooManyClaims { got } => {
                write!(f, "too many points for one proof: got {got}, wanted at most 65536")
            }
            Self::PointLength { claim, got, wanted } => {
                write!(f, "point {claim} has {got} coordinates, wanted {wanted}")
            }
            Self::TooLarge => f.write_str("the encoded polynomial does not fit into the address space"),
            Self::NoTensors { claim } => write!(f, "claim {claim} is a sum of no tensors"),
            Self::OtherPolynomial { orbit } => write!(f, "orbit {orbit} is of another commitment"),
            Self::LateCommitment { claim } => write!(f, "{LATE}{claim} depends on"),
            Self::Together => f.write_str("these commitments are not opened in one proof"),
            Self::CommitmentIndex { claim } => write!(f, "{NO_SUCH}{claim} is about"),
            Self::StreamingMemory { got, wanted } => {
                write!(f, "committing in pieces takes {wanted} bytes of memory, got {got}")
            }
            Self::BasisLength { got, wanted } => {
                write!(f, "the basis of a coefficient has {got} elements, wanted {wanted}")
            }
            Self::StackSizes => {
                f.write_str("a stack has at least one polynomial, and at most 2^30 coefficients")
            }
            Self::StackedPolynomials { got, wanted } => {
                write!(f, "the stack is of {wanted} polynomials, got {got}")
            }
            Self::StackedLength { number, got, wanted } => {
                write!(f, "polynomial {number} of the stack has {got} coefficients, wanted {wanted}")
            }
            Self::NotStacked { number, of } => {
                write!(f, "there is no polynomial {number} in a stack of {of}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// Why a polynomial that is read in pieces was not committed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<R> {
    /// A mistake of the caller.
    Refused(Error),
    /// What reading failed with.
    Read(R),
}

impl<R: fmt::Display> fmt::Display for StreamError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl<R: core::error::Error> core::error::Error for StreamError<R> {}

/// Why a proof is not accepted. All of it concerns public data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofError {
    /// Profile and size of the commitment are not among those that the verifier accepts.
    UnacceptedParams,
    /// No claim to verify.
    NoClaims,
    /// More claims than one proof opens.
    TooManyClaims,
    /// A claim whose point has too many or too few coordinates.
    PointLength {
        /// Which claim.
        claim: usize,
    },
    /// A claim about a commitment that is not there.
    CommitmentIndex {
        /// Which claim.
        claim: usize,
    },
    /// A claim without a tensor, or with one that has not a pair of factors for every variable.
    ClaimBody {
        /// Which claim.
        claim: usize,
    },
    /// A claim about a commitment that the caller's transcript has not, or only after a challenge that the claim contains.
    LateCommitment {
        /// Which claim.
        claim: usize,
    },
    /// The proof is longer or shorter than what it should contain.
    ProofLength,
    /// A nonce that does not do its work.
    ProofOfWork {
        /// The level.
        level: usize,
    },
    /// Rows that are not those of the level's commitment.
    MerkleRoot {
        /// The level.
        level: usize,
    },
    /// The same at level 0, of one of several commitments.
    MerkleRootOf {
        /// Which commitment.
        commitment: usize,
    },
    /// The final vector does not encode to an opened row.
    FinalRow {
        /// Which row.
        position: usize,
    },
    /// The final vector does not give what the claims add up to.
    FinalClaim,
}

impl ProofError {
    /// The name of the check that failed, as in the specification.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UnacceptedParams => "UnacceptedParams",
            Self::NoClaims => "NoClaims",
            Self::TooManyClaims => "TooManyClaims",
            Self::PointLength { .. } => "PointLength",
            Self::CommitmentIndex { .. } => "CommitmentIndex",
            Self::ClaimBody { .. } => "ClaimBody",
            Self::LateCommitment { .. } => "LateCommitment",
            Self::ProofLength => "ProofLength",
            Self::ProofOfWork { .. } => "ProofOfWork",
            Self::MerkleRoot { .. } | Self::MerkleRootOf { .. } => "MerkleRoot",
            Self::FinalRow { .. } => "FinalRow",
            Self::FinalClaim => "FinalClaim",
        }
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnacceptedParams => {
                f.write_str("the commitment's profile and size are not among the accepted ones")
            }
            Self::NoClaims => f.write_str("there is no claim to verify"),
            Self::TooManyClaims => f.write_str("there are more than 65536 claims"),
            Self::PointLength { claim } => {
                write!(
                    f,
                    "the point of claim {claim} has not as many coordinates as the polynomial variables"
                )
            }
            Self::CommitmentIndex { claim } => write!(f, "{NO_SUCH}{claim} is about"),
            Self::ClaimBody { claim } => {
                write!(f, "claim {claim} has no tensor, or one that has not two factors for every variable")
            }
            Self::LateCommitment { claim } => write!(f, "{LATE}{claim} depends on"),
            Self::ProofLength => f.write_str("the proof is not as long as its content"),
            Self::ProofOfWork { level } => write!(f, "the proof of work of level {level} is not done"),
            Self::MerkleRoot { level } => {
                write!(f, "the opened rows of level {level} are not the committed ones")
            }
            Self::MerkleRootOf { commitment } => {
                write!(f, "the opened rows of commitment {commitment} are not the committed ones")
            }
            Self::FinalRow { position } => write!(f, "the final vector does not encode to row {position}"),
            Self::FinalClaim => f.write_str("the final vector does not give the claimed values"),
        }
    }
}

impl core::error::Error for ProofError {}
