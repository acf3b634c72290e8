//! Both suites against their vectors, by the same tests.

use super::profile::ProfileOf;
use super::verify::verify_shape;
use super::*;
use crate::binary::ChallengeField;
use alloc::vec::Vec;
use phalanx_core::threads::Inline;
use serde_json::Value;

/// A suite with vectors.
trait Vectors: ProfileOf + Eq + core::fmt::Debug {
    const FOLDER: &'static str;
    const PROFILES: &'static [Self];
    const TEST_SUITE: &'static str;

    fn name(self) -> &'static str;
    fn accept(self) -> AcceptedOf<Self>;
}

impl Vectors for Profile {
    const FOLDER: &'static str = "ligerito-own";
    const PROFILES: &'static [Self] = &Self::ALL;
    const TEST_SUITE: &'static str = hazmat::SUITE;

    fn name(self) -> &'static str {
        self.name()
    }

    fn accept(self) -> Accepted {
        Accepted::up_to(&[self], 30)
    }
}

impl Vectors for provable128::Profile {
    const FOLDER: &'static str = "ligerito-128";
    const PROFILES: &'static [Self] = &Self::ALL;
    const TEST_SUITE: &'static str = provable128::hazmat::SUITE;

    fn name(self) -> &'static str {
        self.name()
    }

    fn accept(self) -> provable128::Accepted {
        provable128::Accepted::up_to(&[self], 30)
    }
}

fn file<P: Vectors>(name: &str) -> Vec<u8> {
    let path = std::format!("{}/../../vectors/{}/{name}", env!("CARGO_MANIFEST_DIR"), P::FOLDER);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json<P: Vectors>(name: &str) -> Value {
    serde_json::from_slice(&file::<P>(name)).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

/// From the digits of the integer, the highest first.
fn element<E: ChallengeField>(value: &Value) -> E {
    let mut bytes = hex::decode(text(value)).expect("digits");
    bytes.reverse();
    E::from_le_slice(&bytes)
}

fn polynomial(seed: u64, variables: u8) -> Vec<u32> {
    let mut x = seed;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x & 0xffff_ffff) as u32
    };
    (0..1usize << variables).map(|_| next()).collect()
}

struct Case<P: ProfileOf> {
    shape: Shape,
    profile: Option<P>,
    root: [u8; 32],
    points: Vec<Vec<P::Challenge>>,
    values: Vec<P::Challenge>,
    context: Vec<u8>,
    suite: std::string::String,
    proof: Vec<u8>,
}

impl<P: Vectors> Case<P> {
    fn read(case: &Value) -> Self {
        let small = |value: &Value| u8::try_from(number(value)).expect("small");
        let variables = small(&case["mu"]);
        let levels = case["levels"].as_array().expect("levels").iter().map(|level| Level {
            log2_message: small(&level[0]),
            log2_columns: small(&level[1]),
            log2_inverse_rate: small(&level[2]),
            queries: u16::try_from(number(&level[3])).expect("small"),
            grinding_bits: small(&level[4]),
        });
        let claims = case["claims"].as_array().expect("claims");
        let points = claims
            .iter()
            .map(|claim| claim["point"].as_array().expect("a point").iter().map(element).collect());
        let shape = Shape::unregistered(variables, levels.collect()).expect("valid").over::<P::Challenge>();
        // A rejected case names the registered suite with another shape.
        let profile =
            P::PROFILES.iter().copied().find(|profile| profile.shape(variables).as_ref() == Some(&shape));
        if let Some(params) = case["params_hex"].as_str() {
            assert_eq!(hex::encode(shape.to_bytes()), params);
        }
        Self {
            shape,
            profile,
            root: hex::decode(text(&case["root0"])).expect("digits").try_into().expect("32 bytes"),
            points: points.collect(),
            values: claims.iter().map(|claim| element(&claim["value"])).collect(),
            context: hex::decode(text(&case["ctx_hex"])).expect("digits"),
            suite: text(&case["suite"]).into(),
            proof: file::<P>(text(&case["proof_file"])),
        }
    }

    fn verify(&self) -> Result<(), ProofError> {
        self.verify_proof(&self.proof)
    }

    fn verify_proof(&self, proof: &[u8]) -> Result<(), ProofError> {
        let claims: Vec<_> = self
            .points
            .iter()
            .zip(&self.values)
            .map(|(point, value)| Claim { point, value: *value })
            .collect();
        let Some(profile) = self.profile else {
            let (shape, root) = (&self.shape, &self.root);
            return verify_shape(P::HASHING, &self.suite, shape, root, &claims, proof, &self.context);
        };
        let commitment = CommitmentOf::new(profile, self.shape.variables(), self.root);
        verify(&profile.accept(), &commitment, &claims, proof, &self.context)
    }
}

fn registered_shapes<P: Vectors>() {
    let file = json::<P>("params.json");
    let entries = file["entries"].as_array().expect("a list");
    assert_eq!(entries.len(), 21 * P::PROFILES.len());
    for entry in entries {
        let profile = P::from_code(u8::try_from(number(&entry["profile"])).expect("small")).expect("known");
        assert_eq!(profile.name(), text(&entry["name"]));
        let shape = profile.shape(u8::try_from(number(&entry["mu"])).expect("small")).expect("registered");
        assert_eq!(hex::encode(shape.to_bytes()), text(&entry["params_hex"]));
        assert_eq!(shape.max_proof_len_bytes() as u64, number(&entry["max_proof_bytes"]));
        assert_eq!(1 << shape.log2_final(), number(&entry["final_len"]));
        let again = Shape::unregistered(shape.variables(), shape.levels().to_vec()).expect("valid");
        assert_eq!(again.over::<P::Challenge>(), shape);
    }
}

fn accepted_proofs<P: Vectors>(names: &[&str]) {
    let mut checked = 0;
    for name in names {
        for case in json::<P>(name).as_array().expect("a list") {
            let name = text(&case["name"]);
            let read = Case::<P>::read(case);
            assert_eq!(read.verify(), Ok(()), "{name}");
            let f = polynomial(number(&case["poly_seed"]), read.shape.variables());
            let points: Vec<&[P::Challenge]> = read.points.iter().map(|point| &**point).collect();
            let data = match read.profile {
                Some(profile) => commit(profile, &f).expect("a registered size").1,
                None => {
                    let shape = read.shape.clone();
                    let data = ProverData::commit(&Inline, P::HASHING, P::TEST_SUITE, shape, &f, &|_, _| ());
                    data.expect("a length of the shape")
                }
            };
            assert_eq!(data.root(), read.root, "{name}");
            let opening = data.open(&points, &read.context).expect("points of the shape");
            assert_eq!(opening.values, read.values, "{name}");
            assert_eq!(opening.proof, read.proof, "{name}");
            checked += 1;
        }
    }
    assert!(checked >= 21);
}

fn rejected_proofs<P: Vectors>() {
    let file = json::<P>("reject.json");
    let base = Case::<P>::read(&file["base"]);
    assert_eq!(base.verify(), Ok(()));
    let cases = file["cases"].as_array().expect("a list");
    assert!(cases.len() >= 20);
    for case in cases {
        let error = Case::<P>::read(case).verify().expect_err("a rejected case");
        assert_eq!(error.name(), text(&case["reason"]), "{}", text(&case["name"]));
    }
    let flips = file["flips_of_base"].as_array().expect("a list");
    assert_eq!(flips.len(), base.proof.len());
    for flip in flips {
        let mut proof = base.proof.clone();
        let offset = usize::try_from(number(&flip[0])).expect("small");
        proof[offset] ^= u8::try_from(number(&flip[1])).expect("a byte");
        let error = base.verify_proof(&proof).expect_err("a flipped bit");
        assert_eq!(error.name(), text(&flip[2]), "byte {offset}");
    }
}

/// Vectors so long that all they go through is done in pieces; several claims, and a level that is folded once.
#[cfg(feature = "parallel")]
fn proofs_through_pools<P: Vectors>() {
    let level = |log2_message, log2_columns| Level {
        log2_message,
        log2_columns,
        log2_inverse_rate: 1,
        queries: 20,
        grinding_bits: 0,
    };
    let f = polynomial(5, 17);
    let points: Vec<Vec<P::Challenge>> =
        (1..3).map(|i| (0..17).map(|j| crate::binary::Gf32(0x1234_5678 * i + j).into()).collect()).collect();
    let points: Vec<&[P::Challenge]> = points.iter().map(|point| &**point).collect();
    for levels in
        [alloc::vec![level(15, 2), level(14, 1), level(9, 5)], alloc::vec![level(14, 3), level(10, 4)]]
    {
        let shape = Shape::unregistered(17, levels).expect("valid").over::<P::Challenge>();
        let threads = crate::Threads::new(3);
        let openings = [&Inline as &dyn phalanx_core::threads::Pool, &threads].map(|pool| {
            let data = ProverData::commit(pool, P::HASHING, P::TEST_SUITE, shape.clone(), &f, &|_, _| ());
            let data = data.expect("a length of the shape");
            let opening = data.open_on(pool, &points, b"pools").expect("points of the shape");
            let claims: Vec<_> =
                points.iter().zip(&opening.values).map(|(point, &value)| Claim { point, value }).collect();
            let (suite, root) = (P::TEST_SUITE, data.root());
            let verdict = verify_shape(P::HASHING, suite, &shape, &root, &claims, &opening.proof, b"pools");
            assert_eq!(verdict, Ok(()));
            opening
        });
        assert_eq!(openings[0], openings[1]);
    }
}

#[cfg(feature = "parallel")]
#[test]
fn proofs_do_not_depend_on_the_pool() {
    proofs_through_pools::<Profile>();
    proofs_through_pools::<provable128::Profile>();
}

#[test]
fn registered_shapes_are_those_of_the_vectors() {
    registered_shapes::<Profile>();
    registered_shapes::<provable128::Profile>();
}

#[test]
fn accepted_proofs_are_reproduced_and_verified() {
    accepted_proofs::<Profile>(&["proofs.json", "proof_16.json"]);
    accepted_proofs::<provable128::Profile>(&["proofs.json"]);
}

#[test]
fn rejected_proofs_are_rejected_for_the_reason_given() {
    rejected_proofs::<Profile>();
    rejected_proofs::<provable128::Profile>();
}
