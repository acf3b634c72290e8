//! The passes and kernels against one plain transform, and that against sums over the basis.

use super::plan::Limits;
use super::*;
use crate::binary::{BinaryField, Gf16, Gf32, Gf128, Gf192};
use crate::codes::{Basis, scales};
use alloc::vec;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use phalanx_core::simd::{Backend, Isa};
use phalanx_core::threads::Inline;
use phalanx_testing::{Random, again, isas};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Elements, a quarter of them from the edges.
pub(crate) fn elements<F: BinaryField>(random: &mut Random, count: usize) -> Vec<F> {
    let ones = (1u64 << (F::BITS - 1).min(62) << 1).wrapping_sub(1);
    let edges = [0, 1, ones, ones >> 1, 0x8080_8080 & ones, 2];
    (0..count)
        .map(|_| {
            let bits = random.u64();
            let integer = if bits >> 61 == 0 { edges[(bits % 6) as usize] } else { bits & ones };
            let low = F::from_integer(integer);
            if F::BITS > 64 { low * F::from_integer(random.u64() | 1 << 63).square() } else { low }
        })
        .collect()
}

/// The transform as the specification writes it, layer after layer over the whole coset.
fn plain<F: BinaryField>(
    encoder: &Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    first_coset: usize,
    cosets: usize,
) -> Vec<F> {
    let (columns, d) = (1 << encoder.log2_columns, encoder.log2_message);
    let mut all = Vec::new();
    for coset in first_coset..first_coset + cosets {
        let mut rows = message.to_vec();
        for (i, x) in rows.iter_mut().enumerate().filter(|_| !scales.is_empty()) {
            *x *= scales[i / columns];
        }
        for j in (0..d).rev() {
            for row in (0..1usize << d).filter(|row| row >> j & 1 == 0) {
                let twiddle = encoder.basis.at(j, ((coset << d) + row) >> (j + 1) << (j + 1));
                for column in 0..columns {
                    let (u, w) = (row * columns + column, (row + (1 << j)) * columns + column);
                    let sum = rows[u] + twiddle * rows[w];
                    rows[u] = sum;
                    rows[w] += sum;
                }
            }
        }
        all.extend(rows);
    }
    all
}

/// Encodes on all pools, and checks the codeword, and that every row reached `finish` once, whole, with its node.
fn check<F: Transform + core::fmt::Debug>(
    limits: Limits,
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    cosets: core::ops::Range<usize>,
    log2_node: usize,
    expected: &[F],
) {
    let what = std::format!(
        "{limits:?} {} d {} k {} cosets {cosets:?} node {log2_node} scales {}",
        encoder.isa.backend().name(),
        encoder.log2_message,
        encoder.log2_columns,
        scales.len()
    );
    let columns = 1 << encoder.log2_columns;
    let sum = |rows: &[F]| rows.iter().fold((F::ZERO, F::ZERO), |(a, b), x| (a + *x, a + b));
    #[cfg(feature = "parallel")]
    let pools: [&dyn Pool; 2] = [&Inline, &phalanx_core::Threads::new(3)];
    #[cfg(not(feature = "parallel"))]
    let pools: [&dyn Pool; 1] = [&Inline];
    for pool in pools {
        // What was there before does not matter.
        let mut out = vec![MaybeUninit::new(F::from_integer(0x5a5a)); message.len() * cosets.len()];
        let mut nodes = vec![(F::ZERO, F::ONE, 0); (cosets.len() << encoder.log2_message) >> log2_node];
        let finished = AtomicUsize::new(0);
        let finish = |rows: &[F], nodes: &mut [(F, F, u8)]| {
            assert_eq!(rows.len(), (nodes.len() * columns) << log2_node, "{what}: whole nodes");
            finished.fetch_add(rows.len(), Ordering::Relaxed);
            for (rows, node) in rows.chunks_exact(columns << log2_node).zip(nodes) {
                let (a, b) = sum(rows);
                *node = (a, b, node.2 + 1);
            }
        };
        let node = 1 << log2_node;
        let task = Task { pool, encoder, message, scales, first_coset: cosets.start, wanted: None };
        let out = task.encode_within(limits, UninitSlice::new(&mut out), &mut nodes, node, &finish);
        let first = out.iter().zip(expected).position(|(a, b)| a != b);
        assert_eq!(first, None, "{what}: first wrong element");
        assert_eq!(finished.load(Ordering::Relaxed), out.len(), "{what}: every row is finished");
        for (rows, node) in expected.chunks_exact(columns << log2_node).zip(nodes) {
            let (a, b) = sum(rows);
            assert_eq!(node, (a, b, 1), "{what}: a node of finished rows");
        }
    }
}

fn shapes<F: Transform + core::fmt::Debug>(
    limits: Limits,
    columns: core::ops::RangeInclusive<usize>,
    rows: usize,
) {
    if again() {
        return;
    }
    let mut random = Random::from_seed(1);
    for log2_columns in columns {
        for log2_message in 1..=rows {
            let rate = 1 + (log2_message + log2_columns) % 3;
            let basis = Basis::<F>::new(u32::try_from(log2_message + rate).expect("small"));
            let message = elements::<F>(&mut random, 1 << (log2_message + log2_columns));
            for scales in [Vec::new(), scales(&basis, 0, log2_message)] {
                let whole = Encoder { isa: Isa::PORTABLE, basis: &basis, log2_message, log2_columns };
                let expected = plain(&whole, &message, &scales, 0, 1 << rate);
                for isa in isas() {
                    let encoder = Encoder { isa, ..whole };
                    check(limits, encoder, &message, &scales, 0..1 << rate, log2_message.min(4), &expected);
                    // A part of the cosets, one for a node, and all.
                    let part = 1..(1usize << rate).min(4);
                    let inner = &expected[part.start * message.len()..part.end * message.len()];
                    check(limits, encoder, &message, &scales, part.clone(), log2_message, inner);
                    check(limits, encoder, &message, &scales, part, 0, inner);
                }
            }
        }
    }
}

#[test]
fn every_shape_over_the_field_of_32_bits() {
    shapes::<Gf32>(Limits::CACHES, 0..=3, 6);
    shapes::<Gf32>(Limits::CACHES, 4..=7, 12);
}

#[test]
fn every_shape_over_the_field_of_128_bits() {
    shapes::<Gf128>(Limits::CACHES, 0..=4, 9);
}

#[test]
fn every_shape_over_the_field_of_192_bits() {
    shapes::<Gf192>(Limits::CACHES, 0..=4, 9);
}

#[test]
fn every_shape_over_the_field_of_16_bits() {
    shapes::<Gf16>(Limits::CACHES, 0..=5, 7);
}

/// Caches so small that messages of a few rows take many passes, and every kind of work comes up within them.
#[test]
fn many_passes() {
    // A run and a tile have at least 64 elements.
    for group_layers in [1, 2, 3, 4, 5] {
        let limits = Limits { group_layers, tile: 8, chunk: 10, run: 8, groups: 1, job: 10, chunks: 12 };
        shapes::<Gf32>(limits, 4..=5, 9);
        shapes::<Gf32>(Limits { tile: 10, chunk: 12, run: 9, ..limits }, 6..=7, 8);
        shapes::<Gf128>(Limits { tile: 9, chunk: 11, ..limits }, 1..=3, 7);
        shapes::<Gf192>(Limits { tile: 9, chunk: 11, ..limits }, 1..=3, 7);
    }
}

/// What is wanted is there with all of its block, wherever it lies and however many passes it takes.
#[test]
fn some_rows() {
    if again() {
        return;
    }
    fn over<F: Transform + core::fmt::Debug>(shapes: &[(u32, usize)]) {
        let mut random = Random::from_seed(2);
        for &(d, k) in shapes {
            let basis = Basis::<F>::new(d + 1);
            let d = d as usize;
            let message = elements::<F>(&mut random, 1 << (d + k));
            let scales = scales(&basis, 0, d);
            for isa in isas() {
                let encoder = Encoder { isa, basis: &basis, log2_message: d, log2_columns: k };
                let buffer = || UninitBuf::new(message.len());
                let mut nodes = vec![(); 1 << d];
                let whole =
                    encode(&Inline, encoder, &message, &scales, 1, buffer(), &mut nodes, 1, &|_, _| ());
                for count in [1, 2, 5, 40] {
                    let mut wanted: Vec<usize> = (0..count).map(|_| random.below(1 << d)).collect();
                    wanted.sort_unstable();
                    let block = (1 << d).min(16);
                    let some = encode_some(encoder, &message, &scales, 1, &wanted, block, buffer());
                    for row in &wanted {
                        let block = (row / block * block) << k..((row / block + 1) * block) << k;
                        assert!(
                            some[block.clone()] == whole[block],
                            "{} d {d} k {k} {row}",
                            isa.backend().name()
                        );
                    }
                }
            }
        }
    }
    over::<Gf32>(&[(3, 5), (9, 6), (12, 6), (13, 4)]);
    over::<Gf128>(&[(2, 4), (7, 4), (12, 4), (14, 2)]);
    over::<Gf192>(&[(7, 3), (13, 3)]);
}

/// One column of a large matrix, transformed alone.
fn column<F: Transform>(
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    column: usize,
    cosets: usize,
) -> Vec<F> {
    let alone: Vec<F> = message.iter().skip(column).step_by(1 << encoder.log2_columns).copied().collect();
    plain(&Encoder { log2_columns: 0, ..encoder }, &alone, scales, 0, cosets)
}

/// The shapes of registered sizes 2^16, 2^18 (compact) and 2^20, and one of 128 columns, as they are planned for real.
#[test]
fn large_shapes_column_by_column() {
    if again() {
        return;
    }
    let mut random = Random::from_seed(3);
    for (d, k) in [(10, 6), (13, 5), (14, 6), (13, 7), (15, 4)] {
        let basis = Basis::<Gf32>::new(d + 2);
        let d = d as usize;
        let encoder = Encoder { isa: Isa::PORTABLE, basis: &basis, log2_message: d, log2_columns: k };
        let message = elements::<Gf32>(&mut random, 1 << (d + k));
        for scales in [Vec::new(), scales(&basis, 0, d)] {
            let places = [0, (1 << k) - 1, random.below(1 << k)];
            let columns = places.map(|place| (place, column(encoder, &message, &scales, place, 4)));
            for isa in isas().filter(|isa| isa.backend() != Backend::Portable) {
                let mut nodes = vec![(); 4 << d];
                let encoder = Encoder { isa, ..encoder };
                let buffer = UninitBuf::new(4 << (d + k));
                let out = encode(&Inline, encoder, &message, &scales, 0, buffer, &mut nodes, 1, &|_, _| ());
                for (place, column) in &columns {
                    let same = out.iter().skip(*place).step_by(1 << k).eq(column);
                    assert!(same, "{} d {d} k {k} column {place}", isa.backend().name());
                }
            }
        }
    }
}

/// Rows of a codeword are sums over the basis, written out, wherever the rows lie.
#[test]
fn codewords_are_values_of_the_polynomial() {
    if again() {
        return;
    }
    let mut random = Random::from_seed(4);
    for (d, k) in [(16, 6), (12, 4)] {
        let basis = Basis::<Gf32>::new(d + 2);
        let d = d as usize;
        let message = elements::<Gf32>(&mut random, 1 << (d + k));
        for isa in isas().filter(|isa| isa.backend() != Backend::Portable) {
            let encoder = Encoder { isa, basis: &basis, log2_message: d, log2_columns: k };
            let mut nodes = vec![(); 4 << d];
            let buffer = UninitBuf::new(4 << (d + k));
            let out = encode(&Inline, encoder, &message, &[], 0, buffer, &mut nodes, 1, &|_, _| ());
            // Long rows that begin at lines of the cache are written past it, others are not.
            let mut buffer = vec![MaybeUninit::new(Gf32(1)); out.len() + 16];
            let beside = (buffer.as_ptr().align_offset(64) + 3) % 16;
            let limits = Limits::CACHES;
            let beside = &mut buffer[beside..][..out.len()];
            let task =
                Task { pool: &Inline, encoder, message: &message, scales: &[], first_coset: 0, wanted: None };
            let beside = task.encode_within(limits, UninitSlice::new(beside), &mut nodes, 1, &|_, _| ());
            assert!(*beside == *out, "{} d {d} k {k}", isa.backend().name());
            for point in [0, 1, (4 << d) - 1, random.below(4 << d), random.below(4 << d)] {
                let mut tensor = vec![Gf32(1)];
                for factor in basis.generator_factors(point, d) {
                    tensor.extend_from_within(..);
                    let half = tensor.len() / 2;
                    tensor[half..].iter_mut().for_each(|entry| *entry *= factor);
                }
                for column in [0, random.below(1 << k)] {
                    let values = message.iter().skip(column).step_by(1 << k);
                    let sum = values.zip(&tensor).fold(Gf32(0), |sum, (x, entry)| sum + *x * *entry);
                    assert_eq!(out[(point << k) + column], sum, "{} point {point}", isa.backend().name());
                }
            }
        }
    }
}
