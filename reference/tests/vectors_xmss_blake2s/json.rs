//! Typed access to the vector files. Anything missing or of the wrong type is a panic that names the key.

use phalanx_reference::xmss_blake2s::Profile;
use serde_json::Value;
use std::path::PathBuf;

/// The files, and the profile of each.
pub(crate) const FILES: [(&str, Profile); 3] =
    [("profile-a.json", Profile::A), ("profile-b.json", Profile::B), ("upstream-b.json", Profile::B)];

/// Calls `check` for every case of the list `key` of every file that has one.
pub(crate) fn for_each(key: &str, files_with_it: usize, check: impl Fn(Profile, &Value)) {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/xmss-blake2s");
    let folder = std::env::var_os("PHALANX_XMSS_BLAKE2S_VECTORS").map_or_else(default, PathBuf::from);
    let mut found = 0;
    for (file, profile) in FILES {
        let path = folder.join(file);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let value: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        match &value[key] {
            Value::Null => continue,
            Value::Array(cases) => {
                assert!(!cases.is_empty(), "{file}: {key} is empty");
                cases.iter().for_each(|case| check(profile, case));
            }
            only => check(profile, only),
        }
        found += 1;
    }
    assert_eq!(found, files_with_it, "files with a list '{key}'");
}

pub(crate) fn bytes(value: &Value, key: &str) -> Vec<u8> {
    let text = value[key].as_str().unwrap_or_else(|| panic!("{key} is not a string"));
    hex::decode(text).unwrap_or_else(|error| panic!("{key}: {error}"))
}

pub(crate) fn array<const N: usize>(value: &Value, key: &str) -> [u8; N] {
    bytes(value, key).try_into().unwrap_or_else(|_| panic!("{key} is not {N} bytes long"))
}

pub(crate) fn int(value: &Value, key: &str) -> u32 {
    let number = value[key].as_u64().unwrap_or_else(|| panic!("{key} is not an integer"));
    u32::try_from(number).unwrap_or_else(|_| panic!("{key} exceeds 32 bits"))
}
