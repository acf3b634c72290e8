//! Round constants of the four permutations, as canonical integers modulo p = 2^64 - 2^32 + 1.
//!
//! Sources: winter-crypto 0.13.1 (`rp64_256`, `rp64_256_jive`; MIT) and miden-crypto 0.28.1 (`rpo256`, which RPX shares;
//! MIT or Apache-2.0). A test compares them with `vectors/rescue/constants.json`.

/// Round constants: `[round][0]` are added after the first half of a round, `[round][1]` after the second.
pub(super) type Constants<const WIDTH: usize> = [[[u64; WIDTH]; 2]; 7];

#[rustfmt::skip]
pub(super) const RP64: Constants<12> = [
    [
        [
            0xc125_11fe_3f05_bc93, 0xde13_8177_d4bc_8d50, 0x41a4_1133_ed51_3bab, 0x8b9b_358b_f154_1407,
            0x8811_ac5b_71f5_66fc, 0xd96b_7b8d_6eb5_51ed, 0x8cde_21b6_e08f_ab9f, 0xbd20_2d5e_cae6_b667,
            0x203f_bf54_4d88_5590, 0x0889_8687_fec7_d215, 0x7b1a_e5ea_d4f8_85b7, 0x9230_e13f_8043_71c8,
        ],
        [
            0x6edf_8b19_ad8f_4219, 0x77e5_b3c5_f75e_2b50, 0x5a0c_009b_62ae_eb6f, 0x4c98_07de_7add_4629,
            0x293f_47e2_cf70_6afd, 0xcec6_fdb2_025b_035b, 0xc482_cc10_8e14_3a06, 0x52d8_c53c_7de7_fc5d,
            0x46ff_dd09_8d71_8ec0, 0xa832_e5af_91eb_e0f3, 0xf189_19f8_ef49_93ec, 0x25b8_ddd3_b26d_63dc,
        ],
    ],
    [
        [
            0xca3a_ae98_5838_75b2, 0x8315_0d81_42c8_84af, 0x5b1e_6a10_ac79_29b6, 0xafcc_3cca_a7f1_687f,
            0x63d5_72fe_fbe3_1a88, 0xa4cb_ce92_b20e_ecba, 0xf881_f994_b450_b291, 0x112b_95fd_4afa_6d29,
            0x5ec8_9de8_dd37_49ef, 0x1db2_d98b_a5c8_bf25, 0x168a_f46a_b08a_5719, 0x00b5_06fc_c319_607e,
        ],
        [
            0x227d_d59d_41e9_9fb2, 0xc745_30a8_275a_53bd, 0x2e2b_ecac_8cea_d640, 0x534b_13b8_b181_d3e4,
            0xf1bd_493c_6fa7_b59f, 0xa3e8_1bc6_99c8_8f97, 0xcd6d_16d2_16b1_9d26, 0x0a6f_82a7_f22b_0e28,
            0x8298_a7a2_4ff7_1f41, 0xe3ac_374b_cd19_c3ea, 0x5f4d_d2f3_5796_ab55, 0xc20a_b0db_1a71_babc,
        ],
    ],
    [
        [
            0xe20a_de82_56ca_1c4d, 0xb881_0f1e_a71e_24d8, 0xb98d_e659_7b3b_e5a0, 0x087c_9a49_334e_c939,
            0xb28a_72e8_4b14_11cb, 0xaa46_0370_410f_62ff, 0x7239_e665_c1d9_ad88, 0xbae2_f135_b2d2_8670,
            0x8d3b_ed3d_779b_93c0, 0xcf7e_41c7_1dd1_769d, 0x51a2_8102_cd3d_aa49, 0xfb89_7286_aeea_1585,
        ],
        [
            0x90d7_68ff_06f8_103d, 0xb7b5_1f7f_8553_52fc, 0x0946_67e8_1fda_04d2, 0x211b_134c_a798_8c10,
            0x35c5_adaf_58fb_6321, 0xb3c0_4a20_241b_5426, 0x1b61_72fc_911f_457f, 0xc24b_1af4_e26d_d6c3,
            0x0d8c_ca8e_c807_ce1a, 0x74ab_ac22_8776_a02e, 0x04b3_9bc3_7587_568e, 0x3a66_91c8_d2be_5047,
        ],
    ],
    [
        [
            0x5455_c1d8_cadc_d8ee, 0x679e_c163_ff57_abfa, 0x4c75_8208_aee2_9b8b, 0xcbe6_1b2d_a5d1_5d78,
            0xb423_8d08_82a9_e9d2, 0x12e3_e889_fb9a_d102, 0x5492_13ce_df12_4231, 0x46ed_8115_d4ca_f607,
            0x770b_d0fe_0d1b_6fc3, 0x8139_fa71_ca31_32bd, 0xeb70_a633_94d0_d235, 0x4fc3_0f48_9587_0690,
        ],
        [
            0x1fb3_caa4_759f_ffde, 0x3e75_0136_d80c_33f4, 0x372d_e50a_046f_6155, 0x2420_c2dc_9806_e0d4,
            0x4ff0_8d23_0920_a71a, 0x2868_028b_deec_6360, 0xff92_8ee3_1564_963a, 0x6205_5f98_cc1f_063d,
            0xe6bb_d37e_d57d_19ee, 0x0244_d118_cde9_4668, 0xa0ed_6c2d_e4f7_a87a, 0x294f_dd94_3c5d_8393,
        ],
    ],
    [
        [
            0xbde8_1661_96a5_e3fb, 0x0045_15cf_a130_5ab9, 0xe6a1_b982_44d8_28cd, 0x03dc_7507_79cc_f882,
            0x4559_c961_075d_20a9, 0x0adc_6813_92eb_1cb4, 0xe3ec_f19c_59ac_1bec, 0x8aa7_1b96_ee8b_348a,
            0xe88d_40a0_9de0_61a1, 0x1d32_6a95_f809_1d30, 0xde4d_d832_fda7_951c, 0x59ec_f508_d330_2a87,
        ],
        [
            0xd16a_b61f_9f64_ebbe, 0x3087_152f_1ab2_8cb7, 0x77ff_5fff_f6bc_b880, 0x2223_fda2_1998_0c75,
            0x36be_4d0b_4d27_fa42, 0xcd23_264d_f672_da6b, 0x27a8_c3f8_f817_f0b7, 0x7609_5b24_9d14_4d05,
            0xf9e9_cd99_6748_f880, 0x09fe_94d3_a1fc_f663, 0x61ae_5219_db0c_05c5, 0x7ad0_9d45_1ea3_70a6,
        ],
    ],
    [
        [
            0xc1b3_a737_6a31_06b9, 0x86a7_5744_89ce_3257, 0xfec2_50d2_bb87_8c5b, 0x2a0a_c6f2_8e43_5edb,
            0x191c_0165_1878_cbcd, 0xace8_86ad_f99d_7a1f, 0xa653_9c51_d67c_d482, 0xb297_2f69_7cc8_78bc,
            0x6d3f_9f15_645d_fbe1, 0x946a_0b13_9561_3652, 0x77f9_3131_20e2_e752, 0x13bf_3a43_8c89_044c,
        ],
        [
            0xf1db_f306_08a0_6426, 0x1017_8745_1ee5_7777, 0xf90f_5b25_70ab_a526, 0x57f7_eb20_4c8b_5e82,
            0xf5da_3cee_d793_9f10, 0x3a69_2939_2f1f_419e, 0xabe5_a7af_3d21_75e7, 0x8aed_9118_75e6_973f,
            0x4d3e_c384_3bf3_4b4d, 0xadc0_7ef4_a390_ac3d, 0x4502_0984_b563_a74f, 0x4dac_cf71_3ac1_aed5,
        ],
    ],
    [
        [
            0xf485_1a1e_79c6_8508, 0x55ad_5476_2728_0b3d, 0xd103_84e6_e3b7_f0e8, 0x3e80_8bc8_f78c_cbe7,
            0xa021_0b8e_3f0d_224d, 0xb152_a80e_4e69_a723, 0xf79e_6971_1d17_daf1, 0xba8a_7f23_2dfa_643c,
            0x5295_2bc7_e8c1_1c0d, 0xec7b_d777_3de3_d610, 0x79f4_0166_7ece_5515, 0x6720_9c07_b5e0_be7a,
        ],
        [
            0xfe80_bb2b_782f_2dc0, 0x0199_04a6_df32_23a7, 0x3d71_9a98_c771_ab0a, 0x9723_a2c0_0a5d_0c24,
            0x6274_b396_15f6_2b02, 0x65f0_b7f1_3623_021b, 0x5ed7_9cf0_d125_9560, 0xc253_fe01_efc5_109c,
            0xdd33_8605_d585_41e7, 0xb07c_f56c_d446_c6bf, 0x3953_470b_3f44_fcba, 0x6af1_c157_ca0b_3636,
        ],
    ],
];

#[rustfmt::skip]
pub(super) const JIVE: Constants<8> = [
    [
        [
            0x48dc_4d48_99f9_ea51, 0xf9ae_2fdf_b671_c2a2, 0xd537_0967_c6e9_31fd, 0x68c8_605b_1712_cb98,
            0x09cb_4f4e_60c7_e35c, 0xcc41_1fd2_ecb7_184e, 0xd8ac_59b4_dc74_caac, 0x7a81_fc5c_8984_9737,
        ],
        [
            0x88d6_000f_3400_65ab, 0x9036_0121_bb76_ba19, 0x4533_eb12_7a8d_352b, 0xf6c6_4616_6661_5df2,
            0x5f9a_5d7d_daf8_1433, 0x7c37_be07_d68b_a565, 0xec99_ad2e_1434_6553, 0xc451_c6c4_65c7_fe5b,
        ],
    ],
    [
        [
            0x3503_bcd9_e97d_edf2, 0x2efb_8e68_3dc7_69b9, 0xdf5b_e4db_53ec_2f57, 0xe241_15bb_13b1_2dba,
            0x7870_3700_acdb_1e6c, 0x06ea_3615_1155_e79d, 0xf54e_5231_f803_cd33, 0xd014_2049_d496_aa65,
        ],
        [
            0x09d1_cac4_88a5_e34a, 0x5d53_7898_181b_71ca, 0xdec6_f491_3464_3525, 0x1b48_b1ca_07a6_b18e,
            0x82ac_738f_89fb_1bdd, 0x0908_cc91_dfee_154f, 0x8af8_5a71_2483_5202, 0xc7d7_90ce_f7bc_0ea9,
        ],
    ],
    [
        [
            0xc5e1_56a5_85ef_bce8, 0x16fb_321e_2803_c594, 0x629a_135b_4cbc_4b90, 0xa47c_19f1_7c61_22f3,
            0xf73f_b577_343a_393e, 0x3742_6c75_c7c0_acd7, 0x26f6_226e_0bcd_1599, 0xcfcf_1f71_b232_a6b0,
        ],
        [
            0x6337_4975_6cff_8d66, 0x627a_db8d_9faa_99e2, 0xa946_3bd5_d97b_5889, 0xb1b2_4a08_d03e_4450,
            0xf19b_380c_0c2b_9af2, 0x2722_5943_c475_77c7, 0xdbb5_504d_a65f_774e, 0xd8e8_0153_dc9d_71d6,
        ],
    ],
    [
        [
            0xdd50_16c3_7901_09a5, 0xcbfa_7d1b_0514_b124, 0xc35b_d2fc_284b_dcbe, 0x27b0_11e5_661f_ee67,
            0x44a0_d347_e872_f173, 0xd2b5_e0b8_f83e_6f53, 0x697e_ee98_a6be_042a, 0x59e3_b9a6_424b_686a,
        ],
        [
            0xf927_48d7_7629_c057, 0x5606_3f1c_e396_cfab, 0x7f16_c812_191a_dfec, 0x83bf_18af_1098_7909,
            0xde78_2cfd_ade7_9980, 0x41c6_d4cb_e485_4f97, 0xfdc9_8bfe_3724_684a, 0x7a19_9803_e43a_9295,
        ],
    ],
    [
        [
            0xfcc4_2dfa_a978_7ba5, 0x8b37_afc2_3e2b_8bbd, 0x52e0_8d84_e866_67d5, 0x443c_2001_b7e3_7af4,
            0x3226_da2e_2816_de96, 0xe7f7_d866_987e_f7ed, 0xcaa8_8bb1_4692_2f16, 0x53ca_795e_fd84_3970,
        ],
        [
            0xa153_89d8_d9dd_9a04, 0xb35c_9691_c9de_bd23, 0x9b53_56e9_1d08_be51, 0xc728_a3ff_ca5b_56a1,
            0x5c46_22e2_5a45_0c6a, 0x1d3c_0838_581c_96b9, 0xac8f_7185_c697_3979, 0x706d_dfad_2aeb_6c91,
        ],
    ],
    [
        [
            0x99f0_5e66_ef21_38e7, 0xc967_c7e0_9f5b_8d77, 0xb01e_5c6c_d343_4d00, 0x42b7_2800_44f2_0d40,
            0x4844_6bfa_283c_9d01, 0x52dc_dc2d_37ba_4ee7, 0xf583_62fe_1b35_f4c6, 0x25e9_a1dd_e599_478b,
        ],
        [
            0xc142_6eff_7b91_f8aa, 0xddc8_66f4_70fd_b6c5, 0xf172_cd60_4c91_2846, 0xf129_c49d_fcdd_3ebb,
            0x47cd_b728_3d89_477c, 0x332f_19ab_c517_fc6b, 0xe080_445b_d93d_1ae6, 0x59f7_7cc2_fb1f_a50b,
        ],
    ],
    [
        [
            0x815a_cf2b_71c2_06f5, 0x735d_de30_98e9_aedd, 0xd58f_37ec_ea75_71d9, 0xe986_97ab_ebe2_4454,
            0x662b_f4f9_9418_97c5, 0x4c59_760b_71c2_ebab, 0xeb5b_c3da_23eb_4bd1, 0xd1f1_1656_eb85_7389,
        ],
        [
            0x7fa2_8b56_7cf6_3297, 0x18aa_b865_4c1f_7de1, 0x467d_f2d6_691d_51c5, 0xd147_8088_a746_4cde,
            0x3b61_7a4c_e55c_301f, 0x5bba_e0ff_ffa2_eef7, 0x090b_1b72_fd19_db1c, 0xc850_93e3_704e_2144,
        ],
    ],
];

#[rustfmt::skip]
pub(super) const RPO: Constants<12> = [
    [
        [
            0x5059_5e24_6042_3080, 0x5a84_ce18_5f5b_ae97, 0xf729_73c2_3aa6_f9cb, 0x017c_a808_1f61_7c3c,
            0x58aa_35ad_e942_4046, 0xdbe1_6fa8_b27f_aecb, 0x8a6e_521e_04cc_3f3f, 0x2e6b_c556_8c88_1614,
            0x8a36_2633_0baa_9677, 0xb3dd_eacc_fbf5_a691, 0x8544_67ac_e60e_8a1b, 0xe72b_7a87_bed1_31f4,
        ],
        [
            0x5456_1062_7c0e_253f, 0xd405_0299_cc1d_7937, 0x4a5e_0fee_fb89_88e1, 0xc586_c831_8133_2146,
            0xbf69_1615_416d_26e5, 0xa130_1a47_1213_5881, 0xce60_a1a2_007b_bdae, 0x8cd5_c7eb_4e3b_7a2b,
            0x3ddb_f804_0326_e3f7, 0xd85d_99ae_231f_d27b, 0x8ba8_176a_640f_a5c7, 0xc510_d079_0d44_1656,
        ],
    ],
    [
        [
            0xb43b_c4a4_deb5_d7a5, 0x0913_5300_915c_4f81, 0x3da3_ed63_dae7_f669, 0x380a_98ac_c7db_7371,
            0x4de7_085b_5365_a926, 0xb781_7f19_1d43_2dd5, 0x2a28_4bb7_bfcb_3755, 0xe788_9f13_dd9b_ea2b,
            0x73b4_44df_687f_ed0b, 0x2cca_04f1_82db_3a00, 0x708e_51f9_a189_3e3a, 0x27db_abfd_dab5_9589,
        ],
        [
            0x5615_4cc2_3dc0_375c, 0xf580_00ef_967c_75f3, 0x31e4_02e2_b72c_1deb, 0x0530_b354_a02c_ccb7,
            0x1126_35e2_9826_1f0d, 0xc4af_bfd1_41f5_b352, 0x09d1_cdfd_29d8_7590, 0xd674_db73_e2d2_91ff,
            0x030c_ced0_1922_3fa2, 0xf816_c89c_b0be_2bd0, 0xf613_5fec_5026_4fd2, 0x2834_b20e_fce7_52b8,
        ],
    ],
    [
        [
            0xfacf_6ea8_cd7f_5ebf, 0x560e_4919_ef81_a7e9, 0xf563_6930_8450_0b1b, 0x9319_157e_04fa_6d58,
            0x0d87_e8db_62da_4d1a, 0x72b0_7b7d_0a30_60d1, 0x8bb0_c6ef_ce68_2ae2, 0x1e44_efc3_f951_c7b5,
            0x57ab_9282_afc2_8a97, 0x1372_eb1b_d827_429c, 0x7b4b_f8c7_6437_d9b6, 0xb556_f49d_65b5_affc,
        ],
        [
            0x6f58_c0a8_643b_651f, 0xd05b_57d2_3a80_df96, 0x3e3f_b288_55ba_eb0d, 0xad54_7620_3073_cf51,
            0x83d8_634a_9820_15b0, 0x1c81_4756_1adb_f416, 0xac5f_3488_c1ee_4e2a, 0x04f0_bbdd_f9fd_028b,
            0x7de3_771f_68fe_af14, 0xb12a_a71a_8096_d2d8, 0x7d89_c621_6fe0_8363, 0xb380_5512_5e76_c95a,
        ],
    ],
    [
        [
            0x4ec0_8822_d164_9af2, 0x4fec_612a_e8a2_0297, 0xc180_7db3_d406_eec9, 0x12c5_edbb_56d8_25e2,
            0xed76_2ceb_74d6_2145, 0x0dee_82fe_5a88_0aa6, 0x397a_e162_d2d8_27b3, 0x70b5_0c40_15e6_7d10,
            0xc675_a5e7_9671_61e9, 0xbe4b_9df1_676f_dba5, 0xec39_c511_47ca_6f4b, 0x56c3_e89e_2d94_dc42,
        ],
        [
            0xff33_b8d6_6ff1_c2c4, 0xe833_1207_b185_b3eb, 0x3d9e_cb3a_80a1_35f0, 0xeed0_b078_f2cf_1cea,
            0x7948_ecee_bc83_b020, 0xebee_e2b7_c12e_c72f, 0xbbcf_e0c6_3695_5337, 0x074a_9b1b_5c66_2c37,
            0xebbf_df02_e951_8234, 0x4bdd_ff91_d264_912e, 0xc967_b70b_e3bf_f877, 0x984b_52de_2f0e_a2ae,
        ],
    ],
    [
        [
            0x43d4_4740_17ee_f67a, 0x2a02_792d_f9c4_708c, 0x8528_a357_11d4_9dd3, 0x921c_fe7a_0d54_80ef,
            0x6d24_fd14_5d1a_cea7, 0xf354_4cec_7c8f_b490, 0x503c_812a_00ba_9267, 0xec41_ad6d_8ae8_801e,
            0x0185_96a3_2ae6_3fc7, 0x6359_a43c_0ec3_956d, 0x2902_8ad6_2f22_f702, 0x6729_e445_d0ce_55d9,
        ],
        [
            0x60e6_16ff_ff6d_6221, 0xc332_6eb1_c066_f68b, 0xe450_b290_06e2_a864, 0x6313_50b9_87e2_7ae7,
            0x7d11_141c_0755_e6d7, 0xcae3_4d92_dc29_f5c1, 0x135b_5f37_0979_e6d3, 0x4053_3906_04d1_5b1f,
            0xe110_0aa2_bedb_ac65, 0x95a1_6c73_8e50_183b, 0x5efb_96ea_7a0b_1962, 0x6757_3c0c_226b_f3d7,
        ],
    ],
    [
        [
            0xe254_ba7b_438c_b541, 0xa637_8971_bfbf_b3da, 0xadeb_7834_c155_923f, 0xca8b_77f9_9f83_4e42,
            0x6531_9f21_e977_97b8, 0x4c88_374b_5dd3_159d, 0x8b22_8fd2_4a33_7113, 0x6538_c386_d1e5_5bfd,
            0x5d60_9f3f_4a01_143c, 0x57e1_26a4_f4cf_409e, 0xb843_cef8_c2fa_f7e4, 0x2417_d2a2_7b45_b944,
        ],
        [
            0x33db_c0d5_d695_4218, 0x0804_f188_5d65_a6ed, 0x5cd7_a60a_805f_62dd, 0xc0b5_3529_a6f8_4a34,
            0xc743_a850_c9c4_3478, 0x6b78_b89a_3847_d5f4, 0xdfeb_4958_cce4_67db, 0xaa92_0eb9_1c6b_33a1,
            0xa75d_6b94_7c97_c6ec, 0xe45f_85a2_5b0b_6767, 0x3f71_2dd1_8a72_ba74, 0xeeb4_117d_f819_ac88,
        ],
    ],
    [
        [
            0x62da_3f97_91d3_ab16, 0x0e5a_3c77_9411_8cf2, 0x6b1b_386a_e880_f795, 0x29e5_e505_b3f5_a91a,
            0x9e42_6915_297d_f504, 0x8eab_f5c5_51ce_1736, 0x04ad_cf0e_c4e3_f6e2, 0xb909_bf5a_cd54_f805,
            0x31e8_1abb_ef89_ddf8, 0x7077_eea8_de2e_5d38, 0xc713_e626_1be1_babd, 0xec6e_a103_9669_e548,
        ],
        [
            0xedbb_6646_3142_ccad, 0x0736_a3c1_3b07_ede4, 0x8594_3c1b_27ad_eb26, 0x171a_e369_0f17_f576,
            0x69e1_b308_6dbd_2562, 0x305e_0ef3_9ce8_6971, 0x8763_e3e6_8d1c_072e, 0xd331_b927_7f5c_d123,
            0xe46f_d0dd_b6c1_d138, 0x85d6_41ec_b35b_eee3, 0x321e_1684_863d_6bc3, 0xfd5b_b083_0a60_d1dc,
        ],
    ],
];
