//! Memory for elements that are about to be written, and that nobody clears first.

#![allow(unsafe_code, reason = "memory that is not written yet, and the count that says when it is")]

use crate::threads::{Pool, map_on};
use alloc::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Types that are their integers, without padding, so that bytes of zero are a value.
///
/// # Safety
/// The type is `repr(transparent)` over an unsigned integer, or over an array of them, or is one.
pub unsafe trait Plain: Copy {}

// SAFETY: unsigned integers.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for u128 {}

/// Memory for elements, which begins with a line of the cache: allocators put large blocks sixteen bytes behind one,
/// and then every vector that is read or written would lie in two lines.
#[derive(Debug)]
pub struct UninitBuf<F> {
    memory: NonNull<F>,
    len: usize,
    /// Whether it holds elements of a former use. Nobody wants them, but they need not be cleared.
    used: bool,
    /// What was allocated: the memory and some bytes around it.
    block: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its memory, as a vector does.
unsafe impl<F: Send> Send for UninitBuf<F> {}
// SAFETY: shared, it gives nothing away.
unsafe impl<F: Sync> Sync for UninitBuf<F> {}

impl<F: Plain> UninitBuf<F> {
    /// For `len` elements.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(len: usize) -> Self {
        assert!(len > 0 && size_of::<F>() > 0, "elements");
        let layout = layout::<F>(len);
        // SAFETY: the layout has a size.
        let Some(block) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
        // SAFETY: the allocation, of which nobody else knows.
        ask_for_huge_pages::<u8>(unsafe {
            core::slice::from_raw_parts(block.as_ptr().cast(), layout.size())
        });
        // Only an interpreter of Rust answers that no place is aligned.
        let before = block.align_offset(LINE_BYTES);
        let before = if before < LINE_BYTES { before } else { 0 };
        // SAFETY: the layout has a line more than the elements need.
        let memory = unsafe { block.add(before) }.cast();
        Self { memory, len, used: false, block, layout }
    }

    /// For how many elements.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The elements, which `write` writes and hands back: all of them.
    ///
    /// # Panics
    /// If `write` hands back anything else.
    pub fn written(self, write: impl for<'r> FnOnce(UninitSlice<'r, F>) -> &'r mut [F]) -> AlignedBuf<F> {
        // SAFETY: so many elements are ours, and none needs to have been written.
        let slots = unsafe { core::slice::from_raw_parts_mut(self.memory.as_ptr().cast(), self.len) };
        let written = write(UninitSlice { slots, used: self.used });
        assert!(written.as_ptr() == self.memory.as_ptr() && written.len() == self.len, "the whole buffer");
        AlignedBuf(self)
    }
}

/// A line of the cache.
const LINE_BYTES: usize = 64;

/// Of so many elements and a line more, rather than aligned: glibc would not find a block that it was given back for
/// it. What is so large that it comes from the system anyway begins with a large page.
fn layout<F>(len: usize) -> Layout {
    const PAGE_BYTES: usize = 2 << 20;
    let wanted = "the length was computed from a registered shape";
    let len_bytes =
        len.checked_mul(size_of::<F>()).and_then(|len| len.checked_add(LINE_BYTES)).expect(wanted);
    let align = if len_bytes < 16 * PAGE_BYTES { align_of::<F>() } else { PAGE_BYTES };
    Layout::from_size_align(len_bytes, align).expect(wanted)
}

impl<F> Drop for UninitBuf<F> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout. Plain elements have nothing to drop.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

/// A buffer whose elements have been written.
#[derive(Debug)]
pub struct AlignedBuf<F>(UninitBuf<F>);

impl<F> AlignedBuf<F> {
    /// The memory, for other elements.
    pub fn into_uninit(self) -> UninitBuf<F> {
        let mut buffer = self.0;
        buffer.used = true;
        buffer
    }
}

impl<F> Deref for AlignedBuf<F> {
    type Target = [F];

    fn deref(&self) -> &[F] {
        // SAFETY: `UninitBuf::written`, the only maker, saw them all written.
        unsafe { core::slice::from_raw_parts(self.0.memory.as_ptr(), self.0.len) }
    }
}

impl<F: PartialEq> PartialEq for AlignedBuf<F> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<F: Eq> Eq for AlignedBuf<F> {}

/// Memory for elements that somebody has to write.
pub struct UninitSlice<'r, F> {
    slots: &'r mut [MaybeUninit<F>],
    /// Whether it holds elements all the same.
    used: bool,
}

impl<'r, F: Plain> UninitSlice<'r, F> {
    /// Memory of the caller's.
    pub fn new(slots: &'r mut [MaybeUninit<F>]) -> Self {
        Self { slots, used: false }
    }

    /// For how many elements.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it is for none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Elements of whatever value.
    pub fn elements(self) -> &'r mut [F] {
        if self.used {
            // SAFETY: written by who used the memory before.
            unsafe { written(self.slots) }
        } else {
            cleared(self.slots)
        }
    }
}

/// Memory set to zero.
fn cleared<F: Plain>(slots: &mut [MaybeUninit<F>]) -> &mut [F] {
    slots.fill(MaybeUninit::zeroed());
    // SAFETY: zero bytes are a value of a plain type.
    unsafe { written(slots) }
}

/// `len` elements that the threads of a pool make, and the results of their jobs: each job is given the next of
/// `inputs` and the next `len_of_a_piece` elements (the last one perhaps fewer), all zeros.
///
/// So the pages of new memory come from the system where they are filled, and not on one thread before.
///
/// # Panics
/// If there are fewer inputs than pieces, or the pool does not call every job.
pub fn make_on<F: Plain + Send, T: Send, R: Send>(
    pool: &dyn Pool,
    len: usize,
    len_of_a_piece: usize,
    inputs: impl ExactSizeIterator<Item = T>,
    make: &(impl Fn(T, &mut [F]) -> R + Sync),
) -> (Vec<F>, Vec<R>) {
    let mut elements = Vec::<F>::with_capacity(len);
    let slots = &mut elements.spare_capacity_mut()[..len];
    ask_for_huge_pages(slots);
    let pieces = slots.chunks_mut(len_of_a_piece);
    assert!(inputs.len() >= pieces.len(), "an input for every piece");
    let make = |(piece, input): (&mut [MaybeUninit<F>], T)| make(input, cleared(piece));
    let results = map_on(pool, pieces.zip(inputs), &make);
    // SAFETY: every piece has a result, and was cleared before.
    unsafe { elements.set_len(len) };
    (elements, results)
}

/// Memory as elements of another type: as many as lie in it from the first place on where one can.
pub fn recast<S: Plain, F: Plain>(memory: &mut [S]) -> &mut [F] {
    // SAFETY: plain types are integers without padding: any bytes are a value of theirs.
    unsafe { memory.align_to_mut().1 }
}

/// # Safety
/// Every element was written.
unsafe fn written<F>(slots: &mut [MaybeUninit<F>]) -> &mut [F] {
    // SAFETY: the same memory, borrowed for as long; the caller vouches for what is in it.
    unsafe { &mut *(core::ptr::from_mut(slots) as *mut [F]) }
}

/// Runs of elements at one distance from each other in a buffer: a part of it that is to be written once.
pub struct StridedRuns<'r, F> {
    first: NonNull<F>,
    count: usize,
    distance: usize,
    len: usize,
    /// Whether the buffer holds elements of a former use.
    used: bool,
    /// Elements of the whole buffer that have been written.
    written: &'r AtomicUsize,
    slots: PhantomData<&'r mut [MaybeUninit<F>]>,
}

// SAFETY: it is as good as a list of mutable slices.
unsafe impl<F: Send> Send for StridedRuns<'_, F> {}

impl<'r, F: Plain> StridedRuns<'r, F> {
    /// How many runs it has.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Elements of a run.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The runs, elements of whatever value.
    pub fn elements(self) -> Vec<&'r mut [F]> {
        self.written.fetch_add(self.count * self.len, Ordering::Relaxed);
        let run = |i| {
            // SAFETY: the maker saw to it that no element is in two runs, of this part or another, and each of the
            // runs is taken once.
            let slots = unsafe {
                core::slice::from_raw_parts_mut(self.first.add(i * self.distance).as_ptr().cast(), self.len)
            };
            UninitSlice { slots, used: self.used }.elements()
        };
        (0..self.count).map(run).collect()
    }

    /// Where run `i` is to be written to.
    pub fn run(&mut self, i: usize) -> *mut F {
        assert!(i < self.count, "one of the runs");
        // SAFETY: in the buffer.
        unsafe { self.first.add(i * self.distance).as_ptr() }
    }

    /// Says that it has been written.
    ///
    /// # Safety
    /// All elements of all runs were, through [`run`](Self::run).
    pub unsafe fn was_written(self) {
        self.written.fetch_add(self.count * self.len, Ordering::Relaxed);
    }
}

/// Hands `write` the parts of a buffer, and gives back what it wrote, on whatever threads. The buffer has blocks of
/// `count` times `distance` elements, and a block has parts of `count` runs of `len`: the first one's begin at 0,
/// `distance`, …, the second one's `len` behind these.
///
/// # Panics
/// If one of the parts was not written, or the lengths do not divide each other.
pub fn write_strided<'r, F: Plain>(
    slice: UninitSlice<'r, F>,
    count: usize,
    distance: usize,
    len: usize,
    write: impl FnOnce(Vec<StridedRuns<'_, F>>),
) -> &'r mut [F] {
    let UninitSlice { slots, used } = slice;
    assert!(slots.len().is_multiple_of(count * distance) && distance.is_multiple_of(len), "whole parts");
    let written_len = AtomicUsize::new(0);
    let mut parts = Vec::with_capacity(slots.len() / (count * len));
    for block in slots.chunks_exact_mut(count * distance) {
        let block = NonNull::from(block).cast::<F>();
        parts.extend((0..distance).step_by(len).map(|start| StridedRuns {
            // SAFETY: below `distance`, in the block.
            first: unsafe { block.add(start) },
            count,
            distance,
            len,
            used,
            written: &written_len,
            slots: PhantomData,
        }));
    }
    write(parts);
    assert_eq!(written_len.into_inner(), slots.len(), "every part is written");
    // SAFETY: parts are disjoint, and each counts its elements once, when they have been written; all are counted.
    // Threads that wrote are done with it: their borrows have ended.
    unsafe { written(slots) }
}

/// `len` zeros. Large ones are not written to: their pages come from the system as they are needed.
pub fn zeros<F: Plain>(len: usize) -> Vec<F> {
    if len == 0 {
        return Vec::new();
    }
    let layout = Layout::array::<F>(len).expect("the length was computed from a registered shape");
    // SAFETY: the layout has a size; the memory is of that layout, zeroed, and zero bytes are a value of a plain type.
    unsafe {
        let memory = alloc_zeroed(layout);
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        ask_for_huge_pages::<F>(core::slice::from_raw_parts(memory.cast(), len));
        Vec::from_raw_parts(memory.cast(), len, len)
    }
}

/// Tells Linux that what lies whole in 2 MiB pages may be one: a fresh matrix of 16 MiB then costs 8 page faults
/// instead of 4096, which took longer than encoding it. Nothing depends on the answer.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn ask_for_huge_pages<F>(memory: &[MaybeUninit<F>]) {
    const HUGE: usize = 2 << 20;
    /// From `linux/mman.h`, on every architecture.
    const MADV_HUGEPAGE: core::ffi::c_int = 14;
    // SAFETY: this is its declaration in `sys/mman.h`; `std` links the C library.
    unsafe extern "C" {
        fn madvise(memory: *mut core::ffi::c_void, len: usize, advice: core::ffi::c_int) -> core::ffi::c_int;
    }
    let first = memory.as_ptr().cast::<u8>().cast_mut();
    let before = first.align_offset(HUGE);
    let whole = size_of_val(memory).saturating_sub(before) / HUGE * HUGE;
    if whole > 0 {
        // SAFETY: the range lies in the memory, and the advice changes no byte of it.
        unsafe { madvise(first.add(before).cast(), whole, MADV_HUGEPAGE) };
    }
}

/// Nobody to tell.
#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
fn ask_for_huge_pages<F>(_: &[MaybeUninit<F>]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::{Inline, Job};

    #[test]
    fn what_was_written_is_there() {
        for len in [1, 7, 64, 5 << 19] {
            let elements = UninitBuf::<u128>::new(len).written(|UninitSlice { slots, .. }| {
                for (i, x) in slots.iter_mut().enumerate() {
                    x.write((i as u128) << 64 | 3);
                }
                // SAFETY: written above.
                unsafe { written(slots) }
            });
            let align = if len > 1 << 20 { 2 << 20 } else { LINE_BYTES };
            assert!(elements.as_ptr().addr().is_multiple_of(align) && elements.len() == len);
            assert!(elements.iter().enumerate().all(|(i, x)| *x == (i as u128) << 64 | 3), "{len}");
        }
    }

    /// Elements of another size lie in the same bytes, from the first place on where they can.
    #[test]
    fn memory_is_taken_for_other_elements() {
        let mut memory = [0x0706_0504_0302_0100, u128::MAX, 0];
        let words: &mut [u32] = recast(&mut memory);
        assert!(words.len() == 12 && words[1].to_le_bytes() == [4, 5, 6, 7]);
        words[11] = u32::from_le_bytes([1, 2, 3, 4]);
        let inner: &mut [u128] = recast(&mut words[1..]);
        assert!(inner.len() == 2 && inner[0] == u128::MAX, "whole ones only");
        let bytes: &mut [u8] = recast(inner);
        assert_eq!(bytes[28..], [1, 2, 3, 4]);
        assert!(recast::<u8, u64>(&mut bytes[1..8]).is_empty());
    }

    /// Pieces come in order, each with its input and all zeros, whatever was in the memory, and the last one may be
    /// short.
    #[test]
    fn pieces_are_made_in_order() {
        for (len, len_of_a_piece) in
            [(0, 3), (1, 3), (6, 3), (1000, 3), (1 << 17, 1 << 13), ((1 << 17) + 1, 1 << 13)]
        {
            drop(alloc::vec![u128::MAX; len]);
            let make = |index: u32, piece: &mut [u128]| {
                assert!(piece.iter().all(|x| *x == 0), "{len}");
                piece.fill(index.into());
                (index, piece.len())
            };
            let (elements, results) = make_on(&Inline, len, len_of_a_piece, 0..1 << 17, &make);
            assert!(elements.len() == len && results.len() == len.div_ceil(len_of_a_piece));
            assert!(elements.iter().enumerate().all(|(i, x)| *x == (i / len_of_a_piece) as u128), "{len}");
            for (i, (index, piece_len)) in results.into_iter().enumerate() {
                assert_eq!((index as usize, piece_len), (i, len_of_a_piece.min(len - i * len_of_a_piece)));
            }
        }
    }

    /// Nobody sees memory that was not written.
    #[test]
    #[should_panic(expected = "a pool calls every job")]
    fn a_pool_that_forgets_jobs_makes_nothing() {
        struct Forgetful;
        impl Pool for Forgetful {
            fn run<'a>(&self, jobs: Vec<Job<'a>>) {
                jobs.into_iter().skip(1).for_each(|job| job());
            }
        }
        drop(make_on::<u128, _, _>(&Forgetful, 10, 2, 0..5, &|_, _| ()));
    }

    #[test]
    #[should_panic(expected = "an input for every piece")]
    fn a_piece_without_an_input_is_not_made() {
        drop(make_on::<u128, _, _>(&Inline, 10, 2, 0..4, &|_, _| ()));
    }

    #[test]
    fn strided_parts_are_cleared_or_written() {
        // Two blocks of four runs for each of three parts.
        let elements = UninitBuf::<u32>::new(2 * 4 * 6).written(|slice| {
            slice.slots.fill(MaybeUninit::new(7));
            write_strided(slice, 4, 6, 2, |parts| {
                assert_eq!(parts.len(), 6);
                for (i, mut part) in (0u8..).zip(parts) {
                    assert_eq!((part.count(), part.len()), (4, 2));
                    if i % 2 == 0 {
                        assert!(part.elements().iter().all(|run| **run == [0; 2]));
                    } else {
                        for run in 0..4 {
                            // SAFETY: two elements are written.
                            unsafe { part.run(run).write_bytes(i, 2) };
                        }
                        // SAFETY: that were all runs.
                        unsafe { part.was_written() };
                    }
                }
            })
        });
        for (i, run) in (0..).zip(elements.chunks(2)) {
            let part = i / 12 * 3 + i % 3;
            let byte = if part % 2 == 0 { 0 } else { part };
            assert_eq!(*run, [0x0101_0101 * byte; 2], "{i}");
        }
    }

    /// Nobody clears what others have left.
    #[test]
    fn a_used_buffer_has_elements() {
        let buffer = || UninitBuf::<u32>::new(64);
        let first = buffer().written(|slice| {
            let elements = slice.elements();
            assert!(elements.iter().all(|x| *x == 0));
            elements.fill(5);
            elements
        });
        let second = first.into_uninit().written(|slice| {
            write_strided(slice, 2, 16, 8, |parts| {
                for part in parts {
                    for run in part.elements() {
                        assert_eq!(*run, [5; 8]);
                        run.fill(6);
                    }
                }
            })
        });
        assert_eq!(*second, [6; 64]);
        assert!(second.into_uninit().written(|slice| slice.elements()).iter().all(|x| *x == 6));
    }

    #[test]
    #[should_panic(expected = "every part is written")]
    fn a_part_that_is_left_is_noticed() {
        UninitBuf::<u32>::new(64).written(|slice| {
            write_strided(slice, 2, 16, 8, |parts| {
                parts.into_iter().skip(1).for_each(|part| _ = part.elements())
            })
        });
    }

    #[test]
    #[should_panic(expected = "the whole buffer")]
    fn a_part_of_a_buffer_is_not_the_buffer() {
        UninitBuf::<u32>::new(64).written(|slice| cleared(&mut slice.slots[..63]));
    }
}
