//! The top layers of the hypercube: how the P2 message hash becomes a vertex, that is, a codeword.
//!
//! A vertex is a point of `[0, base - 1]^dimension`; it lies in layer `d` when its coordinates sum to
//! `dimension * (base - 1) - d`, so layer 0 is the single top corner. The message hash is read as an integer
//! `N`, reduced modulo the number `S` of vertices in layers `0..=last_layer`, and the result is the rank of a
//! vertex when those layers are listed one after the other, each in lexicographically descending order.
//!
//! The signer tries about 23 hashes per signature and keeps the first that falls into one fixed layer. Its
//! path per attempt is [`Hypercube::reduce`] and [`Hypercube::offset_in`]; only the hash it keeps is
//! unranked.
//!
//! Time depends on the values. They are public, or come from randomness that was tried and thrown away; no
//! chain secret enters.
//!
//! Source: `docs/xmss.md` section 8.1, whose step numbers are repeated below.
#![forbid(unsafe_code)]

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

use crate::fields::koala_bear::P;

/// Digits of the message hash: one squeeze of the width-24 sponge, rate 15.
const DIGITS: usize = 15;

/// Bits kept in front of the quotient when the reduction estimates it; see [`Modulus::reduce`].
const GUARD_BITS: usize = 21;

/// Scale of the reciprocal, `log2`. 63 and not 64, so that the reciprocal of `S = 1` still fits a `u64`.
const RECIPROCAL_BITS: usize = 63;

/// The largest base whose coordinates `0..base` fit a `u8`.
const MAX_BASE: usize = 256;

/// The top layers `0..=last_layer` of the hypercube `[0, base - 1]^dimension`, with every count the encoding
/// needs.
///
/// Sizes: `(dimension + 1) * (last_layer + 1)` counts of 24 bytes, 122 kB for 64/8/77. Write `l(r, d)` for
/// the size of layer `d` in the cube of `r` coordinates and `S` for the total over layers `0..=last_layer`.
pub(crate) struct Hypercube {
    /// Coordinates per vertex: `v` of the parameter table, the number of chains.
    dimension: usize,
    /// Values per coordinate: `w` of the parameter table.
    base: usize,
    /// `l(r, d)` at `r * layers + d`, for `r` in `0..=dimension`.
    sizes: Vec<U192>,
    /// First rank of each layer, and `S` at the end: `last_layer + 2` increasing entries.
    starts: Vec<U192>,
    /// The reduction modulo `S`.
    modulus: Modulus,
    /// `p^(14 - i) mod S`, the weight of digit `i`.
    weights: [U192; DIGITS],
}

impl Hypercube {
    /// Counts the layers `0..=last_layer` of `[0, base - 1]^dimension`. Built once per parameter set; takes
    /// one addition and one subtraction per count.
    ///
    /// # Panics
    ///
    /// If `dimension` is 0, `base` is not in `2..=256`, a layer up to `last_layer` does not exist, or the
    /// vertices are `2^192` or more. All are properties of a parameter set, none of a message.
    pub(crate) fn new(dimension: usize, base: usize, last_layer: usize) -> Self {
        assert!(dimension > 0, "a vertex has coordinates");
        assert!((2..=MAX_BASE).contains(&base), "coordinates fit a u8 and take at least two values");
        assert!(last_layer <= dimension * (base - 1), "layer 0..=dimension * (base - 1)");
        let layers = last_layer + 1;
        let sizes = layer_sizes(dimension, base, layers);

        let mut starts = Vec::with_capacity(layers + 1);
        let mut total = U192::ZERO;
        starts.push(total);
        for size in &sizes[dimension * layers..] {
            total = total.checked_add(size).expect("layer counts fit 192 bits");
            starts.push(total);
        }

        let modulus = Modulus::new(total);
        let mut weights = [modulus.reduce(U192::ONE.times(1)); DIGITS];
        for i in (0..DIGITS - 1).rev() {
            weights[i] = modulus.reduce(weights[i + 1].times(u64::from(P)));
        }
        Self { dimension, base, sizes, starts, modulus, weights }
    }

    /// Steps 2 and 3: `N mod S`, where `N` has the base-`p` digits `o_0..o_14`, most significant first.
    ///
    /// Input: canonical residues, each below `p` (checked in debug builds). Output: below `S`.
    ///
    /// The digits are not assembled into the 465-bit `N`: with `r_i = p^(14 - i) mod S`, the sum of `o_i *
    /// r_i` is congruent to `N` and below `15 * 2^31 * S < 2^35 * S`, so its quotient by `S` fits one limb.
    /// Each column below adds 15 products of 31 and 64 bits, hence stays below `2^99`.
    pub(crate) fn reduce(&self, digits: &[u32; DIGITS]) -> U192 {
        let mut columns = [0u128; 3];
        for (&digit, weight) in digits.iter().zip(&self.weights) {
            debug_assert!(digit < P, "digits are canonical");
            for (column, &limb) in columns.iter_mut().zip(&weight.0) {
                *column += u128::from(digit) * u128::from(limb);
            }
        }
        self.modulus.reduce(carry(columns))
    }

    /// The offset of a reduced value inside `layer`, or `None` if it lies in another layer (step 4 for one
    /// layer: two comparisons and a subtraction). No value lies in a layer beyond `last_layer`.
    pub(crate) fn offset_in(&self, reduced: &U192, layer: usize) -> Option<U192> {
        let [start, end] = self.starts.get(layer..)?.first_chunk()?;
        if reduced < end { reduced.checked_sub(start) } else { None }
    }

    /// Step 5: writes the coordinates of vertex number `offset` of `layer`; they sum to
    /// `dimension * (base - 1) - layer`.
    ///
    /// With `r` coordinates still to come and `d` layers left to descend, those with coordinate `base - 1 -
    /// j` number `l(r, d - j)`, and smaller `j` comes first. The step's closing formula for the last
    /// coordinate is the case `r = 0`, where `offset` has become 0.
    ///
    /// # Panics
    ///
    /// If `layer` is above `last_layer`, `offset` is not below the size of the layer, or `coordinates` does
    /// not have `dimension` entries.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates are below base, which is at most 256")]
    pub(crate) fn unrank(&self, layer: usize, offset: &U192, coordinates: &mut [u8]) {
        assert_eq!(coordinates.len(), self.dimension, "one entry per coordinate");
        assert!(*offset < self.row(self.dimension)[layer], "the offset lies inside its layer");
        let steps = self.base - 1;
        let mut offset = *offset;
        let mut layer = layer;
        for (coordinate, remaining) in coordinates.iter_mut().zip((0..self.dimension).rev()) {
            let row = self.row(remaining);
            // `r` coordinates descend at most `r * (base - 1)` layers and the rest falls on this one;
            // starting there skips counts that are zero. What follows sums to l(r + 1, layer) > offset, so
            // the loop ends in the row.
            let mut below = layer.min(steps * remaining);
            while let Some(rest) = offset.checked_sub(&row[below]) {
                offset = rest;
                below -= 1;
            }
            *coordinate = (steps - (layer - below)) as u8;
            layer = below;
        }
    }

    /// The sizes `l(r, 0..=last_layer)` of the layers of the cube with `r` coordinates, `r <= dimension`.
    fn row(&self, r: usize) -> &[U192] {
        let layers = self.starts.len() - 1;
        &self.sizes[r * layers..][..layers]
    }
}

/// For inspection: signing and verifying look into one layer only.
#[cfg(any(test, feature = "hazmat"))]
impl Hypercube {
    /// Step 4: the layer of a reduced value, and its offset inside that layer.
    ///
    /// # Panics
    ///
    /// If `reduced` is `S` or more, which [`Self::reduce`] never returns.
    pub(crate) fn locate(&self, reduced: &U192) -> (usize, U192) {
        let layer = self.starts[1..].partition_point(|end| end <= reduced);
        let offset = self.offset_in(reduced, layer).expect("a reduced value is below the vertex count");
        (layer, offset)
    }
}

/// The table of `l(r, d)`, at `r * layers + d` for `r` in `0..=dimension` and `d` in `0..layers`.
///
/// `l(r, d)` is the coefficient of `X^d` in `(1 + X + ... + X^(base - 1))^r`, so each row is a sliding sum
/// over the `base` entries above it. No count exceeds the one below it in the table, `l(dimension, d)`.
pub(crate) fn layer_sizes(dimension: usize, base: usize, layers: usize) -> Vec<U192> {
    let mut sizes = vec![U192::ZERO; (dimension + 1) * layers];
    // Without coordinates there is one vertex, in layer 0.
    sizes[0] = U192::ONE;
    for r in 1..=dimension {
        let (above, row) = sizes[(r - 1) * layers..(r + 1) * layers].split_at_mut(layers);
        let mut sum = U192::ZERO;
        for d in 0..layers {
            if d >= base {
                sum = sum.checked_sub(&above[d - base]).expect("the entry was added `base` steps ago");
            }
            sum = sum.checked_add(&above[d]).expect("layer counts fit 192 bits");
            row[d] = sum;
        }
    }
    sizes
}

/// A modulus `S` in `1..2^192` with the reciprocal that turns division by it into one multiplication
/// (Barrett, CRYPTO '86; Handbook of Applied Cryptography, algorithm 14.42).
struct Modulus {
    /// `S`.
    value: U192,
    /// Low bits that the quotient estimate drops: `max(0, bits(S) - 21)`.
    shift: usize,
    /// `floor(2^(shift + 63) / S)`, at most `2^63`.
    reciprocal: u64,
}

impl Modulus {
    /// Prepares reductions modulo `value`, which is not zero. One doubling per bit of the dividend.
    fn new(value: U192) -> Self {
        let shift = value.bits().saturating_sub(GUARD_BITS);
        let mut reciprocal = 0;
        // Long division of 2^(shift + 63), fed from its leading one; the remainder stays below `value`.
        let mut remainder = extend(&U192::ZERO);
        for position in 0..=shift + RECIPROCAL_BITS {
            remainder = add(&remainder, &remainder).0;
            remainder[0] |= u64::from(position == 0);
            let (less, borrow) = subtract(&remainder, &extend(&value));
            if !borrow {
                remainder = less;
            }
            reciprocal = (reciprocal << 1) | u64::from(!borrow);
        }
        Self { value, shift, reciprocal }
    }

    /// `x mod S` for any `x < 2^35 * S`.
    ///
    /// Let `t = floor(x / 2^shift)` and `m = floor(2^(shift + 63) / S)`; the quotient is estimated as
    /// `q = floor(t * m / 2^63)`. Never too large, since every floor rounds down. At most 1 too small:
    /// * `t < 2^56`. If `shift > 0` then `S < 2^(shift + 21)`; otherwise `t = x` and `S < 2^21`.
    /// * `x / S - t * 2^shift / S` is 0 if `shift = 0`, and else below `2^shift / S <= 2^-20`.
    /// * `t * 2^shift / S - t * m / 2^63 < t / 2^63 < 2^-7`, as `m` is short by less than 1.
    ///
    /// Hence `x / S < q + 1 + 2^-20 + 2^-7`, so `0 <= x - q * S < 2 * S` and one subtraction finishes. As
    /// `q < 2^35`, the product `q * S` fits four limbs.
    fn reduce(&self, x: [u64; 4]) -> U192 {
        // bits(S) <= 192, so shift <= 171: its limb is 0, 1 or 2, and two limbs hold the 56 bits of `t`.
        let limb = self.shift / 64;
        let (t, _) = split((u128::from(x[limb + 1]) << 64 | u128::from(x[limb])) >> (self.shift % 64));
        let (q, _) = split((u128::from(t) * u128::from(self.reciprocal)) >> RECIPROCAL_BITS);
        let (rest, _) = subtract(&x, &self.value.times(q));
        let (less, borrow) = subtract(&rest, &extend(&self.value));
        let [a, b, c, _] = if borrow { rest } else { less };
        U192([a, b, c])
    }
}

/// A fixed-width 192-bit unsigned integer, little-endian limbs. Ranks and counts of vertices: the largest
/// parameter set has 136 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct U192(pub(crate) [u64; 3]);

impl U192 {
    /// Zero.
    const ZERO: Self = Self([0; 3]);

    /// One.
    const ONE: Self = Self([1, 0, 0]);

    /// The sum, or `None` if it is `2^192` or more.
    fn checked_add(&self, other: &Self) -> Option<Self> {
        let (sum, carry) = add(&self.0, &other.0);
        if carry { None } else { Some(Self(sum)) }
    }

    /// The difference, or `None` if `other` is larger.
    fn checked_sub(&self, other: &Self) -> Option<Self> {
        let (difference, borrow) = subtract(&self.0, &other.0);
        if borrow { None } else { Some(Self(difference)) }
    }

    /// The 256-bit product with one limb.
    fn times(&self, factor: u64) -> [u64; 4] {
        carry(self.0.map(|limb| u128::from(limb) * u128::from(factor)))
    }

    /// Length in bits: 0 for zero, otherwise one more than the position of the highest set bit.
    fn bits(&self) -> usize {
        let zeros = match self.0 {
            [low, 0, 0] => 128 + low.leading_zeros(),
            [_, middle, 0] => 64 + middle.leading_zeros(),
            [_, _, high] => high.leading_zeros(),
        };
        192 - zeros as usize
    }
}

impl Ord for U192 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U192 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The low limb of a double limb, and what is above it.
#[expect(clippy::cast_possible_truncation, reason = "the low limb is what is asked for")]
const fn split(x: u128) -> (u64, u128) {
    (x as u64, x >> 64)
}

/// The value with a fourth limb, zero.
const fn extend(x: &U192) -> [u64; 4] {
    let [a, b, c] = x.0;
    [a, b, c, 0]
}

/// `c_0 + c_1 * 2^64 + c_2 * 2^128` as four limbs. Each column is at most `(2^64 - 1)^2`, so that adding the
/// carry of the column before does not overflow; whatever exceeds 256 bits is dropped.
fn carry(columns: [u128; 3]) -> [u64; 4] {
    let (a, above) = split(columns[0]);
    let (b, above) = split(columns[1] + above);
    let (c, above) = split(columns[2] + above);
    [a, b, c, split(above).0]
}

/// The sum of two integers of `N` limbs, modulo `2^(64 * N)`, and whether it wrapped.
fn add<const N: usize>(x: &[u64; N], y: &[u64; N]) -> ([u64; N], bool) {
    let mut sum = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (partial, first) = x[i].overflowing_add(y[i]);
        let (limb, second) = partial.overflowing_add(u64::from(carry));
        sum[i] = limb;
        carry = first | second;
    }
    (sum, carry)
}

/// The difference of two integers of `N` limbs, modulo `2^(64 * N)`, and whether it wrapped.
fn subtract<const N: usize>(x: &[u64; N], y: &[u64; N]) -> ([u64; N], bool) {
    let mut difference = [0; N];
    let mut borrow = false;
    for i in 0..N {
        let (partial, first) = x[i].overflowing_sub(y[i]);
        let (limb, second) = partial.overflowing_sub(u64::from(borrow));
        difference[i] = limb;
        borrow = first | second;
    }
    (difference, borrow)
}

#[cfg(test)]
mod tests;
