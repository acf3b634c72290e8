//! Ligerito: what is refused before anything is proved or read. Shapes outside the rules, inputs of the wrong length,
//! and what belongs to the other suite.
use crate::support::{Fast, Suite, for_every_suite, plain_shape, point, shape};
use phalanx_ligerito::Inline;
use phalanx_ligerito::{self as ligerito, Commitment, Error, Preset, johnson128, provable128};
use phalanx_reference::ligerito as plain;
use phalanx_testing::Random;

for_every_suite!(shapes_outside_the_rules_are_refused, wrong_inputs_of_the_prover);

/// Presets have numbers of their own, and hashes keys of their own.
#[test]
fn suites_do_not_meet() {
    for code in 0..=255 {
        let mut bytes = [&[code, 10], &[0; 32][..]].concat();
        assert_eq!(Commitment::from_bytes(&bytes).is_ok(), [1, 2].contains(&code), "{code}");
        assert_eq!(provable128::Commitment::from_bytes(&bytes).is_ok(), code == 3, "{code}");
        assert!(johnson128::Commitment::from_bytes(&bytes).is_err(), "no sample");
        bytes.resize(58, 0xff);
        assert_eq!(johnson128::Commitment::from_bytes(&bytes).is_ok(), code == 4, "{code}");
        assert!(
            provable128::Commitment::from_bytes(&bytes).is_err() && Commitment::from_bytes(&bytes).is_err()
        );
    }
    // Hashes of one suite are not those of the other, so neither are roots.
    let (commitment, _) = ligerito::commit(Preset::Balanced, &[7; 1024]).expect("registered");
    let (other, _) = provable128::commit(provable128::Preset::Balanced, &[7; 1024]).expect("registered");
    assert_ne!(commitment.root(), other.root());
}

/// Shapes outside the rules. Among them: a domain with more points than the small field has elements, or than a
/// position has bits.
fn shapes_outside_the_rules_are_refused<N: Suite>() {
    let level = |d, k, r, queries, grind| ligerito::Level {
        log2_message: d,
        log2_columns: k,
        log2_inverse_rate: r,
        queries,
        grinding_bits: grind,
    };
    assert!(N::shape(30, vec![level(24, 6, 8, 100, 0)]).is_ok());
    for too_large in [level(25, 5, 8, 100, 0), level(28, 2, 5, 100, 0), level(29, 1, 4, 100, 0)] {
        assert_eq!(N::shape(30, vec![too_large]), Err(Error::InvalidShape));
    }

    let mut random = Random::new();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut left = random.within(0..33);
        let variables = u8::try_from(left).expect("small");
        let mut levels = Vec::new();
        for _ in 0..random.within(0..4) {
            let byte = |x: u64| u8::try_from(x & 0xff).expect("a byte");
            let k = random.within(1..9).min(left);
            let (d, r) = (left - k, random.within(0..10));
            let half = 1u64 << (d + r).clamp(1, 40) >> 1;
            let queries = [0, 1, half - 1, half, half + 1, 65535][usize::from(random.u8() % 6)].min(65535);
            let queries = u16::try_from(queries).expect("16 bits");
            let grind = if random.u8() < 8 { random.u8() } else { byte(random.within(0..33)) };
            // A chain that breaks now and then.
            let d = if random.u8() < 8 { random.u8() } else { byte(d) };
            levels.push((d, byte(k), byte(r), queries, grind));
            left = u64::from(d);
        }
        let plain_levels: Vec<_> = levels
            .iter()
            .map(|&(d, k, r, queries, grind)| plain::Level { d, k, r, queries, grind })
            .collect();
        let fast_levels = levels.iter().map(|&(d, k, r, q, g)| level(d, k, r, q, g)).collect();
        let wanted = plain::Shape::<N>::test(variables, &plain_levels);
        let got = N::shape(variables, fast_levels);
        assert_eq!(got.is_ok(), wanted.is_ok(), "{variables} {levels:?}");
        if let (Ok(got), Ok(wanted)) = (got, wanted) {
            let got = got.shape();
            assert_eq!(got.to_bytes(), wanted.params_bytes());
            assert_eq!(got.max_proof_len_bytes() as u64, wanted.max_len());
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} and {refused}");
}

/// Mistakes of the caller who commits or opens.
fn wrong_inputs_of_the_prover<N: Suite>() {
    for len in [0, 1, 512, 1023, 1025] {
        for &(_, preset) in N::PRESETS {
            let f = vec![0; len];
            let refused = N::commit_registered(&Inline, preset, &f).err();
            assert_eq!(refused, Some(Error::PolynomialLength { got: len }));
        }
    }
    let small = plain_shape::<N>(&[(4, 2, 2, 6, 0)]);
    let refused = N::commit(&Inline, &shape(&small), &[0; 32]).err();
    assert_eq!(refused, Some(Error::PolynomialLength { got: 32 }));
    let data = N::commit(&Inline, &shape(&small), &[0; 64]).expect("a length of the shape");
    let z = point(&[N::default(); 7]);
    let open = |points: &[&[Fast<N>]]| data.open(points, b"").map(|opening| opening.values.len());
    assert_eq!(open(&[]), Err(Error::NoClaims));
    assert_eq!(open(&[&z[..6], &z[..5]]), Err(Error::PointLength { claim: 1, got: 5, wanted: 6 }));
    assert_eq!(open(&[&z]), Err(Error::PointLength { claim: 0, got: 7, wanted: 6 }));
    assert_eq!(open(&vec![&z[..0]; 65537]), Err(Error::TooManyClaims { got: 65537 }));
    assert_eq!(open(&[&z[..6]; 3]), Ok(3));
}
