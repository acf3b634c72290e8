//! Proofs of our own suite: accepted ones are made again and verified, rejected ones rejected for the reason given.

use super::elements::{Generator, Large, plain, sha256, sha256_of_words};
use super::params::{Levels, levels};
use super::replay_own::{Statement, squeezes};
use super::{case_name, proof_beside};
use crate::selftest::files::VectorFile;
use crate::selftest::json::{Bytes, Hex, Object};
use crate::selftest::report::{Check, Recorder, ensure, same};
use phalanx::ligerito::{
    self, Accepted, Claim, Commitment, Gf128, MAX_VARIABLES, Profile, ProofError, Shape, hazmat,
};
use phalanx::{Inline, Threads};
use serde::Deserialize;
use serde_json::Value;

/// Longer polynomials than 2^this take too long for a test.
const MAX_MADE: u8 = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimCase {
    point: Vec<Large>,
    value: Large,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedCase {
    name: String,
    suite: String,
    mu: u8,
    levels: Levels,
    params_hex: Bytes,
    poly_seed: u64,
    poly_sha256: Hex<32>,
    ctx_hex: Bytes,
    root0: Hex<32>,
    claims: Vec<ClaimCase>,
    proof_file: String,
    proof_len: usize,
    proof_sha256: Hex<32>,
    max_len: usize,
    verdict: String,
    profile: Option<u8>,
    squeezes: Option<Vec<(String, Bytes)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RejectedCase {
    name: String,
    suite: String,
    mu: u8,
    levels: Levels,
    ctx_hex: Bytes,
    root0: Hex<32>,
    claims: Vec<ClaimCase>,
    proof_file: String,
    verdict: String,
    reason: String,
    /// For readers.
    #[serde(rename = "note")]
    _note: String,
}

/// What is said to be proved, and under which shape.
struct Proved {
    suite: String,
    shape: Shape,
    /// If the shape is registered, and the suite is ours.
    profile: Option<Profile>,
    root: [u8; 32],
    claims: Vec<(Vec<Gf128>, Gf128)>,
    context: Vec<u8>,
}

impl Proved {
    fn new(
        (suite, mu, levels_of_case): (&str, u8, &Levels),
        (root, claims, context): (&Hex<32>, &[ClaimCase], &Bytes),
    ) -> Result<Self, String> {
        let shape = hazmat::shape(mu, levels(levels_of_case)).map_err(|error| error.to_string())?;
        let registered = |profile: &Profile| profile.shape(mu).as_ref() == Some(&shape);
        let of_ours = suite == ligerito::SUITE;
        Ok(Self {
            suite: suite.to_owned(),
            profile: Profile::ALL.into_iter().find(registered).filter(|_| of_ours),
            shape,
            root: root.0,
            claims: claims.iter().map(|claim| (plain(&claim.point), claim.value.0)).collect(),
            context: context.0.clone(),
        })
    }

    fn verify(&self, proof: &[u8]) -> Result<(), ProofError> {
        let claims: Vec<_> =
            self.claims.iter().map(|(point, value)| Claim { point, value: *value }).collect();
        let Some(profile) = self.profile else {
            return hazmat::verify(&self.suite, &self.shape, &self.root, &claims, proof, &self.context);
        };
        let variables = self.shape.variables();
        let commitment = Commitment::new(profile, variables, self.root);
        let commitment = Commitment::from_bytes(&commitment.to_bytes()).expect("its own bytes");
        let verify =
            |accepted: &Accepted| ligerito::verify(accepted, &commitment, &claims, proof, &self.context);
        let verdict = verify(&Accepted::exactly(profile, variables));
        // The same for everyone who accepts the commitment, and for nobody else.
        assert_eq!(verify(&Accepted::up_to(&[profile], MAX_VARIABLES)), verdict);
        let other = Accepted::up_to(&[profile], variables - 1);
        assert_eq!(verify(&other), Err(ProofError::UnacceptedParams));
        verdict
    }
}

/// Runs `proofs.json`, `proof_16.json` and their like.
pub(super) fn run_accepted(recorder: &mut Recorder<'_>, file: &VectorFile, list: &[Value]) {
    for (i, value) in list.iter().enumerate() {
        accepted(recorder, file, &case_name(i, value, "name"), value, true);
    }
}

/// Runs one accepted case; gives it with its proof.
fn accepted(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    name: &str,
    value: &Value,
    has_squeezes: bool,
) -> Option<(Proved, Vec<u8>)> {
    let read = || AcceptedCase::deserialize(value).map_err(|error| error.to_string());
    let case = recorder.prepare(name, read)?;
    let prove =
        || Proved::new((&case.suite, case.mu, &case.levels), (&case.root0, &case.claims, &case.ctx_hex));
    let proved = recorder.prepare(format_args!("{name}: shape"), prove)?;
    let proof = recorder.prepare(format_args!("{name}: file"), || proof_beside(file, &case.proof_file))?;
    recorder.case_once(format_args!("{name}: form"), || form(&case, &proved, &proof));
    if case.mu <= MAX_MADE {
        let polynomial = Generator(case.poly_seed).polynomial(case.mu);
        recorder.case_once(format_args!("{name}: polynomial"), || {
            same("SHA-256", sha256_of_words(&polynomial), case.poly_sha256.0)
        });
        recorder.case(format_args!("{name}: prove"), || prove_again(&proved, &polynomial, &proof));
    } else {
        recorder.not_understood(name, "longer than anything that is made here");
    }
    recorder.case(format_args!("{name}: verify"), || same("verdict", proved.verify(&proof), Ok(())));
    recorder.case(format_args!("{name}: squeezes"), || replay(&case, &proved, &proof, has_squeezes));
    Some((proved, proof))
}

/// What the case says of itself and of the file.
fn form(case: &AcceptedCase, proved: &Proved, proof: &[u8]) -> Check {
    same("verdict", &*case.verdict, "accept")?;
    same("params_hex", proved.shape.to_bytes(), &case.params_hex.0[..])?;
    same("max_len", proved.shape.max_proof_len_bytes(), case.max_len)?;
    same("proof_len", proof.len(), case.proof_len)?;
    same("proof_sha256", sha256(proof), case.proof_sha256.0)?;
    ensure(proof.len() <= case.max_len, "longer than the longest proof")?;
    same("profile", proved.profile.map(Profile::code), case.profile)?;
    let own = case.profile.is_some();
    same("suite", &*case.suite, if own { ligerito::SUITE } else { hazmat::SUITE })?;
    let stem = case.proof_file.strip_suffix(".bin").unwrap_or_default();
    ensure(stem.ends_with(&case.name), "the name is not that of the file")
}

fn prove_again(proved: &Proved, polynomial: &[u32], proof: &[u8]) -> Check {
    let commit = |error: ligerito::Error| error.to_string();
    let data = match proved.profile {
        Some(profile) => {
            let (commitment, data) = ligerito::commit(profile, polynomial).map_err(commit)?;
            same("commitment", commitment, Commitment::new(profile, proved.shape.variables(), data.root()))?;
            data
        }
        None => hazmat::commit(&Inline, proved.shape.clone(), polynomial).map_err(commit)?,
    };
    same("root0", data.root(), proved.root)?;
    let points: Vec<&[Gf128]> = proved.claims.iter().map(|(point, _)| &**point).collect();
    let opening = data.open(&points, &proved.context).map_err(|error| error.to_string())?;
    let values: Vec<Gf128> = proved.claims.iter().map(|(_, value)| *value).collect();
    same("values", opening.values, values)?;
    ensure(opening.proof == proof, "another proof")
}

/// Lists have every output, or all those under some labels.
fn replay(case: &AcceptedCase, proved: &Proved, proof: &[u8], has_squeezes: bool) -> Check {
    let Proved { suite, shape, root, claims, context, .. } = proved;
    let mut got = squeezes(&Statement { suite, shape, root, claims, context }, proof)?;
    let Some(listed) = &case.squeezes else {
        return ensure(!has_squeezes, "no squeezes are listed");
    };
    for label in ["gamma", "fold"] {
        ensure(listed.iter().any(|(listed, _)| listed == label), &format!("no {label} is listed"))?;
    }
    got.retain(|(label, _)| listed.iter().any(|(listed, _)| listed == label));
    same("number of squeezes", got.len(), listed.len())?;
    for (i, (got, (label, output))) in got.iter().zip(listed).enumerate() {
        same(&format!("squeeze {i}"), (&*got.0, &*got.1), (&**label, &*output.0))?;
    }
    Ok(())
}

/// Runs `reject.json` and its like.
pub(super) fn run_rejected(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    keys: &mut Object,
    pool: &Threads,
) {
    if !matches!(keys.optional("flips_note"), None | Some(Value::String(_))) {
        recorder.not_understood("flips_note", "not a text");
    }
    let list = keys.list(recorder, "cases");
    for (i, value) in list.iter().enumerate() {
        let name = format!("cases{}", case_name(i, value, "name"));
        rejected(recorder, file, &name, value);
    }
    let flips = keys.list(recorder, "flips_of_base");
    let Some(base) = keys.required(recorder, "base") else { return };
    let Some((proved, proof)) = accepted(recorder, file, "base", &base, false) else { return };
    recorder.cases_on(pool, "flips_of_base", &flips, |(offset, mask, reason): &(usize, u8, String), _| {
        let mut flipped = proof.clone();
        let byte = flipped.get_mut(*offset).ok_or("there is no such byte")?;
        ensure(*mask != 0, "nothing is flipped")?;
        *byte ^= mask;
        same("reason", proved.verify(&flipped).map_err(|error| error.name()), Err(&**reason))
    });
}

fn rejected(recorder: &mut Recorder<'_>, file: &VectorFile, name: &str, value: &Value) {
    let read = || RejectedCase::deserialize(value).map_err(|error| error.to_string());
    let Some(case) = recorder.prepare(name, read) else { return };
    let Some(proof) = recorder.prepare(name, || proof_beside(file, &case.proof_file)) else { return };
    recorder.case(name, || {
        ensure(!case.name.is_empty(), "a case without a name")?;
        same("verdict", &*case.verdict, "reject")?;
        let proved =
            Proved::new((&case.suite, case.mu, &case.levels), (&case.root0, &case.claims, &case.ctx_hex));
        let Ok(proved) = proved else { return same("reason", "InvalidParams", &*case.reason) };
        same("reason", proved.verify(&proof).map_err(|error| error.name()), Err(&*case.reason))
    });
}
