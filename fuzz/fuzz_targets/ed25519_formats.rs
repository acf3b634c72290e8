//! Any bytes, as every file of Ed25519: no panic; what is read is written in every form and read again as the same, and
//! what has only one spelling is written as it came.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::ed25519::minisign::{self, SignatureBox};
use phalanx::ed25519::sshsig::{AllowedSigners, Prehash, Request, SshSignature};
use phalanx::ed25519::{KeyFormat, Profile, Signature, SigningKey, VerifyingKey};

fuzz_target!(|bytes: &[u8]| {
    let _ = KeyFormat::detect(bytes);
    if let Ok(key) = SigningKey::from_pkcs8_der(bytes) {
        signing_key(&key, "");
    }
    if let Ok(key) = VerifyingKey::from_spki_der(bytes) {
        assert_eq!(key.to_spki_der(), bytes, "SPKI has one spelling");
        verifying_key(&key, "");
    }
    let Ok(text) = core::str::from_utf8(bytes) else { return };
    key_files(text);
    if let Ok(signature) = Signature::from_hex(text) {
        assert!(signature.to_hex().eq_ignore_ascii_case(text));
    }
    if let Ok(signature) = SshSignature::parse(text) {
        assert_eq!(SshSignature::parse(&signature.to_armored()).as_ref(), Ok(&signature));
        let prehash = Prehash::new(signature.hash());
        let _ = signature.check_novalidate(Profile::Strict, signature.namespace(), prehash);
    }
    let request = Request {
        identity: "me@here",
        namespace: "file",
        time_s: 1_700_000_000,
        utc_offset_at: &|_| 3600,
        profile: Profile::Strict,
    };
    let _ = AllowedSigners::parse(text).permits(&request, SigningKey::from_seed(&[1; 32]).verifying_key());
    minisign_files(text);
});

fn key_files(text: &str) {
    for key in [SigningKey::from_pkcs8_pem(text), SigningKey::from_jwk(text), SigningKey::from_hex(text)] {
        if let Ok(key) = key {
            signing_key(&key, "");
        }
    }
    for key in [VerifyingKey::from_spki_pem(text), VerifyingKey::from_jwk(text), VerifyingKey::from_hex(text)]
    {
        if let Ok(key) = key {
            verifying_key(&key, "");
        }
    }
    if let Ok((key, comment)) = SigningKey::from_openssh(text) {
        signing_key(&key, &comment);
    }
    if let Ok((key, comment)) = VerifyingKey::from_openssh(text) {
        verifying_key(&key, &comment);
    }
}

fn signing_key(key: &SigningKey, comment: &str) {
    let openssh = key.to_openssh(comment).expect("a comment that was read");
    let (again, same) = SigningKey::from_openssh(&openssh).expect("our own file");
    assert_eq!(same, comment);
    for again in [
        Ok(again),
        SigningKey::from_pkcs8_der(&key.to_pkcs8_der()),
        SigningKey::from_pkcs8_der(&key.to_pkcs8_v2_der()),
        SigningKey::from_pkcs8_pem(&key.to_pkcs8_pem()),
        SigningKey::from_pkcs8_pem(&key.to_pkcs8_v2_pem()),
        SigningKey::from_jwk(&key.to_jwk()),
        SigningKey::from_hex(&key.to_hex()),
    ] {
        assert_eq!(again.expect("our own file").to_seed(), key.to_seed());
    }
    verifying_key(key.verifying_key(), comment);
}

fn verifying_key(key: &VerifyingKey, comment: &str) {
    let openssh = key.to_openssh(comment).expect("a comment that was read");
    assert_eq!(VerifyingKey::from_openssh(&openssh), Ok((*key, comment.trim_matches([' ', '\t']).into())));
    for again in [
        VerifyingKey::from_spki_der(&key.to_spki_der()),
        VerifyingKey::from_spki_pem(&key.to_spki_pem()),
        VerifyingKey::from_jwk(&key.to_jwk()),
        VerifyingKey::from_hex(&key.to_hex()),
    ] {
        assert_eq!(again, Ok(*key));
    }
}

fn minisign_files(text: &str) {
    if let Ok(key) = minisign::PublicKey::parse(text) {
        assert_eq!(minisign::PublicKey::parse(&key.to_file()), Ok(key));
    }
    if let Ok(signature) = SignatureBox::parse(text) {
        assert_eq!(SignatureBox::parse(&signature.to_file()).as_ref(), Ok(&signature));
        let key = *SigningKey::from_seed(&[1; 32]).verifying_key();
        let key = minisign::PublicKey { key_id: signature.key_id(), key };
        let _ = signature.verify(&key, Profile::Strict, b"");
    }
    // An encrypted file is not opened: its scrypt may take seconds by design.
    if minisign::SecretKey::is_encrypted(text) == Ok(false) {
        if let Ok(key) = minisign::SecretKey::parse(text, None) {
            let again = minisign::SecretKey::parse(&key.to_file("").expect("no comment"), None);
            assert_eq!(again.map(|again| again.public_key()), Ok(key.public_key()));
        }
    }
}
