//! The sizes of a proof: how many levels, and of each the matrix, the code, the queries and the proof of work.
#![forbid(unsafe_code)]

use crate::binary::BinaryField;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// One level: a matrix whose columns are encoded and whose rows are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// d: a column is a message of 2^d elements.
    pub log2_message: u8,
    /// k: there are 2^k columns, and k variables are bound by folding them.
    pub log2_columns: u8,
    /// r: a codeword is 2^r times as long as its message.
    pub log2_inverse_rate: u8,
    /// Q: rows that are opened.
    pub queries: u16,
    /// g: leading work of the prover, in bits, before it learns which rows.
    pub grinding_bits: u8,
}

impl Level {
    /// K = d + r: the tree has 2^K leaves.
    pub(super) fn log2_rows(self) -> u32 {
        u32::from(self.log2_message) + u32::from(self.log2_inverse_rate)
    }

    /// 2^d.
    pub(super) fn message_len(self) -> usize {
        1 << self.log2_message
    }

    /// 2^k.
    pub(super) fn columns(self) -> usize {
        1 << self.log2_columns
    }
}

/// The levels of a proof for polynomials in a number of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    variables: u8,
    levels: Cow<'static, [Level]>,
    /// Of a challenge, and of an element of all levels but the first.
    challenge_len_bytes: usize,
    samples: bool,
}

impl Shape {
    pub(super) fn registered<E: BinaryField>(variables: u8, levels: &'static [Level], samples: bool) -> Self {
        Self { variables, levels: Cow::Borrowed(levels), challenge_len_bytes: E::LEN_BYTES, samples }
    }

    /// A shape that is registered nowhere, for tests: it promises no security. Challenges come from GF(2^128).
    ///
    /// # Errors
    /// [`InvalidShape`](super::Error::InvalidShape) unless 1 ≤ variables ≤ 30, there are 1 to 16 levels with d ≥ 1, k ≥
    /// 1, 1 ≤ r ≤ 8, d + r ≤ 32, 1 ≤ Q ≤ 2^(d+r) / 2, g ≤ 32, the first d + k is the number of variables and every
    /// other one the d before it.
    #[cfg(any(test, feature = "hazmat"))]
    pub(super) fn unregistered(variables: u8, levels: Vec<Level>) -> Result<Self, super::Error> {
        let level_is_valid = |level: &Level| {
            level.log2_message >= 1
                && level.log2_columns >= 1
                && (1..=8).contains(&level.log2_inverse_rate)
                && level.log2_message <= 32 - level.log2_inverse_rate
                && level.queries >= 1
                && u64::from(level.queries) <= (1 << level.log2_rows()) / 2
                && level.grinding_bits <= 32
        };
        let mut left = Some(variables);
        for level in &levels {
            left = left.filter(|left| level.log2_message.checked_add(level.log2_columns) == Some(*left));
            left = left.map(|_| level.log2_message);
        }
        let valid = (1..=30).contains(&variables)
            && (1..=16).contains(&levels.len())
            && levels.iter().all(level_is_valid)
            && left.is_some();
        let levels = Cow::Owned(levels);
        let challenge_len_bytes = crate::binary::Gf128::LEN_BYTES;
        let shape = Self { variables, levels, challenge_len_bytes, samples: false };
        if valid { Ok(shape) } else { Err(super::Error::InvalidShape) }
    }

    /// The same levels, with challenges from the field `E`.
    #[cfg(any(test, feature = "hazmat"))]
    pub(super) fn over<E: BinaryField>(self) -> Self {
        Self { challenge_len_bytes: E::LEN_BYTES, ..self }
    }

    /// The same levels, with samples or without.
    #[cfg(any(test, feature = "hazmat"))]
    pub(super) fn with_samples(self, samples: bool) -> Self {
        Self { samples, ..self }
    }

    /// Variables of the polynomial: it has 2^variables coefficients.
    #[must_use]
    pub fn variables(&self) -> u8 {
        self.variables
    }

    /// The levels, the polynomial's own matrix first.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// log2 of the number of elements of the final vector, which is sent whole.
    #[must_use]
    pub fn log2_final(&self) -> u8 {
        self.last().log2_message
    }

    /// Bytes of a challenge: 16 where they come from GF(2^128), 24 where they come from GF(2^192). Points, values and
    /// all elements after level 0 have as many.
    #[must_use]
    pub fn challenge_len_bytes(&self) -> usize {
        self.challenge_len_bytes
    }

    /// Whether the commitment and every later level have a *sample*, their value at a point that is drawn when their root is
    /// known: those of [`johnson128`](crate::johnson128) have (docs/ligerito.md, section 16).
    #[must_use]
    pub fn has_samples(&self) -> bool {
        self.samples
    }

    pub(super) fn last(&self) -> Level {
        *self.levels.last().expect("a shape has at least one level")
    }

    /// The shape as prover and verifier absorb it: mu, L, then d, k, r, Q, g of every level.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let deepest = u8::try_from(self.levels.len() - 1).expect("at most 16 levels");
        let mut bytes = alloc::vec![self.variables, deepest];
        for level in &*self.levels {
            bytes.extend([level.log2_message, level.log2_columns, level.log2_inverse_rate]);
            bytes.extend(level.queries.to_le_bytes());
            bytes.push(level.grinding_bits);
        }
        bytes
    }
}

/// The most siblings that lead from a level's queries to its root.
pub(super) fn siblings_of(level: Level) -> usize {
    (1..=level.log2_rows()).map(|h| usize::from(level.queries).min(1 << (h - 1))).sum()
}
