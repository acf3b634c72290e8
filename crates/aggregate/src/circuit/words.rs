//! Walks over bits, a word at a time and sixteen blocks side by side.
#![forbid(unsafe_code)]

use super::program::Op;
use alloc::vec::Vec;

/// Blocks side by side.
pub(crate) const LANES: usize = 16;

/// One word of every block.
pub(crate) type Lanes = [u32; LANES];

/// Fills in a whole block, every lane for itself: `z` has the input words, and gets outputs and products.
pub(crate) fn compress(program: &[Op], z: &mut [Lanes]) {
    let mut of_words: Vec<Lanes> = Vec::with_capacity(program.len());
    for op in program {
        let word = match *op {
            Op::Input { word } => z[word],
            Op::Xor(a, b) => both(&of_words[a], &of_words[b], |a, b| a ^ b),
            Op::Rotr(a, n) => rotated(&of_words[a], n),
            Op::Add2 { x, y, p } => {
                let (x, y) = (&of_words[x], &of_words[y]);
                let sum = both(x, y, u32::wrapping_add);
                put::<31>(z, p, |lane| differences(sum[lane] ^ x[lane] ^ y[lane]));
                sum
            }
            Op::Add3 { x, y, t, p } => {
                let (x, y, t) = (of_words[x], of_words[y], of_words[t]);
                let products: Lanes = core::array::from_fn(|i| (x[i] ^ t[i]) & (y[i] ^ t[i]));
                let s: Lanes = core::array::from_fn(|i| x[i] ^ y[i] ^ t[i]);
                let q: Lanes = core::array::from_fn(|i| (products[i] ^ t[i]) << 1);
                let sum = both(&s, &q, u32::wrapping_add);
                put::<31>(z, p, |lane| products[lane]);
                put::<30>(z, p + 31, |lane| differences(sum[lane] ^ s[lane] ^ q[lane]) >> 1);
                sum
            }
            Op::Output { a, word } => {
                z[word] = of_words[a];
                of_words[a]
            }
        };
        of_words.push(word);
    }
}

/// A z and B z of any `z`, whether its products are right or not.
pub(crate) fn forms(program: &[Op], z: &[Lanes], a: &mut [Lanes], b: &mut [Lanes]) {
    let mut of_words: Vec<Lanes> = Vec::with_capacity(program.len());
    for op in program {
        let word = match *op {
            Op::Input { word } => {
                (a[word], b[word]) = (z[word], z[word]);
                z[word]
            }
            Op::Xor(a, b) => both(&of_words[a], &of_words[b], |a, b| a ^ b),
            Op::Rotr(a, n) => rotated(&of_words[a], n),
            Op::Add2 { x, y, p } => {
                let (x, y) = (&of_words[x], &of_words[y]);
                let c = get::<31>(z, p).map(|products| sums(products) << 1);
                put::<31>(a, p, |lane| x[lane] ^ c[lane]);
                put::<31>(b, p, |lane| y[lane] ^ c[lane]);
                core::array::from_fn(|i| x[i] ^ y[i] ^ c[i])
            }
            Op::Add3 { x, y, t, p } => {
                let (x, y, t) = (&of_words[x], &of_words[y], &of_words[t]);
                let products = get::<31>(z, p);
                put::<31>(a, p, |lane| x[lane] ^ t[lane]);
                put::<31>(b, p, |lane| y[lane] ^ t[lane]);
                let s: Lanes = core::array::from_fn(|i| x[i] ^ y[i] ^ t[i]);
                let q: Lanes = core::array::from_fn(|i| (products[i] ^ t[i]) << 1);
                let c = get::<30>(z, p + 31).map(|products| sums(products) << 2);
                put::<30>(a, p + 31, |lane| (s[lane] ^ c[lane]) >> 1);
                put::<30>(b, p + 31, |lane| (q[lane] ^ c[lane]) >> 1);
                core::array::from_fn(|i| s[i] ^ q[i] ^ c[i])
            }
            Op::Output { a: of, word } => {
                (a[word], b[word]) = (of_words[of], of_words[of]);
                of_words[of]
            }
        };
        of_words.push(word);
    }
}

fn both(a: &Lanes, b: &Lanes, of: impl Fn(u32, u32) -> u32) -> Lanes {
    core::array::from_fn(|i| of(a[i], b[i]))
}

#[expect(clippy::cast_possible_truncation, reason = "a distance within a word")]
fn rotated(a: &Lanes, n: usize) -> Lanes {
    a.map(|word| word.rotate_right(n as u32))
}

/// Bit i is the sum of bits i and i + 1: the products that made these carries.
fn differences(carries: u32) -> u32 {
    carries ^ carries >> 1
}

/// Bit i is the sum of bits 0 to i.
fn sums(mut bits: u32) -> u32 {
    for by in [1, 2, 4, 8, 16] {
        bits ^= bits << by;
    }
    bits
}

/// Writes `LEN` bits, at most 31, to places that are zero.
fn put<const LEN: usize>(words: &mut [Lanes], position: usize, bits: impl Fn(usize) -> u32) {
    let (word, shift) = (position / 32, position % 32);
    let value: Lanes = core::array::from_fn(|lane| bits(lane) & ((1 << LEN) - 1));
    for (to, value) in words[word].iter_mut().zip(value) {
        *to |= value << shift;
    }
    if shift + LEN > 32 {
        for (to, value) in words[word + 1].iter_mut().zip(value) {
            *to |= value >> (32 - shift);
        }
    }
}

/// Reads `LEN` bits, at most 31.
fn get<const LEN: usize>(words: &[Lanes], position: usize) -> Lanes {
    let (word, shift) = (position / 32, position % 32);
    let mut value = words[word].map(|word| word >> shift);
    if shift + LEN > 32 {
        for (value, word) in value.iter_mut().zip(&words[word + 1]) {
            *value |= word << (32 - shift);
        }
    }
    value.map(|bits| bits & ((1 << LEN) - 1))
}
