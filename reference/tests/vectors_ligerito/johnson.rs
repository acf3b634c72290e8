//! The suite up to the Johnson radius: `section_e.json` made again byte for byte and refused as it says, the table of shapes, and
//! what each sample is for.

use phalanx_reference::ligerito::sums::{
    self, Claim, Committed34, Layout, Lies, Numbered, sample_point, suites, verify,
};
use phalanx_reference::ligerito::{
    Committed, Error, Generator, J192, Large, Level, Matrix, Shape, T, Transcript, commit, evaluate,
    registered,
};

use crate::json::{bytes, element, elements, level, list, number, text};
use crate::sums::{claim, load, name, text_of};

type Claims = Vec<Numbered<J192>>;

fn committed(shape: &Shape<J192>, random: &mut Generator) -> Committed<J192> {
    let f: Vec<u32> =
        (0..1 << shape.mu()).map(|_| u32::try_from(random.word() & 0xffff_ffff).unwrap()).collect();
    commit(shape, &f).unwrap()
}

fn judge(
    mut transcript: Transcript<J192>,
    commitment: &Committed34<J192>,
    claims: &Claims,
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    verify(&mut transcript, suites::<J192>()[1], std::slice::from_ref(commitment), claims, proof, ctx)
}

fn open(committed: &Committed<J192>, lies: &Lies<J192>, claims: &Claims, ctx: &[u8]) -> Vec<u8> {
    let suite = suites::<J192>()[1];
    let layout = Layout::of(&committed.shape);
    sums::open_with(lies, &mut Transcript::default(), suite, &layout, &[(committed, 4)], claims, ctx).0
}

#[test]
fn the_file() {
    let file = load("section_e.json");
    let cases = list(&file["cases"]);
    assert_eq!(cases.len(), 3);
    for case in cases {
        let later: Vec<Level> = case["later_levels"].as_array().unwrap().iter().map(level).collect();
        let sizes: Vec<u16> = list(&case["level0"]).iter().map(number).collect();
        let byte = |i: usize| u8::try_from(sizes[i]).unwrap();
        let first = Level { d: byte(0), k: byte(1), r: byte(2), queries: sizes[3], grind: 0 };
        let shape = Shape::test(first.d + first.k, &[&[first], &later[..]].concat()).unwrap();
        let committed = committed(&shape, &mut Generator(number(&case["seed"])));
        let (suite, ctx) = (text(case, "suite"), bytes(&case["ctx_hex"]));
        assert_eq!(suite, suites::<J192>()[1]);
        let commitment = Committed34::of(&committed, 4, suite);
        assert_eq!(commitment.to_bytes(), bytes(&case["commitment_hex"]));
        assert_eq!(sample_point(suite, &shape, &commitment.root), elements::<J192>(&case["z_star"]));

        let claims: Claims =
            list(&case["claims"]).iter().map(|value| claim(value, &value["values"])).collect();
        let proof = bytes(&case["proof_hex"]);
        assert_eq!(open(&committed, &Lies::default(), &claims, &ctx), proof, "{}", case["name"]);
        let squeezes = judge(Transcript::default(), &commitment, &claims, &proof, &ctx).unwrap();
        let listed = list(&case["squeezes"]).iter().map(|pair| (text_of(&pair[0]), bytes(&pair[1])));
        assert!(squeezes.into_iter().filter(|(label, _)| label != "query").eq(listed));
        for reject in list(&case["rejects"]) {
            let sample: J192 = element(&reject["y_star"]);
            let other = Committed34 { sample: Some(sample), ..commitment.clone() };
            let mut proof = proof.clone();
            if reject["proof_hex"].is_string() {
                proof = bytes(&reject["proof_hex"]);
            }
            if text(reject, "error") == "FinalClaim" {
                let lies = Lies { sample: sample ^ commitment.sample.unwrap(), ..Lies::default() };
                assert_eq!(
                    open(&committed, &lies, &claims, &ctx),
                    proof,
                    "the honest prover of a false sample"
                );
            }
            let error = judge(Transcript::default(), &other, &claims, &proof, &ctx).unwrap_err();
            assert_eq!(format!("{error:?}"), name(text(reject, "error")), "{}", reject["what"]);
        }
    }
}

#[test]
fn the_table() {
    let table = load("johnson128_shapes.json");
    let entries = list(&table["entries"]);
    assert_eq!(entries.len(), 21);
    for entry in entries {
        let shape = registered::<J192>(4, number(&entry["mu"])).unwrap();
        assert_eq!(shape.suite(), "ligerito-v2-johnson128");
        assert_eq!(shape.max_len(), number::<u64>(&entry["max_proof_bytes"]));
        assert_eq!(shape.final_len(), number::<usize>(&entry["final_len"]));
        assert_eq!(registered::<J192>(3, shape.mu()), None);
    }
}

fn two_levels() -> (Shape<J192>, Generator) {
    let level = |d, k, r, queries| Level { d, k, r, queries, grind: 0 };
    (Shape::test(6, &[level(4, 2, 2, 6), level(2, 2, 2, 5)]).unwrap(), Generator(77))
}

/// Up to the Johnson radius a tree may be near to several polynomials: here one whose rows are half of one encoding, half of
/// another. Either can be opened under its root, for some context; under root and sample, one.
#[test]
fn a_root_without_its_sample_does_not_bind() {
    let shape = Shape::test(5, &[Level { d: 2, k: 3, r: 3, queries: 3, grind: 0 }]).unwrap();
    let mut random = Generator(5);
    let [one, other] = [(); 2].map(|()| committed(&shape, &mut random));
    let rows = (0..32).map(|q| if q % 2 == 0 { &one } else { &other }.matrix.rows[q].clone()).collect();
    let matrix = Matrix::of_rows(T, rows);
    let z = random.elements::<J192>(5);
    let [one, other] = [one, other].map(|committed| Committed { matrix: matrix.clone(), ..committed });
    let suite = suites::<J192>()[1];
    // 58 bytes that name each of them.
    let [of_one, of_other] = [&one, &other].map(|committed| Committed34::of(committed, 4, suite));
    assert_eq!(of_one.root, of_other.root);
    assert_ne!(of_one.sample, of_other.sample);
    let opens = |committed: &Committed<J192>, under: &Committed34<J192>, ctx: u8| {
        let claims = vec![(0, Claim::Point(z.clone(), evaluate(&committed.polynomial, &z)))];
        let truth = Committed34::of(committed, 4, suite);
        let lies = Lies { sample: truth.sample.unwrap() ^ under.sample.unwrap(), ..Lies::default() };
        let proof = open(committed, &lies, &claims, &[ctx]);
        judge(Transcript::default(), under, &claims, &proof, &[ctx]).is_ok()
    };
    assert!((0..100).any(|ctx| opens(&one, &of_one, ctx)), "half of the rows are enough now and then");
    assert!((0..100).any(|ctx| opens(&other, &of_other, ctx)));
    assert!(!(0..100).any(|ctx| opens(&other, &of_one, ctx)));
}

/// A sample that is not bound makes a false value good: that of the commitment once gamma is known, that of level 1 once alpha
/// is.
#[test]
fn samples_that_are_not_bound() {
    let (shape, mut random) = two_levels();
    let committed = committed(&shape, &mut random);
    let suite = suites::<J192>()[1];
    let commitment = Committed34::of(&committed, 4, suite);
    let z = random.elements::<J192>(6);
    let wrong_by: J192 = random.element();
    let claims = vec![(0, Claim::Point(z.clone(), evaluate(&committed.polynomial, &z) ^ wrong_by))];
    let prove = |label| {
        let mut transcript = Transcript::deaf_to(Some(label));
        sums::open(&mut transcript, suite, &[(&committed, 4)], &claims, b"")
    };
    let verdict = |label, commitment: &Committed34<J192>, proof: &[u8]| {
        judge(Transcript::deaf_to(label), commitment, &claims, proof, b"").map(|_| ())
    };
    let squeezed = |squeezes: &[(String, Vec<u8>)], label| -> Vec<J192> {
        squeezes.iter().filter(|(of, _)| of == label).map(|(_, output)| J192::of_le(output)).collect()
    };

    let (proof, squeezes) = prove("commitments");
    let change = squeezed(&squeezes, "gamma")[0].times(wrong_by);
    let other = Committed34 { sample: commitment.sample.map(|sample| sample ^ change), ..commitment.clone() };
    assert_eq!(verdict(Some("commitments"), &other, &proof), Ok(()));
    assert_eq!(verdict(Some("commitments"), &commitment, &proof), Err(Error::FinalClaim));
    assert!(verdict(None, &other, &proof).is_err());

    let (mut proof, squeezes) = prove("ood-value");
    assert_eq!(verdict(Some("ood-value"), &commitment, &proof), Err(Error::FinalClaim));
    // A round multiplies what the sum is wrong by with its challenge.
    let folds = squeezed(&squeezes, "fold");
    let by_now = squeezed(&squeezes, "gamma")[0].times(wrong_by).times(folds[0]).times(folds[1]);
    let change = by_now.times(squeezed(&squeezes, "alpha")[0].inverse()).to_le();
    let place = 2 * 2 * 24 + 32;
    proof[place..place + 24].iter_mut().zip(change).for_each(|(byte, change)| *byte ^= change);
    assert_eq!(verdict(Some("ood-value"), &commitment, &proof), Ok(()));
    assert!(verdict(None, &commitment, &proof).is_err());
}
