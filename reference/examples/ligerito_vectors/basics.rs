//! `basics.json`: every stage on its own.

use phalanx_reference::ligerito::{
    Code, Digest, E, Field, Large, T, Transcript, Tree, U192, eq, evaluate, hash_leaf, hash_node, phi, pow,
};
use serde_json::{Value, json};

use crate::draw::{Draw, digits, large, list};

pub(crate) fn all() -> Value {
    let mut draw = Draw::new(19_200);
    let hash = hash(&mut draw);
    let row = hex::decode(hash["row"].as_str().expect("digits")).expect("digits");
    let encode = [(T, 3, 2), (T, 6, 1), (E, 1, 3), (E, 3, 2), (E, 4, 1), (E, 6, 2)];
    let rows = [(T, 5, 2, 77), (E, 5, 2, 101), (E, 9, 3, 4095), (E, 12, 8, 0xf_edcb)];
    json!({
        "phi_powers": (0..32).map(|i| large(phi(U192::from(1 << i)))).collect::<Vec<_>>(),
        "phi": (0..6).map(|_| phi_pair(&mut draw)).collect::<Vec<_>>(),
        "sh": [table(T), table(E)],
        "mul": products(&mut draw),
        "encode": encode.map(|(field, d, r)| codeword(&mut draw, field, d, r)).to_vec(),
        "generator_row": rows.map(|(field, d, r, q)| generator_row(field, d, r, q)).to_vec(),
        "evaluate": evaluation(&mut draw),
        "hash": hash,
        "transcript": transcript(&row),
        "merkle": merkle(),
    })
}

fn phi_pair(draw: &mut Draw) -> Value {
    let element = draw.element(T);
    json!([digits(T, element), large(phi(element))])
}

fn table(field: Field) -> Value {
    let code = Code::<U192>::new(field, 12, 0);
    let columns: Vec<Vec<U192>> = (0..12).map(|b| code.factors(1 << b)).collect();
    let row = |j: usize| columns.iter().map(|column| digits(field, column[j])).collect::<Vec<_>>();
    json!({ "field": field.bits, "K": 12, "table": (0..12).map(row).collect::<Vec<_>>() })
}

/// Random ones, and those in which words and moduli meet.
fn products(draw: &mut Draw) -> Vec<Value> {
    let ones = U192([u64::MAX; 3]);
    let power = |i: usize| U192([0, 1, 2].map(|word| if word == i / 64 { 1 << (i % 64) } else { 0 }));
    let mut pairs: Vec<(Field, U192, U192)> = (0..3).map(|_| (T, draw.element(T), draw.element(T))).collect();
    pairs.extend((0..6).map(|_| (E, draw.large(), draw.large())));
    let edges = [
        (ones, ones),
        (power(191), power(1)),
        (power(191), power(191)),
        (power(64), power(128)),
        (ones, power(0)),
    ];
    pairs.extend(edges.map(|(a, b)| (E, a, b)));
    pairs.extend([power(63), power(127), U192::default()].map(|a| (E, a, draw.large())));
    let case = |(field, a, b): (Field, U192, U192)| {
        json!({
            "field": field.bits,
            "a": digits(field, a),
            "b": digits(field, b),
            "ab": digits(field, field.mul(a, b)),
        })
    };
    pairs.into_iter().map(case).collect()
}

fn codeword(draw: &mut Draw, field: Field, d: u8, r: u8) -> Value {
    let message = draw.elements(field, 1 << d);
    let codeword = Code::new(field, d, r).encode(std::slice::from_ref(&message)).concat();
    json!({
        "field": field.bits,
        "d": d,
        "r": r,
        "message": list(field, &message),
        "codeword": list(field, &codeword),
    })
}

fn generator_row(field: Field, d: u8, r: u8, q: u64) -> Value {
    let factors = Code::<U192>::new(field, d, r).factors(q);
    let factors: Vec<U192> = factors.into_iter().map(|a| field.into_large(a)).collect();
    json!({ "field": field.bits, "d": d, "r": r, "q": q, "factors_in_U": list(E, &factors) })
}

fn evaluation(draw: &mut Draw) -> Value {
    let (point, f) = (draw.elements(E, 3), draw.elements(T, 8));
    let images: Vec<U192> = f.iter().map(|&entry| phi(entry)).collect();
    json!({
        "point": list(E, &point),
        "f": list(T, &f),
        "eq": list(E, &eq(&point)),
        "value": large(evaluate(&images, &point)),
    })
}

fn hash(draw: &mut Draw) -> Value {
    let row = draw.bytes(96);
    let reversed: Vec<u8> = row.iter().rev().copied().collect();
    let (leaf, other) = (hash_leaf::<U192>(&row), hash_leaf::<U192>(&reversed));
    json!({
        "row": hex::encode(&row),
        "leaf": hex::encode(leaf),
        "leaf_reversed_row": hex::encode(other),
        "node": hex::encode(hash_node::<U192>(&leaf, &other)),
        "pow_seed": hex::encode(leaf),
        "pow_nonce": 5,
        "pow_u64": format!("{:016x}", pow::<U192>(&leaf, 5)),
    })
}

/// What the lines say is what the code does.
fn transcript(row: &[u8]) -> Value {
    let script = [
        "absorb suite <suite string provable128>",
        "absorb ctx <empty>",
        "squeeze gamma 24",
        "absorb round <first 48 bytes of hash.row>",
        "squeeze fold 24",
        "squeeze fold 24",
        "queries n=64 Q=20",
        "squeeze pow-seed 32",
    ];
    let mut transcript = Transcript::<U192>::default();
    transcript.absorb("suite", U192::PRODUCTION.as_bytes());
    transcript.absorb("ctx", b"");
    let gamma = transcript.squeeze("gamma", 24);
    transcript.absorb("round", &row[..48]);
    let folds = [transcript.squeeze("fold", 24), transcript.squeeze("fold", 24)];
    let queries = transcript.queries(6, 20);
    let seed = transcript.squeeze("pow-seed", 32);
    json!({
        "script": script,
        "outputs": [
            hex::encode(gamma), hex::encode(&folds[0]), hex::encode(&folds[1]), queries, hex::encode(seed),
        ],
        "stream_len": transcript.stream.len(),
    })
}

fn merkle() -> Value {
    let leaf = |i: u32| hash_leaf::<U192>(&[i.to_le_bytes(), (i * i).to_le_bytes()].concat());
    let leaves: Vec<Digest> = (0..16).map(leaf).collect();
    let tree = Tree::new::<U192>(leaves.clone());
    let digests = |digests: &[Digest]| digests.iter().map(hex::encode).collect::<Vec<_>>();
    let opening =
        |positions: &[u64]| json!({ "queries": positions, "siblings": digests(&tree.siblings(positions)) });
    let positions: [&[u64]; 6] =
        [&[0], &[15], &[0, 1], &[3, 4, 9], &[0, 2, 5, 7, 8, 15], &[0, 1, 2, 3, 4, 5, 6, 7]];
    json!({
        "rows": "row i = two T elements i, i*i (integers)",
        "leaves": digests(&leaves),
        "root": hex::encode(tree.root()),
        "openings": positions.map(opening).to_vec(),
    })
}
