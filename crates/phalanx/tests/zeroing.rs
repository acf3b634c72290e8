//! A dropped key is really gone: no block of memory that is given back to the allocator holds the PRF key of an XMSS key,
//! nor (in zeroing/ed25519.rs) what is secret of an Ed25519 key and of its signatures, nor (in zeroing/xmss_blake2s.rs) of a
//! key of XMSS over BLAKE2s.
//!
//! This binary has an allocator of its own, which looks through every block before it is freed. (What lies on the stack
//! it cannot see: that is looked through as well, by zeroing/stack.rs.)

#![allow(unsafe_code, reason = "an allocator that looks at blocks before they are freed")]

#[path = "zeroing/ed25519.rs"]
mod ed25519;
#[path = "zeroing/ed25519_files.rs"]
mod ed25519_files;
#[path = "zeroing/stack.rs"]
mod stack;
#[path = "zeroing/xmss_blake2s.rs"]
mod xmss_blake2s;

use phalanx::xmss::{Format, KeyGeneration, ParameterSet, SigningKey};
use phalanx::{Inline, Threads};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, watched. Growing a block in place is not offered, so that a block that moves is freed, too.
struct Watching;

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// Bytes of a PRF key that are looked for: any half of it would do harm enough.
const NEEDLE_LEN: usize = 16;

static ARMED: AtomicBool = AtomicBool::new(false);
static NEEDLES: [[AtomicU8; NEEDLE_LEN]; 3] = [const { [const { AtomicU8::new(0) }; NEEDLE_LEN] }; 3];
/// Looked for in place of the needles above when there are any: words of eight bytes, as they may stand in lanes.
static WORDS: Mutex<BTreeSet<[u8; 8]>> = Mutex::new(BTreeSet::new());
static HAS_WORDS: AtomicBool = AtomicBool::new(false);
static SEEN: AtomicUsize = AtomicUsize::new(0);
static FREED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: allocation is the system allocator's; a block is only read before it is handed back.
unsafe impl GlobalAlloc for Watching {
    // SAFETY: as `GlobalAlloc::alloc` demands of its caller.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeroed, so that looking through a block never reads what was not written.
        // SAFETY: the caller's layout, as the trait demands it.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: as `GlobalAlloc::dealloc` demands of its caller.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ARMED.load(Ordering::SeqCst) {
            FREED.fetch_add(1, Ordering::SeqCst);
            // SAFETY: the block is the caller's until it is freed below, initialised by `alloc`, and `layout.size()` long.
            let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            let seen = if HAS_WORDS.load(Ordering::SeqCst) {
                let words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
                bytes.windows(8).any(|window| words.contains(window))
            } else {
                NEEDLES.iter().any(|needle| contains(bytes, needle))
            };
            if seen {
                SEEN.fetch_add(1, Ordering::SeqCst);
            }
        }
        // SAFETY: the block came from the system allocator with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

fn contains(bytes: &[u8], needle: &[AtomicU8; NEEDLE_LEN]) -> bool {
    let needle = needle.each_ref().map(|byte| byte.load(Ordering::Relaxed));
    bytes.windows(NEEDLE_LEN).any(|window| window == needle)
}

/// Held by a test as long as it handles secrets itself: another test's watch would see them.
fn turn() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` and returns how many freed blocks held one of the words.
fn leaked_words(_turn: &MutexGuard<'static, ()>, words: Vec<[u8; 8]>, work: impl FnOnce()) -> usize {
    *WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words.into_iter().collect();
    HAS_WORDS.store(true, Ordering::SeqCst);
    let seen = watched(work);
    HAS_WORDS.store(false, Ordering::SeqCst);
    seen
}

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs `work` and returns how many freed blocks held a half of the PRF key, in binary or as JSON begins to spell it.
/// One at a time: the watch is the whole process's.
fn leaks(prf_key: &[u8; 32], work: impl FnOnce()) -> usize {
    let _turn = turn();
    let numbers: Vec<String> = prf_key.iter().map(u8::to_string).collect();
    let json = numbers.join(",").into_bytes();
    for (needle, bytes) in NEEDLES.iter().zip([&prf_key[..NEEDLE_LEN], &prf_key[NEEDLE_LEN..], &json]) {
        needle.iter().zip(bytes).for_each(|(cell, byte)| cell.store(*byte, Ordering::SeqCst));
    }
    watched(work)
}

/// How many blocks that `work` frees held what is looked for.
fn watched(work: impl FnOnce()) -> usize {
    SEEN.store(0, Ordering::SeqCst);
    FREED.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    work();
    ARMED.store(false, Ordering::SeqCst);
    assert!(FREED.load(Ordering::SeqCst) > 0, "nothing was freed: is the watch asleep?");
    SEEN.load(Ordering::SeqCst)
}

const SET: ParameterSet = ParameterSet::POSEIDON1_L8_D4B8_TEST;
const SEED: [u8; 32] = [77; 32];

/// The PRF key of [`SEED`], by the reference: the library is not asked what to look for.
fn prf_key() -> [u8; 32] {
    phalanx_testing::secrets_of_seed(&SEED).1
}

fn key() -> SigningKey {
    SigningKey::from_seed(SET, &SEED, 0..96).expect("fits")
}

fn go_on(_: phalanx::xmss::Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The watch has eyes: a careless copy is seen, in every form that is looked for.
#[test]
fn control_a_plain_copy_is_seen() {
    let prf_key = prf_key();
    assert_eq!(leaks(&prf_key, || drop(std::hint::black_box(prf_key.to_vec()))), 1);
    assert_eq!(leaks(&prf_key, || drop(std::hint::black_box(prf_key[..20].to_vec()))), 1);
    assert_eq!(leaks(&prf_key, || drop(std::hint::black_box(prf_key[15..].to_vec()))), 1);
    assert_eq!(leaks(&prf_key, || drop(std::hint::black_box(vec![prf_key[0]; 32]))), 0);
    let grows = || {
        let mut copy = prf_key.to_vec();
        copy.extend_from_slice(&[0; 1000]);
        std::hint::black_box(&copy);
        copy.fill(0);
    };
    assert_eq!(leaks(&prf_key, grows), 1, "what a growing vector leaves behind");
    let key = key();
    assert_eq!(
        leaks(&prf_key, || drop(key.to_bytes(Format::Ssz).to_vec())),
        1,
        "the seed's key is the library's"
    );
    assert_eq!(leaks(&prf_key, || drop(key.to_bytes(Format::Json).to_vec())), 1, "and spelled as expected");
}

#[test]
fn a_generated_key() {
    let used = || {
        let mut key = Box::new(key());
        key.sign(1, &[1; 32]).expect("signs");
        let mut moved = *key;
        moved.sign(95, &[1; 32]).expect("signs");
        drop(Box::new(moved));
    };
    assert_eq!(leaks(&prf_key(), used), 0);
    let on_threads = || drop(SigningKey::from_seed_on(&Threads::new(3), SET, &SEED, 0..96).expect("fits"));
    assert_eq!(leaks(&prf_key(), on_threads), 0);
}

#[test]
fn an_abandoned_generation() {
    let begun = || drop(KeyGeneration::from_seed(SET, &SEED, 0..96).expect("fits"));
    assert_eq!(leaks(&prf_key(), begun), 0);
    let half_done = || {
        let mut generation = KeyGeneration::from_seed(SET, &SEED, 0..96).expect("fits");
        generation.step_on(&Inline, &go_on).expect("computes");
        std::hint::black_box(generation.commitment());
        generation.step_on(&Inline, &|_| ControlFlow::Break(())).expect_err("stopped");
        assert!(generation.finish().is_err());
    };
    assert_eq!(leaks(&prf_key(), half_done), 0);
}

#[test]
fn encoded_keys() {
    let key = key();
    for &format in Format::ALL {
        assert_eq!(leaks(&prf_key(), || drop(key.to_bytes(format))), 0, "{format}");
        let bytes = key.to_bytes(format);
        let loaded = || drop(SigningKey::from_bytes(SET, format, &bytes).expect("own bytes"));
        assert_eq!(leaks(&prf_key(), loaded), 0, "{format}");
    }
}

/// A decoder that has read the secret and then finds a mistake leaves nothing behind either.
#[test]
fn keys_that_do_not_decode() {
    let key = key();
    for &format in Format::ALL {
        let bytes = key.to_bytes(format);
        let mut refused = 0;
        // Cut anywhere, the last byte included.
        for len in (0..bytes.len()).step_by(37).chain([bytes.len() - 1]) {
            let cut =
                || assert!(SigningKey::from_bytes(SET, format, &bytes[..len]).is_err(), "{format} to {len}");
            let cut = || {
                // Some blocks are freed in any case, so that the watch is known to be awake.
                drop(std::hint::black_box(vec![0u8; 8]));
                cut();
            };
            assert_eq!(leaks(&prf_key(), cut), 0, "{format} cut to {len}");
        }
        // Damaged behind the secret: parameter, intervals, nodes, up to the last byte. Not in a vector that grows.
        let behind_the_secret = if format == Format::Json { 180 } else { 33 };
        for at in (behind_the_secret..bytes.len()).step_by(41).chain([bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            let read = || {
                drop(std::hint::black_box(vec![0u8; 8]));
                refused += usize::from(SigningKey::from_bytes(SET, format, &damaged).is_err());
            };
            assert_eq!(leaks(&prf_key(), read), 0, "{format} damaged at {at}");
        }
        assert!(refused > 20, "{format}: {refused} refused");
    }
}

#[test]
fn trees_beside_the_key() {
    let dropped = || drop(key().next_tree().expect("more"));
    assert_eq!(leaks(&prf_key(), dropped), 0);
    let used = || {
        let mut key = key();
        let mut next = key.next_tree().expect("more");
        next.compute_on(&Threads::new(2), &go_on).expect("computes");
        key.advance_with(next).expect("its own");
        let stale = key.next_tree().expect("more");
        key.advance().expect("sound");
        key.advance_with(stale).expect_err("stale");
    };
    assert_eq!(leaks(&prf_key(), used), 0);
}

/// Key generation, signatures, and a tree for the epochs that come, over the field KoalaBear.
#[test]
fn stack() {
    let _turn = turn();
    let prf_key = prf_key();
    let words: Vec<[u8; 8]> =
        [&prf_key[..], &SEED].concat().windows(8).map(|word| word.try_into().expect("eight bytes")).collect();
    for backend in phalanx_testing::backends() {
        let used = || {
            let mut key = key();
            key.sign(1, &[1; 32]).expect("signs");
            key.advance().expect("sound");
            let _ = std::hint::black_box(key.one_time_key_id());
            drop(Box::new(key));
        };
        let work = || backend.force(used).expect("available");
        assert_eq!(stack::left_behind(&words, work), 0, "{}", backend.name());
    }
}
