//! Ligerito: committing, proving and verifying at several sizes, and where the time of a proof goes.
//!
//! `n` of a row is the number of coefficients; times are those of one whole operation. A proof is a commitment and one
//! opening at a point outside the cube, and every one is compared with the first.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use crate::output::Output;
use phalanx::ligerito::hazmat::kernels;
use phalanx::ligerito::provable128::{self, Gf192};
use phalanx::ligerito::{
    self, Accepted, Commitment, EvaluationClaim, Gf128, Level, Opening, Preset, SUITE, ref_v08,
};
use phalanx::{Backend, Job, Pool, Threads};
use std::hint::black_box;

/// What proofs are bound to.
const CONTEXT: &[u8] = b"phalanx bench";

/// Sizes from this number of variables on are not measured on the portable backend where there is another.
const LARGE_VARIABLES: u8 = 24;

/// The same in a quick run.
const LARGE_VARIABLES_QUICK: u8 = 20;

/// Measures all operations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let plan = &plan.brief();
    let sizes: &[u8] = if plan.quick { &[16, 20] } else { &[16, 20, LARGE_VARIABLES] };
    let mut rows = Vec::new();
    for &variables in sizes {
        let polynomial = polynomial(variables);
        for profile in Preset::ALL {
            let case = Case::new(plan, profile, variables, &polynomial)?;
            rows.extend(case.measure(plan)?);
            rows.extend(case.kernels(plan)?);
        }
        rows.extend(of_128_bits(plan, variables, &polynomial)?);
        rows.extend(published(plan, variables, &polynomial)?);
    }
    rows.extend(products(plan)?);
    Ok(rows)
}

/// Coefficients without a pattern.
fn polynomial(variables: u8) -> Vec<u32> {
    let word = |x: u32| {
        let mixed = (x ^ x >> 15).wrapping_mul(0x2c1b_3c6d);
        (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39)
    };
    (0..1 << variables).map(word).collect()
}

/// A polynomial with a proof of its value at a point.
struct Case<'a> {
    profile: Preset,
    variables: u8,
    polynomial: &'a [u32],
    point: Vec<Gf128>,
    commitment: Commitment,
    opening: Opening,
    backends: Vec<Backend>,
}

impl<'a> Case<'a> {
    /// Proves on the fastest backend: the others are compared with it when their turns come.
    fn new(plan: &Plan<'_>, profile: Preset, variables: u8, polynomial: &'a [u32]) -> Result<Self, Failure> {
        let point: Vec<Gf128> = (1..=u128::from(variables)).map(|j| Gf128(j.wrapping_mul(SPREAD))).collect();
        let prove = || prove(&plan.threads, profile, polynomial, &point);
        let (commitment, opening) = plan.fastest().force(prove).map_err(Failure::system)??;
        let backends = backends(plan, variables);
        Ok(Self { profile, variables, polynomial, point, commitment, opening, backends })
    }

    /// The rows.
    fn measure(&self, plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
        let commit = |pool: &Threads| {
            let (commitment, _) = ligerito::commit_on(pool, self.profile, black_box(self.polynomial))?;
            is_right(commitment == self.commitment)
        };
        let prove = |pool: &Threads| {
            let (commitment, opening) = prove(pool, self.profile, black_box(self.polynomial), &self.point)?;
            is_right(commitment == self.commitment && opening == self.opening)
        };
        let accepted = Accepted::exactly(self.profile, self.variables);
        let claims = [EvaluationClaim { point: &self.point, value: self.opening.values[0] }];
        let verify = |_: &Threads| {
            let proof = black_box(&self.opening.proof);
            let result = ligerito::verify(&accepted, &self.commitment, &claims, proof, CONTEXT);
            is_right(result.is_ok())
        };
        let pools = plan.pools();
        let mut rows = self.rows(plan, "commit", &pools, &commit)?;
        rows.extend(self.rows(plan, "prove", &pools, &prove)?);
        rows.extend(self.rows(plan, "verify", &pools[..1], &verify)?);
        rows.push(size(&rows[0], plan.fastest(), self.opening.proof.len()));
        Ok(rows)
    }

    /// The parts of a commitment on one thread, each alone: the sum is more than the whole, in which rows are hashed
    /// while they are in the cache; each as a whole and for one of its operations. And the transform of the second
    /// level.
    fn kernels(&self, plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
        let shape = self.profile.shape(self.variables).ok_or_else(|| wrong("a shape is missing"))?;
        let first = shape.levels()[0];
        let (rows, nodes) = plan
            .fastest()
            .force(|| {
                let rows = kernels::encode_32(&first, self.polynomial);
                let nodes = kernels::hash_rows_32(&first, &rows);
                (rows, nodes)
            })
            .map_err(Failure::system)?;
        let encode = |_: &Threads| is_right(kernels::encode_32(&first, black_box(self.polynomial)) == rows);
        let leaves = |_: &Threads| is_right(kernels::hash_rows_32(&first, black_box(&rows)) == nodes);
        let root =
            |_: &Threads| is_right(kernels::root(black_box(&nodes).clone()) == *self.commitment.root());
        let one = &plan.pools()[..1];
        let mut measured = self.rows(plan, "part-transform", one, &encode)?;
        measured.extend(self.rows(plan, "part-rows", one, &leaves)?);
        measured.extend(self.rows(plan, "part-tree", one, &root)?);
        if let Some(&second) = shape.levels().get(1) {
            let message: Vec<Gf128> =
                (1..=1u128 << first.log2_message).map(|x| Gf128(x.wrapping_mul(SPREAD))).collect();
            let wanted =
                plan.fastest().force(|| kernels::encode_128(&second, &message)).map_err(Failure::system)?;
            let encode = |_: &Threads| is_right(kernels::encode_128(&second, black_box(&message)) == wanted);
            measured.extend(self.rows(plan, "part-second-transform", one, &encode)?);
        }
        let second = shape.levels().get(1).copied().unwrap_or(first);
        let hashed = 1u64 << (first.log2_message + first.log2_inverse_rate);
        let single: Vec<Row> = measured
            .iter()
            .filter_map(|row| {
                let (operation, count) = match row.operation.as_str() {
                    "part-transform" => ("transform-per-butterfly", butterflies(first)),
                    "part-second-transform" => ("second-transform-per-butterfly", butterflies(second)),
                    "part-rows" => ("hash-per-row", hashed),
                    "part-tree" => ("tree-per-node", hashed / kernels::ROWS_PER_NODE as u64 - 1),
                    _ => return None,
                };
                Some(each(row, operation, count))
            })
            .collect();
        measured.extend(single);
        Ok(measured)
    }

    /// Measures `work` on every backend and number of threads.
    fn rows(
        &self,
        plan: &Plan<'_>,
        operation: &str,
        pools: &[Threads],
        work: &dyn Fn(&Threads) -> Result<(), Failure>,
    ) -> Result<Vec<Row>, Failure> {
        let mut rows = rows_of(plan, &self.backends, SUITE, operation, pools, work)?;
        for row in &mut rows {
            (row.n, row.profile) = (1 << self.variables, Some(self.profile.name()));
        }
        Ok(rows)
    }
}

/// An odd number without a pattern.
const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// The same for one of `count` operations, in nanoseconds.
fn each(row: &Row, operation: &str, count: u64) -> Row {
    let scale = 1e6 / count as f64;
    Row {
        name: format!("ligerito/{operation}"),
        operation: operation.to_owned(),
        unit: "ns",
        median: row.median * scale,
        min: row.min * scale,
        max: row.max * scale,
        ..row.clone()
    }
}

/// Butterflies of a level's encoding: the topmost layers are copies.
fn butterflies(level: Level) -> u64 {
    let rows = 1u64 << (level.log2_message + level.log2_inverse_rate);
    (rows / 2 * u64::from(level.log2_message)) << level.log2_columns
}

/// Products of GF(2^128), summed, in vectors that stay in the cache.
fn products(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    const COUNT: u128 = 1024;
    let a: Vec<Gf128> = (1..=COUNT).map(|x| Gf128(x.wrapping_mul(SPREAD))).collect();
    let b: Vec<Gf128> = (1..=COUNT).map(|x| Gf128((x * x).wrapping_mul(SPREAD))).collect();
    let wanted = Backend::Portable.force(|| kernels::inner(&a, &b)).map_err(Failure::system)?;
    let contenders: Vec<Contender<'_>> = plan
        .backends
        .iter()
        .map(|&backend| Contender {
            backend,
            threads: 1,
            operations: a.len() as u64,
            work: Box::new(|| is_right(kernels::inner(black_box(&a), &b) == wanted)),
        })
        .collect();
    measure(plan, &Subject { name: "gf128/product", scheme: "gf128", unit: "ns" }, &contenders)
}

/// Proofs with 128 provable bits: commitment and opening together, and verification.
fn of_128_bits(plan: &Plan<'_>, variables: u8, polynomial: &[u32]) -> Result<Vec<Row>, Failure> {
    let point: Vec<Gf192> = (1..=u64::from(variables))
        .map(|j| {
            Gf192(
                [0x9e37_79b9_7f4a_7c15, 0xf39c_c060_5ced_c835, 0x1082_276b_f3a2_7251]
                    .map(|x: u64| x.wrapping_mul(j)),
            )
        })
        .collect();
    let profile = provable128::Preset::default();
    let prove = |pool: &Threads, polynomial: &[u32]| -> Result<_, Failure> {
        let (commitment, data) = provable128::commit_on(pool, profile, polynomial)?;
        Ok((commitment, data.open_on(pool as &dyn Pool, &[&point], CONTEXT)?))
    };
    let first = || prove(&plan.threads, polynomial);
    let (commitment, opening) = plan.fastest().force(first).map_err(Failure::system)??;
    let accepted = provable128::Accepted::exactly(profile, variables);
    let claims = [provable128::EvaluationClaim { point: &point, value: opening.values[0] }];
    let prove = |pool: &Threads| {
        let (got, again) = prove(pool, black_box(polynomial))?;
        is_right(got == commitment && again == opening)
    };
    let verify = |_: &Threads| {
        let proof = black_box(&opening.proof);
        is_right(provable128::verify(&accepted, &commitment, &claims, proof, CONTEXT).is_ok())
    };
    let backends = backends(plan, variables);
    let rows = |operation: &str, pools: &[Threads], work: &dyn Fn(&Threads) -> Result<(), Failure>| {
        rows_of(plan, &backends, provable128::SUITE, operation, pools, work)
    };
    let pools = plan.pools();
    let mut rows = [rows("prove", &pools, &prove)?, rows("verify", &pools[..1], &verify)?].concat();
    rows.push(size(&rows[0], plan.fastest(), opening.proof.len()));
    rows.iter_mut().for_each(|row| (row.n, row.profile) = (1 << variables, Some(profile.name())));
    Ok(rows)
}

/// Proofs of the published crate's format, without claims, on the sizes it has.
fn published(plan: &Plan<'_>, variables: u8, polynomial: &[u32]) -> Result<Vec<Row>, Failure> {
    let config = ref_v08::Config::published(variables).ok_or_else(|| wrong("a configuration is missing"))?;
    let kind = ref_v08::TranscriptKind::Sha256;
    let proof = plan
        .fastest()
        .force(|| ref_v08::prove_on(&plan.threads, &config, kind, polynomial, &[]))
        .map_err(Failure::system)??;
    let root: &[u8; 32] =
        proof.get(1..33).and_then(|root| root.try_into().ok()).ok_or_else(|| wrong("no root"))?;
    let prove = |pool: &Threads| {
        is_right(ref_v08::prove_on(pool, &config, kind, black_box(polynomial), &[])? == proof)
    };
    let verify = |_: &Threads| is_right(ref_v08::verify(&config, kind, root, &[], black_box(&proof)).is_ok());
    let backends = backends(plan, variables);
    let rows = |operation: &str, pools: &[Threads], work: &dyn Fn(&Threads) -> Result<(), Failure>| {
        rows_of(plan, &backends, ref_v08::SUITE, operation, pools, work)
    };
    let pools = plan.pools();
    let mut rows = [rows("prove", &pools, &prove)?, rows("verify", &pools[..1], &verify)?].concat();
    rows.push(size(&rows[0], plan.fastest(), proof.len()));
    rows.iter_mut().for_each(|row| row.n = 1 << variables);
    Ok(rows)
}

/// The backends that a size is measured on.
fn backends(plan: &Plan<'_>, variables: u8) -> Vec<Backend> {
    let large = if plan.quick { LARGE_VARIABLES_QUICK } else { LARGE_VARIABLES };
    let is_slow = |backend: Backend| variables >= large && backend == Backend::Portable;
    let mut backends: Vec<Backend> =
        plan.backends.iter().copied().filter(|&backend| !is_slow(backend)).collect();
    if backends.is_empty() {
        backends.push(plan.fastest());
    }
    backends
}

/// Measures `work` on every backend and number of threads.
fn rows_of(
    plan: &Plan<'_>,
    backends: &[Backend],
    scheme: &str,
    operation: &str,
    pools: &[Threads],
    work: &dyn Fn(&Threads) -> Result<(), Failure>,
) -> Result<Vec<Row>, Failure> {
    let mut contenders = Vec::new();
    for &backend in backends {
        for pool in pools {
            let (threads, pool) = (pool.count(), pool.clone());
            let work = Box::new(move || work(&pool));
            contenders.push(Contender { backend, threads, operations: 1, work });
        }
    }
    let proofs = contenders.len();
    if operation == "prove" && pools.len() > 1 {
        contenders.extend(pools.iter().map(|pool| control(plan.fastest(), pool)));
    }
    let subject = Subject { name: &format!("ligerito/{operation}"), scheme, unit: "ms" };
    let mut rows = measure(plan, &subject, &contenders)?;
    for row in &mut rows[proofs..] {
        (row.name, row.operation) = (CONTROL.to_owned(), "control".to_owned());
    }
    Ok(rows)
}

/// The name of what threads gain that do the same and share nothing: on virtual cores less than their number. It is the
/// measure for what a prover gains at the same time.
const CONTROL: &str = "ligerito/control";

/// Sixty-four jobs that add up products of their own, a few milliseconds of work.
fn control<'a>(backend: Backend, pool: &Threads) -> Contender<'a> {
    const JOBS: u128 = 64;
    const COUNT: u128 = 1024;
    const TIMES: usize = 50;
    let (threads, pool) = (pool.count(), pool.clone());
    let vector = |seed: u128| (1..=COUNT).map(move |x| Gf128((x * seed).wrapping_mul(SPREAD))).collect();
    let factors: Vec<[Vec<Gf128>; 2]> = (1..=JOBS).map(|job| [vector(job), vector(job + JOBS)]).collect();
    let sum = |[a, b]: &[Vec<Gf128>; 2]| kernels::inner(black_box(a), b);
    let wanted: Vec<Gf128> = factors.iter().map(sum).collect();
    let work = Box::new(move || {
        let mut right = vec![false; factors.len()];
        let jobs = factors.iter().zip(&wanted).zip(&mut right).map(|((factors, wanted), right)| {
            Box::new(move || *right = (0..TIMES).all(|_| sum(factors) == *wanted)) as Job<'_>
        });
        pool.run(jobs.collect());
        is_right(right.iter().all(|&right| right))
    });
    Contender { backend, threads, operations: 1, work }
}

/// The row that says how long a proof is.
fn size(like: &Row, backend: Backend, len: usize) -> Row {
    let bytes = len as f64;
    Row {
        name: "ligerito/proof-bytes".to_owned(),
        operation: "proof-bytes".to_owned(),
        backend: backend.name(),
        threads: 1,
        unit: "bytes",
        median: bytes,
        min: bytes,
        max: bytes,
        samples: 1,
        ..like.clone()
    }
}

fn prove(
    pool: &Threads,
    profile: Preset,
    polynomial: &[u32],
    point: &[Gf128],
) -> Result<(Commitment, Opening), Failure> {
    let (commitment, data) = ligerito::commit_on(pool, profile, polynomial)?;
    Ok((commitment, data.open_on(pool as &dyn Pool, &[point], CONTEXT)?))
}

fn is_right(right: bool) -> Result<(), Failure> {
    if right {
        Ok(())
    } else {
        Err(wrong("another commitment or proof than before, or a proof that does not verify"))
    }
}

/// Prints where the time goes: milliseconds on one thread, of the fastest samples, and shares of a proof; and what more
/// threads gain.
pub(super) fn print_table(rows: &[Row], output: &Output) -> Result<(), Failure> {
    let is_case = |row: &&Row| row.name == "ligerito/prove" && row.scheme == SUITE && row.threads == 1;
    let cases: Vec<&Row> = rows.iter().filter(is_case).collect();
    if cases.is_empty() {
        return Ok(());
    }
    output
        .line(format_args!("\n{SUITE}, 1 thread: where the time of a proof goes, in ms, fastest samples"))?;
    output.line(format_args!(
        "{:>9} {:>5} {:>9} {:>10} {:>16} {:>16} {:>16} {:>16} {:>16} {:>9} {:>9}",
        "profile",
        "log2",
        "backend",
        "prove",
        "commit",
        "of it transform",
        "of it rows",
        "of it tree",
        "open",
        "verify",
        "bytes"
    ))?;
    for case in cases {
        let find = |operation: &str| {
            let is_it = |row: &&Row| {
                is_same_case(row, case)
                    && row.operation == operation
                    && row.threads == 1
                    && (row.backend == case.backend || operation == "proof-bytes")
            };
            rows.iter().find(is_it).map(|row| row.min)
        };
        let share = |ms: Option<f64>| {
            ms.map_or("-".to_owned(), |ms| format!("{ms:.2} ({:>2.0} %)", ms / case.min * 100.0))
        };
        let whole = |value: Option<f64>, digits: usize| {
            value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let commit = find("commit");
        output.line(format_args!(
            "{:>9} {:>5} {:>9} {:>10.2} {:>16} {:>16} {:>16} {:>16} {:>16} {:>9} {:>9}",
            case.profile.unwrap_or_default(),
            case.n.ilog2(),
            case.backend,
            case.min,
            share(commit),
            share(find("part-transform")),
            share(find("part-rows")),
            share(find("part-tree")),
            share(commit.map(|commit| case.min - commit)),
            whole(find("verify"), 2),
            whole(find("proof-bytes"), 0),
        ))?;
    }
    print_gains(rows, output)
}

/// Whether two rows are of the same suite, profile and size.
fn is_same_case(a: &Row, b: &Row) -> bool {
    (&a.scheme, a.profile, a.n) == (&b.scheme, b.profile, b.n)
}

/// Prints what more threads gain, and what they could on this machine at the same time.
fn print_gains(rows: &[Row], output: &Output) -> Result<(), Failure> {
    for control in rows.iter().filter(|row| row.name == CONTROL && row.threads > 1) {
        let gain = |name: &str| {
            let median = |threads| {
                let is_it = |row: &&Row| {
                    is_same_case(row, control)
                        && (row.name.as_str(), row.threads, row.backend) == (name, threads, control.backend)
                };
                rows.iter().find(is_it).map_or(f64::NAN, |row| row.median)
            };
            median(1) / median(control.threads)
        };
        let profile = control.profile.map_or_else(String::new, |profile| format!(", {profile}"));
        output.line(format_args!(
            "{} threads, {}{profile}, 2^{}: a proof gains {:.2}, jobs that share nothing {:.2}",
            control.threads,
            control.scheme,
            control.n.ilog2(),
            gain("ligerito/prove"),
            gain(CONTROL),
        ))?;
    }
    Ok(())
}
