//! The SHA-256 compression function once, generic over the vector that holds one word of every lane.

use crate::lanes::WordLanes;

/// The initial state (FIPS 180-4, section 5.3.3).
pub const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The constants K (FIPS 180-4, section 4.2.2).
#[rustfmt::skip]
pub(super) const ROUND_CONSTANTS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The state after one block (FIPS 180-4, section 6.2.2); `w` is the block's sixteen words.
#[inline(always)]
#[must_use]
pub fn compress<L: WordLanes<u32>>(
    lanes: L,
    state: [L::Vector; 8],
    mut w: [L::Vector; 16],
) -> [L::Vector; 8] {
    let mut s = state;
    let (turns, _) = ROUND_CONSTANTS.as_chunks::<16>();
    let mut turn = 0;
    while turn < 3 {
        rounds::<L, true>(lanes, &mut s, &mut w, &turns[turn]);
        turn += 1;
    }
    rounds::<L, false>(lanes, &mut s, &mut w, &turns[3]);
    let mut i = 0;
    while i < 8 {
        s[i] = lanes.add(s[i], state[i]);
        i += 1;
    }
    s
}

/// A turn of sixteen rounds, after which the variables are where they were.
#[inline(always)]
fn rounds<L: WordLanes<u32>, const EXTEND: bool>(
    lanes: L,
    s: &mut [L::Vector; 8],
    w: &mut [L::Vector; 16],
    k: &[u32; 16],
) {
    round::<L, 0, EXTEND>(lanes, s, w, k);
    round::<L, 1, EXTEND>(lanes, s, w, k);
    round::<L, 2, EXTEND>(lanes, s, w, k);
    round::<L, 3, EXTEND>(lanes, s, w, k);
    round::<L, 4, EXTEND>(lanes, s, w, k);
    round::<L, 5, EXTEND>(lanes, s, w, k);
    round::<L, 6, EXTEND>(lanes, s, w, k);
    round::<L, 7, EXTEND>(lanes, s, w, k);
    round::<L, 8, EXTEND>(lanes, s, w, k);
    round::<L, 9, EXTEND>(lanes, s, w, k);
    round::<L, 10, EXTEND>(lanes, s, w, k);
    round::<L, 11, EXTEND>(lanes, s, w, k);
    round::<L, 12, EXTEND>(lanes, s, w, k);
    round::<L, 13, EXTEND>(lanes, s, w, k);
    round::<L, 14, EXTEND>(lanes, s, w, k);
    round::<L, 15, EXTEND>(lanes, s, w, k);
}

/// Round `T` of a turn. The variables do not move: `a` is at index -T modulo 8, the others follow it. With `EXTEND`,
/// the place of W_t in `w` then takes W_(t+16).
///
/// The order of additions is that of arrival: the next e and the next a wait for the rotations of the last ones and one
/// addition (Zen 5, where an operation takes two cycles, 2026-11: 47 ns for 260 bytes, 56 in the order of the standard,
/// which has two additions less).
#[inline(always)]
fn round<L: WordLanes<u32>, const T: usize, const EXTEND: bool>(
    lanes: L,
    s: &mut [L::Vector; 8],
    w: &mut [L::Vector; 16],
    k: &[u32; 16],
) {
    let at = |i: usize| (i + 16 - T) % 8;
    let (a, b, c, d) = (s[at(0)], s[at(1)], s[at(2)], s[at(3)]);
    let (e, f, g, h) = (s[at(4)], s[at(5)], s[at(6)], s[at(7)]);
    let early = lanes.settled(lanes.add(h, lanes.add(w[T], lanes.splat(k[T]))));
    let early_d = lanes.settled(lanes.add(early, d));
    let choice = lanes.choose(e, f, g);
    let sum1 = lanes.rotations::<6, 11, 25>(e);
    s[at(3)] = lanes.add(lanes.settled(lanes.add(early_d, choice)), sum1);
    let t1 = lanes.settled(lanes.add(lanes.settled(lanes.add(early, choice)), sum1));
    let sum0 = lanes.rotations::<2, 13, 22>(a);
    s[at(7)] = lanes.add(lanes.settled(lanes.add(t1, lanes.majority(a, b, c))), sum0);
    if EXTEND {
        let (w1, w9, w14) = (w[(T + 1) % 16], w[(T + 9) % 16], w[(T + 14) % 16]);
        let late = lanes.add(w9, lanes.rotations_and_shift::<17, 19, 10>(w14));
        w[T] = lanes.add(lanes.add(w[T], lanes.rotations_and_shift::<7, 18, 3>(w1)), late);
    }
}
