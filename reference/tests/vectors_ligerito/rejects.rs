//! `reject.json`: each refused proof is refused for the listed reason.

use phalanx_reference::ligerito::{
    Accepted, Claim, Commitment, Error, Large, U192, commit, registered, verify, verify_shape,
};
use serde_json::Value;

use crate::json::{
    Suite, bytes, claims, digest, for_every_suite, list, load, load_bytes, number, shape, test_shape, text,
};

for_every_suite!(refused_cases_and_flips, the_policy_comes_first, callers_mistakes_have_names);

fn reason(value: &Value) -> Error {
    match value.as_str().unwrap() {
        "NoClaims" => Error::NoClaims,
        "PointLength" => Error::PointLength,
        "ProofLength" => Error::ProofLength,
        "ProofOfWork" => Error::ProofOfWork,
        "MerkleRoot" => Error::MerkleRoot,
        "FinalRow" => Error::FinalRow,
        "FinalClaim" => Error::FinalClaim,
        other => panic!("{other} is a new reason"),
    }
}

fn refused_cases_and_flips<N: Suite>() {
    let vectors = load::<N>("reject.json");
    let base = &vectors["base"];
    let (base_shape, base_claims, base_ctx) = (shape::<N>(base), claims(base), bytes(&base["ctx_hex"]));
    let base_proof = load_bytes::<N>(text(base, "proof_file"));
    let root = digest(&base["root0"]);
    let accepted = verify_shape(&base_shape, &root, &base_claims, &base_proof, &base_ctx);
    assert!(accepted.is_ok(), "{accepted:?}");

    for case in list(&vectors["cases"]) {
        // Some cases carry another suite string, under which the shape is not registered.
        let suites = [N::TEST, N::PRODUCTION, u128::TEST, u128::PRODUCTION, U192::TEST, U192::PRODUCTION];
        let suite = suites.into_iter().find(|suite| text(case, "suite") == *suite).unwrap();
        let shape = test_shape::<N>(case).under(suite);
        let proof = load_bytes::<N>(text(case, "proof_file"));
        let (root, ctx) = (digest(&case["root0"]), bytes(&case["ctx_hex"]));
        let refused = verify_shape(&shape, &root, &claims(case), &proof, &ctx);
        assert_eq!(refused, Err(reason(&case["reason"])), "{}", case["name"]);
    }

    let flips = list(&vectors["flips_of_base"]);
    assert_eq!(flips.len(), base_proof.len());
    for flip in flips {
        let mut proof = base_proof.clone();
        proof[number::<usize>(&flip[0])] ^= number::<u8>(&flip[1]);
        let refused = verify_shape(&base_shape, &root, &base_claims, &proof, &base_ctx);
        assert_eq!(refused, Err(reason(&flip[2])), "flip at {}", flip[0]);
    }
}

fn the_policy_comes_first<N: Suite>() {
    let first = N::PROFILES[0];
    let shape = registered::<N>(first, 10).unwrap();
    let committed = commit(&shape, &[7; 1024]).unwrap();
    let point = vec![N::from(3); 10];
    let opening = committed.open(std::slice::from_ref(&point), b"").unwrap();
    let claims = [Claim { point, value: opening.values[0] }];
    let good = Commitment { profile: first, mu: 10, root: committed.root() };
    let up_to = |profiles: &[u8], mu| Accepted::UpTo { profiles: profiles.to_vec(), mu };
    let judged = |accepted, commitment: Commitment| {
        verify(&accepted, &commitment, &claims, &opening.proof, b"").map(|_| ())
    };
    let exactly = |profile, mu| Accepted::Exactly { profile, mu };
    assert_eq!(judged(exactly(first, 10), good), Ok(()));
    assert_eq!(judged(up_to(N::PROFILES, 30), good), Ok(()));
    assert_eq!(judged(up_to(&[first], 10), good), Ok(()));
    let any = [0, 1, 2, 3, 4];
    let another = |profile| if profile == first { 4 } else { profile };
    let refused = [
        (exactly(2, 10), good),
        (exactly(first, 11), good),
        (up_to(&any.map(another), 30), good),
        (up_to(&[], 30), good),
        (up_to(&any, 9), good),
        (up_to(&any, 255), Commitment { mu: 9, ..good }),
        (up_to(&any, 255), Commitment { mu: 31, ..good }),
        (up_to(&any, 255), Commitment { profile: 4, ..good }),
        // Of the other suite, whose elements are others.
        (up_to(&any, 255), Commitment { profile: if first == 1 { 3 } else { 1 }, ..good }),
    ];
    for (accepted, commitment) in refused {
        let label = format!("{accepted:?} {commitment:?}");
        assert_eq!(judged(accepted, commitment), Err(Error::UnacceptedParams), "{label}");
    }
    // Accepted by policy, and then no proof for that profile.
    for &profile in &N::PROFILES[1..] {
        assert!(judged(up_to(&any, 30), Commitment { profile, ..good }).is_err());
    }
}

fn callers_mistakes_have_names<N: Suite>() {
    let shape = registered::<N>(N::PROFILES[0], 10).unwrap();
    assert_eq!(commit(&shape, &[0; 1023]).unwrap_err(), Error::InvalidInput);
    let committed = commit(&shape, &[0; 1024]).unwrap();
    let open = |points: &[Vec<N>]| committed.open(points, b"").unwrap_err();
    let point = |len| vec![N::default(); len];
    assert_eq!(open(&[]), Error::NoClaims);
    assert_eq!(open(&[point(10), point(9)]), Error::PointLength);
    assert_eq!(open(&vec![point(11); 65537]), Error::TooManyClaims);
}
