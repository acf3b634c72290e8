//! Questions and requests to valgrind's memcheck, by the instruction sequence that it looks for and that does nothing
//! elsewhere. Source: valgrind.h and memcheck.h of valgrind 3.19, for amd64.

#![allow(unsafe_code, reason = "the instruction sequence that valgrind listens for")]

use core::arch::asm;

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
/// 'M', 'C': requests to memcheck.
const MEMCHECK: usize = 0x4d43_0000;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;

/// The answer to `number`; 0 if nobody listens.
fn request(number: usize, a: usize, b: usize, c: usize) -> usize {
    let block = [number, a, b, c, 0, 0];
    let answer;
    // SAFETY: four rotations by 128 bits in all and an exchange of a register with itself change nothing; valgrind reads
    // the block and answers in rdx, and what it writes at the caller's addresses is its own shadow memory, or `vbits`.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") block.as_ptr(),
            inout("rdx") 0usize => answer,
            options(nostack),
        );
    }
    answer
}

pub(crate) fn is_listening() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0, 0) > 0
}

/// How many errors have been reported so far.
pub(crate) fn errors() -> usize {
    request(COUNT_ERRORS, 0, 0, 0)
}

/// Marks the bytes as secret: what depends on them may not decide a branch or an address.
pub(crate) fn taint(bytes: &mut [u8]) {
    request(MAKE_MEM_UNDEFINED, bytes.as_mut_ptr() as usize, bytes.len(), 0);
}

/// Marks the bytes as public.
pub(crate) fn untaint(bytes: &mut [u8]) {
    request(MAKE_MEM_DEFINED, bytes.as_mut_ptr() as usize, bytes.len(), 0);
}

/// Marks a value as public without what it points to.
pub(crate) fn untaint_value<T>(value: &mut T) {
    request(MAKE_MEM_DEFINED, core::ptr::from_mut(value) as usize, size_of::<T>(), 0);
}

/// How many of the bytes depend on a secret in some bit.
pub(crate) fn tainted(bytes: &[u8]) -> usize {
    let mut vbits = vec![0u8; bytes.len()];
    let answer = request(GET_VBITS, bytes.as_ptr() as usize, vbits.as_mut_ptr() as usize, bytes.len());
    assert_eq!(answer, 1, "memcheck tells its view of the bytes");
    std::hint::black_box(&mut vbits).iter().filter(|bits| **bits != 0).count()
}
