//! What both sides know before the first message: the beginning of the transcript.
#![forbid(unsafe_code)]

use super::claims::{EvaluationClaim, SumClaim};
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

/// Binds the statement of an opening of weighted sums, whatever the transcript has heard before. `commitment` is what is
/// published of the polynomial, all of its bytes.
pub(super) fn begin_sums<E: ChallengeField>(
    transcript: &mut Transcript,
    suite: &str,
    context: &[u8],
    shape: &Shape,
    commitment: &[u8],
    claims: &[SumClaim<'_, E>],
) {
    transcript.absorb("suite", &[suite.as_bytes()]);
    transcript.absorb("ctx", &[context]);
    transcript.absorb("params", &[&params(shape)]);
    transcript.absorb("commitments", &[commitment]);
    transcript.absorb("claims", &[&(claims.len() as u64).to_le_bytes()]);
    for claim in claims {
        claim.absorb(0, transcript);
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

/// The shape as an opening of weighted sums absorbs it: log2 of the columns, how many levels follow; d, r, Q of level 0; d,
/// k, r, Q, g of every later level; g of level 0.
fn params(shape: &Shape) -> Vec<u8> {
    let (first, later) = shape.levels().split_first().expect("a shape has at least one level");
    let count = u8::try_from(later.len()).expect("at most 16 levels");
    let mut bytes = alloc::vec![first.log2_columns, count, first.log2_message, first.log2_inverse_rate];
    bytes.extend(first.queries.to_le_bytes());
    for level in later {
        bytes.extend([level.log2_message, level.log2_columns, level.log2_inverse_rate]);
        bytes.extend(level.queries.to_le_bytes());
        bytes.push(level.grinding_bits);
    }
    bytes.push(first.grinding_bits);
    bytes
}
