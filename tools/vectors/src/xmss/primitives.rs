//! `poseidonN.primitives.json`: permutations, field, randomness, tweaks, rounding and the hypercube.

use crate::json::{Decimal, Hex, Object};
use crate::report::{Check, Recorder, ensure, in_every_lane, same};
use phalanx::xmss::hazmat::{self, Permutation};
use serde::Deserialize;
use serde_json::Value;

/// Runs the file of Poseidon `version`.
pub(crate) fn run(recorder: &mut Recorder<'_>, version: u8, file: Value) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    if let Some(part) = file.object(recorder, "permutations") {
        permutations(recorder, version, part);
    }
    if let Some(part) = file.object(recorder, "field_and_rng") {
        field_and_rng(recorder, part);
    }
    if let Some(part) = file.object(recorder, "tweaks") {
        tweaks(recorder, part);
    }
    file.cases(recorder, "activation_rounding", activation_rounding);
    if version == 2
        && let Some(part) = file.object(recorder, "hypercube")
    {
        hypercube(recorder, part);
    }
    file.finish(recorder);
}

fn permutations(recorder: &mut Recorder<'_>, version: u8, mut part: Object) {
    let (permutation, name) = match version {
        1 => (Permutation::Poseidon1, "poseidon1-koalabear"),
        _ => (Permutation::Poseidon2, "poseidon2-koalabear"),
    };
    part.known(recorder, "permutation", name);
    part.cases(recorder, "width16", |case: &Width16| width_16(permutation, case));
    part.cases(recorder, "width24", |case: &Width24| width_24(permutation, case));
    part.finish(recorder);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Width16 {
    r#in: [u32; 16],
    out: [u32; 16],
    compress8: [u32; 8],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Width24 {
    r#in: [u32; 24],
    out: [u32; 24],
    compress15: [u32; 15],
}

fn width_16(permutation: Permutation, case: &Width16) -> Check {
    let mut other = case.r#in;
    other.reverse();
    other[0] ^= 1;
    in_every_lane("out", &case.r#in, &other, &case.out, |inputs| {
        let mut states = inputs.to_vec();
        hazmat::permute_16(permutation, &mut states, 1);
        states
    })?;
    in_every_lane("compress8", &case.r#in, &other, &case.compress8, |inputs| {
        hazmat::compress_16(permutation, inputs)
    })
}

fn width_24(permutation: Permutation, case: &Width24) -> Check {
    let mut other = case.r#in;
    other.reverse();
    other[0] ^= 1;
    in_every_lane("out", &case.r#in, &other, &case.out, |inputs| {
        let mut states = inputs.to_vec();
        hazmat::permute_24(permutation, &mut states, 1);
        states
    })?;
    in_every_lane("compress15", &case.r#in, &other, &case.compress15, |inputs| {
        hazmat::compress_24(permutation, inputs)
    })
}

fn field_and_rng(recorder: &mut Recorder<'_>, mut part: Object) {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Montgomery {
        canonical: u32,
        serde_u32: u32,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct FromSeed {
        seed: Hex<32>,
        next_u32_first_40: Vec<u32>,
        first_24_random_field_elements_canonical: Vec<u32>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct FromU64 {
        seed_u64: Decimal<1>,
        next_u32_first_4: Vec<u32>,
    }
    part.known(recorder, "modulus", 2_130_706_433_u32);
    part.cases(recorder, "montgomery", |case: &Montgomery| {
        same("Montgomery word", hazmat::montgomery(case.canonical), case.serde_u32)?;
        same("canonical residue", hazmat::canonical(case.serde_u32), Some(case.canonical))
    });
    part.cases(recorder, "std_rng_from_seed", |case: &FromSeed| {
        let (Hex(seed), words, elements) =
            (&case.seed, &case.next_u32_first_40, &case.first_24_random_field_elements_canonical);
        ensure(!words.is_empty() && !elements.is_empty(), "nothing to compare")?;
        same("words", &hazmat::random_words(seed, words.len()), words)?;
        same("elements", &hazmat::random_elements(seed, elements.len()), elements)
    });
    part.cases(recorder, "std_rng_seed_from_u64", |case: &FromU64| {
        let words = &case.next_u32_first_4;
        ensure(!words.is_empty(), "nothing to compare")?;
        same("words", &hazmat::random_words(&hazmat::seed_from_u64(case.seed_u64.0[0]), words.len()), words)
    });
    part.finish(recorder);
}

fn tweaks(recorder: &mut Recorder<'_>, mut part: Object) {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Tree {
        level: u8,
        pos_in_level: u32,
        fe: [u32; 2],
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Chain {
        epoch: u32,
        chain_index: u8,
        pos_in_chain: u8,
        fe: [u32; 2],
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Epoch {
        epoch: u32,
        fe: [u32; 2],
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Message {
        message: Hex<32>,
        fe: [u32; 9],
    }
    fn digits(label: u64, wanted: &[u32; 2]) -> Check {
        in_every_lane("elements", &label, &(label ^ 0x5555), wanted, hazmat::tweak_digits)
    }
    part.cases(recorder, "tree_tweak", |case: &Tree| {
        digits(hazmat::tree_tweak(case.level, case.pos_in_level.into()), &case.fe)
    });
    part.cases(recorder, "chain_tweak", |case: &Chain| {
        digits(hazmat::chain_tweak(case.epoch, case.chain_index, case.pos_in_chain), &case.fe)
    });
    part.cases(recorder, "epoch_encoding", |case: &Epoch| digits(hazmat::epoch_tweak(case.epoch), &case.fe));
    part.cases(recorder, "message_encoding", |case: &Message| {
        same("elements", hazmat::message_encoding(&case.message.0), case.fe)
    });
    part.finish(recorder);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rounding {
    log_lifetime: u8,
    activation_epoch: u64,
    num_active_epochs: u64,
    first_bottom_tree: u64,
    end_bottom_tree: u64,
}

fn activation_rounding(case: &Rounding) -> Check {
    let trees = hazmat::activation_rounding(case.log_lifetime, case.activation_epoch, case.num_active_epochs);
    same("bottom trees", trees, case.first_bottom_tree..case.end_bottom_tree)
}

fn hypercube(recorder: &mut Recorder<'_>, mut part: Object) {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct LayerSizes {
        dimension: usize,
        base: usize,
        layer_sizes: Vec<Decimal<3>>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct PartSize {
        dimension: usize,
        base: usize,
        layers_0_to: usize,
        total: Decimal<4>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Enumeration {
        layer: usize,
        vertices_in_order: Vec<Vec<u8>>,
    }
    part.cases(recorder, "layer_sizes", |case: &LayerSizes| {
        let wanted: Vec<[u64; 3]> = case.layer_sizes.iter().map(|size| size.0).collect();
        same("sizes", hazmat::layer_sizes(case.dimension, case.base), wanted)
    });
    part.cases(recorder, "part_sizes", |case: &PartSize| {
        same("total", hazmat::vertices_up_to(case.dimension, case.base, case.layers_0_to), Some(case.total.0))
    });
    part.cases(recorder, "map_to_vertex", map_to_vertex);
    let list = part.list(recorder, "complete_enumeration_base3_dim3");
    recorder.cases("hypercube.complete_enumeration_base3_dim3", &list, |case: &Enumeration| {
        let size = hazmat::layer_sizes(3, 3).get(case.layer).copied();
        same("vertices", size, Some([case.vertices_in_order.len() as u64, 0, 0]))?;
        for (index, wanted) in (0u64..).zip(&case.vertices_in_order) {
            let got = hazmat::vertex(3, 3, case.layer, [index, 0, 0]);
            same(&format!("vertex {index}"), got.as_ref(), Some(wanted))?;
        }
        Ok(())
    });
    if !list.is_empty() {
        recorder.case_once("hypercube.complete_enumeration_base3_dim3 (all layers)", || {
            same("layers", list.len(), 7)
        });
    }
    part.finish(recorder);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapToVertex {
    dimension: usize,
    base: usize,
    layer: usize,
    layer_size: Decimal<3>,
    rows: Vec<VertexRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VertexRow {
    index: Decimal<3>,
    vertex: Vec<u8>,
}

fn map_to_vertex(case: &MapToVertex) -> Check {
    let MapToVertex { dimension, base, layer, .. } = *case;
    let size = hazmat::layer_sizes(dimension, base).get(layer).copied();
    same("layer size", size, Some(case.layer_size.0))?;
    ensure(!case.rows.is_empty(), "no rows to compare")?;
    for row in &case.rows {
        let got = hazmat::vertex(dimension, base, layer, row.index.0);
        same(&format!("vertex {:?}", row.index.0), got.as_ref(), Some(&row.vertex))?;
    }
    Ok(())
}
