//! Times Winterfell's prover with its own commitments and with this crate's, on four computations, and compares the
//! proofs byte for byte.
//!
//! `cargo run --release -p phalanx-winterfell --example prove -- 14 5`: the base-2 logarithm of the trace's rows, and
//! rounds. Reported is the least processor time of all rounds, in which the two take turns.
#![allow(clippy::print_stdout, reason = "a program that prints")]

mod computations;

use computations::{Chain, Commitments, Computation, Fibonacci, Ours, ProverOf, Rounds, Shuffle, Theirs};
use cpu_time::ProcessTime;
use std::time::Duration;
use winterfell::crypto::hashers;
use winterfell::{BatchingMethod, FieldExtension, ProofOptions, Prover};

/// 96 bits: what Winterfell's examples use, over an extension of degree 2.
fn options() -> ProofOptions {
    let linear = BatchingMethod::Linear;
    ProofOptions::new(28, 8, 16, FieldExtension::Quadratic, 8, 31, linear, linear)
}

fn prove<A: Computation, C: Commitments>(rows: usize) -> (Duration, Vec<u8>) {
    let trace = A::trace(rows);
    let start = ProcessTime::now();
    let proof = ProverOf::<A, C>::new(options()).prove(trace).expect("the trace satisfies its constraints");
    (start.elapsed(), proof.to_bytes())
}

fn compare<A: Computation, T: Commitments, O: Commitments>(name: &str, rows: usize, rounds: usize) {
    let mut least = [Duration::MAX; 2];
    for _ in 0..rounds {
        let (theirs, ours) = (prove::<A, T>(rows), prove::<A, O>(rows));
        assert!(theirs.1 == ours.1, "{name}: the proofs differ");
        least = [least[0].min(theirs.0), least[1].min(ours.0)];
    }
    let [theirs, ours] = least.map(|time| time.as_secs_f64());
    println!("{name:24} theirs {:8.1} ms, ours {:8.1} ms: {:.2}", theirs * 1e3, ours * 1e3, theirs / ours);
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().expect("a number"));
    let (log2_rows, rounds) = (arguments.next().unwrap_or(14), arguments.next().unwrap_or(5));
    let rows = 1usize << log2_rows;
    println!("2^{log2_rows} rows, the least of {rounds}; the proofs are equal");
    type Theirs64 = Theirs<hashers::Rp64_256>;
    type Ours64 = Ours<phalanx_winterfell::Rp64_256>;
    compare::<Fibonacci, Theirs64, Ours64>("Fibonacci, Rp64_256", rows, rounds);
    compare::<Chain, Theirs64, Ours64>("hash chain, Rp64_256", rows, rounds);
    compare::<Rounds, Theirs64, Ours64>("rounds, Rp64_256", rows, rounds);
    compare::<Shuffle, Theirs64, Ours64>("shuffle, Rp64_256", rows, rounds);
    type TheirJive = Theirs<hashers::RpJive64_256>;
    type OurJive = Ours<phalanx_winterfell::RpJive64_256>;
    compare::<Rounds, TheirJive, OurJive>("rounds, RpJive64_256", rows, rounds);
}
