//! Which signatures are bad.
//!
//! One equation over all. If it fails, halves are tried, until what is left is small, or until as much has been spent
//! on equations as the budget allows; the rest is verified one by one. So one bad signature among many costs a few more
//! equations, and any number of them at most about twice what verifying one by one costs.

use super::coefficients::Salt;
use super::entry::Entry;
use super::equation::Equations;
use super::independent;
use crate::hashed::Outcome;
use crate::profile::Profile;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::simd::Isa;
use phalanx_core::{InvalidSignature, first_of};

/// What things cost with the kernels of a CPU, in nanoseconds; only ratios matter. Measured on one core of an AMD EPYC
/// (Zen 5), November 2026, 32-byte messages.
pub(super) struct Costs {
    /// An equation: for itself, and for each signature, decoding and hashing not counted.
    equation: u64,
    equation_each: u64,
    /// A signature by itself.
    pub(super) single: u64,
    /// From this many entries on, decoding them and one equation cost less than verifying them one by one.
    pub(super) min_aggregate: usize,
}

impl Costs {
    pub(super) fn of(isa: Isa) -> Self {
        first_of!(isa;
            ifma(_) => Self { equation: 55_000, equation_each: 900, single: 3_500, min_aggregate: 32 },
            // Measured on Sapphire Rapids, `single`, and put between its neighbours.
            avx512(_) => Self { equation: 70_000, equation_each: 1_500, single: 8_000, min_aggregate: 16 },
            avx2(_) => Self { equation: 85_000, equation_each: 2_000, single: 10_800, min_aggregate: 12 },
            else => Self { equation: 200_000, equation_each: 3_000, single: 22_500, min_aggregate: 12 },
        )
    }

    fn of_equation(&self, len: usize) -> u64 {
        self.equation + self.equation_each * len as u64
    }

    /// Whether an equation over `len` signatures is worth trying: it must cost at most half of what it saves if it
    /// holds.
    fn pays(&self, len: usize) -> bool {
        2 * self.of_equation(len) < self.single * len as u64
    }
}

/// Part of the members, still to be judged.
struct Open {
    range: Range<usize>,
    node: u64,
    /// The equation over them has failed, or would: that of the parent failed and the left half holds.
    holds_bad: bool,
}

/// Whether all entries are valid.
pub(super) fn all_valid(isa: Isa, profile: Profile, salt: &Salt, entries: &[Entry]) -> Outcome {
    if !profile.is_batch_consistent() || entries.len() < Costs::of(isa).min_aggregate {
        let mut results = alloc::vec![Err(InvalidSignature); entries.len()];
        independent::verify_all(isa, profile, entries, &mut results);
        return results.into_iter().collect();
    }
    let equations = Equations::new(isa, profile, salt, entries);
    let holds = equations.members.len() == entries.len() && equations.holds(0..entries.len(), 1);
    if holds { Ok(()) } else { Err(InvalidSignature) }
}

/// Writes the result of every entry.
pub(super) fn verify_each(
    isa: Isa,
    profile: Profile,
    salt: &Salt,
    entries: &[Entry],
    results: &mut [Outcome],
) {
    let costs = Costs::of(isa);
    if !profile.is_batch_consistent() || entries.len() < costs.min_aggregate {
        return independent::verify_all(isa, profile, entries, results);
    }
    results.fill(Err(InvalidSignature));
    let equations = Equations::new(isa, profile, salt, entries);
    let mut by_itself = Vec::new();
    search(&equations, &costs, results, &mut by_itself);
    independent::verify(isa, profile, entries, &by_itself, results);
}

/// Marks what equations show to be valid, and lists what is to be verified by itself. No equation shows that a
/// signature is bad: that is said by its own verification only. Returns what the equations cost.
pub(super) fn search(
    equations: &Equations,
    costs: &Costs,
    results: &mut [Outcome],
    by_itself: &mut Vec<usize>,
) -> u64 {
    let count = equations.members.len();
    let mut mark = |range: Range<usize>| {
        for member in &equations.members[range] {
            results[member.entry] = Ok(());
        }
    };
    let mut spent = costs.of_equation(count);
    if equations.holds(0..count, 1) {
        mark(0..count);
        return spent;
    }
    // With the first equation and the preparation, which cost less than half of that (where they cost more, nothing
    // pays here), the total stays below twice the cost of verifying all entries one by one.
    let limit = spent + costs.single * count as u64 / 2;
    let mut open = alloc::vec![Open { range: 0..count, node: 1, holds_bad: true }];
    // The largest first: if the budget ends, what is left is small.
    while let Some(at) = (0..open.len()).max_by_key(|&i| open[i].range.len()) {
        let Open { range, node, holds_bad } = open.swap_remove(at);
        // Untested: an equation over it. Otherwise over its left half.
        let tested = if holds_bad { range.start..range.start + range.len() / 2 } else { range.clone() };
        let cost = costs.of_equation(tested.len());
        if spent + cost > limit || !costs.pays(tested.len()) {
            by_itself.extend(equations.members[range].iter().map(|member| member.entry));
            continue;
        }
        spent += cost;
        let tested_node = if holds_bad { 2 * node } else { node };
        let holds = equations.holds(tested.clone(), tested_node);
        if holds_bad {
            // If the left half holds, the right one cannot.
            open.push(Open { range: tested.end..range.end, node: 2 * node + 1, holds_bad: holds });
        }
        if holds {
            mark(tested);
        } else {
            open.push(Open { range: tested, node: tested_node, holds_bad: true });
        }
    }
    spent
}
