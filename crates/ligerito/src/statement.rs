//! What both sides know before the first message: the beginning of the transcript.
#![forbid(unsafe_code)]

use super::shape::Shape;
use super::suite::Hashing;
use super::weight::Weight;
use crate::binary::{ChallengeField, le_bytes};
use crate::transcripts::Transcript;

/// Most claims of one proof.
pub const MAX_CLAIMS: usize = 65536;

/// Binds suite, context, shape, root and claims. The next squeeze depends on all of them.
pub(super) fn begin<E: ChallengeField, W: Weight<E>>(
    hashing: &Hashing,
    suite: &str,
    context: &[u8],
    shape: &Shape,
    root: &[u8; 32],
    claims: &[(W, E)],
) -> Transcript {
    let mut transcript = Transcript::new(hashing.transcript_context);
    transcript.absorb("suite", &[suite.as_bytes()]);
    transcript.absorb("ctx", &[context]);
    transcript.absorb("params", &[&shape.to_bytes()]);
    transcript.absorb("root0", &[root]);
    transcript.absorb("claims", &[&(claims.len() as u64).to_le_bytes()]);
    for (weight, value) in claims {
        weight.absorb(&mut transcript);
        transcript.absorb("value", &[&le_bytes(core::slice::from_ref(value))]);
    }
    transcript
}
