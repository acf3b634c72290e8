//! GF(2^32): which kernel transforms it.

use super::{Encoder, Layers, Transform, portable};
use crate::fields::binary::Gf32;
#[cfg(target_arch = "x86_64")]
use crate::simd::Level;

/// A kernel with its twiddles.
pub(crate) enum Small {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(super::avx2::Kernel),
    #[cfg(target_arch = "x86_64")]
    Avx512(super::avx512::Kernel),
}

impl Transform for Gf32 {
    type Prepared = Small;

    fn prepare(encoder: &Encoder<'_, Self>) -> Small {
        // The vector kernels take 64 elements at a time, of at most four rows.
        if encoder.log2_columns < 4 || encoder.log2_message + encoder.log2_columns < 6 {
            return Small::Portable;
        }
        match encoder.level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(witness) => Small::Avx2(super::avx2::Kernel::new(witness, encoder)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(witness) => Small::Avx512(super::avx512::Kernel::new(witness, encoder)),
            _ => Small::Portable,
        }
    }

    fn group(
        encoder: &Encoder<'_, Self>,
        prepared: &Small,
        layers: &Layers<'_, Self>,
        rows: &mut [&mut [Self]],
    ) {
        match prepared {
            Small::Portable => portable::group(encoder, layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx2(kernel) => kernel.group(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx512(kernel) => kernel.group(layers, rows),
        }
    }

    fn block(encoder: &Encoder<'_, Self>, prepared: &Small, layers: &Layers<'_, Self>, rows: &mut [Self]) {
        match prepared {
            Small::Portable => portable::block(encoder, layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx2(kernel) => kernel.block(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx512(kernel) => kernel.block(layers, rows),
        }
    }
}
