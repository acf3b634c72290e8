//! Temporary stub.
use super::super::portable::Scalar;
use super::super::{Engine, Version};
use super::{Ifma, Lanes};
use crate::fields::koala_bear::KoalaBear;
use crate::simd::Avx512;
pub(super) unsafe fn permute16(w: Avx512, state: &mut [Lanes; 16]) {
    lane_by_lane(Ifma(w), state, |state| Scalar.permute16(Version::Two, state));
}
pub(super) unsafe fn permute24(w: Avx512, state: &mut [Lanes; 24]) {
    lane_by_lane(Ifma(w), state, |state| Scalar.permute24(Version::Two, state));
}
pub(super) unsafe fn compress16(w: Avx512, input: &[Lanes; 16]) -> [Lanes; 8] {
    let mut state = *input;
    unsafe { permute16(w, &mut state) };
    core::array::from_fn(|i| Ifma(w).add(&state[i], &input[i]))
}
fn lane_by_lane<const T: usize>(engine: Ifma, state: &mut [Lanes; T], permute: impl Fn(&mut [KoalaBear; T])) {
    let mut lanes = [[KoalaBear::ZERO; 16]; T];
    for (word, lanes) in state.iter().zip(&mut lanes) {
        engine.store(word, lanes);
    }
    for lane in 0..16 {
        let mut one: [KoalaBear; T] = core::array::from_fn(|i| lanes[i][lane]);
        permute(&mut one);
        one.iter().zip(&mut lanes).for_each(|(&x, lanes)| lanes[lane] = x);
    }
    for (word, lanes) in state.iter_mut().zip(&lanes) {
        *word = engine.load(lanes);
    }
}
