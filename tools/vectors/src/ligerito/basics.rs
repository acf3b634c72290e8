//! `basics.json`: the parts of our own suites, one by one.

use super::elements::{encodes, encodes_in, given, large, one_large, small};
use super::replay_own;
use super::suite::{Points, Suite};
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ligerito::hazmat::fields::Field;
use phalanx::ligerito::{self, provable128};
use serde::Deserialize;
use serde_json::{Value, from_value};

/// Runs the file: in the suite whose elements are as long as its powers of g.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    let powers = file.list(recorder, "phi_powers");
    let digits = powers.first().and_then(Value::as_str).map_or(0, str::len);
    if digits == provable128::Preset::BITS as usize / 4 {
        run_suite::<provable128::Preset>(recorder, file, powers);
    } else {
        run_suite::<ligerito::Preset>(recorder, file, powers);
    }
}

fn run_suite<S: Points>(recorder: &mut Recorder<'_>, file: &mut Object, powers: Vec<Value>) {
    ensure_length(recorder, "phi_powers", powers.len(), 32);
    let numbered: Vec<Value> =
        powers.into_iter().enumerate().map(|(i, power)| serde_json::json!([i, power])).collect();
    recorder.cases("phi_powers", &numbered, |(i, power): &(u32, Bytes)| {
        same("phi(x^i)", S::embed(1 << i), one_large::<S>(power)?)
    });
    file.cases(recorder, "phi", |[element, image]: &[Bytes; 2]| {
        let element = small(std::slice::from_ref(element))?[0];
        same("phi", S::embed((element & 0xffff_ffff) as u32), one_large::<S>(image)?)
    });
    file.cases(recorder, "sh", basis::<S>);
    file.cases(recorder, "mul", multiply::<S>);
    file.cases(recorder, "encode", encode::<S>);
    file.cases(recorder, "generator_row", generator_row::<S>);
    let hash = one(recorder, file, "hash", hash::<S>);
    one(recorder, file, "evaluate", evaluate::<S>);
    one(recorder, file, "merkle", merkle::<S>);
    let row = hash.and_then(|hash| Hash::deserialize(hash).ok()).map_or_else(Vec::new, |hash| hash.row.0);
    one(recorder, file, "transcript", |script: &Script| transcript::<S>(script, &row));
}

/// Whether a case is about the suite's large field, or else about GF(2^32).
fn is_large<S: Points>(bits: u32) -> Result<bool, String> {
    if bits == S::BITS || bits == 32 { Ok(bits != 32) } else { Err(format!("no field of {bits} bits")) }
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
    table: Vec<Vec<Bytes>>,
}

fn basis<S: Points>(case: &Basis) -> Check {
    if is_large::<S>(case.field)? {
        let rows = case.table.iter().map(|row| large::<S>(row)).collect::<Result<Vec<_>, _>>()?;
        return same("h", given("basis", S::basis(case.points))?, rows);
    }
    let rows = case.table.iter().map(|row| small(row)).collect::<Result<Vec<_>, _>>()?;
    same("h", given("basis", Field::Gf32.basis(case.points))?, rows)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    field: u32,
    a: Bytes,
    b: Bytes,
    ab: Bytes,
}

fn multiply<S: Points>(case: &Product) -> Check {
    let digits = [&case.a, &case.b, &case.ab].map(Clone::clone);
    if is_large::<S>(case.field)? {
        let [a, b, ab] = large::<S>(&digits)?[..] else { unreachable!("three") };
        same("a b", a * b, ab)?;
        same("b a", b * a, ab)?;
        let zero = S::small(0);
        return same("a b / a", ab * S::invert(a), if a == zero { zero } else { b });
    }
    let [a, b, ab] = small(&digits)?[..] else { unreachable!("three") };
    let field = Field::Gf32;
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
    message: Vec<Bytes>,
    codeword: Vec<Bytes>,
}

fn encode<S: Points>(case: &Codeword) -> Check {
    same("length of the message", case.message.len(), 1 << case.d.min(24))?;
    same("length of the codeword", case.codeword.len(), case.message.len() << case.r.min(8))?;
    if is_large::<S>(case.field)? {
        let (message, codeword) = (large::<S>(&case.message)?, large::<S>(&case.codeword)?);
        let scale = |x: S::Challenge, factor| Some(x * S::small(factor));
        return encodes(&message, &codeword, scale, |message, columns| S::encode(message, columns, case.r));
    }
    let (message, codeword) = (small(&case.message)?, small(&case.codeword)?);
    encodes_in(Field::Gf32, &message, &codeword, |message, columns| {
        Field::Gf32.encode(message, columns, case.r)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GeneratorRow {
    field: u32,
    d: u32,
    r: u32,
    q: usize,
    #[serde(rename = "factors_in_U")]
    factors: Vec<Bytes>,
}

fn generator_row<S: Points>(case: &GeneratorRow) -> Check {
    let (points, d, q) = (case.d + case.r, case.d, case.q);
    let factors = if is_large::<S>(case.field)? {
        given("generator row", S::generator_factors(points, d, q))?
    } else {
        let factors = given("generator row", Field::Gf32.generator_factors(points, d, q))?;
        factors.into_iter().map(|factor| S::embed((factor & 0xffff_ffff) as u32)).collect()
    };
    same("factors", factors, large::<S>(&case.factors)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Evaluation {
    point: Vec<Bytes>,
    f: Vec<Bytes>,
    eq: Vec<Bytes>,
    value: Bytes,
}

fn evaluate<S: Points>(case: &Evaluation) -> Check {
    let point = large::<S>(&case.point)?;
    same("eq", S::equal(&point), large::<S>(&case.eq)?)?;
    let f: Vec<u32> = small(&case.f)?.iter().map(|x| (x & 0xffff_ffff) as u32).collect();
    same("value", S::evaluate(&f, &point), Some(one_large::<S>(&case.value)?))
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

fn hash<S: Points>(case: &Hash) -> Check {
    // The number of columns is not hashed in our own suite.
    let leaf = |row: &[u8]| S::HASHING.leaf(1, row);
    same("leaf", leaf(&case.row.0), case.leaf.0)?;
    let reversed: Vec<u8> = case.row.0.iter().rev().copied().collect();
    same("leaf of the reversed row", leaf(&reversed), case.leaf_reversed_row.0)?;
    let node = S::HASHING.node(&case.leaf.0, &case.leaf_reversed_row.0);
    same("node of the leaf and that of the reversed row", node, case.node.0)?;
    same("pow", S::work(&case.pow_seed.0, case.pow_nonce), u64::from_be_bytes(case.pow_u64.0))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    script: Vec<String>,
    outputs: Vec<Value>,
    stream_len: usize,
}

/// Follows the script. Lines: `absorb LABEL <WHAT>`, `squeeze LABEL LENGTH`, `queries n=POINTS Q=COUNT`.
fn transcript<S: Points>(case: &Script, row: &[u8]) -> Check {
    let bits = if S::BITS == 128 { 100 } else { 128 };
    let suite_line = format!("<suite string provable{bits}>");
    let rounds = S::BITS as usize / 4;
    let row_line = format!("<first {rounds} bytes of hash.row>");
    let mut transcript = S::transcript();
    let mut stream_len = 0;
    let mut outputs = case.outputs.iter();
    for line in &case.script {
        let unknown = || format!("a line that this version does not know: '{line}'");
        let (verb, rest) = line.split_once(' ').ok_or_else(unknown)?;
        let (label, what) = rest.split_once(' ').ok_or_else(unknown)?;
        if verb == "absorb" {
            let data = match what {
                _ if what == suite_line => S::NAME.as_bytes(),
                "<empty>" => &[],
                _ if what == row_line => row.get(..rounds).ok_or("hash.row is too short")?,
                _ => return Err(unknown()),
            };
            transcript.absorb(label, data);
            stream_len += 13 + label.len() + data.len();
            continue;
        }
        let wanted = outputs.next().ok_or("too few outputs")?;
        if verb == "squeeze" {
            let wanted: Bytes = from_value(wanted.clone()).map_err(text)?;
            let got = transcript.squeeze(label, what.parse().map_err(|_| unknown())?);
            same(line, got, wanted.0)?;
            stream_len += 13 + label.len();
        } else if let ("queries", Some(points), Some(count)) =
            (verb, label.strip_prefix("n="), what.strip_prefix("Q="))
        {
            let points: u64 = points.parse().map_err(|_| unknown())?;
            let count: usize = count.parse().map_err(|_| unknown())?;
            let wanted: Vec<usize> = from_value(wanted.clone()).map_err(text)?;
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

fn merkle<S: Points>(case: &Tree) -> Check {
    same("rows", &*case.rows, "row i = two T elements i, i*i (integers)")?;
    let leaves: Vec<[u8; 32]> = case.leaves.iter().map(|leaf| leaf.0).collect();
    for (i, leaf) in (0u32..).zip(&leaves) {
        let row = [i, i.wrapping_mul(i)].map(u32::to_le_bytes);
        same(&format!("leaf {i}"), S::HASHING.leaf(2, row.as_flattened()), *leaf)?;
    }
    let layers = given("tree", S::HASHING.tree(&leaves))?;
    same("root", layers.last().map(Vec::as_slice), Some(&[case.root.0][..]))?;
    ensure(!case.openings.is_empty(), "no openings")?;
    let depth = leaves.len().ilog2();
    for (i, Opening { queries, siblings }) in case.openings.iter().enumerate() {
        let siblings: Vec<[u8; 32]> = siblings.iter().map(|sibling| sibling.0).collect();
        same(&format!("opening {i}"), S::HASHING.siblings(&leaves, queries), Some(siblings.clone()))?;
        let opened: Vec<[u8; 32]> = queries.iter().map(|&position| leaves[position]).collect();
        let root = S::HASHING.root_of(depth, queries, &opened, &siblings);
        same(&format!("root of opening {i}"), root, Some(case.root.0))?;
        same("number of siblings, counted here", replay_own::siblings(depth, queries), siblings.len())?;
    }
    Ok(())
}
