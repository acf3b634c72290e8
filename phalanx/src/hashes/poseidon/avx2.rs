//! Placeholder while the kernel is being written: one lane, the scalar engine.
use super::portable::Scalar;
use super::{Engine, Version};
use crate::fields::koala_bear::KoalaBear;
use crate::simd::Avx2;

/// Placeholder.
#[derive(Clone, Copy)]
pub(crate) struct Packed;

impl Packed {
    /// Placeholder.
    pub(crate) fn new(_: Avx2) -> Self {
        Self
    }
}

impl Engine for Packed {
    const LANES: usize = 1;
    type Word = KoalaBear;
    fn splat(self, x: KoalaBear) -> KoalaBear {
        x
    }
    fn load(self, xs: &[KoalaBear]) -> KoalaBear {
        xs[0]
    }
    fn store(self, word: &KoalaBear, out: &mut [KoalaBear]) {
        out[0] = *word;
    }
    fn add(self, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        KoalaBear::add(*a, *b)
    }
    fn select(self, lanes: u32, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        Scalar.select(lanes, a, b)
    }
    fn permute16(self, version: Version, state: &mut [KoalaBear; 16]) {
        Scalar.permute16(version, state);
    }
    fn permute24(self, version: Version, state: &mut [KoalaBear; 24]) {
        Scalar.permute24(version, state);
    }
}
