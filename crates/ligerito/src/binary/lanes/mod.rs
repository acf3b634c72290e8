//! GF(2^128) and GF(2^192) in vectors, by carry-less multiplication: four elements to a vector with AVX-512, two
//! with VPCLMULQDQ on 32 bytes, one with PCLMULQDQ and NEON.
//!
//! A product of elements is kept as products of their limbs of 64 bits: three for GF(2^128) ([`halves`]), six for
//! GF(2^192) ([`limbs`]), both by Karatsuba's identity. All steps are linear, so sums of products are summed in this
//! form, and one reduction serves the whole sum.
//!
//! The instruction that multiplies is the bottleneck: on Zen 5 it takes two cycles, in which eight others could start.
//!
//! The operations are functions compiled for their instructions ([`steps`]).
//!
//! Kernels are written once, against [`Lanes`], and entered through [`run`].

#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))),
    allow(dead_code, reason = "other CPUs have no lanes so far")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod carryless;
#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod halves;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod limbs;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod steps;
mod vocabulary;
#[cfg(target_arch = "x86_64")]
mod vpclmul;

pub(crate) use vocabulary::{Kernel, Lanes, MAX_COUNT, OnLanes};

use super::{Gf128, Gf192};
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// Runs the kernel on the widest lanes of `isa`; gives it back if the field has none there.
pub(crate) fn run<K: Kernel>(isa: Isa, kernel: K) -> Result<K::Output, K> {
    K::Field::run(isa, kernel)
}

/// Lanes of a field, in all of their widths.
macro_rules! on_lanes {
    ($field:ty, $limbs:expr) => {
        impl OnLanes for $field {
            fn run<K: Kernel<Field = Self>>(isa: Isa, kernel: K) -> Result<K::Output, K> {
                first_of!(isa;
                    gfni512(witness) => Ok(gfni512::run(witness, kernel)),
                    vpclmul(witness) => Ok(vpclmul::run(witness, kernel)),
                    avx2(witness) => Ok(avx2::run(witness, kernel)),
                    pmull(witness) => Ok(neon::run(witness, kernel)),
                    else => Err(kernel),
                )
            }

            #[inline]
            fn times_x(self) -> Self {
                <$field>::times_x(self)
            }

            #[inline]
            fn limbs(self) -> [u64; 3] {
                $limbs(self)
            }
        }
    };
}

on_lanes!(Gf128, |x: Self| [lower_half(x.0), lower_half(x.0 >> 64), 0]);
on_lanes!(Gf192, |x: Self| x.0);

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is taken")]
fn lower_half(x: u128) -> u64 {
    x as u64
}
