//! The full rounds of Poseidon1 on one state: the circulant matrix as a sum over windows.

use super::super::super::constants as c;
use super::super::ops::{CARRY, add_mod, form, forms};
use super::lanes::{Row, StateLanes, vectors};
use super::partial::{Layer, Partial};
use super::rounds::{Constants, Permutation};
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// Width 16.
pub(super) struct Width16;
/// Width 24.
pub(super) struct Width24;

/// Row `r` of the constants in R form, plus `offset`.
const fn row<const T: usize, const N: usize>(row: &[u32; T], offset: u64) -> Row<N> {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = add_mod(form(row[i] as u64), offset);
        i += 1;
    }
    vectors(&out)
}

/// The constants of the full rounds. All but the first are added to a folded sum, which loses `CARRY`.
const fn constants<const T: usize, const N: usize, const ALL: usize>(k: &[[u32; T]; ALL]) -> Constants<N> {
    Constants {
        initial: [row(&k[0], 0), row(&k[1], CARRY), row(&k[2], CARRY), row(&k[3], CARRY)],
        terminal: [row(&k[ALL - 3], CARRY), row(&k[ALL - 2], CARRY), row(&k[ALL - 1], CARRY)],
        last: [[CARRY; 8]; N],
    }
}

/// `x_i <- sum over k of row[k] x[(i + k) mod T]`, plus the constants. Outputs below `p + T (2^31 x / 2^52 + 1)` above
/// the constants.
#[inline(always)]
fn circulant<A: StateLanes, const T: usize, const N: usize>(
    a: A,
    x: &mut [A::V; N],
    row: &[u64; T],
    constants: &Row<N>,
) {
    let zero = a.splat(0);
    // Two sums a vector: one would wait for itself.
    let mut sums = [[a.sum(zero); N]; 2];
    let mut i = 0;
    while i < N {
        sums[0][i] = a.sum(a.table(&constants[i]));
        i += 1;
    }
    macro_rules! windows {
        ($($k:literal)*) => { $({
            let mut block = 0;
            while block < N {
                let window = a.window::<$k>(x[block], x[(block + 1) % N]);
                let mut out = 0;
                while out < N {
                    let c = a.splat(row[8 * ((block + N - out) % N) + $k]);
                    a.accumulate(&mut sums[$k % 2][out], window, c);
                    out += 1;
                }
                block += 1;
            }
        })* };
    }
    windows!(0 1 2 3 4 5 6 7);
    i = 0;
    while i < N {
        x[i] = a.close(a.join(sums[0][i], sums[1][i]));
        i += 1;
    }
}

macro_rules! width {
    ($width:ident, $t:literal, $n:literal, $all:literal, $rounds:ident, $mds:ident) => {
        impl Permutation<$t, $n> for $width {
            const CONSTANTS: &'static Constants<$n> = {
                static CONSTANTS: Constants<$n> = constants(&c::$rounds);
                &CONSTANTS
            };

            fn partial() -> &'static Partial<$t, $n> {
                static PARTIAL: OnceBox<Partial<$t, $n>> = OnceBox::new();
                PARTIAL.get_or_init(|| {
                    let mut rows = [[0; $t]; $all - 7];
                    let mut r = 0;
                    while r < rows.len() {
                        rows[r] = c::$rounds[4 + r];
                        r += 1;
                    }
                    Box::new(Partial::new(&Layer::Circulant(&c::$mds), &Layer::Circulant(&c::$mds), &rows))
                })
            }

            #[inline(always)]
            fn first<A: StateLanes>(a: A, x: &mut [A::V; $n]) {
                let mut i = 0;
                while i < $n {
                    x[i] = a.add(x[i], a.table(&Self::CONSTANTS.initial[0][i]));
                    i += 1;
                }
            }

            #[inline(always)]
            fn layer<A: StateLanes>(a: A, x: &mut [A::V; $n], constants: &Row<$n>) {
                const ROW: [u64; $t] = forms(&c::$mds);
                circulant(a, x, &ROW, constants);
            }
        }
    };
}

width!(Width16, 16, 2, 28, P1_ROUNDS_16, P1_MDS_16);
width!(Width24, 24, 3, 31, P1_ROUNDS_24, P1_MDS_24);
