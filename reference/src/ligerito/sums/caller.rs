//! The caller's transcript (spec section D): what stands in it before an opening, and its rules, read off the stream.
//!
//! [`open`](super::open) and [`verify_in`](super::verify_in) go on with any transcript. Here are the frames that our callers
//! begin with, and a judge who has nothing but the stream and what was squeezed from it.

use super::super::field::{Large, large_bytes};
use super::super::transcript::Transcript;
use super::{Claim, Committed34, Numbered};

/// A transcript of a protocol of one's own. The instance comes first (rule 1): the outer statement with its parameters.
pub fn begin<N: Large>(protocol: &'static str, statement: &[u8]) -> Transcript<N> {
    let mut transcript = Transcript::of_suite(protocol);
    transcript.absorb("statement", statement);
    transcript
}

/// Absorbs a commitment, all 34 bytes (rule 4).
pub fn bind<N: Large>(transcript: &mut Transcript<N>, commitment: &Committed34<N>) {
    transcript.absorb("commitment", &commitment.to_bytes());
}

/// What a caller of another hash absorbs into a transcript of its own once an opening on a transcript of ours, bound to 32
/// bytes squeezed from that one, has succeeded.
pub fn out<N: Large>(transcript: &mut Transcript<N>) -> Vec<u8> {
    transcript.squeeze("out", 32)
}

/// An operation, read back from the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Label and data.
    Absorb(String, Vec<u8>),
    /// Label and how many bytes.
    Squeeze(String, u64),
}

/// The operations that a stream consists of (rule 2); `None` if it is none.
pub fn operations(mut stream: &[u8]) -> Option<Vec<Operation>> {
    fn take<'a>(stream: &mut &'a [u8], len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = stream.split_at_checked(usize::try_from(len).ok()?)?;
        *stream = rest;
        Some(taken)
    }
    let mut operations = Vec::new();
    while !stream.is_empty() {
        let kind = take(&mut stream, 1)?[0];
        let label_len = u32::from_le_bytes(take(&mut stream, 4)?.try_into().ok()?);
        let label = String::from_utf8(take(&mut stream, label_len.into())?.to_vec()).ok()?;
        let len = u64::from_le_bytes(take(&mut stream, 8)?.try_into().ok()?);
        operations.push(match kind {
            1 => Operation::Absorb(label, take(&mut stream, len)?.to_vec()),
            2 => Operation::Squeeze(label, len),
            _ => return None,
        });
    }
    Some(operations)
}

/// The first claim with an element that was squeezed before its commitment was absorbed whole (rule 4); the first claim of a
/// commitment that was not absorbed at all.
pub fn late<N: Large>(
    transcript: &Transcript<N>,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
) -> Option<usize> {
    let operations = operations(&transcript.stream).expect("the stream of a whole transcript");
    let is_late = |(a, claim): &Numbered<N>| {
        let whole = commitments[*a].to_bytes();
        let absorbs =
            |operation: &Operation| matches!(operation, Operation::Absorb(_, data) if *data == whole);
        let Some(place) = operations.iter().position(absorbs) else { return true };
        let squeezed = operations[..place].iter().filter(|op| matches!(op, Operation::Squeeze(..))).count();
        let early = &transcript.squeezes[..squeezed];
        let mut elements = elements(claim).into_iter().map(|element| large_bytes(&[element]));
        elements.any(|element| early.iter().any(|(_, output)| *output == element))
    };
    claims.iter().position(is_late)
}

/// Everything that a claim is made of, but for what stands in a description: that is the caller's.
fn elements<N: Large>(claim: &Claim<N>) -> Vec<N> {
    let mut elements = claim.values();
    match claim {
        Claim::Point(z, _) | Claim::Planes(z, _) => elements.extend(z),
        Claim::Described(..) => {}
        Claim::Tensors(tensors, _) => {
            for tensor in tensors {
                elements.push(tensor.scale);
                tensor.factors.iter().for_each(|&(zero, one)| elements.extend([zero, one]));
            }
        }
    }
    elements
}
