//! Products by one element, many times: with tables, for public data only.

use super::lanes::OnLanes;
use alloc::vec::Vec;

/// The products of an element with every nibble at every place: 16 entries for each of the field's nibbles.
///
/// A product is a sum of 32 (GF(2^128)) or 48 (GF(2^192)) entries, where ordinary multipliers take 96 or 192 products;
/// the table is made by 480 or 720 additions. Which entries are read depends on the other factor, and with them what
/// the caches do: verifiers use this, whose data everybody knows, and provers do not.
pub(crate) struct Multiples<E>(Vec<[E; 16]>);

impl<E: OnLanes> Multiples<E> {
    /// From this many products on the table pays.
    pub(crate) const MIN_PRODUCTS: usize = 16;

    /// The multiples of zero.
    pub(crate) fn new() -> Self {
        Self(alloc::vec![[E::ZERO; 16]; E::BITS as usize / 4])
    }

    /// Makes them those of `factor`.
    pub(crate) fn set(&mut self, mut factor: E) {
        for entries in &mut self.0 {
            for bit in 0..4 {
                let (known, next) = entries.split_at_mut(1 << bit);
                for (next, known) in next.iter_mut().zip(known) {
                    *next = *known + factor;
                }
                factor = factor.times_x();
            }
        }
    }

    /// The product with `x`.
    #[inline]
    pub(crate) fn times(&self, x: E) -> E {
        let mut sum = E::ZERO;
        for (limb, entries) in x.limbs().into_iter().zip(self.0.as_chunks::<16>().0) {
            for (place, entries) in entries.iter().enumerate() {
                sum += entries[(limb >> (4 * place) & 15) as usize];
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::tests::FromLimbs;
    use crate::binary::{Gf128, Gf192};

    fn agree<E: FromLimbs>() {
        let values = [E::borders(), E::mixture(20, 7)].concat();
        let mut multiples = Multiples::new();
        for factor in &values {
            multiples.set(*factor);
            for x in &values {
                assert_eq!(multiples.times(*x), *factor * *x, "{factor:?} {x:?}");
            }
        }
    }

    #[test]
    fn multiples_are_products() {
        agree::<Gf128>();
        agree::<Gf192>();
    }
}
