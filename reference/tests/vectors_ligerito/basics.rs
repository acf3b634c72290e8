//! `basics.json`: every stage on its own; `params.json`: the registered shapes.

use phalanx_reference::ligerito::{
    Code, Error, Field, Level, PRODUCTION, Shape, T, Transcript, Tree, U, eq, evaluate, hash_leaf, hash_node,
    phi, pow, recomputed_root, registered,
};
use serde_json::Value;

use crate::json::{bytes, digest, element, elements, level, list, load, number, text};

fn field(value: &Value) -> Field {
    if number::<u32>(&value["field"]) == 32 { T } else { U }
}

#[test]
fn fields_and_the_map_between_them() {
    let basics = load("basics.json");
    for (i, power) in list(&basics["phi_powers"]).iter().enumerate() {
        assert_eq!(phi(1 << i), element(power), "g^{i}");
    }
    for pair in list(&basics["phi"]) {
        assert_eq!(phi(element(&pair[0])), element(&pair[1]));
    }
    for case in list(&basics["mul"]) {
        let (field, a, b) = (field(case), element(&case["a"]), element(&case["b"]));
        assert_eq!(field.mul(a, b), element(&case["ab"]));
        assert_eq!(field.mul(b, a), element(&case["ab"]));
        assert_eq!(field.mul(a, field.inverse(a)), u128::from(a != 0));
    }
}

#[test]
fn phi_is_a_homomorphism() {
    let (a, b) = (0xdead_beef, 0x8000_0001);
    assert_eq!(phi(T.mul(a, b)), U.mul(phi(a), phi(b)));
    assert_eq!((phi(0), phi(1)), (0, 1));
}

#[test]
fn codes() {
    let basics = load("basics.json");
    for case in list(&basics["sh"]) {
        let depth: u8 = number(&case["K"]);
        // Every h_j below K, so a message as long as the code; r plays no part in them.
        let code = Code::new(field(case), depth, 0);
        for b in 0..depth {
            let column = code.factors(1 << b);
            for (j, row) in list(&case["table"]).iter().enumerate() {
                assert_eq!(column[j], element(&row[usize::from(b)]), "h_{j}(2^{b})");
            }
        }
    }
    for case in list(&basics["encode"]) {
        let code = Code::new(field(case), number(&case["d"]), number(&case["r"]));
        let codeword: Vec<u128> = code.encode(&[elements(&case["message"])]).concat();
        assert_eq!(codeword, elements(&case["codeword"]));
    }
    for case in list(&basics["generator_row"]) {
        let field = field(case);
        let code = Code::new(field, number(&case["d"]), number(&case["r"]));
        let factors: Vec<u128> =
            code.factors(number(&case["q"])).into_iter().map(|a| field.into_u(a)).collect();
        assert_eq!(factors, elements(&case["factors_in_U"]));
    }
}

#[test]
#[should_panic(expected = "the domain fits the field")]
fn a_domain_larger_than_the_field_is_refused() {
    Code::new(T, 25, 8);
}

#[test]
fn evaluation() {
    let case = &load("basics.json")["evaluate"];
    let point = elements(&case["point"]);
    assert_eq!(eq(&point), elements(&case["eq"]));
    let f: Vec<u128> = elements(&case["f"]).into_iter().map(phi).collect();
    assert_eq!(evaluate(&f, &point), element(&case["value"]));
}

#[test]
fn hashes() {
    let case = &load("basics.json")["hash"];
    let row = bytes(&case["row"]);
    let leaf = hash_leaf(&row);
    assert_eq!(leaf, digest(&case["leaf"]));
    let reversed = hash_leaf(&row.iter().rev().copied().collect::<Vec<u8>>());
    assert_eq!(reversed, digest(&case["leaf_reversed_row"]));
    assert_eq!(hash_node(&leaf, &reversed), digest(&case["node"]));
    let first = pow(&bytes(&case["pow_seed"]), number(&case["pow_nonce"]));
    assert_eq!(u128::from(first), element(&case["pow_u64"]));
}

/// The script is in words, so it stands here as code; the file says the same.
#[test]
fn the_transcript_script() {
    let basics = load("basics.json");
    let (case, row) = (&basics["transcript"], bytes(&basics["hash"]["row"]));
    let mut transcript = Transcript::default();
    transcript.absorb("suite", PRODUCTION.as_bytes());
    transcript.absorb("ctx", b"");
    let outputs = list(&case["outputs"]);
    assert_eq!(transcript.squeeze("gamma", 16), bytes(&outputs[0]));
    transcript.absorb("round", &row[..32]);
    assert_eq!(transcript.squeeze("fold", 16), bytes(&outputs[1]));
    assert_eq!(transcript.squeeze("fold", 16), bytes(&outputs[2]));
    let queries: Vec<u64> = list(&outputs[3]).iter().map(number).collect();
    assert_eq!(transcript.queries(6, 20), queries);
    assert_eq!(transcript.squeeze("pow-seed", 32), bytes(&outputs[4]));
    let script = list(&case["script"]);
    assert_eq!(script.len(), 8, "the script is the one above");
    assert_eq!(transcript.stream.len(), number::<usize>(&case["stream_len"]));
}

#[test]
fn trees_and_openings() {
    let case = &load("basics.json")["merkle"];
    let leaves: Vec<_> = list(&case["leaves"]).iter().map(digest).collect();
    for (i, leaf) in (0..).zip(&leaves) {
        assert_eq!(*leaf, hash_leaf(&[T.to_bytes(i), T.to_bytes(i * i)].concat()), "leaf {i}");
    }
    let tree = Tree::new(leaves.clone());
    assert_eq!(tree.root(), digest(&case["root"]));
    for opening in list(&case["openings"]) {
        let positions: Vec<u64> = list(&opening["queries"]).iter().map(number).collect();
        let expected = opening["siblings"].as_array().unwrap();
        let siblings: Vec<_> = expected.iter().map(digest).collect();
        assert_eq!(tree.siblings(&positions), siblings);
        let opened = positions.iter().map(|&q| (q, leaves[usize::try_from(q).unwrap()])).collect();
        let mut unread = siblings.into_iter();
        let root = recomputed_root(4, opened, || unread.next().ok_or(Error::ProofLength));
        assert_eq!((root, unread.next()), (Ok(tree.root()), None));
    }
}

#[test]
fn the_registered_shapes() {
    let params = load("params.json");
    assert_eq!(text(&params, "suite"), PRODUCTION);
    for entry in list(&params["entries"]) {
        let shape = registered(number(&entry["profile"]), number(&entry["mu"])).unwrap();
        assert_eq!(shape.suite(), PRODUCTION);
        assert_eq!(shape.levels(), list(&entry["levels"]).iter().map(level).collect::<Vec<Level>>());
        assert_eq!(shape.params_bytes(), bytes(&entry["params_hex"]));
        assert_eq!(shape.final_len(), number::<usize>(&entry["final_len"]));
        assert_eq!(shape.max_len(), number::<u64>(&entry["max_proof_bytes"]));
    }
    for (profile, mu) in [(0, 10), (3, 10), (1, 9), (1, 31), (2, 0), (2, 255)] {
        assert_eq!(registered(profile, mu), None);
    }
}

#[test]
fn shapes_outside_the_bounds_are_refused() {
    let ok = Level { d: 4, k: 2, r: 2, queries: 6, grind: 0 };
    assert!(Shape::test(6, &[ok]).is_ok());
    let with = |change: fn(&mut Level)| {
        let mut level = ok;
        change(&mut level);
        level
    };
    let refused: [(u8, Vec<Level>); 14] = [
        (5, vec![ok]),
        (7, vec![ok]),
        (6, vec![]),
        (0, vec![with(|l| (l.d, l.k) = (0, 0))]),
        (4, vec![with(|l| l.k = 0)]),
        (2, vec![with(|l| (l.d, l.queries) = (0, 1))]),
        (6, vec![with(|l| l.r = 0)]),
        (6, vec![with(|l| l.r = 9)]),
        (6, vec![with(|l| l.queries = 0)]),
        (6, vec![with(|l| l.queries = 33)]),
        (6, vec![with(|l| l.grind = 33)]),
        (6, vec![ok, with(|l| (l.d, l.k) = (2, 1))]),
        (30, vec![with(|l| (l.d, l.k, l.r) = (28, 2, 5))]),
        (31, vec![with(|l| (l.d, l.k) = (24, 7))]),
    ];
    for (mu, levels) in refused {
        assert_eq!(Shape::test(mu, &levels), Err(Error::InvalidParams), "{mu} {levels:?}");
    }
}
