//! What each stage of the prover takes: milliseconds for a signature, the least of some runs, by the clock and, on Linux, in
//! processor time, which other programs disturb less: that of all threads, and that of the busiest, which is what several
//! threads would take if they had a core each. Then what checking takes.
//!
//! `cargo run --release -p phalanx-aggregate --example stages -- 461 5 1 FILE`: signatures, runs, threads, and a file for
//! `docs/measurements`, if one is wanted. `PHALANX_BACKEND` forces a backend.
#![expect(clippy::print_stdout, reason = "what it measured")]

use phalanx_aggregate::hazmat::{keys, messages};
use phalanx_aggregate::{
    Backend, Limits, Profile, Stage, Statement, Threads, aggregate_watched_on, memory_len, verify,
};
use phalanx_reference::xmss_blake2s::{Profile as SignatureProfile, SecretKey, sign};
use phalanx_xmss::blake2s::{ParameterSet, Signature, VerifyingKey, verify_many};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::OnceLock;
use std::time::Instant;

fn main() {
    let number = |place: usize, default| {
        std::env::args().nth(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, runs, threads) = (number(1, 115), number(2, 3), number(3, 1));
    let (statement, signatures) = signed(count);
    let pool = Threads::new(threads);
    let number_of_signatures = f64::from(u32::try_from(count).expect("few"));
    let per_signature = |seconds: f64| seconds * 1e3 / number_of_signatures;
    let mut rows = Vec::new();
    let mut row = |scheme: &str, name: &str, unit: &str, [clock, processor, busiest]: Took| {
        rows.push(json!({
            "name": format!("aggregate/{name}"), "scheme": scheme, "backend": Backend::current().name(), "threads": threads,
            "n": count, "unit": unit, "median": processor, "clock": clock, "busiest": busiest,
        }));
    };
    for profile in Profile::ALL {
        // Of every stage, of all, and of the verifier: by the clock, and processor time.
        let mut least = [[f64::INFINITY; 3]; Stage::ALL.len() + 2];
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
            let verified = took(&before, &now());
            let times = times.into_inner();
            let whole = took(&times[0], &times[times.len() - 1]);
            let spans = times.windows(2).map(|pair| took(&pair[0], &pair[1]));
            for (least, span) in least.iter_mut().zip(spans.chain([whole, verified])) {
                *least = [0, 1, 2].map(|i| least[i].min(span[i]));
            }
            len = bytes.len();
        }
        println!("{}, {count} signatures, {threads} threads, {len} bytes; ms a signature:", profile.name());
        println!("  {:12} {:>9} {:>9} {:>9}", "", "clock", "processor", "busiest");
        let names = Stage::ALL.iter().map(|stage| stage.name()).chain(["in all"]);
        for (name, least) in names.zip(least) {
            let each = least.map(per_signature);
            println!("  {name:12} {:9.3} {:9.3} {:9.3}", each[0], each[1], each[2]);
            row(profile.name(), name, "ms", each);
        }
        let verified = least[Stage::ALL.len() + 1].map(|seconds| seconds * 1e3);
        println!("  verifier, ms for all: {:.2} {:.2}", verified[0], verified[1]);
        row(profile.name(), "verify", "ms", verified);
        let stated = memory_len(profile, count) as f64 / 1e6 / number_of_signatures;
        println!("  memory, MB a signature: {stated:.2}, stated");
        row(profile.name(), "memory", "MB", [stated; 3]);
        row(profile.name(), "bytes", "bytes", [len as f64; 3]);
    }
    for (name, seconds) in one_by_one_and_together(&statement, &signatures, runs) {
        let took = seconds.map(|seconds| seconds * 1e3);
        println!("{name}, ms for all: {:.2} {:.2}", took[0], took[1]);
        row(ParameterSet::L32_D42B8.name(), name, "ms", took);
    }
    let plain = (Signature::LEN_BYTES * count) as f64;
    row(ParameterSet::L32_D42B8.name(), "plain-bytes", "bytes", [plain; 3]);
    if let Some(file) = std::env::args().nth(4) {
        let made = measurement(&format!("{count} {runs} {threads} FILE"), &rows);
        std::fs::write(file, made).expect("the file can be written");
    }
    if let Some(line) = std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|text| text.lines().find(|line| line.starts_with("VmHWM")).map(str::to_owned))
    {
        println!("{line}");
    }
}

/// The same signatures verified one by one, and by `verify_many`: seconds, least of some runs.
fn one_by_one_and_together(
    statement: &Statement,
    signatures: &[Signature],
    runs: usize,
) -> [(&'static str, Took); 2] {
    let keys = keys(statement);
    let messages = messages(statement, &keys, signatures);
    // Some milliseconds each, so that the processor's time is not that of a tick.
    const TIMES: usize = 20;
    let least = |work: &dyn Fn() -> bool| {
        let mut least = [f64::INFINITY; 3];
        for _ in 0..runs {
            let before = now();
            assert!((0..TIMES).all(|_| work()), "all signatures verify");
            let took = took(&before, &now());
            least = [0, 1, 2].map(|i| least[i].min(took[i] / TIMES as f64));
        }
        least
    };
    let one_by_one = || messages.iter().all(|m| m.key.verify(m.epoch, m.message, m.signature).is_ok());
    let together = || verify_many(&messages).iter().all(Result::is_ok);
    [("one-by-one", least(&one_by_one)), ("verify-many", least(&together))]
}

/// What `cargo xtask benchmarks` reads.
fn measurement(arguments: &str, rows: &[Value]) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let commit = std::process::Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit =
        commit.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let machine = json!({
        "cpu": cpu.unwrap_or_else(|| "unknown".to_owned()), "cores": Threads::available().count(),
        "os": std::env::consts::OS, "arch": std::env::consts::ARCH, "backends": [Backend::current().name()],
    });
    let made = json!({
        "machine": machine, "commit": commit, "quick": false,
        "command": format!("cargo run --release -p phalanx-aggregate --example stages -- {arguments}"),
        "results": rows,
    });
    serde_json::to_string_pretty(&made).expect("values are written") + "\n"
}

/// Seconds: by the clock, of all threads' processor time, and of the busiest one's.
type Took = [f64; 3];

/// Seconds by the clock, and the processor time of every thread, none where Linux does not say it.
struct Time {
    clock: f64,
    tasks: BTreeMap<OsString, f64>,
}

fn now() -> Time {
    static START: OnceLock<Instant> = OnceLock::new();
    let of_task = |task: std::fs::DirEntry| -> Option<(OsString, f64)> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        Some((task.file_name(), text.split(' ').next()?.parse::<f64>().ok()? / 1e9))
    };
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    Time {
        tasks: tasks.filter_map(of_task).collect(),
        clock: START.get_or_init(Instant::now).elapsed().as_secs_f64(),
    }
}

fn took(before: &Time, after: &Time) -> Took {
    let of_task = |(task, seconds): (&OsString, &f64)| seconds - before.tasks.get(task).unwrap_or(&0.0);
    let busiest = after.tasks.iter().map(of_task).fold(0.0, f64::max);
    [after.clock - before.clock, after.tasks.iter().map(of_task).sum(), busiest]
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
