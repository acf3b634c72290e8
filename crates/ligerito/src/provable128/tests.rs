use super::*;
use crate as ligerito;
use crate::binary::tests::FromLimbs;
use crate::binary::{BinaryField, Gf32, Gf128, gf32s};
use crate::preset::OfSuite as _;
use crate::prove;
use crate::verify::verify_shape;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::threads::Inline;

fn polynomial(variables: u8) -> Vec<u32> {
    let mut random = phalanx_testing::Random::from_seed(u64::from(variables));
    (0..1usize << variables).map(|_| random.u32()).collect()
}

/// The value at a point, by the definition.
fn value(f: &[u32], point: &[Gf192]) -> Gf192 {
    let mut left: Vec<Gf192> = f.iter().map(|x| Gf32(*x).into()).collect();
    for z in point {
        left = left.as_chunks::<2>().0.iter().map(|[even, odd]| *even + *z * (*even + *odd)).collect();
    }
    left[0]
}

/// d, k, r, Q and g of a level.
type Numbers = (u8, u8, u8, u16, u8);

/// The shape with these levels.
fn test_shape(levels: &[Numbers]) -> hazmat::TestShape {
    let level = |&(log2_message, log2_columns, log2_inverse_rate, queries, grinding_bits)| Level {
        log2_message,
        log2_columns,
        log2_inverse_rate,
        queries,
        grinding_bits,
    };
    hazmat::TestShape::new(levels[0].0 + levels[0].1, levels.iter().map(level).collect()).expect("valid")
}

/// On every backend the same proof, which verifies; a wrong value, context, suite or byte does not.
#[test]
fn proofs_of_test_shapes() {
    let shapes: [&[Numbers]; 5] = [
        &[(1, 4, 3, 8, 0)],
        &[(5, 3, 2, 12, 0)],
        &[(6, 4, 1, 14, 2), (3, 3, 3, 12, 3)],
        &[(8, 4, 2, 14, 0), (4, 4, 3, 12, 2), (2, 2, 4, 12, 0)],
        // Rows of 64 elements are longer than the lanes of BLAKE3 take.
        &[(9, 2, 1, 14, 0), (3, 6, 2, 9, 0)],
    ];
    for levels in shapes {
        let test_shape = test_shape(levels);
        let shape = test_shape.shape();
        let f = polynomial(shape.variables());
        let points = [
            Gf192::mixture(shape.variables().into(), 7),
            vec![Gf192::ONE; shape.variables().into()],
            Gf192::borders()[40..40 + usize::from(shape.variables())].to_vec(),
        ];
        let points: Vec<&[Gf192]> = points.iter().map(|point| &**point).collect();
        let mut openings = Vec::new();
        for backend in phalanx_testing::backends() {
            let work = || {
                let data = test_shape.commit_on(&Inline, &f).expect("a length of the shape");
                let opening = data.open(&points, b"context").expect("points of the shape");
                let claims: Vec<EvaluationClaim<'_>> = points
                    .iter()
                    .zip(&opening.values)
                    .map(|(point, value)| EvaluationClaim { point, value: *value })
                    .collect();
                let verify = |suite: &str, claims: &[EvaluationClaim<'_>], proof: &[u8], context: &[u8]| {
                    test_shape.verify(suite, &data.root(), claims, proof, context)
                };
                assert!(opening.proof.len() <= shape.max_proof_len_bytes());
                assert_eq!(verify(hazmat::SUITE, &claims, &opening.proof, b"context"), Ok(()));
                assert!(verify(SUITE, &claims, &opening.proof, b"context").is_err());
                assert!(verify(hazmat::SUITE, &claims, &opening.proof, b"contexT").is_err());
                for claim in 0..claims.len() {
                    let mut wrong = claims.clone();
                    wrong[claim].value += Gf192([0, 0, 1 << 63]);
                    assert!(verify(hazmat::SUITE, &wrong, &opening.proof, b"context").is_err());
                }
                for place in (0..opening.proof.len()).step_by(1 + opening.proof.len() / 300) {
                    let mut proof = opening.proof.clone();
                    proof[place] ^= 0x10;
                    assert!(verify(hazmat::SUITE, &claims, &proof, b"context").is_err(), "byte {place}");
                }
                openings.push(opening);
            };
            backend.force(work).expect("available");
        }
        let values: Vec<_> = points.iter().map(|point| value(&f, point)).collect();
        assert_eq!(openings[0].values, values);
        assert!(openings.iter().all(|opening| *opening == openings[0]));
    }
}

/// The length of a commitment is that of the other suite, and nothing else of it is.
#[test]
fn suites_are_not_taken_for_each_other() {
    let f = polynomial(10);
    let (of_128, data_128) = commit(Preset::Balanced, &f).expect("registered");
    let (of_100, data_100) = ligerito::commit(ligerito::Preset::Balanced, &f).expect("registered");
    assert_eq!((of_128.to_bytes()[0], of_100.to_bytes()[0]), (3, 1));
    assert_eq!(Commitment::from_bytes(&of_128.to_bytes()), Ok(of_128));
    // Neither parses as one of the other suite.
    assert!(ligerito::Commitment::from_bytes(&of_128.to_bytes()).is_err());
    assert!(Commitment::from_bytes(&of_100.to_bytes()).is_err());
    for code in [0, 1, 2, 4, 255] {
        let mut bytes = of_128.to_bytes();
        bytes[0] = code;
        assert!(Commitment::from_bytes(&bytes).is_err(), "{code}");
    }
    // Relabelled, they do not verify, with points and values that are the same in both fields.
    let relabelled_as_128 = Commitment::new(Preset::Balanced, 10, *of_100.root());
    let relabelled_as_100 = ligerito::Commitment::new(ligerito::Preset::Balanced, 10, *of_128.root());
    let (wide, narrow) = (vec![Gf192::ZERO; 10], vec![Gf128(0); 10]);
    let proof_128 = data_128.open(&[&wide], b"").expect("a point").proof;
    let proof_100 = data_100.open(&[&narrow], b"").expect("a point").proof;
    let claim_128 = [EvaluationClaim { point: &wide, value: Gf32(f[0]).into() }];
    let claim_100 = [ligerito::EvaluationClaim { point: &narrow, value: Gf32(f[0]).into() }];
    let accepted_128 = Accepted::exactly(Preset::Balanced, 10);
    let accepted_100 = ligerito::Accepted::up_to(&ligerito::Preset::ALL, 30);
    assert_eq!(verify(&accepted_128, &of_128, &claim_128, &proof_128, b""), Ok(()));
    assert_eq!(ligerito::verify(&accepted_100, &of_100, &claim_100, &proof_100, b""), Ok(()));
    for proof in [&proof_100, &proof_128] {
        assert!(verify(&accepted_128, &relabelled_as_128, &claim_128, proof, b"").is_err());
        assert!(ligerito::verify(&accepted_100, &relabelled_as_100, &claim_100, proof, b"").is_err());
    }
}

/// A shape knows the field of its challenges, and so do the prover and the verifier below the public functions.
#[test]
fn shapes_of_the_other_suite_are_refused() {
    let levels = Preset::Balanced.shape(10).expect("registered").levels().to_vec();
    let wide = hazmat::TestShape::new(10, levels.clone()).expect("valid").shape().clone();
    let narrow = ligerito::hazmat::TestShape::new(10, levels).expect("valid").shape().clone();
    assert_eq!((wide.challenge_len_bytes(), narrow.challenge_len_bytes()), (24, 16));
    assert_ne!(wide, narrow);
    assert_eq!(wide.to_bytes(), narrow.to_bytes());
    let f = polynomial(10);
    let commit = prove::ProverData::<Gf192>::commit;
    let names = Preset::Balanced.names();
    let data = commit(&Inline, names, narrow.clone(), gf32s(&f).into(), &|_, _| ());
    assert_eq!(data.err(), Some(Error::InvalidShape));
    let claim = [EvaluationClaim { point: &[Gf192::ZERO; 10], value: Gf192::ZERO }];
    let verified = verify_shape(&PROVABLE128, hazmat::SUITE, &narrow, &[0; 32], &claim, &[], b"");
    assert_eq!(verified, Err(ProofError::UnacceptedParams));
    let claim = [ligerito::EvaluationClaim { point: &[Gf128(0); 10], value: Gf128(0) }];
    let verified = verify_shape(&PROVABLE128, hazmat::SUITE, &wide, &[0; 32], &claim, &[], b"");
    assert_eq!(verified, Err(ProofError::UnacceptedParams));
}

#[test]
fn what_a_verifier_accepts() {
    let commitment = |variables| Commitment::new(Preset::Balanced, variables, [0; 32]);
    let refused = Err(ProofError::UnacceptedParams);
    let exactly = Accepted::exactly(Preset::Balanced, 12);
    assert_eq!(exactly.shape(&commitment(12)), Ok(Preset::Balanced.shape(12).expect("registered")));
    assert_eq!(exactly.shape(&commitment(11)), refused);
    assert_eq!(exactly.shape(&commitment(13)), refused);
    let up_to = Accepted::up_to(&[Preset::Balanced], 12);
    assert!(up_to.shape(&commitment(10)).is_ok());
    assert_eq!(up_to.shape(&commitment(9)), refused);
    assert_eq!(up_to.shape(&commitment(13)), refused);
    assert_eq!(Accepted::up_to(&[], 30).shape(&commitment(12)), refused);
    assert_eq!(Accepted::up_to(&Preset::ALL, 255).shape(&commitment(31)), refused);
}
