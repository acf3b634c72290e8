//! `section_ab.json`, `section_c.json` and `section_a3.json` of `vectors/ligerito-v2`: openings of points, tensors, planes and
//! described weights, of one polynomial or several, made again byte for byte, and refused where one byte or value is another. And
//! closing rounds, of which the first two have none.

use phalanx_reference::ligerito::planes::planes;
use phalanx_reference::ligerito::sums::described::described;
use phalanx_reference::ligerito::sums::{
    self, Claim, Committed34, Layout, Lies, Numbered, Tensor, Without, suites, verify, verify_without,
};
use phalanx_reference::ligerito::{
    Committed, Error, Generator, Large, Level, Shape, Transcript, commit, dot, eq, evaluate, tensor,
};
use serde_json::Value;

use crate::json::{Suite, bytes, element, elements, for_every_suite, level, list, number, text};

for_every_suite!(
    the_files,
    closing_rounds,
    closing_messages_that_are_not_bound,
    descriptions_that_are_not_bound,
    claims_of_another_form,
);

pub(crate) fn load(file: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ligerito-v2").join(file);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The claim of a case, with the values of another.
pub(crate) fn claim<N: Large>(claim: &Value, values: &Value) -> Numbered<N> {
    claim_of(claim, values, |_| panic!("a described weight has a polynomial"))
}

/// The same, where `mu` says of how many variables a commitment is.
fn claim_of<N: Large>(claim: &Value, values: &Value, mu: impl Fn(usize) -> u8) -> Numbered<N> {
    let values: Vec<N> = elements(values);
    let claimed = match number::<u8>(&claim["kind"]) {
        0 => Claim::Point(elements(&claim["point"]), values[0]),
        2 => {
            let description = bytes(&claim["description_hex"]);
            let table = described(&description, mu(number(&claim["commitment"]))).expect("a known name");
            Claim::Described(description, table, values[0])
        }
        3 => Claim::Planes(elements(&claim["point"]), values),
        kind => {
            assert_eq!(kind, 1);
            let tensor = |tensor: &Value| Tensor {
                scale: element(&tensor["scale"]),
                factors: list(&tensor["factors"])
                    .iter()
                    .map(|pair| (element(&pair[0]), element(&pair[1])))
                    .collect(),
            };
            Claim::Tensors(list(&claim["tensors"]).iter().map(tensor).collect(), values[0])
        }
    };
    (number(&claim["commitment"]), claimed)
}

/// Errors as the file calls them: of a root, the level and the commitment.
pub(crate) fn name(error: &str) -> &str {
    error.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// One commitment in a statement, or several.
fn the_files<N: Suite>() {
    let of_field = |file: &str| -> Vec<Value> {
        let cases = list(&load(file)["cases"]).to_vec();
        cases.into_iter().filter(|case| case["field_bits"] == N::FIELD.bits).collect()
    };
    let [one, several, described] = ["section_ab.json", "section_c.json", "section_a3.json"].map(of_field);
    let wanted = if N::FIELD.bits == 128 { (3, 3, 3) } else { (1, 1, 3) };
    assert_eq!((one.len(), several.len(), described.len()), wanted);
    one.iter().chain(&several).chain(&described).for_each(the_case::<N>);
}

fn the_case<N: Suite>(case: &Value) {
    let later: Vec<Level> = case["later_levels"].as_array().unwrap().iter().map(level).collect();
    let mut generator = Generator(number(&case["seed"]));
    let committed: Vec<Committed<N>> = list(&case["level0"])
        .iter()
        .map(|first| {
            let first: Vec<u16> = list(first).iter().map(number).collect();
            let byte = |i: usize| u8::try_from(first[i]).unwrap();
            let first = Level { d: byte(0), k: byte(1), r: byte(2), queries: first[3], grind: 0 };
            let shape = Shape::<N>::test(first.d + first.k, &[first]).unwrap();
            let words = (0..1 << shape.mu()).map(|_| u32::try_from(generator.word() & 0xffff_ffff).unwrap());
            commit(&shape, &words.collect::<Vec<u32>>()).unwrap()
        })
        .collect();
    let commitments: Vec<_> = committed.iter().flat_map(commitments).collect();
    let listed = list(&case["commitments_hex"]).iter().map(bytes);
    assert!(commitments.iter().map(Committed34::to_bytes).eq(listed));
    let shapes: Vec<_> = committed.iter().map(|committed| &committed.shape).collect();
    let layout = Layout::new(&shapes, &later);
    assert_eq!(layout.params_bytes(), bytes(&case["params_hex"]));

    let (suite, ctx) = (text(case, "suite"), bytes(&case["ctx_hex"]));
    assert_eq!(suite, suites::<N>()[1]);
    let mu = |a: usize| shapes[a].mu();
    let claims: Vec<Numbered<N>> =
        list(&case["claims"]).iter().map(|value| claim_of(value, &value["values"], mu)).collect();
    let judge = |claims: &[Numbered<N>], proof: &[u8]| {
        let mut transcript = Transcript::default();
        let nothing = Without::Nothing;
        verify_without(nothing, &mut transcript, suite, &layout, &commitments, claims, proof, &ctx)
    };
    let make = |claims: &[Numbered<N>]| {
        let committed: Vec<_> = committed.iter().map(|committed| (committed, 0)).collect();
        let mut transcript = Transcript::default();
        sums::open_with(&Lies::default(), &mut transcript, suite, &layout, &committed, claims, &ctx).0
    };
    let proof = bytes(&case["proof_hex"]);
    assert_eq!(make(&claims), proof, "{}", case["name"]);
    let squeezes = judge(&claims, &proof).unwrap();
    let listed = list(&case["squeezes"]).iter().map(|pair| (text_of(&pair[0]), bytes(&pair[1])));
    assert!(squeezes.into_iter().filter(|(label, _)| label != "query").eq(listed));
    for reject in list(&case["rejects"]) {
        let (mut claims, mut proof) = (claims.clone(), proof.clone());
        if let Some(number) = reject["claim"].as_u64() {
            let number = usize::try_from(number).unwrap();
            claims[number] = claim_of(&case["claims"][number], &reject["values"], mu);
        }
        if reject["proof_hex"].is_string() {
            proof = bytes(&reject["proof_hex"]);
            assert_eq!(make(&claims), proof, "the honest prover of a false claim");
        } else if reject["offset"].is_u64() {
            proof[number::<usize>(&reject["offset"])] ^= number::<u8>(&reject["xor"]);
        }
        let error = judge(&claims, &proof).unwrap_err();
        assert_eq!(format!("{error:?}"), name(text(reject, "error")), "{}", reject["what"]);
    }
}

pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn commitments<N: Large>(committed: &Committed<N>) -> Vec<Committed34<N>> {
    vec![Committed34::of(committed, 0, suites::<N>()[1])]
}

/// Tensors and their sum over the polynomial.
fn tensors<N: Suite>(random: &mut Generator, polynomial: &[N], count: usize) -> Claim<N> {
    let mu = polynomial.len().ilog2();
    let one = |random: &mut Generator| Tensor {
        scale: random.element::<N>(),
        factors: (0..mu).map(|_| (random.element::<N>(), random.element::<N>())).collect(),
    };
    let terms: Vec<Tensor<N>> = (0..count).map(|_| one(random)).collect();
    let sum = terms.iter().fold(N::default(), |sum, term| {
        sum ^ term.scale.times(dot(N::FIELD, polynomial, &tensor(N::FIELD, &term.factors)))
    });
    Claim::Tensors(terms, sum)
}

/// 129 tensors make the sumcheck go on to its end; 128 do not. A false value is refused by the last check alone.
fn closing_rounds<N: Suite>() {
    let mut random = Generator(99);
    let level = |d, k, r, queries, grind| Level { d, k, r, queries, grind };
    let suite = suites::<N>()[1];
    for levels in [&[level(2, 2, 2, 4, 0)][..], &[level(3, 2, 2, 4, 3), level(2, 1, 2, 5, 0)]] {
        let shape = Shape::<N>::test(levels[0].d + levels[0].k, levels).unwrap();
        let f: Vec<u32> = (0..1 << shape.mu()).map(|_| u32::try_from(random.word() >> 32).unwrap()).collect();
        let committed = commit(&shape, &f).unwrap();
        let commitments = commitments(&committed);
        let z = random.elements::<N>(shape.mu().into());
        let in_planes: Vec<Numbered<N>> =
            (0..3).map(|_| (0, Claim::Planes(z.clone(), planes(&f, &z)))).collect();
        let point = (0, Claim::Point(z.clone(), evaluate(&committed.polynomial, &z)));
        let open = |claims: &[Numbered<N>]| {
            sums::open(&mut Transcript::default(), suite, &[(&committed, 0)], claims, b"").0
        };
        let judge = |without, claims: &[Numbered<N>], proof: &[u8]| {
            let layout = Layout::new(&[&shape], &levels[1..]);
            let mut transcript = Transcript::default();
            verify_without(without, &mut transcript, suite, &layout, &commitments, claims, proof, b"")
                .map(|_| ())
        };
        let of = |count| {
            let sum = (0, tensors(&mut Generator(7), &committed.polynomial, count));
            [&in_planes[..], std::slice::from_ref(&point), &[sum]].concat()
        };
        // 3 x 32 planes, a point, and 31 or 32 tensors.
        let (few, many) = (of(31), of(32));
        let (short, long) = (open(&few), open(&many));
        assert_eq!(judge(Without::Nothing, &few, &short), Ok(()));
        assert_eq!(judge(Without::Nothing, &many, &long), Ok(()));
        assert!(judge(Without::Nothing, &many, &short).is_err());
        assert!(judge(Without::Nothing, &few, &long).is_err());

        let mut wrong = many.clone();
        wrong[3].1 = Claim::Point(z.clone(), random.element());
        let proof = open(&wrong);
        assert_eq!(judge(Without::Nothing, &wrong, &proof), Err(Error::FinalClaim));
        assert_eq!(judge(Without::Check(Error::FinalClaim, 0), &wrong, &proof), Ok(()));
    }
}

/// With challenges that do not depend on the messages, a false value is made good in the first closing one.
fn closing_messages_that_are_not_bound<N: Suite>() {
    let mut random = Generator(5);
    let (suite, size) = (suites::<N>()[1], N::FIELD.bytes());
    let shape = Shape::<N>::test(4, &[Level { d: 2, k: 2, r: 2, queries: 4, grind: 0 }]).unwrap();
    let f: Vec<u32> = (0..16).map(|_| u32::try_from(random.word() >> 32).unwrap()).collect();
    let committed = commit(&shape, &f).unwrap();
    let commitments = commitments(&committed);
    let (_, Claim::Tensors(terms, truth)) = (0, tensors(&mut random, &committed.polynomial, 129)) else {
        unreachable!("tensors are tensors")
    };
    let wrong_by: N = random.element();
    let claims = [(0, Claim::Tensors(terms, truth ^ wrong_by))];
    let (mut proof, squeezes) =
        sums::open(&mut Transcript::deaf_to(Some("round")), suite, &[(&committed, 0)], &claims, b"");
    let folds: Vec<N> =
        squeezes.iter().filter(|(label, _)| label == "fold").map(|(_, output)| N::of_le(output)).collect();
    // A round multiplies what the sum is wrong by with its challenge.
    let wrong_by = folds[..2].iter().fold(wrong_by, |wrong_by, &r| wrong_by.times(r));
    let change = wrong_by.times((N::one() ^ folds[2]).inverse()).to_le();
    let leading = 2 * size * 2 + size * 4 + size;
    proof[leading..leading + size].iter_mut().zip(change).for_each(|(byte, change)| *byte ^= change);
    let judge =
        |mut transcript| verify(&mut transcript, suite, &commitments, &claims, &proof, b"").map(|_| ());
    assert_eq!(judge(Transcript::deaf_to(Some("round"))), Ok(()));
    assert!(judge(Transcript::default()).is_err());
}

/// The attack of the specification on a transcript without descriptions: when all challenges are known the weight becomes another
/// one that is the same at them, so what is claimed is false, and accepted. Where descriptions are bound it is refused.
fn descriptions_that_are_not_bound<N: Suite>() {
    let mut random = Generator(6);
    let suite = suites::<N>()[1];
    let shape = Shape::<N>::test(4, &[Level { d: 2, k: 2, r: 2, queries: 4, grind: 0 }]).unwrap();
    let f: Vec<u32> = (0..16).map(|_| u32::try_from(random.word() >> 32).unwrap()).collect();
    let committed = commit(&shape, &f).unwrap();
    let commitments = commitments(&committed);
    let table: Vec<N> = random.elements(16);
    let y = dot(N::FIELD, &table, &committed.polynomial);
    for bound in [false, true] {
        let transcript = || if bound { Transcript::default() } else { Transcript::deaf_to(Some("claim")) };
        let claims = [(0, Claim::Described(b"one".to_vec(), table.clone(), y))];
        let (proof, squeezes) = sums::open(&mut transcript(), suite, &[(&committed, 0)], &claims, b"");
        let first =
            squeezes.iter().find(|(label, _)| *label == "fold").map(|(_, output)| N::of_le(output)).unwrap();
        let mut other = table.clone();
        other[6] ^= first;
        other[7] ^= N::one() ^ first;
        assert_ne!(dot(N::FIELD, &other, &committed.polynomial), y);
        let false_claims = [(0, Claim::Described(b"other".to_vec(), other, y))];
        let judge =
            |claims: &[Numbered<N>]| verify(&mut transcript(), suite, &commitments, claims, &proof, b"");
        assert!(judge(&claims).is_ok());
        assert_eq!(judge(&false_claims).is_ok(), !bound);
    }
}

fn claims_of_another_form<N: Suite>() {
    let shape = Shape::<N>::test(4, &[Level { d: 2, k: 2, r: 2, queries: 4, grind: 0 }]).unwrap();
    let f: Vec<u32> = (0..16).collect();
    let committed = commit(&shape, &f).unwrap();
    let commitments = commitments(&committed);
    let judge = |claims: &[Numbered<N>]| {
        let mut transcript = Transcript::default();
        verify(&mut transcript, suites::<N>()[1], &commitments, claims, &[], b"").unwrap_err()
    };
    let z = vec![N::one(); 4];
    let point = Claim::Point(z.clone(), N::one());
    let term = |len: usize| Tensor { scale: N::one(), factors: vec![(N::one(), N::one()); len] };
    assert_eq!(judge(&[]), Error::NoClaims);
    let planes = Claim::Planes(z.clone(), vec![N::one(); 32]);
    assert_eq!(judge(&vec![(0, planes.clone()); 2049]), Error::TooManyClaims);
    assert_eq!(judge(&[(0, point.clone()), (1, point)]), Error::CommitmentIndex);
    assert_eq!(judge(&[(0, Claim::Tensors(Vec::new(), N::one()))]), Error::ClaimBody);
    assert_eq!(judge(&[(0, Claim::Tensors(vec![term(4), term(3)], N::one()))]), Error::ClaimBody);
    assert_eq!(judge(&[(0, Claim::Point(z[1..].to_vec(), N::one()))]), Error::PointLength);
    assert_eq!(judge(&[(0, Claim::Planes(z[1..].to_vec(), vec![N::one(); 32]))]), Error::PointLength);
    assert_eq!(judge(&[(0, planes)]), Error::ProofLength);
    assert_eq!(eq(&z).len(), 16);
}
