//! Where C calls Rust: pointers and lengths become slices here, results are written here, and no panic leaves this module.
//!
//! The functions are unsafe because they believe what the caller says about its pointers; [`entry`] is where that belief
//! is stated, once, for every function of the header.

use crate::status::{
    PHALANX_ERROR_BUFFER_TOO_SMALL, PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT,
    PHALANX_ERROR_NULL_POINTER, PHALANX_OK, Status,
};
use core::ffi::{CStr, c_char};
use phalanx::{Inline, Job, Pool, Threads};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The body of a function of the header: a block that ends in `Result<(), Status>`, in which the functions of this
/// module may be called with the pointers that came from C.
macro_rules! entry {
    ($body:block) => {
        $crate::ffi::guard(|| {
            // SAFETY: the caller keeps the header's rules of pointers, which are what the functions of `ffi` ask for.
            unsafe { $body }
        })
    };
}
pub(crate) use entry;

/// Runs `body`; a panic becomes [`PHALANX_ERROR_INTERNAL`]. Its message has gone to standard error by then, as Rust does:
/// a hook that silences it would be one for the whole program, and the message is what a report of the fault needs.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Status>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => PHALANX_OK,
        Ok(Err(status)) => status,
        Err(_) => PHALANX_ERROR_INTERNAL,
    }
}

/// As [`guard`], for functions that answer something else than a status: `fallback` after a panic.
pub(crate) fn guard_value<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

/// `length` elements from `pointer` on. Null is an empty slice if the length is 0, else refused.
///
/// # Safety
/// If the length is not 0, `pointer` is null or that many initialised elements are there, and nobody writes to them
/// during the call.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize) -> Result<&'a [T], Status> {
    check_extent(pointer, length)?;
    if length == 0 {
        return Ok(&[]);
    }
    // SAFETY: not null, aligned and short enough by the check above, the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// `length` elements from `pointer` on, to be changed in place. Null is an empty slice if the length is 0, else refused.
///
/// # Safety
/// As [`slice`]; and nobody else looks at the elements during the call.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, length: usize) -> Result<&'a mut [T], Status> {
    check_extent(pointer, length)?;
    if length == 0 {
        return Ok(&mut []);
    }
    // SAFETY: not null, aligned and short enough by the check above, the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, length) })
}

/// Where field `i` of `count` packed records lies: `len` bytes each, the next one `stride` bytes on. A stride of 0 is the same
/// field for all. Strides below the length are fine: the fields are only read.
///
/// # Safety
/// As [`slice`], for every field.
pub(crate) unsafe fn strided<'a>(
    data: *const u8,
    len: usize,
    stride: usize,
    count: usize,
) -> Result<impl Iterator<Item = &'a [u8]>, Status> {
    if count > 0 && len > 0 {
        let last = stride.checked_mul(count - 1).and_then(|offset| offset.checked_add(len));
        check_extent(data, last.ok_or(PHALANX_ERROR_INVALID_ARGUMENT)?)?;
    }
    // SAFETY: within the extent that was checked, which the caller promises to be there; with no bytes, any pointer will do.
    let field = move |i| unsafe {
        if len == 0 { &[] } else { core::slice::from_raw_parts(data.add(i * stride), len) }
    };
    Ok((0..count).map(field))
}

/// Refuses null, misaligned pointers and lengths that no object has.
fn check_extent<T>(pointer: *const T, length: usize) -> Result<(), Status> {
    if length == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(PHALANX_ERROR_NULL_POINTER);
    }
    let bytes = length.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if bytes && pointer.is_aligned() { Ok(()) } else { Err(PHALANX_ERROR_INVALID_ARGUMENT) }
}

/// `N` elements from `pointer` on.
///
/// # Safety
/// As [`slice`].
pub(crate) unsafe fn array<'a, T, const N: usize>(pointer: *const T) -> Result<&'a [T; N], Status> {
    // SAFETY: as the caller's.
    let slice = unsafe { slice(pointer, N) }?;
    Ok(slice.try_into().expect("N elements"))
}

/// What a handle or a pointer to one value points at.
///
/// # Safety
/// `pointer` is null or points at a value that lives, and that nobody changes during the call.
pub(crate) unsafe fn value<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    // SAFETY: not null by `ok_or`, the rest is the caller's promise.
    unsafe { pointer.as_ref() }.ok_or(PHALANX_ERROR_NULL_POINTER)
}

/// What a handle points at, to be changed.
///
/// # Safety
/// As [`value`]; and nobody else uses it during the call.
pub(crate) unsafe fn value_mut<'a, T>(pointer: *mut T) -> Result<&'a mut T, Status> {
    // SAFETY: not null by `ok_or`, the rest is the caller's promise.
    unsafe { pointer.as_mut() }.ok_or(PHALANX_ERROR_NULL_POINTER)
}

/// A text that ends with a zero byte, in UTF-8.
///
/// # Safety
/// `text` is null or ends with a zero byte, and nobody writes to it during the call.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Status> {
    if text.is_null() {
        return Err(PHALANX_ERROR_NULL_POINTER);
    }
    // SAFETY: not null, the rest is the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| PHALANX_ERROR_INVALID_ARGUMENT)
}

/// Writes one value.
///
/// # Safety
/// `out` is null or has room for a value.
pub(crate) unsafe fn write<T: Copy>(out: *mut T, value: T) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe { write_slice(out, &[value]) }
}

/// Writes as many elements as `values` has, to an output whose size the function fixes.
///
/// # Safety
/// `out` is null or has room for that many.
pub(crate) unsafe fn write_slice<T: Copy>(out: *mut T, values: &[T]) -> Result<(), Status> {
    check_extent(out, values.len())?;
    if !values.is_empty() {
        // SAFETY: not null and aligned by the check above; the room is the caller's promise, and `values` is ours.
        unsafe { core::ptr::copy(values.as_ptr(), out, values.len()) };
    }
    Ok(())
}

/// Writes `bytes` into the caller's buffer of `capacity` bytes, and their number to `length`. If they do not fit, only
/// the number is written, so that the caller can come again with more room: a null buffer of no capacity asks for it.
///
/// # Safety
/// `out` is null or has room for `capacity` bytes; `length` is null or has room for a number.
pub(crate) unsafe fn write_bytes(
    out: *mut u8,
    capacity: usize,
    length: *mut usize,
    bytes: &[u8],
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe { write(length, bytes.len()) }?;
    if bytes.len() > capacity {
        return Err(PHALANX_ERROR_BUFFER_TOO_SMALL);
    }
    // SAFETY: there is room by the comparison.
    unsafe { write_slice(out, bytes) }
}

/// Writes how many bytes an output has, and whether there is room for it: for functions that must not do anything before
/// it is certain that the caller gets the result.
///
/// # Safety
/// As [`write_bytes`].
pub(crate) unsafe fn check_room(
    out: *const u8,
    capacity: usize,
    length: *mut usize,
    wanted: usize,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe { write(length, wanted) }?;
    if wanted > capacity {
        return Err(PHALANX_ERROR_BUFFER_TOO_SMALL);
    }
    check_extent(out, wanted)
}

/// Makes an object on the heap and hands its handle to the caller, who ends it with [`free`]. `make` runs only if there is
/// somewhere to write to; if it fails, the handle is null.
///
/// # Safety
/// `out` is null or has room for a pointer.
pub(crate) unsafe fn give<T>(
    out: *mut *mut T,
    make: impl FnOnce() -> Result<T, Status>,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe { write(out, core::ptr::null_mut()) }?;
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: as the caller's; it is not null or misaligned, for the write above went well.
    unsafe { write(out, handle) }
}

/// Takes back what [`give`] gave. Null is fine.
///
/// # Safety
/// `handle` is null or came from [`give`] and has not been taken back.
pub(crate) unsafe fn take<T>(handle: *mut T) -> Option<Box<T>> {
    // SAFETY: the caller's promise.
    (!handle.is_null()).then(|| unsafe { Box::from_raw(handle) })
}

/// Ends an object that [`give`] gave. Null is fine.
pub(crate) fn free<T>(handle: *mut T) {
    // A destructor that panics would leave the object half gone: nothing better can be done than to say so and go on.
    let _ = guard(|| {
        // SAFETY: the caller keeps the header's rule that a handle is freed once.
        drop(unsafe { take(handle) });
        Ok(())
    });
}

/// Ends a text that `CString::into_raw` gave. Null is fine.
pub(crate) fn free_text(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller keeps the header's rule that a text is freed once, and only one that the library gave.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The threads of one call, or of a pool: none but the caller's, or a team.
pub(crate) struct Team(Option<Threads>);

impl Team {
    /// The calling thread alone.
    pub(crate) const ALONE: &Team = &Team(None);

    /// Whether it is one thread, so that nothing need be parted into jobs.
    pub(crate) fn is_alone(&self) -> bool {
        self.0.is_none()
    }
}

impl Pool for Team {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        match &self.0 {
            Some(threads) => threads.run(jobs),
            None => Inline.run(jobs),
        }
    }

    fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, Threads::count)
    }
}

/// The team that a `threads` argument asks for: 0 is one thread for each core, 1 is the calling thread alone.
pub(crate) fn threads(count: u32) -> Team {
    /// More would only be started to be idle.
    const MOST: u32 = 1024;
    Team(match count {
        0 => Some(Threads::available()),
        1 => None,
        count => Some(Threads::new(usize::try_from(count.min(MOST)).unwrap_or(1))),
    })
}
