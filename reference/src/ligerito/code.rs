//! The Reed-Solomon code of one level, in the normalised basis (spec section 4).

use super::field::{Field, Large};
use super::multilinear::{dot, tensor};

/// Messages of `2^d` elements, codewords of `2^(d+r)`.
#[derive(Clone, Debug)]
pub struct Code<N> {
    /// The field of messages and codewords.
    pub field: Field,
    /// The base-two logarithm of the codeword length.
    pub log_len: u8,
    /// `(c_j, 1/c_j)` for `j < d`, where `c_j = s_j(2^j)`.
    constants: Vec<(N, N)>,
}

impl<N: Large> Code<N> {
    /// The code over `field` with message length `2^d` and inverse rate `2^r`.
    ///
    /// # Panics
    ///
    /// Panics if the field has no `2^(d+r)` elements: the points are the integers below that, and two of them would
    /// be the same element.
    pub fn new(field: Field, d: u8, r: u8) -> Code<N> {
        assert!(u32::from(d) + u32::from(r) <= field.bits, "the domain fits the field");
        let mut constants = Vec::new();
        for j in 0..d {
            let c = vanishing(field, &constants, N::from(1 << j));
            constants.push((c, field.inverse(c)));
        }
        Code { field, log_len: d + r, constants }
    }

    /// `h_j(w_q)` for `j < d`.
    pub fn factors(&self, q: u64) -> Vec<N> {
        (0..self.constants.len()).map(|j| self.factor(j, q)).collect()
    }

    fn factor(&self, j: usize, q: u64) -> N {
        let (before, (_, inverse)) = (&self.constants[..j], self.constants[j]);
        self.field.mul(vanishing(self.field, before, N::from(q)), inverse)
    }

    /// Row `q` of the generator: the basis functions `H_0..H_(2^d - 1)` at the point `w_q`.
    pub fn generator_row(&self, q: u64) -> Vec<N> {
        let pairs: Vec<_> = self.factors(q).into_iter().map(|a| (N::one(), a)).collect();
        tensor(self.field, &pairs)
    }

    /// The same row in the large field, where level 0 meets its induced claims and, alone, the final vector.
    pub fn generator_row_in_large(&self, q: u64) -> Vec<N> {
        self.generator_row(q).into_iter().map(|entry| self.field.into_large(entry)).collect()
    }

    /// The codewords of several messages: row `q` of the result has entry `q` of each.
    ///
    /// # Panics
    ///
    /// Panics unless every message has `2^d` elements.
    pub fn encode(&self, messages: &[Vec<N>]) -> Vec<Vec<N>> {
        let row = |q| {
            let generator = self.generator_row(q);
            messages.iter().map(|message| dot(self.field, message, &generator)).collect()
        };
        (0..1 << self.log_len).map(row).collect()
    }

    /// One codeword by the additive transform of section 4, for messages that are too long for [`Code::encode`].
    ///
    /// # Panics
    ///
    /// Panics unless the message has `2^d` elements.
    pub fn transform(&self, message: &[N]) -> Vec<N> {
        assert_eq!(message.len(), 1 << self.constants.len(), "a message has 2^d elements");
        // The layers above are copies.
        let mut word = message.repeat((1 << self.log_len) / message.len());
        for j in (0..self.constants.len()).rev() {
            let half = 1 << j;
            for (block, start) in word.chunks_exact_mut(2 * half).zip((0..).step_by(2 * half)) {
                let twiddle = self.factor(j, start);
                let (u, w) = block.split_at_mut(half);
                for (u, w) in u.iter_mut().zip(w) {
                    *u ^= self.field.mul(twiddle, *w);
                    *w ^= *u;
                }
            }
        }
        word
    }
}

/// `s_j(x)`, where `j` constants are given.
fn vanishing<N: Large>(field: Field, constants: &[(N, N)], x: N) -> N {
    constants.iter().fold(x, |s, &(c, _)| field.mul(s, s) ^ field.mul(c, s))
}
