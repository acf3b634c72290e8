//! Ligerito, negatives: every check of the verifier has a proof that dies only by it, and every message that is bound
//! has a forgery that needs it unbound.
//!
//! "Only by it" is not taken on trust: the plain verifier, with that one step left out, accepts each forgery. So
//! deleting the step from the library turns its test red.
use crate::support::{Suite, for_every_suite, name, plain_shape, point, random_point, shape, verify};
use phalanx_ligerito::Inline;
use phalanx_ligerito::{
    self as ligerito, Accepted, Commitment, EvaluationClaim, Gf128, Preset, ProofError, provable128,
};
use phalanx_reference::ligerito as plain;
use phalanx_testing::{Random, on_every_backend};
use plain::Omission::{self, Absorb, Check, Induced, Nothing};
use plain::dishonest::{
    Forgery, Honest, LateMessage, Lies, NoWork, OtherMessage, Unbound, UnboundCommitment, UnboundFinal,
    UnboundPoint, UnboundRound, UnboundValue, prove,
};

for_every_suite!(
    each on every backend,
    the_honest_prover_is_believed,
    v1_no_claims,
    v2_too_many_claims,
    v3_points_of_another_length,
    v4_longer_than_any_proof,
    v4_shorter_than_its_content,
    v5_no_work,
    v6_another_polynomial,
    v6_another_vector_under_a_later_root,
    v7_another_final_vector,
    v8_a_wrong_value,
    v8_another_vector_at_a_later_level,
    v9_a_byte_more,
    a_random_matrix_instead_of_a_polynomial,
    unbound_values,
    unbound_points,
    an_unbound_commitment,
    unbound_round_messages,
    unbound_later_roots,
    an_unbound_final_vector,
    an_unbound_context,
    an_unbound_suite,
    unbound_shapes_claim_counts_and_nonces,
    proofs_of_the_test_suite_are_not_proofs,
    challenges_are_from_the_whole_field,
);

/// A committed polynomial and true claims about it.
struct Setting<N> {
    shape: plain::Shape<N>,
    committed: plain::Committed<N>,
    claims: Vec<plain::Claim<N>>,
}

impl<N: Suite> Setting<N> {
    fn new(random: &mut Random, shape: plain::Shape<N>, count: usize) -> Self {
        let f: Vec<u32> = (0..1 << shape.mu()).map(|_| random.u32()).collect();
        let committed = plain::commit(&shape, &f).expect("a length of the shape");
        let claim = |point: Vec<N>| {
            let value = plain::evaluate(&committed.polynomial, &point);
            plain::Claim { point, value }
        };
        let claims = (0..count).map(|_| claim(random_point(random, shape.mu()))).collect();
        Self { shape, committed, claims }
    }

    /// The last of the claims made false.
    fn false_claims(&self) -> Vec<plain::Claim<N>> {
        let mut claims = self.claims.clone();
        claims.last_mut().expect("claims").value ^= N::one();
        claims
    }

    fn prove(&self, claims: &[plain::Claim<N>], lies: &mut dyn Lies<N>) -> Forgery<N> {
        let (v, matrix) = (&self.committed.polynomial, &self.committed.matrix);
        prove(&self.shape, v, matrix, self.committed.root(), claims, b"context", lies)
    }

    fn is_false(&self, claims: &[plain::Claim<N>]) -> bool {
        let wrong = |claim: &plain::Claim<N>| {
            plain::evaluate(&self.committed.polynomial, &claim.point) != claim.value
        };
        claims.iter().any(wrong)
    }
}

/// One level, three levels, three levels with proof of work, four levels, and registered ones.
fn settings<N: Suite>(count: usize) -> Vec<Setting<N>> {
    let mut random = Random::new();
    let mut shapes = vec![
        plain_shape(&[(6, 3, 2, 10, 0)]),
        plain_shape(&[(6, 2, 2, 6, 0), (4, 2, 3, 6, 0), (3, 1, 3, 4, 0)]),
        plain_shape(&[(6, 2, 2, 6, 5), (4, 2, 3, 6, 4), (3, 1, 3, 4, 3)]),
        plain_shape(&[(6, 1, 2, 9, 0), (5, 1, 2, 6, 3), (4, 1, 3, 5, 0), (3, 1, 4, 5, 0)]),
    ];
    shapes.extend(N::PRESETS.iter().map(|(code, _)| plain::registered(*code, 10).expect("registered")));
    shapes.into_iter().map(|shape| Setting::new(&mut random, shape, count)).collect()
}

fn judge<N: Suite>(forgery: &Forgery<N>) -> Result<(), ProofError> {
    verify(&forgery.shape, &forgery.root, &forgery.claims, &forgery.proof, &forgery.context)
}

/// The forgery defeats the verifier with `omission`; the whole one refuses it, with this error on every backend.
fn dies<N: Suite>(forgery: &Forgery<N>, omission: Omission, error: plain::Error, wanted: ProofError) {
    let levels = forgery.shape.levels();
    assert_eq!(forgery.without(omission), Ok(()), "{omission:?} is not what refuses it: {levels:?}");
    assert_eq!(forgery.without(Nothing), Err(error), "{levels:?}");
    on_every_backend(|_| assert_eq!(judge(forgery), Err(wanted), "{levels:?}"));
}

/// The same, where chance decides which check refuses it, since all challenges are others than the prover's.
fn is_bound<N: Suite>(forgery: &Forgery<N>, omission: Omission) {
    let levels = forgery.shape.levels();
    assert_eq!(forgery.without(omission), Ok(()), "{omission:?} is not what refuses it: {levels:?}");
    let error = forgery.without(Nothing).expect_err("the whole verifier refuses it");
    on_every_backend(|_| {
        let refused = judge(forgery).expect_err("the library refuses it");
        assert_eq!(refused.name(), name(error), "{levels:?}");
    });
}

/// Without lies, the prover that the forgeries are built on is accepted.
fn the_honest_prover_is_believed<N: Suite>() {
    for setting in settings::<N>(3) {
        let forgery = setting.prove(&setting.claims, &mut Honest);
        assert_eq!(forgery.without(Nothing), Ok(()));
        on_every_backend(|_| assert_eq!(judge(&forgery), Ok(())));
    }
}

/// V0: the verifier's policy, before anything the prover says about size and preset is used.
#[test]
fn v0_what_the_verifier_did_not_ask_for() {
    let mut random = Random::new();
    let setting = Setting::new(&mut random, plain::registered::<u128>(1, 10).expect("registered"), 1);
    let forgery = setting.prove(&setting.claims, &mut Honest);
    let z = point(&forgery.claims[0].point);
    let claims = [EvaluationClaim { point: &z, value: Gf128(forgery.claims[0].value) }];
    let verdict = |accepted: Accepted, preset, variables| {
        let commitment = Commitment::new(preset, variables, forgery.root);
        ligerito::verify(&accepted, &commitment, &claims, &forgery.proof, b"context")
    };
    let (balanced, compact) = (Preset::Balanced, Preset::Compact);
    for accepted in [
        Accepted::exactly(balanced, 10),
        Accepted::up_to(&[balanced], 10),
        Accepted::up_to(&Preset::ALL, 30),
        Accepted::up_to(&Preset::ALL, 255),
    ] {
        assert_eq!(verdict(accepted, balanced, 10), Ok(()), "{accepted:?}");
    }
    for accepted in [
        Accepted::exactly(compact, 10),
        Accepted::exactly(balanced, 9),
        Accepted::exactly(balanced, 11),
        Accepted::exactly(balanced, 30),
        Accepted::up_to(&[compact], 30),
        Accepted::up_to(&[], 30),
        Accepted::up_to(&Preset::ALL, 9),
        Accepted::up_to(&Preset::ALL, 0),
    ] {
        assert_eq!(verdict(accepted, balanced, 10), Err(ProofError::UnacceptedParams), "{accepted:?}");
    }
    // No shape is registered for these, whatever the verifier accepts.
    for variables in [0, 1, 9, 31, 32, 64, 255] {
        for preset in Preset::ALL {
            for accepted in [Accepted::up_to(&Preset::ALL, 255), Accepted::exactly(preset, variables)] {
                let refused = verdict(accepted, preset, variables);
                assert_eq!(refused, Err(ProofError::UnacceptedParams), "{variables}");
            }
        }
    }
    // Accepted, but the proof is not for that shape.
    assert!(verdict(Accepted::up_to(&Preset::ALL, 30), compact, 10).is_err());
    let longer = verdict(Accepted::up_to(&Preset::ALL, 30), balanced, 11);
    assert_eq!(longer, Err(ProofError::PointLength { claim: 0 }));
}

/// V1: no claim has a true proof, which would say nothing.
fn v1_no_claims<N: Suite>() {
    for setting in settings::<N>(1) {
        let forgery = setting.prove(&[], &mut Honest);
        dies(&forgery, Check(plain::Error::NoClaims, 0), plain::Error::NoClaims, ProofError::NoClaims);
    }
}

/// V2: one claim more than the soundness sum reckons with; as many as it reckons with are fine.
fn v2_too_many_claims<N: Suite>() {
    let setting = Setting::<N>::new(&mut Random::new(), plain_shape(&[(1, 1, 1, 1, 0)]), 1);
    let claims = vec![setting.claims[0].clone(); 65537];
    let forgery = setting.prove(&claims, &mut Honest);
    let error = plain::Error::TooManyClaims;
    dies(&forgery, Check(error, 0), error, ProofError::TooManyClaims);
    let most = setting.prove(&claims[1..], &mut Honest);
    assert_eq!(most.without(Nothing), Ok(()));
    assert_eq!(judge(&most), Ok(()));
}

/// V3: a point with a coordinate too many or too few would be opened as some other point.
fn v3_points_of_another_length<N: Suite>() {
    for setting in settings::<N>(2) {
        let mu = usize::from(setting.shape.mu());
        for (claim, len) in [(0, mu + 1), (1, mu + 1), (0, mu - 1), (1, mu - 1)] {
            let mut claims = setting.claims.clone();
            let changed = &mut claims[claim];
            if len > mu {
                // The coordinate too many scales the weights that are used.
                changed.point.push(N::from(5));
                changed.value = changed.value.times(N::from(1 ^ 5));
            } else {
                // What is left of the weights is that of the face on which the last coordinate is zero.
                changed.point.pop();
                let half = &setting.committed.polynomial[..1 << len];
                changed.value = plain::evaluate(half, &changed.point);
            }
            let forgery = setting.prove(&claims, &mut Honest);
            let error = plain::Error::PointLength;
            dies(&forgery, Check(error, 0), error, ProofError::PointLength { claim });
        }
    }
}

/// V4: what is longer than any proof is refused before it is read.
fn v4_longer_than_any_proof<N: Suite>() {
    for setting in settings::<N>(1) {
        let mut forgery = setting.prove(&setting.claims, &mut Honest);
        let longest = usize::try_from(setting.shape.max_len()).expect("small");
        forgery.proof = vec![0xff; longest + 1];
        let length = plain::Error::ProofLength;
        let later = forgery.without(Check(length, 0)).expect_err("without V4, a later check");
        assert_ne!(later, length);
        assert_eq!(judge(&forgery), Err(ProofError::ProofLength));
        forgery.proof.pop();
        assert_eq!(judge(&forgery).expect_err("not a proof").name(), name(later), "as long as the longest");
    }
    // With one query, every proof is as long as the longest.
    let shape = plain_shape(&[(4, 2, 3, 1, 2), (2, 2, 2, 1, 0)]);
    let setting = Setting::<N>::new(&mut Random::new(), shape, 1);
    let forgery = setting.prove(&setting.claims, &mut Honest);
    assert_eq!(forgery.proof.len() as u64, setting.shape.max_len());
    assert_eq!(judge(&forgery), Ok(()));
}

/// V4 and every read after it: a proof that ends too early, wherever it ends.
fn v4_shorter_than_its_content<N: Suite>() {
    for setting in settings::<N>(1) {
        let whole = setting.prove(&setting.claims, &mut Honest);
        let step = if whole.proof.len() > 4000 { 97 } else { 1 };
        for len in (0..whole.proof.len()).step_by(step).chain([whole.proof.len() - 1]) {
            let mut forgery = whole.clone();
            forgery.proof.truncate(len);
            assert_eq!(judge(&forgery), Err(ProofError::ProofLength), "{len} bytes");
        }
    }
}

/// V5: everything follows from the nonce, only the work is not done.
fn v5_no_work<N: Suite>() {
    for setting in settings::<N>(1) {
        let levels = setting.shape.levels().iter().enumerate();
        let working = levels.filter(|(_, level)| level.grind > 0).map(|(i, _)| i);
        for (nth, level) in working.enumerate() {
            let forgery = setting.prove(&setting.claims, &mut NoWork(nth));
            let error = plain::Error::ProofOfWork;
            dies(&forgery, Check(error, level), error, ProofError::ProofOfWork { level });
        }
    }
}

/// V6 at level 0: a proof of another polynomial.
fn v6_another_polynomial<N: Suite>() {
    for setting in settings::<N>(2) {
        let other = Setting::new(&mut Random::new(), setting.shape.clone(), 2);
        assert!(setting.is_false(&other.claims));
        let (v, matrix) = (&other.committed.polynomial, &other.committed.matrix);
        let root = setting.committed.root();
        let forgery = prove(&setting.shape, v, matrix, root, &other.claims, b"", &mut Honest);
        let error = plain::Error::MerkleRoot;
        dies(&forgery, Check(error, 0), error, ProofError::MerkleRoot { level: 0 });
    }
}

/// V6 at later levels: a vector that is chosen after the challenges that depend on its root.
fn v6_another_vector_under_a_later_root<N: Suite>() {
    for setting in settings::<N>(2) {
        let claims = setting.false_claims();
        for level in 0..setting.shape.last() {
            let forgery = setting.prove(&claims, &mut LateMessage { level, unbound: false });
            let error = plain::Error::MerkleRoot;
            dies(&forgery, Check(error, level + 1), error, ProofError::MerkleRoot { level: level + 1 });
        }
    }
}

/// V7: a final vector that gives a false sum.
fn v7_another_final_vector<N: Suite>() {
    for setting in settings::<N>(2) {
        let forgery = setting.prove(&setting.false_claims(), &mut OtherMessage(setting.shape.last()));
        let refused = judge(&forgery).expect_err("refused");
        assert!(matches!(refused, ProofError::FinalRow { .. }), "{refused:?}");
        let error = plain::Error::FinalRow;
        dies(&forgery, Check(error, 0), error, refused);
    }
}

/// V8: a wrong value, and a prover that is honest about everything else.
fn v8_a_wrong_value<N: Suite>() {
    for setting in settings::<N>(3) {
        let forgery = setting.prove(&setting.false_claims(), &mut Honest);
        let error = plain::Error::FinalClaim;
        dies(&forgery, Check(error, 0), error, ProofError::FinalClaim);
    }
}

/// V8 with the claims that the rows of each level add: a vector that gives a false sum is committed instead of the
/// folded one.
fn v8_another_vector_at_a_later_level<N: Suite>() {
    for setting in settings::<N>(2) {
        for level in 0..setting.shape.last() {
            let forgery = setting.prove(&setting.false_claims(), &mut OtherMessage(level));
            dies(&forgery, Induced(level), plain::Error::FinalClaim, ProofError::FinalClaim);
        }
    }
}

/// V9: a byte after the end.
fn v9_a_byte_more<N: Suite>() {
    for setting in settings::<N>(1) {
        let mut forgery = setting.prove(&setting.claims, &mut Honest);
        forgery.proof.push(0);
        assert!(forgery.proof.len() as u64 <= setting.shape.max_len(), "not refused by V4 already");
        let error = plain::Error::ProofLength;
        dies(&forgery, Check(error, 0), error, ProofError::ProofLength);
    }
}

/// A matrix of random rows, which encodes nothing, and after it a vector that satisfies the last check.
fn a_random_matrix_instead_of_a_polynomial<N: Suite>() {
    let mut random = Random::new();
    for mut setting in settings::<N>(2) {
        let (rows, columns) = (setting.committed.matrix.rows.len(), setting.committed.matrix.rows[0].len());
        let row = |_| (0..columns).map(|_| N::from(random.u32().into())).collect();
        setting.committed.matrix = plain::Matrix::of_rows(plain::T, (0..rows).map(row).collect());
        let forgery = setting.prove(&setting.false_claims(), &mut OtherMessage(0));
        // Everything later is as it should be: the rows of level 0 are what does not fit.
        if setting.shape.last() > 0 {
            dies(&forgery, Induced(0), plain::Error::FinalClaim, ProofError::FinalClaim);
        } else {
            let refused = judge(&forgery).expect_err("refused");
            dies(&forgery, Check(plain::Error::FinalRow, 0), plain::Error::FinalRow, refused);
        }
    }
}

fn unbound_values<N: Suite>() {
    for setting in settings::<N>(2) {
        let forgery = setting.prove(&setting.claims, &mut UnboundValue);
        assert!(setting.is_false(&forgery.claims[..1]) && setting.is_false(&forgery.claims[1..]));
        is_bound(&forgery, Absorb("value"));
    }
}

fn unbound_points<N: Suite>() {
    for setting in settings::<N>(1) {
        // The two factors that the prover plays with have to be bound by the end: those of level 0 if it has two.
        let forgery = setting.prove(&setting.claims, &mut UnboundPoint);
        assert!(setting.is_false(&forgery.claims));
        is_bound(&forgery, Absorb("point"));
    }
}

fn an_unbound_commitment<N: Suite>() {
    for setting in settings::<N>(1) {
        let forgery = setting.prove(&setting.claims, &mut UnboundCommitment);
        assert_ne!(forgery.root, setting.committed.root());
        is_bound(&forgery, Absorb("root0"));
    }
}

fn unbound_round_messages<N: Suite>() {
    for setting in settings::<N>(2) {
        let forgery = setting.prove(&setting.false_claims(), &mut UnboundRound);
        is_bound(&forgery, Absorb("round"));
    }
}

fn unbound_later_roots<N: Suite>() {
    for setting in settings::<N>(2) {
        for level in 0..setting.shape.last() {
            let forgery = setting.prove(&setting.false_claims(), &mut LateMessage { level, unbound: true });
            is_bound(&forgery, Absorb("root"));
        }
    }
}

fn an_unbound_final_vector<N: Suite>() {
    // A registered shape asks for more rows than the final vector has entries: there the attack has no room.
    for setting in settings::<N>(2).into_iter().filter(|setting| setting.shape.suite() == N::TEST) {
        let forgery = setting.prove(&setting.false_claims(), &mut UnboundFinal);
        is_bound(&forgery, Absorb("final"));
    }
}

fn an_unbound_context<N: Suite>() {
    for setting in settings::<N>(1) {
        let mut forgery = setting.prove(&setting.claims, &mut Unbound("ctx"));
        forgery.context = b"another context".to_vec();
        is_bound(&forgery, Absorb("ctx"));
        let honest = setting.prove(&setting.claims, &mut Honest);
        for context in [&b""[..], b"contexu", b"contex", b"context\0"] {
            let moved = Forgery { context: context.to_vec(), ..honest.clone() };
            assert!(judge(&moved).is_err(), "{context:?}");
        }
    }
}

fn an_unbound_suite<N: Suite>() {
    for setting in settings::<N>(1).into_iter().filter(|setting| setting.shape.suite() == N::TEST) {
        let mut forgery = setting.prove(&setting.claims, &mut Unbound("suite"));
        forgery.shape = forgery.shape.under("ligerito-v2");
        is_bound(&forgery, Absorb("suite"));
    }
}

/// Bound so that a proof has one meaning; no forgery is known that needs them unbound, except for the nonce, behind
/// which the queries would be known before the work.
fn unbound_shapes_claim_counts_and_nonces<N: Suite>() {
    for setting in settings::<N>(2) {
        for label in ["params", "claims", "pow-nonce"] {
            let works = setting.shape.levels().iter().any(|level| level.grind > 0);
            if label != "pow-nonce" || works {
                is_bound(&setting.prove(&setting.claims, &mut Unbound(label)), Absorb(label));
            }
        }
    }
}

/// The same levels, the same everything, another suite string.
fn proofs_of_the_test_suite_are_not_proofs<N: Suite>() {
    let mut random = Random::new();
    for &(code, preset) in N::PRESETS {
        let registered = plain::registered::<N>(code, 10).expect("registered");
        let f: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
        let z = point(&random_point::<N>(&mut random, 10));
        let test_shape = shape(&registered);
        let data = N::commit(&Inline, &test_shape, &f).expect("a length of the shape");
        let opening = data.open(&[&z], b"").expect("a point of the shape");
        let claims = [EvaluationClaim { point: &z, value: opening.values[0] }];
        let (root, proof) = (data.root(), &opening.proof);
        let commitment = [&[code, 10], &root[..]].concat();
        assert_eq!(N::verify(N::HAZMAT, &test_shape, &root, &claims, proof, b""), Ok(()));
        assert!(N::verify_registered(preset, 10, &commitment, &claims, proof, b"").is_err());

        let (_, data) = N::commit_registered(&Inline, preset, &f).expect("registered");
        let proof = data.open(&[&z], b"").expect("a point of the shape").proof;
        assert_eq!(N::verify_registered(preset, 10, &commitment, &claims, &proof, b""), Ok(()));
        assert!(N::verify(N::HAZMAT, &test_shape, &root, &claims, &proof, b"").is_err());
    }
}

/// V0 again, in the suite of 128 bits.
#[test]
fn v0_of_the_suite_of_128_bits() {
    let mut random = Random::new();
    let setting = Setting::new(&mut random, plain::registered::<plain::U192>(3, 10).expect("registered"), 1);
    let forgery = setting.prove(&setting.claims, &mut Honest);
    let z = point(&forgery.claims[0].point);
    let claims = [EvaluationClaim { point: &z, value: forgery.claims[0].value.fast() }];
    let balanced = provable128::Preset::Balanced;
    let verdict = |accepted: provable128::Accepted, variables| {
        let commitment = provable128::Commitment::new(balanced, variables, forgery.root);
        provable128::verify(&accepted, &commitment, &claims, &forgery.proof, b"context")
    };
    let (exactly, up_to) = (provable128::Accepted::exactly, provable128::Accepted::up_to);
    for accepted in [exactly(balanced, 10), up_to(&[balanced], 10), up_to(&[balanced], 255)] {
        assert_eq!(verdict(accepted, 10), Ok(()), "{accepted:?}");
    }
    let refused = Err(ProofError::UnacceptedParams);
    for accepted in [exactly(balanced, 9), exactly(balanced, 11), up_to(&[], 30), up_to(&[balanced], 9)] {
        assert_eq!(verdict(accepted, 10), refused, "{accepted:?}");
    }
    for variables in [0, 1, 9, 31, 32, 64, 255] {
        for accepted in [up_to(&[balanced], 255), exactly(balanced, variables)] {
            assert_eq!(verdict(accepted, variables), refused, "{variables}");
        }
    }
    assert_eq!(verdict(up_to(&[balanced], 30), 11), Err(ProofError::PointLength { claim: 0 }));
}

/// A folding challenge from a small field would make n/2^128 of the soundness sum n/2^32: the interface has no way to
/// ask for one, and here are the challenges of the library's own proofs. Each of their bits is both 0 and 1 among them,
/// and none lies in a subfield of half or a third of the degree, one of which contains every smaller one.
fn challenges_are_from_the_whole_field<N: Suite>() {
    let mut random = Random::new();
    let plain_shape = plain_shape::<N>(&[(6, 4, 1, 6, 2), (3, 3, 2, 5, 0), (1, 2, 3, 4, 0)]);
    let f: Vec<u32> = (0..1 << plain_shape.mu()).map(|_| random.u32()).collect();
    let data = N::commit(&Inline, &shape(&plain_shape), &f).expect("a length of the shape");
    let bytes = N::FIELD.bytes();
    let (mut seen, mut all, mut any) = (0, vec![0xff; bytes], vec![0; bytes]);
    for i in 0..64u64 {
        let z = random_point::<N>(&mut random, plain_shape.mu());
        let context = i.to_le_bytes();
        let opening = data.open(&[&point(&z)], &context).expect("a point of the shape");
        let claims = [plain::Claim { point: z, value: N::of_fast(opening.values[0]) }];
        let squeezes = plain::verify_shape(&plain_shape, &data.root(), &claims, &opening.proof, &context);
        for (label, output) in squeezes.expect("an honest proof") {
            if ["gamma", "fold", "alpha"].contains(&label.as_str()) {
                assert_eq!(output.len(), bytes);
                let challenge = N::of_le(&output);
                for part in [2, 3] {
                    let conjugate = (0..N::FIELD.bits / part).fold(challenge, |x, _| x.times(x));
                    assert!(conjugate != challenge, "{label} in a subfield");
                }
                seen += 1;
                all.iter_mut().zip(&output).for_each(|(all, byte)| *all &= byte);
                any.iter_mut().zip(&output).for_each(|(any, byte)| *any |= byte);
            }
        }
    }
    assert_eq!((seen, all, any), (64 * 12, vec![0; bytes], vec![0xff; bytes]));
}
