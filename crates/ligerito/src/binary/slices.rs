//! Integers seen as elements, and memory for elements that the operating system has already set to zero.

#![allow(
    unsafe_code,
    reason = "an element is its integer: same size, same alignment, every bit pattern valid"
)]

use super::{BinaryField, Gf16, Gf32, Gf128, Gf192};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use phalanx_core::memory::Plain;

// SAFETY: `repr(transparent)` over `u16`.
unsafe impl Plain for Gf16 {}
// SAFETY: `repr(transparent)` over `u32`.
unsafe impl Plain for Gf32 {}
// SAFETY: `repr(transparent)` over `u128`.
unsafe impl Plain for Gf128 {}
// SAFETY: `repr(transparent)` over `[u64; 3]`, the lowest limb first.
unsafe impl Plain for Gf192 {}

/// The same integers as elements of GF(2^32).
pub(crate) fn gf32s(integers: &[u32]) -> &[Gf32] {
    // SAFETY: `Gf32` is `repr(transparent)` over `u32`, and the borrow is carried over.
    unsafe { core::slice::from_raw_parts(integers.as_ptr().cast(), integers.len()) }
}

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
/// The bytes of elements as they lie in memory.
pub(crate) fn bytes(elements: &[Gf32]) -> &[u8] {
    // SAFETY: integers of four bytes, without padding; the borrow is carried over.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
/// The bytes of elements as they lie in memory.
pub(crate) fn bytes_mut(elements: &mut [Gf32]) -> &mut [u8] {
    // SAFETY: integers of four bytes, without padding, and every pattern is an element; the borrow is carried over.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

/// The little-endian bytes of elements one after the other: where they lie, or on a big-endian CPU in a copy.
pub(crate) fn le_bytes<F: BinaryField>(elements: &[F]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        // SAFETY: an element of a plain field is unsigned integers, without padding; the borrow is carried over.
        Cow::Borrowed(unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) })
    } else {
        let mut bytes = Vec::with_capacity(size_of_val(elements));
        elements.iter().for_each(|x| x.put(&mut bytes));
        Cow::Owned(bytes)
    }
}

/// The 32-bit words of elements of a large field, the lowest first: where they lie, or on a big-endian CPU in a copy.
pub(crate) fn words<F: BinaryField>(elements: &[F]) -> Cow<'_, [Gf32]> {
    const { assert!(F::LEN_BYTES.is_multiple_of(4) && size_of::<F>() == F::LEN_BYTES, "whole words") };
    words_of(elements, |x, words| {
        let mut bytes = Vec::with_capacity(F::LEN_BYTES);
        x.put(&mut bytes);
        words.extend(bytes.as_chunks().0.iter().map(|word| Gf32(u32::from_le_bytes(*word))));
    })
}

/// Bits in order, 32 to an element: bit i of integer j is bit 64 j + i.
pub(crate) fn words_of_bits(bits: &[u64]) -> Cow<'_, [Gf32]> {
    #[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
    words_of(bits, |x, words| words.extend([Gf32(*x as u32), Gf32((x >> 32) as u32)]))
}

/// What little-endian integers of whole words look like, `put` where they are not.
fn words_of<F: Plain>(elements: &[F], put: impl Fn(&F, &mut Vec<Gf32>)) -> Cow<'_, [Gf32]> {
    const { assert!(align_of::<F>() >= align_of::<Gf32>(), "aligned as words are") };
    let len = size_of_val(elements) / size_of::<Gf32>();
    if cfg!(target_endian = "little") {
        // SAFETY: plain data have no padding, are aligned and as long as so many words, any of which are elements; the
        // borrow is carried over.
        Cow::Borrowed(unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), len) })
    } else {
        let mut words = Vec::with_capacity(len);
        elements.iter().for_each(|x| put(x, &mut words));
        Cow::Owned(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_zeros_and_integers_elements() {
        assert!(phalanx_core::memory::zeros::<Gf128>(1000).iter().all(|x| *x == Gf128(0)));
        assert!(phalanx_core::memory::zeros::<Gf16>(0).is_empty());
        assert_eq!(gf32s(&[1, 0xffff_ffff]), [Gf32(1), Gf32(0xffff_ffff)]);
    }

    #[test]
    fn words_are_the_lowest_first() {
        assert_eq!(*words_of_bits(&[0x0102_0304_0506_0708, 9]), [0x0506_0708, 0x0102_0304, 9, 0].map(Gf32));
        assert_eq!(
            *words(&[Gf128(0x0102_0304 << 96 | 5), Gf128(1 << 32)]),
            [5, 0, 0, 0x0102_0304, 0, 1, 0, 0].map(Gf32)
        );
        assert_eq!(*words(&[Gf192([1 << 32, 2, 3 << 32])]), [0, 1, 2, 0, 0, 3].map(Gf32));
        assert!(words::<Gf128>(&[]).is_empty() && words_of_bits(&[]).is_empty());
    }

    #[test]
    fn bytes_are_those_that_elements_put() {
        fn check<F: BinaryField>(elements: &[F]) {
            let mut put = Vec::new();
            elements.iter().for_each(|x| x.put(&mut put));
            assert_eq!(*le_bytes(elements), put);
        }
        check(&[Gf16(0x0102), Gf16(0xfffe)]);
        check(&[Gf32(0x0102_0304), Gf32(0xffff_fffe)]);
        check(&[Gf128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10), Gf128(u128::MAX - 1)]);
        check(&[Gf192([0x0102_0304_0506_0708, 9, u64::MAX - 1]), Gf192([1, 2, 3])]);
        check::<Gf32>(&[]);
    }
}
