//! Known answers, an independent SHAKE128, and every backend against portable.

use super::kernel::ROUND_CONSTANTS;
use super::{permute, permute4, permute8, shake128};
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use shake::digest::{ExtendableOutput, Update, XofReader};

/// Keccak-f[1600] of the zero state, then of that result: the Keccak team's `KeccakF-1600-IntermediateValues.txt`.
const ZERO_ONCE: [u64; 25] = [
    0xf125_8f79_40e1_dde7,
    0x84d5_ccf9_33c0_478a,
    0xd598_261e_a65a_a9ee,
    0xbd15_4730_6f80_494d,
    0x8b28_4e05_6253_d057,
    0xff97_a42d_7f8e_6fd4,
    0x90fe_e5a0_a446_47c4,
    0x8c5b_da0c_d619_2e76,
    0xad30_a6f7_1b19_059c,
    0x3093_5ab7_d08f_fc64,
    0xeb5a_a93f_2317_d635,
    0xa9a6_e626_0d71_2103,
    0x81a5_7c16_dbcf_555f,
    0x43b8_31cd_0347_c826,
    0x01f2_2f1a_11a5_569f,
    0x05e5_635a_21d9_ae61,
    0x64be_fef2_8cc9_70f2,
    0x6136_7095_7bc4_6611,
    0xb87c_5a55_4fd0_0ecb,
    0x8c3e_e88a_1ccf_32c8,
    0x940c_7922_ae3a_2614,
    0x1841_f924_a2c5_09e4,
    0x16f5_3526_e704_65c2,
    0x75f6_44e9_7f30_a13b,
    0xeaf1_ff7b_5cec_a249,
];
const ZERO_TWICE: [u64; 25] = [
    0x2d5c_954d_f96e_cb3c,
    0x6a33_2cd0_7057_b56d,
    0x093d_8d12_70d7_6b6c,
    0x8a20_d9b2_5569_d094,
    0x4f9c_4f99_e5e7_f156,
    0xf957_b9a2_da65_fb38,
    0x8577_3dae_1275_af0d,
    0xfaf4_f247_c3d8_10f7,
    0x1f1b_9ee6_f79a_8759,
    0xe4fe_cc0f_ee98_b425,
    0x68ce_61b6_b9ce_68a1,
    0xdeea_66c4_ba8f_974f,
    0x33c4_3d83_6eaf_b1f5,
    0xe006_5404_2719_dbd9,
    0x7cf8_a9f0_0983_1265,
    0xfd54_49a6_bf17_4743,
    0x97dd_ad33_d899_4b40,
    0x48ea_d5fc_5d0b_e774,
    0xe3b8_c8ee_55b7_b03c,
    0x91a0_226e_649e_42e9,
    0x900e_3129_e7ba_dd7b,
    0x202a_9ec5_faa3_cce8,
    0x5b34_0246_4e1c_3db6,
    0x609f_4e62_a44c_1059,
    0x20d0_6cd2_6a8f_bf5c,
];

#[test]
fn round_constants_come_from_the_shift_register() {
    // FIPS 202, algorithms 5 and 6: bit 2^j - 1 of constant i is output j + 7 i of the register x^8 + x^6 + x^5 + x^4
    // + 1.
    let mut register = 1u32;
    for constant in ROUND_CONSTANTS {
        let mut wanted = 0u64;
        for j in 0..7 {
            wanted |= u64::from(register & 1) << ((1 << j) - 1);
            register <<= 1;
            register ^= (register >> 8) * 0x171;
        }
        assert_eq!(constant, wanted);
    }
}

#[test]
fn zero_state_known_answers() {
    let mut state = [0; 25];
    permute(&mut state);
    assert_eq!(state, ZERO_ONCE);
    permute(&mut state);
    assert_eq!(state, ZERO_TWICE);
}

#[test]
fn every_backend_equals_portable() {
    let mut random = phalanx_testing::Random::from_seed(1);
    let mut states = Vec::from([[[0; 8]; 25], [[u64::MAX; 8]; 25]]);
    // One lane of ones in a state of zeros: a result that leaks into a neighbour shows.
    for lane in 0..8 {
        let mut state = [[0; 8]; 25];
        state.iter_mut().for_each(|word| word[lane] = u64::MAX);
        states.push(state);
    }
    for _ in 0..50 {
        states.push([[0; 8]; 25].map(|word| word.map(|_: u64| random.u64())));
    }
    for (name, isa) in backends() {
        for (i, input) in states.iter().enumerate() {
            let (mut got, mut four) = (*input, *input);
            permute8(isa, &mut got);
            permute4(isa, &mut four);
            for lane in 0..8 {
                let mut wanted = input.map(|word| word[lane]);
                permute(&mut wanted);
                assert_eq!(got.map(|word| word[lane]), wanted, "{name} state {i} lane {lane}");
                if lane < 4 {
                    assert_eq!(four.map(|word| word[lane]), wanted, "{name} state {i} lane {lane} of four");
                }
            }
        }
    }
}

/// Every backend with its name. That NEON without the instructions of SHA-3 agrees with it is for the tests of
/// [`phalanx_core::lanes`] to say.
fn backends() -> impl Iterator<Item = (&'static str, Isa)> {
    phalanx_testing::isas().map(|isa| (isa.backend().name(), isa))
}

#[test]
fn shake128_known_answer() {
    // SHAKE128 of the empty string, NIST's example values.
    let mut out = [0; 32];
    shake128(&[], &mut out);
    assert_eq!(hex::encode(out), "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26");
}

#[test]
fn shake128_equals_the_shake_crate() {
    let input = phalanx_testing::Random::from_seed(1).bytes(1000);
    for input_len in [0, 1, 7, 8, 9, 61, 93, 166, 167, 168, 169, 335, 336, 337, 1000] {
        for out_len in [0, 1, 7, 8, 32, 128, 167, 168, 169, 336, 337, 500] {
            let message = &input[..input_len];
            let mut hasher = shake::Shake128::default();
            hasher.update(message);
            let mut wanted = alloc::vec![0; out_len];
            hasher.finalize_xof().read(&mut wanted);
            let mut got = alloc::vec![0xaa; out_len];
            shake128(&[message], &mut got);
            assert_eq!(got, wanted, "{input_len} bytes in, {out_len} out");
            // The parts are concatenated, wherever they are cut.
            let (head, tail) = message.split_at(input_len / 3);
            got.fill(0xaa);
            shake128(&[head, &[], tail], &mut got);
            assert_eq!(got, wanted, "{input_len} bytes in two parts, {out_len} out");
        }
    }
}
