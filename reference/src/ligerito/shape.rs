//! Shapes: how a polynomial becomes matrices, and how many rows are opened (spec section 3).

use std::marker::PhantomData;

use serde_json::Value;

use super::Error;
use super::code::Code;
use super::field::{Field, Large, T};

/// One level: columns of `2^d` elements, `2^k` of them, inverse rate `2^r`, `queries` opened rows, `grind` bits of proof of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// `d`.
    pub d: u8,
    /// `k`.
    pub k: u8,
    /// `r`.
    pub r: u8,
    /// `Q`.
    pub queries: u16,
    /// `g`.
    pub grind: u8,
}

/// `mu` and the levels, known to keep the bounds of section 3, with the suite string that they go under. The large field is that of `N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape<N> {
    suite: &'static str,
    mu: u8,
    levels: Vec<Level>,
    large: PhantomData<N>,
}

impl<N: Large> Shape<N> {
    /// A shape for tests.
    ///
    /// # Errors
    ///
    /// `InvalidParams` outside the bounds.
    pub fn test(mu: u8, levels: &[Level]) -> Result<Shape<N>, Error> {
        Shape::new(N::TEST, mu, levels)
    }

    /// The sizes of a batch as a whole, which may be greater than those of any polynomial.
    pub(super) fn of_batch(levels: &[Level]) -> Shape<N> {
        let mu = levels[0].d + levels[0].k;
        Shape { suite: N::TEST, mu, levels: levels.to_vec(), large: PhantomData }
    }

    /// The same shape under another suite string, to see that the string is bound.
    pub fn under(self, suite: &'static str) -> Shape<N> {
        Shape { suite, ..self }
    }

    fn new(suite: &'static str, mu: u8, levels: &[Level]) -> Result<Shape<N>, Error> {
        let in_bounds = |level: &Level| {
            let Level { d, k, r, queries, grind } = *level;
            let fits = d >= 1 && k >= 1 && (1..=8).contains(&r) && u32::from(d) + u32::from(r) <= 32;
            fits && queries >= 1 && u64::from(queries) <= 1 << (d + r - 1) && grind <= 32
        };
        let mut above = u32::from(mu);
        let mut chain = true;
        for level in levels {
            chain &= u32::from(level.d) + u32::from(level.k) == above;
            above = u32::from(level.d);
        }
        let counts = (1..=30).contains(&mu) && (1..=16).contains(&levels.len());
        let valid = counts && chain && levels.iter().all(in_bounds);
        let levels = levels.to_vec();
        if valid { Ok(Shape { suite, mu, levels, large: PhantomData }) } else { Err(Error::InvalidParams) }
    }

    /// The suite string.
    pub fn suite(&self) -> &'static str {
        self.suite
    }

    /// `mu`: the polynomial has `2^mu` elements.
    pub fn mu(&self) -> u8 {
        self.mu
    }

    /// The levels, from 0 to `L`.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The index `L` of the last level.
    pub fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// The field of level `i`.
    pub fn field(&self, i: usize) -> Field {
        if i == 0 { T } else { N::FIELD }
    }

    /// The code of level `i`.
    pub fn code(&self, i: usize) -> Code<N> {
        Code::new(self.field(i), self.levels[i].d, self.levels[i].r)
    }

    /// The number of elements of the final vector.
    pub fn final_len(&self) -> usize {
        1 << self.levels[self.last()].d
    }

    /// What the transcript absorbs of the shape.
    pub fn params_bytes(&self) -> Vec<u8> {
        let last = u8::try_from(self.last()).expect("at most 16 levels");
        let mut bytes = vec![self.mu, last];
        for level in &self.levels {
            bytes.extend([level.d, level.k, level.r]);
            bytes.extend(level.queries.to_le_bytes());
            bytes.push(level.grind);
        }
        bytes
    }

    /// Bytes of the sample that follows the root of a later level: none in most suites.
    pub fn sample_len(&self) -> u64 {
        if N::SAMPLES { N::FIELD.bytes() as u64 } else { 0 }
    }

    /// The longest proof, in bytes.
    pub fn max_len(&self) -> u64 {
        let element = N::FIELD.bytes() as u64;
        let one = |(i, level): (usize, &Level)| {
            let sent = if i < self.last() { 32 + self.sample_len() } else { element << level.d };
            let nonce = if level.grind > 0 { 8 } else { 0 };
            let row = (self.field(i).bytes() as u64) << level.k;
            let siblings: u64 =
                (1..=level.d + level.r).map(|h| u64::from(level.queries).min(1 << (h - 1))).sum();
            2 * element * u64::from(level.k) + sent + nonce + u64::from(level.queries) * row + 32 * siblings
        };
        self.levels.iter().enumerate().map(one).sum()
    }
}

/// The registered shape of `(profile, mu)`, if there is one (spec sections 10 and 11; `ligerito-v2`, section E.6), straight from
/// the suite's table. That of section E names no profile: all of it is 4.
pub fn registered<N: Large>(profile: u8, mu: u8) -> Option<Shape<N>> {
    let table: Value = serde_json::from_str(N::TABLE).expect("the table of shapes is JSON");
    let entries = table["entries"].as_array().expect("the table has a list of entries");
    let of_entry = |entry: &Value| entry["profile"].as_u64().unwrap_or(4);
    let entry = entries.iter().find(|entry| of_entry(entry) == u64::from(profile) && entry["mu"] == mu)?;
    let levels = entry["levels"].as_array().expect("an entry has levels");
    let levels: Vec<Level> = levels.iter().map(level).collect();
    Some(Shape::new(N::PRODUCTION, mu, &levels).expect("registered shapes are valid"))
}

/// One level as the list `[d, k, r, Q, g]`.
fn level(list: &Value) -> Level {
    let number = |i: usize| u16::try_from(list[i].as_u64().expect("five numbers")).expect("16 bits");
    let small = |i| u8::try_from(number(i)).expect("eight bits");
    Level { d: small(0), k: small(1), r: small(2), queries: number(3), grind: small(4) }
}
