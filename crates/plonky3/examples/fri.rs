//! Times Plonky3's FRI prover on the Fibonacci sequence, with its own types and with this crate's, and compares the proofs
//! byte for byte.
//!
//! `cargo run --release -p phalanx-plonky3 --example fri -- 16 5`: the base-2 logarithm of the trace's rows, and rounds.
//! Reported is the least processor time of all rounds, in which the two take turns. Theirs is compiled for the CPU that
//! `target-cpu` names, with the packed types that go with it; so is what both share.
#![allow(clippy::print_stdout, reason = "a program that prints")]

mod fibonacci;

use cpu_time::ProcessTime;
use fibonacci::{Fibonacci, Ours, Prover, Theirs, config, trace};
use p3_uni_stark::{prove, verify};
use std::time::Duration;

/// A proof in bytes, and the time that it took.
fn time<P: Prover>(rows: usize) -> (Duration, Vec<u8>) {
    let ((trace, public), config) = (trace(rows), config::<P>(100, 16));
    let start = ProcessTime::now();
    let proof = prove(&config, &Fibonacci, trace, &public).expect("the trace satisfies its constraints");
    let taken = start.elapsed();
    verify(&config, &Fibonacci, &proof, &public).expect("an honest proof");
    (taken, serde_json::to_vec(&proof).expect("a proof in memory"))
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().expect("a number"));
    let (log2_rows, rounds) = (arguments.next().unwrap_or(16), arguments.next().unwrap_or(5));
    let mut least = [Duration::MAX; 2];
    for _ in 0..rounds {
        let (theirs, ours) = (time::<Theirs>(1 << log2_rows), time::<Ours>(1 << log2_rows));
        assert!(theirs.1 == ours.1, "the proofs differ");
        least = [least[0].min(theirs.0), least[1].min(ours.0)];
    }
    let [theirs, ours] = least.map(|time| time.as_secs_f64());
    println!("2^{log2_rows} rows, the least of {rounds}; the proofs are equal");
    println!("theirs {:8.1} ms, ours {:8.1} ms: {:.2}", theirs * 1e3, ours * 1e3, theirs / ours);
}
