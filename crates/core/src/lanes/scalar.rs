//! One lane of plain Rust.

use super::words::{MinLanes, WordLanes};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::simd::opaque as settled;
use crate::simd::{Kernel, Witness};
use core::convert::identity;
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use core::convert::identity as settled;

/// One lane; needs no witness.
#[derive(Clone, Copy)]
pub struct Scalar;

/// The operations of one word type.
macro_rules! scalar {
    ($word:ty, $settled:ident) => {
        impl WordLanes<$word> for Scalar {
            const LANES: usize = 1;
            type Vector = $word;
            type Words = [$word; 1];

            #[inline(always)]
            fn load(self, [word]: &[$word; 1]) -> $word {
                *word
            }

            #[inline(always)]
            fn load_bytes(self, bytes: &[u8]) -> $word {
                <$word>::from_le_bytes(*bytes.first_chunk().expect("the bytes of a word"))
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; 1], x: $word) {
                *words = [x];
            }

            #[inline(always)]
            fn splat(self, word: $word) -> $word {
                word
            }

            #[inline(always)]
            fn add(self, a: $word, b: $word) -> $word {
                a.wrapping_add(b)
            }

            #[inline(always)]
            fn sub(self, a: $word, b: $word) -> $word {
                a.wrapping_sub(b)
            }

            #[inline(always)]
            fn and(self, a: $word, b: $word) -> $word {
                a & b
            }

            #[inline(always)]
            fn xor(self, a: $word, b: $word) -> $word {
                a ^ b
            }

            #[inline(always)]
            fn shift_left<const BY: i32>(self, x: $word) -> $word {
                x << BY
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self, x: $word) -> $word {
                x >> BY
            }

            #[inline(always)]
            fn rotate_right<const BY: i32>(self, x: $word) -> $word {
                x.rotate_right(BY.cast_unsigned())
            }

            #[inline(always)]
            fn swap_bytes(self, x: $word) -> $word {
                x.swap_bytes()
            }

            #[inline(always)]
            fn settled(self, sum: $word) -> $word {
                $settled(sum)
            }

            #[inline(always)]
            fn chi(self, a: $word, b: $word, c: $word) -> $word {
                a ^ (!b & c)
            }
        }
    };
}

scalar!(u32, identity);
scalar!(u64, settled);

impl Witness for Scalar {
    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl MinLanes for Scalar {
    #[inline(always)]
    fn min(self, a: u32, b: u32) -> u32 {
        if a < b { a } else { b }
    }
}
