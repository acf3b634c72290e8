//! `proofs.json` and `proof_20.json`: accepted proofs, with everything that was squeezed.

use phalanx_reference::ligerito::{
    Accepted, Claim, Commitment, Committed, E, Large, Level, Opening, Shape, U192, commit, registered,
    verify, verify_shape,
};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::Output;
use crate::draw::{Draw, large, list};

/// d, k, r, Q, g of a level.
type Sizes = (u8, u8, u8, u16, u8);

/// The shapes of `vectors/ligerito-own`, and the numbers of claims they are opened at.
const TOYS: [(&[Sizes], [usize; 2]); 9] = [
    (&[(4, 2, 2, 6, 0)], [1, 3]),
    (&[(4, 2, 2, 6, 0), (2, 2, 2, 4, 0)], [1, 2]),
    (&[(5, 2, 1, 8, 4), (3, 2, 3, 6, 0)], [1, 3]),
    (&[(6, 2, 2, 8, 0), (4, 2, 3, 6, 3), (2, 2, 4, 5, 0)], [1, 2]),
    (&[(5, 4, 2, 8, 0), (3, 2, 3, 6, 0), (2, 1, 4, 6, 2)], [1, 3]),
    (&[(7, 3, 2, 10, 0), (4, 3, 3, 8, 0)], [1, 2]),
    (&[(8, 4, 2, 12, 8), (5, 3, 3, 9, 8), (3, 2, 4, 8, 8)], [1, 3]),
    (&[(4, 1, 1, 3, 0), (3, 1, 2, 3, 0), (2, 1, 3, 3, 0), (1, 1, 4, 3, 0)], [1, 2]),
    (&[(7, 3, 1, 9, 0), (2, 5, 2, 6, 0)], [1, 2]),
];

pub(crate) fn write(output: &Output) {
    let mut cases = Vec::new();
    for (i, (levels, counts)) in TOYS.iter().enumerate() {
        let shape = test_shape(levels);
        for &count in counts {
            let seed = 11_001 + 100 * i as u64 + count as u64;
            let context = if count == 1 { String::new() } else { format!("application context {i}") };
            let committed = committed(&shape, seed);
            let points = points(seed, shape.mu(), count);
            let name = format!("toy{i:02}_{count}");
            cases.push(case(output, &name, &committed, &points, context.as_bytes(), seed));
        }
    }
    for mu in [10, 12, 13] {
        let shape = registered(3, mu).expect("registered");
        let seed = 16_000 + 10 * u64::from(mu);
        let committed = committed(&shape, seed);
        let name = format!("p3_{mu}");
        cases.push(case(output, &name, &committed, &points(seed, mu, 1), b"phalanx vectors", seed));
    }
    output.json("proofs.json", &Value::from(cases));
}

pub(crate) fn test_shape(levels: &[Sizes]) -> Shape<U192> {
    let level = |&(d, k, r, queries, grind): &Sizes| Level { d, k, r, queries, grind };
    let mu = levels[0].0 + levels[0].1;
    Shape::test(mu, &levels.iter().map(level).collect::<Vec<_>>()).expect("a valid shape")
}

/// `f` in index order from the generator started at the seed.
pub(crate) fn polynomial(seed: u64, mu: u8) -> Vec<u32> {
    let mut draw = Draw::new(seed);
    (0..1 << mu).map(|_| draw.small()).collect()
}

pub(crate) fn committed(shape: &Shape<U192>, seed: u64) -> Committed<U192> {
    commit(shape, &polynomial(seed, shape.mu())).expect("a length of the shape")
}

/// Points from the generator started at the seed plus a million; of several the first is a corner of the cube.
pub(crate) fn points(seed: u64, mu: u8, count: usize) -> Vec<Vec<U192>> {
    let mut draw = Draw::new(seed + 1_000_000);
    let mut points: Vec<_> = (0..count).map(|_| draw.elements(E, mu.into())).collect();
    if count > 1 {
        points[0].iter_mut().for_each(|z| *z = U192::from(z.0[0] & 1));
    }
    points
}

pub(crate) fn claims(points: &[Vec<U192>], opening: &Opening<U192>) -> Vec<Claim<U192>> {
    let claim = |(point, &value): (&Vec<U192>, &U192)| Claim { point: point.clone(), value };
    points.iter().zip(&opening.values).map(claim).collect()
}

/// A statement as it stands in the files.
pub(crate) fn statement(
    name: &str,
    shape: &Shape<U192>,
    claims: &[Claim<U192>],
    context: &[u8],
) -> Map<String, Value> {
    let level = |level: &Level| json!([level.d, level.k, level.r, level.queries, level.grind]);
    let claim = |claim: &Claim<U192>| json!({ "point": list(E, &claim.point), "value": large(claim.value) });
    let value = json!({
        "name": name,
        "suite": shape.suite(),
        "mu": shape.mu(),
        "levels": shape.levels().iter().map(level).collect::<Vec<_>>(),
        "ctx_hex": hex::encode(context),
        "claims": claims.iter().map(claim).collect::<Vec<_>>(),
    });
    let Value::Object(map) = value else { unreachable!("an object was written") };
    map
}

/// Opens, verifies, writes the proof, and says what it is.
pub(crate) fn case(
    output: &Output,
    name: &str,
    committed: &Committed<U192>,
    points: &[Vec<U192>],
    context: &[u8],
    seed: u64,
) -> Value {
    let (shape, root) = (&committed.shape, committed.root());
    let opening = committed.open(points, context).expect("points of the shape");
    let claims = claims(points, &opening);
    let verified = verify_shape(shape, &root, &claims, &opening.proof, context);
    assert_eq!(verified.as_ref(), Ok(&opening.squeezes), "{name} is accepted");
    let mut map = statement(name, shape, &claims, context);
    let serial: Vec<u8> = polynomial(seed, shape.mu()).iter().flat_map(|entry| entry.to_le_bytes()).collect();
    map.insert("params_hex".into(), hex::encode(shape.params_bytes()).into());
    map.insert("poly_seed".into(), seed.into());
    map.insert("poly_sha256".into(), hex::encode(Sha256::digest(serial)).into());
    map.insert("root0".into(), hex::encode(root).into());
    map.insert("proof_file".into(), format!("{name}.bin").into());
    map.insert("proof_len".into(), opening.proof.len().into());
    map.insert("proof_sha256".into(), hex::encode(Sha256::digest(&opening.proof)).into());
    map.insert("max_len".into(), shape.max_len().into());
    map.insert("verdict".into(), "accept".into());
    if shape.suite() == U192::PRODUCTION {
        map.insert("profile".into(), 3.into());
        let (mu, profile) = (shape.mu(), 3);
        let commitment = Commitment { profile, mu, root };
        let registered =
            verify(&Accepted::Exactly { profile, mu }, &commitment, &claims, &opening.proof, context);
        assert!(registered.is_ok(), "{name} is a registered shape");
    }
    let squeeze = |(label, output): &(String, Vec<u8>)| json!([label, hex::encode(output)]);
    let squeezes: Vec<Value> = opening.squeezes.iter().map(squeeze).collect();
    map.insert("squeezes".into(), squeezes.into());
    output.bytes(&format!("{name}.bin"), &opening.proof);
    Value::Object(map)
}

/// `proof_20.json`.
pub(crate) fn write_full_size(output: &Output) {
    let mu = 20;
    let shape = registered(3, mu).expect("registered");
    let seed = 16_000 + 10 * u64::from(mu);
    let committed = committed(&shape, seed);
    let name = format!("p3_{mu}");
    let mut case = case(output, &name, &committed, &points(seed, mu, 1), b"phalanx vectors", seed);
    // The queries of every level would be longer than the proof.
    let squeezes = case["squeezes"].as_array().expect("a list");
    let listed = |pair: &&Value| ["gamma", "fold", "alpha"].contains(&pair[0].as_str().expect("a label"));
    let squeezes: Vec<Value> = squeezes.iter().filter(listed).cloned().collect();
    case["squeezes"] = squeezes.into();
    output.json("proof_20.json", &json!([case]));
}
