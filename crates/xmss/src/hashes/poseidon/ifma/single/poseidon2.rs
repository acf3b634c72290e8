//! The full rounds of Poseidon2 on one state: the external layer by rotations of blocks.

use super::super::super::constants as c;
use super::super::ops::{CARRY, Factor, form};
use super::lanes::{Row, StateLanes, vectors};
use super::partial::{Layer, Partial};
use super::rounds::{Constants, Permutation};
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// Width 16.
pub(super) struct Width16;
/// Width 24.
pub(super) struct Width24;

/// A canonical row in R form.
const fn row<const T: usize, const N: usize>(row: &[u32; T]) -> Row<N> {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = form(row[i] as u64);
        i += 1;
    }
    vectors(&out)
}

/// The constants of the full rounds.
const fn constants<const T: usize, const N: usize>(
    initial: &[[u32; T]; 4],
    terminal: &[[u32; T]; 4],
) -> Constants<N> {
    Constants {
        initial: [row(&initial[0]), row(&initial[1]), row(&initial[2]), row(&initial[3])],
        terminal: [row(&terminal[1]), row(&terminal[2]), row(&terminal[3])],
        last: [[0; 8]; N],
    }
}

/// The external layer, plus the constants: `M4` on each block, then the sum of all blocks added to each. Words grow by
/// the factor 35 (width 16) or 49 (width 24), plus one constant.
#[inline(always)]
fn external<A: StateLanes, const N: usize>(a: A, x: &mut [A::V; N], constants: &Row<N>) {
    let mut total = a.splat(0);
    let mut i = 0;
    while i < N {
        // 2 x_i + 3 x_(i+1) + x_(i+2) + x_(i+3), the sums balanced.
        let (second, third, fourth) = (a.rotate::<1>(x[i]), a.rotate::<2>(x[i]), a.rotate::<3>(x[i]));
        let left = a.add(a.add(x[i], x[i]), fourth);
        let right = a.add(a.add(second, third), a.add(second, second));
        let y = a.add(left, right);
        total = if i == 0 { y } else { a.add(total, y) };
        x[i] = a.add(y, a.table(&constants[i]));
        i += 1;
    }
    let sums = a.add(total, a.swap(total));
    i = 0;
    while i < N {
        x[i] = a.add(x[i], sums);
        i += 1;
    }
}

macro_rules! width {
    ($width:ident, $t:literal, $n:literal, $initial:ident, $internal:ident, $terminal:ident, $diagonal:ident) => {
        impl Permutation<$t, $n> for $width {
            const CONSTANTS: &'static Constants<$n> = {
                static CONSTANTS: Constants<$n> = constants(&c::$initial, &c::$terminal);
                &CONSTANTS
            };

            fn partial() -> &'static Partial<$t, $n> {
                static PARTIAL: OnceBox<Partial<$t, $n>> = OnceBox::new();
                PARTIAL.get_or_init(|| {
                    let mut rows = [[0; $t]; c::$internal.len() + 1];
                    let mut r = 0;
                    while r < c::$internal.len() {
                        rows[r][0] = c::$internal[r];
                        r += 1;
                    }
                    rows[r] = c::$terminal[0];
                    Box::new(Partial::new(&Layer::External, &Layer::Internal(&c::$diagonal), &rows))
                })
            }

            #[inline(always)]
            fn first<A: StateLanes>(a: A, x: &mut [A::V; $n]) {
                external(a, x, &Self::CONSTANTS.initial[0]);
            }

            #[inline(always)]
            fn layer<A: StateLanes>(a: A, x: &mut [A::V; $n], constants: &Row<$n>) {
                external(a, x, constants);
            }

            #[inline(always)]
            fn finish<A: StateLanes>(a: A, x: &mut [A::V; $n]) {
                let mut i = 0;
                while i < $n {
                    x[i] = a.mul_const(a.splat(CARRY), x[i], &Factor::ONE);
                    i += 1;
                }
            }
        }
    };
}

width!(Width16, 16, 2, P2_INITIAL_16, P2_INTERNAL_16, P2_TERMINAL_16, P2_DIAGONAL_16);
width!(Width24, 24, 3, P2_INITIAL_24, P2_INTERNAL_24, P2_TERMINAL_24, P2_DIAGONAL_24);
