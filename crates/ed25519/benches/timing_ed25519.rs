//! Does the time of Ed25519 signing depend on the secret? A statistical test, for the kernels that valgrind cannot run.
//!
//! The method is that of Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?" (ePrint 2016/1123): the
//! same operation is timed with one fixed secret and with secrets drawn anew, in random order, and Welch's t-test asks
//! whether the two sets of times have the same mean, over all of them and over those below several percentiles (what
//! interrupts a run makes it longer, and hides small differences). |t| above 4.5 is a hint, above 10 a leak. Two
//! controls leak on purpose and must be found.
//!
//! `cargo bench -p phalanx --bench timing_ed25519 [-- SAMPLES]`; PHALANX_BACKEND chooses the kernels. A quiet machine
//! helps. docs/ed25519-constant-time.md keeps results.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "a program that reports statistics")]

use phalanx_ed25519::Backend;
use phalanx_ed25519::{SigningKey, sign_many};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// The bounds on |t|: from here on the test says "perhaps", and "leaks".
const PERHAPS: f64 = 4.5;
const LEAKS: f64 = 10.0;

/// Shares of the times that are kept, shortest first.
const CROPS: [f64; 6] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5];

/// An operation on a secret: what is not timed, then what is.
struct Subject {
    name: &'static str,
    leaks: bool,
    /// Prepares from the seed what the timed part uses; gives the time in nanoseconds.
    time_ns: fn(&[u8; 32]) -> f64,
}

const SUBJECTS: [Subject; 6] = [
    Subject {
        name: "derive a key",
        leaks: false,
        time_ns: |seed| timed(|| drop(black_box(SigningKey::from_seed(black_box(seed))))),
    },
    Subject {
        name: "sign",
        leaks: false,
        time_ns: |seed| {
            let key = SigningKey::from_seed(seed);
            timed(|| {
                black_box(key.sign(black_box(&[5; 32])));
            })
        },
    },
    Subject {
        name: "sign with secret noise",
        leaks: false,
        time_ns: |seed| {
            let key = SigningKey::from_seed(&[1; 32]);
            timed(|| {
                black_box(key.sign_with_noise(black_box(&[5; 32]), black_box(seed)));
            })
        },
    },
    Subject {
        name: "sign many, 8",
        leaks: false,
        time_ns: |seed| {
            let keys: [SigningKey; 8] = std::array::from_fn(|i| {
                let mut seed = *seed;
                seed[31] ^= u8::try_from(i).expect("below eight");
                SigningKey::from_seed(&seed)
            });
            let (keys, messages) = (keys.each_ref(), [&[5; 32][..]; 8]);
            timed(|| drop(black_box(sign_many(black_box(&keys), &messages))))
        },
    },
    Subject {
        name: "control: sign, and compare the seed until it differs",
        leaks: true,
        time_ns: |seed| {
            let key = SigningKey::from_seed(seed);
            timed(|| {
                black_box(key.sign(black_box(&[5; 32])));
                black_box(seed.iter().zip(&FIXED).all(|(a, b)| black_box(*a) == *b));
            })
        },
    },
    Subject {
        name: "control: sign, and a branch of some divisions on one bit",
        leaks: true,
        time_ns: |seed| {
            let key = SigningKey::from_seed(seed);
            timed(|| {
                black_box(key.sign(black_box(&[5; 32])));
                let mut x = u64::MAX;
                for _ in 0..black_box(8 * u64::from(seed[3] & 1)) {
                    x /= black_box(3);
                }
                black_box(x);
            })
        },
    },
];

/// The fixed secret; bit 0 of byte 3 is clear.
const FIXED: [u8; 32] = [0x52; 32];

fn timed(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_nanos() as f64
}

/// SplitMix64 (Steele, Lea, Flood 2014): drawn secrets, and which class comes next.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The largest |t| over all crops, and the crop.
fn largest_t(times: &[(bool, f64)]) -> (f64, f64) {
    let mut sorted: Vec<f64> = times.iter().map(|(_, time)| *time).collect();
    sorted.sort_by(f64::total_cmp);
    let mut largest = (0.0f64, 1.0);
    for crop in CROPS {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index below the number of times"
        )]
        let bound = sorted[((sorted.len() - 1) as f64 * crop) as usize];
        let of_class = |class| {
            let kept: Vec<f64> =
                times.iter().filter(|(c, time)| *c == class && *time <= bound).map(|(_, t)| *t).collect();
            let n = kept.len() as f64;
            let mean = kept.iter().sum::<f64>() / n;
            let variance = kept.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (n - 1.0);
            (mean, variance / n)
        };
        let ((m0, v0), (m1, v1)) = (of_class(false), of_class(true));
        let t = (m0 - m1) / (v0 + v1).sqrt();
        if t.abs() > largest.0.abs() {
            largest = (t, crop);
        }
    }
    largest
}

fn measure(subject: &Subject, samples: usize, draw: &mut Draw) -> f64 {
    let mut times = Vec::with_capacity(samples);
    let mut buffer = FIXED;
    for i in 0..samples + 1000 {
        let is_fixed = draw.next() >> 63 == 1;
        // The same work for both classes, and the same address for both secrets.
        let mut drawn = [0; 32];
        drawn.as_chunks_mut::<8>().0.iter_mut().for_each(|chunk| *chunk = draw.next().to_le_bytes());
        let mask = 0u8.wrapping_sub(u8::from(is_fixed));
        for ((to, fixed), drawn) in buffer.iter_mut().zip(FIXED).zip(drawn) {
            *to = drawn ^ (mask & (drawn ^ fixed));
        }
        let time = (subject.time_ns)(black_box(&buffer));
        // The first thousand warm up.
        if i >= 1000 {
            times.push((is_fixed, time));
        }
    }
    let mut all: Vec<f64> = times.iter().map(|(_, time)| *time).collect();
    all.sort_by(f64::total_cmp);
    let (t, crop) = largest_t(&times);
    let verdict = match t.abs() {
        t if t >= LEAKS => "leaks",
        t if t >= PERHAPS => "perhaps",
        _ => "no difference seen",
    };
    println!(
        "{:<58} {samples:>8} samples, median {:>6.0} ns, t = {t:>8.2} (shortest {:>3.0} %): {verdict}",
        subject.name,
        all[all.len() / 2],
        100.0 * crop,
    );
    t.abs()
}

fn main() -> ExitCode {
    let samples = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(200_000);
    println!("backend {}", Backend::current().name());
    let mut draw = Draw(u64::from(std::process::id()));
    let mut good = true;
    for subject in &SUBJECTS {
        let t = measure(subject, samples, &mut draw);
        good &= if subject.leaks { t >= LEAKS } else { t < LEAKS };
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
