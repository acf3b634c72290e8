//! Ligerito, several commitments in one proof: byte for byte as the plain version makes it; a false claim about any of them, and
//! rows of none of them, die by one check; which commitments are taken together.
use crate::sums::{Setting, with_claims, with_weights_of};
use crate::support::{Fast, Sizes, Suite, for_every_suite, plain_shape, shape};
use phalanx_ligerito::{
    self as ligerito, Accepted, Error, EvaluationClaim, Gf128, Inline, Level, MAX_COMMITMENTS, Preset,
    ProofError, ProofReader, ProofWriter, ProverData, SumClaim, Transcript, Weight, johnson128, provable128,
};
use phalanx_reference::ligerito::sums::{self, Claim, Layout, Lies, Numbered, Without, suites};
use phalanx_reference::ligerito::{self as plain};
use phalanx_testing::{Random, on_every_backend};

for_every_suite!(
    each on every backend,
    together_as_plainly,
    a_false_value_of_any_claim_of_any_commitment,
    rows_of_another_commitment,
    statements_of_another_form,
    registered_shapes,
);

/// Commitments, and the levels that follow.
struct Together<N: Suite> {
    settings: Vec<Setting<N>>,
    later: Vec<plain::Level>,
}

impl<N: Suite> Together<N> {
    fn new(random: &mut Random, first: &[Sizes], later: &[Sizes]) -> Self {
        let setting = |sizes: &Sizes| {
            let shape = plain_shape(&[*sizes]);
            let f = (0..1 << shape.mu()).map(|_| random.u32()).collect();
            Setting::new(shape, f)
        };
        let settings = first.iter().map(setting).collect();
        let level = |&(d, k, r, queries, grind): &Sizes| plain::Level { d, k, r, queries, grind };
        Self { settings, later: later.iter().map(level).collect() }
    }

    /// Two of one size; one code, two widths; three codes, of which the shorter ones leave zeros, with one later level and two;
    /// no later level; five of which two are as wide as the rest together.
    fn all(random: &mut Random) -> Vec<Self> {
        let settings: [(&[Sizes], &[Sizes]); 6] = [
            (&[(4, 2, 2, 12, 0), (4, 2, 2, 12, 0)], &[(2, 2, 2, 6, 0)]),
            (&[(4, 1, 2, 12, 0), (4, 2, 2, 12, 0)], &[]),
            (&[(3, 1, 2, 8, 0), (4, 1, 2, 12, 0), (4, 1, 1, 9, 0), (4, 2, 2, 12, 0)], &[(4, 2, 2, 9, 3)]),
            (&[(3, 3, 2, 8, 0), (5, 1, 2, 20, 0)], &[(4, 2, 2, 12, 0), (2, 2, 2, 6, 0)]),
            (&[(3, 2, 1, 6, 0), (4, 2, 2, 12, 0), (2, 1, 2, 6, 0)], &[]),
            (
                &[(3, 1, 2, 8, 0), (3, 3, 2, 8, 0), (3, 1, 2, 8, 0), (3, 2, 2, 8, 0), (3, 3, 2, 8, 0)],
                &[(2, 1, 2, 6, 0)],
            ),
        ];
        settings.iter().map(|(first, later)| Self::new(random, first, later)).collect()
    }

    /// A claim of each kind, about commitments in turn; the first of several has two. With `closing`, many tensors, and a described
    /// weight of each.
    fn mix(&self, random: &mut Random, closing: bool) -> Vec<Numbered<N>> {
        let mut mix = Vec::new();
        for (number, setting) in self.settings.iter().enumerate() {
            mix.push((
                number,
                match number % 3 {
                    0 => setting.tensors(random, if closing { 129 } else { 2 }),
                    1 => setting.planes(random),
                    _ => setting.point(random),
                },
            ));
        }
        mix.push((0, self.settings[0].point(random)));
        if closing {
            mix.extend(self.settings.iter().map(|setting| setting.described(random)).enumerate());
        }
        mix.rotate_left(1);
        mix
    }

    fn layout(&self) -> Layout<N> {
        let shapes: Vec<_> = self.settings.iter().map(|setting| &setting.shape).collect();
        Layout::new(&shapes, &self.later)
    }

    fn prove(&self, lies: &Lies<N>, claims: &[Numbered<N>]) -> Vec<u8> {
        let committed: Vec<_> = self.settings.iter().map(|one| (&one.committed, N::TEST_CODE)).collect();
        let (mut transcript, suite) = (plain::Transcript::default(), suites::<N>()[1]);
        sums::open_with(lies, &mut transcript, suite, &self.layout(), &committed, claims, b"context").0
    }

    fn without(&self, without: Without, claims: &[Numbered<N>], proof: &[u8]) -> Result<(), plain::Error> {
        let commitments: Vec<_> = self.settings.iter().map(|setting| setting.commitment.clone()).collect();
        let (mut transcript, suite) = (plain::Transcript::default(), suites::<N>()[1]);
        let layout = self.layout();
        let verdict = sums::verify_without(
            without,
            &mut transcript,
            suite,
            &layout,
            &commitments,
            claims,
            proof,
            b"context",
        );
        verdict.map(|_| ())
    }

    /// Shapes and later levels of the library.
    fn under<R>(&self, then: impl FnOnce((&[crate::support::TestShape<N>], &[Level])) -> R) -> R {
        let shapes: Vec<_> = self.settings.iter().map(|setting| shape(&setting.shape)).collect();
        let level = |level: &plain::Level| Level {
            log2_message: level.d,
            log2_columns: level.k,
            log2_inverse_rate: level.r,
            queries: level.queries,
            grinding_bits: level.grind,
        };
        let later: Vec<Level> = self.later.iter().map(level).collect();
        then((&shapes, &later))
    }

    /// The verdict of the library, the same on every backend.
    fn verdict(&self, claims: &[Numbered<N>], proof: &[u8]) -> Result<(), ProofError> {
        let roots: Vec<[u8; 32]> = self.settings.iter().map(|setting| setting.commitment.root).collect();
        let verify = || {
            with_numbered(claims, |claims| {
                self.under(|under| N::verify_together(under, &roots, claims, proof, b"context"))
            })
        };
        let verdict = verify();
        on_every_backend(|backend| assert_eq!(verify(), verdict, "{}", backend.name()));
        verdict
    }

    /// What the library makes, on every backend.
    fn assert_opened(&self, claims: &[Numbered<N>], wanted: &[u8]) {
        on_every_backend(|backend| {
            self.under(|under| {
                let settings = under.0.iter().zip(&self.settings);
                let data: Vec<ProverData<'_, Fast<N>>> = settings
                    .map(|(shape, setting)| N::commit(&Inline, shape, &setting.f).expect("its length"))
                    .collect();
                let all: Vec<_> = data.iter().collect();
                let opening = with_numbered_weights(&all, claims, |weights| {
                    N::open_together(under, &all, weights, b"context").expect("weights of the shapes")
                });
                let values = opening.values.iter().map(|value| N::of_fast(*value));
                for ((_, claim), value) in claims.iter().zip(values) {
                    if let Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) = claim {
                        assert_eq!(value, *y);
                    }
                }
                assert!(opening.proof == wanted, "{}", backend.name());
            });
        });
    }
}

/// Calls with the claims as the verifier takes them.
fn with_numbered<N: Suite, R>(
    claims: &[Numbered<N>],
    then: impl FnOnce(&[(usize, SumClaim<'_, Fast<N>>)]) -> R,
) -> R {
    let (numbers, own): (Vec<usize>, Vec<Claim<N>>) = claims.iter().cloned().unzip();
    with_claims(&own, |claims| {
        let claims: Vec<_> = numbers.into_iter().zip(claims.iter().copied()).collect();
        then(&claims)
    })
}

/// Calls with what the claims are about as the prover takes it.
fn with_numbered_weights<N: Suite, R>(
    data: &[&ProverData<'_, Fast<N>>],
    claims: &[Numbered<N>],
    then: impl FnOnce(&[(usize, Weight<'_, Fast<N>>)]) -> R,
) -> R {
    let (numbers, own): (Vec<usize>, Vec<Claim<N>>) = claims.iter().cloned().unzip();
    with_weights_of(
        &Inline,
        |claim| data[numbers[claim]],
        &own,
        |weights| {
            let weights: Vec<_> = numbers.iter().copied().zip(weights.iter().copied()).collect();
            then(&weights)
        },
    )
}

fn together_as_plainly<N: Suite>() {
    let mut random = Random::new();
    for (i, together) in Together::<N>::all(&mut random).into_iter().enumerate() {
        let claims = together.mix(&mut random, i % 2 == 1);
        let proof = together.prove(&Lies::default(), &claims);
        together.assert_opened(&claims, &proof);
        assert_eq!(together.verdict(&claims, &proof), Ok(()));
        let refused = Err(ProofError::ProofLength);
        assert_eq!(together.verdict(&claims, &[&proof[..], &[0]].concat()), refused);
        assert_eq!(together.verdict(&claims, &proof[..proof.len() - 1]), refused);
        for _ in 0..10 {
            let mut flipped = proof.clone();
            let place = random.within(0..proof.len() as u64);
            flipped[usize::try_from(place).expect("small")] ^= 1 << (random.u8() % 8);
            assert!(together.verdict(&claims, &flipped).is_err(), "byte {place}");
        }
    }
}

/// A prover who is honest but for one value, of every claim of every commitment.
fn a_false_value_of_any_claim_of_any_commitment<N: Suite>() {
    let mut random = Random::new();
    for (i, together) in Together::<N>::all(&mut random).into_iter().enumerate() {
        let mut true_claims = Vec::new();
        for (number, setting) in together.settings.iter().enumerate() {
            true_claims.push((number, setting.point(&mut random)));
            true_claims.push((number, setting.tensors(&mut random, if i == 1 { 65 } else { 2 })));
            if i % 2 == 0 {
                true_claims.push((number, setting.described(&mut random)));
            }
        }
        for changed in 0..true_claims.len() {
            let mut claims = true_claims.clone();
            match &mut claims[changed].1 {
                Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => *y ^= N::top_bit(),
                Claim::Planes(..) => unreachable!("none here"),
            }
            let proof = together.prove(&Lies::default(), &claims);
            assert_eq!(together.verdict(&claims, &proof), Err(ProofError::FinalClaim));
            let check = Without::Check(plain::Error::FinalClaim, 0);
            assert_eq!(together.without(check, &claims, &proof), Ok(()));
        }
    }
}

/// What is true of another polynomial, under the root of one of them: the check of that root alone refuses it, and names it.
fn rows_of_another_commitment<N: Suite>() {
    let mut random = Random::new();
    for mut together in Together::<N>::all(&mut random) {
        for number in 0..together.settings.len() {
            let setting = &together.settings[number];
            let roots: Vec<_> = together.settings.iter().map(|setting| setting.committed.root()).collect();
            let other = Setting::new(setting.shape.clone(), setting.f.iter().map(|x| !x).collect());
            let own = std::mem::replace(&mut together.settings[number], other);
            let claims = together.mix(&mut random, false);
            let proof = together.prove(&Lies { roots: Some(roots), ..Lies::default() }, &claims);
            together.settings[number].commitment = own.commitment.clone();
            let wanted = Err(ProofError::MerkleRootOf { commitment: number });
            assert_eq!(together.verdict(&claims, &proof), wanted);
            let check = Without::Check(plain::Error::MerkleRoot, 0);
            assert_eq!(together.without(check, &claims, &proof), Ok(()));
            together.settings[number] = own;
        }
    }
}

fn statements_of_another_form<N: Suite>() {
    let mut random = Random::new();
    let together = Together::<N>::all(&mut random).remove(0);
    let claims = together.mix(&mut random, false);
    let proof = together.prove(&Lies::default(), &claims);
    assert_eq!(together.verdict(&claims, &proof), Ok(()));
    assert_eq!(together.verdict(&[], &proof), Err(ProofError::NoClaims));
    let mut others = claims.clone();
    others[1].0 = 2;
    assert_eq!(together.verdict(&others, &proof), Err(ProofError::CommitmentIndex { claim: 1 }));
    // Another commitment, another order of claims, the commitments exchanged.
    let mut others = claims.clone();
    others[2].0 ^= 1;
    assert!(together.verdict(&others, &proof).is_err());
    let mut others = claims.clone();
    others.swap(0, 1);
    assert!(together.verdict(&others, &proof).is_err());
    let Together { mut settings, later } = together;
    settings.swap(0, 1);
    let mut others = claims;
    others.iter_mut().for_each(|claim| claim.0 ^= 1);
    assert!(Together { settings, later }.verdict(&others, &proof).is_err());
}

/// By the public interface, under the suites' tables.
fn registered_shapes<N: Suite>() {
    let mut random = Random::new();
    let (code, preset) = N::PRESETS[0];
    for sizes in [&[10, 10][..], &[11, 10, 12]] {
        let settings: Vec<Setting<N>> = sizes
            .iter()
            .map(|mu| {
                let shape = plain::registered::<N>(code, *mu).expect("registered");
                Setting::new(shape, (0..1 << mu).map(|_| random.u32()).collect())
            })
            .collect();
        let shapes: Vec<_> = settings.iter().map(|setting| &setting.shape).collect();
        let layout = Layout::batch(code, &shapes).expect("small");
        let claims: Vec<Numbered<N>> =
            settings.iter().map(|setting| setting.point(&mut random)).enumerate().collect();
        let committed: Vec<_> = settings.iter().map(|setting| (&setting.committed, code)).collect();
        let (mut transcript, suite) = (plain::Transcript::default(), suites::<N>()[0]);
        let lies = Lies::default();
        let wanted =
            sums::open_with(&lies, &mut transcript, suite, &layout, &committed, &claims, b"registered").0;
        on_every_backend(|backend| {
            let (commitments, data): (Vec<_>, Vec<_>) = settings
                .iter()
                .map(|setting| N::commit_registered(&Inline, preset, &setting.f).expect("registered"))
                .unzip();
            let all: Vec<_> = data.iter().collect();
            let opening = with_numbered_weights(&all, &claims, |weights| {
                ProverData::open_together(&all, weights, b"registered").expect("in the table")
            });
            assert!(opening.proof == wanted, "{}", backend.name());
            let verdict = |claims: &[Numbered<N>]| {
                with_numbered(claims, |claims| {
                    N::verify_registered_together(preset, &commitments, claims, &wanted, b"registered")
                })
            };
            assert_eq!(verdict(&claims), Ok(()), "{}", backend.name());
            let mut others = claims.clone();
            others[1].1 = claims[0].1.clone();
            assert!(verdict(&others).is_err());
        });
    }
}

fn polynomial(random: &mut Random, variables: u8) -> Vec<u32> {
    (0..1 << variables).map(|_| random.u32()).collect()
}

/// None, too many, of two presets, with proof of work, with samples.
#[test]
fn commitments_that_are_not_taken_together() {
    let mut random = Random::new();
    let f = polynomial(&mut random, 10);
    let z = vec![Gf128(3); 10];
    let (commitment, data) = ligerito::commit(Preset::Balanced, &f).expect("registered");
    let (work, with_work) = ligerito::commit(Preset::Compact, &f).expect("registered");
    let weights = [(0, Weight::Point(&z))];
    let open = |data: &[&ProverData<'_>]| ProverData::open_together(data, &weights, b"");
    let accepted = Accepted::up_to(&Preset::ALL, 30);
    let claim = (0, SumClaim::Point(EvaluationClaim { point: &z, value: Gf128(1) }));
    let verify = |commitments: &[ligerito::Commitment]| {
        ligerito::verify_together(&accepted, commitments, &[claim], &[], b"")
    };
    let refused = |data: &[&ProverData<'_>], commitments: &[ligerito::Commitment]| {
        assert_eq!(open(data).err(), Some(Error::Together));
        assert_eq!(verify(commitments), Err(ProofError::UnacceptedParams));
    };
    refused(&[], &[]);
    refused(&vec![&data; MAX_COMMITMENTS + 1], &vec![commitment; MAX_COMMITMENTS + 1]);
    refused(&[&data, &with_work], &[commitment, work]);
    refused(&[&with_work, &data], &[work, commitment]);
    refused(&[&with_work, &with_work], &[work, work]);
    // Only what is too large or of another size is left to say of these.
    assert_eq!(verify(&[commitment, commitment]), Err(ProofError::ProofLength));
    assert_eq!(verify(&[work]), Err(ProofError::ProofLength));
    assert!(open(&[&with_work]).is_ok(), "one alone is what it always was");
    let large = |variables| ligerito::Commitment::new(Preset::Balanced, variables, [0; 32]);
    let far = [Gf128(3); 30];
    let of_large = |commitments: &[ligerito::Commitment], variables: usize| {
        let point = &far[..variables];
        let claim = SumClaim::Point(EvaluationClaim { point, value: Gf128(1) });
        ligerito::verify_together(&accepted, commitments, &[(0, claim)], &[], b"")
    };
    assert_eq!(of_large(&[large(27); 4], 27), Err(ProofError::ProofLength));
    assert_eq!(of_large(&[large(28); 2], 28), Err(ProofError::UnacceptedParams));
    let no_such = [(2, Weight::Point(&z[..]))];
    let opened = ProverData::open_together(&[&data, &data], &no_such, b"");
    assert_eq!(opened.err(), Some(Error::CommitmentIndex { claim: 0 }));

    let z = vec![provable128::Gf192([3, 0, 0]); 10];
    let weights = [(0, Weight::Point(&z[..]))];
    let (sampled, data) = johnson128::commit(johnson128::Preset::Balanced, &f).expect("registered");
    assert_eq!(ProverData::open_together(&[&data, &data], &weights, b"").err(), Some(Error::Together));
    assert!(ProverData::open_together(&[&data], &weights, b"").is_ok());
    let accepted = johnson128::Accepted::up_to(&johnson128::Preset::ALL, 30);
    let claim = SumClaim::Point(EvaluationClaim { point: &z, value: z[0] });
    let verdict = johnson128::verify_together(&accepted, &[sampled; 2], &[(0, claim)], &[], b"");
    assert_eq!(verdict, Err(ProofError::UnacceptedParams));
    let other = provable128::commit(provable128::Preset::Balanced, &f).expect("registered").1;
    assert_eq!(ProverData::open_together(&[&other, &data], &weights, b"").err(), Some(Error::Together));
}

/// In a transcript of the caller's every commitment must have come before the claims about it.
#[test]
fn each_commitment_is_bound_before_its_claims() {
    let mut random = Random::new();
    let (f, g) = (polynomial(&mut random, 10), polynomial(&mut random, 11));
    let (of_f, data_f) = ligerito::commit(Preset::Balanced, &f).expect("registered");
    let (of_g, data_g) = ligerito::commit(Preset::Balanced, &g).expect("registered");
    let accepted = Accepted::up_to(&[Preset::Balanced], 11);
    let begin = || Transcript::<Gf128>::new("together", b"f and g");
    for late in [false, true] {
        let mut writer = ProofWriter::new(begin());
        writer.send_commitment(&of_f);
        if !late {
            writer.send_commitment(&of_g);
        }
        let z = writer.transcript().challenges("point", 11);
        if late {
            writer.send_commitment(&of_g);
        }
        let weights = [(0, Weight::Point(&z[..10])), (1, Weight::Point(&z))];
        let opened = ProverData::open_together_in(&[&data_f, &data_g], &mut writer, &weights, b"");
        if late {
            assert_eq!(opened.err(), Some(Error::LateCommitment { claim: 1 }));
            continue;
        }
        let values = opened.expect("both are bound");
        let (proof, _) = writer.finish();
        let mut reader = ProofReader::new(begin(), &proof);
        let mut receive = || reader.receive_commitment(&accepted).expect("sent");
        let commitments = [receive(), receive()];
        assert_eq!(reader.transcript().challenges("point", 11), z);
        let claim = |point, value| SumClaim::Point(EvaluationClaim { point, value });
        let claims = [(0, claim(&z[..10], values[0])), (1, claim(&z[..], values[1]))];
        let reader = ligerito::verify_together_in(reader, &accepted, &commitments, &claims, b"");
        assert!(reader.expect("true").finish().is_ok());
    }
}
