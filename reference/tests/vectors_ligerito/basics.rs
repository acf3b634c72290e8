//! `basics.json`: every stage on its own; `params.json`: the registered shapes.

use phalanx_reference::ligerito::{
    Code, E, Error, Field, Large, Level, Shape, T, Transcript, Tree, U, U192, eq, evaluate, hash_leaf,
    hash_node, phi, pow, recomputed_root, registered,
};
use serde_json::Value;

use crate::json::{
    Suite, bytes, digest, element, elements, for_every_suite, level, list, load, number, text,
};

for_every_suite!(
    fields_and_the_map_between_them,
    codes,
    evaluation,
    hashes,
    the_transcript_script,
    trees_and_openings,
    the_registered_shapes,
);

fn field(value: &Value) -> Field {
    let bits: u32 = number(&value["field"]);
    [T, U, E].into_iter().find(|field| field.bits == bits).unwrap()
}

fn fields_and_the_map_between_them<N: Suite>() {
    let basics = load::<N>("basics.json");
    for (i, power) in list(&basics["phi_powers"]).iter().enumerate() {
        assert_eq!(phi(N::from(1 << i)), element(power), "g^{i}");
    }
    for pair in list(&basics["phi"]) {
        assert_eq!(phi(element::<N>(&pair[0])), element(&pair[1]));
    }
    for case in list(&basics["mul"]) {
        let (field, a, b) = (field(case), element::<N>(&case["a"]), element(&case["b"]));
        assert_eq!(field.mul(a, b), element(&case["ab"]));
        assert_eq!(field.mul(b, a), element(&case["ab"]));
        assert_eq!(field.mul(a, field.inverse(a)), N::from(u64::from(a != N::default())));
    }
}

#[test]
fn phi_is_a_homomorphism() {
    fn check<N: Large>() {
        let (a, b) = (N::from(0xdead_beef), N::from(0x8000_0001));
        assert_eq!(phi(T.mul(a, b)), phi(a).times(phi(b)));
        assert_eq!((phi(N::default()), phi(N::one())), (N::default(), N::one()));
    }
    check::<u128>();
    check::<U192>();
}

/// What makes it a homomorphism; and of the 32 roots it is the least integer.
#[test]
fn x_of_t_goes_to_the_least_root_of_its_modulus() {
    let x = U192::X_OF_T;
    let value = (0..33).rev().fold(U192::default(), |sum, i| {
        sum.times(x) ^ U192::from(0x1_0000_8299 >> i & 1) // Horner's rule, from the leading term down.
    });
    assert_eq!(value, U192::default(), "a root");
    let conjugates: Vec<U192> =
        std::iter::successors(Some(x), |&root| Some(root.times(root))).take(33).collect();
    assert_eq!(conjugates[32], x);
    let by_size = |root: &U192| [root.0[2], root.0[1], root.0[0]];
    let least = conjugates[1..32].iter().map(by_size).min().unwrap();
    assert!(by_size(&x) < least, "{least:x?}");
}

fn codes<N: Suite>() {
    let basics = load::<N>("basics.json");
    for case in list(&basics["sh"]) {
        let depth: u8 = number(&case["K"]);
        // Every h_j below K, so a message as long as the code; r plays no part in them.
        let code = Code::<N>::new(field(case), depth, 0);
        for b in 0..depth {
            let column = code.factors(1 << b);
            for (j, row) in list(&case["table"]).iter().enumerate() {
                assert_eq!(column[j], element(&row[usize::from(b)]), "h_{j}(2^{b})");
            }
        }
    }
    for case in list(&basics["encode"]) {
        let code = Code::<N>::new(field(case), number(&case["d"]), number(&case["r"]));
        let message = elements(&case["message"]);
        assert_eq!(code.transform(&message), elements(&case["codeword"]));
        assert_eq!(code.encode(&[message]).concat(), elements(&case["codeword"]));
    }
    for case in list(&basics["generator_row"]) {
        let field = field(case);
        let code = Code::<N>::new(field, number(&case["d"]), number(&case["r"]));
        let factors: Vec<N> =
            code.factors(number(&case["q"])).into_iter().map(|a| field.into_large(a)).collect();
        assert_eq!(factors, elements(&case["factors_in_U"]));
    }
}

#[test]
#[should_panic(expected = "the domain fits the field")]
fn a_domain_larger_than_the_field_is_refused() {
    Code::<u128>::new(T, 25, 8);
}

fn evaluation<N: Suite>() {
    let case = &load::<N>("basics.json")["evaluate"];
    let point: Vec<N> = elements(&case["point"]);
    assert_eq!(eq(&point), elements(&case["eq"]));
    let f: Vec<N> = elements(&case["f"]).into_iter().map(phi).collect();
    assert_eq!(evaluate(&f, &point), element(&case["value"]));
}

fn hashes<N: Suite>() {
    let case = &load::<N>("basics.json")["hash"];
    let row = bytes(&case["row"]);
    let leaf = hash_leaf::<N>(&row);
    assert_eq!(leaf, digest(&case["leaf"]));
    let reversed = hash_leaf::<N>(&row.iter().rev().copied().collect::<Vec<u8>>());
    assert_eq!(reversed, digest(&case["leaf_reversed_row"]));
    assert_eq!(hash_node::<N>(&leaf, &reversed), digest(&case["node"]));
    let first = pow::<N>(&bytes(&case["pow_seed"]), number(&case["pow_nonce"]));
    assert_eq!(N::from(first), element(&case["pow_u64"]));
}

/// The script is in words, so it stands here as code; the file says the same.
fn the_transcript_script<N: Suite>() {
    let basics = load::<N>("basics.json");
    let (case, row) = (&basics["transcript"], bytes(&basics["hash"]["row"]));
    let size = N::FIELD.bytes();
    let mut transcript = Transcript::<N>::default();
    transcript.absorb("suite", N::PRODUCTION.as_bytes());
    transcript.absorb("ctx", b"");
    let outputs = list(&case["outputs"]);
    assert_eq!(transcript.squeeze("gamma", size), bytes(&outputs[0]));
    transcript.absorb("round", &row[..2 * size]);
    assert_eq!(transcript.squeeze("fold", size), bytes(&outputs[1]));
    assert_eq!(transcript.squeeze("fold", size), bytes(&outputs[2]));
    let queries: Vec<u64> = list(&outputs[3]).iter().map(number).collect();
    assert_eq!(transcript.queries(6, 20), queries);
    assert_eq!(transcript.squeeze("pow-seed", 32), bytes(&outputs[4]));
    let script = list(&case["script"]);
    assert_eq!(script.len(), 8, "the script is the one above");
    assert_eq!(transcript.stream.len(), number::<usize>(&case["stream_len"]));
}

fn trees_and_openings<N: Suite>() {
    let case = &load::<N>("basics.json")["merkle"];
    let leaves: Vec<_> = list(&case["leaves"]).iter().map(digest).collect();
    for (i, leaf) in (0u32..).zip(&leaves) {
        assert_eq!(*leaf, hash_leaf::<N>(&[i.to_le_bytes(), (i * i).to_le_bytes()].concat()), "leaf {i}");
    }
    let tree = Tree::new::<N>(leaves.clone());
    assert_eq!(tree.root(), digest(&case["root"]));
    for opening in list(&case["openings"]) {
        let positions: Vec<u64> = list(&opening["queries"]).iter().map(number).collect();
        let expected = opening["siblings"].as_array().unwrap();
        let siblings: Vec<_> = expected.iter().map(digest).collect();
        assert_eq!(tree.siblings(&positions), siblings);
        let opened = positions.iter().map(|&q| (q, leaves[usize::try_from(q).unwrap()])).collect();
        let mut unread = siblings.into_iter();
        let root = recomputed_root::<N>(4, opened, || unread.next().ok_or(Error::ProofLength));
        assert_eq!((root, unread.next()), (Ok(tree.root()), None));
    }
}

fn the_registered_shapes<N: Suite>() {
    let params = load::<N>("params.json");
    assert_eq!(text(&params, "suite"), N::PRODUCTION);
    assert_eq!(list(&params["entries"]).len(), 21 * N::PROFILES.len());
    for entry in list(&params["entries"]) {
        let shape = registered::<N>(number(&entry["profile"]), number(&entry["mu"])).unwrap();
        assert_eq!(shape.suite(), N::PRODUCTION);
        assert_eq!(shape.levels(), list(&entry["levels"]).iter().map(level).collect::<Vec<Level>>());
        assert_eq!(shape.params_bytes(), bytes(&entry["params_hex"]));
        assert_eq!(shape.final_len(), number::<usize>(&entry["final_len"]));
        assert_eq!(shape.max_len(), number::<u64>(&entry["max_proof_bytes"]));
    }
    for profile in 0..=255 {
        let known = N::PROFILES.contains(&profile);
        for mu in [0, 9, 10, 30, 31, 255] {
            let there = registered::<N>(profile, mu).is_some();
            assert_eq!(there, known && (10..=30).contains(&mu), "{profile} {mu}");
        }
    }
}

#[test]
fn shapes_outside_the_bounds_are_refused() {
    let ok = Level { d: 4, k: 2, r: 2, queries: 6, grind: 0 };
    assert!(Shape::<u128>::test(6, &[ok]).is_ok());
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
        assert_eq!(Shape::<u128>::test(mu, &levels), Err(Error::InvalidParams), "{mu} {levels:?}");
        assert_eq!(Shape::<U192>::test(mu, &levels), Err(Error::InvalidParams), "{mu} {levels:?}");
    }
}
