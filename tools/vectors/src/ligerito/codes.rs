//! `fields.json`, `fft.json`, `reed_solomon.json` and `merkle.json`: what the published crate is made of.

use super::elements::{Element, Generator, encodes_in, field_of_name, given, integers, sha256};
use crate::json::{Hex, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ligerito::hazmat::fields::Field;
use phalanx::ligerito::hazmat::trees::{Hashing, row_hash_ref_v08};
use serde::Deserialize;
use serde_json::Value;

/// Runs `fields.json`.
pub(crate) fn run_fields(recorder: &mut Recorder<'_>, file: &mut Object) {
    for field in Field::ALL {
        file.cases(recorder, field.name(), |case: &Product| multiply(field, case));
    }
    file.cases(recorder, "embeddings", embed);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    a: Element,
    b: Element,
    mul: Element,
    inv_a: Element,
}

fn multiply(field: Field, case: &Product) -> Check {
    let [a, b, product, inverse] = integers(field, &[case.a, case.b, case.mul, case.inv_a])?[..] else {
        unreachable!("four")
    };
    same("a b", field.multiply(a, b), Some(product))?;
    same("b a", field.multiply(b, a), Some(product))?;
    same("1 / a", field.invert(a), Some(inverse))?;
    same("a / a", field.multiply(a, inverse), Some(u128::from(a != 0)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Embedding {
    x16: Element,
    x16_in_32: Element,
    x16_in_128: Element,
    x32: Element,
    x32_in_128: Element,
}

fn embed(case: &Embedding) -> Check {
    let embeds = |from: Element, into: Element, fields: (Field, Field)| {
        ensure((from.field, into.field) == fields, "not elements of these fields")?;
        same("image", from.field.embed(from.integer, into.field), Some(into.integer))
    };
    embeds(case.x16, case.x16_in_32, (Field::Gf16, Field::Gf32))?;
    embeds(case.x16, case.x16_in_128, (Field::Gf16, Field::Gf128))?;
    embeds(case.x32, case.x32_in_128, (Field::Gf32, Field::Gf128))?;
    let through_32 = Field::Gf32.embed(case.x16_in_32.integer, Field::Gf128);
    same("image through gf32", through_32, Some(case.x16_in_128.integer))
}

/// A list in full, or its digest and ends.
fn matches(
    what: &str,
    field: Field,
    got: &[u128],
    full: Option<&Vec<Element>>,
    (digest, first, last): (Option<&Hex<32>>, Option<&Vec<Element>>, Option<&Vec<Element>>),
) -> Check {
    ensure(full.is_some() || digest.is_some(), &format!("{what}: neither values nor a digest"))?;
    if let Some(full) = full {
        same(what, got, &integers(field, full)?[..])?;
    }
    if let Some(digest) = digest {
        let bytes = given(what, field.to_le_bytes(got))?;
        same(&format!("digest of {what}"), sha256(&bytes), digest.0)?;
    }
    if let Some(first) = first {
        same(&format!("first of {what}"), got.get(..first.len()), Some(&integers(field, first)?[..]))?;
    }
    if let Some(last) = last {
        let start = got.len().checked_sub(last.len()).ok_or("more last values than there are")?;
        same(&format!("last of {what}"), &got[start..], &integers(field, last)?[..])?;
    }
    Ok(())
}

/// The elements in full, or those of a seed.
fn elements(
    field: Field,
    full: Option<&Vec<Element>>,
    seed: Option<&Hex<8>>,
    count: usize,
) -> Result<Vec<u128>, String> {
    let elements = match (full, seed) {
        (Some(full), None) => integers(field, full)?,
        (None, Some(seed)) => Generator(u64::from_be_bytes(seed.0)).elements(field, count),
        _ => return Err("neither elements nor a seed, or both".to_owned()),
    };
    same("number of elements", elements.len(), count)?;
    Ok(elements)
}

/// Sizes that tests are made of.
fn ensure_small(log2_elements: u32) -> Check {
    ensure(log2_elements <= 20, "longer than anything that is tested")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Transform {
    field: String,
    log_n: u32,
    input: Option<Vec<Element>>,
    input_seed: Option<Hex<8>>,
    input_sha256: Option<Hex<32>>,
    twiddles: Option<Vec<Element>>,
    twiddles_sha256: Option<Hex<32>>,
    fft_output: Option<Vec<Element>>,
    output_sha256: Option<Hex<32>>,
    output_first4: Option<Vec<Element>>,
    output_last2: Option<Vec<Element>>,
}

/// Runs `fft.json`.
pub(crate) fn run_transforms(recorder: &mut Recorder<'_>, list: &[Value]) {
    recorder.cases("", list, |case: &Transform| {
        let field = field_of_name(&case.field)?;
        ensure_small(case.log_n)?;
        let input = elements(field, case.input.as_ref(), case.input_seed.as_ref(), 1 << case.log_n)?;
        if let Some(digest) = &case.input_sha256 {
            same("digest of the input", sha256(&given("input", field.to_le_bytes(&input))?), digest.0)?;
        }
        let twiddles = given("twiddles", field.twiddles(case.log_n))?;
        let no_ends = (case.twiddles_sha256.as_ref(), None, None);
        matches("twiddles", field, &twiddles, case.twiddles.as_ref(), no_ends)?;
        let output = given("transform", field.transform(&input))?;
        let ends = (case.output_sha256.as_ref(), case.output_first4.as_ref(), case.output_last2.as_ref());
        matches("output", field, &output, case.fft_output.as_ref(), ends)?;
        encodes_in(field, &input, &output, |input, columns| field.encode(input, columns, 0))
    });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Codeword {
    field: String,
    log_message: u32,
    log_inv_rate: u32,
    message: Option<Vec<Element>>,
    message_seed: Option<Hex<8>>,
    sk_at_vk: Option<Vec<Element>>,
    pis: Option<Vec<Element>>,
    codeword: Option<Vec<Element>>,
    codeword_sha256: Option<Hex<32>>,
    codeword_first4: Option<Vec<Element>>,
    codeword_last2: Option<Vec<Element>>,
}

/// Runs `reed_solomon.json`.
pub(crate) fn run_codewords(recorder: &mut Recorder<'_>, list: &[Value]) {
    recorder.cases("", list, |case: &Codeword| {
        let field = field_of_name(&case.field)?;
        let (d, r) = (case.log_message, case.log_inv_rate);
        ensure_small(d.saturating_add(r))?;
        let message = elements(field, case.message.as_ref(), case.message_seed.as_ref(), 1 << d)?;
        if let Some(wanted) = &case.sk_at_vk {
            let mut norms = given("norms", field.norms(d + r))?;
            norms.truncate(d as usize + 1);
            same("sk_at_vk", norms, integers(field, wanted)?)?;
        }
        if let Some(wanted) = &case.pis {
            same("pis", given("scales", field.scales(d))?, integers(field, wanted)?)?;
        }
        let codeword = given("encoding", field.encode_unnormalised(&message, 0, r))?;
        let ends =
            (case.codeword_sha256.as_ref(), case.codeword_first4.as_ref(), case.codeword_last2.as_ref());
        matches("codeword", field, &codeword, case.codeword.as_ref(), ends)?;
        encodes_in(field, &message, &codeword, |message, columns| {
            field.encode_unnormalised(message, columns, r)
        })
    });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    field: String,
    cols: usize,
    log_rows: u32,
    rows_seed: Hex<8>,
    row_hash_0: Hex<32>,
    row_hash_last: Option<Hex<32>>,
    leaf_node_0: Option<Hex<32>>,
    root: Hex<32>,
    queries: Option<Vec<usize>>,
    siblings: Option<Vec<Hex<32>>>,
}

/// Runs `merkle.json`.
pub(crate) fn run_trees(recorder: &mut Recorder<'_>, list: &[Value]) {
    recorder.cases("", list, |case: &Tree| {
        let field = field_of_name(&case.field)?;
        ensure_small(case.log_rows.saturating_add(case.cols.max(1).ilog2()))?;
        ensure(case.cols >= 1, "no columns")?;
        let columns = u32::try_from(case.cols).map_err(text)?;
        let cells =
            Generator(u64::from_be_bytes(case.rows_seed.0)).elements(field, case.cols << case.log_rows);
        let bytes = given("rows", field.to_le_bytes(&cells))?;
        let rows: Vec<&[u8]> = bytes.chunks_exact(case.cols * field.bits() as usize / 8).collect();
        let hash = |row: &[u8]| row_hash_ref_v08(columns, row);
        same("row_hash_0", hash(rows[0]), case.row_hash_0.0)?;
        if let Some(wanted) = &case.row_hash_last {
            same("row_hash_last", hash(rows[rows.len() - 1]), wanted.0)?;
        }
        let leaves: Vec<[u8; 32]> = rows.iter().map(|row| Hashing::RefV08.leaf(columns, row)).collect();
        if let Some(wanted) = &case.leaf_node_0 {
            same("leaf_node_0", leaves[0], wanted.0)?;
        }
        let layers = given("tree", Hashing::RefV08.tree(&leaves))?;
        same("root", layers.last().map(Vec::as_slice), Some(&[case.root.0][..]))?;
        match (&case.queries, &case.siblings) {
            (None, None) => Ok(()),
            (Some(queries), Some(siblings)) => {
                let siblings: Vec<[u8; 32]> = siblings.iter().map(|sibling| sibling.0).collect();
                let got = Hashing::RefV08.siblings(&leaves, queries);
                same("siblings", got, Some(siblings.clone()))?;
                let opened: Vec<[u8; 32]> = queries.iter().map(|&position| leaves[position]).collect();
                let root = Hashing::RefV08.root_of(case.log_rows, queries, &opened, &siblings);
                same("root of the opening", root, Some(case.root.0))
            }
            _ => Err("queries without siblings, or siblings without queries".to_owned()),
        }
    });
}
