//! What is proved, and the beginning of the transcript, which binds it.
#![forbid(unsafe_code)]

use super::config::Config;
use crate::binary::Gf32;
use crate::transcripts::Published;

/// Which of the crate's transcripts the challenges come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TranscriptKind {
    /// SHA-256 with seed 1234, as the crate's `prove_sha256`.
    Sha256,
    /// Merlin, as the crate's `prove` with its default features.
    Merlin,
}

impl TranscriptKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Sha256, Self::Merlin];

    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Merlin => "merlin",
        }
    }

    /// The kind called `name`, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn start(self) -> Published {
        match self {
            Self::Sha256 => Published::sha256(1234, false),
            Self::Merlin => Published::merlin(),
        }
    }
}

/// The claim that a coefficient of the polynomial has a value: its multilinear extension at a Boolean point. The crate
/// has no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoefficientClaim {
    /// Which coefficient: bit j of the index is coordinate j of the point.
    pub index: u64,
    /// Its value, an element of GF(2^32).
    pub value: u32,
}

/// Binds configuration, root and claims.
pub(super) fn begin(
    config: &Config,
    kind: TranscriptKind,
    root: &[u8; 32],
    claims: &[CoefficientClaim],
) -> Published {
    let mut transcript = kind.start();
    transcript.absorb_bytes("ligerito-v1-config", &config.to_bytes());
    transcript.absorb_root(root);
    transcript.absorb_bytes("ligerito-v1-claims", &(claims.len() as u64).to_le_bytes());
    for claim in claims {
        transcript.absorb_bytes("ligerito-v1-claim-index", &claim.index.to_le_bytes());
        transcript.absorb_element(Gf32(claim.value));
    }
    transcript
}
