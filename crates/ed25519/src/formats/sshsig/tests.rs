//! SSHSIG without ssh-keygen; `crates/ed25519/tests/it/ssh.rs` has the tests with it.

use super::signature::*;
use super::*;
use crate::formats::pem;
use crate::{Error, Profile, SigningKey};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use proptest::prelude::*;
use std::format;

fn key() -> SigningKey {
    SigningKey::from_seed(&[3; 32])
}

#[test]
fn round_trip_and_refusals() {
    for hash in [Hash::Sha512, Hash::Sha256] {
        let signed = SshSignature::sign(&key(), "file", hash, b"message").expect("a namespace");
        let read = SshSignature::parse(&signed.to_armored()).expect("our own file");
        assert_eq!(read, signed);
        assert_eq!((read.namespace(), read.hash()), ("file", hash));
        let public = *key().verifying_key();
        assert_eq!(read.verify(&public, Profile::Strict, "file", b"message"), Ok(()));
        assert!(read.verify(&public, Profile::Strict, "file", b"Message").is_err());
        assert!(read.verify(&public, Profile::Strict, "git", b"message").is_err());
        let other = SigningKey::from_seed(&[4; 32]);
        assert!(read.verify(other.verifying_key(), Profile::Strict, "file", b"message").is_err());
        let wrong_hash = if hash == Hash::Sha512 { Hash::Sha256 } else { Hash::Sha512 };
        let prehash = Prehash::of(wrong_hash, b"message");
        assert!(read.check_novalidate(Profile::Strict, "file", prehash).is_err());
    }
    for namespace in ["", "a\nb"] {
        assert!(SshSignature::sign(&key(), namespace, Hash::Sha512, b"").is_err(), "{namespace:?}");
    }
}

/// A file that says another namespace than was signed, asked for the one that was: ssh-keygen refuses it too.
#[test]
fn the_namespace_in_the_file_counts() {
    let signed = SshSignature::sign(&key(), "file", Hash::Sha512, b"message").expect("a namespace");
    let renamed = SshSignature { namespace: "fjle".to_string(), ..signed };
    let renamed = SshSignature::parse(&renamed.to_armored()).expect("a file");
    for namespace in ["file", "fjle"] {
        assert!(renamed.verify(key().verifying_key(), Profile::Strict, namespace, b"message").is_err());
    }
}

#[test]
fn pieces_make_the_message() {
    let mut prehash = Prehash::new(Hash::Sha512);
    prehash.update(b"mess");
    prehash.update(b"age");
    let one = SshSignature::sign_prehashed(&key(), "file", prehash).expect("a namespace");
    assert_eq!(one, SshSignature::sign(&key(), "file", Hash::Sha512, b"message").expect("a namespace"));
}

#[test]
fn fields_are_strict() {
    let signed = SshSignature::sign(&key(), "file", Hash::Sha512, b"").expect("a namespace");
    let blob = pem::decode(&signed.to_armored(), LABEL).expect("PEM");
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut blob = blob.to_vec();
        change(&mut blob);
        SshSignature::parse(&pem::encode(LABEL, &blob, 76)).err()
    };
    // Lines of 76 characters are what PROTOCOL.sshsig asks for.
    assert_eq!(error(&|_| {}), None);
    let problem = |text| Some(Error::InvalidKeyFormat(text));
    assert_eq!(error(&|blob| blob[0] = b's'), problem("no magic of an SSH signature"));
    assert_eq!(error(&|blob| blob[9] = 2), problem("version of the SSH signature is above 1"));
    assert_eq!(error(&|blob| blob[18] = b'S'), problem("key type is not ssh-ed25519"));
    let reserved_at = 10 + 4 + 51 + 4 + 4;
    let reserved: &dyn Fn(&mut Vec<u8>) = &|blob| {
        blob[reserved_at + 3] = 1;
        blob.insert(reserved_at + 4, 0);
    };
    // Versions below ours are read, and what a later one may reserve is ignored.
    assert_eq!((error(&|blob| blob[9] = 0), error(reserved)), (None, None));
    let hash_at = reserved_at + 4 + 4;
    let hash = problem("hash of the SSH signature is neither sha512 nor sha256");
    assert_eq!(error(&|blob| blob[hash_at + 5] = b'3'), hash);
    assert_eq!(error(&|blob| blob.push(0)), problem("bytes after the SSH signature"));
    let empty_namespace: &dyn Fn(&mut Vec<u8>) = &|blob| {
        blob[68] = 0;
        blob.drain(69..73);
    };
    assert_eq!(error(empty_namespace), problem("namespace is empty or too long"));
    for len in 0..blob.len() {
        assert!(error(&|blob| blob.truncate(len)).is_some(), "{len} bytes");
    }
}

fn request(identity: &str) -> Request<'_> {
    Request {
        identity,
        namespace: "file",
        time_s: 1_700_000_000,
        utc_offset_at: &|_| 0,
        profile: Profile::Strict,
    }
}

#[test]
fn allowed_signers() {
    let line = key().verifying_key().to_openssh("").expect("no comment");
    let other = SigningKey::from_seed(&[4; 32]).verifying_key().to_openssh("").expect("no comment");
    let answer = |file: &str| {
        let signers = AllowedSigners::parse(file);
        signers.permits(&request("me@here"), key().verifying_key())
    };
    for (file, wanted) in [
        (format!("me@here {line} comment"), Ok(())),
        (format!("# words\n\n  *@here\t{line}\r\n"), Ok(())),
        (format!("\"you@here,me@here\" {line}"), Ok(())),
        (format!("*@here,!me@here {line}"), Err(Refusal::NotListed)),
        (format!("me@here {other}"), Err(Refusal::NotListed)),
        (format!("me@here {other}\nme@here {line}"), Ok(())),
        (format!("me@here ssh-rsa AAAA\nme@here {line}"), Ok(())),
        (format!("me@here namespaces=\"git,f*\" {line}"), Ok(())),
        (format!("me@here namespaces=\"git\" {line}"), Err(Refusal::WrongNamespace)),
        (format!("me@here namespaces=\"git\" {line}\nme@here {line}"), Ok(())),
        (format!("me@here valid-after=\"20231114221320Z\" {line}"), Ok(())),
        (format!("me@here valid-after=\"20231114221321Z\" {line}"), Err(Refusal::NotYetValid)),
        (format!("me@here valid-before=\"20231114221320Z\" {line}"), Ok(())),
        (format!("me@here valid-before=\"20231114221319Z\" {line}"), Err(Refusal::Expired)),
        (format!("me@here Valid-After=\"20200101Z\",valid-before=\"20300101Z\" {line}"), Ok(())),
        (format!("me@here cert-authority {line}"), Err(Refusal::CertAuthority)),
        (format!("me@here cert-authority {other}\nme@here {line}"), Ok(())),
        (String::new(), Err(Refusal::NotListed)),
    ] {
        assert_eq!(answer(&file), wanted, "{file}");
    }
    for wrong in [
        "me@here",
        "\"me@here ssh-ed25519 AAAA",
        "me@here ssh-ed25519",
        "me@here ssh-ed25519 AAAA",
        "me@here unknown ssh-ed25519 AAAA",
        "me@here namespaces=git ssh-ed25519 AAAA",
        "me@here namespaces=\"git ssh-ed25519 AAAA",
        "me@here valid-after=\"2020\" ssh-ed25519 AAAA",
        "me@here namespaces=\"a\",namespaces=\"a\" ssh-ed25519 AAAA",
        "me@here valid-after=\"20210101\",valid-before=\"20200101\" ssh-rsa AAAA",
    ] {
        let file = format!("someone@else {line}\n{wrong}");
        assert!(
            matches!(answer(&file), Err(Refusal::Malformed(AllowedSignersError { line: 2, .. }))),
            "{wrong}"
        );
        assert_eq!(answer(&format!("{wrong}\nme@here {line}")), Ok(()), "{wrong}");
        if !wrong.starts_with('"') {
            let about_others = wrong.replace("me@here", "someone@else");
            assert_eq!(answer(&about_others), Err(Refusal::NotListed), "{wrong}");
        }
    }
}

#[test]
fn both_halves() {
    let line = key().verifying_key().to_openssh("").expect("no comment");
    let signers = AllowedSigners::parse(format!("me@here {line}"));
    let signed = SshSignature::sign(&key(), "file", Hash::Sha512, b"message").expect("a namespace");
    let verify =
        |identity, message| signers.verify(&request(identity), &signed, Prehash::of(Hash::Sha512, message));
    assert_eq!(verify("me@here", b"message"), Ok(()));
    assert_eq!(verify("you@here", b"message"), Err(Refusal::NotListed));
    assert_eq!(verify("me@here", b"Message"), Err(Refusal::InvalidSignature));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text(text in "\\PC{0,100}", lines in "[a-z@*!,?\" =\n-]{0,100}") {
        for text in [&text, &lines] {
            prop_assert!(SshSignature::parse(text).is_err());
            let signers = AllowedSigners::parse(text);
            prop_assert!(signers.permits(&request("me@here"), key().verifying_key()).is_err());
        }
    }
}
