//! Ligerito, stacks: polynomials of any sizes in one that is committed to. What is claimed of a part is what the plain version finds
//! for the part alone; false values, and values of another part, are refused.
use crate::support::{Fast, Suite, point, random_element, random_point};
use phalanx_ligerito::{
    Accepted, Error, EvaluationClaim, Gf128, Inline, Preset, ProofError, Stack, SumClaim, Tensor,
    TensorsClaim, Weight, value_of_planes, verify, verify_sums,
};
use phalanx_reference::ligerito::{self as plain, planes as plainly};
use phalanx_testing::Random;

const CONTEXT: &[u8] = b"stacks";

/// Lists of sizes: the smallest alone; many small ones, in no order; a power of two exactly; one that leaves nearly half.
const SIZES: [&[u8]; 6] =
    [&[4], &[0], &[4, 9, 5, 4, 0, 7, 9, 1, 6], &[9, 9], &[10, 4, 11, 4], &[3, 11, 9, 8, 9, 8]];

fn words(random: &mut Random, variables: u8) -> Vec<u32> {
    (0..1 << variables).map(|_| random.u32()).collect()
}

fn parts(random: &mut Random, sizes: &[u8]) -> Vec<Vec<u32>> {
    sizes.iter().map(|size| words(random, *size)).collect()
}

fn whole(stack: &Stack, parts: &[Vec<u32>]) -> Vec<u32> {
    let parts: Vec<&[u32]> = parts.iter().map(|part| &**part).collect();
    stack.polynomial(&parts).expect("of these sizes")
}

fn value(part: &[u32], z: &[u128]) -> u128 {
    let part: Vec<u128> = part.iter().map(|word| plain::phi(u128::from(*word))).collect();
    plain::evaluate(&part, z)
}

/// A point of every part, and the value there by the plain version.
fn claims(random: &mut Random, sizes: &[u8], parts: &[Vec<u32>]) -> Vec<(Vec<u128>, u128)> {
    let one = |(size, part): (&u8, &Vec<u32>)| {
        let z = random_point(random, *size);
        let y = value(part, &z);
        (z, y)
    };
    sizes.iter().zip(parts).map(one).collect()
}

fn points(stack: &Stack, claims: &[(Vec<u128>, u128)]) -> Vec<Vec<Gf128>> {
    let of =
        |(number, (z, _)): (usize, &(Vec<u128>, u128))| stack.point(number, &point(z)).expect("of the part");
    claims.iter().enumerate().map(of).collect()
}

/// Parts lie beside each other, each at a multiple of its length, and nothing else is in the whole.
#[test]
fn parts_are_aligned_and_apart() {
    let mut random = Random::new();
    let mut lists: Vec<Vec<u8>> = SIZES.map(<[u8]>::to_vec).to_vec();
    lists.extend((0..100).map(|i| (0..1 + i % 20).map(|_| random.u8() % 12).collect()));
    for sizes in lists {
        let stack = Stack::new(&sizes).expect("few");
        let parts = parts(&mut random, &sizes);
        let whole = whole(&stack, &parts);
        let sum: usize = sizes.iter().map(|size| 1 << size).sum();
        assert_eq!(whole.len(), sum.next_power_of_two().max(1 << 10), "{sizes:?}");
        assert_eq!((1 << stack.variables(), stack.parts()), (whole.len(), sizes.len()));
        let mut free = vec![true; whole.len()];
        for (number, part) in parts.iter().enumerate() {
            let range = stack.range(number).expect("it is there");
            assert!(range.start.is_multiple_of(part.len()), "{sizes:?} {number}");
            assert_eq!(whole[range.clone()], **part);
            free[range].iter_mut().for_each(|free| assert!(std::mem::take(free), "{sizes:?} {number}"));
        }
        assert_eq!(free.iter().take_while(|free| !**free).count(), sum, "no gap: {sizes:?}");
        assert!(free.iter().zip(&whole).all(|(free, word)| !free || *word == 0));
    }
}

/// Points of all parts in one proof.
#[test]
fn values_of_parts_are_those_of_the_whole() {
    let mut random = Random::new();
    for sizes in SIZES {
        let stack = Stack::new(sizes).expect("few");
        let parts = parts(&mut random, sizes);
        let whole = whole(&stack, &parts);
        let (commitment, data) = phalanx_ligerito::commit(Preset::Balanced, &whole).expect("registered");
        let claimed = claims(&mut random, sizes, &parts);
        let points = points(&stack, &claimed);
        let all: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
        let opening = data.open(&all, CONTEXT).expect("points of the whole");
        let values: Vec<u128> = opening.values.iter().map(|value| value.0).collect();
        assert!(values.iter().eq(claimed.iter().map(|(_, y)| y)), "{sizes:?}");

        let accepted = Accepted::exactly(Preset::Balanced, stack.variables());
        let judge = |values: &[u128], points: &[Vec<Gf128>]| {
            let claims = points.iter().zip(values);
            let claims = claims.map(|(point, value)| EvaluationClaim { point, value: Gf128(*value) });
            verify(&accepted, &commitment, &claims.collect::<Vec<_>>(), &opening.proof, CONTEXT)
        };
        assert_eq!(judge(&values, &points), Ok(()));
        // One value wrong; the point of one part taken for another of the same size.
        for number in 0..sizes.len() {
            let mut wrong = values.clone();
            wrong[number] ^= 1;
            assert!(judge(&wrong, &points).is_err(), "{sizes:?} {number}");
            let twin = (0..sizes.len()).find(|other| *other != number && sizes[*other] == sizes[number]);
            if let Some(twin) = twin {
                let mut wrong = points.clone();
                wrong[number] = stack.point(twin, &point(&claimed[number].0)).expect("as long");
                assert!(judge(&values, &wrong).is_err(), "{sizes:?} {number}");
            }
        }
    }
}

/// A prover who claims of each part in turn what is true of another one, and makes the proof as an honest one does.
#[test]
fn a_value_of_another_part_is_refused_by_the_last_check() {
    let mut random = Random::new();
    let sizes = [5, 4, 5, 4, 4];
    let stack = Stack::new(&sizes).expect("few");
    let parts = parts(&mut random, &sizes);
    let shape = plain::Shape::<u128>::test(10, &[plain::Level { d: 6, k: 4, r: 2, queries: 104, grind: 0 }]);
    let shape = shape.expect("the registered sizes");
    let committed = plain::commit(&shape, &whole(&stack, &parts)).expect("its length");
    for (number, other) in [(0, 2), (2, 0), (1, 3), (3, 4), (4, 1)] {
        let z = random_point(&mut random, sizes[number]);
        let of = |number| stack.point::<Gf128>(number, &point(&z)).expect("of the part");
        let (mine, y) = (of(number), value(&parts[other], &z));
        let integers: Vec<u128> = mine.iter().map(|x| x.0).collect();
        let claim = plain::sums::Claim::Point(integers, y);
        let mut transcript = plain::Transcript::default();
        let proof = plain::sums::open(
            &mut transcript,
            plain::sums::suites::<u128>()[1],
            &[(&committed, 0)],
            &[(0, claim)],
            CONTEXT,
        );
        let judge = |point: &[Gf128], proof: &[u8]| {
            let claim = SumClaim::Point(EvaluationClaim { point, value: Gf128(y) });
            let fast = crate::support::shape(&shape);
            let commitment = plain::sums::Committed34::of(&committed, 0, plain::sums::suites::<u128>()[1]);
            <u128 as Suite>::verify_sums(
                <u128 as Suite>::HAZMAT_SUMS,
                &fast,
                &commitment,
                &[claim],
                proof,
                CONTEXT,
            )
        };
        assert_eq!(judge(&mine, &proof.0), Err(ProofError::FinalClaim), "{number} {other}");
        // Of the other one it is true.
        let fast = crate::support::shape(&shape);
        let whole = whole(&stack, &parts);
        let data = <u128 as Suite>::commit(&Inline, &fast, &whole).expect("its length");
        let opening = data.open_sums(&[Weight::Point(&of(other))], CONTEXT).expect("of the whole");
        assert_eq!(opening.values, [Gf128(y)]);
        assert_eq!(judge(&of(other), &opening.proof), Ok(()));
    }
}

/// Tensors and planes of parts, too; and nothing is said of what fills the whole up.
#[test]
fn tensors_and_planes_of_parts() {
    let mut random = Random::new();
    let sizes = [4, 8, 6];
    let stack = Stack::new(&sizes).expect("few");
    let parts = parts(&mut random, &sizes);
    let mut whole = whole(&stack, &parts);
    whole[(1 << 10) - 1] = 0xdead_beef;
    let (commitment, data) = phalanx_ligerito::commit(Preset::Balanced, &whole).expect("registered");
    for (number, part) in parts.iter().enumerate() {
        let z = random_point::<u128>(&mut random, sizes[number]);
        let at = stack.point::<Gf128>(number, &point(&z)).expect("of the part");
        let orbit = data.orbit(&at).expect("of the whole");
        let wanted: Vec<u128> = plainly::planes(part, &z);
        assert!(orbit.planes().iter().map(|plane| plane.0).eq(wanted));

        let own: Vec<[Fast<u128>; 2]> = z
            .iter()
            .map(|_| [random_element::<u128>(&mut random).fast(), Gf128(random.u32().into())])
            .collect();
        let factors = stack.factors(number, &own).expect("of the part");
        let tensor = [Tensor { scale: Gf128(3), factors: &factors }];
        let pairs: Vec<(u128, u128)> = own.iter().map(|[zero, one]| (zero.0, one.0)).collect();
        let weights =
            plain::sums::Claim::Tensors(vec![plain::sums::Tensor { scale: 3_u128, factors: pairs }], 0);
        let words: Vec<u128> = part.iter().map(|word| plain::phi(u128::from(*word))).collect();
        let y = plain::dot(<u128 as plain::Large>::FIELD, &weights.expanded()[0].0, &words);

        let opening = data.open_sums(&[Weight::Tensors(&tensor), Weight::Planes(&orbit)], CONTEXT);
        let opening = opening.expect("of the whole");
        assert_eq!(opening.values[0], Gf128(y));
        assert_eq!(Ok(opening.values[1]), value_of_planes(&[], &images(), orbit.planes()));
        let accepted = Accepted::exactly(Preset::Balanced, 10);
        let judge = |value: u128| {
            let claims = [
                SumClaim::Tensors(TensorsClaim { tensors: &tensor, value: Gf128(value) }),
                SumClaim::Planes(phalanx_ligerito::PlanesClaim { point: &at, planes: orbit.planes() }),
            ];
            verify_sums(&accepted, &commitment, &claims, &opening.proof, CONTEXT)
        };
        assert_eq!(judge(y), Ok(()));
        assert!(judge(y ^ 1 << 77).is_err());
    }
}

/// What the bits of a word stand for.
fn images() -> Vec<Gf128> {
    (0..32).map(|i| Gf128(plain::phi(1_u128 << i))).collect()
}

#[test]
fn mistakes_of_who_stacks() {
    assert_eq!(Stack::new(&[]), Err(Error::StackSizes));
    assert_eq!(Stack::new(&[31]), Err(Error::StackSizes));
    assert_eq!(Stack::new(&[255, 4]), Err(Error::StackSizes));
    assert_eq!(Stack::new(&[30]).map(|stack| stack.variables()), Ok(30));
    assert_eq!(Stack::new(&[29, 29]).map(|stack| stack.variables()), Ok(30));
    assert_eq!(Stack::new(&[29, 0, 29]), Err(Error::StackSizes));
    assert_eq!(Stack::new(&[30; 100]), Err(Error::StackSizes));

    let stack = Stack::new(&[4, 5]).expect("few");
    let (short, long) = ([1; 16], [2; 32]);
    let got = stack.polynomial(&[&short]);
    assert_eq!(got, Err(Error::StackedPolynomials { got: 1, wanted: 2 }));
    let got = stack.polynomial(&[&long, &short]);
    assert_eq!(got, Err(Error::StackedLength { number: 0, got: 32, wanted: 16 }));
    assert_eq!(stack.range(2), Err(Error::NotStacked { number: 2, of: 2 }));
    assert_eq!(stack.point(2, &[Gf128(1); 5]), Err(Error::NotStacked { number: 2, of: 2 }));
    let got = stack.point(1, &[Gf128(1); 4]);
    assert_eq!(got, Err(Error::PointLength { claim: 1, got: 4, wanted: 5 }));
    let got = stack.factors(0, &[[Gf128(1); 2]; 5]);
    assert_eq!(got, Err(Error::PointLength { claim: 0, got: 5, wanted: 4 }));
    for (error, text) in [
        (Error::StackSizes, "a stack has at least one polynomial, and at most 2^30 coefficients"),
        (Error::StackedPolynomials { got: 1, wanted: 2 }, "the stack is of 2 polynomials, got 1"),
        (
            Error::StackedLength { number: 0, got: 32, wanted: 16 },
            "polynomial 0 of the stack has 32 coefficients, wanted 16",
        ),
        (Error::NotStacked { number: 2, of: 2 }, "there is no polynomial 2 in a stack of 2"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}
