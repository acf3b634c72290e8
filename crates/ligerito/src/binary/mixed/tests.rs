use super::components::Components;
use super::*;
use crate::binary::ChallengeField;
use crate::binary::tests::FromLimbs;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Backend;
use phalanx_testing::Random;

/// Elements, among them zeros, ones, all-ones words and single bits.
fn small(random: &mut Random, len: usize) -> Vec<Gf32> {
    let mut element = || match random.below(8) {
        0 => [0, 1, u32::MAX, 1 << 31][random.below(4)],
        1 => 1 << random.below(32),
        _ => random.u32(),
    };
    (0..len).map(|_| Gf32(element())).collect()
}

fn large<E: FromLimbs>(random: &mut Random, len: usize) -> Vec<E> {
    E::mixture(len, random.u64())
}

/// The definitions.
fn slow_rows<E: ChallengeField>(f: &[Gf32], weights: &[E], out: &mut [E]) {
    for (row, weight) in f.chunks_exact(out.len()).zip(weights) {
        for (sum, x) in out.iter_mut().zip(row) {
            *sum += E::from(*x) * *weight;
        }
    }
}

fn slow_columns<E: ChallengeField>(f: &[Gf32], weights: &[E], out: &mut [E]) {
    for (row, sum) in f.chunks_exact(weights.len()).zip(out) {
        *sum = row.iter().zip(weights).fold(E::ZERO, |sum, (x, weight)| sum + E::from(*x) * *weight);
    }
}

fn isas() -> impl Iterator<Item = (Backend, Isa)> {
    phalanx_testing::isas().map(|isa| (isa.backend(), isa))
}

fn slow_rows_of_bits<E: ChallengeField>(f: &[Gf32], weights: &[E], out: &mut [[E; 32]]) {
    for (row, weight) in f.chunks_exact(out.len()).zip(weights) {
        for (sums, x) in out.iter_mut().zip(row) {
            (0..32).filter(|i| x.0 >> i & 1 == 1).for_each(|i| sums[i] += *weight);
        }
    }
}

fn slow_map<E: ChallengeField>(f: &[Gf32], images: &[[E; 32]], out: &mut [E]) {
    for (row, sum) in f.chunks_exact(images.len()).zip(out) {
        let bits = row.iter().zip(images).flat_map(|(x, images)| {
            images.iter().enumerate().filter(|(i, _)| x.0 >> i & 1 == 1).map(|(_, image)| *image)
        });
        *sum = bits.fold(E::ZERO, |sum, image| sum + image);
    }
}

fn check<E: FromLimbs>(f: &[Gf32], rows: usize, columns: usize, random: &mut Random) {
    if phalanx_testing::again() {
        return;
    }
    let (by_row, by_column) = (large::<E>(random, rows), large::<E>(random, columns));
    // What is there already is kept by the first and overwritten by the second.
    let (sums, values) = (large::<E>(random, columns), large::<E>(random, rows));
    let [sums_of_bits, images] = [(); 2].map(|()| large::<E>(random, 32 * columns).as_chunks().0.to_vec());
    let (mut expected_sums, mut expected_values) = (sums.clone(), values.clone());
    slow_rows(f, &by_row, &mut expected_sums);
    slow_columns(f, &by_column, &mut expected_values);
    let (mut expected_sums_of_bits, mut expected_mapped) = (sums_of_bits.clone(), values.clone());
    slow_rows_of_bits(f, &by_row, &mut expected_sums_of_bits);
    slow_map(f, &images, &mut expected_mapped);
    for (backend, isa) in isas() {
        let (mut sums, mut values) = (sums.clone(), values.clone());
        combine_rows(isa, f, &by_row, &mut sums);
        assert_eq!(sums, expected_sums, "rows of {rows} x {columns}, {}", backend.name());
        combine_columns(isa, f, &by_column, &mut values);
        assert_eq!(values, expected_values, "columns of {rows} x {columns}, {}", backend.name());
        let mut sums_of_bits = sums_of_bits.clone();
        combine_rows_of_bits(isa, f, &by_row, &mut sums_of_bits);
        assert!(sums_of_bits == expected_sums_of_bits, "bits of {rows} x {columns}, {}", backend.name());
        map_columns(isa, f, &images, &mut values);
        assert_eq!(values, expected_mapped, "images of {rows} x {columns}, {}", backend.name());
    }
}

#[test]
fn every_backend_computes_the_definitions() {
    fn over<E: FromLimbs>() {
        let mut random = Random::from_seed(1);
        for columns in [1, 2, 3, 4, 6, 8, 15, 16, 17, 31, 32, 48, 64, 128] {
            for rows in [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 144, 260] {
                if rows * columns > 20_000 {
                    continue;
                }
                let f = small(&mut random, rows * columns);
                check::<E>(&f, rows, columns, &mut random);
            }
        }
    }
    over::<Gf128>();
    over::<Gf192>();
}

/// One bit of the matrix at a time: a place that is taken from the wrong row, column, byte or bit shows.
#[test]
fn every_bit_of_a_block_counts_once() {
    fn over<E: FromLimbs>() {
        let mut random = Random::from_seed(7);
        let (rows, columns) = (9, 17);
        for place in 0..rows * columns {
            let mut f = vec![Gf32(0); rows * columns];
            f[place] = Gf32(1 << (place % 32));
            check::<E>(&f, rows, columns, &mut random);
        }
        for bit in 0..32 {
            check::<E>(&[Gf32(1 << bit)], 1, 1, &mut random);
        }
    }
    over::<Gf128>();
    over::<Gf192>();
}

#[test]
fn empty_matrices() {
    fn over<E: FromLimbs>() {
        for (_, isa) in isas() {
            let mut out = [E::ONE, E::ONE + E::ONE + E::ONE];
            combine_rows(isa, &[], &[], &mut out);
            assert_eq!(out, [E::ONE, E::ONE + E::ONE + E::ONE]);
            combine_columns(isa, &[], &[], &mut out);
            assert_eq!(out, [E::ZERO, E::ZERO]);
            combine_rows(isa, &[], &[E::ONE], &mut []);
            combine_columns(isa, &[], &[E::ONE], &mut []);
            let mut bits = [[E::ONE; 32]];
            combine_rows_of_bits(isa, &[], &[], &mut bits);
            assert_eq!(bits, [[E::ONE; 32]]);
            out.fill(E::ONE);
            map_columns(isa, &[], &[], &mut out);
            assert_eq!(out, [E::ZERO, E::ZERO]);
        }
    }
    over::<Gf128>();
    over::<Gf192>();
}

/// A matrix that is worked on in pieces.
#[test]
fn pieces_add_up() {
    fn over<E: FromLimbs>() {
        let mut random = Random::from_seed(11);
        let (rows, columns) = (96, 32);
        let f = small(&mut random, rows * columns);
        let (by_row, by_column) = (large::<E>(&mut random, rows), large::<E>(&mut random, columns));
        for (_, isa) in isas() {
            let (mut whole, mut pieces) = (vec![E::ZERO; columns], vec![E::ZERO; columns]);
            combine_rows(isa, &f, &by_row, &mut whole);
            for (f, weights) in f.chunks(20 * columns).zip(by_row.chunks(20)) {
                combine_rows(isa, f, weights, &mut pieces);
            }
            assert_eq!(whole, pieces);
            let (mut whole, mut pieces) = (vec![E::ZERO; rows], vec![E::ZERO; rows]);
            combine_columns(isa, &f, &by_column, &mut whole);
            for (f, out) in f.chunks(20 * columns).zip(pieces.chunks_mut(20)) {
                combine_columns(isa, f, &by_column, out);
            }
            assert_eq!(whole, pieces);
        }
    }
    over::<Gf128>();
    over::<Gf192>();
}

/// Bits of two words at all points, by the definition.
fn slow_extension([first, second]: [u32; 2]) -> [bool; POINTS] {
    let mut values = [false; POINTS];
    for point in 0..POINTS {
        let digit = |j: u32| point / 3usize.pow(j) % 3;
        values[point] = match (0..6).find(|j| digit(*j) == 2) {
            // The sum of the values at 0 and 1, whose numbers are smaller.
            Some(j) => values[point - 3usize.pow(j)] ^ values[point - 2 * 3usize.pow(j)],
            None => {
                let place: usize = (0..6).map(|j| digit(j) << j).sum();
                [first, second][place / 32] >> (place % 32) & 1 == 1
            }
        };
    }
    values
}

fn check_products<E: FromLimbs>(a: &[u32], b: &[u32], len: usize, random: &mut Random) {
    let weights = large::<E>(random, len);
    let scales = large::<E>(random, (a.len() / 2).div_ceil(len).max(1));
    let before: [E; POINTS] = large::<E>(random, POINTS).try_into().expect("as many");
    let mut expected = before;
    for (row, (a, b)) in a.as_chunks().0.iter().zip(b.as_chunks().0).enumerate() {
        let weight = weights[row % len] * scales[row / len];
        let values = slow_extension(*a).into_iter().zip(slow_extension(*b));
        for (sum, (a, b)) in expected.iter_mut().zip(values) {
            if a && b {
                *sum += weight;
            }
        }
    }
    for (backend, isa) in isas() {
        let mut sums = before;
        combine_products(isa, [a, b], &weights, &scales, &mut sums);
        assert!(sums == expected, "products of {} rows, weights for {len}, {}", a.len() / 2, backend.name());
    }
}

#[test]
fn products_by_definition() {
    fn over<E: FromLimbs>() {
        let mut random = Random::from_seed(2);
        for rows in [0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 300, 1025] {
            for len in [1, 64, 128, 1024, 1030, 2048] {
                if rows > 300 * len {
                    continue;
                }
                let [a, b] =
                    [(); 2].map(|()| small(&mut random, 2 * rows).iter().map(|x| x.0).collect::<Vec<_>>());
                check_products::<E>(&a, &b, len, &mut random);
            }
        }
        // One bit of a row at a time, times all bits.
        for bit in 0..64 {
            let mut a = [0; 2 * 11];
            a[2 * (bit % 11) + bit / 32] = 1 << (bit % 32);
            check_products::<E>(&a, &[u32::MAX, 1].repeat(11), 64, &mut random);
        }
    }
    over::<Gf128>();
    over::<Gf192>();
}

fn components_are_coordinates_of<const N: usize, E: Components<N> + FromLimbs>() {
    let mut random = Random::from_seed(13);
    for element in large::<E>(&mut random, 300) {
        let parts = element.components();
        assert_eq!(E::assemble(parts.map(Gf32)), element);
        // The basis is 1, x, x^2, … over the embedded field.
        let sum =
            parts.iter().rev().fold(E::ZERO, |sum, part| sum * E::from_integer(2) + E::from(Gf32(*part)));
        assert_eq!(sum, element);
    }
}

#[test]
fn components_are_coordinates() {
    components_are_coordinates_of::<4, Gf128>();
    components_are_coordinates_of::<6, Gf192>();
}
