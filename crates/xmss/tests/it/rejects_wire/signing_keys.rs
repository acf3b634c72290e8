//! Signing keys: their offsets and counts, and everything about them that has to fit together.

use super::{inserted, rejects, signing_key, with, without, word};
use phalanx_xmss::{Format, SigningKey};
use serde_json::{Value, json};

/// Places in the SSZ form of [`signing_key`]: header, then the trees.
const TOP: usize = 88;
const TOP_LIST: usize = TOP + 20;
const TOP_LAYERS: [usize; 5] = [20, 160, 300, 440, 516];
const LEFT: usize = TOP_LIST + 592;
const LEFT_OFFSET: u32 = 700;
const RIGHT: usize = LEFT + 20 + 20 + 5 * 12 + 31 * 32;

#[test]
fn offsets_of_a_signing_key_are_the_only_possible_ones() {
    let good = signing_key(Format::Ssz);
    assert_eq!(good.len(), 2884);
    let len = 2884;
    assert_eq!((word(&good, 80, 0), LEFT), (LEFT_OFFSET, LEFT_OFFSET as usize));
    let offset = |at: usize, got: u32| with(&good, at, &got.to_le_bytes());
    for got in [0, 3, 87, 89, u32::MAX] {
        rejects::<SigningKey>(Format::Ssz, &offset(68, got), "offset of the top tree", got.into(), 88);
    }
    for (got, wanted) in [(0, 88), (87, 88), (2885, len), (u32::MAX, len)] {
        rejects::<SigningKey>(
            Format::Ssz,
            &offset(80, got),
            "offset of the left bottom tree",
            got.into(),
            wanted,
        );
    }
    for (got, wanted) in [(3, LEFT as u64), (LEFT_OFFSET - 1, LEFT as u64), (2885, len), (u32::MAX, len)] {
        rejects::<SigningKey>(
            Format::Ssz,
            &offset(84, got),
            "offset of the right bottom tree",
            got.into(),
            wanted,
        );
    }
    for tree in [TOP, LEFT, RIGHT] {
        for got in [0, 19, 21, u32::MAX] {
            let bytes = offset(tree + 16, got);
            rejects::<SigningKey>(Format::Ssz, &bytes, "offset of the layers of a tree", got.into(), 20);
        }
        for got in [0, 16, 19, 21, 24, u32::MAX] {
            rejects::<SigningKey>(Format::Ssz, &offset(tree + 20, got), "offset of a layer", got.into(), 20);
        }
    }
    for (i, start) in TOP_LAYERS.into_iter().enumerate() {
        assert_eq!(word(&good, TOP_LIST, i) as usize, start);
        for got in [0, 11, 13, u32::MAX] {
            let bytes = offset(TOP_LIST + start + 8, got);
            rejects::<SigningKey>(Format::Ssz, &bytes, "offset of the nodes of a layer", got.into(), 12);
        }
        if i > 0 {
            let bytes = offset(TOP_LIST + 4 * i, 593);
            rejects::<SigningKey>(Format::Ssz, &bytes, "offset of a layer", 593, 592);
            let before = word(&good, TOP_LIST, i - 1);
            let bytes = offset(TOP_LIST + 4 * i, before - 1);
            rejects::<SigningKey>(
                Format::Ssz,
                &bytes,
                "offset of a layer",
                (before - 1).into(),
                before.into(),
            );
        }
    }
}

#[test]
fn a_layer_is_a_whole_number_of_nodes() {
    // Four bytes more at the end of the last layer of the top tree; all offsets after it moved along.
    let good = signing_key(Format::Ssz);
    let mut bytes = inserted(&good, LEFT, &[0; 4]);
    for at in [80, 84] {
        let moved = word(&bytes, at, 0) + 4;
        bytes = with(&bytes, at, &moved.to_le_bytes());
    }
    rejects::<SigningKey>(Format::Ssz, &bytes, "bytes of the nodes of a layer", 68, 64);
}

#[test]
fn counts_of_a_signing_key_allocate_nothing_before_they_are_checked() {
    let good = signing_key(Format::Bincode);
    let (layers, nodes) = (68 + 16, 68 + 24 + 8);
    assert_eq!((word(&good, layers, 0), word(&good, nodes, 0)), (5, 4));
    for got in [0, 4, 6, u64::MAX] {
        let bytes = with(&good, layers, &got.to_le_bytes());
        rejects::<SigningKey>(Format::Bincode, &bytes, "layers of a tree", got, 5);
    }
    let room = (good.len() - nodes - 8) / 32;
    for got in [room as u64 + 1, 1 << 40, u64::MAX] {
        let bytes = with(&good, nodes, &got.to_le_bytes());
        rejects::<SigningKey>(Format::Bincode, &bytes, "nodes of a layer", got, room as u64);
    }

    let good = signing_key(Format::BincodeStandard);
    let at = 32 + 5 * 5 + 2;
    assert_eq!(good[at..at + 5], [8, 4, 5, 6, 4], "depth, lowest level, layers; first position, nodes");
    rejects::<SigningKey>(Format::BincodeStandard, &with(&good, at + 2, &[6]), "layers of a tree", 6, 5);
    let huge = inserted(&without(&good, at + 4, 1), at + 4, &[&[253][..], &[255; 8]].concat());
    let room = (good.len() - at - 5) / 8;
    rejects::<SigningKey>(Format::BincodeStandard, &huge, "nodes of a layer", u64::MAX, room as u64);
}

/// The JSON form of [`signing_key`], changed by `change`.
pub(crate) fn changed_key(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&signing_key(Format::Json)).expect("JSON");
    change(&mut value);
    value.to_string().into_bytes()
}

/// [`changed_key`], read from JSON; and in SSZ, if `at` says where to write which integer to the same effect.
#[track_caller]
pub(crate) fn rejects_key(
    change: impl FnOnce(&mut Value),
    at: &[(usize, u64)],
    what: &str,
    got: u64,
    wanted: u64,
) {
    rejects::<SigningKey>(Format::Json, &changed_key(change), what, got, wanted);
    if !at.is_empty() {
        let good = signing_key(Format::Ssz);
        let bytes = at.iter().fold(good, |bytes, (at, value)| with(&bytes, *at, &value.to_le_bytes()));
        rejects::<SigningKey>(Format::Ssz, &bytes, what, got, wanted);
    }
}

#[test]
fn intervals_of_a_signing_key_fit_together() {
    type Case<'a> = (&'a [(&'a str, u64)], &'a str, u64, u64);
    let start_rule = "activation epoch modulo the leaves of a bottom tree";
    let count_rule = "active epochs modulo the leaves of a bottom tree";
    let end_rule = "last bottom tree of the activation interval";
    let two_rule = "bottom trees of the activation interval";
    let left_rule = "index of the left bottom tree";
    let (start, count, left) = ("activation_epoch", "num_active_epochs", "left_bottom_tree_index");
    let cases: &[Case<'_>] = &[
        (&[(start, 97)], start_rule, 1, 0),
        (&[(start, u64::MAX)], start_rule, 15, 0),
        (&[(count, 40)], count_rule, 8, 0),
        (&[(count, u64::MAX)], count_rule, 15, 0),
        (&[(start, 256)], end_rule, 19, 16),
        (&[(count, 176)], end_rule, 17, 16),
        (&[(start, u64::MAX - 15)], end_rule, (1 << 60) - 1 + 3, 16),
        (&[(start, u64::MAX - 15), (count, u64::MAX - 15)], end_rule, (1 << 61) - 2, 16),
        (&[(count, 0)], two_rule, 0, 2),
        (&[(count, 16)], two_rule, 1, 2),
        (&[(start, 0), (count, 0)], two_rule, 0, 2),
        (&[(start, 0), (count, 16), (left, u64::MAX)], two_rule, 1, 2),
        (&[(left, 5)], left_rule, 5, 6),
        (&[(left, 0)], left_rule, 0, 6),
        (&[(left, 8)], left_rule, 8, 7),
        (&[(left, u64::MAX)], left_rule, u64::MAX, 7),
    ];
    for (changes, what, got, wanted) in cases {
        let place = |name| match name {
            "activation_epoch" => 52,
            "num_active_epochs" => 60,
            _ => 72,
        };
        let at: Vec<_> = changes.iter().map(|&(name, value)| (place(name), value)).collect();
        let change = |key: &mut Value| changes.iter().for_each(|&(name, value)| key[name] = value.into());
        rejects_key(change, &at, what, *got, *wanted);
    }
}

#[test]
fn trees_of_a_signing_key_have_their_shape_and_place() {
    for (name, at, lowest) in
        [("top_tree", TOP, 4), ("left_bottom_tree", LEFT, 0), ("right_bottom_tree", RIGHT, 0)]
    {
        for (got, wanted) in [(6, 8), (0, 8), (18, 8), (255, 8), (256, 255), (u64::MAX, 255)] {
            rejects_key(|key| key[name]["depth"] = got.into(), &[(at, got)], "depth of a tree", got, wanted);
        }
        for (got, wanted) in [(lowest + 1, lowest), (8, lowest), (255, lowest), (256, 255), (u64::MAX, 255)] {
            let change = |key: &mut Value| key[name]["lowest_layer"] = got.into();
            rejects_key(change, &[(at + 8, got)], "lowest level of a tree", got, wanted);
        }
        // SSZ and bincode have no room for another number of layers; JSON has.
        let layers = |key: &Value| key[name]["layers"].as_array().expect("a list").clone();
        rejects_key(|key| key[name]["layers"] = layers(key)[..4].into(), &[], "layers of a tree", 4, 5);
        let more = |key: &mut Value| key[name]["layers"] = [layers(key), layers(key)].concat().into();
        rejects_key(more, &[], "layers of a tree", 10, 5);
        rejects_key(|key| key[name]["layers"] = json!([]), &[], "layers of a tree", 0, 5);
    }
    for (i, (start, count)) in [(6, 4), (2, 4), (0, 4), (0, 2), (0, 2)].into_iter().enumerate() {
        let layer = format!("/top_tree/layers/{i}");
        for got in [start + 1, start + 2, u64::MAX] {
            let change =
                |key: &mut Value| key.pointer_mut(&layer).expect("it is there")["start_index"] = got.into();
            let at = TOP_LIST + TOP_LAYERS[i];
            rejects_key(change, &[(at, got)], "first position of a layer", got, start);
        }
        let nodes = format!("{layer}/nodes");
        let list = |key: &Value| key.pointer(&nodes).and_then(Value::as_array).expect("a list").clone();
        for got in [0, 1, count - 1, count + 1, 2 * count] {
            let change = |key: &mut Value| {
                let nodes_now = list(key).into_iter().cycle().take(got).collect();
                *key.pointer_mut(&nodes).expect("it is there") = nodes_now;
            };
            rejects_key(change, &[], "nodes of a layer", got as u64, count as u64);
        }
    }
    for (name, at, start) in [("left_bottom_tree", LEFT, 96), ("right_bottom_tree", RIGHT, 112)] {
        for (i, offset) in [20, 544, 812, 952, 1028].into_iter().enumerate() {
            let (got, wanted) = ((start >> i) + 1, start >> i);
            let change = |key: &mut Value| key[name]["layers"][i]["start_index"] = got.into();
            rejects_key(change, &[(at + 20 + offset, got)], "first position of a layer", got, wanted);
        }
    }
}

#[test]
fn trees_of_a_signing_key_belong_together() {
    let one_off = |key: &mut Value, pointer: &str| {
        let word = key.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there"));
        *word = (word.as_u64().expect("a number") ^ 1).into();
    };
    let roots = "bottom trees whose root is in the top tree";
    rejects_key(|key| one_off(key, "/left_bottom_tree/layers/4/nodes/0/0"), &[], roots, 0, 2);
    rejects_key(|key| one_off(key, "/right_bottom_tree/layers/4/nodes/0/7"), &[], roots, 1, 2);
    rejects_key(|key| one_off(key, "/top_tree/layers/0/nodes/0/3"), &[], roots, 0, 2);
    rejects_key(|key| one_off(key, "/top_tree/layers/0/nodes/1/3"), &[], roots, 1, 2);
    let swap = |key: &mut Value| {
        for layer in 0..5 {
            let right = key["right_bottom_tree"]["layers"][layer]["nodes"].clone();
            key["left_bottom_tree"]["layers"][layer]["nodes"] = right;
        }
    };
    rejects_key(swap, &[], roots, 0, 2);

    // The third root and the paddings have no leaves in the key; inner nodes are recomputed.
    let nodes = "trees whose nodes are hashes of their children";
    for (pointer, got) in [
        ("/top_tree/layers/0/nodes/2/0", 0),
        ("/top_tree/layers/1/nodes/1/0", 0),
        ("/top_tree/layers/2/nodes/2/7", 0),
        ("/top_tree/layers/4/nodes/0/0", 0),
        ("/left_bottom_tree/layers/0/nodes/15/0", 1),
        ("/left_bottom_tree/layers/3/nodes/1/5", 1),
        ("/right_bottom_tree/layers/0/nodes/0/0", 2),
        ("/right_bottom_tree/layers/2/nodes/3/0", 2),
    ] {
        rejects_key(|key| one_off(key, pointer), &[], nodes, got, 3);
    }
    rejects_key(|key| one_off(key, "/parameter/4"), &[], nodes, 0, 3);
    for byte in [0, 31] {
        let pointer = format!("/prf_key/{byte}");
        rejects_key(|key| one_off(key, &pointer), &[], "first leaves that come from the PRF key", 0, 1);
    }
}
