//! Planes: the 32 bits of the coefficients as polynomials of their own, opened as 32 points of the commitment that there
//! is (spec `ligerito-v2`, sections B.1, B.2 and B.6).

use super::field::{Large, phi};
use super::multilinear::eq;
use super::{Claim, Committed, Error, Opening};

/// The 32 planes of `f` at `z`: `s_i` is the sum of `eq(z, x)` over those `x` where `f(x)` has bit `i`.
pub fn planes<N: Large>(f: &[u32], z: &[N]) -> Vec<N> {
    let weights = eq(z);
    let plane = |i: u32| {
        let set = f.iter().zip(&weights).filter(|(word, _)| *word >> i & 1 == 1);
        set.fold(N::default(), |sum, (_, &weight)| sum ^ weight)
    };
    (0..32).map(plane).collect()
}

/// `x^(2^k)`.
fn conjugate<N: Large>(x: N, k: u32) -> N {
    (0..k).fold(x, |x, _| x.times(x))
}

/// The points `z^(2^k)` for `k < 32`, coordinate by coordinate.
pub fn orbit<N: Large>(z: &[N]) -> Vec<Vec<N>> {
    (0..32).map(|k| z.iter().map(|&z| conjugate(z, k)).collect()).collect()
}

/// What the planes `s` say of the polynomial at the points of the orbit: `t_k`, the sum of `g^i s_i^(2^k)`.
pub fn values_of_planes<N: Large>(s: &[N]) -> Vec<N> {
    let value = |k| {
        let terms = s.iter().zip(N::powers()).map(|(&s, &power)| power.times(conjugate(s, k)));
        terms.fold(N::default(), |sum, term| sum ^ term)
    };
    (0..32).map(value).collect()
}

/// The inverse: the planes that have these values. The root `t_k^(2^-k)` is the value at the conjugate `g^(2^-k)` of the
/// polynomial whose coefficients are the planes, so they are interpolated.
///
/// # Panics
///
/// Panics unless there are 32 values.
pub fn planes_of_values<N: Large>(t: &[N]) -> Vec<N> {
    assert_eq!(t.len(), 32, "a value for every point of an orbit");
    let root = |x: N, k: u32| conjugate(x, (N::FIELD.bits - k) % N::FIELD.bits);
    let nodes: Vec<N> = (0..32).map(|k| root(N::X_OF_T, k)).collect();
    let values: Vec<N> = (0..32).zip(t).map(|(k, &t)| root(t, k)).collect();
    interpolate(&nodes, &values)
}

/// The coefficients of the polynomial of degree below the number of nodes that has these values there (Lagrange).
fn interpolate<N: Large>(nodes: &[N], values: &[N]) -> Vec<N> {
    let mut sum = vec![N::default(); nodes.len()];
    for (i, (&node, &value)) in nodes.iter().zip(values).enumerate() {
        let others: Vec<N> = nodes.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &x)| x).collect();
        let scale = others.iter().fold(N::one(), |product, &x| product.times(node ^ x));
        let factor = value.times(scale.inverse());
        sum.iter_mut().zip(vanishing(&others)).for_each(|(sum, c)| *sum ^= factor.times(c));
    }
    sum
}

/// The coefficients of the product of `v - root`, the lowest first.
pub fn vanishing<N: Large>(roots: &[N]) -> Vec<N> {
    let mut product = vec![N::one()];
    for &root in roots {
        product.push(N::default());
        for j in (0..product.len()).rev() {
            let shifted = if j == 0 { N::default() } else { product[j - 1] };
            product[j] = shifted ^ root.times(product[j]);
        }
    }
    product
}

/// "The committed polynomial has these planes at this point", as 32 claims about points.
pub fn claims_of_planes<N: Large>(z: &[N], s: &[N]) -> Vec<Claim<N>> {
    let claim = |(point, value)| Claim { point, value };
    orbit(z).into_iter().zip(values_of_planes(s)).map(claim).collect()
}

impl<N: Large> Committed<N> {
    /// The planes at each of `points` and one proof for them: the opening at all points of their orbits, in order.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_planes(&self, points: &[Vec<N>], ctx: &[u8]) -> Result<(Vec<Vec<N>>, Opening<N>), Error> {
        let orbits: Vec<Vec<N>> = points.iter().flat_map(|z| orbit(z)).collect();
        let opening = self.open(&orbits, ctx)?;
        Ok((opening.values.chunks(32).map(planes_of_values).collect(), opening))
    }
}

/// The value of small coefficients that lie in words of 32 bits, `basis.len()` bits each, the first one lowest: at `low`
/// inside the word and at the planes' point outside (section B.1).
///
/// # Panics
///
/// Panics unless a word is full.
pub fn value_of_planes<N: Large>(low: &[N], basis: &[N], s: &[N]) -> N {
    let inside = eq(low);
    assert_eq!(inside.len() * basis.len(), s.len(), "coefficients fill a word");
    let weights = inside.iter().flat_map(|&eq| basis.iter().map(move |&image| eq.times(image)));
    s.iter().zip(weights).fold(N::default(), |sum, (&s, weight)| sum ^ weight.times(s))
}

/// The coefficients themselves in the large field, as [`value_of_planes`] understands them.
pub fn small_coefficients<N: Large>(f: &[u32], basis: &[N]) -> Vec<N> {
    let coefficient = |word: u32, first: usize| {
        let bits = basis.iter().enumerate().filter(|(b, _)| word >> (first + b) & 1 == 1);
        bits.fold(N::default(), |sum, (_, &image)| sum ^ image)
    };
    let of_word = |&word| (0..32).step_by(basis.len()).map(move |first| coefficient(word, first));
    f.iter().flat_map(of_word).collect()
}

/// The value of the polynomial of words, for comparison: `phi` of every coefficient is the sum of powers of `g`.
pub fn value_of_words<N: Large>(f: &[u32], z: &[N]) -> N {
    let words = f.iter().map(|&word| phi(N::from(word.into())));
    words.zip(eq(z)).fold(N::default(), |sum, (word, weight): (N, N)| sum ^ word.times(weight))
}
