use super::*;
use crate::binary::tests::{FromLimbs, over_both_fields};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Backend;

/// One of every kind in turn, starting anywhere.
fn factors<E: FromLimbs>(count: usize, seed: usize) -> Vec<Factor<E>> {
    let values = E::mixture(2 * count, seed as u64);
    let kinds = (0..count).map(|i| match (i + seed) % 3 {
        0 => Factor::Equal(values[2 * i]),
        1 => Factor::Generator(values[2 * i]),
        _ => Factor::Pair(values[2 * i], values[2 * i + 1]),
    });
    kinds.collect()
}

/// Every backend but the portable one.
fn isas() -> impl Iterator<Item = Isa> {
    phalanx_testing::isas().filter(|isa| isa.backend() != Backend::Portable)
}

/// Every pair of edge values: the reduction's matrices and shifts, bit by bit.
fn products_of_edges_on_every_backend<E: FromLimbs>() {
    let mut values: Vec<E> = E::borders();
    values.extend(E::mixture(64, 1));
    for isa in isas() {
        for a in &values {
            for b in &values {
                assert_eq!(inner(isa, &[*a], &[*b]), *a * *b, "{a:?} {b:?} {}", isa.backend().name());
            }
        }
    }
}

fn sums_of_products_on_every_backend<E: FromLimbs>() {
    for isa in isas() {
        let name = isa.backend().name();
        for len in (0..40).chain([63, 64, 65, 1000]) {
            let (a, b) = (E::mixture(len, 2 + len as u64), E::mixture(len, 1000 + len as u64));
            assert_eq!(inner(isa, &a, &b), portable::inner(&a, &b), "inner {len} {name}");
            let (mut got, mut want) =
                (E::mixture(len, 3000 + len as u64), E::mixture(len, 3000 + len as u64));
            add_products(isa, &mut got, &a, &b);
            portable::add_products(&mut want, &a, &b);
            assert_eq!(got, want, "add_products {len} {name}");
            square(isa, &mut got);
            let squares: Vec<E> = want.iter().map(|x| *x * *x).collect();
            assert_eq!(got, squares, "square {len} {name}");
            if len % 2 == 0 {
                assert_eq!(round(isa, &a, &b), portable::round(&a, &b), "round {len} {name}");
            }
        }
    }
}

/// q(0) + q(1) and the coefficient of X^2 by the definition, before and after a fold, at all lengths around the lanes'.
fn weighted_rounds_on_every_backend<E: FromLimbs>() {
    let definition = |a: &[E], b: &[E], weights: &[E]| {
        let q = |value: &dyn Fn(&[E; 2]) -> E| {
            let terms = a.as_chunks().0.iter().zip(b.as_chunks().0).zip(weights);
            terms.fold(E::ZERO, |sum, ((a, b), weight)| sum + *weight * value(a) * value(b))
        };
        [q(&|pair| pair[0]) + q(&|pair| pair[1]), q(&|pair| pair[0] + pair[1])]
    };
    for isa in isas().chain([Isa::PORTABLE]) {
        let name = isa.backend().name();
        for len in (0..20).chain([31, 32, 33, 250]) {
            let [mut a, mut b] = [1, 2].map(|seed| E::mixture(4 * len, 7000 + seed + len as u64));
            let (weights, r) = (E::mixture(2 * len, 7500 + len as u64), E::mixture(3, 7700 + len as u64)[2]);
            let got = weighted_round(isa, &a, &b, &weights);
            assert_eq!(got, definition(&a, &b, &weights), "round of {len}, {name}");
            let (want_a, want_b) = (plain_fold(&a, r), plain_fold(&b, r));
            let got = fold_weighted_round(isa, &mut a, &mut b, r, &weights[..len]);
            assert_eq!(got, definition(&want_a, &want_b, &weights[..len]), "folded round of {len}, {name}");
            assert_eq!((&a[..2 * len], &b[..2 * len]), (&want_a[..], &want_b[..]), "fold of {len}, {name}");
        }
    }
}

/// The definition of a fold.
fn plain_fold<E: FromLimbs>(v: &[E], r: E) -> Vec<E> {
    v.as_chunks::<2>().0.iter().map(|[even, odd]| *even + r * (*even + *odd)).collect()
}

/// In place and to other places, which may be longer than needed: what lies behind stays.
fn folds_on_every_backend<E: FromLimbs>() {
    for isa in isas().chain([Isa::PORTABLE]) {
        let name = isa.backend().name();
        for len in (0..80).step_by(2).chain([126, 128, 130, 1000]) {
            for r in E::mixture(5, 3 + len as u64) {
                let (v, w) = (E::mixture(len, 4 + len as u64), E::mixture(len, 2000 + len as u64));
                let (want_v, want_w) = (plain_fold(&v, r), plain_fold(&w, r));
                let half = len / 2;
                let mut got = v.clone();
                fold(isa, &mut got[..], r);
                assert_eq!(got[..half], want_v, "fold {len} {name}");
                let mut buffer = vec![E::ONE; half + 3];
                fold(isa, (&v[..], &mut buffer[..]), r);
                assert_eq!(
                    (&buffer[..half], &buffer[half..]),
                    (&want_v[..], &[E::ONE; 3][..]),
                    "fold {len} {name}"
                );
                if len != 2 && len % 4 != 0 {
                    continue;
                }
                let zero = Round { at_zero: E::ZERO, leading: E::ZERO };
                let want = if len == 2 { zero } else { portable::round(&want_v, &want_w) };
                for places in 0..3 {
                    let (mut in_v, mut in_w) = (v.clone(), w.clone());
                    let (mut to_v, mut to_w) = (vec![E::ONE; half + 3], vec![E::ONE; half]);
                    let message = match places {
                        0 => fold_round(isa, &mut in_v[..], &mut in_w[..], r),
                        1 => fold_round(isa, (&v[..], &mut to_v[..]), &mut in_w[..], r),
                        _ => fold_round(isa, (&v[..], &mut to_v[..]), (&w[..], &mut to_w[..]), r),
                    };
                    let got_v = if places == 0 { &in_v } else { &to_v };
                    let got_w = if places == 2 { &to_w } else { &in_w };
                    assert_eq!((&got_v[..half], &got_w[..half]), (&want_v[..], &want_w[..]), "{len} {name}");
                    assert_eq!(to_v[half..], [E::ONE; 3], "{len} {name}");
                    assert_eq!(message, want, "message {len} {name}");
                }
            }
        }
    }
}

fn portable_tensor<E: FromLimbs>(scale: E, factors: &[Factor<E>]) -> Vec<E> {
    tensor(Isa::PORTABLE, scale, factors)
}

fn tensors_on_every_backend<E: FromLimbs>() {
    for isa in isas() {
        let name = isa.backend().name();
        for count in 0..12 {
            for seed in 0..3 {
                let (factors, scale) = (factors::<E>(count, seed), E::mixture(3, 5 + seed as u64)[2]);
                let want = portable_tensor(scale, &factors);
                assert_eq!(tensor(isa, scale, &factors), want, "tensor {count} {name}");
                let point = E::mixture(count, 7 + seed as u64);
                let want = portable::extension(&factors, &point);
                assert_eq!(extension(isa, &factors, &point), want, "extension {count} {name}");
                let equal: Vec<_> = point.iter().copied().map(Factor::Equal).collect();
                assert_eq!(portable::evaluate(&portable_tensor(E::ONE, &factors), &equal), want);
                let v = E::mixture(1 << count, 6 + seed as u64);
                let want = portable::evaluate(&v, &factors);
                assert_eq!(evaluate(isa, &v, &factors), want, "evaluate {count} {name}");
                assert_eq!(portable::inner(&v, &portable_tensor(E::ONE, &factors)), want);
            }
        }
    }
}

/// Both sides of each length assertion, so that no backend reads past the shorter vector.
fn unequal_lengths_are_refused<E: FromLimbs>() {
    for isa in isas().chain([Isa::PORTABLE]) {
        let refused = |work: &dyn Fn()| {
            let work = core::panic::AssertUnwindSafe(work);
            assert!(std::panic::catch_unwind(work).is_err());
        };
        let (long, short) = (vec![E::ONE; 8], vec![E::ONE; 4]);
        refused(&|| _ = inner(isa, &long, &short));
        refused(&|| _ = inner(isa, &short, &long));
        refused(&|| _ = round(isa, &long, &short));
        refused(&|| _ = round(isa, &long[..7], &long[..7]));
        refused(&|| fold(isa, &mut long[..7].to_vec()[..], E::ONE));
        refused(&|| fold(isa, (&long[..], &mut short.clone()[..3]), E::ONE));
        let fold_round = |v: &[E], w: &[E]| fold_round(isa, &mut v.to_vec()[..], &mut w.to_vec()[..], E::ONE);
        refused(&|| _ = fold_round(&long, &short));
        refused(&|| _ = fold_round(&long[..6], &long[..6]));
        let across = |v: usize, w: usize| {
            let (v, w) = (&mut short.clone()[..v], &mut short.clone()[..w]);
            super::fold_round(isa, (&long[..], v), (&long[..], w), E::ONE)
        };
        refused(&|| _ = across(3, 4));
        refused(&|| _ = across(4, 3));
        refused(&|| fill_tensor(isa, E::ONE, &factors::<E>(2, 0), &mut long.clone()));
        refused(&|| fill_tensor(isa, E::ONE, &factors::<E>(3, 0), &mut short.clone()));
        refused(&|| _ = evaluate(isa, &long, &factors::<E>(2, 0)));
        refused(&|| add_products(isa, &mut long.clone(), &long, &short));
        refused(&|| add_products(isa, &mut long.clone(), &short, &long));
        refused(&|| add_products(isa, &mut short.clone(), &long, &long));
    }
}

over_both_fields!(
    products_of_edges_on_every_backend,
    sums_of_products_on_every_backend,
    folds_on_every_backend,
    weighted_rounds_on_every_backend,
    tensors_on_every_backend,
    unequal_lengths_are_refused
);
