//! The plain version of the transform: what the others are compared with.

use super::{Encoder, Layers, Source, Transform};
use crate::binary::{BinaryField, Gf16};

/// Some layers of rows at a distance, as [`super::Transform::group`] says.
pub(super) fn group<F: BinaryField>(encoder: &Encoder<'_, F>, layers: &Layers<'_, F>, rows: &mut [&mut [F]]) {
    let Layers { high, low, start, source, .. } = *layers;
    if let Some(source) = source {
        for (position, rows) in rows.iter_mut().enumerate() {
            read(encoder.log2_columns, &source, position << low, rows);
        }
    }
    for j in (low..high).rev() {
        for (block, rows) in rows.chunks_exact_mut(2 << (j - low)).enumerate() {
            let twiddle = encoder.basis.at(j, start + (block << (j + 1)));
            let (upper, lower) = rows.split_at_mut(1 << (j - low));
            for (u, w) in upper.iter_mut().zip(lower) {
                butterflies(twiddle, u, w);
            }
        }
    }
}

/// All layers of consecutive rows, as [`super::Transform::block`] says.
pub(super) fn block<F: BinaryField>(encoder: &Encoder<'_, F>, layers: &Layers<'_, F>, rows: &mut [F]) {
    let Layers { high, low, start, source, .. } = *layers;
    if let Some(source) = source {
        read(encoder.log2_columns, &source, 0, rows);
    }
    for j in (low..high).rev() {
        for (block, rows) in rows.chunks_exact_mut(2 << (j + encoder.log2_columns)).enumerate() {
            let twiddle = encoder.basis.at(j, start + (block << (j + 1)));
            let (u, w) = rows.split_at_mut(1 << (j + encoder.log2_columns));
            butterflies(twiddle, u, w);
        }
    }
}

/// Rows of the message, scaled: those from `before` rows after the source's first on.
fn read<F: BinaryField>(log2_columns: usize, source: &Source<'_, F>, before: usize, out: &mut [F]) {
    let first = source.first + before;
    let message = &source.message[first << log2_columns..][..out.len()];
    if source.scales.is_empty() {
        out.copy_from_slice(message);
        return;
    }
    let rows = out.chunks_exact_mut(1 << log2_columns).zip(message.chunks_exact(1 << log2_columns));
    for ((out, message), scale) in rows.zip(&source.scales[first..]) {
        for (out, message) in out.iter_mut().zip(message) {
            *out = *message * *scale;
        }
    }
}

/// u += l w and then w += u, for rows of u and w.
#[inline]
fn butterflies<F: BinaryField>(twiddle: F, u: &mut [F], w: &mut [F]) {
    for (u, w) in u.iter_mut().zip(w) {
        *u += twiddle * *w;
        *w += *u;
    }
}

/// GF(2^16) has no other kernels.
impl Transform for Gf16 {
    type Prepared = ();

    fn prepare(_: &Encoder<'_, Self>) -> Self::Prepared {}

    fn group(encoder: &Encoder<'_, Self>, (): &(), layers: &Layers<'_, Self>, rows: &mut [&mut [Self]]) {
        group(encoder, layers, rows);
    }

    fn block(encoder: &Encoder<'_, Self>, (): &(), layers: &Layers<'_, Self>, rows: &mut [Self]) {
        block(encoder, layers, rows);
    }
}
