//! Walks over elements of a field: what the matrices, and what their transposes, do to a vector of weights.
#![forbid(unsafe_code)]

use super::program::Op;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_ligerito::parts::Field;

/// A w and B w, by one walk forwards.
///
/// # Panics
/// If `w` is shorter than the program's block.
pub(crate) fn rows<E: Field>(program: &[Op], w: &[E]) -> [Vec<E>; 2] {
    let [mut a, mut b] = [vec![E::ZERO; w.len()], vec![E::ZERO; w.len()]];
    let mut of_words: Vec<[E; 32]> = Vec::with_capacity(program.len());
    let mut row = |position: usize, left: E, right: E| {
        (a[position], b[position]) = (left, right);
        w[position]
    };
    for op in program {
        let word = match *op {
            Op::Input { word } => core::array::from_fn(|i| {
                let bit = w[32 * word + i];
                row(32 * word + i, bit, bit)
            }),
            Op::Xor(a, b) => core::array::from_fn(|i| of_words[a][i] + of_words[b][i]),
            Op::Rotr(a, n) => core::array::from_fn(|i| of_words[a][(i + n) % 32]),
            Op::Add2 { x, y, p } => {
                let (x, y, mut c) = (&of_words[x], &of_words[y], [E::ZERO; 32]);
                for i in 0..31 {
                    c[i + 1] = c[i] + row(p + i, x[i] + c[i], y[i] + c[i]);
                }
                core::array::from_fn(|i| x[i] + y[i] + c[i])
            }
            Op::Add3 { x, y, t, p } => {
                let (x, y, t) = (&of_words[x], &of_words[y], &of_words[t]);
                // Carry-save: x + y + t = s + q.
                let (mut q, mut c) = ([E::ZERO; 32], [E::ZERO; 32]);
                let s: [E; 32] = core::array::from_fn(|i| x[i] + y[i] + t[i]);
                for i in 0..31 {
                    q[i + 1] = t[i] + row(p + i, x[i] + t[i], y[i] + t[i]);
                }
                for i in 1..31 {
                    c[i + 1] = c[i] + row(p + 30 + i, s[i] + c[i], q[i] + c[i]);
                }
                core::array::from_fn(|i| s[i] + q[i] + c[i])
            }
            Op::Output { a, word } => {
                let value = of_words[a];
                for (i, bit) in value.iter().enumerate() {
                    row(32 * word + i, *bit, *bit);
                }
                value
            }
            Op::And2 { x, y, p } => {
                let (x, y) = (&of_words[x], &of_words[y]);
                core::array::from_fn(|i| row(p + i, x[i], y[i]))
            }
            Op::Shr(a, n) => core::array::from_fn(|i| of_words[a].get(i + n).copied().unwrap_or(E::ZERO)),
        };
        of_words.push(word);
    }
    [a, b]
}

/// The transposes: for weights of the rows of A and of B what every column adds up to, by one walk backwards.
///
/// # Panics
/// If the lengths differ, or are shorter than the program's block.
pub(crate) fn columns<E: Field>(program: &[Op], of_a: &[E], of_b: &[E]) -> Vec<E> {
    assert_eq!(of_a.len(), of_b.len(), "a weight for every row of both");
    let mut columns = vec![E::ZERO; of_a.len()];
    // With what the bits of each word count.
    let mut of_words = vec![[E::ZERO; 32]; program.len()];
    for (number, op) in program.iter().enumerate().rev() {
        let counts = of_words[number];
        match *op {
            Op::Input { word } => {
                for (i, count) in counts.into_iter().enumerate() {
                    let at = 32 * word + i;
                    columns[at] += count + of_a[at] + of_b[at];
                }
            }
            Op::Xor(a, b) => {
                add(&mut of_words[a], &counts);
                add(&mut of_words[b], &counts);
            }
            Op::Rotr(a, n) => {
                for (i, count) in counts.into_iter().enumerate() {
                    of_words[a][(i + n) % 32] += count;
                }
            }
            Op::Add2 { x, y, p } => {
                let (mut of_x, mut of_y, mut of_c) = (counts, counts, counts);
                for i in (0..31).rev() {
                    let (left, right, carry) = (of_a[p + i], of_b[p + i], of_c[i + 1]);
                    columns[p + i] += carry;
                    of_x[i] += left;
                    of_y[i] += right;
                    of_c[i] += carry + left + right;
                }
                add(&mut of_words[x], &of_x);
                add(&mut of_words[y], &of_y);
            }
            Op::Add3 { x, y, t, p } => {
                let (mut of_s, mut of_q, mut of_c) = (counts, counts, counts);
                for i in (1..31).rev() {
                    let at = p + 30 + i;
                    let (left, right, carry) = (of_a[at], of_b[at], of_c[i + 1]);
                    columns[at] += carry;
                    of_s[i] += left;
                    of_q[i] += right;
                    of_c[i] += carry + left + right;
                }
                let (mut of_x, mut of_y, mut of_t) = (of_s, of_s, of_s);
                for i in 0..31 {
                    let (left, right, majority) = (of_a[p + i], of_b[p + i], of_q[i + 1]);
                    columns[p + i] += majority;
                    of_x[i] += left;
                    of_y[i] += right;
                    of_t[i] += majority + left + right;
                }
                add(&mut of_words[x], &of_x);
                add(&mut of_words[y], &of_y);
                add(&mut of_words[t], &of_t);
            }
            Op::Output { a, word } => {
                for (i, count) in of_words[a].iter_mut().enumerate() {
                    *count += of_a[32 * word + i] + of_b[32 * word + i];
                }
            }
            Op::And2 { x, y, p } => {
                for (i, count) in counts.into_iter().enumerate() {
                    columns[p + i] += count;
                    of_words[x][i] += of_a[p + i];
                    of_words[y][i] += of_b[p + i];
                }
            }
            Op::Shr(a, n) => {
                for (to, count) in of_words[a][n..].iter_mut().zip(counts) {
                    *to += count;
                }
            }
        }
    }
    columns
}

fn add<E: Field>(to: &mut [E; 32], what: &[E; 32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += *what;
    }
}
