//! Weights that the vectors describe: a name, and what follows it.

use super::elements::one_large;
use super::suite::Suite;
use crate::json::Bytes;
use crate::report::ensure;
use phalanx::ligerito::PublicWeight;
use std::borrow::Cow;
use std::ops::{Add, Mul};

/// W(x) = eq(z, x + 1), where 0 follows the largest x; the coordinates of z, each with its lowest byte first.
const SUCCESSOR: &[u8] = b"phalanx vectors: successor";
/// W(x) = 1 for x below a bound of eight bytes.
const BELOW: &[u8] = b"phalanx vectors: below";

/// What weights are made of.
pub(super) trait Element: Copy + PartialEq + Sync + Add<Output = Self> + Mul<Output = Self> {}

impl<E: Copy + PartialEq + Sync + Add<Output = E> + Mul<Output = E>> Element for E {}

/// A weight, and the field's 0 and 1.
pub(super) struct Described<E> {
    description: Vec<u8>,
    kind: Kind<E>,
    zero: E,
    one: E,
}

enum Kind<E> {
    Successor(Vec<E>),
    Below(u64),
}

impl<E: Copy> Described<E> {
    pub(super) fn new<S: Suite<Challenge = E>>(description: &[u8]) -> Result<Self, String> {
        let len = S::BITS as usize / 8;
        let element = |lowest_first: &[u8]| {
            let mut bytes = lowest_first.to_vec();
            bytes.reverse();
            one_large::<S>(&Bytes(bytes))
        };
        let kind = if let Some(z) = description.strip_prefix(SUCCESSOR) {
            ensure(z.len().is_multiple_of(len), "coordinates of another length")?;
            Kind::Successor(z.chunks(len).map(element).collect::<Result<_, _>>()?)
        } else {
            let bound = description.strip_prefix(BELOW).ok_or("not a weight that this version knows")?;
            Kind::Below(u64::from_le_bytes(bound.try_into().map_err(|_| "a bound of another length")?))
        };
        Ok(Self { description: description.to_vec(), kind, zero: S::small(0), one: S::small(1) })
    }
}

impl<E: Element> PublicWeight<E> for Described<E> {
    fn description(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.description)
    }

    fn fill(&self, table: &mut [E], from: u64) {
        for (x, weight) in (from..).zip(table) {
            *weight = match &self.kind {
                Kind::Below(bound) => {
                    if x < *bound {
                        self.one
                    } else {
                        self.zero
                    }
                }
                Kind::Successor(z) => {
                    let factor = |j: usize| if (x + 1) >> j & 1 == 1 { z[j] } else { self.one + z[j] };
                    (0..z.len()).fold(self.one, |product, j| product * factor(j))
                }
            };
        }
    }

    /// From the lowest bit on: of the successor what there is with a carry and without; of the bound whether the bits so far are
    /// below its own.
    fn evaluate(&self, point: &[E]) -> E {
        let one = self.one;
        match &self.kind {
            Kind::Successor(z) => {
                let (mut carry, mut none) = (one, self.zero);
                for (z, x) in z.iter().copied().zip(point.iter().copied()) {
                    none = none * (one + z + x) + carry * z * (one + x);
                    carry = carry * (one + z) * x;
                }
                carry + none
            }
            Kind::Below(bound) if bound >> point.len() != 0 => one,
            Kind::Below(bound) => {
                let bit = |j: usize| bound >> j & 1 == 1;
                point.iter().copied().enumerate().fold(self.zero, |below, (j, x)| {
                    if bit(j) { one + x + x * below } else { (one + x) * below }
                })
            }
        }
    }
}
