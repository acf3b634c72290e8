//! The parts against the vectors of the published crate and of our own suite.

use super::fields::{Field, MAX_LOG2_POINTS, equal, evaluate};
use super::trees::{Hashing, row_hash_ref_v08, work};
use crate::Gf128;
use alloc::vec::Vec;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn json(path: &str) -> Value {
    let path = std::format!("{}/../../vectors/{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are there")).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn integer(value: &Value) -> u128 {
    u128::from_str_radix(text(value), 16).expect("digits")
}

fn integers(value: &Value) -> Vec<u128> {
    value.as_array().expect("a list").iter().map(integer).collect()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("small")
}

fn field(case: &Value) -> Field {
    match case["field"].as_u64() {
        Some(bits) => Field::ALL.into_iter().find(|field| u64::from(field.bits()) == bits),
        None => Field::from_name(text(&case["field"])),
    }
    .expect("a field")
}

fn digest(value: &Value) -> [u8; 32] {
    hex::decode(text(value)).expect("digits").try_into().expect("32 bytes")
}

fn digests(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().expect("a list").iter().map(digest).collect()
}

/// Elements drawn by xorshift64.
fn drawn(field: Field, seed: &Value, len: usize) -> Vec<u128> {
    let mut x = u64::try_from(integer(seed)).expect("64 bits");
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        u128::from(x)
    };
    let mut element = || match field {
        Field::Gf16 => next() & 0xffff,
        Field::Gf32 => next() & 0xffff_ffff,
        Field::Gf128 => next() << 64 | next(),
    };
    (0..len).map(|_| element()).collect()
}

/// Elements written out, or their digest with the first four and the last two.
fn assert_elements(field: Field, got: &[u128], case: &Value, key: &str, short: &str) {
    if case[key].is_null() {
        let bytes = field.to_le_bytes(got).expect("elements of the field");
        assert_eq!(hex::encode(Sha256::digest(bytes)), text(&case[std::format!("{short}_sha256")]));
        if let Some(first) = case.get(std::format!("{short}_first4")) {
            assert_eq!(got[..4], integers(first));
            assert_eq!(got[got.len() - 2..], integers(&case[std::format!("{short}_last2")]));
        }
    } else {
        assert_eq!(got, integers(&case[key]));
    }
}

#[test]
fn transforms_and_twiddles() {
    let file = json("ligerito/fft.json");
    let cases = file.as_array().expect("a list");
    assert_eq!(cases.len(), 21);
    for case in cases {
        let (field, log2) = (field(case), number(&case["log_n"]));
        let input = match case.get("input") {
            Some(input) => integers(input),
            None => drawn(field, &case["input_seed"], 1 << log2),
        };
        assert_elements(field, &input, case, "input", "input");
        let twiddles = field.twiddles(log2).expect("in the field");
        assert_elements(field, &twiddles, case, "twiddles", "twiddles");
        let values = field.transform(&input).expect("in the field");
        assert_elements(field, &values, case, "fft_output", "output");
    }
}

#[test]
fn codewords_of_the_published_crate() {
    let file = json("ligerito/reed_solomon.json");
    let cases = file.as_array().expect("a list");
    assert_eq!(cases.len(), 21);
    for case in cases {
        let (field, log2) = (field(case), number(&case["log_message"]));
        let message = match case.get("message") {
            Some(message) => integers(message),
            None => drawn(field, &case["message_seed"], 1 << log2),
        };
        if let Some(norms) = case.get("sk_at_vk") {
            assert_eq!(field.norms(log2 + 1).expect("in the field"), integers(norms));
            assert_eq!(field.scales(log2).expect("in the field"), integers(&case["pis"])[..1 << log2]);
        }
        let rate = number(&case["log_inv_rate"]);
        let codeword = field.encode_unnormalised(&message, 0, rate).expect("in the field");
        assert_elements(field, &codeword, case, "codeword", "codeword");
        // Several columns are several messages.
        let matrix: Vec<u128> = message.iter().flat_map(|x| [*x, 0, *x, 0]).collect();
        let columns = field.encode_unnormalised(&matrix, 2, rate).expect("in the field");
        assert_eq!(columns, codeword.iter().flat_map(|x| [*x, 0, *x, 0]).collect::<Vec<_>>());
    }
}

#[test]
fn domains_that_do_not_lie_in_the_field_are_refused() {
    assert!(Field::Gf16.norms(16).is_some());
    assert_eq!(Field::Gf16.norms(17), None);
    assert_eq!(Field::Gf16.encode(&[0; 2], 0, 16), None);
    assert_eq!(Field::Gf16.encode_unnormalised(&[0; 2], 0, 16), None);
    assert_eq!(Field::Gf16.transform(&alloc::vec![0; 1 << 17]), None);
    assert_eq!(Field::Gf128.twiddles(MAX_LOG2_POINTS + 1), None);
    assert_eq!(Field::Gf32.encode(&[0; 2], 0, u32::MAX), None);
    assert_eq!(Field::Gf32.encode(&[0; 3], 0, 1), None, "no power of two");
    assert_eq!(Field::Gf32.encode(&[0; 2], 2, 1), None, "fewer elements than columns");
    assert_eq!(Field::Gf32.encode(&[1 << 32, 0], 0, 1), None, "no element");
    assert_eq!(Field::Gf16.multiply(0x1_0000, 1), None);
    assert_eq!(Field::Gf32.invert(1 << 32), None);
    assert_eq!(Field::Gf32.embed(7, Field::Gf16), None);
    assert_eq!(Field::Gf32.generator_factors(3, 3, 8), None, "no point of the domain");
}

#[test]
fn fields_of_the_published_crate() {
    let file = json("ligerito/fields.json");
    for field in Field::ALL {
        for case in file[field.name()].as_array().expect("a list") {
            let [a, b, product, inverse] = ["a", "b", "mul", "inv_a"].map(|key| Some(integer(&case[key])));
            let (a, b) = (a.expect("a"), b.expect("b"));
            assert_eq!(field.multiply(a, b), product);
            assert_eq!(field.invert(a), inverse);
        }
    }
    for case in file["embeddings"].as_array().expect("a list") {
        let [x16, x32] = ["x16", "x32"].map(|key| integer(&case[key]));
        assert_eq!(Field::Gf16.embed(x16, Field::Gf16), Some(x16));
        assert_eq!(Field::Gf16.embed(x16, Field::Gf32), Some(integer(&case["x16_in_32"])));
        assert_eq!(Field::Gf16.embed(x16, Field::Gf128), Some(integer(&case["x16_in_128"])));
        assert_eq!(Field::Gf32.embed(x32, Field::Gf128), Some(integer(&case["x32_in_128"])));
    }
}

#[test]
fn trees_of_the_published_crate() {
    let file = json("ligerito/merkle.json");
    let cases = file.as_array().expect("a list");
    assert_eq!(cases.len(), 4);
    for case in cases {
        let (field, columns, log2) = (field(case), number(&case["cols"]), number(&case["log_rows"]));
        let elements = drawn(field, &case["rows_seed"], (columns as usize) << log2);
        let bytes = field.to_le_bytes(&elements).expect("elements");
        let rows: Vec<&[u8]> = bytes.chunks_exact((columns * field.bits() / 8) as usize).collect();
        assert_eq!(row_hash_ref_v08(columns, rows[0]), digest(&case["row_hash_0"]));
        let leaves: Vec<_> = rows.iter().map(|row| Hashing::RefV08.leaf(columns, row)).collect();
        let layers = Hashing::RefV08.tree(&leaves).expect("2^n leaves");
        assert_eq!(layers[log2 as usize], [digest(&case["root"])]);
        if case["queries"].is_null() {
            continue;
        }
        let last = rows.last().expect("rows");
        assert_eq!(row_hash_ref_v08(columns, last), digest(&case["row_hash_last"]));
        assert_eq!(leaves[0], digest(&case["leaf_node_0"]));
        check_opening(Hashing::RefV08, &leaves, &case["root"], case);
    }
}

/// An opening of the vectors, made and checked; with a sibling more, less or changed it leads elsewhere or nowhere.
fn check_opening(hashing: Hashing, leaves: &[[u8; 32]], root: &Value, case: &Value) {
    let positions: Vec<usize> = serde_json::from_value(case["queries"].clone()).expect("positions");
    let mut siblings = digests(&case["siblings"]);
    assert_eq!(hashing.siblings(leaves, &positions).expect("ascending"), siblings);
    let opened: Vec<_> = positions.iter().map(|position| leaves[*position]).collect();
    let log2 = leaves.len().ilog2();
    let root_of = |siblings: &[[u8; 32]]| hashing.root_of(log2, &positions, &opened, siblings);
    assert_eq!(root_of(&siblings), Some(digest(root)));
    siblings.push([0; 32]);
    assert_eq!(root_of(&siblings), None);
    siblings.pop();
    if let Some(last) = siblings.last_mut() {
        last[0] ^= 1;
        assert!(root_of(&siblings).is_some_and(|other| other != digest(root)));
        siblings.pop();
        assert_eq!(root_of(&siblings), None);
    }
}

#[test]
fn trees_refuse_what_is_no_tree_and_no_opening() {
    for hashing in [Hashing::Own, Hashing::RefV08] {
        assert_eq!(hashing.tree(&[]), None);
        assert_eq!(hashing.tree(&[[0; 32]; 3]), None);
        for positions in [&[][..], &[1, 1], &[2, 1], &[4]] {
            assert_eq!(hashing.siblings(&[[0; 32]; 4], positions), None);
            assert_eq!(hashing.root_of(2, positions, &[[0; 32]; 1], &[]), None);
        }
        assert_eq!(hashing.root_of(2, &[0, 1], &[[0; 32]; 1], &[[0; 32]; 1]), None, "a leaf too few");
        assert_eq!(hashing.root_of(u32::MAX, &[0], &[[0; 32]; 1], &[]), None);
    }
}

#[test]
fn basics_of_our_own_suite() {
    let file = json("ligerito-own/basics.json");
    for (i, power) in integers(&file["phi_powers"]).into_iter().enumerate() {
        assert_eq!(Field::Gf32.embed(1 << i, Field::Gf128), Some(power));
    }
    for pair in file["phi"].as_array().expect("a list") {
        assert_eq!(Field::Gf32.embed(integer(&pair[0]), Field::Gf128), Some(integer(&pair[1])));
    }
    for case in file["mul"].as_array().expect("a list") {
        let [a, b, product] = ["a", "b", "ab"].map(|key| integer(&case[key]));
        assert_eq!(field(case).multiply(a, b), Some(product));
    }
    for case in file["sh"].as_array().expect("a list") {
        let table: Vec<_> = case["table"].as_array().expect("rows").iter().map(integers).collect();
        assert_eq!(field(case).basis(number(&case["K"])), Some(table));
    }
    for case in file["encode"].as_array().expect("a list") {
        let codeword = field(case).encode(&integers(&case["message"]), 0, number(&case["r"]));
        assert_eq!(codeword, Some(integers(&case["codeword"])));
    }
    for case in file["generator_row"].as_array().expect("a list") {
        let (d, r, q) = (number(&case["d"]), number(&case["r"]), number(&case["q"]));
        let factors = field(case).generator_factors(d + r, d, q as usize).expect("in the field");
        let embedded: Option<Vec<_>> = factors.iter().map(|x| field(case).embed(*x, Field::Gf128)).collect();
        assert_eq!(embedded, Some(integers(&case["factors_in_U"])));
    }
    let case = &file["evaluate"];
    let point: Vec<Gf128> = integers(&case["point"]).into_iter().map(Gf128).collect();
    let polynomial: Vec<u32> =
        integers(&case["f"]).into_iter().map(|x| u32::try_from(x).expect("32 bits")).collect();
    assert_eq!(equal(&point).iter().map(|x| x.0).collect::<Vec<_>>(), integers(&case["eq"]));
    assert_eq!(evaluate(&polynomial, &point), Some(Gf128(integer(&case["value"]))));
    assert_eq!(evaluate(&polynomial[1..], &point), None);
}

#[test]
fn hashes_of_our_own_suite() {
    let file = json("ligerito-own/basics.json");
    let case = &file["hash"];
    let mut row = hex::decode(text(&case["row"])).expect("digits");
    let columns = u32::try_from(row.len() / 4).expect("small");
    let leaf = Hashing::Own.leaf(columns, &row);
    assert_eq!(leaf, digest(&case["leaf"]));
    row.reverse();
    let reversed = Hashing::Own.leaf(columns, &row);
    assert_eq!(reversed, digest(&case["leaf_reversed_row"]));
    assert_eq!(Hashing::Own.node(&leaf, &reversed), digest(&case["node"]));
    let nonce = case["pow_nonce"].as_u64().expect("a number");
    assert_eq!(u128::from(work(&digest(&case["pow_seed"]), nonce)), integer(&case["pow_u64"]));

    let case = &file["merkle"];
    let leaves = digests(&case["leaves"]);
    for (i, leaf) in leaves.iter().enumerate() {
        let i = i as u128;
        let row = Field::Gf32.to_le_bytes(&[i, i * i]).expect("elements");
        assert_eq!(Hashing::Own.leaf(2, &row), *leaf);
    }
    for opening in case["openings"].as_array().expect("a list") {
        check_opening(Hashing::Own, &leaves, &case["root"], opening);
    }
}
