//! T20: where the secret of a loaded key is in memory, and where not.
#![cfg(target_os = "linux")]

use phalanx_core::locked::is_memory_locked;
use phalanx_custody::ledger::{EpochLedger, Guarded, InitialState, MemoryLedger, xmss_instance};
use phalanx_xmss::{Format, ParameterSet, SigningKey, hazmat};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

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

/// How often the hidden needle is in memory: in pages that are kept, and elsewhere.
fn places(needle: &[u8; 32]) -> (usize, usize) {
    const CHUNK: usize = 1 << 16;
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
        chunk.fill(0);
    }
    (kept, elsewhere)
}

#[test]
fn the_prf_key_of_a_loaded_key_is_in_locked_memory_alone() {
    // Another thread makes the key, as in a program that runs for long; its stack is gone afterwards.
    let work = || {
        let key =
            SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[0x7a; 32], 0..256).expect("a key");
        let mut needle = hazmat::expose_prf_key(&key);
        needle.iter_mut().for_each(|byte| *byte ^= MASK);
        let ledger = Arc::new(MemoryLedger::default());
        let public_key = key.verifying_key().to_bytes(Format::Ssz);
        ledger.register(&xmss_instance(&key, "attester"), &public_key, InitialState::New).expect("a new key");
        let guarded = Guarded::new(key, ledger).expect("it is known");
        guarded.sign(3, &[1; 32]).expect("an unused epoch");
        (guarded, needle)
    };
    let (guarded, needle) = std::thread::spawn(work).join().expect("no panic");
    if !is_memory_locked() {
        return eprintln!("not run: the system locks no memory for this user");
    }
    let (kept, elsewhere) = places(&needle);
    assert!(kept >= 1, "the key is somewhere");
    assert_eq!(elsewhere, 0, "copies outside locked memory");
    drop(guarded);
    assert_eq!(places(&needle), (0, 0), "wiped with the key");
}
