//! Elements of Plonky3 as the words that they are.
#![allow(unsafe_code, reason = "the same memory under another type, without a copy")]

#[cfg(feature = "goldilocks")]
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;

/// Words of a digest.
pub(crate) const DIGEST: usize = 8;

// Not proved by it, but what would most likely change with another layout.
const _: () = assert!(size_of::<KoalaBear>() == 4 && align_of::<KoalaBear>() == align_of::<u32>());

/// The Montgomery words of elements, each below p.
pub(crate) fn words(elements: &[KoalaBear]) -> &[u32] {
    // SAFETY: `MontyField31` is a transparent u32, which holds the Montgomery word (radix 2^32) below p; the pinned version is
    // the one this was read in, and the tests compare values.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

/// Memory of elements for words. Whoever writes them writes Montgomery words below p.
pub(crate) fn words_mut(elements: &mut [KoalaBear]) -> &mut [u32] {
    // SAFETY: as in `words`. Every u32 is a value of the type; that arithmetic is right for those below p only is no matter
    // of memory.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}

#[cfg(feature = "goldilocks")]
const _: () = assert!(size_of::<Goldilocks>() == 8 && align_of::<Goldilocks>() == align_of::<u64>());

/// Memory of elements for words of 64 bits, which need not be canonical.
#[cfg(feature = "goldilocks")]
pub(crate) fn words64_mut(elements: &mut [Goldilocks]) -> &mut [u64] {
    // SAFETY: `Goldilocks` is a transparent u64, of which every value stands for its residue; the pinned version is the one
    // this was read in, and the tests compare values.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}
