//! The file of an opening `ligerito-v2` as the command line writes it: of several polynomials, or of bits or bytes.
//!
//! A proof is not enough of a file then: what is claimed of bits and bytes are planes, which the prover sends. So a mark of
//! sixteen bytes comes first, then the profile, the coefficients and the numbers of commitments and claims, little-endian;
//! then the planes of every claim, if it is about bits or bytes; then the proof.

use crate::reading::Reading;
use phalanx::ligerito::{PLANES, Preset, SUMS_SUITE, johnson128, provable128};
use std::collections::BTreeMap;

/// How every such file begins.
const MARK: [u8; 16] = *b"ligerito-v2-file";

/// What a polynomial's words of 32 bits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficients {
    /// Themselves.
    Words,
    /// 32 bits each, the first one in the lowest bit.
    Bits,
    /// Four bytes each, the first one in the lowest bits: elements of the field of AES.
    Bytes,
}

impl Coefficients {
    const ALL: [Self; 3] = [Self::Words, Self::Bits, Self::Bytes];

    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Bits => "bits",
            Self::Bytes => "bytes",
        }
    }

    /// Variables of the place inside a word.
    #[must_use]
    pub fn variables(self) -> u8 {
        match self {
            Self::Words => 0,
            Self::Bits => 5,
            Self::Bytes => 2,
        }
    }

    fn code(self) -> u8 {
        match self {
            Self::Words => 0,
            Self::Bits => 1,
            Self::Bytes => 2,
        }
    }
}

/// What stands before planes and proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofFile {
    /// The number of the profile, in which a commitment begins.
    pub profile: u8,
    /// What the claims are about.
    pub coefficients: Coefficients,
    /// How many polynomials.
    pub commitments: u16,
    /// How many claims.
    pub claims: u32,
}

impl ProofFile {
    /// Length of what stands before planes and proof.
    pub const LEN_BYTES: usize = 24;

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LEN_BYTES] {
        let mut bytes = [0; Self::LEN_BYTES];
        bytes[..16].copy_from_slice(&MARK);
        (bytes[16], bytes[17]) = (self.profile, self.coefficients.code());
        bytes[18..20].copy_from_slice(&self.commitments.to_le_bytes());
        bytes[20..].copy_from_slice(&self.claims.to_le_bytes());
        bytes
    }

    /// What a file begins with, and what follows; `None` if it is none.
    #[must_use]
    pub fn read(file: &[u8]) -> Option<(Self, &[u8])> {
        let (head, rest) = file.split_first_chunk::<{ Self::LEN_BYTES }>()?;
        let coefficients = Coefficients::ALL.into_iter().find(|one| one.code() == head[17])?;
        let head_read = Self {
            profile: head[16],
            coefficients,
            commitments: u16::from_le_bytes([head[18], head[19]]),
            claims: u32::from_le_bytes([head[20], head[21], head[22], head[23]]),
        };
        (head_read.to_bytes() == *head).then_some((head_read, rest))
    }

    /// Bytes of the planes, if elements have so many.
    #[must_use]
    pub fn planes_len_bytes(&self, element_len_bytes: usize) -> usize {
        match self.coefficients {
            Coefficients::Words => 0,
            _ => (self.claims as usize).saturating_mul(PLANES * element_len_bytes),
        }
    }
}

/// The reading of such a file.
pub(crate) fn reading(bytes: &[u8]) -> Option<Reading> {
    let (head, rest) = ProofFile::read(bytes)?;
    let (suite, profile, element) = if let Some(profile) = Preset::from_code(head.profile) {
        (SUMS_SUITE, profile.name(), 16)
    } else if let Some(profile) = provable128::Preset::from_code(head.profile) {
        (provable128::SUMS_SUITE, profile.name(), 24)
    } else {
        (johnson128::SUITE, johnson128::Preset::from_code(head.profile)?.name(), 24)
    };
    let proof = rest.len().checked_sub(head.planes_len_bytes(element)).filter(|len| *len > 0)?;
    Some(Reading {
        kind: "proof",
        scheme: Some(suite.to_owned()),
        details: BTreeMap::from([
            ("claims", head.claims.to_string()),
            ("coefficients", head.coefficients.name().to_owned()),
            ("commitments", head.commitments.to_string()),
            ("profile", profile.to_owned()),
            ("proof itself", format!("{proof} bytes")),
        ]),
        ..Reading::default()
    })
}
