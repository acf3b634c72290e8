//! Ligerito up to the Johnson radius: what differs from the other suites of weighted sums, whose tests in `sums` it passes, too.
use crate::sums::Setting;
use phalanx_ligerito::johnson128::{
    self, Accepted, Commitment, EvaluationClaim, Gf192, PlanesClaim, Preset, ProofError, SumClaim, Weight,
};
use phalanx_ligerito::provable128;
use phalanx_reference::ligerito::sums::{self, Claim, Committed34, Lies};
use phalanx_reference::ligerito::{self as plain, J192, Large, Transcript};
use phalanx_testing::Random;

/// Another sample of the commitment or of a later level, by a prover who is honest otherwise.
#[test]
fn a_false_sample() {
    let mut random = Random::new();
    for (deepest, setting) in Setting::<J192>::both(&mut random).into_iter().enumerate() {
        let claims = setting.mix(&mut random, deepest == 1);
        let wrong_by = J192([0, 0, 1 << 63]);
        for level in 1..=deepest {
            let lies = Lies { later_sample: Some((level, wrong_by)), ..Lies::default() };
            setting.dies_only_by(ProofError::FinalClaim, 0, &claims, &setting.prove(&lies, &claims));
        }
        let proof = setting.prove(&Lies { sample: wrong_by, ..Lies::default() }, &claims);
        let sample = setting.commitment.sample.map(|sample| sample ^ wrong_by);
        assert!(setting.verdict(&claims, &proof).is_err(), "under the true sample");
        let lying = Setting { commitment: Committed34 { sample, ..setting.commitment.clone() }, ..setting };
        lying.dies_only_by(ProofError::FinalClaim, 0, &claims, &proof);
    }
}

/// By the public interface, under registered shapes of one and of two levels; the reference is of the same opinion.
#[test]
fn registered_shapes() {
    let mut random = Random::new();
    for variables in [10, 17] {
        let f: Vec<u32> = (0..1 << variables).map(|_| random.u32()).collect();
        let (commitment, data) = johnson128::commit(Preset::Balanced, &f).expect("registered");
        assert_eq!(data.sample(), Some(commitment.sample()));
        let bytes = commitment.to_bytes();
        assert_eq!((bytes[0], bytes[1], bytes.len()), (4, variables, Commitment::LEN_BYTES));
        assert_eq!(Commitment::from_bytes(&bytes), Ok(commitment));
        let z: Vec<Gf192> = (1..=variables.into()).map(|i| Gf192([i, 0, i])).collect();
        let orbit = data.orbit(&z).expect("a point");
        let of_point = data.open(&[&z], b"").expect("a point");
        let value = of_point.values[0];
        let of_planes = data.open_orbits(std::slice::from_ref(&orbit), b"").expect("planes");
        // One opening, by two names.
        assert_eq!(data.open_sums(&[Weight::Point(&z)], b""), Ok(of_point.clone()));

        let accepted = Accepted::exactly(Preset::Balanced, variables);
        let claim = EvaluationClaim { point: &z, value };
        let planes = PlanesClaim { point: &z, planes: orbit.planes() };
        let verify = |commitment: &Commitment, claim| {
            johnson128::verify(&accepted, commitment, &[claim], &of_point.proof, b"")
        };
        assert_eq!(verify(&commitment, claim), Ok(()));
        assert_eq!(johnson128::verify_planes(&accepted, &commitment, &[planes], &of_planes, b""), Ok(()));
        let sum = SumClaim::Point(claim);
        assert_eq!(johnson128::verify_sums(&accepted, &commitment, &[sum], &of_point.proof, b""), Ok(()));
        assert!(johnson128::verify_planes(&accepted, &commitment, &[planes], &of_point.proof, b"").is_err());
        let false_value = EvaluationClaim { value: value + Gf192([1, 0, 0]), ..claim };
        assert!(verify(&commitment, false_value).is_err());
        for byte in [0, 2, 33, 34, 57] {
            let mut other = bytes;
            other[byte] ^= 1;
            let other = Commitment::from_bytes(&other);
            assert!(other.is_err() || other.is_ok_and(|other| verify(&other, claim).is_err()), "{byte}");
        }
        let fewer = Accepted::up_to(&Preset::ALL, variables - 1);
        let unaccepted = johnson128::verify(&fewer, &commitment, &[claim], &of_point.proof, b"");
        assert_eq!(unaccepted, Err(ProofError::UnacceptedParams));

        // Under the other suite of this field the same polynomial has another root, and the proof is none of it.
        let (other, _) = provable128::commit(provable128::Preset::Balanced, &f).expect("registered");
        assert_ne!(other.root(), commitment.root());
        let of_other = provable128::Accepted::exactly(provable128::Preset::Balanced, variables);
        assert!(provable128::verify(&of_other, &other, &[claim], &of_point.proof, b"").is_err());

        let shape = plain::registered::<J192>(4, variables).expect("registered");
        let (root, sample) = (*commitment.root(), Some(J192(commitment.sample().0)));
        let stated = Committed34 { shape, profile: 4, root, sample };
        let point = z.iter().map(|z| J192(z.0)).collect();
        let claims = [(0, Claim::Point(point, J192(value.0)))];
        let mut transcript = Transcript::default();
        let verdict =
            sums::verify(&mut transcript, J192::PRODUCTION, &[stated], &claims, &of_point.proof, b"");
        assert!(verdict.is_ok(), "{variables} variables: {:?}", verdict.err());
    }
}

/// In the transcript of a caller all 58 bytes are bound: a commitment with another sample is another one.
#[test]
fn in_the_transcript_of_a_caller() {
    let mut random = Random::new();
    let f: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
    let (commitment, data) = johnson128::commit(Preset::Balanced, &f).expect("registered");
    let accepted = Accepted::exactly(Preset::Balanced, 10);
    let begin = || johnson128::Transcript::new("a protocol", b"");
    let mut writer = johnson128::ProofWriter::new(begin());
    writer.send_commitment(&commitment);
    let z = writer.transcript().challenges("point", 10);
    let value = data.open_sums_in(&mut writer, &[Weight::Point(&z)], b"").expect("bound")[0];
    let (proof, _) = writer.finish();
    assert_eq!(proof[..58], commitment.to_bytes());
    let claims = [SumClaim::Point(EvaluationClaim { point: &z, value })];
    // What the caller's transcript is bound to, and what is opened.
    let verify = |proof: &[u8], opened: Option<Commitment>| {
        let mut reader = johnson128::ProofReader::new(begin(), proof);
        let received = reader.receive_commitment(&accepted)?;
        reader.transcript().challenges("point", 10);
        let opened = opened.unwrap_or(received);
        johnson128::verify_sums_in(reader, &accepted, &opened, &claims, b"")?.finish().map(|_| ())
    };
    assert_eq!(verify(&proof, None), Ok(()));
    let other =
        Commitment::new(Preset::Balanced, 10, *commitment.root(), commitment.sample() + Gf192([1, 0, 0]));
    assert_eq!(verify(&proof, Some(other)), Err(ProofError::LateCommitment { claim: 0 }));
    let mut changed = proof;
    changed[57] ^= 1;
    assert!(verify(&changed, None).is_err());
}
