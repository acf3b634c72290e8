//! Encodings of keys and signatures against the crates that leanSig writes them with. (That they are the published
//! ones, byte for byte, is seen by `cargo xtask vectors`.)

use crate::key_files::{KEY_FILES, bytes, keys, list, secret_key};
use phalanx_xmss::{Format, ParameterSet, Signature, SigningKey, VerifyingKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The binary formats.
const BINARY: [Format; 3] = [Format::Ssz, Format::Bincode, Format::BincodeStandard];

/// leanSig's types, as far as serde sees them. `H` is a node, `R` the randomness, `P` the parameter.
mod peer {
    use super::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    pub(crate) struct PublicKey<H> {
        pub(crate) root: H,
        pub(crate) parameter: [u32; 5],
    }

    #[derive(Serialize, Deserialize)]
    pub(crate) struct Signature<H, R> {
        path: Path<H>,
        rho: R,
        hashes: Vec<H>,
    }

    #[derive(Serialize, Deserialize)]
    struct Path<H> {
        co_path: Vec<H>,
    }

    #[derive(Serialize, Deserialize)]
    pub(crate) struct SecretKey<H> {
        prf_key: [u8; 32],
        parameter: [u32; 5],
        activation_epoch: u64,
        num_active_epochs: u64,
        top_tree: Tree<H>,
        left_bottom_tree_index: u64,
        left_bottom_tree: Tree<H>,
        right_bottom_tree: Tree<H>,
        _encoding_type: std::marker::PhantomData<H>,
    }

    #[derive(Serialize, Deserialize)]
    struct Tree<H> {
        depth: u64,
        lowest_layer: u64,
        layers: Vec<Layer<H>>,
    }

    #[derive(Serialize, Deserialize)]
    struct Layer<H> {
        start_index: u64,
        nodes: Vec<H>,
    }
}

/// The JSON that serde writes of the value that bincode 1.3 reads from `bincode`.
fn json_of<T: DeserializeOwned + Serialize>(bincode: &[u8]) -> String {
    let value: T = bincode::deserialize(bincode).expect("the peer reads it");
    assert_eq!(bincode::serialize(&value).expect("writes"), bincode, "the peer's own round trip");
    serde_json::to_string(&value).expect("writes")
}

fn json_of_signature(set: ParameterSet, bincode: &[u8]) -> String {
    match (set.hash_len(), set.randomness_len()) {
        (8, 7) => json_of::<peer::Signature<[u32; 8], [u32; 7]>>(bincode),
        (7, 6) => json_of::<peer::Signature<[u32; 7], [u32; 6]>>(bincode),
        shape => panic!("no peer for {shape:?}"),
    }
}

fn json_of_verifying_key(set: ParameterSet, bincode: &[u8]) -> String {
    match set.hash_len() {
        8 => json_of::<peer::PublicKey<[u32; 8]>>(bincode),
        7 => json_of::<peer::PublicKey<[u32; 7]>>(bincode),
        len => panic!("no peer for {len}"),
    }
}

#[test]
fn formats_have_names() {
    let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    assert_eq!(names, ["ssz", "bincode", "bincode2", "json", "bincode-padded"]);
    for &format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(format.to_string(), format.name());
    }
    assert_eq!(Format::from_name("Bincode"), None);
    assert_eq!(Format::from_name(""), None);
}

#[test]
fn verifying_keys_in_every_form() {
    for set in ParameterSet::ALL {
        for vector in keys(set) {
            let bincode = bytes(&vector["pk_bincode1"]);
            let forms = [
                (Format::Ssz, bytes(&vector["pk_ssz"])),
                (Format::Bincode, bincode.clone()),
                (Format::BincodeStandard, bytes(&vector["pk_bincode2_standard"])),
                (Format::BincodePadded, bincode.clone()),
                (Format::Json, json_of_verifying_key(set, &bincode).into_bytes()),
            ];
            let key = VerifyingKey::from_bytes(set, Format::Ssz, &forms[0].1).expect("decodes");
            for (format, form) in forms {
                assert_eq!(VerifyingKey::from_bytes(set, format, &form), Ok(key), "{set} {format}");
                assert_eq!(key.to_bytes(format), form, "{set} {format}");
            }
        }
    }
}

#[test]
fn signatures_in_every_form() {
    for set in ParameterSet::ALL {
        for vector in keys(set).iter().flat_map(|key| list(&key["signatures"]).to_vec()) {
            let ssz = bytes(&vector["sig_ssz"]);
            let signature = Signature::from_bytes(set, Format::Ssz, &ssz).expect("decodes");
            for format in BINARY {
                let got = signature.to_bytes(format);
                assert_eq!(
                    Signature::from_bytes(set, format, &got).as_ref(),
                    Ok(&signature),
                    "{set} {format}"
                );
            }
            let bincode = signature.to_bytes(Format::Bincode);
            let json = json_of_signature(set, &bincode).into_bytes();
            assert_eq!(signature.to_bytes(Format::Json), json, "{set}");
            assert_eq!(Signature::from_bytes(set, Format::Json, &json).as_ref(), Ok(&signature), "{set}");

            let padded = signature.to_bytes(Format::BincodePadded);
            let mut expected = bincode;
            expected.resize(3116, 0);
            assert_eq!(padded, expected, "{set}");
            let got = Signature::from_bytes(set, Format::BincodePadded, &padded);
            assert_eq!(got.as_ref(), Ok(&signature), "{set}");
        }
    }
}

#[test]
fn signatures_have_the_lengths_of_the_specification() {
    let lengths = [
        (ParameterSet::POSEIDON2_L8_D64B8, 2344, 2348),
        (ParameterSet::POSEIDON2_L18_D64B8, 2332, 2336),
        (ParameterSet::POSEIDON2_L32_D64B8, 3112, 3116),
        (ParameterSet::POSEIDON2_L32_D48B10, 2600, 2604),
        (ParameterSet::POSEIDON2_L32_D32B26, 2088, 2092),
        (ParameterSet::POSEIDON1_L32_D46B8, 2536, 2540),
        (ParameterSet::POSEIDON1_L8_D4B8_TEST, 424, 428),
    ];
    assert_eq!(lengths.len(), ParameterSet::ALL.len());
    for (set, ssz, fixint) in lengths {
        let vector = bytes(&keys(set)[0]["signatures"][0]["sig_ssz"]);
        assert_eq!(vector.len(), ssz, "{set}");
        let signature = Signature::from_bytes(set, Format::Ssz, &vector).expect("decodes");
        assert_eq!(signature.to_bytes(Format::Bincode).len(), fixint, "{set}");
    }
}

#[test]
fn signing_key_files_convert_without_loss() {
    for (set, names) in KEY_FILES {
        for name in names {
            let forms = [
                (Format::Ssz, secret_key(set, name, "ssz")),
                (Format::Bincode, secret_key(set, name, "bincode1")),
                (Format::BincodePadded, secret_key(set, name, "bincode1")),
                (Format::BincodeStandard, secret_key(set, name, "bincode2std")),
                (
                    Format::Json,
                    json_of::<peer::SecretKey<[u32; 8]>>(&secret_key(set, name, "bincode1")).into_bytes(),
                ),
            ];
            for (from, form) in &forms {
                let key = SigningKey::from_bytes(set, *from, form)
                    .unwrap_or_else(|error| panic!("{set} {name} {from}: {error}"));
                for (to, form) in &forms {
                    assert!(**key.to_bytes(*to) == **form, "{set} {name}: from {from} to {to}");
                }
                let public = crate::key_files::file(&format!("{}.{name}.pk.ssz", set.profile()));
                assert_eq!(key.verifying_key().to_bytes(Format::Ssz), public);
            }
        }
    }
}

#[test]
fn json_may_be_spaced_reordered_and_without_the_marker() {
    let (set, [name, _]) = KEY_FILES[1];
    let compact = json_of::<peer::SecretKey<[u32; 8]>>(&secret_key(set, name, "bincode1"));
    let mut value: Value = serde_json::from_str(&compact).expect("JSON");
    // serde_json's own map sorts by name, which is not leanSig's order.
    let removed = value.as_object_mut().expect("an object").remove("_encoding_type");
    assert_eq!(removed, Some(Value::Null));
    let spaced = format!("\n {}\t\r\n", serde_json::to_string_pretty(&value).expect("writes"));
    let key = SigningKey::from_bytes(set, Format::Json, spaced.as_bytes()).expect("decodes");
    assert!(**key.to_bytes(Format::Json) == *compact.as_bytes());
}
