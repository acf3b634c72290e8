//! JSON: elements and lengths, fields, and the forms that serde would take by itself.

use super::signing_keys::{changed_key, rejects_key};
use super::{Decoded, P, SET, rejects, signature, signing_key, verifying_key};
use phalanx_xmss::{Format, Signature, SigningKey, VerifyingKey};
use serde_json::{Value, json};

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
    let changed_verifying_key = |change: &dyn Fn(&mut Value)| {
        let mut key = key.clone();
        change(&mut key);
        key.to_string().into_bytes()
    };
    for bad in [P, P + 1, u32::MAX] {
        let (got, wanted) = (u64::from(bad), u64::from(P - 1));
        let bytes = changed_verifying_key(&|k| k["root"][7] = bad.into());
        rejects::<VerifyingKey>(json, &bytes, "element of the root", got, wanted);
        let bytes = changed_verifying_key(&|k| k["parameter"][4] = bad.into());
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
        let bytes = changed_verifying_key(&|k| k["root"] = words.clone());
        rejects::<VerifyingKey>(json, &bytes, "length of the root", got, 8);
        let bytes = changed_verifying_key(&|k| k["parameter"] = words.clone());
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
    rejects::<VerifyingKey>(Format::Json, text.as_bytes(), "bytes of JSON with the right fields", 27, 32);
    rejects::<VerifyingKey>(Format::Json, b"{\"root\":[1,2", "bytes of well-formed JSON", 12, 12);
}
