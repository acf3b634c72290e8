//! All shapes, the promising ones first: branch and bound.

use std::collections::HashMap;

use phalanx_reference::ligerito::{E, Field, Level, T};

use crate::work;

/// Rates tried: 1/2 to 1/32. Lower ones lengthen the paths in the trees.
const RATES: std::ops::RangeInclusive<u8> = 1..=5;
/// Levels tried.
const MOST_LEVELS: usize = 6;
/// Queries beyond the fewest possible of a level; the fewest spend the whole error there.
const MORE_QUERIES: u16 = 8;
/// Longest row: what BLAKE3 hashes as one chunk.
const MOST_ROW_BYTES: usize = 1024;

/// The shape with the shortest expected proof, of those whose work is at most `limit`.
pub(crate) fn shortest(mu: u8, limit: f64) -> Option<Vec<Level>> {
    let mut search = Search { limit, best: (f64::INFINITY, Vec::new()), ..Search::default() };
    search.extend(&mut Vec::new(), mu, 0.0, work::of_folding(mu));
    (!search.best.1.is_empty()).then_some(search.best.1)
}

#[derive(Default)]
struct Search {
    limit: f64,
    best: (f64, Vec<Level>),
    /// Fewest queries by d and r.
    fewest: HashMap<(u8, u8), Option<u16>>,
    /// Bounds of [`Search::bound`].
    bounds: HashMap<(bool, u8), f64>,
    /// Expected siblings by d + r and queries.
    siblings: HashMap<(u8, u16), f64>,
}

impl Search {
    /// Tries everything that can follow these levels, which leave `d` variables, `bytes` long at least.
    fn extend(&mut self, levels: &mut Vec<Level>, d: u8, bytes: f64, work: f64) {
        let is_first = levels.is_empty();
        if !is_first && bytes + final_bytes(d) < self.best.0 {
            self.settle(levels);
        }
        if levels.len() == MOST_LEVELS {
            return;
        }
        let mut next = Vec::new();
        for level in self.candidates(is_first, d) {
            let worked = work + work::of_level(field(is_first), &level);
            let root = if is_first { 0.0 } else { 32.0 };
            let so_far = bytes + root + self.bytes(is_first, &level);
            let bound = so_far + self.bound(false, level.d);
            if worked <= self.limit && bound < self.best.0 {
                next.push((bound, so_far, worked, level));
            }
        }
        next.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (bound, so_far, worked, level) in next {
            if bound < self.best.0 {
                levels.push(level);
                self.extend(levels, level.d, so_far, worked);
                levels.pop();
            }
        }
    }

    /// Every level that can follow, with the fewest queries.
    fn candidates(&mut self, is_first: bool, d: u8) -> Vec<Level> {
        let mut candidates = Vec::new();
        for k in 1..d {
            for r in RATES {
                if let Some(queries) =
                    self.fewest(d - k, r).filter(|_| row_bytes(is_first, k) <= MOST_ROW_BYTES)
                {
                    candidates.push(Level { d: d - k, k, r, queries, grind: 0 });
                }
            }
        }
        candidates
    }

    /// Fewest bytes of all that follows, whatever the work.
    fn bound(&mut self, is_first: bool, d: u8) -> f64 {
        if let Some(&bound) = self.bounds.get(&(is_first, d)) {
            return bound;
        }
        let mut bound = if is_first { f64::INFINITY } else { final_bytes(d) };
        for level in self.candidates(is_first, d) {
            bound = bound.min(32.0 + self.bytes(is_first, &level) + self.bound(false, level.d));
        }
        self.bounds.insert((is_first, d), bound);
        bound
    }

    /// Finds the numbers of queries that make these levels sound with the fewest bytes.
    fn settle(&mut self, levels: &[Level]) {
        let sent = 32.0 * (levels.len() as f64 - 1.0) + final_bytes(levels[levels.len() - 1].d);
        let mut chosen = levels.to_vec();
        self.spread(&mut chosen, 0, field_error(levels), sent);
    }

    fn spread(&mut self, levels: &mut Vec<Level>, i: usize, error: f64, bytes: f64) {
        if error > 1.0 || bytes >= self.best.0 {
            return;
        }
        if i == levels.len() {
            self.best = (bytes, levels.clone());
            return;
        }
        let fewest = levels[i].queries;
        let most = half_of_the_rows(levels[i].d, levels[i].r).min(fewest + MORE_QUERIES);
        for queries in fewest..=most {
            levels[i].queries = queries;
            let missed = missed(levels[i].d, levels[i].r, queries);
            let more = self.bytes(i == 0, &levels[i]);
            self.spread(levels, i + 1, error + missed, bytes + more);
        }
        levels[i].queries = fewest;
    }

    /// Rounds, rows and siblings.
    fn bytes(&mut self, is_first: bool, level: &Level) -> f64 {
        let rows = f64::from(level.queries) * row_bytes(is_first, level.k) as f64;
        let log2_rows = level.d + level.r;
        let siblings = *self
            .siblings
            .entry((log2_rows, level.queries))
            .or_insert_with(|| expected_siblings(log2_rows, level.queries));
        2.0 * E.bytes() as f64 * f64::from(level.k) + rows + 32.0 * siblings
    }

    /// Fewest queries with an error of at most 2^-128, if half of the rows are enough.
    fn fewest(&mut self, d: u8, r: u8) -> Option<u16> {
        let search = || (1..=half_of_the_rows(d, r)).find(|&queries| missed(d, r, queries) <= 1.0);
        *self.fewest.entry((d, r)).or_insert_with(search)
    }
}

fn field(is_first: bool) -> Field {
    if is_first { T } else { E }
}

fn row_bytes(is_first: bool, k: u8) -> usize {
    field(is_first).bytes() << k
}

fn final_bytes(d: u8) -> f64 {
    E.bytes() as f64 * f64::from(d).exp2()
}

fn half_of_the_rows(d: u8, r: u8) -> u16 {
    u16::try_from(1u32 << (d + r - 1)).unwrap_or(u16::MAX)
}

/// What challenges from the large field add, in units of 2^-128.
fn field_error(levels: &[Level]) -> f64 {
    let folds = levels.iter().map(|level| f64::from(level.k) * (f64::from(level.d + level.r).exp2() + 2.0));
    let alphas = levels.iter().map(|level| f64::from(level.queries + MORE_QUERIES));
    (65535.0 + folds.sum::<f64>() + alphas.sum::<f64>()) * (-64f64).exp2()
}

/// The probability that the queries miss all wrong rows, in units of 2^-128.
fn missed(d: u8, r: u8, queries: u16) -> f64 {
    let rows = f64::from(d + r).exp2();
    let right = rows - ((rows - f64::from(d).exp2()) / 2.0).floor() - 1.0;
    let factor = |j: u16| ((right - f64::from(j)) / (rows - f64::from(j))).max(0.0).log2();
    ((0..queries).map(factor).sum::<f64>() + 128.0).exp2()
}

fn expected_siblings(log2_rows: u8, queries: u16) -> f64 {
    let rows = f64::from(log2_rows).exp2();
    let all_outside = |leaves: f64| {
        let factor = |j: u16| (1.0 - leaves / (rows - f64::from(j))).max(0.0).log2();
        (0..queries).map(factor).sum::<f64>().exp2()
    };
    let of_layer = |h: u8| {
        let (nodes, leaves) = (f64::from(h).exp2(), f64::from(log2_rows - h).exp2());
        nodes * (all_outside(leaves) - all_outside(2.0 * leaves))
    };
    (1..=log2_rows).map(of_layer).sum()
}
