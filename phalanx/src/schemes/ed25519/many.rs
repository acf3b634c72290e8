//! Many signatures, independently: a verdict for each, equal to single verification.

use super::{Error, Profile, verify};
use crate::{Inline, Job, Pool};
use alloc::boxed::Box;

/// One signature to verify, as bytes: lengths other than 32 and 64 are judged invalid, not refused.
#[derive(Clone, Copy, Debug)]
pub struct BatchElement<'a> {
    /// 32 bytes.
    pub public_key: &'a [u8],
    /// Any number of bytes.
    pub message: &'a [u8],
    /// 64 bytes.
    pub signature: &'a [u8],
}

/// Signatures handed to one job of a pool.
const CHUNK: usize = 64;

/// Verifies each element under `profile` and writes its verdict: `verdicts[i]` is what [`verify`] says about
/// `elements[i]`.
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length; nothing is written then.
pub fn verify_many(
    profile: Profile,
    elements: &[BatchElement<'_>],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    verify_many_on(&Inline, profile, elements, verdicts)
}

/// [`verify_many`] on the threads of `pool`, in chunks of 64.
///
/// # Errors
/// As [`verify_many`].
pub fn verify_many_on(
    pool: &impl Pool,
    profile: Profile,
    elements: &[BatchElement<'_>],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    if elements.len() != verdicts.len() {
        return Err(Error::LengthMismatch { wanted: elements.len(), got: verdicts.len() });
    }
    let chunks = elements.chunks(CHUNK).zip(verdicts.chunks_mut(CHUNK));
    pool.run(
        chunks
            .map(|(elements, verdicts)| {
                Box::new(move || verify_chunk(profile, elements, verdicts)) as Job<'_>
            })
            .collect(),
    );
    Ok(())
}

fn verify_chunk(profile: Profile, elements: &[BatchElement<'_>], verdicts: &mut [bool]) {
    for (element, verdict) in elements.iter().zip(verdicts) {
        *verdict = verify(profile, element.public_key, element.message, element.signature).is_ok();
    }
}
