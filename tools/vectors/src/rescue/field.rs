//! `field.json`: every row against plain arithmetic in 128 bits and against the library's.

use crate::json::{Decimal, Object};
use crate::report::{Check, Recorder, same};
use phalanx::rescue::hazmat;
use serde::Deserialize;
use serde_json::json;

/// p = 2^64 - 2^32 + 1, here once more: what is checked does not say what is right.
pub(crate) const P: u64 = 18_446_744_069_414_584_321;

/// The exponent of the seventh root: 7 times it is 1 modulo p - 1.
pub(crate) const INV_ALPHA: u64 = 10_540_996_611_094_048_183;

/// Runs the file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    if let Some(value) = file.required(recorder, "modulus") {
        recorder.case_once("modulus", || {
            same("modulus", &value, &json!(P.to_string()))?;
            same("the library's modulus", hazmat::MODULUS, P)
        });
    }
    file.known(recorder, "binary_columns", json!(["a", "b", "a+b", "a-b", "a*b"]));
    file.note(recorder, "note");
    file.cases(recorder, "binary", binary);
    file.cases(recorder, "unary", unary);
}

/// x mod p.
pub(crate) fn reduced(x: u128) -> u64 {
    u64::try_from(x % u128::from(P)).expect("below p")
}

/// a b mod p, by division.
pub(crate) fn product(a: u64, b: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b))
}

/// a^exponent mod p.
pub(crate) fn power(a: u64, mut exponent: u64) -> u64 {
    let (mut square, mut result) = (a, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    result
}

/// The file's answer beside the plain one and the library's.
fn all(what: &str, wanted: Decimal<1>, plain: u64, ours: u64) -> Check {
    same(&format!("{what} in 128 bits"), plain, wanted.0[0])?;
    same(what, ours, wanted.0[0])
}

fn binary([a, b, sum, difference, mul]: &[Decimal<1>; 5]) -> Check {
    let ([a], [b]) = (a.0, b.0);
    let negative = u128::from(P - reduced(b.into()));
    all("a+b", *sum, reduced(u128::from(a) + u128::from(b)), hazmat::add(a, b))?;
    all("a-b", *difference, reduced(u128::from(a) + negative), hazmat::sub(a, b))?;
    all("a*b", *mul, product(a, b), hazmat::mul(a, b))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unary {
    a: Decimal<1>,
    canonical: Decimal<1>,
    neg: Decimal<1>,
    double: Decimal<1>,
    square: Decimal<1>,
    inv: Decimal<1>,
    pow7: Decimal<1>,
    root7: Decimal<1>,
    #[serde(rename = "montgomery_word_2^64")]
    montgomery: Decimal<1>,
}

fn unary(case: &Unary) -> Check {
    let [a] = case.a.0;
    let wide = u128::from(a);
    all("canonical", case.canonical, reduced(wide), hazmat::canonical(a))?;
    all("neg", case.neg, reduced(u128::from(P - reduced(wide))), hazmat::sub(0, a))?;
    all("double", case.double, reduced(2 * wide), hazmat::add(a, a))?;
    all("square", case.square, product(a, a), hazmat::mul(a, a))?;
    all("inv", case.inv, power(a, P - 2), hazmat::inverse(a))?;
    all("pow7", case.pow7, power(a, 7), hazmat::pow(a, 7))?;
    all("root7", case.root7, power(a, INV_ALPHA), hazmat::pow(a, INV_ALPHA))?;
    all("montgomery_word_2^64", case.montgomery, reduced(wide << 64), hazmat::mul(a, (1 << 32) - 1))
}

/// Words in decimal text, each one limb.
pub(crate) fn words(list: &[Decimal<1>]) -> Vec<u64> {
    list.iter().map(|word| word.0[0]).collect()
}

/// Words that the tests know to be hard for lanes: borrows and carries that random words never take.
pub(crate) const EDGES: [u64; 12] = [
    0,
    1,
    7,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    1 << 48,
    1 << 52,
    1 << 63,
    0xffff_fffe_0000_0001,
    P - 1,
    // Zero, not canonical.
    P,
];
