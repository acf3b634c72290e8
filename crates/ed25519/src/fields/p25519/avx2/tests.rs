//! The four lanes against the portable field, and the proofs' extremes against integers.

use super::super::tests::engines::{agrees_with_portable, operations_agree};
use super::*;
use alloc::vec;

/// The engine, or a line that says it was not run.
#[expect(clippy::print_stdout, reason = "a backend that did not run is reported by name")]
fn four() -> Option<X4> {
    let witness = Avx2::detect();
    if witness.is_none() {
        std::println!("not run: avx2");
    }
    witness.map(X4)
}

/// [`X4`] with each operation compiled for AVX2 and FMA, as kernels have it; the tests around are not.
#[derive(Clone, Copy)]
struct Compiled(X4);

macro_rules! compiled {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[inline(never)]
            fn $name(self, $($argument: $type),*) -> $result {
                #[target_feature(enable = "avx2,fma")]
                fn entry(l: X4, $($argument: $type),*) -> $result {
                    l.$name($($argument),*)
                }
                // SAFETY: the engine holds the proof of AVX2 and FMA.
                unsafe { entry(self.0, $($argument),*) }
            }
        )*
    };
}

impl FieldLanes for Compiled {
    const COUNT: usize = 4;
    type Fe = Limbs;
    type Wide = Columns;
    compiled! {
        splat(element: &Element) -> Limbs;
        load(elements: &[Element]) -> Limbs;
        store(value: &Limbs, elements: &mut [Element]) -> ();
        mul(a: &Limbs, b: &Limbs) -> Columns;
        square(a: &Limbs) -> Columns;
        widen(a: &Limbs) -> Columns;
        add(a: Columns, b: Columns) -> Columns;
        sub(a: Columns, b: Columns) -> Columns;
        reduce(a: Columns) -> Limbs;
        select(mask: u8, clear: &Limbs, set: &Limbs) -> Limbs;
    }
}

fn doubles(x: __m256d) -> [f64; 4] {
    // SAFETY: both are four doubles.
    unsafe { core::mem::transmute(x) }
}

fn integers(x: __m256i) -> [i64; 4] {
    // SAFETY: both are 32 bytes without a forbidden value.
    unsafe { core::mem::transmute(x) }
}

fn vector(x: [f64; 4]) -> __m256d {
    // SAFETY: both are four doubles.
    unsafe { core::mem::transmute(x) }
}

fn columns(x: [[i64; 4]; 5]) -> Columns {
    // SAFETY: both are twenty 64-bit integers.
    Columns(x.map(|column| unsafe { core::mem::transmute::<[i64; 4], __m256i>(column) }))
}

/// The largest limb that `reduce` may leave.
const LIMB: f64 = ((1u64 << 50) + (1 << 14)) as f64;

#[test]
fn four_agree_with_portable() {
    if let Some(l) = four() {
        agrees_with_portable(Compiled(l));
    }
}

/// Limbs at the stated bound, all signs: the largest columns that products can make, and their sums of weight 4.
#[test]
fn the_largest_limbs_are_exact() {
    let Some(l) = four().map(Compiled) else { return };
    let signs = |pattern: usize, k: usize| if pattern >> k & 1 == 1 { -LIMB } else { LIMB };
    let limbs = |first: usize| -> Limbs {
        Limbs(core::array::from_fn(|k| vector(core::array::from_fn(|lane| signs((first + lane) % 32, k)))))
    };
    for i in (0..32).step_by(4) {
        for j in 0..32 {
            operations_agree(l, &limbs(i), &limbs(j));
            for wide in [l.mul(&limbs(i), &limbs(j)), l.square(&limbs(i))] {
                for column in wide.0.into_iter().flat_map(integers) {
                    assert!(column.unsigned_abs() < 1 << 58, "column {column} within the weight");
                }
            }
        }
    }
}

/// One factor with the largest canonical limbs, as tables have them, the other with the largest reduced ones.
#[test]
fn one_factor_may_be_canonical() {
    let Some(l) = four() else { return };
    let top = (1 << 51) - 1;
    for canonical in
        [Element([top; 5]), Element([top - 19, top, top, top, top]), Element([0, top, 0, top, 1])]
    {
        let b = l.canonical(canonical.0.map(|limb| vector([f64::from_bits(limb); 4])));
        for pattern in 0..32 {
            let sign = |k: usize| if pattern >> k & 1 == 1 { -LIMB } else { LIMB };
            let a = Limbs(core::array::from_fn(|k| vector([sign(k); 4])));
            let product = Compiled(l).mul(&a, &b);
            for column in product.0.into_iter().flat_map(integers) {
                assert!(column.unsigned_abs() < 1 << 58, "column {column} within the weight");
            }
            let (mut x, mut y) = ([Element::ZERO; 4], [Element::ZERO; 4]);
            l.store(&a, &mut x);
            l.store(&l.reduce(product), &mut y);
            assert_eq!(y[3].to_bytes(), x[3].mul(&canonical).to_bytes());
        }
    }
}

/// Both halves of a product, at and around every bound that the proof names.
#[test]
fn halves_are_exact() {
    let Some(_) = four() else { return };
    #[target_feature(enable = "avx2,fma")]
    fn halves(a: f64, b: f64) -> (i64, i64) {
        let [a, b, upper, both] = [a, b, UPPER, BOTH].map(|x| vector([x; 4]));
        let (lower, upper) = split(a, b, upper, both);
        let less = |x: __m256i, constant: f64| integers(x)[3].wrapping_sub(constant.to_bits().cast_signed());
        (less(lower, LOWER), less(upper, UPPER))
    }
    let two = |exponent: u32| (1u64 << exponent) as f64;
    let mut factors = vec![0.0, 1.0, 3.0, 19.0, two(25), two(26) - 1.0];
    for power in [50, 51] {
        for off in [-16385.0, -16384.0, -2.0, -1.0, 0.0, 1.0, 16384.0] {
            // Two factors of 2^51 are the largest product allowed.
            factors.push((two(power) + off).min(two(51)));
        }
    }
    for a in &factors {
        for b in &factors {
            for (a, b) in [(*a, *b), (-a, *b), (*a, -b), (-a, -b)] {
                // SAFETY: `four` found AVX2 and FMA.
                let (lower, upper) = unsafe { halves(a, b) };
                #[expect(clippy::cast_possible_truncation, reason = "integers below 2^52")]
                let product = a as i128 * b as i128;
                assert_eq!((i128::from(upper) << 51) + i128::from(lower), product, "{a} * {b}");
                assert!(lower.unsigned_abs() <= 1 << 50, "lower half {lower} of {a} * {b}");
            }
        }
    }
}

/// `reduce` at weight 4 and around every bound of a carry: the same value, and limbs within the bound.
#[test]
fn reduce_keeps_value_and_bound() {
    let Some(l) = four().map(Compiled) else { return };
    let weight_4 = 1i64 << 60;
    let mut cases = vec![weight_4, -weight_4, weight_4 - 1, 0, 1, -1];
    for bound in [1i64 << 50, 1 << 51, 3 << 50, (1 << 58) + (1 << 50)] {
        cases.extend([bound - 1, bound, bound + 1, -bound - 1, -bound, 1 - bound]);
    }
    let count = cases.len();
    for i in 0..count * count {
        let case = |k: usize, lane: usize| cases[(i / count + (i % count + lane) * k) % count];
        let input: [[i64; 4]; 5] = core::array::from_fn(|k| core::array::from_fn(|lane| case(k, lane)));
        let output = l.reduce(columns(input));
        for limb in output.0.into_iter().flat_map(doubles) {
            assert!(limb.abs() <= LIMB && limb.fract() == 0.0, "limb {limb} of {input:?}");
        }
        let mut stored = [Element::ZERO; 4];
        l.store(&output, &mut stored);
        for lane in 0..4 {
            // Non-negative columns for the portable engine: each plus 2^10 times a limb of 2 p.
            let lifted = core::array::from_fn(|k| {
                let two_p = ((1i64 << 52) - if k == 0 { 38 } else { 2 }) << 10;
                u64::try_from(input[k][lane] + two_p).expect("below 2^62 in magnitude")
            });
            let [low, high] = [0, 1].map(|half| {
                // Limbs below 2^54, in two parts: value = low + 2^32 high.
                let part = |limb: u64| if half == 0 { limb & 0xffff_ffff } else { limb >> 32 };
                Element(<[u64; 5]>::map(lifted, part))
            });
            let expected = low.add(&high.mul(&Element([1 << 32, 0, 0, 0, 0])));
            assert_eq!(stored[lane].to_bytes(), expected.to_bytes(), "lane {lane} of {input:?}");
        }
    }
}
