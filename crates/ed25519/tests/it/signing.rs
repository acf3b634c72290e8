//! Ed25519 signing against the vectors and against itself: every way to sign gives the same signature on every backend.

#![cfg(feature = "parallel")]

use phalanx_ed25519::Threads;
use phalanx_ed25519::{Error, Profile, Signature, SigningKey, VerifyingKey, sign_many, sign_many_on};
use serde_json::Value;

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../vectors/ed25519/{name}", env!("CARGO_MANIFEST_DIR"));
    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("vector file")).expect("JSON");
    file["cases"].as_array().expect("cases").clone()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a string")).expect("hex")
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("the length of its kind")
}

fn unhex<const N: usize>(text: &str) -> [u8; N] {
    hex::decode(text).expect("hex").try_into().expect("the length of its kind")
}

fn each_backend(test: impl Fn(&str)) {
    for backend in phalanx_testing::backends() {
        backend.force(|| test(backend.name())).expect("available");
    }
}

/// Each case alone, then all of them together, then each in a row of nine copies: full lanes and a lone one.
#[test]
fn vectors() {
    let cases: Vec<_> = ["rfc8032.json", "sign_input.json"].into_iter().flat_map(cases).collect();
    assert!(cases.len() >= 70, "only {} cases", cases.len());
    each_backend(|backend| {
        let keys: Vec<_> = cases.iter().map(|case| SigningKey::from_seed(&array(&case["seed"]))).collect();
        let messages: Vec<_> = cases.iter().map(|case| bytes(&case["msg"])).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let keys: Vec<_> = keys.iter().collect();
        let together = sign_many(&keys, &messages).expect("equal lengths");
        for (i, case) in cases.iter().enumerate() {
            let name = format!("{backend} {}", case["id"]);
            assert_eq!(keys[i].verifying_key().as_ref(), bytes(&case["pk"]), "{name}");
            assert_eq!(keys[i].sign(messages[i]).as_ref(), bytes(&case["sig"]), "{name}");
            assert_eq!(together[i].as_ref(), bytes(&case["sig"]), "{name}, many");
            let copies = sign_many(&[keys[i]; 9], &[messages[i]; 9]).expect("equal lengths");
            assert!(copies.iter().all(|copy| *copy == together[i]), "{name}, copies");
            assert_eq!(keys[i].sign_checked(messages[i]), Ok(together[i]), "{name}, checked");
        }
    });
}

#[test]
fn vectors_with_noise() {
    let cases = cases("sign_noise.json");
    assert!(cases.len() >= 10, "only {} cases", cases.len());
    each_backend(|backend| {
        for case in &cases {
            let key = SigningKey::from_seed(&array(&case["seed"]));
            let message = bytes(&case["msg"]);
            let noisy = key.sign_with_noise(&message, &array(&case["noise"]));
            assert_eq!(noisy.as_ref(), bytes(&case["sig_noise"]), "{backend} {}", case["id"]);
            assert_eq!(key.sign(&message).as_ref(), bytes(&case["sig_deterministic"]), "{backend}");
            assert!(key.verifying_key().verify(&message, &noisy).is_ok());
        }
    });
}

/// Seed, public key, message, context, signature: RFC 8032 section 7.2.
const CTX: [[&str; 5]; 4] = [
    [
        "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
        "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
        "f726936d19c800494e3fdaff20b276a8",
        "666f6f",
        "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a\
         8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d",
    ],
    [
        "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
        "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
        "f726936d19c800494e3fdaff20b276a8",
        "626172",
        "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3\
         216c48e8b3b66431b5b186d1d28f8ee15a5ca2df6668346291c2043d4eb3e90d",
    ],
    [
        "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
        "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
        "508e9e6882b979fea900f62adceaca35",
        "666f6f",
        "8b70c1cc8310e1de20ac53ce28ae6e7207f33c3295e03bb5c0732a1d20dc6490\
         8922a8b052cf99b7c4fe107a5abb5b2c4085ae75890d02df26269d8945f84b0b",
    ],
    [
        "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560",
        "0f1d1274943b91415889152e893d80e93275a1fc0b65fd71b4b0dda10ad7d772",
        "f726936d19c800494e3fdaff20b276a8",
        "666f6f",
        "21655b5f1aa965996b3f97b3c849eafba922a0a62992f73b3d1b73106a84ad85\
         e9b86a7b6005ea868337ff2d20a7f5fbd4cd10b0be49a68da2b2e0dc0ad8960f",
    ],
];

/// The one case of RFC 8032 section 7.3: seed, public key, signature; the message is `abc`, the context empty.
const PH: [&str; 3] = [
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
    "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
    "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41\
     31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
];

#[test]
fn contexts() {
    each_backend(|backend| {
        for [seed, public, message, context, signature] in CTX {
            let key = SigningKey::from_seed(&unhex(seed));
            assert_eq!(key.verifying_key().to_bytes(), unhex(public), "{backend}");
            let (message, context) = (unhex::<16>(message), unhex::<3>(context));
            let signed = key.sign_ctx(&message, &context).expect("a context of three bytes");
            assert_eq!(signed.to_bytes(), unhex(signature), "{backend}");
            let public = key.verifying_key();
            for profile in Profile::ALL {
                assert!(public.verify_ctx(profile, &message, &context, &signed).is_ok(), "{profile:?}");
                assert!(public.verify_ctx(profile, &message, b"fo", &signed).is_err(), "{profile:?}");
                assert!(public.verify_with(profile, &message, &signed).is_err(), "{profile:?}");
                assert!(public.verify_ph(profile, &message, &context, &signed).is_err(), "{profile:?}");
            }
        }
    });
}

#[test]
fn prehashed() {
    each_backend(|backend| {
        let [seed, public, signature] = PH;
        let key = SigningKey::from_seed(&unhex(seed));
        assert_eq!(key.verifying_key().to_bytes(), unhex(public), "{backend}");
        let signed = key.sign_ph(b"abc", b"").expect("a context may be empty");
        assert_eq!(signed.to_bytes(), unhex(signature), "{backend}");
        use sha2::Digest;
        let digest: [u8; 64] = sha2::Sha512::digest(b"abc").into();
        assert_eq!(key.sign_prehashed(&digest, b""), Ok(signed));
        let public = key.verifying_key();
        assert!(public.verify_ph(Profile::Strict, b"abc", b"", &signed).is_ok());
        assert!(public.verify_prehashed(Profile::Strict, &digest, b"", &signed).is_ok());
        assert!(public.verify_ph(Profile::Strict, b"abc", b"x", &signed).is_err());
        assert!(public.verify(b"abc", &signed).is_err());
    });
}

/// The context's length, at its bounds.
#[test]
fn context_lengths() {
    let key = SigningKey::from_seed(&[1; 32]);
    assert_eq!(key.sign_ctx(b"m", b""), Err(Error::ContextEmpty));
    for len in [1, 255] {
        let signed = key.sign_ctx(b"m", &vec![7; len]).expect("allowed");
        assert!(key.verifying_key().verify_ctx(Profile::Strict, b"m", &vec![7; len], &signed).is_ok());
        assert!(key.sign_ph(b"m", &vec![7; len]).is_ok());
    }
    for len in [256, 1000] {
        let context = vec![7; len];
        let wanted = Error::ContextTooLong { got: len };
        assert_eq!(key.sign_ctx(b"m", &context), Err(wanted));
        assert_eq!(key.sign_ph(b"m", &context), Err(wanted));
        assert_eq!(key.sign_prehashed(&[0; 64], &context), Err(wanted));
    }
}

/// Messages of the lengths around block edges (a nonce's block takes 79 bytes beside prefix and padding, the hash's
/// 47).
const LENGTHS: [usize; 16] = [0, 1, 31, 32, 33, 47, 48, 49, 79, 80, 81, 175, 176, 1023, 1024, 3000];

fn message(i: usize) -> Vec<u8> {
    (0..LENGTHS[i * 7 % LENGTHS.len()]).map(|j| (i * 31 + j * 7).to_le_bytes()[0]).collect()
}

/// Every number of signatures from none to 33 and around the chunk of 64, with keys that come again, messages of mixed
/// lengths, on threads and without.
#[test]
fn many_equals_single() {
    each_backend(|backend| {
        let keys: Vec<_> = (0..131u8).map(|i| SigningKey::from_seed(&[i % 20; 32])).collect();
        let messages: Vec<_> = (0..131).map(message).collect();
        let single: Vec<_> = keys.iter().zip(&messages).map(|(key, message)| key.sign(message)).collect();
        let keys: Vec<_> = keys.iter().collect();
        let messages: Vec<_> = messages.iter().map(|message| &message[..]).collect();
        for n in (0..=33).chain([63, 64, 65, 127, 128, 131]) {
            let start = (131 - n) / 2;
            let (keys, messages) = (&keys[start..start + n], &messages[start..start + n]);
            let many = sign_many(keys, messages).expect("equal lengths");
            assert_eq!(many, single[start..start + n], "{backend} {n}");
            let on_threads = sign_many_on(&Threads::new(3), keys, messages).expect("equal lengths");
            assert_eq!(on_threads, many, "{backend} {n} on threads");
        }
        let one_key = sign_many(&[keys[5]; 17], &[messages[3]; 17]).expect("equal lengths");
        assert_eq!(one_key, [keys[5].sign(messages[3]); 17], "{backend}");
    });
}

#[test]
fn slices_of_unequal_length_are_refused() {
    let key = SigningKey::from_seed(&[1; 32]);
    assert_eq!(sign_many(&[&key, &key], &[b"m"]), Err(Error::LengthMismatch { wanted: 2, got: 1 }));
    assert_eq!(sign_many(&[], &[b"m"]), Err(Error::LengthMismatch { wanted: 0, got: 1 }));
    assert_eq!(sign_many(&[], &[]), Ok(vec![]));
}

/// A key pair from outside is believed only if its public half belongs to the seed: with a foreign one in the hash, two
/// signatures of one message would give the secret scalar away.
#[test]
fn no_signature_under_a_foreign_public_key() {
    each_backend(|backend| {
        let (mine, other) = (SigningKey::from_seed(&[1; 32]), SigningKey::from_seed(&[2; 32]));
        let good = mine.to_keypair_bytes();
        let read = SigningKey::from_keypair_bytes(&good).expect("its own");
        assert_eq!(read.sign(b"m"), mine.sign(b"m"), "{backend}");
        let mut foreign = good;
        foreign[32..].copy_from_slice(other.verifying_key().as_ref());
        assert_eq!(SigningKey::from_keypair_bytes(&foreign).err(), Some(Error::KeyMismatch), "{backend}");
        for bit in 0..512 {
            let mut damaged = good;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(SigningKey::from_keypair_bytes(&damaged).err(), Some(Error::KeyMismatch), "bit {bit}");
        }
    });
}

/// The public half that a seed gives is the key that its bytes decode to.
#[test]
fn derived_keys_are_decoded_keys() {
    for i in 0..20 {
        let derived = *SigningKey::from_seed(&[i; 32]).verifying_key();
        let decoded = VerifyingKey::from_bytes(&derived.to_bytes()).expect("a point");
        assert_eq!((derived.is_weak(), derived.is_canonical()), (false, true));
        assert_eq!((decoded.is_weak(), decoded.is_canonical()), (false, true));
        let signed: Signature = SigningKey::from_seed(&[i; 32]).sign(b"m");
        assert!(derived.verify(b"m", &signed).is_ok() && decoded.verify(b"m", &signed).is_ok());
        assert!(derived.verify(b"n", &signed).is_err() && decoded.verify(b"n", &signed).is_err());
    }
}
