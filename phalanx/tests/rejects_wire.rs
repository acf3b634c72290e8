//! What the decoders refuse: every check has a case here that fails when the check is taken out.
//!
//! Most cases pin the whole error and not only that there is one, so that a check cannot hide behind a later one.

#[path = "wire/vectors.rs"]
mod vectors;

use phalanx::Malformed;
use phalanx::xmss::{Format, ParameterSet, Signature, SigningKey, VerifyingKey};
use proptest::prelude::*;
use serde_json::{Value, json};
use vectors::{KEY_FILES, P, bytes, keys, list, secret_key};

/// The set of most cases: lifetime 2^8, four chains, eight words a node, seven of randomness, five of parameter.
const SET: ParameterSet = ParameterSet::POSEIDON1_L8_D4B8_TEST;

/// A signature under [`SET`].
fn signature() -> Signature {
    let vector = bytes(&keys(SET)[0]["signatures"][0]["sig_ssz"]);
    Signature::from_bytes(SET, Format::Ssz, &vector).expect("decodes")
}

/// A verifying key of [`SET`].
fn verifying_key() -> VerifyingKey {
    let vector = bytes(&keys(SET)[0]["pk_ssz"]);
    VerifyingKey::from_bytes(SET, Format::Ssz, &vector).expect("decodes")
}

/// A signing key of [`SET`] for epochs 96..144 in `format`: bottom trees 6, 7 and 8, of which 6 and 7 are prepared. The
/// layers of the top tree begin at 6, 2, 0, 0, 0 and have 4, 4, 4, 2, 2 nodes.
fn signing_key(format: Format) -> Vec<u8> {
    let ssz = secret_key(SET, KEY_FILES[1].1[1], "ssz");
    SigningKey::from_bytes(SET, Format::Ssz, &ssz).expect("decodes").to_bytes(format).to_vec()
}

/// Something that is decoded.
trait Decoded: Sized {
    fn decode(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Malformed>;
    fn encode(&self, format: Format) -> Vec<u8>;
}

macro_rules! decoded {
    ($($name:ident)*) => {$(
        impl Decoded for $name {
            fn decode(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Malformed> {
                Self::from_bytes(set, format, bytes)
            }

            fn encode(&self, format: Format) -> Vec<u8> {
                self.to_bytes(format).to_vec()
            }
        }
    )*};
}

decoded!(VerifyingKey Signature SigningKey);

/// Fails unless decoding ends in exactly this error.
#[track_caller]
fn rejects<T: Decoded>(format: Format, bytes: &[u8], what: &str, got: u64, wanted: u64) {
    let error = T::decode(SET, format, bytes).err().unwrap_or_else(|| panic!("{format}: accepted: {what}"));
    assert_eq!((error.what, error.got, error.wanted), (what, got, wanted), "{format}");
}

/// `bytes` with `new` written over what stands at `at`.
fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

/// `bytes` with `new` put in at `at`.
fn inserted(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..at], new, &bytes[at..]].concat()
}

/// `bytes` without the `len` ones at `at`.
fn without(bytes: &[u8], at: usize, len: usize) -> Vec<u8> {
    [&bytes[..at], &bytes[at + len..]].concat()
}

/// The words of a fixed-width form as a variable-width one writes them: 252 and four bytes, for all but small ones.
fn varint(word: u32) -> Vec<u8> {
    assert!(word >= 1 << 16, "needs four bytes");
    [&[252][..], &word.to_le_bytes()].concat()
}

// ---- the vectors' own cases ----

#[test]
fn every_verify_case_has_the_required_verdict() {
    let (mut accepted, mut rejected) = (0, 0);
    for set in ParameterSet::ALL {
        for key in keys(set) {
            for (format, name, sig) in [
                (Format::Ssz, "verify_cases_ssz", "sig_ssz"),
                (Format::Bincode, "verify_cases_bincode1", "sig_bincode1"),
            ] {
                for case in list(&key[name]) {
                    let form = if case["pk_ssz"].is_null() { &key["pk_bincode1"] } else { &case["pk_ssz"] };
                    let verdict = verdict(set, format, &bytes(form), &bytes(&case[sig]), case);
                    let required = case["required"] == "accept";
                    assert!(required || case["required"] == "reject", "{case}");
                    assert_eq!(verdict.is_ok(), required, "{set} {name} {}: {verdict:?}", case["case"]);
                    if required { accepted += 1 } else { rejected += 1 }
                }
            }
        }
    }
    assert!(
        accepted >= 20 && rejected >= 600,
        "{accepted} accepted, {rejected} rejected: are cases missing?"
    );
}

fn verdict(
    set: ParameterSet,
    format: Format,
    key: &[u8],
    signature: &[u8],
    case: &Value,
) -> Result<(), String> {
    let key = VerifyingKey::from_bytes(set, format, key).map_err(|error| error.to_string())?;
    let signature = Signature::from_bytes(set, format, signature).map_err(|error| error.to_string())?;
    let epoch = u32::try_from(case["epoch"].as_u64().expect("a number")).expect("32 bits");
    let message = bytes(&case["message"]).try_into().expect("32 bytes");
    key.verify(epoch, &message, &signature).map_err(|error| error.to_string())
}

#[test]
fn every_damaged_signing_key_of_the_vectors_is_refused() {
    let mut refused = 0;
    for (set, _) in KEY_FILES {
        for case in keys(set).iter().flat_map(|key| list(&key["sk_cases_ssz"]).to_vec()) {
            let outcome = SigningKey::from_bytes(set, Format::Ssz, &bytes(&case["sk_ssz"])).map(|_| ());
            assert_eq!(outcome.is_ok(), case["case"] == "valid", "{set} {}: {outcome:?}", case["case"]);
            refused += u32::from(outcome.is_err());
        }
    }
    assert!(refused >= 60, "{refused} refused: are cases missing?");
}

// ---- lengths ----

#[test]
fn nothing_shorter_decodes() {
    for &format in Format::ALL {
        let key = verifying_key().to_bytes(format);
        for len in 0..key.len() {
            assert!(
                VerifyingKey::from_bytes(SET, format, &key[..len]).is_err(),
                "{format} key of {len} bytes"
            );
        }
        let signature = signature().to_bytes(format);
        for len in 0..signature.len() {
            assert!(
                Signature::from_bytes(SET, format, &signature[..len]).is_err(),
                "{format} signature, {len}"
            );
        }
        let key = signing_key(format);
        for len in (0..key.len()).filter(|len| *len < 300 || len % 7 == 0 || len + 100 > key.len()) {
            assert!(
                SigningKey::from_bytes(SET, format, &key[..len]).is_err(),
                "{format} signing key of {len}"
            );
        }
    }
}

#[test]
fn nothing_follows_the_end() {
    let after = "bytes after the end";
    for format in [Format::Ssz, Format::Bincode, Format::BincodeStandard, Format::BincodePadded] {
        let key = verifying_key().to_bytes(format);
        rejects::<VerifyingKey>(format, &[&key[..], &[0]].concat(), after, 1, 0);
    }
    for format in [Format::Bincode, Format::BincodeStandard] {
        let signature = signature().to_bytes(format);
        rejects::<Signature>(format, &[&signature[..], &[0; 3]].concat(), after, 3, 0);
        rejects::<SigningKey>(format, &[signing_key(format), vec![0; 2]].concat(), after, 2, 0);
    }
    let signature = signature().to_bytes(Format::Ssz);
    rejects::<Signature>(Format::Ssz, &[&signature[..], &[0]].concat(), "bytes of the hashes", 129, 128);
    let key = [signing_key(Format::Ssz), vec![0]].concat();
    rejects::<SigningKey>(Format::Ssz, &key, "bytes of the nodes of a layer", 33, 32);
}

#[test]
fn padding_is_zero_and_exact() {
    let padded = signature().to_bytes(Format::BincodePadded);
    let name = "length of a padded signature";
    rejects::<Signature>(Format::BincodePadded, &padded[..3115], name, 3115, 3116);
    rejects::<Signature>(Format::BincodePadded, &[&padded[..], &[0]].concat(), name, 3117, 3116);
    rejects::<Signature>(Format::BincodePadded, &signature().to_bytes(Format::Bincode), name, 428, 3116);
    for at in [428, 1000, 3115] {
        rejects::<Signature>(Format::BincodePadded, &with(&padded, at, &[9]), "byte of padding", 9, 0);
    }
    rejects::<Signature>(Format::Bincode, &padded, "bytes after the end", 3116 - 428, 0);
}

// ---- elements ----

/// Where the elements of one name stand: their name, and the first and last place.
type Places<'a> = &'a [(&'a str, usize, usize)];

/// Puts each non-canonical element at each of `places`, in SSZ or fixed-width bincode.
fn rejects_elements<T: Decoded>(format: Format, good: &[u8], places: Places<'_>) {
    assert!(T::decode(SET, format, good).is_ok());
    for &(name, first, last) in places {
        for at in [first, last] {
            for bad in [P, P + 1, u32::MAX] {
                rejects::<T>(format, &with(good, at, &bad.to_le_bytes()), name, bad.into(), (P - 1).into());
            }
            // The greatest element passes the check (a signing key then fails a later one, which tells of no element).
            if let Err(error) = T::decode(SET, format, &with(good, at, &(P - 1).to_le_bytes())) {
                assert_ne!(error.wanted, u64::from(P - 1), "{format} {name}: {error}");
            }
        }
    }
}

#[test]
fn elements_are_canonical_in_fixed_width() {
    let root_and_parameter = [("element of the root", 0, 28), ("element of the parameter", 32, 48)];
    for format in [Format::Ssz, Format::Bincode, Format::BincodePadded] {
        rejects_elements::<VerifyingKey>(format, &verifying_key().to_bytes(format), &root_and_parameter);
    }
    let ssz = [
        ("element of rho", 4, 28),
        ("element of the path", 40, 40 + 8 * 32 - 4),
        ("element of the hashes", 40 + 8 * 32, 420),
    ];
    rejects_elements::<Signature>(Format::Ssz, &signature().to_bytes(Format::Ssz), &ssz);
    let bincode = [
        ("element of the path", 8, 8 + 8 * 32 - 4),
        ("element of rho", 264, 288),
        ("element of the hashes", 300, 424),
    ];
    for format in [Format::Bincode, Format::BincodePadded] {
        rejects_elements::<Signature>(format, &signature().to_bytes(format), &bincode);
    }
    for (format, first_node) in [(Format::Ssz, 88 + 20 + 5 * 4 + 12), (Format::Bincode, 68 + 24 + 16)] {
        let key = signing_key(format);
        let places = [("element of the parameter", 32, 48), ("element of a node", first_node, key.len() - 4)];
        rejects_elements::<SigningKey>(format, &key, &places);
    }
}

/// Replaces the varint word that `old` is by each non-canonical element, where it stands from `from` on.
fn rejects_varint_element<T: Decoded>(good: &[u8], name: &str, old: u32, from: usize) {
    let old = varint(old);
    let at = from + good[from..].windows(5).position(|five| five == old).expect("it stands there");
    for bad in [P, P + 1, u32::MAX] {
        let bytes = with(good, at, &varint(bad));
        rejects::<T>(Format::BincodeStandard, &bytes, name, bad.into(), (P - 1).into());
    }
    // A word is below 2^32 and in its shortest form.
    let wide = [&[253][..], &(1u64 << 32).to_le_bytes()].concat();
    let bytes = inserted(&without(good, at, 5), at, &wide);
    rejects::<T>(Format::BincodeStandard, &bytes, name, 1 << 32, u32::MAX.into());
    let long = [&[253][..], &old[1..], &[0; 4]].concat();
    let value = u32::from_le_bytes(old[1..].try_into().expect("four bytes"));
    let bytes = inserted(&without(good, at, 5), at, &long);
    rejects::<T>(Format::BincodeStandard, &bytes, "varint written longer than needed", value.into(), 1 << 32);
    for tag in [254, 255] {
        rejects::<T>(
            Format::BincodeStandard,
            &with(good, at, &[tag]),
            "first byte of a varint",
            tag.into(),
            253,
        );
    }
}

/// The `i`th word of a fixed-width form that begins at byte `from`.
fn word(bytes: &[u8], from: usize, i: usize) -> u32 {
    u32::from_le_bytes(bytes[from + 4 * i..][..4].try_into().expect("four bytes"))
}

#[test]
fn elements_are_canonical_in_variable_width() {
    let (fixed, good) =
        (verifying_key().to_bytes(Format::Bincode), verifying_key().to_bytes(Format::BincodeStandard));
    rejects_varint_element::<VerifyingKey>(&good, "element of the root", word(&fixed, 0, 7), 0);
    rejects_varint_element::<VerifyingKey>(&good, "element of the parameter", word(&fixed, 32, 4), 0);
    let (fixed, good) =
        (signature().to_bytes(Format::Bincode), signature().to_bytes(Format::BincodeStandard));
    rejects_varint_element::<Signature>(&good, "element of the path", word(&fixed, 8, 63), 0);
    rejects_varint_element::<Signature>(&good, "element of rho", word(&fixed, 264, 6), 0);
    rejects_varint_element::<Signature>(&good, "element of the hashes", word(&fixed, 300, 31), 0);
    let (fixed, good) = (signing_key(Format::Bincode), signing_key(Format::BincodeStandard));
    rejects_varint_element::<SigningKey>(&good, "element of the parameter", word(&fixed, 32, 0), 32);
    rejects_varint_element::<SigningKey>(&good, "element of a node", word(&fixed, fixed.len() - 4, 0), 32);
}

// ---- offsets and counts ----

#[test]
fn offsets_of_a_signature_are_the_only_possible_ones() {
    let good = signature().to_bytes(Format::Ssz);
    let hashes = 32 + 4 + 8 * 32 + 4;
    assert_eq!((word(&good, 0, 0), word(&good, 32, 0), word(&good, 36, 0)), (36, hashes, 4));
    for got in [0, 35, 37, 424, u32::MAX] {
        let bytes = with(&good, 0, &got.to_le_bytes());
        rejects::<Signature>(Format::Ssz, &bytes, "offset of the path", got.into(), 36);
    }
    for (got, wanted) in [(0, 36), (35, 36), (425, 424), (u32::MAX, 424)] {
        let bytes = with(&good, 32, &got.to_le_bytes());
        rejects::<Signature>(Format::Ssz, &bytes, "offset of the hashes", got.into(), wanted);
    }
    // A node more or less in the path, at the expense of the hashes.
    for (got, path) in
        [(hashes + 32, 4 + 9 * 32), (hashes - 32, 4 + 7 * 32), (hashes + 1, 261), (40, 4), (424, 388)]
    {
        let bytes = with(&good, 32, &got.to_le_bytes());
        rejects::<Signature>(Format::Ssz, &bytes, "bytes of the path", path - 4, 256);
    }
    for got in [0, 3, 5, 36, u32::MAX] {
        let bytes = with(&good, 36, &got.to_le_bytes());
        rejects::<Signature>(Format::Ssz, &bytes, "offset of the nodes in the path", got.into(), 4);
    }
    for (bytes, got) in [(good[..392].to_vec(), 96), ([&good[..], &[0; 32]].concat(), 160)] {
        rejects::<Signature>(Format::Ssz, &bytes, "bytes of the hashes", got, 128);
    }
}

#[test]
fn counts_of_a_signature_are_those_of_the_set() {
    for (format, at) in [(Format::Bincode, 292), (Format::BincodePadded, 292)] {
        let good = signature().to_bytes(format);
        for got in [0, 7, 9, 256, u64::MAX] {
            let bytes = with(&good, 0, &got.to_le_bytes());
            rejects::<Signature>(format, &bytes, "nodes of the path", got, 8);
        }
        for got in [0, 3, 5, 256, u64::MAX] {
            let bytes = with(&good, at, &got.to_le_bytes());
            rejects::<Signature>(format, &bytes, "number of hashes", got, 4);
        }
    }
    let good = signature().to_bytes(Format::BincodeStandard);
    let first_hash = varint(word(&signature().to_bytes(Format::Bincode), 300, 0));
    let at = good.windows(5).position(|five| five == first_hash).expect("it stands there") - 1;
    assert_eq!((good[0], good[at]), (8, 4));
    for got in [0, 3, 5, 9, 250] {
        rejects::<Signature>(
            Format::BincodeStandard,
            &with(&good, 0, &[got]),
            "nodes of the path",
            got.into(),
            8,
        );
        rejects::<Signature>(
            Format::BincodeStandard,
            &with(&good, at, &[got]),
            "number of hashes",
            got.into(),
            4,
        );
    }
    let huge = [&[253][..], &[255; 8]].concat();
    let bytes = inserted(&good[1..], 0, &huge);
    rejects::<Signature>(Format::BincodeStandard, &bytes, "nodes of the path", u64::MAX, 8);
    let long = inserted(&good, 0, &[251]);
    let long = with(&long, 1, &[8]);
    let long = inserted(&long, 2, &[0]);
    rejects::<Signature>(Format::BincodeStandard, &long, "varint written longer than needed", 8, 251);
}

// ---- signing keys ----

/// Places in the SSZ form of [`signing_key`]: header, then the trees.
const TOP: usize = 88;
const TOP_LIST: usize = TOP + 20;
const TOP_LAYERS: [usize; 5] = [20, 160, 300, 440, 516];
const LEFT: usize = TOP_LIST + 592;
const RIGHT: usize = LEFT + 20 + 20 + 5 * 12 + 31 * 32;

#[test]
fn offsets_of_a_signing_key_are_the_only_possible_ones() {
    let good = signing_key(Format::Ssz);
    assert_eq!(good.len(), 2884);
    let len = 2884;
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
    for (got, wanted) in [(3, LEFT as u64), (LEFT as u32 - 1, LEFT as u64), (2885, len), (u32::MAX, len)] {
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
            let before = TOP_LAYERS[i - 1] as u32;
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
fn changed_key(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&signing_key(Format::Json)).expect("JSON");
    change(&mut value);
    value.to_string().into_bytes()
}

/// [`changed_key`], read from JSON; and in SSZ, if `at` says where to write which integer to the same effect.
#[track_caller]
fn rejects_key(change: impl FnOnce(&mut Value), at: &[(usize, u64)], what: &str, got: u64, wanted: u64) {
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

// ---- JSON ----

/// The JSON form of [`signature`], changed by `change`.
fn changed_signature(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&signature().to_bytes(Format::Json)).expect("JSON");
    change(&mut value);
    value.to_string().into_bytes()
}

#[test]
fn json_elements_and_lengths_are_checked() {
    let json = Format::Json;
    let key: Value = serde_json::from_slice(&verifying_key().to_bytes(json)).expect("JSON");
    let changed_verifying_key = |pointer: &str, value: Value| {
        let mut key = key.clone();
        *key.pointer_mut(pointer).expect("it is there") = value;
        key.to_string().into_bytes()
    };
    for bad in [P, P + 1, u32::MAX] {
        let (got, wanted) = (u64::from(bad), u64::from(P - 1));
        let bytes = changed_verifying_key("/root/7", bad.into());
        rejects::<VerifyingKey>(json, &bytes, "element of the root", got, wanted);
        let bytes = changed_verifying_key("/parameter/4", bad.into());
        rejects::<VerifyingKey>(json, &bytes, "element of the parameter", got, wanted);
        let bytes = changed_signature(|s| s["rho"][6] = bad.into());
        rejects::<Signature>(json, &bytes, "element of rho", got, wanted);
        let bytes = changed_signature(|s| s["path"]["co_path"][7][7] = bad.into());
        rejects::<Signature>(json, &bytes, "element of the path", got, wanted);
        let bytes = changed_signature(|s| s["hashes"][3][7] = bad.into());
        rejects::<Signature>(json, &bytes, "element of the hashes", got, wanted);
        rejects_key(|k| k["parameter"][0] = bad.into(), &[], "element of the parameter", got, wanted);
        let change = |k: &mut Value| k["right_bottom_tree"]["layers"][4]["nodes"][0][7] = bad.into();
        rejects_key(change, &[], "element of a node", got, wanted);
    }
    for (got, words) in
        [(0, json!([])), (7, json!([1, 1, 1, 1, 1, 1, 1])), (9, json!([1, 1, 1, 1, 1, 1, 1, 1, 1]))]
    {
        let bytes = changed_verifying_key("/root", words.clone());
        rejects::<VerifyingKey>(json, &bytes, "length of the root", got, 8);
        let bytes = changed_verifying_key("/parameter", words.clone());
        rejects::<VerifyingKey>(json, &bytes, "length of the parameter", got, 5);
        let all = |count: usize| -> Value { std::iter::repeat_n(words.clone(), count).collect() };
        let bytes = changed_signature(|s| s["path"]["co_path"] = all(8));
        rejects::<Signature>(json, &bytes, "elements of a node", got, 8);
        let bytes = changed_signature(|s| s["hashes"] = all(4));
        rejects::<Signature>(json, &bytes, "elements of a node", got, 8);
        rejects_key(|k| k["top_tree"]["layers"][0]["nodes"] = all(4), &[], "elements of a node", got, 8);
        rejects_key(|k| k["parameter"] = words.clone(), &[], "length of the parameter", got, 5);
        if got != 7 {
            let bytes = changed_signature(|s| s["rho"] = words.clone());
            rejects::<Signature>(json, &bytes, "length of rho", got, 7);
        }
    }
    for (field, pointer, wanted) in
        [("nodes of the path", "/path/co_path", 8), ("number of hashes", "/hashes", 4)]
    {
        for got in [0, 1, wanted - 1, wanted + 1] {
            let bytes = changed_signature(|s| {
                let list = s.pointer_mut(pointer).expect("it is there");
                *list = std::iter::repeat_n(list[0].clone(), got).collect();
            });
            rejects::<Signature>(json, &bytes, field, got as u64, wanted as u64);
        }
    }
}

/// Fails unless serde refuses `text`: for what it says, or for how.
#[track_caller]
fn rejects_text<T: Decoded>(text: &str, fields: bool) {
    let what = if fields { "bytes of JSON with the right fields" } else { "bytes of well-formed JSON" };
    let error = T::decode(SET, Format::Json, text.as_bytes()).err();
    let error = error.unwrap_or_else(|| panic!("accepted: {text}"));
    assert_eq!((error.what, error.wanted), (what, text.len() as u64), "{text}: {error}");
    assert!(error.got <= error.wanted, "{error}");
}

#[test]
fn json_has_exactly_its_fields() {
    let (key, sig) = (verifying_key().encode(Format::Json), signature().encode(Format::Json));
    let secret = String::from_utf8(signing_key(Format::Json)).expect("text");
    let (key, sig) = (String::from_utf8(key).expect("text"), String::from_utf8(sig).expect("text"));
    for (from, to) in [
        ("{\"root\"", "{\"x\":0,\"root\""),
        ("{\"root\"", "{\"root\":[],\"root\""),
        ("\"parameter\"", "\"Parameter\""),
        (",\"parameter\"", ",\"parameters\":[],\"parameter\""),
    ] {
        rejects_text::<VerifyingKey>(&key.replacen(from, to, 1), true);
    }
    for (from, to) in [
        ("{\"path\"", "{\"x\":0,\"path\""),
        ("{\"co_path\"", "{\"x\":0,\"co_path\""),
        ("\"co_path\"", "\"siblings\""),
        ("\"rho\"", "\"rho\":[1],\"rho\""),
        ("\"hashes\"", "\"hashes\":[],\"hashes\""),
    ] {
        rejects_text::<Signature>(&sig.replacen(from, to, 1), true);
    }
    for (from, to) in [
        ("{\"prf_key\"", "{\"x\":null,\"prf_key\""),
        ("\"left_bottom_tree_index\":6", "\"left_bottom_tree_index\":6,\"left_bottom_tree_index\":6"),
        ("\"left_bottom_tree_index\":6,", ""),
        ("\"depth\"", "\"x\":0,\"depth\""),
        ("\"lowest_layer\":4,", ""),
        ("\"start_index\"", "\"x\":0,\"start_index\""),
        ("\"start_index\":6,", ""),
        ("\"_encoding_type\":null", "\"_encoding_type\":0"),
        ("\"_encoding_type\":null", "\"_encoding_type\":[]"),
        ("\"_encoding_type\":null", "\"_encoding_type\":null,\"_encoding_type\":null"),
    ] {
        let text = secret.replacen(from, to, 1);
        assert_ne!(text, secret, "{from}");
        rejects_text::<SigningKey>(&text, true);
    }
    // The secret has 32 bytes, each below 256.
    let bytes: Value = serde_json::from_str::<Value>(&secret).expect("JSON")["prf_key"].clone();
    let list = bytes.to_string();
    for wrong in
        [list.replacen('[', "[1,", 1), list.replacen('[', "[256,", 1), "[]".into(), "\"secret\"".into()]
    {
        let text = secret.replacen(&list, &wrong, 1);
        assert!(SigningKey::from_bytes(SET, Format::Json, text.as_bytes()).is_err(), "{wrong}");
    }
    let one_less = Value::from(&bytes.as_array().expect("a list")[1..]).to_string();
    rejects_text::<SigningKey>(&secret.replacen(&list, &one_less, 1), true);
}

#[test]
fn json_structs_are_objects() {
    // serde would read a struct from a list of its fields' values, too.
    let key: Value = serde_json::from_slice(&verifying_key().to_bytes(Format::Json)).expect("JSON");
    rejects_text::<VerifyingKey>(&json!([key["root"], key["parameter"]]).to_string(), true);
    let sig: Value = serde_json::from_slice(&signature().to_bytes(Format::Json)).expect("JSON");
    rejects_text::<Signature>(&json!([sig["path"], sig["rho"], sig["hashes"]]).to_string(), true);
    let change = |s: &mut Value| s["path"] = json!([s["path"]["co_path"]]);
    rejects_text::<Signature>(&String::from_utf8(changed_signature(change)).expect("text"), true);
    let change = |k: &mut Value| {
        let layer = k["top_tree"]["layers"][0].clone();
        k["top_tree"]["layers"][0] = json!([layer["start_index"], layer["nodes"]]);
    };
    rejects_text::<SigningKey>(&String::from_utf8(changed_key(change)).expect("text"), true);
    let change = |k: &mut Value| {
        let tree = k["left_bottom_tree"].clone();
        k["left_bottom_tree"] = json!([tree["depth"], tree["lowest_layer"], tree["layers"]]);
    };
    rejects_text::<SigningKey>(&String::from_utf8(changed_key(change)).expect("text"), true);
}

#[test]
fn json_numbers_are_plain_and_lists_even() {
    let sig = String::from_utf8(signature().to_bytes(Format::Json)).expect("text");
    let (before, after) = sig.split_once("\"rho\":[").expect("it has rho");
    let (_, after) = after.split_once(',').expect("several words");
    for (word, fields) in [
        ("4294967296", true),
        ("18446744073709551616", true),
        ("-1", true),
        ("1.0", true),
        ("1e3", true),
        ("\"1\"", true),
        ("null", true),
        ("[1]", true),
        ("true", true),
        ("01", false),
        ("+1", false),
        ("0x1", false),
        ("", false),
    ] {
        rejects_text::<Signature>(&format!("{before}\"rho\":[{word},{after}"), fields);
    }
    assert!(
        Signature::from_bytes(SET, Format::Json, format!("{before}\"rho\":[1,{after}").as_bytes()).is_ok()
    );
    // A word moved from one node to the next: the same number of words in all.
    for pointer in ["/hashes", "/path/co_path"] {
        let uneven = changed_signature(|s| {
            let nodes = s.pointer_mut(pointer).and_then(Value::as_array_mut).expect("a list");
            let word = nodes[0].as_array_mut().expect("a node").pop().expect("a word");
            nodes[1].as_array_mut().expect("a node").insert(0, word);
        });
        rejects_text::<Signature>(&String::from_utf8(uneven).expect("text"), true);
    }
    for text in [
        format!("{sig} x"),
        format!("{sig}{sig}"),
        format!("{sig}\0"),
        format!("\u{feff}{sig}"),
        sig.replacen(':', "=", 1),
        "[".repeat(100_000),
        "{\"path\":{\"co_path\":".to_owned() + &"[".repeat(100_000),
        String::new(),
    ] {
        let error = Signature::from_bytes(SET, Format::Json, text.as_bytes()).expect_err("malformed");
        assert_eq!(error.wanted, text.len() as u64);
    }
}

#[test]
fn json_errors_say_how_far_they_came_and_nothing_else() {
    let text = "{\n  \"root\": [1],\n  \"secret\": 7\n}";
    rejects::<VerifyingKey>(Format::Json, text.as_bytes(), "bytes of JSON with the right fields", 27, 33);
    rejects::<VerifyingKey>(Format::Json, b"{\"root\":[1,2", "bytes of well-formed JSON", 12, 12);
}

// ---- anything ----

/// Bytes near valid ones: some of them changed, and perhaps a piece cut out or doubled.
fn damaged(good: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let len = good.len();
    let change = (0..len, prop_oneof![any::<u8>(), Just(0), Just(255), Just(b'[')]);
    let cut = prop_oneof![3 => Just(None), 1 => (0..len, 0..64usize, any::<bool>()).prop_map(Some)];
    (proptest::collection::vec(change, 0..4), cut).prop_map(move |(changes, cut)| {
        let mut bytes = good.clone();
        changes.into_iter().for_each(|(at, byte)| bytes[at] = byte);
        if let Some((at, count, double)) = cut {
            let end = (at + count).min(len);
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..if double { at } else { end }, if double { piece } else { Vec::new() });
        }
        bytes
    })
}

/// Decodes without panic; and whatever decodes from a binary format is the one form of its value.
fn check_any<T: Decoded>(format: Format, bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(value) = T::decode(SET, format, bytes)
        && format != Format::Json
    {
        prop_assert_eq!(value.encode(format), bytes, "{} has two forms", format);
    }
    Ok(())
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        for &format in Format::ALL {
            check_any::<VerifyingKey>(format, &bytes)?;
            check_any::<Signature>(format, &bytes)?;
            check_any::<SigningKey>(format, &bytes)?;
        }
    }

    #[test]
    fn damaged_verifying_keys_never_panic((format, bytes) in any_format(|f| verifying_key().to_bytes(f))) {
        check_any::<VerifyingKey>(format, &bytes)?;
    }

    #[test]
    fn damaged_signatures_never_panic((format, bytes) in any_format(|f| signature().to_bytes(f))) {
        check_any::<Signature>(format, &bytes)?;
    }

    #[test]
    fn damaged_signing_keys_never_panic((format, bytes) in any_format(signing_key)) {
        check_any::<SigningKey>(format, &bytes)?;
    }

    #[test]
    fn damaged_headers_never_panic(
        (format, header) in prop_oneof![Just((Format::Ssz, 128)), Just((Format::Bincode, 110)), Just((Format::BincodeStandard, 70))],
        at in 32..70usize,
        value in prop_oneof![any::<u64>(), Just(u64::MAX), Just(1 << 32), Just(u64::MAX - 15), 0..300u64],
    ) {
        let good = signing_key(format);
        let at = at.min(header - 8);
        check_any::<SigningKey>(format, &with(&good, at, &value.to_le_bytes()))?;
    }
}

/// A format, and damaged bytes of it.
fn any_format(good: impl Fn(Format) -> Vec<u8>) -> impl Strategy<Value = (Format, Vec<u8>)> {
    let goods: Vec<_> = Format::ALL.iter().map(|&format| (format, good(format))).collect();
    proptest::sample::select(goods).prop_flat_map(|(format, good)| (Just(format), damaged(good)))
}

#[test]
fn every_set_refuses_the_forms_of_sets_of_another_shape() {
    for set in ParameterSet::ALL {
        let vector = bytes(&keys(set)[0]["signatures"][0]["sig_ssz"]);
        let signature = Signature::from_bytes(set, Format::Ssz, &vector).expect("decodes");
        for &format in Format::ALL {
            let bytes = signature.to_bytes(format);
            for other in ParameterSet::ALL {
                let decoded = Signature::from_bytes(other, format, &bytes);
                assert_eq!(decoded.is_ok(), set == other, "{format} of {set} as {other}");
            }
        }
    }
}
