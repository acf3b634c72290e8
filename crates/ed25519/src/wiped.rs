//! Work after which the stack is wiped.

use zeroize::zeroize_stack;

/// What `work` gives, after the `BYTES` of stack below this call have been wiped: `work` runs in a frame of its own
/// there, and may leave parts of secrets where the compiler put them.
#[inline(always)]
pub(crate) fn wiped<const BYTES: usize, R>(work: impl FnOnce() -> R) -> R {
    let result = in_own_frame(work);
    zeroize_stack::<BYTES>();
    result
}

#[inline(never)]
fn in_own_frame<R>(work: impl FnOnce() -> R) -> R {
    work()
}
