//! Files of openings of `vectors/ligerito-v2`; the cases of several commitments in one proof; and `batch100.json` and
//! `batch128.json`, what the suites have in place of registered shapes for them.

use super::elements::Generator;
use super::params::levels;
use super::replay_own::Replay;
use super::suite::Suite;
use super::sums::{
    self, Case, ClaimCase, Owned, begun, changed, is_reason, numbered, squeezed, with_weights_of,
};
use crate::json::Object;
use crate::report::{Check, Recorder, case_name, ensure, same, text};
use phalanx::ligerito::hazmat::{TestLayoutOf, TestShapeOf, levels_together, queries_together};
use phalanx::ligerito::{self, ProofError, ProverData, provable128};
use serde_json::{Map, Value};

/// Shapes of the commitments, and how they lie.
struct Form<S: Suite> {
    shapes: Vec<TestShapeOf<S>>,
    layout: TestLayoutOf<S>,
}

/// Runs a file of openings.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    file.note(recorder, "note");
    for (i, value) in file.list(recorder, "cases").iter().enumerate() {
        let name = format!("cases{}", case_name(i, value, "name"));
        if value.get("z_star").is_some() {
            sums::run_sampled(recorder, &name, value);
            continue;
        }
        let Some(case) = recorder.read::<Case>(&name, value) else { continue };
        if case.field_bits == provable128::Preset::BITS {
            run_any::<provable128::Preset>(recorder, &name, &case);
        } else {
            run_any::<ligerito::Preset>(recorder, &name, &case);
        }
    }
}

/// Of one commitment, or of several.
fn run_any<S: Suite>(recorder: &mut Recorder<'_>, name: &str, case: &Case) {
    if case.level0.len() > 1 {
        run_case::<S>(recorder, name, case)
    } else {
        sums::run_case::<S>(recorder, name, case)
    }
}

fn run_case<S: Suite>(recorder: &mut Recorder<'_>, name: &str, case: &Case) {
    let Some(form) = recorder.prepare(format_args!("{name}: form"), || form::<S>(case)) else { return };
    recorder.case(format_args!("{name}: prove"), || prove_again(case, &form));
    recorder.case_once(format_args!("{name}: squeezes"), || replay::<S>(case));
    recorder.case(format_args!("{name}: verify"), || {
        same("result", verdict(case, &form, &case.claims, &case.proof_hex.0)?, Ok(()))
    });
    if case.rejects.is_empty() {
        recorder.not_understood(name, "nothing is refused");
    }
    for (i, reject) in case.rejects.iter().enumerate() {
        recorder.case(format_args!("{name}.rejects[{i}] {}", reject.what), || {
            let (claims, proof) = changed(case, reject)?;
            is_reason(verdict(case, &form, &claims, &proof)?, reject)
        });
    }
}

/// What the case says of itself.
fn form<S: Suite>(case: &Case) -> Result<Form<S>, String> {
    same("verdict", &*case.verdict, "accept")?;
    same("suite", &*case.suite, S::SUMS_TEST_NAME)?;
    same("field_bits", case.field_bits, S::BITS)?;
    ensure(!case.name.is_empty(), "a case without a name")?;
    let shape = |&(d, k, r, queries): &(u8, u8, u8, u16)| {
        S::test_shape(d + k, levels(&vec![(d, k, r, queries, 0)])).map_err(text)
    };
    let shapes = case.level0.iter().map(shape).collect::<Result<Vec<_>, _>>()?;
    let layout = S::test_layout(&shapes, &levels(&case.later_levels)).map_err(text)?;
    same("params_hex", S::test_params(&layout), case.params_hex.0.clone())?;
    Ok(Form { shapes, layout })
}

/// The roots of the commitments.
fn roots<S: Suite>(case: &Case) -> Result<Vec<[u8; 32]>, String> {
    same("commitments", case.commitments_hex.len(), case.level0.len())?;
    let mut roots = Vec::new();
    for (commitment, (d, k, ..)) in case.commitments_hex.iter().zip(&case.level0) {
        let Some(([code, variables], root)) = commitment.0.split_first_chunk() else {
            return Err("short".to_owned());
        };
        same("profile of test shapes", *code, S::TEST_CODE)?;
        same("variables", *variables, d + k)?;
        roots.push(root.try_into().map_err(text)?);
    }
    Ok(roots)
}

fn verdict<S: Suite>(
    case: &Case,
    form: &Form<S>,
    claims: &[ClaimCase],
    proof: &[u8],
) -> Result<Result<(), ProofError>, String> {
    let owned = numbered::<S>(claims)?;
    let tensors: Vec<_> = owned.iter().map(Owned::borrowed).collect();
    let claims = owned.iter().zip(&tensors).map(|(owned, tensors)| (owned.commitment, owned.claim(tensors)));
    let claims: Vec<_> = claims.collect();
    let roots = roots::<S>(case)?;
    Ok(S::test_verify_together(&case.suite, &form.layout, &roots, &claims, proof, &case.ctx_hex.0))
}

fn prove_again<S: Suite>(case: &Case, form: &Form<S>) -> Check {
    let mut generator = Generator(case.seed);
    let polynomials: Vec<_> =
        form.shapes.iter().map(|shape| generator.polynomial(shape.shape().variables())).collect();
    let data = form.shapes.iter().zip(&polynomials).map(|(shape, f)| S::test_commit(shape, f).map_err(text));
    let data = data.collect::<Result<Vec<_>, _>>()?;
    ensure(data.iter().map(ProverData::root).collect::<Vec<_>>() == roots::<S>(case)?, "other commitments")?;
    let all: Vec<_> = data.iter().collect();
    let owned = numbered::<S>(&case.claims)?;
    let opened = with_weights_of::<S, _>(&all, &owned, |weights| {
        let weights = owned.iter().map(|owned| owned.commitment).zip(weights.iter().copied());
        S::test_open_together(&form.layout, &all, &weights.collect::<Vec<_>>(), &case.ctx_hex.0)
    })?;
    let opening = opened.map_err(text)?;
    for (owned, value) in owned.iter().zip(opening.values) {
        ensure(owned.is_value(value), "another value")?;
    }
    ensure(opening.proof == case.proof_hex.0, "another proof")
}

/// Every output that the verifier draws, from what the statement's own bytes say of the groups.
fn replay<S: Suite>(case: &Case) -> Check {
    let params = &case.params_hex.0;
    let later = levels(&case.later_levels);
    let (head, rest) = params.split_first_chunk::<2>().ok_or("short params")?;
    let groups = rest.get(..rest.len().saturating_sub(6 * later.len() + 1)).ok_or("short params")?;
    let groups: Vec<(u8, u8, u16)> = groups
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&[d, r, q0, q1]| (d, r, u16::from_le_bytes([q0, q1])))
        .collect();
    let mut replay = Replay::<S>::new(begun::<S>(case)?, case.closing(), &case.proof_hex.0);
    replay.rounds(head[0])?;
    if later.is_empty() {
        let rows: usize = groups.iter().map(|(d, ..)| 1 << d).sum();
        replay.hear("final", rows * S::BITS as usize / 8)?;
        replay.closing_rounds(rows.next_power_of_two().ilog2().try_into().expect("below 64"))?;
    } else {
        replay.hear("root", 32)?;
    }
    let mut drawn = Vec::new();
    for (d, r, queries) in &groups {
        drawn.push(replay.queries(u32::from(d + r), *queries)?);
    }
    for ((d, r, _), positions) in groups.iter().zip(&drawn) {
        for (_, k, ..) in case.level0.iter().filter(|level| (level.0, level.2) == (*d, *r)) {
            replay.opened(u32::from(d + r), positions, 4 << k)?;
        }
    }
    if !later.is_empty() {
        replay.squeeze("alpha", S::BITS as usize / 8);
        replay.later(&later, false, 1)?;
    }
    squeezed(case, replay.finish()?)
}

/// Runs a table: `lam`, the bits; `queries` under "d,r"; `tails` under D, of which the last of the suite of 100 bits are not
/// registered, since their bits do not reach 100.
pub(super) fn run_table(recorder: &mut Recorder<'_>, file: &mut Object) {
    let Some(bits) = file.required(recorder, "lam") else { return };
    let (queries, tails) = (file.required(recorder, "queries"), file.required(recorder, "tails"));
    let (Some(Value::Object(queries)), Some(Value::Object(tails))) = (queries, tails) else { return };
    recorder.case_once("queries and levels", || match bits.as_u64() {
        Some(100) => table(ligerito::Preset::Balanced, 23, &queries, &tails),
        Some(128) => table(provable128::Preset::Balanced, 25, &queries, &tails),
        _ => Err(format!("no suite of {bits} bits")),
    });
}

fn table<S: Suite>(preset: S, last: u8, queries: &Map<String, Value>, tails: &Map<String, Value>) -> Check {
    let mut found = 0;
    for (d, r) in (0..=40).flat_map(|d| (0..=8).map(move |r| (d, r))) {
        let ours = queries_together(preset, d, r);
        found += usize::from(ours.is_some());
        same("queries", ours.map(u64::from), queries.get(&format!("{d},{r}")).and_then(Value::as_u64))?;
    }
    same("codes", found, queries.len())?;
    for (rows, levels) in tails {
        let rows: u8 = rows.parse().map_err(text)?;
        let listed: Vec<(u8, u8, u8, u16)> = serde_json::from_value(levels.clone()).map_err(text)?;
        let listed = listed.into_iter().map(|(d, k, r, queries)| (d, k, r, queries, 0)).collect();
        let wanted = (rows <= last).then(|| super::params::levels(&listed));
        same("levels", levels_together(preset, rows), wanted)?;
    }
    Ok(())
}
