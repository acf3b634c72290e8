//! What each stage of the prover takes: milliseconds for a signature, the least of some runs.
//!
//! `cargo run --release -p phalanx-aggregate --example stages -- 461 5 1`: signatures, runs, threads. `PHALANX_BACKEND`
//! forces a backend.
#![expect(clippy::print_stdout, reason = "what it measured")]

use phalanx_aggregate::{
    Limits, Profile, Stage, Statement, Threads, aggregate_watched_on, memory_len, verify,
};
use phalanx_reference::xmss_blake2s::{Profile as SignatureProfile, SecretKey, sign};
use phalanx_xmss::blake2s::{ParameterSet, Signature, VerifyingKey};
use std::cell::RefCell;
use std::time::Instant;

fn main() {
    let number = |place: usize, default| {
        std::env::args().nth(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, runs, threads) = (number(1, 115), number(2, 3), number(3, 1));
    let (statement, signatures) = signed(count);
    let pool = Threads::new(threads);
    let per_signature = |seconds: f64| seconds * 1e3 / f64::from(u32::try_from(count).expect("few"));
    for profile in Profile::ALL {
        let mut least = [f64::INFINITY; Stage::ALL.len() + 1];
        for _ in 0..runs {
            let starts = RefCell::new(Vec::new());
            let progress = |_| starts.borrow_mut().push(Instant::now());
            let bytes =
                aggregate_watched_on(&pool, profile, &statement, &signatures, b"", u64::MAX, &progress)
                    .expect("valid signatures");
            let mut starts = starts.into_inner();
            starts.push(Instant::now());
            verify(&Limits::new(&[profile]).with_signatures(count), &statement, b"", &bytes)
                .expect("an aggregate");
            let spans = starts.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64());
            let whole = (starts[starts.len() - 1] - starts[0]).as_secs_f64();
            for (least, span) in least.iter_mut().zip(spans.chain([whole])) {
                *least = least.min(span);
            }
        }
        println!("{}, {count} signatures, {threads} threads, ms a signature:", profile.name());
        let names = Stage::ALL.iter().map(|stage| stage.name()).chain(["in all"]);
        for (name, seconds) in names.zip(least) {
            println!("  {name:12} {:7.3}", per_signature(seconds));
        }
        let stated = memory_len(profile, count) as f64 / 1e6;
        println!(
            "  memory, MB a signature: {:.2}, stated",
            stated / f64::from(u32::try_from(count).expect("few"))
        );
    }
    if let Some(line) = std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|text| text.lines().find(|line| line.starts_with("VmHWM")).map(str::to_owned))
    {
        println!("{line}");
    }
}

/// Keys of one epoch that sign one message.
fn signed(count: usize) -> (Statement, Vec<Signature>) {
    let (set, epoch, message) = (ParameterSet::L32_D42B8, 7, [0x5a; 32]);
    let mut signed: Vec<_> = (0..count)
        .map(|number| {
            let mut seed = [0x5e; 32];
            seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
            let key = SecretKey::new(SignatureProfile::B, &seed, epoch, epoch).expect("one epoch");
            let (signature, _) = sign(&key, epoch, &message).expect("its epoch");
            let signature = Signature::from_bytes(set, &signature.to_bytes()).expect("1208 bytes");
            (key.public_key().to_bytes(), signature)
        })
        .collect();
    signed.sort_by(|a, b| a.0.cmp(&b.0));
    let key = |bytes: &[u8]| VerifyingKey::from_bytes(set, bytes).expect("32 bytes");
    let signers: Vec<_> = signed.iter().map(|(bytes, _)| (key(bytes), epoch, message)).collect();
    (Statement::of(&signers).expect("different keys"), signed.into_iter().map(|(_, made)| made).collect())
}
