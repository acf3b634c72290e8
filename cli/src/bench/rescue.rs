//! Rescue: the permutations, hashes of 4 to 128 elements, one at a time and many side by side, and Merkle trees.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use crate::output::Output;
use phalanx::rescue::{Digest, Function, MerkleTree};
use phalanx::{Backend, Threads};
use std::hint::black_box;

/// States, or inputs, in a call of the rows that end in `-many`.
const MANY: usize = 1024;

/// Numbers of elements hashed.
const LENGTHS: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// Does the work on so many threads.
type Work<'a> = Box<dyn Fn(&Threads) -> Result<(), Failure> + 'a>;

/// Measures all operations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let plan = &plan.brief();
    let mut rows = Vec::new();
    for function in Function::ALL {
        // The others differ in the permutation, which is measured for all.
        let is_first = function == Function::default();
        if plan.quick && !is_first {
            continue;
        }
        rows.extend(permutations(plan, function)?);
        for length in LENGTHS.into_iter().filter(|length| is_first && (!plan.quick || length % 8 == 0)) {
            rows.extend(hashes(plan, function, length)?);
        }
        rows.extend(tree(plan, function, if plan.quick { 1 << 12 } else { 1 << 16 })?);
    }
    Ok(rows)
}

/// Words of which no two are alike, in the whole range.
fn words(count: usize) -> Vec<u64> {
    (1..=count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// Measures `work` of `n` operations on each backend; with all threads too if there is enough work for them.
fn row(
    plan: &Plan<'_>,
    function: Function,
    operation: &str,
    n: usize,
    work: &Work<'_>,
) -> Result<Vec<Row>, Failure> {
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        for pool in plan.pools().into_iter().filter(|pool| pool.count() == 1 || n > 1) {
            let (threads, operations) = (pool.count(), n as u64);
            contenders.push(Contender { backend, threads, operations, work: Box::new(move || work(&pool)) });
        }
    }
    let name = format!("{}/{operation}", function.name());
    measure(plan, &Subject { name: &name, scheme: function.name(), unit: "ns" }, &contenders)
}

/// What the portable backend answers: the others must too.
fn portable<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    Backend::Portable.force(work).map_err(Failure::system)
}

fn is_right(right: bool) -> Result<(), Failure> {
    if right { Ok(()) } else { Err(wrong("an answer differs from the portable one")) }
}

fn permutations(plan: &Plan<'_>, function: Function) -> Result<Vec<Row>, Failure> {
    let width = function.width();
    let states = words(MANY * width);
    let mut wanted = states.clone();
    portable(|| function.permute(&mut wanted))??;
    let (one, one_wanted) = (&states[..width], &wanted[..width]);
    let (states, wanted) = (&states, &wanted);
    let alone = move |_: &Threads| {
        let mut buffer = [0; 16];
        let state = &mut buffer[..width];
        state.copy_from_slice(black_box(one));
        function.permute(state)?;
        is_right(state == one_wanted)
    };
    let many = move |pool: &Threads| {
        let mut states = black_box(states).clone();
        if pool.count() == 1 {
            function.permute(&mut states)?;
        } else {
            function.permute_on(pool, &mut states)?;
        }
        is_right(states == *wanted)
    };
    let mut rows = row(plan, function, "permute", 1, &(Box::new(alone) as Work<'_>))?;
    rows.extend(row(plan, function, "permute-many", MANY, &(Box::new(many) as Work<'_>))?);
    Ok(rows)
}

fn hashes(plan: &Plan<'_>, function: Function, length: usize) -> Result<Vec<Row>, Failure> {
    let elements = words(MANY * length);
    let inputs: Vec<&[u64]> = elements.chunks_exact(length).collect();
    let wanted = portable(|| function.hash_elements_many(&inputs))?;
    let (inputs, wanted) = (&inputs, &wanted);
    let alone = move |_: &Threads| is_right(function.hash_elements(black_box(inputs[0])) == wanted[0]);
    let many = move |pool: &Threads| {
        let inputs = black_box(inputs);
        let digests = if pool.count() == 1 {
            function.hash_elements_many(inputs)
        } else {
            function.hash_elements_many_on(pool, inputs)
        };
        is_right(digests == *wanted)
    };
    let mut rows = row(plan, function, &format!("hash-{length}"), 1, &(Box::new(alone) as Work<'_>))?;
    rows.extend(row(plan, function, &format!("hash-many-{length}"), MANY, &(Box::new(many) as Work<'_>))?);
    Ok(rows)
}

/// A tree from leaves to root, for each leaf.
fn tree(plan: &Plan<'_>, function: Function, count: usize) -> Result<Vec<Row>, Failure> {
    let leaves: Vec<Digest> =
        words(4 * count).as_chunks().0.iter().map(|&words| Digest::from_elements(words)).collect();
    // By the fastest: the portable one is compared with it when its turn comes.
    let root =
        plan.fastest().force(|| MerkleTree::new(function, leaves.clone())).map_err(Failure::system)??.root();
    let leaves = &leaves;
    let build = move |pool: &Threads| {
        let leaves = black_box(leaves).clone();
        let tree = if pool.count() == 1 {
            MerkleTree::new(function, leaves)?
        } else {
            MerkleTree::new_on(pool, function, leaves)?
        };
        is_right(tree.root() == root)
    };
    row(plan, function, "merkle-per-leaf", count, &(Box::new(build) as Work<'_>))
}

/// Prints the table over numbers of elements: nanoseconds for a hash, one thread, on each backend alone and many.
pub(super) fn print_table(rows: &[Row], output: &Output) -> Result<(), Failure> {
    let function = Function::default().name();
    let mine: Vec<&Row> = rows.iter().filter(|row| row.scheme == function && row.threads == 1).collect();
    let mut backends: Vec<&str> = Vec::new();
    for row in &mine {
        if !backends.contains(&row.backend) {
            backends.push(row.backend);
        }
    }
    if mine.is_empty() {
        return Ok(());
    }
    output.line(format_args!("\n{function}, 1 thread: ns for each, alone and of {MANY} side by side"))?;
    let head: String = backends.iter().map(|name| format!(" {name:>10} {:>10}", "many")).collect();
    output.line(format_args!("{:>16}{head}", ""))?;
    let lengths = LENGTHS.map(|n| (format!("hash of {n}"), format!("hash-{n}"), format!("hash-many-{n}")));
    let permutation = ("permutation".to_owned(), "permute".to_owned(), "permute-many".to_owned());
    for (label, one, many) in std::iter::once(permutation).chain(lengths) {
        let cell = |backend: &str, operation: &str| {
            let row = mine.iter().find(|row| row.backend == backend && row.operation == operation);
            row.map_or("-".to_owned(), |row| format!("{:.0}", row.median))
        };
        let cells: String = backends
            .iter()
            .map(|backend| format!(" {:>10} {:>10}", cell(backend, &one), cell(backend, &many)))
            .collect();
        if cells.chars().any(|c| c.is_ascii_digit()) {
            output.line(format_args!("{label:>16}{cells}"))?;
        }
    }
    Ok(())
}
