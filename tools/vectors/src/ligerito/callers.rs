//! `section_d.json` of `vectors/ligerito-v2`: protocols with openings in them, step by step, proved again, verified and
//! refused.

use super::elements::{Generator, large, one_large};
use super::params::{Levels, levels};
use super::suite::Suite;
use super::sums::{ClaimCase, Owned, owned, with_weights};
use crate::json::{Bytes, Object};
use crate::report::{Check, Recorder, case_name, ensure, same, text};
use phalanx::Inline;
use phalanx::ligerito::hazmat::TestShapeOf;
use phalanx::ligerito::{
    self, Error, ProofError, ProofReader, ProofWriter, ProverData, Transcript, provable128,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    suite: String,
    field_bits: u32,
    protocol: String,
    statement_hex: Bytes,
    seed: u64,
    commitments: Vec<CommitmentCase>,
    steps: Vec<Step>,
    proof_hex: Bytes,
    verdict: String,
    rejects: Vec<RejectCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitmentCase {
    levels: Levels,
    commitment_hex: Bytes,
}

/// What both sides do next.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Step {
    Absorb { label: String, data_hex: Bytes },
    Squeeze { label: String, output_hex: Bytes },
    Challenge { label: String, element: Bytes },
    Bind(usize),
    Send { label: String, elements: Vec<Bytes> },
    Open { commitment: usize, ctx_hex: Bytes, claims: Vec<ClaimCase> },
}

/// One change: another statement, another step or none in its place, perhaps with another proof, or a byte of the proof.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RejectCase {
    what: String,
    statement_hex: Option<Bytes>,
    step: Option<usize>,
    with: Option<Step>,
    proof_hex: Option<Bytes>,
    offset: Option<usize>,
    xor: Option<u8>,
    error: String,
}

/// What the verifier answers.
type Verdict = Result<(), ProofError>;

/// Runs the file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    file.note(recorder, "note");
    for (i, value) in file.list(recorder, "protocols").iter().enumerate() {
        let name = format!("protocols{}", case_name(i, value, "name"));
        let Some(case) = recorder.read::<Case>(&name, value) else { continue };
        if case.field_bits == provable128::Preset::BITS {
            run_case::<provable128::Preset>(recorder, &name, &case);
        } else {
            run_case::<ligerito::Preset>(recorder, &name, &case);
        }
    }
}

fn run_case<S: Suite>(recorder: &mut Recorder<'_>, name: &str, case: &Case) {
    let Some(shapes) = recorder.prepare(format_args!("{name}: form"), || form::<S>(case)) else { return };
    recorder.case(format_args!("{name}: prove"), || prove_again::<S>(case, &shapes));
    recorder.case(format_args!("{name}: verify"), || {
        let (statement, proof) = (&case.statement_hex.0, &case.proof_hex.0);
        same_verdict(verdict::<S>(case, &shapes, statement, &case.steps, proof, true)?, &case.verdict)
    });
    if case.rejects.is_empty() && case.verdict == "accept" {
        recorder.not_understood(name, "nothing is refused");
    }
    for (i, reject) in case.rejects.iter().enumerate() {
        let reason = || rejected::<S>(case, &shapes, reject);
        recorder.case(format_args!("{name}.rejects[{i}] {}", reject.what), reason);
    }
}

/// What the case says of itself; its shapes.
fn form<S: Suite>(case: &Case) -> Result<Vec<TestShapeOf<S>>, String> {
    same("suite", &*case.suite, S::SUMS_TEST_NAME)?;
    same("field_bits", case.field_bits, S::BITS)?;
    ensure(!case.name.is_empty(), "a case without a name")?;
    let shape = |commitment: &CommitmentCase| {
        let levels = levels(&commitment.levels);
        let first = levels.first().ok_or("no levels")?;
        S::test_shape(first.log2_message + first.log2_columns, levels).map_err(text)
    };
    case.commitments.iter().map(shape).collect()
}

/// The root of a commitment.
fn root(case: &Case, a: usize) -> Result<[u8; 32], String> {
    let commitment = &case.commitments.get(a).ok_or("there is no such commitment")?.commitment_hex;
    let [0, _, root @ ..] = &commitment.0[..] else { return Err("not of a test shape".to_owned()) };
    root.try_into().map_err(|_| "not 34 bytes".to_owned())
}

fn begin<S: Suite>(case: &Case, statement: &[u8]) -> Transcript<S::Challenge> {
    Transcript::new(&case.protocol, statement)
}

/// Says a step that needs no proof. If `strict`, what is drawn is the file's.
fn say<S: Suite>(
    case: &Case,
    shapes: &[TestShapeOf<S>],
    step: &Step,
    transcript: &mut Transcript<S::Challenge>,
    strict: bool,
) -> Check {
    match step {
        Step::Absorb { label, data_hex } => transcript.absorb(label, &data_hex.0),
        Step::Bind(a) => S::test_bind(&shapes[*a], transcript, &root(case, *a)?),
        Step::Squeeze { label, output_hex } => {
            let mut output = vec![0; output_hex.0.len()];
            transcript.squeeze(label, &mut output);
            ensure(!strict || (output == output_hex.0 && !output.is_empty()), "another squeeze")?;
        }
        Step::Challenge { label, element } => {
            let challenge = transcript.challenge(label);
            ensure(!strict || challenge == one_large::<S>(element)?, "another challenge")?;
        }
        Step::Send { .. } | Step::Open { .. } => return Err("a step of the proof".to_owned()),
    }
    Ok(())
}

fn prove_again<S: Suite>(case: &Case, shapes: &[TestShapeOf<S>]) -> Check {
    let mut generator = Generator(case.seed);
    let polynomials: Vec<Vec<u32>> =
        shapes.iter().map(|shape| generator.polynomial(shape.shape().variables())).collect();
    let mut committed: Vec<ProverData<'_, S::Challenge>> = Vec::new();
    for (a, (shape, polynomial)) in shapes.iter().zip(&polynomials).enumerate() {
        let data = S::test_commit(shape, polynomial).map_err(text)?;
        let wanted = [&[0, shape.shape().variables()], &data.root()[..]].concat();
        same("commitment", &wanted, &case.commitments[a].commitment_hex.0)?;
        committed.push(data);
    }
    let mut writer = ProofWriter::new(begin::<S>(case, &case.statement_hex.0));
    for step in &case.steps {
        match step {
            Step::Send { label, elements } => writer.send(label, &large::<S>(elements)?),
            Step::Open { commitment, ctx_hex, claims } => {
                let (data, owned) = (&committed[*commitment], owned::<S>(claims)?);
                let opened = with_weights::<S, _>(data, &owned, |weights| {
                    data.open_sums_in_on(&Inline, &mut writer, weights, &ctx_hex.0)
                })?;
                let values = match opened {
                    Err(Error::LateCommitment { claim }) => {
                        return same("verdict", format!("LateCommitment{claim}"), &*case.verdict);
                    }
                    opened => opened.map_err(text)?,
                };
                for (owned, value) in owned.iter().zip(values) {
                    ensure(owned.is_value(value), "another value")?;
                }
            }
            step => say::<S>(case, shapes, step, writer.transcript(), true)?,
        }
    }
    same("verdict", &*case.verdict, "accept")?;
    ensure(writer.finish().0 == case.proof_hex.0, "another proof")
}

/// What the verifier says. If `strict`, everything that is drawn and received is the file's.
fn verdict<S: Suite>(
    case: &Case,
    shapes: &[TestShapeOf<S>],
    statement: &[u8],
    steps: &[Step],
    proof: &[u8],
    strict: bool,
) -> Result<Verdict, String> {
    let mut reader = ProofReader::new(begin::<S>(case, statement), proof);
    for step in steps {
        match step {
            Step::Send { label, elements } => {
                let received = reader.receive(label, elements.len()).map_err(text)?;
                ensure(!strict || received == large::<S>(elements)?, "another message")?;
            }
            Step::Open { commitment, ctx_hex, claims } => {
                let (owned, root) = (owned::<S>(claims)?, root(case, *commitment)?);
                let tensors: Vec<_> = owned.iter().map(Owned::borrowed).collect();
                let claims: Vec<_> =
                    owned.iter().zip(&tensors).map(|(owned, tensors)| owned.claim(tensors)).collect();
                let shape = &shapes[*commitment];
                let verified = S::test_verify_sums_in(&case.suite, shape, reader, &root, &claims, &ctx_hex.0);
                reader = match verified {
                    Ok(reader) => reader,
                    Err(error) => return Ok(Err(error)),
                };
            }
            step => say::<S>(case, shapes, step, reader.transcript(), strict)?,
        }
    }
    Ok(reader.finish().map(|_| ()))
}

/// An error as the file writes it: of a commitment that comes too late with the number of the claim.
fn same_verdict(verdict: Verdict, wanted: &str) -> Check {
    match verdict {
        Ok(()) => same("verdict", "accept", wanted),
        Err(ProofError::LateCommitment { claim }) => {
            same("verdict", format!("LateCommitment{claim}"), wanted)
        }
        Err(error) => same("verdict", error.name(), wanted),
    }
}

fn rejected<S: Suite>(case: &Case, shapes: &[TestShapeOf<S>], reject: &RejectCase) -> Check {
    let statement = reject.statement_hex.as_ref().unwrap_or(&case.statement_hex);
    let (mut steps, mut proof) = (case.steps.clone(), case.proof_hex.0.clone());
    if let Some(place) = reject.step {
        ensure(place < steps.len(), "there is no such step")?;
        steps.splice(place..=place, reject.with.clone());
    }
    ensure(reject.step.is_some() || reject.with.is_none(), "a step without its place")?;
    if let Some(other) = &reject.proof_hex {
        proof.clone_from(&other.0);
    }
    if let (Some(offset), Some(xor)) = (reject.offset, reject.xor) {
        *proof.get_mut(offset).ok_or("there is no such byte")? ^= xor;
    }
    ensure(reject.error != "accept", "nothing is refused")?;
    same_verdict(verdict::<S>(case, shapes, &statement.0, &steps, &proof, false)?, &reject.error)
}
