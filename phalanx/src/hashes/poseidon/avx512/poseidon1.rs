//! Placeholder: lane by lane through the scalar engine.

use super::super::portable::Scalar;
use super::super::{Engine, Version};
use super::{Ifma, Lanes};
use crate::fields::koala_bear::KoalaBear;

/// The permutation of width 16.
pub(super) fn permute16(engine: Ifma, state: &mut [Lanes; 16]) {
    lane_by_lane(engine, state, |state| Scalar.permute16(Version::One, state));
}

/// The permutation of width 24.
pub(super) fn permute24(engine: Ifma, state: &mut [Lanes; 24]) {
    lane_by_lane(engine, state, |state| Scalar.permute24(Version::One, state));
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
