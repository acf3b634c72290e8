//! T20: where the secrets of keystores and loaded keys are in memory, and where not.
#![cfg(target_os = "linux")]

use crate::keystore_writing::{ACCEPT, CHEAP, ed25519_key, password};
use crate::ledger::consensus::VOTE;
use phalanx_core::locked::is_memory_locked;
use phalanx_core::secret::wipe_stack;
use phalanx_custody::keystore::{KeySecret, Keystore, NewKey, OpenKey, Role, Scheme, SealedFile};
use phalanx_custody::ledger::{
    EpochLedger, Guarded, GuardedConsensus, InitialState, MemoryLedger, ed25519_instance, xmss_instance,
};
use phalanx_xmss::{Format, Inline, ParameterSet, SigningKey, hazmat};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroize;

/// What the needles are hidden by, so that looking for them puts none there.
const MASK: u8 = 0xa5;

/// A mapping of this process: where it is, and whether it is both locked and left out of dumps.
struct Mapping {
    from: u64,
    to: u64,
    is_kept: bool,
}

fn mappings() -> Vec<Mapping> {
    let text = std::fs::read_to_string("/proc/self/smaps").expect("Linux has it");
    let mut found: Vec<Mapping> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if let (Some((from, to)), 4) = (first.split_once('-'), second.len()) {
            let [from, to] = [from, to].map(|digits| u64::from_str_radix(digits, 16).expect("an address"));
            found.push(Mapping {
                from,
                to: if second.starts_with("rw") { to } else { from },
                is_kept: false,
            });
        } else if let ("VmFlags:", Some(last)) = (first, found.last_mut()) {
            last.is_kept = line.contains(" lo") && line.contains(" dd");
        }
    }
    found
}

/// How often the hidden needle is in memory: in pages that are kept, and elsewhere. One at a time: what one looks through
/// is a copy of everything for another.
fn places(needle: &[u8; 32]) -> (usize, usize) {
    const CHUNK: usize = 1 << 16;
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let memory = File::open("/proc/self/mem").expect("one's own memory can be read");
    let (mut kept, mut elsewhere) = (0, 0);
    // On the stack of the scan no needle is whole: it is compared byte by byte with what hides it.
    let mut chunk = vec![0; CHUNK + 31];
    let own = chunk.as_ptr().addr() as u64;
    for Mapping { from, to, is_kept } in mappings() {
        let mut at = from;
        while at < to {
            let len = usize::try_from(to - at).map_or(chunk.len(), |left| left.min(chunk.len()));
            let is_own = at < own + chunk.len() as u64 && own < at + len as u64;
            if !is_own && memory.read_exact_at(&mut chunk[..len], at).is_ok() {
                let is_here =
                    |place: &[u8]| place.iter().zip(needle).all(|(byte, hidden)| byte ^ MASK == *hidden);
                let first = needle[0] ^ MASK;
                let starts = (0..len.saturating_sub(31)).filter(|&start| chunk[start] == first);
                let count = starts.filter(|&start| is_here(&chunk[start..start + 32])).count();
                if is_kept { kept += count } else { elsewhere += count }
            }
            at += CHUNK as u64;
        }
        chunk[..].zeroize();
    }
    (kept, elsewhere)
}

/// What `bytes` are looked for by.
fn hidden(bytes: &[u8]) -> [u8; 32] {
    std::array::from_fn(|at| bytes[at] ^ MASK)
}

/// Wipes 28 KiB of the stack below the caller. The C library keeps the uppermost 16 KiB of a stack, as they are, for the next
/// thread; what a compiler without optimisation leaves there is not what is looked for.
#[inline(never)]
fn wipe_deep(left: u32) {
    let mut frame = [0_u8; 4096];
    std::hint::black_box(&mut frame);
    wipe_stack();
    if left > 0 {
        wipe_deep(left - 1);
    }
}

/// Does `work` on another thread, as in a program that runs for long; its stack is gone afterwards.
fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let work = || {
        let done = work();
        wipe_deep(4);
        done
    };
    std::thread::spawn(work).join().expect("no panic")
}

/// The secret is in memory that is kept, and nowhere else.
fn assert_kept(needle: &[u8; 32], what: &str) {
    let (kept, elsewhere) = places(needle);
    assert!(kept >= 1, "{what} is nowhere");
    assert_eq!(elsewhere, 0, "{what} is outside locked memory");
}

#[test]
fn the_prf_key_of_a_loaded_key_is_in_locked_memory_alone() {
    let (guarded, needle) = aside(|| {
        let key =
            SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[0x7a; 32], 0..256).expect("a key");
        let mut needle = hazmat::expose_prf_key(&key);
        needle.iter_mut().for_each(|byte| *byte ^= MASK);
        (guarded(key), needle)
    });
    if !is_memory_locked() {
        return eprintln!("not run: the system locks no memory for this user");
    }
    assert_kept(&needle, "the PRF key");
    drop(guarded);
    assert_eq!(places(&needle), (0, 0), "wiped with the key");
}

/// A key that has signed.
fn guarded(key: SigningKey) -> Guarded<MemoryLedger> {
    let ledger = Arc::new(MemoryLedger::default());
    let public_key = key.verifying_key().to_bytes(Format::Ssz);
    ledger.register(&xmss_instance(&key, "attester"), &public_key, InitialState::New).expect("a new key");
    let guarded = Guarded::new(key, ledger).expect("it is known");
    guarded.sign(3, &[1; 32]).expect("an unused epoch");
    guarded
}

/// A keystore that was opened, and its seed, hidden. Nobody else has that: other tests run beside this one.
fn opened(scheme: Scheme) -> (OpenKey, [u8; 32]) {
    let file = aside(move || {
        let ed25519 = phalanx_ed25519::SigningKey::generate().expect("randomness");
        let secret = KeySecret::from_seed(&ed25519.to_seed());
        let new = match scheme {
            Scheme::KoalaBear(set) => {
                let key = SigningKey::from_seed(set, secret.expose().first_chunk().expect("a seed"), 0..32);
                NewKey::of_xmss_key(&key.expect("a key"), &secret, Role::Attester, "")
            }
            _ => Ok(ed25519_key(&secret, &ed25519.verifying_key().to_bytes())),
        };
        let sealed = SealedFile::new(&new.expect("they belong together"), &password("p"), CHEAP);
        sealed.expect("they belong together").as_bytes().to_vec()
    });
    aside(move || {
        let open = Keystore::parse(&file).and_then(|keystore| keystore.open(&password("p"), ACCEPT));
        let open = open.unwrap_or_else(|error| panic!("{error}"));
        let needle = hidden(open.secret().expose());
        (open, needle)
    })
}

#[test]
fn the_seed_of_a_keystore_is_in_locked_memory_alone() {
    let (open, needle) = opened(Scheme::KoalaBear(ParameterSet::POSEIDON2_L8_D64B8));
    if !is_memory_locked() {
        return eprintln!("not run: the system locks no memory for this user");
    }
    assert_kept(&needle, "the seed");
    let key = aside(move || guarded(open.signing_key_on(&Inline, None).expect("it is one")));
    assert_eq!(places(&needle), (0, 0), "a key that signs needs no seed");
    drop(key);
}

#[test]
fn the_seed_of_a_validator_is_in_locked_memory_alone() {
    let (open, needle) = opened(Scheme::Ed25519);
    if !is_memory_locked() {
        return eprintln!("not run: the system locks no memory for this user");
    }
    let key = aside(move || {
        let key = open.ed25519_key().expect("it is one");
        let (ledger, public_key) = (Arc::new(MemoryLedger::default()), key.verifying_key().to_bytes());
        let instance = ed25519_instance(key.verifying_key());
        ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
        let key = GuardedConsensus::new(key, ledger).expect("it is known");
        key.sign(VOTE.position(), &VOTE.bytes()).expect("a new position");
        key
    });
    assert_kept(&needle, "the seed");
    drop(key);
    assert_eq!(places(&needle), (0, 0), "wiped with the key");
}
