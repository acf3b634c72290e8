use super::*;
use crate::fields::binary::BinaryField;
use alloc::vec::Vec;

fn integer(value: &serde_json::Value) -> Gf128 {
    Gf128(u128::from_str_radix(value.as_str().expect("a string"), 16).expect("hexadecimal digits"))
}

/// The equality vector and the evaluation of the specification's example.
#[test]
fn example_of_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/ligerito-own/basics.json");
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let case = &serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["evaluate"];
    let list = |key: &str| case[key].as_array().expect("a list").iter().map(integer).collect::<Vec<_>>();
    let level = Level::current();
    let factors: Vec<_> = list("point").into_iter().map(Factor::Equal).collect();
    let equal = tensor(level, Gf128::ONE, &factors);
    assert_eq!(equal, list("eq"));
    let f: Vec<Gf32> = list("f").iter().map(|x| Gf32(u32::try_from(x.0).expect("32 bits"))).collect();
    let embedded: Vec<Gf128> = f.iter().map(|x| Gf128::from(*x)).collect();
    assert_eq!(inner(level, &embedded, &equal), integer(&case["value"]));
    assert_eq!(evaluate(level, &embedded, &factors), integer(&case["value"]));
    let mut sum = [Gf128(0)];
    combine_rows(level, &f, &equal, &mut sum);
    assert_eq!(sum[0], integer(&case["value"]));
    combine_columns(level, &f, &equal, &mut sum);
    assert_eq!(sum[0], integer(&case["value"]));
}
