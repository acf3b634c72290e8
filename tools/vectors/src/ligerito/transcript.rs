//! `transcript.json`: scripts on the transcripts of the published crate.

use super::elements::{Element, integers};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ligerito::hazmat::fields::Field;
use phalanx::ligerito::hazmat::transcripts::Published;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, from_value};

/// A script, the transcript that it runs on, and under the names that it uses what goes in and comes out.
#[derive(Deserialize)]
struct Case {
    transcript: String,
    script: Vec<String>,
    #[serde(flatten)]
    values: Map<String, Value>,
}

/// Runs the file.
pub(crate) fn run(recorder: &mut Recorder<'_>, list: &[Value]) {
    recorder.cases("", list, check);
}

/// `sha256_seedN`, `sha256_raw_seedN` or `merlin`.
fn start(name: &str) -> Result<Published, String> {
    let unknown = || format!("no transcript '{name}'");
    if name == "merlin" {
        return Ok(Published::merlin());
    }
    let (make, seed): (fn(i32) -> Published, _) = match name.strip_prefix("sha256_raw_seed") {
        Some(seed) => (Published::sha256_raw, seed),
        None => (Published::sha256, name.strip_prefix("sha256_seed").ok_or_else(unknown)?),
    };
    Ok(make(seed.parse().map_err(|_| unknown())?))
}

fn check(case: &Case) -> Check {
    let mut transcript = start(&case.transcript)?;
    let mut values = case.values.clone();
    for line in &case.script {
        step(line, &mut transcript, &mut values)
            .ok_or_else(|| format!("a line that this version does not know: '{line}'"))?
            .map_err(|reason| format!("'{line}': {reason}"))?;
    }
    let left: Vec<&String> = values.keys().collect();
    ensure(left.is_empty(), &format!("values that no line uses: {left:?}"))
}

/// Does what a line says; `None` if it is of no form that is known.
fn step(line: &str, transcript: &mut Published, values: &mut Map<String, Value>) -> Option<Check> {
    if let Some(arguments) = line.strip_prefix("absorb_bytes ") {
        let (label, data) = arguments.strip_prefix("label='")?.strip_suffix('\'')?.split_once("' data='")?;
        transcript.absorb_bytes(label, data.as_bytes());
        return Some(Ok(()));
    }
    let (verb, name) = line.split_once(' ').unwrap_or((line, "root"));
    let (name, field) = match name.split_once(" (") {
        Some((name, field)) => (name, Some(Field::from_name(field.strip_suffix(')')?)?)),
        None => (name, None),
    };
    let numbers = verb.strip_suffix(')').and_then(|verb| verb.split_once('('));
    let value = values.remove(name);
    let checked = match (verb, numbers) {
        ("absorb_root", _) => typed(value).map(|root: crate::json::Hex<32>| transcript.absorb_root(&root.0)),
        ("absorb_elem", _) => typed(value).and_then(|element: Element| {
            transcript.absorb_element(element.field, element.integer).ok_or_else(|| "too large".to_owned())
        }),
        ("absorb_elems", _) => typed(value).and_then(|elements: Vec<Element>| {
            let field = field.ok_or("no field is named")?;
            transcript
                .absorb_elements(field, &integers(field, &elements)?)
                .ok_or_else(|| "too large".to_owned())
        }),
        ("challenge128", _) => challenge(transcript, Field::Gf128, value),
        ("challenge32", _) => challenge(transcript, Field::Gf32, value),
        ("challenge16", _) => challenge(transcript, Field::Gf16, value),
        (_, Some(("query", positions))) => {
            let positions = positions.parse().ok()?;
            typed(value).and_then(|wanted: u64| same("position", transcript.query(positions), Some(wanted)))
        }
        (_, Some(("distinct_queries", numbers))) => {
            let (positions, count) = numbers.split_once(',')?;
            let (positions, count) = (positions.parse().ok()?, count.parse().ok()?);
            typed(value).and_then(|wanted: Vec<usize>| {
                same("positions", transcript.queries(positions, count), wanted)
            })
        }
        _ => return None,
    };
    Some(checked)
}

fn challenge(transcript: &mut Published, field: Field, value: Option<Value>) -> Check {
    let wanted: Element = typed(value)?;
    same("challenge", (field, transcript.challenge(field)), (wanted.field, wanted.integer))
}

fn typed<T: DeserializeOwned>(value: Option<Value>) -> Result<T, String> {
    from_value(value.ok_or("the value is missing")?).map_err(text)
}
