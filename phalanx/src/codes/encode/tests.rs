//! The passes and kernels against one plain transform, and that against sums over the basis.

use super::*;
use crate::codes::scales;
use crate::fields::binary::Gf32;
use crate::simd::Backend;
use crate::threads::Inline;
use alloc::vec;
use alloc::vec::Vec;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A generator of bits for tests: xorshift64.
pub(super) struct Bits(pub(super) u64);

impl Bits {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Elements, a quarter of them from the edges.
    pub(super) fn elements<F: BinaryField>(&mut self, count: usize) -> Vec<F> {
        let ones = (1u64 << (F::BITS - 1).min(62) << 1).wrapping_sub(1);
        let edges = [0, 1, ones, ones >> 1, 0x8080_8080 & ones, 2];
        (0..count)
            .map(|_| {
                let bits = self.next();
                let integer = if bits >> 61 == 0 { edges[(bits % 6) as usize] } else { bits & ones };
                let low = F::from_integer(integer);
                if F::BITS > 64 { low * F::from_integer(self.next() | 1 << 63) } else { low }
            })
            .collect()
    }
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
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    cosets: core::ops::Range<usize>,
    log2_node: usize,
    expected: &[F],
) {
    let what = std::format!(
        "{} d {} k {} cosets {cosets:?} node {log2_node} scales {}",
        encoder.level.backend().name(),
        encoder.log2_message,
        encoder.log2_columns,
        scales.len()
    );
    let columns = 1 << encoder.log2_columns;
    let sum = |rows: &[F]| rows.iter().fold((F::ZERO, F::ZERO), |(a, b), x| (a + *x, a + b));
    #[cfg(feature = "parallel")]
    let pools: [&dyn Pool; 2] = [&Inline, &crate::threads::Threads::new(3)];
    #[cfg(not(feature = "parallel"))]
    let pools: [&dyn Pool; 1] = [&Inline];
    for pool in pools {
        // What was there before does not matter.
        let mut out = vec![F::from_integer(0x5a5a); message.len() * cosets.len()];
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
        encode(pool, encoder, message, scales, cosets.start, &mut out, &mut nodes, 1 << log2_node, &finish);
        let first = out.iter().zip(expected).position(|(a, b)| a != b);
        assert_eq!(first, None, "{what}: first wrong element");
        assert_eq!(finished.load(Ordering::Relaxed), out.len(), "{what}: every row is finished");
        for (rows, node) in expected.chunks_exact(columns << log2_node).zip(nodes) {
            let (a, b) = sum(rows);
            assert_eq!(node, (a, b, 1), "{what}: a node of finished rows");
        }
    }
}

/// Every level this machine has.
fn levels() -> impl Iterator<Item = Level> {
    Backend::ALL.into_iter().filter_map(Level::of)
}

fn shapes<F: Transform + core::fmt::Debug>(columns: core::ops::RangeInclusive<usize>, rows: usize) {
    let mut bits = Bits(0x1234_5678_9abc_def1);
    for log2_columns in columns {
        for log2_message in 1..=rows {
            let rate = 1 + (log2_message + log2_columns) % 3;
            let basis = Basis::<F>::new(u32::try_from(log2_message + rate).expect("small"));
            let message = bits.elements::<F>(1 << (log2_message + log2_columns));
            for scales in [Vec::new(), scales(&basis, log2_message)] {
                let whole = Encoder { level: Level::Portable, basis: &basis, log2_message, log2_columns };
                let expected = plain(&whole, &message, &scales, 0, 1 << rate);
                for level in levels() {
                    let encoder = Encoder { level, ..whole };
                    check(encoder, &message, &scales, 0..1 << rate, log2_message.min(4), &expected);
                    // A part of the cosets, one for a node, and all.
                    let part = 1..(1usize << rate).min(4);
                    let inner = &expected[part.start * message.len()..part.end * message.len()];
                    check(encoder, &message, &scales, part.clone(), log2_message, inner);
                    check(encoder, &message, &scales, part, 0, inner);
                }
            }
        }
    }
}

#[test]
fn every_shape_over_the_field_of_32_bits() {
    shapes::<Gf32>(0..=3, 6);
    shapes::<Gf32>(4..=7, 12);
}

#[test]
fn every_shape_over_the_field_of_128_bits() {
    shapes::<Gf128>(0..=4, 9);
}

#[test]
fn every_shape_over_the_field_of_16_bits() {
    shapes::<Gf16>(0..=5, 7);
}
