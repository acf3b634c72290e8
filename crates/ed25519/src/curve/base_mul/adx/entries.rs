//! Entries of tables on their way into integer registers, and results on their way out.

use crate::curve::point::{HalvedNiels, Projective, Summable};
use crate::fields::p25519::{Element, Fe1 as Fe, FieldLanes, X1};
use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_set1_epi64x, _mm256_store_si256, _mm256_xor_si256, _subborrow_u64,
};

/// The entry of a table for `negative` = 0, its negative for 1: the first two coordinates change places, and 2p - x
/// takes the place of the third. That is 2^256 - 38 - x, the complement of x less 37; x is below p, so nothing is
/// borrowed from above.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn signed([plus, minus, xyd]: [__m256i; 3], negative: u64) -> HalvedNiels<Fe> {
    let sign = _mm256_set1_epi64x(negative.wrapping_neg().cast_signed());
    let both = _mm256_and_si256(_mm256_xor_si256(plus, minus), sign);
    let mut entry = HalvedNiels {
        y_plus_x: fe(_mm256_xor_si256(plus, both)),
        y_minus_x: fe(_mm256_xor_si256(minus, both)),
        xyd: fe(_mm256_xor_si256(xyd, sign)),
    };
    let words = &mut entry.xyd.0;
    let mut borrow = _subborrow_u64(0, words[0], 37 & negative.wrapping_neg(), &mut words[0]);
    for word in &mut words[1..] {
        borrow = _subborrow_u64(borrow, *word, 0, word);
    }
    entry
}

#[inline]
#[target_feature(enable = "avx2")]
fn fe(words: __m256i) -> Fe {
    let mut fe = Fe([0; 4]);
    // SAFETY: an element is 32 bytes, aligned.
    unsafe { _mm256_store_si256(fe.0.as_mut_ptr().cast(), words) };
    fe
}

pub(super) fn store(l: X1, sum: &Summable<Fe>, to: &mut Projective<Element>) {
    let sum = sum.projective(l);
    for (fe, element) in [(sum.x, &mut to.x), (sum.y, &mut to.y), (sum.z, &mut to.z)] {
        l.store(&fe, core::slice::from_mut(element));
    }
}
