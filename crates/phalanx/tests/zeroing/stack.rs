//! What a call left below it on the stack.
#![allow(unsafe_code, reason = "reads memory below the stack pointer")]

use std::collections::BTreeSet;
use std::hint::black_box;

/// How far down is looked; what goes deeper would be missed.
const DEPTH_BYTES: usize = 48 * 1024;

/// Runs `work` and returns how many of the words lie on the stack below afterwards.
///
/// On a thread of its own, with a stack that nothing else has used, `work` is the only one that can have left them.
pub(crate) fn left_behind<'a>(words: &[[u8; 8]], work: impl FnOnce() + Send + 'a) -> usize {
    let below = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        let handle = thread.spawn_scoped(scope, || {
            scrub();
            run(work);
            copy_of_stack()
        });
        handle.expect("a thread starts").join().expect("the work does not panic")
    });
    let words: BTreeSet<&[u8]> = words.iter().map(|word| &word[..]).collect();
    below.windows(8).filter(|window| words.contains(window)).collect::<BTreeSet<_>>().len()
}

/// A frame of its own, so that what the work leaves is below the caller's.
#[inline(never)]
fn run(work: impl FnOnce()) {
    work();
}

#[inline(never)]
fn scrub() {
    black_box(&mut [0u8; DEPTH_BYTES + 4096]);
}

/// The bytes below the caller. Copied by a loop in this one frame, which overwrites a few words only.
#[inline(never)]
fn copy_of_stack() -> Vec<u8> {
    let mut copy = vec![0u8; DEPTH_BYTES];
    let mut here = 0u8;
    let end = core::ptr::from_mut(black_box(&mut here)) as usize;
    for (i, byte) in copy.iter_mut().enumerate() {
        // SAFETY: the address is in the part of this thread's own stack that `scrub` has written to, nobody else has it,
        // and any byte is a u8.
        *byte = unsafe { core::ptr::read_volatile((end - DEPTH_BYTES + i) as *const u8) };
    }
    copy
}
