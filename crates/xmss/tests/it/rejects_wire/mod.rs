//! What the decoders refuse: every check has a case here that fails when the check is taken out.
//!
//! Most cases pin the whole error and not only that there is one, so that a check cannot hide behind a later one.

mod anything;
mod json;
mod signing_keys;

use crate::key_files::{KEY_FILES, bytes, keys, secret_key};
use phalanx_xmss::Malformed;
use phalanx_xmss::{Format, ParameterSet, Signature, SigningKey, VerifyingKey};

/// The modulus: the least word that is no element, in every encoding.
const P: u32 = 0x7f00_0001;

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
