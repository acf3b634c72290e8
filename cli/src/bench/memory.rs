//! Memory that the program keeps.

#![allow(unsafe_code, reason = "a setting of the C library")]

/// Has the allocator keep what is freed for the next allocation. By default glibc gives large blocks back to the
/// system, which clears them before it hands them out again: a tenth of the time of a Ligerito proof. A program that
/// makes one proof after the other would not pay that either.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn keep() {
    use core::ffi::c_int;
    /// From `malloc.h`: memory from the free end of the heap goes back when there is more than so much; -1: never.
    const M_TRIM_THRESHOLD: c_int = -1;
    /// Blocks of pages of their own at most.
    const M_MMAP_MAX: c_int = -4;
    // SAFETY: this is its declaration in `malloc.h`; `std` links the C library.
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    // SAFETY: settings that the manual describes. Refusals change nothing but times.
    unsafe {
        mallopt(M_TRIM_THRESHOLD, -1);
        mallopt(M_MMAP_MAX, 0);
    }
}

/// Other allocators do as they like.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn keep() {}
