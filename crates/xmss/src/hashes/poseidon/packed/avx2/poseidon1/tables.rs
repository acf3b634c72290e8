//! What is known of Poseidon1 beforehand: constants, and both linear maps by columns.

use super::super::super::super::portable::poseidon1::{P1_16, P1_24, Poseidon1};
use super::super::super::dots::{Rows, signed};
use super::super::super::lanes::{HALF, SHIFT};
use super::super::super::partial::Linear;
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// Most symbols: words, and as many as there are S-boxes; whole vectors.
pub(super) const SYMBOLS: usize = 48;

/// The lanes of a vector in memory.
pub(super) type Words = [u64; 4];

/// Rows of coefficients by columns, with `M` vectors to a column.
pub(super) struct Columns<const M: usize> {
    pub(super) columns: Vec<[Words; M]>,
    /// How many columns there are between two folds, and what is added before them.
    pub(super) groups: Vec<(usize, [Words; M])>,
}

impl<const M: usize> Columns<M> {
    fn new<const K: usize>(rows: &Rows<K>) -> Self {
        const { assert!(K == 4 * M) };
        let lanes = |row: &dyn Fn(usize) -> u64| -> [Words; M] {
            core::array::from_fn(|i| core::array::from_fn(|j| row(4 * i + j)))
        };
        Self {
            columns: rows.coefficients.iter().map(|column| lanes(&|i| column[i].into())).collect(),
            groups: rows.groups.iter().map(|group| (group.count, lanes(&|i| group.biases[i]))).collect(),
        }
    }
}

/// Constants of Poseidon1 with width `8 N = 4 V`. The inputs of S-boxes are in `I` vectors.
pub(in super::super) struct Tables<const N: usize, const V: usize, const I: usize> {
    /// The constants of the first round.
    pub(super) first: [[Words; N]; 2],
    /// What the halves' sums and their differences are multiplied by.
    pub(super) matrix: [Columns<N>; 2],
    /// Where these products start in the first and the last rounds: with the constants of the round after.
    pub(super) initial: [[[Words; N]; 2]; 3],
    /// The constants of the first round after the partial ones.
    pub(super) after: [[Words; N]; 2],
    pub(super) terminal: [[[Words; N]; 2]; 4],
    /// The input of the first S-box and what is added for the others, as far as words before the partial rounds go.
    pub(super) inputs: Columns<I>,
    pub(super) later: Vec<Later<I>>,
    pub(super) outputs: Columns<V>,
}

/// What the input of an S-box is multiplied by in what is added for later ones.
pub(super) struct Later<const I: usize> {
    /// For the next one, signed.
    pub(super) next: i64,
    /// For all after that, from the first vector on that has one of them or the next: reduced.
    pub(super) others: [Words; I],
}

impl<const N: usize, const V: usize, const I: usize> Tables<N, V, I> {
    /// Prepares `k`. `H`: half of the width; `K`: words in `I` vectors.
    fn new<const T: usize, const R: usize, const H: usize, const K: usize>(k: &Poseidon1<T, R>) -> Self {
        const { assert!(T == 8 * N && T == 4 * V && T == 2 * H && K == 4 * I && R <= K && T + R <= SYMBOLS) };
        let minus = |x: KoalaBear| KoalaBear::ZERO.sub(x);
        let matrix: [Rows<H>; 2] = core::array::from_fn(|part| {
            let rows: [[KoalaBear; H]; H] = core::array::from_fn(|i| {
                core::array::from_fn(|j| {
                    let (a, b) = (k.mds[(T + j - i) % T], k.mds[(T + H + j - i) % T]);
                    (if part == 0 { a.add(b) } else { a.sub(b) }).mul(HALF)
                })
            });
            let rows = Rows::new(rows.each_ref().map(|row| &row[..]), [KoalaBear::ZERO; H], [0; H]);
            assert!(rows.groups.len() == 1, "nothing is folded before the end");
            rows
        });
        let matrix = matrix.map(|rows| Columns::new(&rows));
        let starts = |constants: &[KoalaBear; T]| -> [[Words; N]; 2] {
            core::array::from_fn(|part| {
                core::array::from_fn(|i| {
                    core::array::from_fn(|j| {
                        let (a, b) = (constants[4 * i + j], constants[4 * i + j + H]);
                        let b = if part == 0 { b } else { minus(b) };
                        let start = a.add(b).mul(HALF).mul(SHIFT).montgomery();
                        matrix[part].groups[0].1[i][j] + u64::from(start)
                    })
                })
            })
        };
        let words = |constants: &[KoalaBear; T]| -> [[Words; N]; 2] {
            core::array::from_fn(|part| {
                core::array::from_fn(|i| {
                    core::array::from_fn(|j| {
                        u64::from(constants[H * part + 4 * i + j].montgomery().wrapping_sub(P))
                    })
                })
            })
        };
        let one = KoalaBear::new(1);
        let Linear { first, starts: inputs, outputs, constants } = Linear::new(k, one, one);
        // The coefficient of the input of S-box `r` in what is added for that of `later`.
        let coefficient = |r: usize, later: usize| match inputs.get(later.wrapping_sub(1)) {
            Some(row) if r > 0 => row.coefficients.get(T + r - 1).copied().unwrap_or(KoalaBear::ZERO),
            _ => KoalaBear::ZERO,
        };
        let later = (0..R - 1).map(|r| Later {
            next: i64::from(signed(coefficient(r, r + 1).montgomery()).cast_signed()),
            others: core::array::from_fn(|i| {
                core::array::from_fn(|j| {
                    let later = (r + 1) / 4 * 4 + 4 * i + j;
                    if later > r + 1 { coefficient(r, later).montgomery().into() } else { 0 }
                })
            }),
        });
        let later = later.collect();
        let zeros = [KoalaBear::ZERO; T];
        let row = |i: usize| match i {
            0 => (&first.coefficients[..], first.constant),
            _ => inputs
                .get(i - 1)
                .map_or((&zeros[..], KoalaBear::ZERO), |row| (&row.coefficients[..T], row.constant)),
        };
        let of_inputs =
            Rows::<K>::new(core::array::from_fn(|i| row(i).0), core::array::from_fn(|i| row(i).1), [0; K]);
        let outputs = Rows::<T>::new(core::array::from_fn(|i| &outputs[i][..]), zeros, [0; T]);
        let after: [KoalaBear; T] = core::array::from_fn(|i| k.terminal[0][i].add(constants[i]));
        Self {
            first: words(&k.initial[0]),
            initial: core::array::from_fn(|round| starts(&k.initial[round + 1])),
            after: words(&after),
            terminal: core::array::from_fn(|round| match round {
                3 => starts(&[KoalaBear::ZERO; T]),
                _ => starts(&k.terminal[round + 1]),
            }),
            inputs: Columns::new(&of_inputs),
            later,
            outputs: Columns::new(&outputs),
            matrix,
        }
    }
}

/// Poseidon1, width 16, with 20 partial rounds.
pub(in super::super) fn tables_16() -> &'static Tables<2, 4, 5> {
    static TABLE: OnceBox<Tables<2, 4, 5>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new::<16, 20, 8, 20>(&P1_16)))
}

/// Poseidon1, width 24, with 23 partial rounds.
pub(in super::super) fn tables_24() -> &'static Tables<3, 6, 6> {
    static TABLE: OnceBox<Tables<3, 6, 6>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new::<24, 23, 12, 24>(&P1_24)))
}
