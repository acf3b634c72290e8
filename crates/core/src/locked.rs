//! Pages that the system treats otherwise: for secrets those that are neither swapped out nor dumped, and for the mark of
//! a process one that is empty in every fork.
//!
//! A page for secrets has 64 places of 32 bytes, taken and given back without a lock, so that neither a fork nor a signal
//! finds one held. Pages are kept for the next secret; there is one for 64 keys.
#![expect(unsafe_code, reason = "pages of the system, and who has which place of them")]

use alloc::boxed::Box;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mlock, mmap_anonymous, munmap};
use zeroize::Zeroize;

/// Bytes of a place.
const PLACE: usize = 32;
/// Bytes that are asked of the system at once; it rounds them up to whole pages.
const PAGE: usize = 64 * PLACE;

/// A page of places.
struct Page {
    /// Bit i: whether place i is taken.
    taken: AtomicU64,
    bytes: NonNull<[[u8; PLACE]; 64]>,
    next: *const Page,
}

/// The page that was made last.
static FIRST: AtomicPtr<Page> = AtomicPtr::new(ptr::null_mut());
/// Whether a page could not be locked.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// A place for a secret, empty at first and wiped at the end.
pub(crate) struct Place {
    bytes: &'static mut [u8; PLACE],
    taken: &'static AtomicU64,
    bit: u64,
}

impl Place {
    /// A free place.
    pub(crate) fn take() -> Self {
        let mut page: *const Page = FIRST.load(Ordering::Acquire);
        // SAFETY: pages are made by `Page::add`, filled before they are published, and never freed.
        while let Some(known) = unsafe { page.as_ref() } {
            if let Some(place) = known.take() {
                return place;
            }
            page = known.next;
        }
        Page::add()
    }

    pub(crate) fn bytes(&self) -> &[u8; PLACE] {
        self.bytes
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8; PLACE] {
        self.bytes
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.taken.fetch_and(!self.bit, Ordering::Release);
    }
}

impl Page {
    fn take(&'static self) -> Option<Place> {
        loop {
            let free = !self.taken.load(Ordering::Relaxed);
            if free == 0 {
                return None;
            }
            let bit = 1 << free.trailing_zeros();
            if self.taken.fetch_or(bit, Ordering::Acquire) & bit == 0 {
                return Some(self.place(bit));
            }
        }
    }

    /// The place of `bit`, which only the caller has.
    fn place(&'static self, bit: u64) -> Place {
        let index = bit.trailing_zeros() as usize;
        // SAFETY: the index is below 64; whoever has set the bit has the only reference, until it is taken back.
        let bytes = unsafe { &mut *self.bytes.as_ptr().cast::<[u8; PLACE]>().add(index) };
        Place { bytes, taken: &self.taken, bit }
    }

    /// A page more, and its first place.
    fn add() -> Place {
        let bytes = secret_page().unwrap_or_else(|| {
            REFUSED.store(true, Ordering::Relaxed);
            NonNull::from(Box::leak(Box::new([[0; PLACE]; 64])))
        });
        let page = Box::leak(Box::new(Self { taken: AtomicU64::new(1), bytes, next: ptr::null() }));
        let mut first = FIRST.load(Ordering::Acquire);
        loop {
            page.next = first;
            match FIRST.compare_exchange(first, page, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return page.place(1),
                Err(other) => first = other,
            }
        }
    }
}

/// Whether the system has locked all pages of secrets so far: what it allows is limited (`ulimit -l`).
#[must_use]
pub fn is_memory_locked() -> bool {
    !REFUSED.load(Ordering::Relaxed)
}

fn anonymous() -> Option<NonNull<u8>> {
    let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: the system chooses a place where nothing is.
    let page = unsafe { mmap_anonymous(ptr::null_mut(), PAGE, protection, flags) }.ok()?;
    NonNull::new(page.cast())
}

fn secret_page() -> Option<NonNull<[[u8; PLACE]; 64]>> {
    let page = anonymous()?;
    // SAFETY: the page is ours, and neither call changes what it holds.
    let is_locked = unsafe { mlock(page.as_ptr().cast(), PAGE) }.is_ok();
    if !is_locked {
        REFUSED.store(true, Ordering::Relaxed);
    }
    // Kernels without it dump the page like any other.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    // SAFETY: as above.
    let _ = unsafe { madvise(page.as_ptr().cast(), PAGE, Advice::LinuxDontDump) };
    Some(page.cast())
}

/// A number that is zero in every fork until it is set there; `None` where the system has no such pages.
#[cfg(target_os = "linux")]
pub(crate) fn wiped_on_fork() -> Option<&'static AtomicU64> {
    let page = anonymous()?;
    // SAFETY: the page is ours and empty.
    let is_wiped = unsafe { madvise(page.as_ptr().cast(), PAGE, Advice::LinuxWipeOnFork) }.is_ok();
    if is_wiped {
        // SAFETY: the page is aligned, zero, ours for ever, and used for nothing else.
        return Some(unsafe { page.cast::<AtomicU64>().as_ref() });
    }
    // SAFETY: nothing refers to the page. If it stays, it is one page.
    let _ = unsafe { munmap(page.as_ptr().cast(), PAGE) };
    None
}

#[cfg(test)]
mod tests {
    use super::{PLACE, Place, is_memory_locked};
    use std::vec::Vec;

    #[test]
    fn places_are_apart_and_empty() {
        let mut places: Vec<Place> = (0..200).map(|_| Place::take()).collect();
        for (number, place) in places.iter_mut().enumerate() {
            assert_eq!(place.bytes(), &[0; PLACE]);
            place.bytes_mut().fill(u8::try_from(number).expect("below 256"));
        }
        for (number, place) in places.iter().enumerate() {
            assert!(place.bytes().iter().all(|&byte| usize::from(byte) == number));
        }
        drop(places);
        assert_eq!(Place::take().bytes(), &[0; PLACE], "what was given back is wiped");
    }

    #[test]
    fn places_are_taken_by_one_thread_each() {
        std::thread::scope(|scope| {
            for thread in 1..=8 {
                scope.spawn(move || {
                    for _ in 0..2000 {
                        let mut place = Place::take();
                        assert_eq!(place.bytes(), &[0; PLACE]);
                        place.bytes_mut().fill(thread);
                        assert_eq!(place.bytes(), &[thread; PLACE]);
                    }
                });
            }
        });
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn pages_of_secrets_are_locked_and_not_dumped() {
        let place = Place::take();
        if !is_memory_locked() {
            return; // The system allows none; then it says so.
        }
        let address = place.bytes().as_ptr().addr();
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux has it");
        let mut is_ours = false;
        let flags = maps.lines().find_map(|line| {
            if let Some((from, to)) = line.split(' ').next().and_then(|range| range.split_once('-')) {
                let [from, to] = [from, to].map(|text| usize::from_str_radix(text, 16).unwrap_or(0));
                is_ours = (from..to).contains(&address);
            }
            line.strip_prefix("VmFlags:").filter(|_| is_ours)
        });
        let flags: Vec<&str> = flags.expect("the page is mapped").split_whitespace().collect();
        assert!(flags.contains(&"lo") && flags.contains(&"dd"), "{flags:?}");
    }
}
