//! The SHA-512 compression function once, generic over the vector that holds one 64-bit word of every lane.

use phalanx_core::lanes::{Scalar, WordLanes};

/// 1024 bits.
pub(super) type Block = [u8; 128];

/// The initial state (FIPS 180-4, section 5.3.5).
pub(super) const INITIAL: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// The constants K (FIPS 180-4, section 4.2.3; a test derives them from the cube roots of the first 80 primes).
#[rustfmt::skip]
pub(super) const ROUND_CONSTANTS: [u64; 80] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
];

/// Takes `blocks` into `state`, one after the other.
pub(super) fn compress(state: &mut [u64; 8], blocks: &[Block]) {
    for block in blocks {
        let mut w = [0; 16];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        let s = rounds(Scalar, *state, w);
        for (state, word) in state.iter_mut().zip(s) {
            *state = state.wrapping_add(word);
        }
    }
}

/// The same for the constants T from 0 to 15, written out.
macro_rules! sixteen {
    ($t:ident => $step:expr) => {
        sixteen!($t => $step; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($t:ident => $step:expr; $($value:literal)+) => {$({
        const $t: usize = $value;
        $step;
    })+};
}
#[cfg(target_arch = "x86_64")]
pub(super) use sixteen;

/// The 80 rounds (FIPS 180-4, section 6.4.2, steps 1 to 3) on the working variables a to h; `w` is the block's 16
/// words. The caller adds the result to the state (step 4).
#[inline(always)]
pub(super) fn rounds<L: WordLanes<u64>>(
    lanes: L,
    mut s: [L::Vector; 8],
    mut w: [L::Vector; 16],
) -> [L::Vector; 8] {
    let (turns, _) = ROUND_CONSTANTS.as_chunks::<16>();
    let mut turn = 0;
    while turn < 4 {
        sixteen!(T => round::<L, T, true>(lanes, &mut s, &mut w, &turns[turn]));
        turn += 1;
    }
    sixteen!(T => round::<L, T, false>(lanes, &mut s, &mut w, &turns[4]));
    s
}

/// Round `T` of a turn of 16. The variables do not move: `a` is at index -T modulo 8, the others follow it. With
/// `EXTEND`, the place of W_t in `w` then takes W_(t+16), while the round's sums are still on their way.
#[inline(always)]
fn round<L: WordLanes<u64>, const T: usize, const EXTEND: bool>(
    lanes: L,
    s: &mut [L::Vector; 8],
    w: &mut [L::Vector; 16],
    k: &[u64; 16],
) {
    summed_round::<L, T>(lanes, s, lanes.add(w[T], lanes.splat(k[T])));
    if EXTEND {
        extend::<L, T>(lanes, w);
    }
}

/// A round, given the sum of W_t and K_t.
#[inline(always)]
pub(super) fn summed_round<L: WordLanes<u64>, const T: usize>(
    lanes: L,
    s: &mut [L::Vector; 8],
    w_and_k: L::Vector,
) {
    let at = |i: usize| (i + 16 - T) % 8;
    let (a, b, c, d) = (s[at(0)], s[at(1)], s[at(2)], s[at(3)]);
    let (e, f, g, h) = (s[at(4)], s[at(5)], s[at(6)], s[at(7)]);
    // The sum that needs neither a nor e first: those two are what the next round waits for.
    let early = lanes.add(h, w_and_k);
    let t1 = lanes.add(lanes.add(early, lanes.choose(e, f, g)), lanes.rotations::<14, 18, 41>(e));
    let t2 = lanes.add(lanes.rotations::<28, 34, 39>(a), lanes.majority(a, b, c));
    s[at(3)] = lanes.add(d, t1);
    s[at(7)] = lanes.add(t1, t2);
}

/// W_(t+16) in the place of W_t.
#[inline(always)]
pub(super) fn extend<L: WordLanes<u64>, const T: usize>(lanes: L, w: &mut [L::Vector; 16]) {
    let (w1, w9, w14) = (w[(T + 1) % 16], w[(T + 9) % 16], w[(T + 14) % 16]);
    let late = lanes.add(w9, lanes.rotations_and_shift::<19, 61, 6>(w14));
    w[T] = lanes.add(lanes.add(w[T], lanes.rotations_and_shift::<1, 8, 7>(w1)), late);
}
