//! Tweaks: the labels that make every hash call of a key different (spec section 6).
//!
//! A tweak is an integer below `2^56`, hashed as its two base-`p` digits.
#![forbid(unsafe_code)]

use crate::fields::koala_bear::KoalaBear;

/// Label of the node at `position` of tree level `level`; leaves are level 0.
pub(crate) const fn tree(level: u8, position: u64) -> u64 {
    ((level as u64) << 40) | (position << 8) | 0x01
}

/// Label of the chain step of `epoch` and `chain` that produces position `position`.
pub(crate) const fn chain(epoch: u32, chain: u8, position: u8) -> u64 {
    ((epoch as u64) << 24) | ((chain as u64) << 16) | ((position as u64) << 8)
}

/// Label of the message hash.
pub(crate) const fn epoch(epoch: u32) -> u64 {
    ((epoch as u64) << 8) | 0x02
}

/// The message as nine field elements: base-`p` digits of its little-endian integer.
pub(crate) fn message(message: &[u8; 32]) -> [KoalaBear; 9] {
    use crate::fields::koala_bear::P;
    // Long division by p, nine times, over 32-bit limbs, most significant first.
    let mut limbs = [0u32; 8];
    for (limb, bytes) in limbs.iter_mut().zip(message.as_chunks::<4>().0.iter().rev()) {
        *limb = u32::from_le_bytes(*bytes);
    }
    core::array::from_fn(|_| {
        let mut remainder = 0u64;
        for limb in &mut limbs {
            let n = (remainder << 32) | u64::from(*limb);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "remainder < p, so the quotient is below 2^33/2 = 2^32"
            )]
            {
                *limb = (n / u64::from(P)) as u32;
            }
            remainder = n % u64::from(P);
        }
        KoalaBear::from_u64(remainder)
    })
}
