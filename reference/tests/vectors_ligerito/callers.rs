//! Openings in the transcripts of callers: two in one stream, the stream read back, and rule 4.

use phalanx_reference::ligerito::sums::caller::{Operation, begin, bind, late, operations};
use phalanx_reference::ligerito::sums::{self, Claim, Committed34, Numbered, suites, verify_in};
use phalanx_reference::ligerito::{Level, Shape, Transcript, commit, evaluate};

use crate::json::{Suite, for_every_suite};

for_every_suite!(two_openings, streams_read_back);

fn two_openings<N: Suite>() {
    let shape = Shape::<N>::test(4, &[Level { d: 2, k: 2, r: 2, queries: 4, grind: 0 }]).unwrap();
    let suite = suites::<N>()[1];
    let committed = [[3u32; 16], [5; 16]].map(|mut f| {
        f[7] = 1 << 31;
        commit(&shape, &f).unwrap()
    });
    let commitments = committed.each_ref().map(|committed| Committed34::of(committed, 0, suite));
    let point = |transcript: &mut Transcript<N>| (0..4).map(|_| transcript.challenge("point")).collect();
    let (mut prover, mut proof, mut statements) =
        (begin::<N>("a protocol", b"statement"), Vec::new(), Vec::new());
    for (committed, commitment) in committed.iter().zip(&commitments) {
        bind(&mut prover, commitment);
        let z: Vec<N> = point(&mut prover);
        let y = evaluate(&committed.polynomial, &z);
        let claims: Vec<Numbered<N>> = vec![(0, Claim::Point(z, y))];
        assert_eq!(late(&prover, std::slice::from_ref(commitment), &claims), None);
        proof.extend(sums::open(&mut prover, suite, &[(committed, 0)], &claims, b"").0);
        statements.push(claims);
    }
    // The first point is no point of the second commitment's.
    assert_eq!(late(&prover, &commitments[1..], &statements[0]), Some(0));
    assert_eq!(late(&begin::<N>("a protocol", b""), &commitments, &statements[0]), Some(0));

    let (mut verifier, mut rest) = (begin::<N>("a protocol", b"statement"), &proof[..]);
    for (commitment, claims) in commitments.iter().zip(&statements) {
        bind(&mut verifier, commitment);
        let z: Vec<N> = point(&mut verifier);
        assert!(matches!(&claims[0].1, Claim::Point(there, _) if *there == z));
        let commitment = std::slice::from_ref(commitment);
        assert_eq!(verify_in(&mut verifier, suite, commitment, claims, &mut rest, b""), Ok(()));
    }
    assert!(rest.is_empty());
    assert_eq!(verifier.stream, prover.stream);
    assert_eq!(verifier.squeeze("end", 32), prover.squeeze("end", 32));
}

fn streams_read_back<N: Suite>() {
    let mut transcript = begin::<N>("a protocol", b"ab");
    transcript.absorb("c", b"");
    transcript.squeeze("d", 5);
    let wanted = [
        Operation::Absorb("statement".into(), b"ab".to_vec()),
        Operation::Absorb("c".into(), Vec::new()),
        Operation::Squeeze("d".into(), 5),
    ];
    assert_eq!(operations(&transcript.stream).unwrap(), wanted);
    assert_eq!(operations(&[]), Some(Vec::new()));
    let whole = (0..transcript.stream.len()).filter(|&len| operations(&transcript.stream[..len]).is_some());
    // Ends of frames and nothing else: 1 + 4 + 9 + 8 + 2, then 1 + 4 + 1 + 8.
    assert_eq!(whole.collect::<Vec<_>>(), [0, 24, 38]);
    transcript.stream[0] = 3;
    assert_eq!(operations(&transcript.stream), None);
}
