//! GF(2^32): which kernel transforms it.

#[cfg(target_arch = "x86_64")]
use super::planes;
use super::{Encoder, Layers, Transform, each_group, portable};
use crate::binary::Gf32;
use alloc::vec::Vec;
use phalanx_core::first_of;
use phalanx_core::memory::StridedRuns;
#[cfg(target_arch = "x86_64")]
use phalanx_core::simd::{Avx2, Avx512, Gfni};

/// A kernel with its twiddles.
pub(crate) enum Small {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(planes::Kernel<Avx2, 32>),
    #[cfg(target_arch = "x86_64")]
    Gfni(planes::Kernel<Gfni, 32>),
    #[cfg(target_arch = "x86_64")]
    Avx512(planes::Kernel<Avx512, 64>),
    #[cfg(target_arch = "x86_64")]
    Gfni512(super::gfni512::Kernel),
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    Neon(super::sixteen::Kernel<phalanx_core::simd::Neon>),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Wasm128(super::sixteen::Kernel<phalanx_core::simd::Wasm128>),
}

impl Transform for Gf32 {
    type Prepared = Small;

    fn prepare(encoder: &Encoder<'_, Self>) -> Small {
        // The vector kernels take 64 elements at a time, of at most four rows.
        if encoder.log2_columns < 4 || encoder.log2_message + encoder.log2_columns < 6 {
            return Small::Portable;
        }
        first_of!(encoder.isa;
            gfni512(witness) => Small::Gfni512(super::gfni512::Kernel::new(witness, encoder)),
            gfni(witness) => Small::Gfni(planes::Kernel::new(witness, encoder)),
            avx512(witness) if planes::Kernel::<Avx512, 64>::takes(encoder) => {
                Small::Avx512(planes::Kernel::new(witness, encoder))
            },
            avx2(witness) => Small::Avx2(planes::Kernel::new(witness, encoder)),
            neon(witness) => Small::Neon(super::sixteen::Kernel::new(witness, encoder)),
            wasm128(witness) => Small::Wasm128(super::sixteen::Kernel::new(witness, encoder)),
            else => Small::Portable,
        )
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
            Small::Gfni(kernel) => kernel.group(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx512(kernel) => kernel.group(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Gfni512(kernel) => kernel.group(layers, rows),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Small::Neon(kernel) => kernel.group(layers, rows),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Small::Wasm128(kernel) => kernel.group(layers, rows),
        }
    }

    fn first_groups(
        encoder: &Encoder<'_, Self>,
        prepared: &Small,
        layers: &Layers<'_, Self>,
        cosets: Vec<(usize, StridedRuns<'_, Self>)>,
    ) {
        match prepared {
            #[cfg(target_arch = "x86_64")]
            Small::Gfni512(kernel) => kernel.first_groups(layers, cosets),
            _ => each_group(encoder, prepared, layers, cosets),
        }
    }

    fn block(encoder: &Encoder<'_, Self>, prepared: &Small, layers: &Layers<'_, Self>, rows: &mut [Self]) {
        match prepared {
            Small::Portable => portable::block(encoder, layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx2(kernel) => kernel.block(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Gfni(kernel) => kernel.block(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Avx512(kernel) => kernel.block(layers, rows),
            #[cfg(target_arch = "x86_64")]
            Small::Gfni512(kernel) => kernel.block(layers, rows),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Small::Neon(kernel) => kernel.block(layers, rows),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Small::Wasm128(kernel) => kernel.block(layers, rows),
        }
    }
}
