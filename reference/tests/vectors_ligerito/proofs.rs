//! `proofs.json`, `proof_16.json`, `proof_20.json`: accepted proofs, every squeeze and every byte.

use phalanx_reference::ligerito::{Accepted, Claim, Commitment, commit, verify, verify_shape};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::json::{
    Suite, bytes, claims, digest, for_every_suite, list, load, load_bytes, number, shape, text,
};

for_every_suite!(accepted_proofs_are_reproduced_and_verified, full_size_proofs_are_verified);

/// `f` by the generator of spec section 12: xorshift64, the low 32 bits of each output.
fn polynomial(case: &Value) -> Vec<u32> {
    let mut state: u64 = number(&case["poly_seed"]);
    let step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state & 0xffff_ffff).unwrap()
    };
    let f: Vec<u32> = std::iter::repeat_with(step).take(1 << number::<u8>(&case["mu"])).collect();
    let serial: Vec<u8> = f.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    assert_eq!(Sha256::digest(serial)[..], bytes(&case["poly_sha256"]), "the generator");
    f
}

fn expected_squeezes(case: &Value) -> Vec<(String, Vec<u8>)> {
    let pair = |pair: &Value| (pair[0].as_str().unwrap().to_string(), bytes(&pair[1]));
    list(&case["squeezes"]).iter().map(pair).collect()
}

fn accepted_proofs_are_reproduced_and_verified<N: Suite>() {
    for case in list(&load::<N>("proofs.json")) {
        let name = text(case, "name");
        let (shape, claims, ctx) = (shape::<N>(case), claims(case), bytes(&case["ctx_hex"]));
        let proof = load_bytes::<N>(text(case, "proof_file"));
        assert_eq!(shape.params_bytes(), bytes(&case["params_hex"]), "{name}");
        assert_eq!(shape.max_len(), number::<u64>(&case["max_len"]), "{name}");

        let committed = commit(&shape, &polynomial(case)).unwrap();
        assert_eq!(committed.root(), digest(&case["root0"]), "{name}");
        let points: Vec<_> = claims.iter().map(|claim: &Claim<N>| claim.point.clone()).collect();
        let opening = committed.open(&points, &ctx).unwrap();
        assert_eq!(opening.values, claims.iter().map(|claim| claim.value).collect::<Vec<_>>(), "{name}");
        assert_eq!(opening.squeezes, expected_squeezes(case), "{name}");
        assert!(opening.proof == proof, "{name}: another proof");

        let verified = verify_shape(&shape, &committed.root(), &claims, &proof, &ctx);
        assert_eq!(verified.as_ref(), Ok(&opening.squeezes), "{name}");
        if let Some(profile) = case.get("profile") {
            assert_eq!(
                verify_as_registered::<N>(case, number(profile), &proof),
                Ok(opening.squeezes),
                "{name}"
            );
        }
    }
}

fn verify_as_registered<N: Suite>(
    case: &Value,
    profile: u8,
    proof: &[u8],
) -> Result<Vec<(String, Vec<u8>)>, phalanx_reference::ligerito::Error> {
    let mu = number(&case["mu"]);
    let commitment = Commitment { profile, mu, root: digest(&case["root0"]) };
    let accepted = Accepted::UpTo { profiles: N::PROFILES.to_vec(), mu: 20 };
    verify::<N>(&accepted, &commitment, &claims(case), proof, &bytes(&case["ctx_hex"]))
}

/// Plain encoding makes proving these long; verifying them covers every later level of a registered shape.
fn full_size_proofs_are_verified<N: Suite>() {
    for file in N::FULL_SIZE {
        let all = load::<N>(file);
        let case = &list(&all)[0];
        let proof = load_bytes::<N>(text(case, "proof_file"));
        let squeezes = verify_as_registered::<N>(case, number(&case["profile"]), &proof).unwrap();
        // These files list neither the queries nor the seeds of the proof of work.
        let listed = |label: &str| ["gamma", "fold", "alpha"].contains(&label);
        let squeezes: Vec<_> = squeezes.into_iter().filter(|(label, _)| listed(label)).collect();
        assert_eq!(squeezes, expected_squeezes(case), "{file}");
    }
}
