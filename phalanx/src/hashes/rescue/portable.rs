//! The permutations on one state, in plain Rust.

use super::constants::{Constants, JIVE, MDS_8, MDS_12, RP64, RPO};
use crate::fields::goldilocks::{Reduction, add, canonical, sub};

/// Rescue-XLIX as Rp64_256 has it. Output canonical.
pub(crate) fn rp64<R: Reduction>(state: &mut [u64; 12]) {
    rescue::<R, 12>(state, &RP64, mds_12);
}

/// The same of width 8, with the constants of RpJive64_256. Output canonical.
pub(crate) fn jive<R: Reduction>(state: &mut [u64; 8]) {
    rescue::<R, 8>(state, &JIVE, mds_8);
}

fn rescue<R: Reduction, const W: usize>(
    state: &mut [u64; W],
    constants: &Constants<W>,
    mds: impl Fn(&mut [u64; W]),
) {
    for [first, second] in constants {
        power_7::<R, W>(state);
        mds(state);
        add_constants(state, first);
        root_7::<R, W>(state);
        mds(state);
        add_constants(state, second);
    }
    *state = state.map(canonical);
}

/// RPO: each half of a round multiplies and adds before its S-box. Output canonical.
pub(crate) fn rpo<R: Reduction>(state: &mut [u64; 12]) {
    for constants in &RPO {
        rpo_round::<R>(state, constants);
    }
    *state = state.map(canonical);
}

/// RPX: rounds of RPO, rounds over the cubic extension, and a last linear round. Output canonical.
pub(crate) fn rpx<R: Reduction>(state: &mut [u64; 12]) {
    for (round, constants) in RPO.iter().enumerate() {
        match round {
            0 | 2 | 4 => rpo_round::<R>(state, constants),
            1 | 3 | 5 => {
                add_constants(state, &constants[0]);
                for triple in state.chunks_exact_mut(3) {
                    let power = cubic_power_7::<R>([triple[0], triple[1], triple[2]]);
                    triple.copy_from_slice(&power);
                }
            }
            _ => {
                mds_12(state);
                add_constants(state, &constants[0]);
            }
        }
    }
    *state = state.map(canonical);
}

fn rpo_round<R: Reduction>(state: &mut [u64; 12], [first, second]: &[[u64; 12]; 2]) {
    mds_12(state);
    add_constants(state, first);
    power_7::<R, 12>(state);
    mds_12(state);
    add_constants(state, second);
    root_7::<R, 12>(state);
}

fn add_constants<const W: usize>(state: &mut [u64; W], constants: &[u64; W]) {
    for (word, &constant) in state.iter_mut().zip(constants) {
        *word = add(*word, constant);
    }
}

/// x^7 of every word.
fn power_7<R: Reduction, const W: usize>(state: &mut [u64; W]) {
    for word in state {
        let square = R::mul(*word, *word);
        let fourth = R::mul(square, square);
        *word = R::mul(R::mul(square, *word), fourth);
    }
}

/// Words that go through the chain of [`root_7`] side by side: enough to hide the latency of a product, few enough for
/// the registers.
const CHAINS: usize = 4;

/// x^d of every word, d = 1/7 modulo p - 1: the seventh root. 63 squarings and 9 products.
fn root_7<R: Reduction, const W: usize>(state: &mut [u64; W]) {
    let (groups, _) = state.as_chunks_mut::<CHAINS>();
    for x in groups {
        let squares = |x: &[u64; CHAINS], count: u32| {
            let mut x = *x;
            for _ in 0..count {
                x = x.map(|word| R::mul(word, word));
            }
            x
        };
        let product = |a: &[u64; CHAINS], b: &[u64; CHAINS]| core::array::from_fn(|i| R::mul(a[i], b[i]));
        let t1 = squares(x, 1);
        let t2 = squares(&t1, 1);
        let t3 = product(&squares(&t2, 3), &t2);
        let t4 = product(&squares(&t3, 6), &t3);
        let t5 = product(&squares(&t4, 12), &t4);
        let t6 = product(&squares(&t5, 6), &t3);
        let t7 = product(&squares(&t6, 31), &t6);
        let high = squares(&product(&squares(&t7, 1), &t6), 2);
        *x = product(&high, &product(&product(&t1, &t2), x));
    }
}

/// The seventh power in F[X] / (X^3 - X - 1).
fn cubic_power_7<R: Reduction>(x: [u64; 3]) -> [u64; 3] {
    let square = cubic_product::<R>(x, x);
    let fourth = cubic_product::<R>(square, square);
    cubic_product::<R>(cubic_product::<R>(square, x), fourth)
}

/// X^3 = X + 1 and X^4 = X^2 + X.
fn cubic_product<R: Reduction>(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let m = |i: usize, j: usize| R::mul(a[i], b[j]);
    let (c3, c4) = (add(m(1, 2), m(2, 1)), m(2, 2));
    [add(m(0, 0), c3), add(add(add(m(0, 1), m(1, 0)), c3), c4), add(add(add(m(0, 2), m(2, 0)), m(1, 1)), c4)]
}

fn mds_12(state: &mut [u64; 12]) {
    circulant(state, &MDS_12);
}

fn mds_8(state: &mut [u64; 8]) {
    circulant(state, &MDS_8);
}

/// The circulant product on the two 32-bit halves of each word: sums stay below 2^40, for a row sums to at most 160.
fn circulant<const W: usize>(state: &mut [u64; W], row: &[u64; W]) {
    let halves = state.map(|word| [word & 0xffff_ffff, word >> 32]);
    *state = core::array::from_fn(|i| {
        let [mut low, mut high] = [0, 0];
        for j in 0..W {
            let entry = row[(j + W - i) % W];
            low += entry * halves[j][0];
            high += entry * halves[j][1];
        }
        combine(low, high)
    });
}

/// low + 2^32 high for words below 2^40.
fn combine(low: u64, high: u64) -> u64 {
    // 2^32 high = 2^32 (high mod 2^32) + 2^64 (high / 2^32), and 2^64 = 2^32 - 1.
    let top = high >> 32;
    add(sub(low + (top << 32), top), high << 32)
}
