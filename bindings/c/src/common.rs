//! What belongs to no system: versions, backends, wiping.

use crate::ffi::{self, Team, entry};
use crate::status::{PHALANX_ERROR_UNAVAILABLE, PHALANX_ERROR_UNKNOWN_NAME, Status};
use core::ffi::{CStr, c_char};
use phalanx::{Backend, Pool as _};
use zeroize::Zeroize;

/// Bytes that belong to the caller: where they begin, and how many. Null if there are none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    /// The first byte.
    pub data: *const u8,
    /// How many.
    pub len: usize,
}

/// Threads that wait for work, so that calls need not start any: what the functions whose names end with `_on` take. Several
/// threads may use it at the same time.
pub struct Pool(pub(crate) Team);

/// Starts a pool of `threads` threads, the calling one included: 0 is one for each core, and 1 starts none. End it with
/// `phalanx_pool_free`. A process that forks has no threads in the child: it makes a pool of its own there.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_pool_new(pool: *mut *mut Pool, threads: u32) -> Status {
    entry!({ ffi::give(pool, || Ok(Pool(ffi::threads(threads)))) })
}

/// Ends a pool and its threads. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pool_free(pool: *mut Pool) {
    ffi::free(pool);
}

/// How many threads work in calls on the pool, the calling one included; 1 for null.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pool_threads(pool: *const Pool) -> u32 {
    // SAFETY: the caller keeps the header's rules of pointers.
    let count = ffi::guard_value(1, || unsafe { team(pool) }.threads());
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The team of a pool; the calling thread alone for null.
///
/// # Safety
/// As [`ffi::value`].
pub(crate) unsafe fn team<'a>(pool: *const Pool) -> &'a Team {
    // SAFETY: as the caller's.
    unsafe { pool.as_ref() }.map_or(Team::ALONE, |pool| &pool.0)
}

/// The version of the library, such as `"0.1.0"`. Compare with `PHALANX_VERSION`, that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    CStr::from_bytes_with_nul(VERSION.as_bytes()).unwrap_or(c"").as_ptr()
}

/// The name of the kernels that calls on this thread use: `"portable"`, `"avx2"`, `"avx512-ifma"`, `"neon"`, … The best that
/// this CPU runs, or the one that the environment variable `PHALANX_BACKEND` names. Answers never depend on it.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_backend() -> *const c_char {
    ffi::guard_value(c"portable".as_ptr(), || terminated(Backend::current().name()))
}

/// Whether this CPU runs the kernels called `name`: `PHALANX_OK`, `PHALANX_ERROR_UNAVAILABLE` or
/// `PHALANX_ERROR_UNKNOWN_NAME`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_backend_available(name: *const c_char) -> Status {
    entry!({
        let backend = Backend::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        if backend.is_available() { Ok(()) } else { Err(PHALANX_ERROR_UNAVAILABLE) }
    })
}

/// Overwrites `bytes_len` bytes with zeros, in a way that no optimiser removes: for seeds and keys in the caller's memory.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_wipe(bytes: *mut u8, bytes_len: usize) {
    // What is refused (null, a length that no object has) has nothing to wipe.
    let _ = entry!({
        ffi::slice_mut(bytes, bytes_len)?.zeroize();
        Ok(())
    });
}

/// The text of one of the library's names with a zero byte behind it; null if it is none of them.
pub(crate) fn terminated(name: &str) -> *const c_char {
    /// Every name that a function of the header answers.
    const NAMES: &[&CStr] = &[
        c"portable",
        c"sse41",
        c"avx2",
        c"avx2-gfni",
        c"avx512",
        c"avx512-ifma",
        c"neon",
        c"wasm128",
        c"xmss-poseidon2-l8-d64b8",
        c"xmss-poseidon2-l18-d64b8",
        c"xmss-poseidon2-l32-d64b8",
        c"xmss-poseidon2-l32-d48b10",
        c"xmss-poseidon2-l32-d32b26",
        c"xmss-poseidon1-l32-d46b8",
        c"xmss-poseidon1-l8-d4b8-test",
        c"xmss-blake2s-l32-d42b8",
        c"xmss-blake2s-a-l32-d42b8",
        c"ssz",
        c"bincode",
        c"bincode2",
        c"json",
        c"bincode-padded",
        c"strict",
        c"zip215",
        c"rfc8032",
        c"cofactorless",
        c"zig-std",
        c"rescue-rp64-256",
        c"rescue-jive-256",
        c"rpo-256",
        c"rpx-256",
        c"aggregate-v1-provable100",
        c"aggregate-v1-provable128",
        c"balanced",
        c"compact",
    ];
    NAMES
        .iter()
        .find(|known| known.to_bytes() == name.as_bytes())
        .map_or(core::ptr::null(), |known| known.as_ptr())
}

/// Panics inside, to show that the panic comes back as `PHALANX_ERROR_INTERNAL`. Only in builds for that test.
#[cfg(feature = "panic-test")]
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_panic_test() -> Status {
    ffi::guard(|| panic!("on purpose, to be caught before it reaches C"))
}
