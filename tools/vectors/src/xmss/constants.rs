//! `constants/poseidonN_koalabear.json`: the numbers of the permutations, against the built-in ones.

use crate::json::Object;
use crate::report::{Recorder, same};
use phalanx::xmss::hazmat;
use serde_json::Value;

/// Runs the file of Poseidon `version`.
pub(crate) fn run(recorder: &mut Recorder<'_>, version: u8, file: Value) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    for (key, wanted) in [("field_modulus", 2_130_706_433_u32), ("sbox_exponent", 3)] {
        file.known(recorder, key, wanted);
    }
    file.note(recorder, "note");
    for width in [16, 24] {
        let part = format!("width{width}");
        let Some(object) = file.object(recorder, &part) else { continue };
        match version {
            1 => poseidon1(recorder, width, object),
            _ => poseidon2(recorder, width, object),
        }
    }
    file.finish(recorder);
}

fn poseidon1(recorder: &mut Recorder<'_>, width: usize, mut object: Object) {
    let [rounds, matrix] = hazmat::poseidon1_constants(width).expect("16 and 24 are built in");
    let partial = rounds.len() / width - 8;
    for (key, wanted) in
        [("full_rounds_initial", 4), ("partial_rounds", partial), ("full_rounds_terminal", 4)]
    {
        object.known(recorder, key, wanted);
    }
    numbers(recorder, width, &mut object, "round_constants", rounds);
    numbers(recorder, width, &mut object, "mds_first_row", matrix);
    object.finish(recorder);
}

fn poseidon2(recorder: &mut Recorder<'_>, width: usize, mut object: Object) {
    let [initial, internal, terminal, diagonal] =
        hazmat::poseidon2_constants(width).expect("16 and 24 are built in");
    for (key, wanted) in [
        ("external_rounds_initial", initial.len() / width),
        ("internal_rounds", internal.len()),
        ("external_rounds_terminal", terminal.len() / width),
    ] {
        object.known(recorder, key, wanted);
    }
    for (key, wanted) in [
        ("external_initial", initial),
        ("internal", internal),
        ("external_terminal", terminal),
        ("internal_diagonal", diagonal),
    ] {
        numbers(recorder, width, &mut object, key, wanted);
    }
    object.finish(recorder);
}

/// A list of numbers, or of rows of numbers.
fn numbers(recorder: &mut Recorder<'_>, width: usize, object: &mut Object, key: &str, wanted: &[u32]) {
    let rows = object.list(recorder, key);
    if rows.is_empty() {
        return;
    }
    recorder.case_once(format_args!("width{width}.{key}"), || {
        let mut flat = Vec::new();
        for row in &rows {
            match row {
                Value::Array(row) => {
                    same("length of a row", row.len(), width)?;
                    flat.extend(row.iter().map(Value::as_u64));
                }
                one => flat.push(one.as_u64()),
            }
        }
        let wanted: Vec<Option<u64>> = wanted.iter().map(|&x| Some(x.into())).collect();
        same("length", flat.len(), wanted.len())?;
        for (i, (got, wanted)) in wanted.iter().zip(&flat).enumerate() {
            same(&format!("built-in number {i}"), got, wanted)?;
        }
        Ok(())
    });
}
