//! The sizes of a proof of the published crate: its configurations, and those of its command line.
#![forbid(unsafe_code)]

use alloc::vec::Vec;

/// One level: a matrix whose columns are encoded and whose rows are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimensions {
    /// d: a column is a message of 2^d elements.
    pub log2_message: u8,
    /// k: there are 2^k columns, and k variables are bound by folding them.
    pub log2_columns: u8,
}

/// The levels of a proof. Level 0 is over GF(2^32), the later ones over GF(2^128); every codeword is four times as long
/// as its message, and 148 rows are opened of every level (all of them, if a level has fewer).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    levels: Vec<Dimensions>,
}

/// Rows opened of every level.
const QUERIES: usize = 148;
/// A codeword is 2^2 times as long as its message.
pub(super) const LOG2_INVERSE_RATE: u8 = 2;

impl Config {
    /// The crate's configuration for 2^`variables` coefficients: there is one for 12, 16, 20, 24, 26, 28 and 30.
    #[must_use]
    pub fn published(variables: u8) -> Option<Self> {
        let levels: &[(u8, u8)] = match variables {
            12 => &[(8, 4), (6, 2)],
            16 => &[(12, 4), (8, 4)],
            26 => &[(20, 6), (17, 3), (14, 3), (11, 3)],
            28 => &[(22, 6), (19, 3), (16, 3), (13, 3), (10, 3)],
            20 | 24 | 30 => return Self::autosized(variables),
            _ => return None,
        };
        Some(Self::of(levels))
    }

    /// The configuration that the crate's command line chooses for 2^`variables` coefficients: there is one for each of
    /// 20 to 30. Those for 26 and 28 differ from [`published`](Self::published), and so do their proofs.
    #[must_use]
    pub fn autosized(variables: u8) -> Option<Self> {
        let levels: &[(u8, u8)] = match variables {
            20 => &[(14, 6), (10, 4)],
            21 => &[(15, 6), (11, 4)],
            22 => &[(16, 6), (12, 4), (8, 4)],
            23 => &[(17, 6), (13, 4), (9, 4)],
            24 => &[(18, 6), (14, 4), (10, 4)],
            25 => &[(19, 6), (15, 4), (11, 4)],
            26 => &[(20, 6), (16, 4), (12, 4), (8, 4)],
            27 => &[(21, 6), (17, 4), (13, 4), (9, 4)],
            28 => &[(22, 6), (18, 4), (14, 4), (10, 4)],
            29 => &[(23, 6), (19, 4), (15, 4), (11, 4)],
            30 => &[(23, 7), (19, 4), (15, 4), (11, 4)],
            _ => return None,
        };
        Some(Self::of(levels))
    }

    fn of(levels: &[(u8, u8)]) -> Self {
        let levels = levels.iter();
        Self {
            levels: levels
                .map(|&(log2_message, log2_columns)| Dimensions { log2_message, log2_columns })
                .collect(),
        }
    }

    /// Any other levels; `None` unless there are 2 to 16, every d and k is at least 1, every d_i + k_i is the d before
    /// it, there are at most 30 variables, and every code's points lie in its field.
    #[cfg(any(test, feature = "hazmat"))]
    pub(super) fn unpublished(levels: Vec<Dimensions>) -> Option<Self> {
        let config = Self { levels };
        let [first, rest @ ..] = &*config.levels else { return None };
        let valid = |level: &Dimensions| level.log2_message >= 1 && level.log2_columns >= 1;
        let mut above = first.log2_message;
        for level in rest {
            if level.log2_message.checked_add(level.log2_columns) != Some(above) {
                return None;
            }
            above = level.log2_message;
        }
        let variables = first.log2_message.checked_add(first.log2_columns)?;
        let valid = config.levels.iter().all(valid) && (1..16).contains(&rest.len()) && variables <= 30;
        valid.then_some(config)
    }

    /// The polynomial has 2^variables coefficients.
    #[must_use]
    pub fn variables(&self) -> u8 {
        self.first().log2_message + self.first().log2_columns
    }

    /// The levels, the polynomial's own matrix first; at least two.
    #[must_use]
    pub fn levels(&self) -> &[Dimensions] {
        &self.levels
    }

    /// r: a codeword is 2^r times as long as its message, at every level.
    #[must_use]
    pub fn log2_inverse_rate(&self) -> u8 {
        LOG2_INVERSE_RATE
    }

    /// Rows opened of level `index`.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn queries(&self, index: usize) -> usize {
        QUERIES.min(1 << self.log2_rows(index))
    }

    /// log2 of the number of elements of the final vector, which is sent whole.
    #[must_use]
    pub fn log2_final(&self) -> u8 {
        self.levels[self.last()].log2_message
    }

    /// Rounds of sumcheck after the first level.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.levels[1..].iter().map(|level| usize::from(level.log2_columns)).sum()
    }

    /// The configuration as prover and verifier absorb it: d and k of level 0, the number of later levels, the queries,
    /// and then every d and every k of the later levels, four bytes each.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let later = &self.levels[1..];
        let later_len = u32::try_from(later.len()).expect("at most 16 levels");
        let mut numbers: Vec<u32> =
            alloc::vec![self.first().log2_message.into(), self.first().log2_columns.into()];
        numbers.extend([later_len, u32::try_from(QUERIES).expect("148")]);
        numbers.extend(later.iter().map(|level| u32::from(level.log2_message)));
        numbers.extend(later.iter().map(|level| u32::from(level.log2_columns)));
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Length of the longest proof, in bytes. Proofs differ in length, since neighbouring rows share nodes of the tree.
    #[must_use]
    pub fn max_proof_len_bytes(&self) -> usize {
        let roots = 33 * self.levels.len();
        let counts = 8 * (2 * self.levels.len() + 5);
        let messages =
            (48 * (self.rounds() + usize::from(self.first().log2_columns))) + (16 << self.log2_final());
        let openings: usize = (0..self.levels.len())
            .map(|index| {
                self.queries(index) * (8 + self.row_len_bytes(index)) + 32 * self.max_siblings(index)
            })
            .sum();
        roots + counts + messages + openings
    }

    pub(super) fn first(&self) -> Dimensions {
        self.levels[0]
    }

    /// L: the index of the last level.
    pub(super) fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// The tree of level `index` has 2^(this) leaves.
    pub(super) fn log2_rows(&self, index: usize) -> u32 {
        u32::from(self.levels[index].log2_message) + u32::from(LOG2_INVERSE_RATE)
    }

    pub(super) fn row_len_bytes(&self, index: usize) -> usize {
        (if index == 0 { 4 } else { 16 }) << self.levels[index].log2_columns
    }

    /// Most siblings that an opening of level `index` sends.
    fn max_siblings(&self, index: usize) -> usize {
        (0..self.log2_rows(index)).map(|height| self.queries(index).min(1 << height)).sum()
    }
}
