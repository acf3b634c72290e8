//! minisign's files: their two kinds, and damage. `compare` has the published crate beside them.

use super::public_key::with_comment;
use super::*;
use crate::formats::base64::{self, Standard};
use crate::{Error, Profile, SigningKey};
use alloc::string::ToString;
use alloc::vec::Vec;
use blake2::Digest;
use blake2::digest::consts::U32;
use proptest::prelude::*;
use std::format;

/// Quick ones, for tests.
const CHEAP: Scrypt = Scrypt { opslimit: 32_768, memlimit: 1 << 22 };

fn key() -> SecretKey {
    SecretKey {
        key_id: KeyId([0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]),
        key: SigningKey::from_seed(&[5; 32]),
    }
}

fn signed() -> SignatureBox {
    SignatureBox::sign(&key(), b"message", "untrusted words", "trusted words").expect("plain comments")
}

fn seed(key: Result<SecretKey, Error>) -> Result<(KeyId, [u8; 32]), Error> {
    key.map(|key| (key.key_id, key.key.to_seed()))
}

/// The older kind, which the peer no longer makes but reads: the message itself is signed.
fn legacy() -> SignatureBox {
    let key = key();
    let signature = key.key.sign(b"message");
    let global = key.key.sign(&with_comment(signature.as_ref(), "trusted words"));
    let fields = [&b"Ed"[..], &key.key_id.0, signature.as_ref()].concat();
    let [fields, global] = [&fields[..], global.as_ref()].map(base64::encode::<Standard>);
    let (fields, global) = (&*fields, &*global);
    let text = format!("untrusted comment: u\n{fields}\ntrusted comment: trusted words\n{global}\n");
    SignatureBox::parse(&text).expect("a signature file")
}

#[test]
fn the_older_kind() {
    let (file, public) = (legacy(), key().public_key());
    assert!(!file.is_prehashed());
    assert_eq!(file.verify(&public, Profile::Strict, b"message"), Ok("trusted words"));
    assert_eq!(file.verify(&public, Profile::Strict, b"Message"), Err(Refusal::InvalidSignature));
    let prehash = Prehash::of(b"message");
    assert_eq!(file.verify_prehashed(&public, Profile::Strict, prehash), Err(Refusal::NeedsMessage));
}

/// Every field of a signature file is looked at, and the first that is wrong is named.
#[test]
fn refusals() {
    let (file, public) = (signed(), key().public_key());
    assert_eq!(file.verify(&public, Profile::Strict, b"message"), Ok("trusted words"));
    let other_id = PublicKey { key_id: KeyId([1; 8]), ..public };
    let got = file.verify(&other_id, Profile::Strict, b"message");
    assert_eq!(got, Err(Refusal::KeyId { got: key().key_id, wanted: KeyId([1; 8]) }));
    assert_eq!(
        got.expect_err("a refusal").to_string(),
        "signature is by key 0123456789ABCDEF, not by key 0101010101010101"
    );
    let other_key = PublicKey { key: *SigningKey::from_seed(&[6; 32]).verifying_key(), ..public };
    assert_eq!(file.verify(&other_key, Profile::Strict, b"message"), Err(Refusal::InvalidSignature));
    let other_comment = file.to_file().replace("trusted words\n", "trusted Words\n");
    let other_comment = SignatureBox::parse(&other_comment).expect("a file");
    assert_eq!(other_comment.verify(&public, Profile::Strict, b"message"), Err(Refusal::InvalidComment));
    // The untrusted comment is nobody's word.
    let other_words = SignatureBox::parse(&file.to_file().replace("untrusted words", "x")).expect("a file");
    assert_eq!(other_words.verify(&public, Profile::Strict, b"message"), Ok("trusted words"));
    // A prehashed signature is none of the message's hash as a message.
    // "RU" begins base64 of "ED", "RW" that of "Ed".
    let as_legacy = SignatureBox::parse(&file.to_file().replacen("\nRU", "\nRW", 1)).expect("a file");
    assert!(!as_legacy.is_prehashed());
    assert_eq!(as_legacy.verify(&public, Profile::Strict, b"message"), Err(Refusal::InvalidSignature));
}

#[test]
fn pieces_make_the_message() {
    let mut prehash = Prehash::new();
    prehash.update(b"mess");
    prehash.update(b"age");
    let got = SignatureBox::sign_prehashed(&key(), prehash, "untrusted words", "trusted words");
    assert_eq!(got, Ok(signed()));
}

#[test]
fn secret_key_checks() {
    let key = key();
    let text = key.to_file("c").expect("a comment");
    let bytes = base64::decode::<Standard>(text.lines().nth(1).expect("two lines").as_bytes());
    let bytes = bytes.expect("base64");
    let damaged = |at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1;
        let text = format!("untrusted comment: c\n{}\n", *base64::encode::<Standard>(&bytes));
        seed(SecretKey::parse(&text, Some(b"password"))).expect_err("damaged")
    };
    for at in [0, 1, 2, 3, 4, 5] {
        assert!(matches!(damaged(at), Error::InvalidKeyFormat(_)), "{at}");
    }
    for at in 54..158 {
        assert_eq!(damaged(at), Error::InvalidKeyFormat("checksum of the minisign key"), "{at}");
    }
    // A checksum over a key pair whose halves do not belong together.
    let mut forged = bytes.to_vec();
    forged[62 + 63] ^= 1;
    let sum = Blake2b256::digest([&b"Ed"[..], &forged[54..126]].concat());
    forged[126..].copy_from_slice(&sum);
    let text = format!("untrusted comment: c\n{}\n", *base64::encode::<Standard>(&forged));
    assert_eq!(seed(SecretKey::parse(&text, None)), Err(Error::KeyMismatch));
}

/// A key that `minisign -G -W` of version 0.11 made: its checksum is zero, and its comment not true.
#[test]
fn unencrypted_keys_of_minisign() {
    let secret = concat!(
        "untrusted comment: minisign encrypted secret key\n",
        "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQUAIlOY5WgK4LEOaw5qFPUThbKHuwjGKuy",
        "JaAi2xehyAIGDHXWR7U0G0t52dSN8CBaX9K3n6PF9OGxu/d6bkYa9y3cuMyeGIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    );
    let public = "untrusted comment: minisign public key 25A39E694084041\nRWRBQAiU5jlaAkG0t52dSN8CBaX9K3n6PF9OGxu/d6bkYa9y3cuMyeGI";
    let read = SecretKey::parse(secret, None).expect("its own file");
    assert_eq!(read.public_key(), PublicKey::parse(public).expect("its own file"));
    // The halves of its key pair must still belong together, and another checksum must be right.
    let mut bytes =
        base64::decode::<Standard>(secret.lines().nth(1).expect("two lines").as_bytes()).expect("base64");
    let file = |bytes: &[u8]| format!("untrusted comment: c\n{}\n", *base64::encode::<Standard>(bytes));
    bytes[62 + 63] ^= 1;
    assert_eq!(seed(SecretKey::parse(&file(&bytes), None)), Err(Error::KeyMismatch));
    bytes[62 + 63] ^= 1;
    bytes[157] = 1;
    let checksum = Err(Error::InvalidKeyFormat("checksum of the minisign key"));
    assert_eq!(seed(SecretKey::parse(&file(&bytes), None)), checksum);
}

type Blake2b256 = blake2::Blake2b<U32>;

#[test]
fn files_are_strict() {
    let (key, signature) = (key(), signed().to_file());
    let public = key.public_key().to_file();
    let secret = key.to_file("c").expect("a comment");
    for (index, text) in [&public, &signature, &*secret].into_iter().enumerate() {
        let read = |text: &str| match index {
            0 => PublicKey::parse(text).is_ok(),
            1 => SignatureBox::parse(text).is_ok(),
            _ => SecretKey::parse(text, None).is_ok(),
        };
        assert!(read(text) && read(text.trim_end()) && read(&text.replace('\n', "\r\n")), "{text}");
        assert!(!read(&format!("{text}x")) && !read(&format!(" {text}")));
        assert!(!read(&text.replace("comment: ", "Comment: ")));
        for len in 0..text.trim_end().len() {
            assert!(!read(&text[..len]), "{len} bytes of {text}");
        }
    }
    for comment in ["a\nb", "\u{1b}[2J"] {
        assert!(SignatureBox::sign(&key, b"", comment, "").is_err());
        assert!(SignatureBox::sign(&key, b"", "", comment).is_err());
        assert!(key.to_file(comment).is_err());
    }
    let kind = |text: &str| crate::KeyFormat::detect(text.as_bytes()).map(|kind| kind.name());
    assert_eq!(kind(&public), Some("minisign-public"));
    assert_eq!(kind(&secret), Some("minisign-secret"));
    assert_eq!(kind(&signature), Some("minisign-signature"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn round_trips(bytes: [u8; 32], id: [u8; 8], password: Vec<u8>, salt: [u8; 32], comment in "[^\\p{Cc}]{0,20}") {
        let key = SecretKey { key_id: KeyId(id), key: SigningKey::from_seed(&bytes) };
        let plain = key.to_file(&comment).expect("a comment");
        prop_assert_eq!(seed(SecretKey::parse(&plain, None)), Ok((KeyId(id), bytes)));
        let file = key.to_encrypted_file_with_salt(&comment, &password, CHEAP, &salt).expect("a comment");
        prop_assert_eq!(seed(SecretKey::parse(&file, Some(&password))), Ok((KeyId(id), bytes)));
        let signature = SignatureBox::sign(&key, &password, &comment, &comment).expect("comments");
        prop_assert_eq!(SignatureBox::parse(&signature.to_file()), Ok(signature.clone()));
        prop_assert_eq!(signature.verify(&key.public_key(), Profile::Strict, &password), Ok(&*comment));
    }

    #[test]
    fn any_text(text in "\\PC{0,100}") {
        prop_assert!(PublicKey::parse(&text).is_err());
        prop_assert!(SignatureBox::parse(&text).is_err());
        prop_assert!(SecretKey::parse(&text, Some(b"")).is_err());
    }
}
