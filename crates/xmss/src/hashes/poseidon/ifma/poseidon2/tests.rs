//! Bounds and shape of the kernel.

use super::super::bounds::{ACCEPTED, Bounds, FRESH, Interval};
use super::*;

/// The whole permutation on intervals; the greatest word, the greatest S-box input and the greatest result.
fn prove<W: Width<T>, const T: usize, const BLOCKS: usize>() -> u64 {
    let mut x = [ACCEPTED; T];
    begin::<Bounds, W, T, BLOCKS>(Bounds, &mut x);
    let mut inner = [enter::<Bounds, W, T>(Bounds, &x)];
    middle::<Bounds, W, T, 1>(Bounds, &mut inner);
    let mut x = leave::<Bounds, W, T>(Bounds, &inner[0]);
    end::<Bounds, W, T, BLOCKS, BLOCKS>(Bounds, &mut x);
    let reduce = |x: &Interval| Bounds.mul_const(Bounds.splat(0), *x, &Factor::ONE).max;
    x.iter().map(reduce).max().expect("words")
}

#[test]
fn bounds_hold_for_every_accepted_state() {
    assert!(prove::<Width16, 16, 4>() < FRESH);
    assert!(prove::<Width24, 24, 6>() < FRESH);
}

#[test]
fn opposite_entries_are_paired_and_no_word_is_forgotten() {
    fn check<W: Width<T>, const T: usize>() {
        let table = W::TABLE;
        let mut seen = [0; T];
        seen[0] = 1;
        for pair in &table.pairs[..table.pair_count] {
            seen[pair.a] += 1;
            seen[pair.b] += 1;
        }
        for single in &table.singles[..table.single_count] {
            seen[single.index] += 1;
        }
        assert!(seen == [1; T]);
    }
    check::<Width16, 16>();
    check::<Width24, 24>();
}
