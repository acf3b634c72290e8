//! Ed25519's key files: no freed block holds the seed, as it is or as the file spells it.

use super::{leaked_words, turn};
use phalanx::ed25519::SigningKey;
use std::hint::black_box;
use std::sync::MutexGuard;

/// How much of a spelling is looked for.
const SPELLING_LEN: usize = 16;

const SEED: [u8; 32] = *b"\x9f\xeb\x9e\xff\xc7\x9f\xa0\x6c\x5f\x64\xe9\x57\x3f\x8e\x58\xc3\xc9\x8c\xc7\x4e\x5c\x90\x57\xa4\x8a\xf1\xd2\xad\xdf\xc4\x7e\x24";

fn key() -> SigningKey {
    SigningKey::from_seed(&SEED)
}

/// Freed blocks with a quarter of the seed, or with eight of these characters of its spelling.
fn leaks(turn: &MutexGuard<'static, ()>, spelling: &str, work: impl FnOnce()) -> usize {
    let words = SEED.chunks_exact(8).chain(spelling.as_bytes().chunks_exact(8));
    leaked_words(turn, words.map(|word| word.try_into().expect("8 bytes")).collect(), work)
}

/// The characters of `text` from where it first differs from the same file of another key: they spell the seed, which
/// stands before the public key or is told by `skip`.
fn spelling(text: &str, other: &str, skip: usize) -> String {
    let at = text.bytes().zip(other.bytes()).position(|(a, b)| a != b).expect("other keys, other files");
    text[at + skip..].chars().take(SPELLING_LEN).collect()
}

fn other() -> SigningKey {
    SigningKey::from_seed(&[1; 32])
}

#[test]
fn control_a_plain_copy_is_seen() {
    let turn = turn();
    let pem = key().to_pkcs8_pem();
    let pem_spelling = spelling(&pem, &other().to_pkcs8_pem(), 0);
    assert_eq!(leaks(&turn, &pem_spelling, || drop(black_box(pem.to_string()))), 1);
    assert_eq!(leaks(&turn, &pem_spelling, || drop(black_box(key().to_pkcs8_der().to_vec()))), 1);
    let jwk = key().to_jwk();
    assert_eq!(leaks(&turn, &spelling(&jwk, &other().to_jwk(), 0), || drop(black_box(jwk.to_string()))), 1);
    let hex = key().to_hex();
    assert_eq!(leaks(&turn, &hex, || drop(black_box(hex.to_string()))), 1);
}

#[test]
fn key_files_leave_nothing_behind() {
    let turn = turn();
    let (pem, v2) = (key().to_pkcs8_pem(), key().to_pkcs8_v2_pem());
    for (text, other) in [(&pem, other().to_pkcs8_pem()), (&v2, other().to_pkcs8_v2_pem())] {
        let spelling = spelling(text, &other, 0);
        let read_and_written = || {
            let key = SigningKey::from_pkcs8_pem(text).expect("our own file");
            drop((key.to_pkcs8_pem(), key.to_pkcs8_v2_pem(), key.to_pkcs8_der(), key.to_pkcs8_v2_der()));
        };
        assert_eq!(leaks(&turn, &spelling, read_and_written), 0);
    }
    let jwk = key().to_jwk();
    let used = || drop(SigningKey::from_jwk(&jwk).expect("our own file").to_jwk());
    assert_eq!(leaks(&turn, &spelling(&jwk, &other().to_jwk(), 0), used), 0);
    let hex = key().to_hex();
    assert_eq!(leaks(&turn, &hex, || drop(SigningKey::from_hex(&hex).expect("our own file").to_hex())), 0);
    // The seed stands 161 bytes into the file, so 214 characters and three line breaks behind the first line.
    let openssh = key().to_openssh("a comment").expect("a comment");
    let begin = openssh.find('\n').expect("lines") + 1;
    let all: String = openssh[begin..].chars().filter(|c| *c != '\n').collect();
    let spelled: String = all[215..].chars().take(SPELLING_LEN).collect();
    let control = || drop(black_box(all.clone()));
    assert_eq!(leaks(&turn, &spelled, control), 1);
    let used = || {
        let (key, comment) = SigningKey::from_openssh(&openssh).expect("our own file");
        drop(key.to_openssh(&comment));
    };
    assert_eq!(leaks(&turn, &spelled, used), 0);
}

/// A reader that has seen the secret and then finds a mistake leaves nothing behind either.
#[test]
fn files_that_do_not_read() {
    let turn = turn();
    let v2 = key().to_pkcs8_v2_pem();
    let other_public = other().to_pkcs8_v2_pem();
    let spelled = spelling(&v2, &other_public, 0);
    // The last line is of the public key alone.
    let at = v2.find("\n-----END").expect("an end");
    let mismatch = [&v2[..at - 8], &other_public[at - 8..]].concat();
    let openssh = key().to_openssh("").expect("no comment");
    let cut: Vec<&str> = (0..openssh.len()).step_by(29).map(|len| &openssh[..len]).collect();
    let refused = || {
        drop(black_box(vec![0u8; 8]));
        assert!(SigningKey::from_pkcs8_pem(&mismatch).is_err());
        assert!(SigningKey::from_pkcs8_pem(&v2[..v2.len() - 3]).is_err());
        for text in &cut {
            assert!(SigningKey::from_openssh(text).is_err());
        }
    };
    assert_eq!(leaks(&turn, &spelled, refused), 0);
}

#[cfg(feature = "minisign")]
#[test]
fn minisign_files() {
    let turn = turn();
    use phalanx::ed25519::minisign::{KeyId, Scrypt, SecretKey};
    let secret = |key| SecretKey { key_id: KeyId([1; 8]), key };
    let plain = secret(key()).to_file("words").expect("a comment");
    let spelled = spelling(&plain, &secret(other()).to_file("words").expect("a comment"), 0);
    assert_eq!(leaks(&turn, &spelled, || drop(black_box(plain.to_string()))), 1);
    let used = || {
        let key = SecretKey::parse(&plain, None).expect("our own file");
        drop(key.to_file("words"));
        let cheap = Scrypt { opslimit: 32_768, memlimit: 1 << 20 };
        let file = key.to_encrypted_file_with_salt("words", b"password", cheap, &[1; 32]).expect("a comment");
        drop(SecretKey::parse(&file, Some(b"password")).expect("our own file"));
        assert!(SecretKey::parse(&file, Some(b"Password")).is_err());
    };
    assert_eq!(leaks(&turn, &spelled, used), 0);
}
