//! Value stability: the draws of fixed addresses, bit for bit, at every level that the processor has.
//!
//! If one of these tests fails, every recorded result of the project changes with it: that must be meant, said,
//! and recorded again. `cargo test -p epsweep-core --test stability -- --nocapture` prints the new values where
//! they differ.

use epsweep_core::random::{Draws, Level, Source, StandardLaw};

const SEED: u64 = 42;
const PURPOSE: &str = "stability";
const ROW: usize = 3;
const CHUNK: u64 = 5;
const TRIAL: usize = 7;
const CHUNK_LEN: usize = 4096;

/// What a law gives at these addresses.
struct Recorded {
    law: StandardLaw,
    /// The bits of the first sixteen variates of the row.
    first: [u64; 16],
    /// BLAKE3 of the row (bits, little-endian).
    row: &'static str,
    /// BLAKE3 of the first 1000 variates of the trial's stream.
    trial: &'static str,
}

fn digest(values: &[f64]) -> String {
    let mut hasher = blake3::Hasher::new();
    for value in values {
        hasher.update(&value.to_bits().to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[test]
fn every_law_is_recorded() {
    let laws: Vec<_> = RECORDED.iter().map(|recorded| recorded.law).collect();
    assert_eq!(laws, StandardLaw::ALL);
}

#[test]
fn draws_have_the_recorded_bits_at_every_level() {
    let mut same = true;
    for recorded in RECORDED {
        for level in Level::available() {
            let law = recorded.law;
            let mut draws = Draws::with_level(
                level,
                SEED,
                CHUNK_LEN,
                &[Source::new(PURPOSE, law, ROW + 1)],
            );
            draws.go_to(CHUNK);
            let row = draws.row(0, ROW);
            let first: [u64; 16] = core::array::from_fn(|i| row[i].to_bits());
            let mut stream = [0.0; 1000];
            draws.trial(0, TRIAL).fill(&mut stream);
            let (row, trial) = (digest(row), digest(&stream));
            if first != recorded.first || row != recorded.row || trial != recorded.trial {
                same = false;
                eprintln!("// {}", level.name());
                eprintln!(
                    "Recorded {{ law: StandardLaw::{law:?}, first: {first:#018x?}, row: \"{row}\", trial: \"{trial}\" }},"
                );
            }
        }
    }
    assert!(same, "the draws have changed: see above");
}

const RECORDED: &[Recorded] = &[
    Recorded {
        law: StandardLaw::Exponential,
        first: [
            0x3faa_3487_c33c_0a9c,
            0x3ff8_9761_8274_1d7d,
            0x3fe2_7e7e_aaa1_1a81,
            0x3fac_b251_af8f_cb82,
            0x3fd0_c0c4_9c78_249d,
            0x3ff5_42e8_b417_f6dd,
            0x3fcc_b420_2189_79b5,
            0x3fd8_cf74_ca1f_cc76,
            0x3ff1_3246_be20_f558,
            0x3ff6_1c28_1d33_99d4,
            0x3ff3_ca9e_614a_6858,
            0x4011_a50d_2387_ca9a,
            0x3ff8_b2d5_c10d_50d0,
            0x4010_9574_ca35_e1b7,
            0x3fe1_3760_bfec_2d21,
            0x3fe8_5d8d_b417_d8a5,
        ],
        row: "8c32106ff1d04262ee9a4b422f53ecb6e52b44e949be24cd885d46f2ffb416ab",
        trial: "ed72261a47f18ddc86e0d07d3f8c026420536ea13f86d5b35c45a01333664db5",
    },
    Recorded {
        law: StandardLaw::Laplace,
        first: [
            0x3fe2_b316_e0e3_2867,
            0x4009_67f1_0033_99b4,
            0xbfe0_8b00_dec6_58bb,
            0xbfef_59a3_104f_97e1,
            0xbfe6_ef32_8f61_ee85,
            0xbff3_1bc7_9f09_1018,
            0xbff1_f38e_7a5f_38a7,
            0xbffa_5319_60b5_d8cd,
            0x3ff4_a5e8_e1ff_4f12,
            0x3fe7_cb82_7bc9_fafc,
            0x3fee_16bb_b3e6_ad9c,
            0x4002_b661_a2fc_ca93,
            0x3ff7_e453_5325_f0d5,
            0xbff5_74ff_9acc_a09d,
            0xbfe4_ee28_ac96_8dfa,
            0xc008_2be5_54c1_b626,
        ],
        row: "835bdc8d2870230b185a11247b519a701331cf494995ed07e5691141e94f301e",
        trial: "9ff5b978b7177248ec3f8a995f1d61602015f4ea77f8358fd710b457bbdfe477",
    },
    Recorded {
        law: StandardLaw::Normal,
        first: [
            0xbff6_205b_54b2_28a7,
            0xc000_ac1c_3911_9108,
            0xbff4_1934_1ab8_2864,
            0xbfc6_399e_92c6_6951,
            0x3fe8_335b_9a5b_cecc,
            0xbfd0_aa98_3841_7506,
            0xbfd0_b39c_0f0f_2234,
            0xbff0_9c23_08f3_313f,
            0xbf9a_8d71_7750_bf06,
            0x3fe0_89e8_b3b9_a9d2,
            0x4003_894f_0030_d749,
            0xbff0_4276_aa8b_dbe9,
            0xbff1_27e6_f2eb_3174,
            0x3f90_2500_fcf8_b328,
            0x3fe5_8a87_86d5_e81b,
            0x3fc8_4d20_511c_5a27,
        ],
        row: "733f312a8a41c37047bd823edfe2bf2d6c10e9d82124f666df10e36bdf71a2b1",
        trial: "8dc3596af9bb7261237e0153e347b24c9aab9a9eed8b99151552bb5205870ad8",
    },
    Recorded {
        law: StandardLaw::Gumbel,
        first: [
            0xbfb9_eeab_392a_a6d2,
            0x3f97_af3d_3049_2167,
            0x3ffa_b354_3fad_46df,
            0xbfcd_a29f_92f9_8b73,
            0xbfdb_c6a0_92b0_2046,
            0xbf92_4146_3c30_a586,
            0xbfd2_74c5_c7c0_a754,
            0x3fea_435e_c3b9_cce0,
            0x3fce_d0b1_de1d_fbdc,
            0x3fd6_0195_7020_6cdb,
            0x3fc2_e9f5_41fc_58df,
            0x3fe0_5649_35fc_1d83,
            0x3fea_71e2_c196_8c41,
            0x4005_5249_f2d2_1851,
            0x3f99_32a0_3b91_9eff,
            0x3ff2_48ef_5ab4_9797,
        ],
        row: "cd75b81f7391d49d6a00ec1311f166038a8d65cc7dd962d7d5a590df93cb51fa",
        trial: "c16a17c1e09e0dcc9a74db338d7d4103f9e8c0d41ab96261219aa2999543e18a",
    },
    Recorded {
        law: StandardLaw::Uniform,
        first: [
            0x3fef_232f_ff81_649f,
            0x3fec_ce76_0fa8_5f27,
            0x3fd3_cc06_0536_2486,
            0x3fe9_8a18_3ff3_9d5f,
            0x3fdb_b341_e0b2_ccda,
            0x3fed_9913_bc50_841f,
            0x3fd7_ddc1_741e_14d2,
            0x3fd8_51c7_e259_8116,
            0x3fb4_540a_43f8_1508,
            0x3fc0_bdf2_aaff_0bb4,
            0x3fb4_c807_2bd8_1138,
            0x3fbd_c100_ea0e_ced8,
            0x3fe0_afba_5e02_5731,
            0x3fc9_5e2d_e3b2_337c,
            0x3fdd_546b_ac42_9846,
            0x3fd6_8995_eac3_0fca,
        ],
        row: "f8249a136ba8f8c7d9c04114ab4e510fce4e30afaf298488c8b2ed618222c637",
        trial: "a1bde14a5335e406bdd2340f8d03c37a94a05b14cefd7e4f5aa9d2d4a2bb0aec",
    },
    Recorded {
        law: StandardLaw::Bits,
        first: [
            0xd883_e2ae_f990_fe66,
            0x500d_2b18_3786_d0ae,
            0x72ce_ada2_2b21_567b,
            0xb06d_78fc_2cc8_f2b1,
            0x8b0a_8906_bf96_317c,
            0x6c3e_4fd8_82d8_9196,
            0x4db0_2573_d4ab_ab6e,
            0xbcdf_924a_0276_d5d7,
            0xf0bb_cd4a_da5f_70e5,
            0xf7c9_1884_4da8_81a7,
            0x61e5_ef6a_7751_2a8d,
            0x298b_0277_022f_6bf3,
            0xc8be_649f_e11d_8597,
            0x433b_2735_649c_1e17,
            0x9819_79b6_cd7b_7865,
            0x83a3_14c5_2e56_91ad,
        ],
        row: "f78c27d62960cb5f7261d7e32b840dcb1961ce558c8fe4c333b635444a846183",
        trial: "dd91997da7a440611866408a34b828be5b54f04b3ac5f0a8fbc9dcce94c52cd8",
    },
];
