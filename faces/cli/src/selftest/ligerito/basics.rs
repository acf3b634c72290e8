//! `basics.json`: the parts of our own suite, one by one.

use super::elements::{Element, Large, encodes, field_of_bits, given, integers, plain};
use super::replay_own;
use crate::selftest::json::{Bytes, Hex, Object};
use crate::selftest::report::{Check, Recorder, ensure, same};
use phalanx::ligerito::hazmat::fields::{self, Field};
use phalanx::ligerito::hazmat::transcripts::Framed;
use phalanx::ligerito::hazmat::trees::{self, Hashing};
use phalanx::ligerito::{Gf128, SUITE};
use serde::Deserialize;
use serde_json::{Value, from_value};

/// Runs the file.
pub(super) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    let list = file.list(recorder, "phi_powers");
    ensure_length(recorder, "phi_powers", list.len(), 32);
    let numbered: Vec<Value> =
        list.into_iter().enumerate().map(|(i, power)| serde_json::json!([i, power])).collect();
    recorder.cases("phi_powers", &numbered, |(i, power): &(u32, Large)| {
        same("phi(x^i)", given("phi", Field::Gf32.embed(1 << i, Field::Gf128))?, power.0.0)
    });
    let list = file.list(recorder, "phi");
    recorder.cases("phi", &list, |[small, large]: &[Element; 2]| {
        ensure((small.field, large.field) == (Field::Gf32, Field::Gf128), "not a pair of gf32 and gf128")?;
        same("phi", given("phi", Field::Gf32.embed(small.integer, Field::Gf128))?, large.integer)
    });
    let list = file.list(recorder, "sh");
    recorder.cases("sh", &list, basis);
    let list = file.list(recorder, "mul");
    recorder.cases("mul", &list, multiply);
    let list = file.list(recorder, "encode");
    recorder.cases("encode", &list, encode);
    let list = file.list(recorder, "generator_row");
    recorder.cases("generator_row", &list, generator_row);
    let hash = one(recorder, file, "hash", hash);
    one(recorder, file, "evaluate", evaluate);
    one(recorder, file, "merkle", merkle);
    let row = hash.and_then(|hash| Hash::deserialize(hash).ok()).map_or_else(Vec::new, |hash| hash.row.0);
    one(recorder, file, "transcript", |script: &Script| transcript(script, &row));
}

/// Runs the single case `key`, and gives it.
fn one<T: serde::de::DeserializeOwned>(
    recorder: &mut Recorder<'_>,
    file: &mut Object,
    key: &str,
    check: impl Fn(&T) -> Check,
) -> Option<Value> {
    let value = file.required(recorder, key)?;
    recorder.cases(key, std::slice::from_ref(&value), check);
    Some(value)
}

fn ensure_length(recorder: &mut Recorder<'_>, list: &str, got: usize, wanted: usize) {
    recorder.case_once(format_args!("{list}: length"), || same("length", got, wanted));
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Basis {
    field: u32,
    #[serde(rename = "K")]
    points: u32,
    table: Vec<Vec<Element>>,
}

fn basis(case: &Basis) -> Check {
    let field = field_of_bits(case.field)?;
    let table = given("basis", field.basis(case.points))?;
    same("rows", table.len(), case.table.len())?;
    for (j, (got, wanted)) in table.iter().zip(&case.table).enumerate() {
        same(&format!("h_{j}"), got, &integers(field, wanted)?)?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    field: u32,
    a: Element,
    b: Element,
    ab: Element,
}

fn multiply(case: &Product) -> Check {
    let field = field_of_bits(case.field)?;
    let [a, b, ab] = integers(field, &[case.a, case.b, case.ab])?[..] else { unreachable!("three") };
    same("a b", field.multiply(a, b), Some(ab))?;
    same("b a", field.multiply(b, a), Some(ab))?;
    let inverse = given("inverse", field.invert(a))?;
    same("a b / a", field.multiply(ab, inverse), Some(if a == 0 { 0 } else { b }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Codeword {
    field: u32,
    d: u32,
    r: u32,
    message: Vec<Element>,
    codeword: Vec<Element>,
}

fn encode(case: &Codeword) -> Check {
    let field = field_of_bits(case.field)?;
    let (message, codeword) = (integers(field, &case.message)?, integers(field, &case.codeword)?);
    same("length of the message", message.len(), 1 << case.d.min(24))?;
    same("length of the codeword", codeword.len(), message.len() << case.r.min(8))?;
    encodes(field, &message, &codeword, |message, columns| field.encode(message, columns, case.r))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GeneratorRow {
    field: u32,
    d: u32,
    r: u32,
    q: usize,
    #[serde(rename = "factors_in_U")]
    factors: Vec<Large>,
}

fn generator_row(case: &GeneratorRow) -> Check {
    let field = field_of_bits(case.field)?;
    let factors = given("generator row", field.generator_factors(case.d + case.r, case.d, case.q))?;
    let embedded: Option<Vec<_>> =
        factors.iter().map(|factor| field.embed(*factor, Field::Gf128).map(Gf128)).collect();
    same("factors", embedded, Some(plain(&case.factors)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Evaluation {
    point: Vec<Large>,
    f: Vec<Element>,
    eq: Vec<Large>,
    value: Large,
}

fn evaluate(case: &Evaluation) -> Check {
    let point = plain(&case.point);
    same("eq", fields::equal(&point), plain(&case.eq))?;
    let f: Vec<u32> = integers(Field::Gf32, &case.f)?.iter().map(|x| (x & 0xffff_ffff) as u32).collect();
    same("value", fields::evaluate(&f, &point), Some(case.value.0))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hash {
    row: Bytes,
    leaf: Hex<32>,
    leaf_reversed_row: Hex<32>,
    node: Hex<32>,
    pow_seed: Hex<32>,
    pow_nonce: u64,
    pow_u64: Hex<8>,
}

fn hash(case: &Hash) -> Check {
    // The number of columns is not hashed in our own suite.
    let leaf = |row: &[u8]| Hashing::Own.leaf(1, row);
    same("leaf", leaf(&case.row.0), case.leaf.0)?;
    let reversed: Vec<u8> = case.row.0.iter().rev().copied().collect();
    same("leaf of the reversed row", leaf(&reversed), case.leaf_reversed_row.0)?;
    let node = Hashing::Own.node(&case.leaf.0, &case.leaf_reversed_row.0);
    same("node of the leaf and that of the reversed row", node, case.node.0)?;
    same("pow", trees::work(&case.pow_seed.0, case.pow_nonce), u64::from_be_bytes(case.pow_u64.0))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    script: Vec<String>,
    outputs: Vec<Value>,
    stream_len: usize,
}

/// Follows the script. Lines: `absorb LABEL <WHAT>`, `squeeze LABEL LENGTH`, `queries n=POINTS Q=COUNT`.
fn transcript(case: &Script, row: &[u8]) -> Check {
    let mut transcript = Framed::new();
    let mut stream_len = 0;
    let mut outputs = case.outputs.iter();
    for line in &case.script {
        let unknown = || format!("a line that this version does not know: '{line}'");
        let (verb, rest) = line.split_once(' ').ok_or_else(unknown)?;
        let (label, what) = rest.split_once(' ').ok_or_else(unknown)?;
        if verb == "absorb" {
            let data = match what {
                "<suite string provable100>" => SUITE.as_bytes(),
                "<empty>" => &[],
                "<first 32 bytes of hash.row>" => row.get(..32).ok_or("hash.row is shorter than 32 bytes")?,
                _ => return Err(unknown()),
            };
            transcript.absorb(label, data);
            stream_len += 13 + label.len() + data.len();
            continue;
        }
        let wanted = outputs.next().ok_or("too few outputs")?;
        if verb == "squeeze" {
            let wanted: Bytes = from_value(wanted.clone()).map_err(|error| error.to_string())?;
            let got = transcript.squeeze(label, what.parse().map_err(|_| unknown())?);
            same(line, got, wanted.0)?;
            stream_len += 13 + label.len();
        } else if let ("queries", Some(points), Some(count)) =
            (verb, label.strip_prefix("n="), what.strip_prefix("Q="))
        {
            let points: u64 = points.parse().map_err(|_| unknown())?;
            let count: usize = count.parse().map_err(|_| unknown())?;
            let wanted: Vec<usize> = from_value(wanted.clone()).map_err(|error| error.to_string())?;
            ensure(points.is_power_of_two() && points.ilog2() <= 32, "not a power of two of positions")?;
            let got = transcript.clone().queries(points.ilog2(), count);
            same(line, &got, &Some(wanted.clone()))?;
            let mut blocks = 0;
            let plain = replay_own::queries(points.ilog2(), count, || {
                blocks += 1;
                transcript.squeeze("query", 512)
            });
            same(&format!("{line}, drawn here"), plain, wanted)?;
            stream_len += blocks * (13 + "query".len());
        } else {
            return Err(unknown());
        }
    }
    same("outputs left over", outputs.count(), 0)?;
    same("stream_len", stream_len, case.stream_len)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    rows: String,
    leaves: Vec<Hex<32>>,
    root: Hex<32>,
    openings: Vec<Opening>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    queries: Vec<usize>,
    siblings: Vec<Hex<32>>,
}

fn merkle(case: &Tree) -> Check {
    same("rows", &*case.rows, "row i = two T elements i, i*i (integers)")?;
    let leaves: Vec<[u8; 32]> = case.leaves.iter().map(|leaf| leaf.0).collect();
    for (i, leaf) in (0u32..).zip(&leaves) {
        let row = [i, i.wrapping_mul(i)].map(u32::to_le_bytes);
        same(&format!("leaf {i}"), Hashing::Own.leaf(2, row.as_flattened()), *leaf)?;
    }
    let layers = given("tree", Hashing::Own.tree(&leaves))?;
    same("root", layers.last().map(Vec::as_slice), Some(&[case.root.0][..]))?;
    ensure(!case.openings.is_empty(), "no openings")?;
    let depth = leaves.len().ilog2();
    for (i, Opening { queries, siblings }) in case.openings.iter().enumerate() {
        let siblings: Vec<[u8; 32]> = siblings.iter().map(|sibling| sibling.0).collect();
        same(&format!("opening {i}"), Hashing::Own.siblings(&leaves, queries), Some(siblings.clone()))?;
        let opened: Vec<[u8; 32]> = queries.iter().map(|&position| leaves[position]).collect();
        let root = Hashing::Own.root_of(depth, queries, &opened, &siblings);
        same(&format!("root of opening {i}"), root, Some(case.root.0))?;
        same("number of siblings, counted here", replay_own::siblings(depth, queries), siblings.len())?;
    }
    Ok(())
}
