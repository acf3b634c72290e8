//! Ligerito: committing, proving and verifying at several sizes, and where the time of a proof goes.
//!
//! `n` of a row is the number of coefficients; times are those of one whole operation. A proof is a commitment and one
//! opening at a point outside the cube, and every one is compared with the first.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use phalanx::ligerito::{self, Accepted, Claim, Commitment, Gf128, Opening, Profile, SUITE};
use phalanx::{Backend, Pool, Threads};
use std::hint::black_box;

/// What proofs are bound to.
const CONTEXT: &[u8] = b"phalanx bench";

/// Sizes from this number of variables on are not measured on the portable backend where there is another.
const LARGE_VARIABLES: u8 = 24;

/// Measures all operations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let plan = &plan.brief();
    let sizes: &[u8] = if plan.quick { &[16, 20] } else { &[16, 20, LARGE_VARIABLES] };
    let mut rows = Vec::new();
    for &variables in sizes {
        let polynomial = polynomial(variables);
        for profile in Profile::ALL {
            rows.extend(Case::new(plan, profile, variables, &polynomial)?.measure(plan)?);
        }
    }
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
    profile: Profile,
    variables: u8,
    polynomial: &'a [u32],
    point: Vec<Gf128>,
    commitment: Commitment,
    opening: Opening,
    backends: Vec<Backend>,
}

impl<'a> Case<'a> {
    /// Proves on the fastest backend: the others are compared with it when their turns come.
    fn new(plan: &Plan<'_>, profile: Profile, variables: u8, polynomial: &'a [u32]) -> Result<Self, Failure> {
        let point: Vec<Gf128> = (1..=u128::from(variables))
            .map(|j| Gf128(j.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)))
            .collect();
        let prove = || prove(&plan.threads, profile, polynomial, &point);
        let (commitment, opening) = plan.fastest().force(prove).map_err(Failure::system)??;
        let is_slow = |backend: Backend| variables >= LARGE_VARIABLES && backend == Backend::Portable;
        let mut backends: Vec<Backend> =
            plan.backends.iter().copied().filter(|&backend| !is_slow(backend)).collect();
        if backends.is_empty() {
            backends.push(plan.fastest());
        }
        Ok(Self { profile, variables, polynomial, point, commitment, opening, backends })
    }

    /// The rows.
    fn measure(&self, plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
        let commit = |threads: usize| {
            let pool = Threads::new(threads);
            let (commitment, _) = ligerito::commit_on(&pool, self.profile, black_box(self.polynomial))?;
            is_right(commitment == self.commitment)
        };
        let prove = |threads: usize| {
            let pool = Threads::new(threads);
            let (commitment, opening) = prove(&pool, self.profile, black_box(self.polynomial), &self.point)?;
            is_right(commitment == self.commitment && opening == self.opening)
        };
        let accepted = Accepted::exactly(self.profile, self.variables);
        let claims = [Claim { point: &self.point, value: self.opening.values[0] }];
        let verify = |_| {
            let proof = black_box(&self.opening.proof);
            let verdict = ligerito::verify(&accepted, &self.commitment, &claims, proof, CONTEXT);
            is_right(verdict.is_ok())
        };
        let mut rows = self.rows(plan, "commit", &plan.thread_counts(), &commit)?;
        rows.extend(self.rows(plan, "prove", &plan.thread_counts(), &prove)?);
        rows.extend(self.rows(plan, "verify", &[1], &verify)?);
        let bytes = self.opening.proof.len() as f64;
        let size = Row {
            name: "ligerito/proof-bytes".to_owned(),
            operation: "proof-bytes".to_owned(),
            backend: plan.fastest().name(),
            threads: 1,
            unit: "bytes",
            median: bytes,
            min: bytes,
            max: bytes,
            samples: 1,
            ..rows[0].clone()
        };
        rows.push(size);
        Ok(rows)
    }

    /// Measures `work` on every backend and number of threads.
    fn rows(
        &self,
        plan: &Plan<'_>,
        operation: &str,
        thread_counts: &[usize],
        work: &dyn Fn(usize) -> Result<(), Failure>,
    ) -> Result<Vec<Row>, Failure> {
        let mut contenders = Vec::new();
        for &backend in &self.backends {
            for &threads in thread_counts {
                contenders.push(Contender {
                    backend,
                    threads,
                    operations: 1,
                    work: Box::new(move || work(threads)),
                });
            }
        }
        let name = format!("ligerito/{operation}");
        let mut rows = measure(plan, &Subject { name: &name, scheme: SUITE, unit: "ms" }, &contenders)?;
        for row in &mut rows {
            (row.n, row.profile) = (1 << self.variables, Some(self.profile.name()));
        }
        Ok(rows)
    }
}

fn prove(
    pool: &Threads,
    profile: Profile,
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
