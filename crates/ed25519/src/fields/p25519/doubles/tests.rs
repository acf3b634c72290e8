//! The lanes against the portable field, and the proofs' extremes against integers.
#![expect(unsafe_code, reason = "the entry into compiled operations, on the strength of a witness")]

use super::super::tests::engines::{agrees_with_portable, operations_agree};
use super::*;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::{Avx2, Avx512};

/// [`Doubles`] with each operation compiled for the instructions, as kernels have it; the tests around are not.
#[derive(Clone, Copy)]
struct Compiled<V>(Doubles<V>);

macro_rules! compiled {
    ($witness:ty, $features:literal: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl FieldLanes for Compiled<$witness> {
            const COUNT: usize = <$witness>::COUNT;
            type Fe = Limbs<$witness>;
            type Wide = Columns<$witness>;
            $(
                #[inline(never)]
                fn $name(self, $($argument: $type),*) -> $result {
                    #[target_feature(enable = $features)]
                    fn entry(l: Doubles<$witness>, $($argument: $type),*) -> $result {
                        l.$name($($argument),*)
                    }
                    // SAFETY: the engine holds the proof of the instructions.
                    unsafe { entry(self.0, $($argument),*) }
                }
            )*
        }

        impl Halves for $witness {
            fn halves(self, a: f64, b: f64) -> (i64, i64) {
                #[target_feature(enable = $features)]
                fn entry(v: $witness, a: f64, b: f64) -> (i64, i64) {
                    let mut sum = Sum::new(v);
                    let Sum { columns: [low, high, ..], constants } = &mut sum;
                    v.add_product(&v.double(a), &v.double(b), constants, low, high);
                    let [lower, upper] = [*low, *high].map(|x| integers(v, x)[3]);
                    let less = |x: i64, constant: f64| x.wrapping_sub(constant.to_bits().cast_signed());
                    (less(lower, LOWER), less(upper, UPPER))
                }
                // SAFETY: `self` is the proof of the instructions.
                unsafe { entry(self, a, b) }
            }
        }
    };
    ($witness:ty, $features:literal) => {
        compiled! { $witness, $features:
            splat(element: &Element) -> Limbs<$witness>;
            load(elements: &[Element]) -> Limbs<$witness>;
            store(value: &Limbs<$witness>, elements: &mut [Element]) -> ();
            mul(a: &Limbs<$witness>, b: &Limbs<$witness>) -> Columns<$witness>;
            square(a: &Limbs<$witness>) -> Columns<$witness>;
            widen(a: &Limbs<$witness>) -> Columns<$witness>;
            add(a: Columns<$witness>, b: Columns<$witness>) -> Columns<$witness>;
            sub(a: Columns<$witness>, b: Columns<$witness>) -> Columns<$witness>;
            reduce(a: Columns<$witness>) -> Limbs<$witness>;
            select(mask: u8, clear: &Limbs<$witness>, set: &Limbs<$witness>) -> Limbs<$witness>;
        }
    };
}

compiled! { Avx2, "avx2,fma" }
compiled! { Avx512, "avx2,fma,avx512f,avx512dq" }

/// [`Vectors::add_product`], compiled for the instructions, of a b in lane 3, less the constants.
trait Halves: Vectors {
    fn halves(self, a: f64, b: f64) -> (i64, i64);
}

/// The body of a test, with every set of vectors that this CPU has.
macro_rules! on_every_vector {
    ($($(#[$attribute:meta])* fn $name:ident = $body:ident;)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            match Avx2::detect() {
                Some(witness) => $body(Compiled(Doubles(witness))),
                None => std::println!("not run: avx2"),
            }
            match Avx512::detect() {
                Some(witness) => $body(Compiled(Doubles(witness))),
                None => std::println!("not run: avx512"),
            }
        }
    )*};
}

on_every_vector! {
    fn lanes_agree_with_portable = agrees_with_portable;
    /// Limbs at the stated bound, all signs: the largest columns that products can make, and their sums of weight 4.
    fn the_largest_limbs_are_exact = largest_limbs;
    /// One factor with the largest canonical limbs, as tables have them, the other with the largest reduced ones.
    fn one_factor_may_be_canonical = canonical_factor;
    /// Both halves of a product, at and around every bound that the proof names.
    fn halves_are_exact = exact_halves;
    /// `reduce` at weight 4 and around every bound of a carry: the same value, and limbs within the bound.
    fn reduce_keeps_value_and_bound = reduced;
}

fn integers<V: Vectors>(v: V, x: V::Integers) -> Vec<i64> {
    let mut row = [0; MAX_LANES];
    v.store(x, &mut row);
    row[..V::COUNT].to_vec()
}

fn doubles<V: Vectors>(v: V, x: V::Doubles) -> Vec<f64> {
    integers(v, v.bits(x)).into_iter().map(|bits| f64::from_bits(bits.cast_unsigned())).collect()
}

/// `lanes(i)` in lane `i`.
fn vector<V: Vectors>(v: V, lanes: impl Fn(usize) -> f64) -> V::Doubles {
    v.of_bits(v.load(&core::array::from_fn(|lane| lanes(lane).to_bits().cast_signed())))
}

/// The largest columns of a product or square.
fn assert_weight_1<V: Vectors>(v: V, wide: &Columns<V>) {
    for column in Doubles(v).settled(*wide).into_iter().flat_map(|column| integers(v, column)) {
        assert!(column.unsigned_abs() < 1 << 58, "column {column} within the weight");
    }
}

/// The largest limb that `reduce` may leave.
const LIMB: f64 = ((1u64 << 50) + (1 << 14)) as f64;

fn largest_limbs<V: Vectors>(l: Compiled<V>)
where
    Compiled<V>: FieldLanes<Fe = Limbs<V>, Wide = Columns<V>>,
{
    let v = l.0.0;
    let signs = |pattern: usize, k: usize| if pattern >> k & 1 == 1 { -LIMB } else { LIMB };
    let limbs = |first: usize| -> Limbs<V> {
        Limbs(core::array::from_fn(|k| vector(v, |lane| signs((first + lane) % 32, k))))
    };
    for i in (0..32).step_by(V::COUNT) {
        for j in 0..32 {
            operations_agree(l, &limbs(i), &limbs(j));
            for wide in [l.mul(&limbs(i), &limbs(j)), l.square(&limbs(i))] {
                assert_weight_1(v, &wide);
            }
        }
    }
}

fn canonical_factor<V: Vectors>(l: Compiled<V>)
where
    Compiled<V>: FieldLanes<Fe = Limbs<V>, Wide = Columns<V>>,
{
    let v = l.0.0;
    let top = (1 << 51) - 1;
    for canonical in
        [Element([top; 5]), Element([top - 19, top, top, top, top]), Element([0, top, 0, top, 1])]
    {
        let b = l.0.canonical(canonical.0.map(|limb| v.double(f64::from_bits(limb))));
        for pattern in 0..32 {
            let sign = |k: usize| if pattern >> k & 1 == 1 { -LIMB } else { LIMB };
            let a = Limbs(core::array::from_fn(|k| v.double(sign(k))));
            let product = l.mul(&a, &b);
            assert_weight_1(v, &product);
            let (mut x, mut y) = ([Element::ZERO; MAX_LANES], [Element::ZERO; MAX_LANES]);
            l.store(&a, &mut x);
            l.store(&l.reduce(product), &mut y);
            assert_eq!(y[3].to_bytes(), x[3].mul(&canonical).to_bytes());
        }
    }
}

fn exact_halves<V: Halves>(l: Compiled<V>) {
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
                let (lower, upper) = l.0.0.halves(a, b);
                #[expect(clippy::cast_possible_truncation, reason = "integers below 2^52")]
                let product = a as i128 * b as i128;
                assert_eq!((i128::from(upper) << 51) + i128::from(lower), product, "{a} * {b}");
                assert!(lower.unsigned_abs() <= 1 << 50, "lower half {lower} of {a} * {b}");
            }
        }
    }
}

fn reduced<V: Vectors>(l: Compiled<V>)
where
    Compiled<V>: FieldLanes<Fe = Limbs<V>, Wide = Columns<V>>,
{
    let v = l.0.0;
    let weight_4 = 1i64 << 60;
    let mut cases = vec![weight_4, -weight_4, weight_4 - 1, 0, 1, -1];
    for bound in [1i64 << 50, 1 << 51, 3 << 50, (1 << 58) + (1 << 50)] {
        cases.extend([bound - 1, bound, bound + 1, -bound - 1, -bound, 1 - bound]);
    }
    let count = cases.len();
    for i in 0..count * count {
        let case = |k: usize, lane: usize| cases[(i / count + (i % count + lane) * k) % count];
        let input: [[i64; MAX_LANES]; 5] =
            core::array::from_fn(|k| core::array::from_fn(|lane| case(k, lane)));
        let output = l.reduce(Columns { sums: input.map(|row| v.load(&row)), surplus: [0; 5] });
        for limb in output.0.into_iter().flat_map(|limb| doubles(v, limb)) {
            assert!(limb.abs() <= LIMB && limb.fract() == 0.0, "limb {limb} of {input:?}");
        }
        let mut stored = [Element::ZERO; MAX_LANES];
        l.store(&output, &mut stored);
        for lane in 0..V::COUNT {
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
