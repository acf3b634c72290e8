//! Ligerito in the transcripts of callers: the bytes and the challenges of the plain version whatever comes before and after,
//! and for each rule that the library keeps a cheating prover who wins where it is not kept.
use crate::sums::{Setting, numbered, with_claims, with_weights};
use crate::support::{Fast, Suite, for_every_suite, plain_shape, point, pools, random_point, shape};
use phalanx_ligerito::{
    self as ligerito, Accepted, Commitment, Error, EvaluationClaim, Gf128, Inline, Preset, ProofError,
    ProofReader, ProofWriter, SumClaim, Transcript, Weight,
};
use phalanx_reference::ligerito::sums::{self, Claim, Committed34, Tensor, caller, suites};
use phalanx_reference::ligerito::{self as plain, large_bytes};
use phalanx_testing::{Random, on_every_backend};

for_every_suite!(
    what_comes_before_and_after,
    a_commitment_after_the_point,
    late_elements_of_every_kind,
    an_instance_that_is_not_bound,
    values_that_are_not_bound,
);

const PROTOCOL: &str = "test of callers";

/// The verdict of the plain verifier about the next part of a proof.
fn plainly<N: Suite>(
    transcript: &mut plain::Transcript<N>,
    commitment: Committed34<N>,
    claims: &[Claim<N>],
    proof: &mut &[u8],
) -> Result<(), plain::Error> {
    let suite = suites::<N>()[1];
    sums::verify_in(transcript, suite, &[commitment], &numbered(claims), proof, b"context")
}

/// Proves without asking whether the claims are true.
fn prove<N: Suite>(
    transcript: &mut plain::Transcript<N>,
    setting: &Setting<N>,
    claims: &[Claim<N>],
) -> Vec<u8> {
    let committed = [(&setting.committed, 0)];
    sums::open(transcript, suites::<N>()[1], &committed, &numbered(claims), b"context").0
}

/// The library's verdict about the next part of a proof.
fn verify<'a, N: Suite>(
    reader: ProofReader<'a, Fast<N>>,
    setting: &Setting<N>,
    claims: &[Claim<N>],
) -> Result<ProofReader<'a, Fast<N>>, ProofError> {
    let (fast, root) = (shape(&setting.shape), setting.committed.root());
    with_claims(claims, |claims| N::verify_sums_in(&fast, reader, &root, claims, b"context"))
}

/// Two commitments, opened one after the other at points drawn after each, in one transcript and one proof.
fn what_comes_before_and_after<N: Suite>() {
    let mut random = Random::new();
    let settings = Setting::<N>::both(&mut random);
    let mut transcript = caller::begin::<N>(PROTOCOL, b"statement");
    let (mut wanted, mut statements) = (Vec::new(), Vec::new());
    for (i, setting) in settings.iter().enumerate() {
        caller::bind(&mut transcript, &setting.commitment);
        let z: Vec<N> = (0..setting.shape.mu()).map(|_| transcript.challenge("point")).collect();
        let y = plain::evaluate(&setting.committed.polynomial, &z);
        transcript.absorb("value", &large_bytes(&[y]));
        wanted.extend(large_bytes(&[y]));
        let mut claims = vec![Claim::Point(z, y)];
        claims.extend(setting.mix(&mut random, i == 1));
        assert_eq!(
            caller::late(&transcript, std::slice::from_ref(&setting.commitment), &numbered(&claims)),
            None
        );
        wanted.extend(prove(&mut transcript, setting, &claims));
        statements.push(claims);
    }
    let end = transcript.squeeze("end", 32);
    let operations = caller::operations(&transcript.stream).expect("frames");
    assert_eq!(operations[0], caller::Operation::Absorb("statement".into(), b"statement".to_vec()));
    assert_eq!(operations[operations.len() - 1], caller::Operation::Squeeze("end".into(), 32));
    let ends_so = |mut transcript: Transcript<Fast<N>>| {
        let mut bytes = [0; 32];
        transcript.squeeze("end", &mut bytes);
        assert_eq!(bytes[..], end);
    };
    let read = |proof: &[u8]| -> Result<(), ProofError> {
        let mut reader = ProofReader::new(Transcript::new(PROTOCOL, b"statement"), proof);
        for (setting, claims) in settings.iter().zip(&statements) {
            let Claim::Point(z, y) = &claims[0] else { unreachable!("a point") };
            N::bind(&shape(&setting.shape), reader.transcript(), &setting.committed.root());
            let drawn = reader.transcript().challenges("point", z.len());
            // Of another proof the verifier would have another statement; here it is refused for this one.
            if (drawn != point(z)) | (reader.receive("value", 1)? != [y.fast()]) {
                return Err(ProofError::FinalClaim);
            }
            reader = verify(reader, setting, claims)?;
        }
        ends_so(reader.finish()?);
        Ok(())
    };
    on_every_backend(|backend| {
        for pool in pools() {
            let mut writer = ProofWriter::new(Transcript::new(PROTOCOL, b"statement"));
            for (setting, claims) in settings.iter().zip(&statements) {
                let Claim::Point(z, y) = &claims[0] else { unreachable!("a point") };
                let fast = shape(&setting.shape);
                let data = N::commit(&*pool, &fast, &setting.f).expect("a length of the shape");
                N::bind(&fast, writer.transcript(), &data.root());
                assert_eq!(writer.transcript().challenges("point", z.len()), point(z));
                writer.send("value", &[y.fast()]);
                let open = |weights: &[Weight<'_, _>]| {
                    data.open_sums_in_on(&*pool, &mut writer, weights, b"context")
                };
                let values = with_weights(&*pool, &data, claims, open).expect("bound before");
                assert_eq!(values[0], y.fast());
            }
            let (proof, transcript) = writer.finish();
            assert!(proof == wanted, "{}", backend.name());
            ends_so(transcript);
        }
        assert_eq!(read(&wanted), Ok(()), "{}", backend.name());
    });
    for len in [0, 5, wanted.len() / 2, wanted.len() - 1] {
        assert!(read(&wanted[..len]).is_err(), "{len} bytes");
    }
    assert_eq!(read(&[&wanted[..], &[0]].concat()), Err(ProofError::ProofLength));
    for _ in 0..40 {
        let mut flipped = wanted.clone();
        let place = random.within(0..wanted.len() as u64);
        flipped[usize::try_from(place).expect("small")] ^= 1 << (random.u8() % 8);
        assert!(read(&flipped).is_err(), "byte {place}");
    }
}

/// A polynomial that is not zero and vanishes at a point: bits of coefficients are added up in the large field until they
/// depend on each other.
fn vanishing_at<N: Suite>(z: &[N]) -> Vec<u32> {
    let weights = plain::eq(z);
    let leading = |value: N| (0..N::FIELD.bits).rev().find(|i| value.word(i / 64) >> (i % 64) & 1 == 1);
    // Values with a leading bit of their own, and polynomials that have them.
    let mut basis: Vec<(u32, N, Vec<u32>)> = Vec::new();
    for bit in 0..32 * weights.len() {
        let mut f = vec![0; weights.len()];
        f[bit / 32] = 1 << (bit % 32);
        let mut value = weights[bit / 32].times(plain::phi(N::from(1 << (bit % 32))));
        while let Some(lead) = leading(value) {
            let Some((_, other, polynomial)) = basis.iter().find(|(its, ..)| *its == lead) else {
                basis.push((lead, value, f.clone()));
                break;
            };
            value ^= *other;
            f.iter_mut().zip(polynomial).for_each(|(word, other)| *word ^= other);
        }
        if value == N::default() {
            return f;
        }
    }
    panic!("more bits than the field has")
}

fn one_level<N: Suite>() -> plain::Shape<N> {
    plain_shape(&[(3, 2, 2, 8, 0)])
}

/// Rule 4, the attack of the specification: "the committed polynomial is zero", tested at a point that was drawn before the
/// commitment was absorbed. Absorbing it in the opening, as every opening does, is too late.
fn a_commitment_after_the_point<N: Suite>() {
    let mut transcript = caller::begin::<N>(PROTOCOL, b"the polynomial is zero");
    let z: Vec<N> = (0..5).map(|_| transcript.challenge("point")).collect();
    let setting = Setting::new(one_level(), vanishing_at(&z));
    assert!(setting.f.iter().any(|&word| word != 0));
    let claims = [Claim::Point(z, N::default())];
    let proof = prove(&mut transcript.clone(), &setting, &claims);
    // Who has only what section 0 absorbs, accepts.
    assert_eq!(
        plainly(&mut transcript.clone(), setting.commitment.clone(), &claims, &mut &proof[..]),
        Ok(())
    );
    assert_eq!(
        caller::late(&transcript, std::slice::from_ref(&setting.commitment), &numbered(&claims)),
        Some(0)
    );
    // Absorbed in between is too late as well.
    caller::bind(&mut transcript, &setting.commitment);
    let bound_late = prove(&mut transcript.clone(), &setting, &claims);
    let mut rest = &bound_late[..];
    assert_eq!(plainly(&mut transcript.clone(), setting.commitment.clone(), &claims, &mut rest), Ok(()));
    assert_eq!(
        caller::late(&transcript, std::slice::from_ref(&setting.commitment), &numbered(&claims)),
        Some(0)
    );

    let (fast, root) = (shape(&setting.shape), setting.committed.root());
    let data = N::commit(&Inline, &fast, &setting.f).expect("a length of the shape");
    for (bind, proof) in [(false, proof), (true, bound_late)] {
        let begin = || {
            let mut transcript = Transcript::new(PROTOCOL, b"the polynomial is zero");
            transcript.challenges("point", 5);
            if bind {
                N::bind(&fast, &mut transcript, &root);
            }
            transcript
        };
        let refused = verify(ProofReader::new(begin(), &proof), &setting, &claims);
        assert_eq!(refused.err(), Some(ProofError::LateCommitment { claim: 0 }));
        let mut writer = ProofWriter::new(begin());
        let refused = with_weights(&Inline, &data, &claims, |weights| {
            data.open_sums_in(&mut writer, weights, b"context")
        });
        assert_eq!(refused.err(), Some(Error::LateCommitment { claim: 0 }));
        assert!(writer.finish().0.is_empty(), "nothing was written");
    }
    // In the right order the point is another, and there the polynomial is not zero.
    let mut transcript = caller::begin::<N>(PROTOCOL, b"the polynomial is zero");
    caller::bind(&mut transcript, &setting.commitment);
    let z: Vec<N> = (0..5).map(|_| transcript.challenge("point")).collect();
    let claims = [Claim::Point(z, N::default())];
    let proof = prove(&mut transcript, &setting, &claims);
    let mut transcript = Transcript::new(PROTOCOL, b"the polynomial is zero");
    N::bind(&fast, &mut transcript, &root);
    transcript.challenges("point", 5);
    let refused = verify(ProofReader::new(transcript, &proof), &setting, &claims);
    assert_eq!(refused.err(), Some(ProofError::FinalClaim));
}

/// One challenge before the commitment, in each place of a claim of each kind; and none of them where it was drawn after.
fn late_elements_of_every_kind<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(one_level(), (0..32).map(|_| random.u32()).collect());
    let (fast, root) = (shape(&setting.shape), setting.committed.root());
    let begin = |after: bool| {
        let mut transcript = Transcript::<Fast<N>>::new(PROTOCOL, b"");
        let early = if after { None } else { Some(transcript.challenge("early")) };
        N::bind(&fast, &mut transcript, &root);
        (early.unwrap_or_else(|| transcript.challenge("early")), transcript)
    };
    let z = random_point::<N>(&mut random, 5);
    for place in 0..8 {
        for after in [false, true] {
            let (drawn, transcript) = begin(after);
            let drawn = N::of_fast(drawn);
            let (mut point, mut planes, mut y) = (z.clone(), vec![N::one(); 32], N::one());
            let mut term = Tensor { scale: N::one(), factors: vec![(N::one(), N::one()); 5] };
            let slot = match place {
                0 => &mut point[0],
                1 => &mut point[4],
                3 => &mut point[2],
                4 => &mut planes[31],
                5 => &mut term.scale,
                6 => &mut term.factors[4].1,
                _ => &mut y,
            };
            *slot = drawn;
            let claim = match place {
                0..3 => Claim::Point(point, y),
                3..5 => Claim::Planes(point, planes),
                _ => {
                    let whole = Tensor { scale: N::one(), factors: vec![(N::one(), N::one()); 5] };
                    Claim::Tensors(vec![whole, term], y)
                }
            };
            let claims = [Claim::Point(z.clone(), N::one()), claim];
            let wanted =
                if after { ProofError::ProofLength } else { ProofError::LateCommitment { claim: 1 } };
            let refused = verify(ProofReader::new(transcript, &[]), &setting, &claims);
            assert_eq!(refused.err(), Some(wanted), "place {place}");
        }
    }
}

/// Rule 1: "the committed polynomial is p", tested at one point. If p is not in the transcript, it can be chosen after.
fn an_instance_that_is_not_bound<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(one_level(), (0..32).map(|_| random.u32()).collect());
    let (fast, root) = (shape(&setting.shape), setting.committed.root());
    let claim = |z: Vec<N>, p: &[u32]| {
        let words: Vec<N> = p.iter().map(|&word| plain::phi(N::from(word.into()))).collect();
        let y = plain::evaluate(&words, &z);
        [Claim::Point(z, y)]
    };
    // What both sides do: with the statement, or with nothing in its place.
    let draw = |statement: &[u8]| {
        let mut transcript = caller::begin::<N>(PROTOCOL, statement);
        caller::bind(&mut transcript, &setting.commitment);
        let z: Vec<N> = (0..5).map(|_| transcript.challenge("point")).collect();
        (transcript, z)
    };
    let judge = |statement: &[u8], p: &[u32], proof: &[u8]| {
        let mut transcript = Transcript::new(PROTOCOL, statement);
        N::bind(&fast, &mut transcript, &root);
        let z = transcript.challenges("point", 5).into_iter().map(N::of_fast).collect();
        verify(ProofReader::new(transcript, proof), &setting, &claim(z, p)).err()
    };
    let (mut transcript, z) = draw(b"");
    let p: Vec<u32> = setting.f.iter().zip(vanishing_at(&z)).map(|(f, k)| f ^ k).collect();
    assert_ne!(p, setting.f);
    let forged = prove(&mut transcript, &setting, &claim(z, &p));
    assert_eq!(judge(b"", &p, &forged), None, "p is not in the transcript");
    let statement: Vec<u8> = p.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(judge(&statement, &p, &forged).is_some());
    let (mut transcript, z) = draw(&statement);
    let proof = prove(&mut transcript, &setting, &claim(z, &p));
    assert_eq!(judge(&statement, &p, &proof), Some(ProofError::FinalClaim));
}

/// Rules 3 and 5: of two values at known points the first has to be v, and both are opened as one, combined with a challenge.
/// Values that are absorbed only with what is opened, combined as they are, can be chosen once the challenge is known.
fn values_that_are_not_bound<N: Suite>() {
    let mut random = Random::new();
    let setting = Setting::<N>::new(one_level(), (0..32).map(|_| random.u32()).collect());
    let (fast, root) = (shape(&setting.shape), setting.committed.root());
    let points = [0, 1].map(|_| random_point::<N>(&mut random, 5));
    let [y0, y1] = points.each_ref().map(|z| plain::evaluate(&setting.committed.polynomial, z));
    let v = y0 ^ N::one();
    let combined = |[a, b]: [N; 2], lambda: N| {
        let factors = |z: &Vec<N>| z.iter().map(|&z| (N::one() ^ z, z)).collect();
        let [first, second] = points.each_ref().map(factors);
        let second = Tensor { scale: lambda, factors: second };
        [Claim::Tensors(vec![Tensor { scale: N::one(), factors: first }, second], a ^ lambda.times(b))]
    };
    let begin = || {
        let mut transcript = caller::begin::<N>(PROTOCOL, b"the first is v");
        caller::bind(&mut transcript, &setting.commitment);
        transcript
    };
    let heard = || {
        let mut transcript = Transcript::new(PROTOCOL, b"the first is v");
        N::bind(&fast, &mut transcript, &root);
        transcript
    };
    let mut transcript = begin();
    let lambda = transcript.challenge("lambda");
    let forged = [v, y1 ^ (y0 ^ v).times(lambda.inverse())];
    let proof = prove(&mut transcript, &setting, &combined(forged, lambda));
    // Read from elsewhere, the values are not absorbed.
    let mut weak = ProofReader::new(heard(), &proof);
    assert_eq!(weak.transcript().challenge("lambda"), lambda.fast());
    assert_eq!(verify(weak, &setting, &combined(forged, lambda)).err(), None);
    // Received, they are: of the same values another combination is opened, and it is false.
    let judge = |proof: &[u8]| {
        let mut reader = ProofReader::new(heard(), proof);
        let values =
            reader.receive("values", 2).expect("two").into_iter().map(N::of_fast).collect::<Vec<N>>();
        assert_eq!(values[0], v);
        let lambda = N::of_fast(reader.transcript().challenge("lambda"));
        verify(reader, &setting, &combined([values[0], values[1]], lambda)).err()
    };
    let mut sent = large_bytes(&forged);
    let mut transcript = begin();
    transcript.absorb("values", &sent);
    let lambda = transcript.challenge("lambda");
    let honestly = prove(&mut transcript, &setting, &combined(forged, lambda));
    assert!(judge(&[&sent[..], &proof].concat()).is_some());
    sent.extend(honestly);
    assert_eq!(judge(&sent), Some(ProofError::FinalClaim));
}

/// Rule 7: nothing is read after an error, and nothing is accepted.
#[test]
fn an_error_is_the_end() {
    fn begin(proof: &[u8]) -> ProofReader<'_, Gf128> {
        ProofReader::new(Transcript::new(PROTOCOL, b""), proof)
    }
    let accepted = Accepted::exactly(Preset::Balanced, 10);
    let commitment = Commitment::new(Preset::Compact, 10, [7; 32]).to_bytes();
    for bytes in [&commitment[..], &[0; 34], &[3; 34], &[0xff; 34]] {
        let bytes = [bytes, &[0; 16]].concat();
        let mut reader = begin(&bytes);
        assert_eq!(reader.receive_commitment(&accepted), Err(ProofError::UnacceptedParams));
        assert_eq!(reader.receive("value", 1), Err(ProofError::ProofLength), "sixteen bytes are left");
        assert_eq!(reader.finish().err(), Some(ProofError::ProofLength));
    }
    let mut reader = begin(&[0; 16]);
    assert_eq!(reader.receive("values", 2), Err(ProofError::ProofLength));
    assert_eq!(reader.receive("value", 1), Err(ProofError::ProofLength));
    assert_eq!(reader.receive_bytes("nothing", 0), Err(ProofError::ProofLength));
    assert_eq!(reader.finish().err(), Some(ProofError::ProofLength));
    let mut reader = begin(&[0; 16]);
    assert_eq!(reader.receive("values", usize::MAX), Err(ProofError::ProofLength));
    assert!(begin(&[]).finish().is_ok());
    assert_eq!(begin(&[0]).finish().err(), Some(ProofError::ProofLength));
    let text = "the transcript does not have the commitment before what claim 3 depends on";
    assert_eq!(ProofError::LateCommitment { claim: 3 }.to_string(), text);
    assert_eq!(Error::LateCommitment { claim: 3 }.to_string(), text);
    assert_eq!(ProofError::LateCommitment { claim: 3 }.name(), "LateCommitment");
}

/// By the public interface, under a registered shape: a commitment that is sent, and the bridge to another hash.
#[test]
fn registered_shapes() {
    let mut random = Random::new();
    let f: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
    let (commitment, data) = ligerito::commit(Preset::Balanced, &f).expect("registered");
    let accepted = Accepted::exactly(Preset::Balanced, 10);
    let mut writer = ProofWriter::new(Transcript::new(PROTOCOL, b""));
    writer.send_commitment(&commitment);
    let z = writer.transcript().challenges("point", 10);
    let y = data.open_sums_in(&mut writer, &[Weight::Point(&z)], b"").expect("bound")[0];
    let (proof, _) = writer.finish();
    let mut reader = ProofReader::new(Transcript::new(PROTOCOL, b""), &proof);
    let received = reader.receive_commitment(&accepted).expect("34 bytes");
    assert_eq!(received, commitment);
    assert_eq!(reader.transcript().challenges("point", 10), z);
    let claims = [SumClaim::Point(EvaluationClaim { point: &z, value: y })];
    let reader = ligerito::verify_sums_in(reader, &accepted, &received, &claims, b"").expect("true");
    assert!(reader.finish().is_ok());
    let reader = ProofReader::new(Transcript::new(PROTOCOL, b""), &proof);
    let others = Accepted::exactly(Preset::Compact, 10);
    let refused = ligerito::verify_sums_in(reader, &others, &received, &claims, b"");
    assert_eq!(refused.err(), Some(ProofError::UnacceptedParams));

    let plain_shape = plain::registered::<u128>(1, 10).expect("registered");
    let committed = plain::commit(&plain_shape, &f).expect("a length of the shape");
    let context = [5; 32];
    let plain_claims = [Claim::Point(z.iter().map(|z| z.0).collect(), y.0)];
    let mut transcript = plain::Transcript::<u128>::default();
    let suite = suites::<u128>()[0];
    let (wanted, _) =
        sums::open(&mut transcript, suite, &[(&committed, 1)], &numbered(&plain_claims), &context);
    let out = caller::out(&mut transcript);
    let (opening, bridge) = data.open_sums_bridged(&[Weight::Point(&z)], &context).expect("a point");
    assert_eq!((&opening.proof, &bridge[..]), (&wanted, &out[..]));
    let verify = |proof: &[u8], context| {
        ligerito::verify_sums_bridged(&accepted, &commitment, &claims, proof, context)
    };
    assert_eq!(verify(&wanted, &context), Ok(bridge));
    assert!(verify(&wanted, &[6; 32]).is_err());
    let trailing = Err(ProofError::ProofLength);
    assert_eq!(verify(&[&wanted[..], &[0]].concat(), &context), trailing);
}
