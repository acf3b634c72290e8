//! What both sides know before the first message: the beginning of the transcript.
#![forbid(unsafe_code)]

use super::claims::{EvaluationClaim, SumClaim};
use super::layout::Layout;
use super::shape::Shape;
use super::suite::Hashing;
use crate::binary::ChallengeField;
use crate::transcripts::Transcript;
use alloc::vec::Vec;

/// Binds suite, context, shape, root and claims of an opening at points. The next squeeze depends on all of them.
pub(super) fn begin<E: ChallengeField>(
    hashing: &Hashing,
    suite: &str,
    context: &[u8],
    shape: &Shape,
    root: &[u8; 32],
    claims: &[EvaluationClaim<'_, E>],
) -> Transcript {
    let mut transcript = Transcript::new(hashing.transcript_context);
    transcript.absorb("suite", &[suite.as_bytes()]);
    transcript.absorb("ctx", &[context]);
    transcript.absorb("params", &[&shape.to_bytes()]);
    transcript.absorb("root0", &[root]);
    transcript.absorb("claims", &[&(claims.len() as u64).to_le_bytes()]);
    for EvaluationClaim { point, value } in claims {
        transcript.absorb_elements("point", point);
        transcript.absorb_elements("value", &[*value]);
    }
    transcript
}

/// Binds the statement of an opening of weighted sums, whatever the transcript has heard before. `commitments` are what is
/// published of the polynomials, all of the bytes.
pub(super) fn begin_sums<E: ChallengeField>(
    transcript: &mut Transcript,
    suite: &str,
    context: &[u8],
    layout: &Layout,
    commitments: &[impl AsRef<[u8]>],
    claims: &[(usize, SumClaim<'_, E>)],
) {
    let commitments: Vec<&[u8]> = commitments.iter().map(AsRef::as_ref).collect();
    transcript.absorb("suite", &[suite.as_bytes()]);
    transcript.absorb("ctx", &[context]);
    transcript.absorb("params", &[&layout.params()]);
    transcript.absorb("commitments", &commitments);
    transcript.absorb("claims", &[&(claims.len() as u64).to_le_bytes()]);
    for (commitment, claim) in claims {
        claim.absorb(u32::try_from(*commitment).expect("few commitments"), transcript);
    }
}

/// Where a commitment of a suite with samples has its sample: a point that nobody knew before the root.
pub(super) fn sample_point<E: ChallengeField>(
    hashing: &Hashing,
    suite: &str,
    shape: &Shape,
    root: &[u8; 32],
) -> Vec<E> {
    let mut transcript = Transcript::new(hashing.transcript_context);
    transcript.absorb("suite", &[suite.as_bytes()]);
    transcript.absorb("params", &[&shape.to_bytes()]);
    transcript.absorb("root0", &[root]);
    out_of_domain(&mut transcript, shape.variables())
}

/// The point of a sample, with so many coordinates.
pub(super) fn out_of_domain<E: ChallengeField>(transcript: &mut Transcript, coordinates: u8) -> Vec<E> {
    (0..coordinates).map(|_| transcript.challenge("ood")).collect()
}
