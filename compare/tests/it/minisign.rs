//! minisign's files against the published crate, in both directions.

use minisign as peer;
use phalanx::ed25519::minisign::{KeyId, PublicKey, Refusal, Scrypt, SecretKey, SignatureBox};
use phalanx::ed25519::{Error, Profile, SigningKey};
use std::io::Cursor;

/// Quick ones, for tests.
const CHEAP: Scrypt = Scrypt { opslimit: 32_768, memlimit: 1 << 22 };

fn key() -> SecretKey {
    SecretKey {
        key_id: KeyId([0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]),
        key: SigningKey::from_seed(&[5; 32]),
    }
}

#[test]
fn the_peer_reads_our_files() {
    let ours = key();
    let public = peer::PublicKeyBox::from_string(&ours.public_key().to_file()).expect("a file");
    let public = public.into_public_key().expect("a public key");
    assert_eq!(peer::PublicKey::from_base64(&ours.public_key().to_base64()).ok(), Some(public.clone()));
    let signed =
        SignatureBox::sign(&ours, b"message", "untrusted words", "trusted words").expect("plain comments");
    let file = peer::SignatureBox::from_string(&signed.to_file()).expect("a file");
    assert_eq!(file.trusted_comment().ok().as_deref(), Some("trusted words"));
    for (message, wanted) in [(&b"message"[..], true), (b"Message", false)] {
        let got = peer::verify(&public, &file, Cursor::new(message), true, false, false);
        assert_eq!(got.is_ok(), wanted);
    }
    let plain = peer::SecretKeyBox::from_string(&ours.to_file("c").expect("a comment")).expect("a file");
    let plain = plain.into_unencrypted_secret_key().expect("a secret key");
    assert_eq!(peer::PublicKey::from_secret_key(&plain).ok(), Some(public.clone()));
    let encrypted = ours.to_encrypted_file_with_salt("c", b"password", CHEAP, &[9; 32]).expect("a comment");
    let encrypted = peer::SecretKeyBox::from_string(&encrypted).expect("a file");
    let opened = encrypted.into_secret_key(Some("password".into())).expect("the password opens it");
    assert_eq!(peer::PublicKey::from_secret_key(&opened).ok(), Some(public));
}

/// The older kind, which the peer no longer makes but reads: the message itself is signed.
#[test]
fn both_read_the_older_kind() {
    let text = "untrusted comment: u\n\
        RWTvzauJZ0UjAdUHCsQcsYQrqmO2lFaNPPeb++Vm6zS8nFPqq7qOp9U+BII64tFGjLYXolC97gXJ/9su6SRA0nwQZ0Pnspd01AE=\n\
        trusted comment: trusted words\n\
        9JhW15eB73+EQlQOYuSDSVX3bh4KcmiE+COrUEaIUrAst+Xiw6XwXui2eX714FKwV9wkl6i4k2YPR8Up9sADCQ==\n";
    let (ours, public) = (SignatureBox::parse(text).expect("a signature file"), key().public_key());
    assert_eq!(ours.verify(&public, Profile::Strict, b"message"), Ok("trusted words"));
    let theirs = peer::SignatureBox::from_string(text).expect("a file");
    let public = peer::PublicKey::from_base64(&public.to_base64()).expect("a public key");
    assert!(peer::verify(&public, &theirs, Cursor::new(b"message"), true, false, true).is_ok());
}

#[test]
fn we_read_the_peers_files() {
    let pair = peer::KeyPair::generate_encrypted_keypair(Some("password".into())).expect("a key pair");
    // The pair in memory is encrypted; signing wants it opened.
    let file = pair.sk.to_box(None).expect("a file").into_string();
    let opened = peer::SecretKeyBox::from_string(&file).expect("a file");
    let opened = opened.into_secret_key(Some("password".into())).expect("the password opens it");
    assert_eq!(SecretKey::is_encrypted(&file), Ok(true));
    assert_eq!(SecretKey::parse(&file, None).map(drop), Err(Error::EncryptedKey));
    assert_eq!(SecretKey::parse(&file, Some(b"Password")).map(drop), Err(Error::WrongPassword));
    let ours = SecretKey::parse(&file, Some(b"password")).expect("the password opens it");
    let public = PublicKey::parse(&pair.pk.to_box().expect("a file").into_string()).expect("a public key");
    assert_eq!(ours.public_key(), public);
    assert_eq!(PublicKey::parse(&pair.pk.to_base64()), Ok(public));

    let trusted = Some("trusted words");
    let text = peer::sign(None, &opened, Cursor::new(b"message"), trusted, None).expect("signed").to_string();
    let file = SignatureBox::parse(&text).expect("a signature file");
    assert_eq!(file.to_file(), text);
    for profile in Profile::ALL {
        assert_eq!(file.verify(&public, profile, b"message"), Ok("trusted words"));
        assert_eq!(file.verify(&public, profile, b"Message"), Err(Refusal::InvalidSignature));
    }

    let plain = peer::KeyPair::generate_unencrypted_keypair().expect("a key pair");
    let file = plain.sk.to_box(Some("words")).expect("a file").into_string();
    assert_eq!(SecretKey::is_encrypted(&file), Ok(false));
    let ours = SecretKey::parse(&file, None).expect("a secret key");
    assert_eq!(ours.public_key().to_base64(), plain.pk.to_base64());
    assert_eq!(ours.to_file("words").as_deref(), Ok(&file));
}
