//! Ligerito, described weights: any function on the cube, written outside of the crate. What a verifier cannot see to, and what it
//! does; the claims themselves are also among those of `sums` and `together`.
use crate::sums::{Setting, check};
use crate::support::{Fast, Suite, for_every_suite, plain_shape, point, random_nonzero, random_point, shape};
use phalanx_ligerito::{
    self as ligerito, Accepted, DescribedClaim, Gf128, Inline, Preset, ProofError, PublicWeight, SumClaim,
    Weight,
};
use phalanx_reference::ligerito as plain;
use phalanx_reference::ligerito::sums::{Claim, Lies};
use phalanx_testing::Random;
use std::borrow::Cow;
use std::sync::Mutex;

for_every_suite!(
    each on every backend,
    also johnson128,
    described_as_plainly,
    liars_about_a_described_weight,
    two_weights_of_one_description,
    a_description_is_bound,
    a_table_that_is_not_the_extension,
);

/// A weight that is its table.
pub(crate) struct Table<N> {
    pub(crate) description: Vec<u8>,
    pub(crate) table: Vec<N>,
}

impl<N: Suite + Sync> PublicWeight<Fast<N>> for Table<N> {
    fn description(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.description)
    }

    fn fill(&self, table: &mut [Fast<N>], from: u64) {
        let from = usize::try_from(from).expect("small");
        assert!(table.len().is_power_of_two() && from.is_multiple_of(table.len()));
        table.iter_mut().zip(&self.table[from..]).for_each(|(out, weight)| *out = weight.fast());
    }

    fn evaluate(&self, point: &[Fast<N>]) -> Fast<N> {
        let point: Vec<N> = point.iter().copied().map(N::of_fast).collect();
        plain::evaluate(&self.table, &point).fast()
    }
}

fn described_as_plainly<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        let one = setting.described(&mut random);
        check(&setting, std::slice::from_ref(&one), b"alone");
        // The weight twice; a weight that is zero; others between them.
        let zero = Claim::Described(b"zero".to_vec(), vec![N::default(); setting.f.len()], N::default());
        let others =
            [setting.planes(&mut random), setting.tensors(&mut random, 2), setting.point(&mut random)];
        let all = [&[one.clone(), zero][..], &others, &[setting.described(&mut random), one]].concat();
        check(&setting, &all, b"all");
    }
}

/// Weights that are made in pieces, and rounds about more entries than a job takes.
#[test]
fn longer_than_a_piece() {
    let mut random = Random::new();
    let shape = plain_shape::<u128>(&[(6, 8, 1, 8, 0), (4, 2, 2, 8, 0)]);
    let setting = Setting::new(shape, (0..1 << 14).map(|_| random.u32()).collect());
    let claims = [setting.described(&mut random), setting.point(&mut random), setting.described(&mut random)];
    check(&setting, &claims, b"pieces");
}

/// A false value, and a final vector made for it.
fn liars_about_a_described_weight<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        let Claim::Described(description, table, y) = setting.described(&mut random) else { unreachable!() };
        let claims = [
            Claim::Described(description, table, y ^ random_nonzero(&mut random)),
            setting.point(&mut random),
        ];
        let proof = setting.prove(&Lies::default(), &claims);
        setting.dies_only_by(ProofError::FinalClaim, 0, &claims, &proof);
        let proof = setting.prove(&Lies { final_vector: true, ..Lies::default() }, &claims);
        setting.dies_only_by(ProofError::FinalRow { position: 0 }, 0, &claims, &proof);
    }
}

/// A weight that notes where it is evaluated.
struct Noting<N> {
    weight: Table<N>,
    points: Mutex<Vec<Vec<N>>>,
}

impl<N: Suite + Sync> PublicWeight<Fast<N>> for Noting<N> {
    fn description(&self) -> Cow<'_, [u8]> {
        self.weight.description()
    }

    fn fill(&self, table: &mut [Fast<N>], from: u64) {
        self.weight.fill(table, from);
    }

    fn evaluate(&self, point: &[Fast<N>]) -> Fast<N> {
        self.points.lock().expect("one thread").push(point.iter().copied().map(N::of_fast).collect());
        self.weight.evaluate(point)
    }
}

fn judge<N: Suite>(
    setting: &Setting<N>,
    weight: &dyn PublicWeight<Fast<N>>,
    value: N,
    proof: &[u8],
) -> Result<(), ProofError> {
    let claim = SumClaim::Described(DescribedClaim { weight, value: value.fast() });
    N::verify_sums(N::HAZMAT_SUMS, &shape(&setting.shape), &setting.commitment, &[claim], proof, b"context")
}

/// What the caller has to see to, first: the description determines the weight. Here it does not, and once all challenges are known
/// the weight becomes another one that is the same at them: what is claimed is false, and accepted. With a description of its own
/// the other weight is refused.
fn two_weights_of_one_description<N: Suite>() {
    let mut random = Random::new();
    for setting in Setting::<N>::both(&mut random) {
        let claim = setting.described(&mut random);
        let proof = setting.prove(&Lies::default(), std::slice::from_ref(&claim));
        let Claim::Described(description, table, y) = claim else { unreachable!("described") };
        let noting = Noting { weight: Table { description, table }, points: Mutex::new(Vec::new()) };
        assert_eq!(judge(&setting, &noting, y, &proof), Ok(()));
        let Noting { weight: Table { description, mut table }, points } = noting;
        let points = points.into_inner().expect("one thread");
        assert_eq!(
            (points.len(), points[0].len()),
            (1, usize::from(setting.shape.mu())),
            "once, at one point"
        );

        let r = points[0][0];
        table[0] ^= r;
        table[1] ^= N::one() ^ r;
        assert_ne!(plain::dot(N::FIELD, &table, &setting.committed.polynomial), y, "the claim is false");
        let mut other = Table { description, table };
        assert_eq!(judge(&setting, &other, y, &proof), Ok(()));
        other.description.push(1);
        assert!(judge(&setting, &other, y, &proof).is_err());
    }
}

/// Any other bytes, and the same bytes as the body of another kind of claim.
fn a_description_is_bound<N: Suite>() {
    let mut random = Random::new();
    let [_, setting] = Setting::<N>::both(&mut random);
    let z = random_point::<N>(&mut random, setting.shape.mu());
    let (table, y) = (plain::eq(&z), plain::evaluate(&setting.committed.polynomial, &z));
    // The body of the claim about the point z.
    let claim = Claim::Described(plain::large_bytes(&z), table, y);
    let proof = setting.prove(&Lies::default(), std::slice::from_ref(&claim));
    assert_eq!(setting.verdict(std::slice::from_ref(&claim), &proof), Ok(()));
    assert!(setting.verdict(&[Claim::Point(z, y)], &proof).is_err());
    let Claim::Described(description, table, y) = claim else { unreachable!("described") };
    for change in 0..3 {
        let mut other = description.clone();
        match change {
            0 => other[0] ^= 1,
            1 => other.push(0),
            _ => drop(other.pop()),
        }
        let claim = Claim::Described(other, table.clone(), y);
        assert!(setting.verdict(&[claim], &proof).is_err(), "{change}");
    }
}

/// What the caller has to see to, third: `fill` gives the table that `evaluate` extends. Else an honest proof is refused.
fn a_table_that_is_not_the_extension<N: Suite>() {
    let mut random = Random::new();
    let [setting, _] = Setting::<N>::both(&mut random);
    let claim = setting.described(&mut random);
    let proof = setting.prove(&Lies::default(), std::slice::from_ref(&claim));
    let Claim::Described(description, mut table, y) = claim else { unreachable!("described") };
    table[5] ^= N::one();
    assert_eq!(judge(&setting, &Table { description, table }, y, &proof), Err(ProofError::FinalClaim));
}

/// W(x) = eq(z, x + 1), where 0 follows the last x: the sum is the value at z of the polynomial rotated by one place.
struct Successor<'z>(&'z [Gf128]);

impl PublicWeight for Successor<'_> {
    fn description(&self) -> Cow<'_, [u8]> {
        let z = self.0.iter().flat_map(|z| z.0.to_le_bytes());
        Cow::Owned(b"test: successor".iter().copied().chain(z).collect())
    }

    fn fill(&self, table: &mut [Gf128], from: u64) {
        let equal = |x: u64| {
            let bits = self.0.iter().enumerate();
            bits.fold(Gf128(1), |product, (j, z)| product * (*z + Gf128(u128::from(!x >> j & 1))))
        };
        table.iter_mut().zip(from..).for_each(|(weight, x)| *weight = equal(x + 1));
    }

    /// Bit by bit from the lowest, with what there is as long as a carry goes on, and without one.
    fn evaluate(&self, point: &[Gf128]) -> Gf128 {
        let (mut carry, mut none) = (Gf128(1), Gf128(0));
        for (z, x) in self.0.iter().zip(point) {
            none = none * (Gf128(1) + *z + *x) + carry * *z * (Gf128(1) + *x);
            carry = carry * (Gf128(1) + *z) * *x;
        }
        carry + none
    }
}

/// By the public interface, under a registered shape.
#[test]
fn a_weight_written_outside() {
    let mut random = Random::new();
    let f: Vec<u32> = (0..1 << 10).map(|_| random.u32()).collect();
    let (commitment, data) = ligerito::commit(Preset::Balanced, &f).expect("registered");
    let z = random_point::<u128>(&mut random, 10);
    let fast = point(&z);
    let weight = Successor(&fast);
    // The weight of f(x) is that of place x + 1.
    let mut rotated: Vec<u128> = f.iter().map(|word| plain::phi(u128::from(*word))).collect();
    rotated.rotate_right(1);
    let y = plain::evaluate(&rotated, &z);

    let opening = data.open_sums(&[Weight::Point(&fast), Weight::Described(&weight)], b"").expect("weights");
    assert_eq!(opening.values[1], Gf128(y));
    let accepted = Accepted::exactly(Preset::Balanced, 10);
    let judge = |value| {
        let claims = [
            SumClaim::Point(ligerito::EvaluationClaim { point: &fast, value: opening.values[0] }),
            SumClaim::Described(DescribedClaim { weight: &weight, value }),
        ];
        ligerito::verify_sums(&accepted, &commitment, &claims, &opening.proof, b"")
    };
    assert_eq!(judge(Gf128(y)), Ok(()));
    assert!(judge(Gf128(y ^ 1)).is_err());
    // Two are equal if their descriptions are.
    let (one, other) = (
        Weight::Described(&weight),
        SumClaim::Described(DescribedClaim { weight: &weight, value: Gf128(1) }),
    );
    assert!(format!("{one:?}").contains("PublicWeight"));
    assert_eq!(other, SumClaim::Described(DescribedClaim { weight: &Successor(&fast), value: Gf128(1) }));
    assert_ne!(
        other,
        SumClaim::Described(DescribedClaim { weight: &Successor(&fast[1..]), value: Gf128(1) })
    );
}

/// A weight is asked for all of its values twice, in pieces that are whole and zero.
#[test]
fn a_weight_is_asked_twice() {
    struct Counting(Mutex<Vec<u32>>);

    impl PublicWeight for Counting {
        fn description(&self) -> Cow<'_, [u8]> {
            Cow::Borrowed(b"test: counting")
        }

        fn fill(&self, table: &mut [Gf128], from: u64) {
            assert!(table.iter().all(|weight| *weight == Gf128(0)));
            let mut asked = self.0.lock().expect("no panic");
            let from = usize::try_from(from).expect("small");
            asked[from..from + table.len()].iter_mut().for_each(|times| *times += 1);
        }

        fn evaluate(&self, _: &[Gf128]) -> Gf128 {
            Gf128(0)
        }
    }

    let f: Vec<u32> = (0..1 << 15).collect();
    let (_, data) = ligerito::commit_on(&Inline, Preset::Balanced, &f).expect("registered");
    let weight = Counting(Mutex::new(vec![0; f.len()]));
    let opening = data.open_sums(&[Weight::Described(&weight)], b"").expect("a weight");
    assert_eq!(opening.values, [Gf128(0)]);
    assert!(weight.0.into_inner().expect("no panic").iter().all(|times| *times == 2));
}
