//! `reject.json`: refused proofs, attacks that die by one check, and every byte of an accepted proof changed.

use phalanx_reference::ligerito::dishonest::{Forgery, Honest, Lies, NoWork, OtherMessage, prove};
use phalanx_reference::ligerito::{Claim, Committed, Digest, Error, Large, U192, verify_shape};
use serde_json::{Value, json};

use crate::Output;
use crate::draw::Draw;
use crate::proofs::{case, claims, committed, points, statement, test_shape};

/// Of the base and of the attacks, with work at every level and without.
const BASE: [(u8, u8, u8, u16, u8); 3] = [(6, 2, 2, 6, 4), (4, 2, 3, 6, 4), (2, 2, 3, 4, 4)];

struct Cases<'a> {
    output: &'a Output,
    list: Vec<Value>,
}

impl Cases<'_> {
    /// Adds a case, with the error that the verifier gives.
    fn add(&mut self, name: &str, forgery: &Forgery<U192>, note: &str) -> Error {
        let Forgery { shape, root, claims, context, proof } = forgery;
        let error = verify_shape(shape, root, claims, proof, context).expect_err("refused");
        let file = format!("reject_{:02}.bin", self.list.len());
        let mut map = statement(name, shape, claims, context);
        map.insert("root0".into(), hex::encode(root).into());
        map.insert("proof_file".into(), file.clone().into());
        map.insert("verdict".into(), "reject".into());
        map.insert("reason".into(), format!("{error:?}").into());
        map.insert("note".into(), note.into());
        self.output.bytes(&file, proof);
        self.list.push(Value::Object(map));
        error
    }

    /// The same, where the check is known that catches it.
    fn attack(&mut self, name: &str, forgery: &Forgery<U192>, error: Error, note: &str) {
        assert_eq!(self.add(name, forgery, note), error, "{name}");
    }
}

pub(crate) fn write(output: &Output) {
    let seed = 20_000;
    let shape = test_shape(&BASE);
    let committed_base = committed(&shape, seed);
    let points = points(seed, shape.mu(), 2);
    let mut base = case(output, "reject_base", &committed_base, &points, b"app", seed);
    base["name"] = "base".into();
    let opening = committed_base.open(&points, b"app").expect("points of the shape");
    let good = Forgery {
        shape,
        root: committed_base.root(),
        claims: claims(&points, &opening),
        context: b"app".to_vec(),
        proof: opening.proof,
    };
    let mut cases = Cases { output, list: Vec::new() };
    statements(&mut cases, &good);
    lengths(&mut cases, &good);
    sizes(&mut cases, &good);
    attacks(&mut cases);
    let lazy = prove(
        &good.shape,
        &committed_base.polynomial,
        &committed_base.matrix,
        good.root,
        &good.claims,
        b"app",
        &mut NoWork(1),
    );
    let note = "everything follows the nonce, only the proof-of-work check of level 1 fails";
    cases.attack("a nonce without work", &lazy, Error::ProofOfWork, note);
    output.json(
        "reject.json",
        &json!({
            "base": base,
            "cases": cases.list,
            "flips_of_base": flips(&good, seed),
            "flips_note": "[offset, xor mask, reason]; every one rejects",
        }),
    );
}

/// Another statement than what was proved.
fn statements(cases: &mut Cases<'_>, good: &Forgery<U192>) {
    let mut with = |name: &str, change: fn(&mut Forgery<U192>)| {
        let mut forgery = good.clone();
        change(&mut forgery);
        cases.add(name, &forgery, "")
    };
    with("wrong value", |forgery| forgery.claims[0].value ^= U192::one());
    with("wrong value, second claim", |forgery| forgery.claims[1].value ^= U192([0, 0, 1 << 63]));
    with("claims swapped", |forgery| forgery.claims.swap(0, 1));
    with("one claim missing", |forgery| forgery.claims.truncate(1));
    with("no claims", |forgery| forgery.claims.clear());
    with("point short", |forgery| forgery.claims[0].point.truncate(7));
    with("point long", |forgery| forgery.claims[1].point.push(U192::one()));
    with("wrong point", |forgery| forgery.claims[1].point[3] ^= U192([0, 1, 0]));
    with("wrong ctx", |forgery| forgery.context = b"apP".to_vec());
    with("wrong root", |forgery| forgery.root[31] ^= 1);
}

fn lengths(cases: &mut Cases<'_>, good: &Forgery<U192>) {
    let mut with = |name: &str, proof: Vec<u8>| {
        cases.attack(name, &Forgery { proof, ..good.clone() }, Error::ProofLength, "");
    };
    let proof = &good.proof;
    with("truncated by 1", proof[..proof.len() - 1].to_vec());
    with("one byte appended", [&proof[..], &[0]].concat());
    with("empty", Vec::new());
    let most = usize::try_from(good.shape.max_len()).expect("a length");
    with("one byte longer than the longest", vec![0; most + 1]);
}

/// The same proof under other sizes and other suites.
fn sizes(cases: &mut Cases<'_>, good: &Forgery<U192>) {
    let mut other = BASE;
    other[0].3 -= 1;
    let shape = test_shape(&other);
    cases.add("other parameters", &Forgery { shape, ..good.clone() }, "");
    for suite in [U192::PRODUCTION, u128::TEST] {
        let shape = good.shape.clone().under(suite);
        cases.add("other suite string", &Forgery { shape, ..good.clone() }, "");
    }
}

/// A prover that lies once, and goes on from there as if it had not.
fn attacks(cases: &mut Cases<'_>) {
    let seed = 20_100;
    let shape = test_shape(&BASE.map(|(d, k, r, queries, _)| (d, k, r, queries, 0)));
    let honest = committed(&shape, seed);
    let points = points(seed, shape.mu(), 1);
    let opening = honest.open(&points, b"").expect("points of the shape");
    let truth = claims(&points, &opening);
    let mut lie = truth.clone();
    lie[0].value ^= U192::one();
    let attack = |claims: &[Claim<U192>], root: Digest, by: &Committed<U192>, lies: &mut dyn Lies<U192>| {
        prove(&shape, &by.polynomial, &by.matrix, root, claims, b"", lies)
    };
    let root = honest.root();
    cases.attack(
        "attack: false value, honest otherwise",
        &attack(&lie, root, &honest, &mut Honest),
        Error::FinalClaim,
        "only the final claim check fails",
    );
    cases.attack(
        "attack: forged final vector",
        &attack(&lie, root, &honest, &mut OtherMessage(2)),
        Error::FinalRow,
        "only the final row check fails",
    );
    for level in [0, 1] {
        cases.attack(
            &format!("attack: forged level-{} message", level + 1),
            &attack(&lie, root, &honest, &mut OtherMessage(level)),
            Error::FinalClaim,
            &format!("only the claims induced by level {level} catch it"),
        );
    }
    let other = committed(&shape, seed + 1);
    let opening = other.open(&points, b"").expect("points of the shape");
    cases.attack(
        "attack: other polynomial under this root",
        &attack(&claims(&points, &opening), root, &other, &mut Honest),
        Error::MerkleRoot,
        "only the level-0 Merkle check fails",
    );
}

/// One bit of every byte.
fn flips(good: &Forgery<U192>, seed: u64) -> Vec<Value> {
    let mut draw = Draw::new(seed + 2_000_000);
    let flip = |offset: usize| {
        let mask = 1u8 << (draw.word() >> 61);
        let mut proof = good.proof.clone();
        proof[offset] ^= mask;
        let refused = verify_shape(&good.shape, &good.root, &good.claims, &proof, &good.context);
        json!([offset, mask, format!("{:?}", refused.expect_err("refused"))])
    };
    (0..good.proof.len()).map(flip).collect()
}
