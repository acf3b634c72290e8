//! `reject.json`: each refused proof is refused for the listed reason.

use phalanx_reference::ligerito::{
    Accepted, Claim, Commitment, Error, PRODUCTION, TEST, commit, registered, verify, verify_shape,
};
use serde_json::Value;

use crate::json::{bytes, claims, digest, list, load, load_bytes, number, shape, test_shape, text};

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

#[test]
fn refused_cases_and_flips() {
    let vectors = load("reject.json");
    let base = &vectors["base"];
    let (base_shape, base_claims, base_ctx) = (shape(base), claims(base), bytes(&base["ctx_hex"]));
    let base_proof = load_bytes(text(base, "proof_file"));
    let root = digest(&base["root0"]);
    let accepted = verify_shape(&base_shape, &root, &base_claims, &base_proof, &base_ctx);
    assert!(accepted.is_ok(), "{accepted:?}");

    for case in list(&vectors["cases"]) {
        // One case carries the production suite string with a shape that is not registered.
        let suite = if text(case, "suite") == PRODUCTION { PRODUCTION } else { TEST };
        let shape = test_shape(case).under(suite);
        let proof = load_bytes(text(case, "proof_file"));
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

#[test]
fn the_policy_comes_first() {
    let shape = registered(1, 10).unwrap();
    let committed = commit(&shape, &[7; 1024]).unwrap();
    let point = vec![3; 10];
    let opening = committed.open(std::slice::from_ref(&point), b"").unwrap();
    let claims = [Claim { point, value: opening.values[0] }];
    let good = Commitment { profile: 1, mu: 10, root: committed.root() };
    let up_to = |profiles: &[u8], mu| Accepted::UpTo { profiles: profiles.to_vec(), mu };
    let judged = |accepted, commitment: Commitment| {
        verify(&accepted, &commitment, &claims, &opening.proof, b"").map(|_| ())
    };
    assert_eq!(judged(Accepted::Exactly { profile: 1, mu: 10 }, good), Ok(()));
    assert_eq!(judged(up_to(&[1, 2], 30), good), Ok(()));
    assert_eq!(judged(up_to(&[1], 10), good), Ok(()));
    let refused = [
        (Accepted::Exactly { profile: 2, mu: 10 }, good),
        (Accepted::Exactly { profile: 1, mu: 11 }, good),
        (up_to(&[2], 30), good),
        (up_to(&[], 30), good),
        (up_to(&[1, 2], 9), good),
        (up_to(&[1, 2, 3], 255), Commitment { mu: 9, ..good }),
        (up_to(&[1, 2, 3], 255), Commitment { mu: 31, ..good }),
        (up_to(&[1, 2, 3], 255), Commitment { profile: 3, ..good }),
    ];
    for (accepted, commitment) in refused {
        let label = format!("{accepted:?} {commitment:?}");
        assert_eq!(judged(accepted, commitment), Err(Error::UnacceptedParams), "{label}");
    }
    // Accepted by policy, and then no proof for that profile.
    assert!(judged(up_to(&[1, 2], 30), Commitment { profile: 2, ..good }).is_err());
}

#[test]
fn callers_mistakes_have_names() {
    let shape = registered(1, 10).unwrap();
    assert_eq!(commit(&shape, &[0; 1023]).unwrap_err(), Error::InvalidInput);
    let committed = commit(&shape, &[0; 1024]).unwrap();
    let open = |points: &[Vec<u128>]| committed.open(points, b"").unwrap_err();
    assert_eq!(open(&[]), Error::NoClaims);
    assert_eq!(open(&[vec![0; 10], vec![0; 9]]), Error::PointLength);
    assert_eq!(open(&vec![vec![0; 11]; 65537]), Error::TooManyClaims);
}
