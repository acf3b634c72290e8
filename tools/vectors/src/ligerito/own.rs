//! Proofs of our own suites: accepted ones are made again and verified, rejected ones rejected for the reason given.

use super::elements::{Generator, large, one_large, sha256, sha256_of_words};
use super::params::{Levels, levels};
use super::replay_own::{Statement, squeezes};
use super::suite::Points;
use crate::files::VectorFile;
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, case_name, ensure, same, text};
use phalanx::Threads;
use phalanx::ligerito::hazmat::TestShapeOf;
use phalanx::ligerito::{self, EvaluationClaim, ProofError, provable128};
use serde::Deserialize;
use serde_json::Value;

/// Longer polynomials than 2^this take too long for a test.
const MAX_MADE: u8 = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimCase {
    point: Vec<Bytes>,
    value: Bytes,
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
struct Proved<S: Points> {
    suite: String,
    shape: TestShapeOf<S>,
    /// If the shape is registered, and the suite is ours.
    profile: Option<S>,
    root: [u8; 32],
    claims: Vec<(Vec<S::Challenge>, S::Challenge)>,
    context: Vec<u8>,
}

impl<S: Points> Proved<S> {
    fn new(
        (suite, mu, levels_of_case): (&str, u8, &Levels),
        (root, claims, context): (&Hex<32>, &[ClaimCase], &Bytes),
    ) -> Result<Self, String> {
        let shape = S::test_shape(mu, levels(levels_of_case)).map_err(text)?;
        let registered = |profile: &&S| profile.registered(mu).as_ref() == Some(shape.shape());
        let of_ours = suite == S::NAME;
        let claim = |claim: &ClaimCase| Ok((large::<S>(&claim.point)?, one_large::<S>(&claim.value)?));
        Ok(Self {
            suite: suite.to_owned(),
            profile: S::PROFILES.iter().find(registered).filter(|_| of_ours).copied(),
            root: root.0,
            claims: claims.iter().map(claim).collect::<Result<_, String>>()?,
            context: context.0.clone(),
            shape,
        })
    }

    fn verify(&self, proof: &[u8]) -> Result<(), ProofError> {
        let claims: Vec<_> =
            self.claims.iter().map(|(point, value)| EvaluationClaim { point, value: *value }).collect();
        let Self { suite, shape, root, context, .. } = self;
        match self.profile {
            Some(profile) => profile.verify(shape.shape().variables(), *root, &claims, proof, context),
            None => S::test_verify(suite, shape, root, &claims, proof, context),
        }
    }
}

/// Whether a case is one of the suite of 128 bits.
fn has_128_bits(case: &Value) -> bool {
    case.get("suite").and_then(Value::as_str).is_some_and(|suite| suite.starts_with(provable128::SUITE))
}

/// Runs `proofs.json`, `proof_16.json` and their like.
pub(crate) fn run_accepted(recorder: &mut Recorder<'_>, file: &VectorFile, list: &[Value]) {
    for (i, value) in list.iter().enumerate() {
        let name = case_name(i, value, "name");
        if has_128_bits(value) {
            accepted::<provable128::Preset>(recorder, file, &name, value, true);
        } else {
            accepted::<ligerito::Preset>(recorder, file, &name, value, true);
        }
    }
}

/// Runs one accepted case; gives it with its proof.
fn accepted<S: Points>(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    name: &str,
    value: &Value,
    has_squeezes: bool,
) -> Option<(Proved<S>, Vec<u8>)> {
    let case: AcceptedCase = recorder.read(name, value)?;
    let prove =
        || Proved::new((&case.suite, case.mu, &case.levels), (&case.root0, &case.claims, &case.ctx_hex));
    let proved = recorder.prepare(format_args!("{name}: shape"), prove)?;
    let proof = recorder.prepare(format_args!("{name}: file"), || file.beside(&case.proof_file))?;
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
    recorder.case(format_args!("{name}: verify"), || same("result", proved.verify(&proof), Ok(())));
    recorder.case(format_args!("{name}: squeezes"), || replay(&case, &proved, &proof, has_squeezes));
    Some((proved, proof))
}

/// What the case says of itself and of the file.
fn form<S: Points>(case: &AcceptedCase, proved: &Proved<S>, proof: &[u8]) -> Check {
    same("verdict", &*case.verdict, "accept")?;
    same("params_hex", proved.shape.shape().to_bytes(), &case.params_hex.0[..])?;
    same("max_len", proved.shape.shape().max_proof_len_bytes(), case.max_len)?;
    same("proof_len", proof.len(), case.proof_len)?;
    same("proof_sha256", sha256(proof), case.proof_sha256.0)?;
    ensure(proof.len() <= case.max_len, "longer than the longest proof")?;
    same("profile", proved.profile.map(S::number), case.profile)?;
    let own = case.profile.is_some();
    same("suite", &*case.suite, if own { S::NAME } else { S::TEST_NAME })?;
    let stem = case.proof_file.strip_suffix(".bin").unwrap_or_default();
    ensure(stem.ends_with(&case.name), "the name is not that of the file")
}

fn prove_again<S: Points>(proved: &Proved<S>, polynomial: &[u32], proof: &[u8]) -> Check {
    let commit = |error: ligerito::Error| error.to_string();
    let data = match proved.profile {
        Some(profile) => {
            let (commitment, data) = profile.commit(polynomial).map_err(commit)?;
            same("commitment", commitment, profile.wire(proved.shape.shape().variables(), data.root()))?;
            data
        }
        None => S::test_commit(&proved.shape, polynomial).map_err(commit)?,
    };
    same("root0", data.root(), proved.root)?;
    let points: Vec<&[S::Challenge]> = proved.claims.iter().map(|(point, _)| &**point).collect();
    let opening = data.open(&points, &proved.context).map_err(text)?;
    let values: Vec<S::Challenge> = proved.claims.iter().map(|(_, value)| *value).collect();
    same("values", opening.values, values)?;
    ensure(opening.proof == proof, "another proof")
}

/// Lists have every output, or all those under some labels.
fn replay<S: Points>(case: &AcceptedCase, proved: &Proved<S>, proof: &[u8], has_squeezes: bool) -> Check {
    let Proved { suite, shape, root, claims, context, .. } = proved;
    let mut got = squeezes(&Statement::<S> { suite, shape: shape.shape(), root, claims, context }, proof)?;
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

/// Runs `reject.json` and its like, in the suite of their base.
pub(crate) fn run_rejected(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    keys: &mut Object,
    pool: &Threads,
) {
    keys.note(recorder, "flips_note");
    let (cases, flips) = (keys.list(recorder, "cases"), keys.list(recorder, "flips_of_base"));
    let Some(base) = keys.required(recorder, "base") else { return };
    if has_128_bits(&base) {
        run_rejected_of::<provable128::Preset>(recorder, file, (&cases, &flips, &base), pool);
    } else {
        run_rejected_of::<ligerito::Preset>(recorder, file, (&cases, &flips, &base), pool);
    }
}

fn run_rejected_of<S: Points>(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    (cases, flips, base): (&[Value], &[Value], &Value),
    pool: &Threads,
) {
    for (i, value) in cases.iter().enumerate() {
        let name = format!("cases{}", case_name(i, value, "name"));
        rejected::<S>(recorder, file, &name, value);
    }
    let Some((proved, proof)) = accepted::<S>(recorder, file, "base", base, false) else { return };
    recorder.cases_on(pool, "flips_of_base", flips, |(offset, mask, reason): &(usize, u8, String), _| {
        let mut flipped = proof.clone();
        let byte = flipped.get_mut(*offset).ok_or("there is no such byte")?;
        ensure(*mask != 0, "nothing is flipped")?;
        *byte ^= mask;
        same("reason", proved.verify(&flipped).map_err(|error| error.name()), Err(&**reason))
    });
}

fn rejected<S: Points>(recorder: &mut Recorder<'_>, file: &VectorFile, name: &str, value: &Value) {
    let Some(case) = recorder.read::<RejectedCase>(name, value) else { return };
    let Some(proof) = recorder.prepare(name, || file.beside(&case.proof_file)) else { return };
    recorder.case(name, || {
        ensure(!case.name.is_empty(), "a case without a name")?;
        same("verdict", &*case.verdict, "reject")?;
        let proved = Proved::<S>::new(
            (&case.suite, case.mu, &case.levels),
            (&case.root0, &case.claims, &case.ctx_hex),
        );
        let Ok(proved) = proved else { return same("reason", "InvalidParams", &*case.reason) };
        same("reason", proved.verify(&proof).map_err(|error| error.name()), Err(&*case.reason))
    });
}
