//! Assembler without an instruction: what the optimiser must not conclude, or must keep in order.
#![allow(unsafe_code, reason = "assembler blocks of no instruction")]

use core::arch::asm;
use core::arch::x86_64::{__m256d, __m256i, __m512d, __m512i};
use core::mem::MaybeUninit;

/// The same number, from which the optimiser concludes nothing. What leads here stays as it is written, so that an `if`
/// around it stays a branch.
#[cfg(not(miri))]
#[inline(always)]
#[must_use]
pub fn opaque(mut x: u64) -> u64 {
    // SAFETY: a register is named and nothing is done.
    unsafe { asm!("/* {} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

/// The same pointer; what was stored behind it is in memory, and is read from there, not from the register that was
/// stored.
#[inline(always)]
#[must_use]
pub fn opaque_pointer<T>(mut x: *mut T) -> *mut T {
    // SAFETY: a register is named and nothing is done.
    unsafe { asm!("/* {} */", inout(reg) x, options(nostack, preserves_flags)) };
    x
}

/// The same vector, from which the optimiser concludes nothing.
#[inline]
#[target_feature(enable = "avx2")]
#[must_use]
pub fn opaque_ymm(mut x: __m256i) -> __m256i {
    // SAFETY: a register is named and nothing is done.
    unsafe { asm!("/* {} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// The same vector, from which the optimiser concludes nothing.
#[inline]
#[target_feature(enable = "avx512f")]
#[must_use]
pub fn opaque_zmm(mut x: __m512i) -> __m512i {
    // SAFETY: a register is named and nothing is done.
    unsafe { asm!("/* {} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// The same vectors, all computed before any of them is used, and in the order of the calls.
#[inline]
#[target_feature(enable = "avx2")]
#[must_use]
pub fn in_order_ymm(mut a: __m256i, mut b: __m256i, mut c: __m256d) -> (__m256i, __m256i, __m256d) {
    // SAFETY: registers are named and nothing is done.
    unsafe {
        asm!(
            "/* {} {} {} */",
            inout(ymm_reg) a,
            inout(ymm_reg) b,
            inout(ymm_reg) c,
            options(nomem, nostack, preserves_flags)
        );
    }
    (a, b, c)
}

/// The same vectors, all computed before any of them is used, and in the order of the calls.
#[inline]
#[target_feature(enable = "avx512f")]
#[must_use]
pub fn in_order_three_zmm(mut a: __m512i, mut b: __m512i, mut c: __m512d) -> (__m512i, __m512i, __m512d) {
    // SAFETY: registers are named and nothing is done.
    unsafe {
        asm!(
            "/* {} {} {} */",
            inout(zmm_reg) a,
            inout(zmm_reg) b,
            inout(zmm_reg) c,
            options(nomem, nostack, preserves_flags)
        );
    }
    (a, b, c)
}

/// The same vectors, both computed before one of them is used, and in the order of the calls.
#[inline]
#[target_feature(enable = "avx512f")]
#[must_use]
pub fn in_order_zmm([mut a, mut b]: [__m512i; 2]) -> [__m512i; 2] {
    // SAFETY: registers are named and nothing is done.
    unsafe {
        asm!("/* {} {} */", inout(zmm_reg) a, inout(zmm_reg) b, options(nomem, nostack, preserves_flags))
    };
    [a, b]
}

/// The same vector, which the optimiser believes to need `done`.
#[inline]
#[target_feature(enable = "avx512f")]
#[must_use]
pub fn after_zmm(mut x: __m512i, [d0, d1, d2, d3, d4]: [__m512i; 5]) -> __m512i {
    // SAFETY: registers are named and nothing is done.
    unsafe {
        asm!(
            "/* {} {} {} {} {} {} */",
            inout(zmm_reg) x,
            in(zmm_reg) d0,
            in(zmm_reg) d1,
            in(zmm_reg) d2,
            in(zmm_reg) d3,
            in(zmm_reg) d4,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    x
}

/// Aligns the caller's frame as `V` is: the compiler sees a local of that type whose address is taken before it
/// allocates registers. Otherwise it aligns spilled vectors to 16 bytes, and most of them cross a cache line.
#[inline(always)]
pub fn align_frame<V>() {
    let anchor = MaybeUninit::<V>::uninit();
    // SAFETY: the address is only looked at.
    unsafe { asm!("/* {} */", in(reg) (&raw const anchor).addr(), options(nomem, nostack, preserves_flags)) }
}
