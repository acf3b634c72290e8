//! Which signatures are bad.
//!
//! One equation over all. If it fails, halves are tried, until what is left is small, or until as much has been spent on
//! equations as the budget allows; the rest is verified one by one. So one bad signature among many costs a few more
//! equations, and any number of them at most about twice what verifying one by one costs.

use super::super::Profile;
use super::coefficients::Salt;
use super::entry::Entry;
use super::equation::Equations;
use super::independent;
use crate::simd::Level;
use alloc::vec::Vec;
use core::ops::Range;

/// What things cost at a level, in nanoseconds on the machine they were measured on; only ratios matter.
struct Costs {
    /// An equation: for itself, and for each signature, decoding and hashing not counted.
    equation: u64,
    equation_each: u64,
    /// A signature by itself.
    single: u64,
}

impl Costs {
    const fn of(level: Level) -> Self {
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => Self { equation: 40_000, equation_each: 700, single: 6_000 },
            _ => Self { equation: 100_000, equation_each: 8_000, single: 30_000 },
        }
    }

    fn of_equation(&self, len: usize) -> u64 {
        self.equation + self.equation_each * len as u64
    }

    /// Whether an equation over `len` signatures is worth trying: it must cost at most half of what it saves if it holds.
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
pub(super) fn all_valid(level: Level, profile: Profile, salt: &Salt, entries: &[Entry]) -> bool {
    if entries.len() < MIN_AGGREGATE {
        let mut verdicts = [false; MIN_AGGREGATE];
        judge(level, profile, salt, entries, &mut verdicts[..entries.len()]);
        return verdicts[..entries.len()].iter().all(|&valid| valid);
    }
    let equations = Equations::new(level, profile, salt, entries);
    equations.members.len() == entries.len() && equations.holds(0..entries.len(), 1)
}

/// Fewer are verified one by one from the start.
const MIN_AGGREGATE: usize = 4;

/// Writes the verdict of every entry.
pub(super) fn judge(level: Level, profile: Profile, salt: &Salt, entries: &[Entry], verdicts: &mut [bool]) {
    if !profile.is_batch_consistent() || entries.len() < MIN_AGGREGATE {
        let all: Vec<_> = (0..entries.len()).collect();
        return independent::verify(level, profile, entries, &all, verdicts);
    }
    verdicts.fill(false);
    let equations = Equations::new(level, profile, salt, entries);
    let mut by_itself = Vec::new();
    search(&equations, &Costs::of(level), verdicts, &mut by_itself);
    independent::verify(level, profile, entries, &by_itself, verdicts);
}

/// Marks what equations show to be valid, and lists what is to be verified by itself. No equation shows that a signature
/// is bad: that is said by its own verification only.
fn search(equations: &Equations, costs: &Costs, verdicts: &mut [bool], by_itself: &mut Vec<usize>) {
    let count = equations.members.len();
    let mut mark = |range: Range<usize>| {
        for member in &equations.members[range] {
            verdicts[member.entry] = true;
        }
    };
    if equations.holds(0..count, 1) {
        return mark(0..count);
    }
    // With the first equation and the preparation, which cost less than half of it, the total stays below twice the cost
    // of verifying all entries one by one.
    let mut budget = costs.single * count as u64 / 2;
    let mut open = alloc::vec![Open { range: 0..count, node: 1, holds_bad: true }];
    while let Some(Open { range, node, holds_bad }) = open.pop() {
        // Untested: an equation over it. Otherwise over its left half.
        let tested = if holds_bad { range.start..range.start + range.len() / 2 } else { range.clone() };
        let cost = costs.of_equation(tested.len());
        if cost > budget || !costs.pays(tested.len()) {
            by_itself.extend(equations.members[range].iter().map(|member| member.entry));
            continue;
        }
        budget -= cost;
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
}
