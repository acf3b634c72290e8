//! What each stage of the prover takes: milliseconds for a signature, the least of some runs, by the clock and, on Linux, of
//! all threads' processor time, which other programs disturb less; then what checking takes.
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
use std::sync::OnceLock;
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
        // Of every stage, of all, and of the verifier: by the clock, and processor time.
        let mut least = [[f64::INFINITY; 2]; Stage::ALL.len() + 2];
        let limits = Limits::new(&[profile]).with_signatures(count);
        let mut len = 0;
        for _ in 0..runs {
            let times = RefCell::new(Vec::new());
            let progress = |_| times.borrow_mut().push(now());
            let bytes =
                aggregate_watched_on(&pool, profile, &statement, &signatures, b"", u64::MAX, &progress)
                    .expect("valid signatures");
            progress(Stage::Opening);
            let before = now();
            verify(&limits, &statement, b"", &bytes).expect("an aggregate");
            let verified = [0, 1].map(|i| now()[i] - before[i]);
            let times = times.into_inner();
            let whole = [0, 1].map(|i| times[times.len() - 1][i] - times[0][i]);
            let spans = times.windows(2).map(|pair| [0, 1].map(|i| pair[1][i] - pair[0][i]));
            for (least, span) in least.iter_mut().zip(spans.chain([whole, verified])) {
                *least = [0, 1].map(|i| least[i].min(span[i]));
            }
            len = bytes.len();
        }
        println!("{}, {count} signatures, {threads} threads, {len} bytes; ms a signature:", profile.name());
        println!("  {:12} {:>9} {:>9}", "", "clock", "processor");
        let names = Stage::ALL.iter().map(|stage| stage.name()).chain(["in all"]);
        for (name, [clock, processor]) in names.zip(least) {
            println!("  {name:12} {:9.3} {:9.3}", per_signature(clock), per_signature(processor));
        }
        let [clock, processor] = least[Stage::ALL.len() + 1].map(|seconds| seconds * 1e3);
        println!("  verifier, ms for all: {clock:.2} {processor:.2}");
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

/// Seconds by the clock and of processor time of all threads, which is 0 where Linux does not say it.
fn now() -> [f64; 2] {
    static START: OnceLock<Instant> = OnceLock::new();
    let clock = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let of_task = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    [clock, tasks.filter_map(of_task).sum::<f64>() / 1e9]
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
