//! Known answers of the scalar engine, then one test body for every engine: edge states and random states against it.

use super::{Engine, MAX_LANES, Version, portable, with_engine};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_testing::isas;

/// Permutes `states` (all of one width) through `engine`, `LANES` at a time, the last group padded with zeros.
fn permute_all<E: Engine>(engine: E, version: Version, states: &[Vec<KoalaBear>]) -> Vec<Vec<KoalaBear>> {
    let mut out = Vec::new();
    for group in states.chunks(E::LANES) {
        let width = group[0].len();
        let words: Vec<E::Word> = (0..width)
            .map(|i| {
                let mut lanes = [KoalaBear::ZERO; MAX_LANES];
                group.iter().enumerate().for_each(|(lane, state)| lanes[lane] = state[i]);
                engine.load(&lanes[..E::LANES])
            })
            .collect();
        let permuted: Vec<E::Word> = if width == 16 {
            let mut state: [E::Word; 16] = words.try_into().unwrap_or_else(|_| panic!("16 words"));
            engine.permute16(version, &mut state);
            state.to_vec()
        } else {
            let mut state: [E::Word; 24] = words.try_into().unwrap_or_else(|_| panic!("24 words"));
            engine.permute24(version, &mut state);
            state.to_vec()
        };
        let mut lanes = [KoalaBear::ZERO; MAX_LANES];
        let mut results: Vec<Vec<KoalaBear>> = (0..group.len()).map(|_| Vec::new()).collect();
        for word in &permuted {
            engine.store(word, &mut lanes[..E::LANES]);
            results.iter_mut().enumerate().for_each(|(lane, state)| state.push(lanes[lane]));
        }
        out.extend(results);
    }
    out
}

/// Permutes `states` by the engine of `isa` and by its engine for one instance.
fn permute_both_ways(
    isa: Isa,
    version: Version,
    states: &[Vec<KoalaBear>],
) -> [(&'static str, Vec<Vec<KoalaBear>>); 2] {
    with_engine!(isa, engine => [
        ("lanes", permute_all(engine, version, states)),
        ("single", permute_all(engine.single(), version, states)),
    ])
}

fn show(state: &[KoalaBear]) -> String {
    format!("{:?}", state.iter().map(|x| x.canonical()).collect::<Vec<_>>())
}

/// The first four words that the permutations make of 0, 1, 2, ...: from `vectors/xmss/poseidon*.primitives.json`, all
/// of which `cargo xtask vectors` runs.
const ANSWERS: [(Version, usize, [u32; 4]); 4] = [
    (Version::One, 16, [610090613, 935319874, 1893335292, 796792199]),
    (Version::One, 24, [511672087, 215882318, 237782537, 740528428]),
    (Version::Two, 16, [2089692522, 1915416326, 492489469, 252860357]),
    (Version::Two, 24, [1066957349, 1187481218, 1896457856, 2097200787]),
];

#[test]
fn known_answers_of_the_scalar_engine() {
    for (version, width, wanted) in ANSWERS {
        let input: Vec<_> = (0..).take(width).map(KoalaBear::new).collect();
        let got = permute_all(portable::Scalar, version, &[input]);
        assert_eq!(got[0].iter().take(4).map(|x| x.canonical()).collect::<Vec<_>>(), wanted);
    }
}

/// Edge states, their mixtures, then random ones.
fn states(width: usize, count: usize) -> Vec<Vec<KoalaBear>> {
    let edges = [0, 1, 2, P - 1, P - 2, P / 2, P / 2 + 1, 0x00ff_ffff, 0x0100_0000, 0x7e00_0001, 0x0200_0000];
    let mut states: Vec<Vec<KoalaBear>> = Vec::new();
    // Both as canonical residues and as Montgomery words: the extremes of either form are edges of some engine.
    for &e in &edges {
        states.push(alloc::vec![KoalaBear::new(e); width]);
        states.push(alloc::vec![KoalaBear::from_reduced_montgomery(e); width]);
    }
    let mut random = phalanx_testing::Random::from_seed(1);
    for _ in 0..count {
        let mixed = (0..width).map(|_| {
            let pick = random.below(edges.len() * 2);
            let e = edges.get(pick).copied().unwrap_or_else(|| random.u32() % P);
            KoalaBear::from_reduced_montgomery(e)
        });
        states.push(mixed.collect());
        states.push((0..width).map(|_| KoalaBear::new(random.u32())).collect());
    }
    states
}

#[test]
fn every_backend_equals_the_scalar_engine() {
    for version in [Version::One, Version::Two] {
        for width in [16, 24] {
            let states = states(width, 500);
            let wanted = permute_all(portable::Scalar, version, &states);
            for isa in isas() {
                for (kind, got) in permute_both_ways(isa, version, &states) {
                    for ((input, got), wanted) in states.iter().zip(&got).zip(&wanted) {
                        let (backend, input) = (isa.backend().name(), show(input));
                        assert!(got == wanted, "{version:?} {width} {backend} {kind}: {input} differs");
                    }
                }
            }
        }
    }
}

/// Words that were added up as often as the contract of [`Engine`] allows still permute correctly.
fn lazily_summed<E: Engine>(engine: E, version: Version) {
    let big = KoalaBear::from_reduced_montgomery(P - 1);
    let word = engine.splat(big);
    let mut sum = word;
    let mut plain = big;
    for _ in 0..31 {
        sum = engine.add(&sum, &word);
        plain = plain.add(big);
    }
    let mut lanes = [KoalaBear::ZERO; MAX_LANES];
    let mut wide = [sum; 24];
    engine.permute24(version, &mut wide);
    let mut wanted = [plain; 24];
    portable::Scalar.permute24(version, &mut wanted);
    for (got, wanted) in wide.iter().zip(wanted) {
        engine.store(got, &mut lanes[..E::LANES]);
        assert!(lanes[..E::LANES].iter().all(|&lane| lane == wanted), "{version:?} width 24");
    }
    let mut wanted = [plain; 16];
    portable::Scalar.permute16(version, &mut wanted);
    for (i, got) in engine.compress16(version, &[sum; 16]).iter().enumerate() {
        engine.store(got, &mut lanes[..E::LANES]);
        let wanted = wanted[i].add(plain);
        assert!(lanes[..E::LANES].iter().all(|&lane| lane == wanted), "{version:?} width 16");
    }
}

#[test]
fn lazily_summed_words_on_every_backend() {
    for isa in isas() {
        for version in [Version::One, Version::Two] {
            with_engine!(isa, engine => lazily_summed(engine, version));
            with_engine!(isa, engine => lazily_summed(engine.single(), version));
        }
    }
}

/// Conversions into words: digits and 128-bit integers, per lane.
fn conversions<E: Engine>(engine: E) {
    let edges =
        [0u64, 1, u64::from(P) - 1, u64::from(P), u64::from(P) + 1, 1 << 32, (1 << 60) - 1, 0x1234_5678_9abc];
    let p2 = u64::from(P) * (u64::from(P) >> 3);
    let edges: Vec<u64> = edges.into_iter().chain([p2 - 1, p2, p2 + 1]).collect();
    let mut lanes = [KoalaBear::ZERO; MAX_LANES];
    for shift in 0..edges.len() {
        let n: Vec<u64> = (0..E::LANES).map(|lane| edges[(lane + shift) % edges.len()]).collect();
        for (digit, word) in engine.two_digits(&n).iter().enumerate() {
            engine.store(word, &mut lanes[..E::LANES]);
            for (&n, got) in n.iter().zip(lanes) {
                assert!(got == KoalaBear::digits::<2>(u128::from(n))[digit], "digit {digit} of {n}");
            }
        }
        let high: Vec<u64> = n.iter().map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::MAX).collect();
        engine.store(&engine.from_u128(&high, &n), &mut lanes[..E::LANES]);
        for ((&high, &low), got) in high.iter().zip(&n).zip(lanes) {
            assert!(got == KoalaBear::from_u128_parts(high, low), "{high} {low}");
        }
        let word = engine.load(&(0..E::LANES).map(|i| KoalaBear::from_u64(n[i])).collect::<Vec<_>>());
        let zero = engine.splat(KoalaBear::ZERO);
        engine.store(&engine.select(0b1010_0101_1010_0101, &word, &zero), &mut lanes[..E::LANES]);
        for (i, &n) in n.iter().enumerate() {
            let kept = 0b1010_0101_1010_0101u32 >> i & 1 == 1;
            assert!(lanes[i] == if kept { KoalaBear::from_u64(n) } else { KoalaBear::ZERO }, "lane {i}");
        }
    }
}

#[test]
fn conversions_on_every_backend() {
    for isa in isas() {
        with_engine!(isa, engine => conversions(engine));
        with_engine!(isa, engine => conversions(engine.single()));
    }
}
