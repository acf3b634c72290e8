//! Key files against the vectors, and against damage.

use super::openssh::write_private;
use crate::{Error, KeyFormat, SigningKey, VerifyingKey};
use alloc::vec::Vec;
use proptest::prelude::*;
use serde_json::Value;
use std::format;
use std::fs;
use std::string::{String, ToString};

fn vectors() -> Value {
    let path = format!("{}/../../vectors/ed25519/keys.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_else(|| panic!("{name} is a string"))
}

fn bytes(case: &Value, name: &str) -> Vec<u8> {
    hex::decode(text(case, name)).expect("hex")
}

fn seed(key: Result<SigningKey, Error>) -> Result<[u8; 32], Error> {
    key.map(|key| key.to_seed())
}

/// The key that most tests below damage.
fn sample() -> SigningKey {
    SigningKey::from_seed(&[7; 32])
}

#[test]
fn vectors_read_and_write_to_the_byte() {
    let file = vectors();
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= 4, "{} cases", cases.len());
    for case in cases {
        let wanted: [u8; 32] = bytes(case, "seed").try_into().expect("32 bytes");
        let key = SigningKey::from_seed(&wanted);
        let public = *key.verifying_key();
        assert_eq!(public.to_hex(), text(case, "pk"));
        assert_eq!(*key.to_hex(), text(case, "seed"));
        assert_eq!(*key.to_pkcs8_der(), bytes(case, "pkcs8_v1_der"));
        assert_eq!(*key.to_pkcs8_v2_der(), bytes(case, "pkcs8_v2_der"));
        assert_eq!(*key.to_pkcs8_pem(), text(case, "pkcs8_v1_pem"));
        assert_eq!(*key.to_pkcs8_v2_pem(), text(case, "pkcs8_v2_pem"));
        assert_eq!(public.to_spki_der(), bytes(case, "spki_der"));
        assert_eq!(public.to_spki_pem(), text(case, "spki_pem"));

        for name in ["pkcs8_v1_der", "pkcs8_v2_der"] {
            assert_eq!(seed(SigningKey::from_pkcs8_der(&bytes(case, name))), Ok(wanted), "{name}");
            assert_eq!(KeyFormat::detect(&bytes(case, name)), Some(KeyFormat::Pkcs8Der));
        }
        for name in ["pkcs8_v1_pem", "pkcs8_v2_pem"] {
            assert_eq!(seed(SigningKey::from_pkcs8_pem(text(case, name))), Ok(wanted), "{name}");
            let crlf = text(case, name).replace('\n', "\r\n");
            assert_eq!(seed(SigningKey::from_pkcs8_pem(&crlf)), Ok(wanted), "{name} with CRLF");
        }
        assert_eq!(VerifyingKey::from_spki_der(&bytes(case, "spki_der")), Ok(public));
        assert_eq!(VerifyingKey::from_spki_pem(text(case, "spki_pem")), Ok(public));

        let line = text(case, "openssh_public");
        let (read, comment) = VerifyingKey::from_openssh(line).expect("a public line");
        assert_eq!(read, public);
        assert_eq!(public.to_openssh(&comment).as_deref(), Ok(line));
        let private = text(case, "openssh_private");
        let (read, comment_inside) = SigningKey::from_openssh(private).expect("a private file");
        assert_eq!((read.to_seed(), &comment_inside), (wanted, &comment));
        let written = write_private(&key, &comment, check_word(private)).expect("a comment on one line");
        assert_eq!(*written, private);
    }
}

/// The check word of an OpenSSH private file: the bytes after the public blob's end.
fn check_word(private: &str) -> [u8; 4] {
    let blob = super::pem::decode(private, super::openssh::PRIVATE_LABEL).expect("PEM");
    blob[98..102].try_into().expect("4 bytes")
}

#[test]
fn vectors_that_must_be_rejected() {
    let file = vectors();
    let cases = file["reject"].as_array().expect("cases");
    assert!(cases.len() >= 5, "{} cases", cases.len());
    for case in cases {
        let id = text(case, "id");
        let error = if let Some(pair) = case["keypair"].as_str() {
            let pair: [u8; 64] = hex::decode(pair).expect("hex").try_into().expect("64 bytes");
            SigningKey::from_keypair_bytes(&pair).err()
        } else if id.starts_with("spki") {
            VerifyingKey::from_spki_der(&bytes(case, "der")).err()
        } else {
            SigningKey::from_pkcs8_der(&bytes(case, "der")).err()
        };
        let name = format!("{:?}", error.unwrap_or_else(|| panic!("{id} is read")));
        assert_eq!(name.split('(').next(), Some(text(case, "error")), "{id}");
    }
}

#[test]
fn pkcs8_rules() {
    let key = sample();
    let v2 = key.to_pkcs8_v2_der();
    let with = |tail: &[u8], version: u8| {
        let mut der = Vec::from(&v2[..48]);
        der[4] = version;
        der.extend_from_slice(tail);
        der[1] = u8::try_from(der.len() - 2).expect("short");
        seed(SigningKey::from_pkcs8_der(&der))
    };
    let public = key.verifying_key().to_bytes();
    let current = [&[0x81, 33, 0][..], &public].concat();
    let old_ring = [&[0xa1, 35, 3, 33, 0][..], &public].concat();
    let attributes = [0xa0, 2, 0x30, 0];
    let good = Ok(key.to_seed());
    assert_eq!(with(&current, 1), good);
    assert_eq!(with(&old_ring, 1), good);
    assert_eq!(with(&attributes, 0), good);
    assert_eq!(with(&[&attributes[..], &current].concat(), 1), good);

    let other = SigningKey::from_seed(&[8; 32]).verifying_key().to_bytes();
    assert_eq!(with(&[&[0x81, 33, 0][..], &other].concat(), 1), Err(Error::KeyMismatch));
    assert_eq!(with(&[&[0xa1, 35, 3, 33, 0][..], &other].concat(), 1), Err(Error::KeyMismatch));
    let unused_bits = [&[0x81, 33, 1][..], &public].concat();
    let twice = [&current[..], &current].concat();
    let swapped = [&current[..], &attributes].concat();
    let long_length = [&[0x81, 0x81, 33, 0][..], &public].concat();
    for (tail, version) in [
        (&[][..], 1),
        (&current, 0),
        (&current, 2),
        (&unused_bits, 1),
        (&twice, 1),
        (&swapped, 1),
        (&attributes, 1),
        (&long_length, 1),
        (&[0x05, 0], 0),
    ] {
        let got = with(tail, version);
        assert!(matches!(got, Err(Error::InvalidKeyFormat(_))), "{version} {tail:02x?}: {got:?}");
    }
}

#[test]
fn der_lengths_and_parameters_are_strict() {
    let spki = sample().verifying_key().to_spki_der();
    let rejects = |der: &[u8]| {
        let got = VerifyingKey::from_spki_der(der);
        assert!(matches!(got, Err(Error::InvalidKeyFormat(_))), "{der:02x?}: {got:?}");
    };
    // NULL parameters, with the lengths that fit.
    rejects(&[&b"\x30\x2c\x30\x07\x06\x03\x2b\x65\x70\x05\x00"[..], &spki[9..]].concat());
    // The outer length in more bytes than it needs, and indefinite.
    rejects(&[&[0x30, 0x81, 0x2a][..], &spki[2..]].concat());
    rejects(&[&[0x30, 0x82, 0, 0x2a][..], &spki[2..]].concat());
    rejects(&[&[0x30, 0x80][..], &spki[2..], &[0, 0]].concat());
    rejects(&[&[0x30, 0x84, 0, 0, 0, 0x2a][..], &spki[2..]].concat());
    rejects(&[&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff][..], &spki[2..]].concat());
    // Ed448 and X25519.
    for oid in [0x71, 0x6e] {
        let mut other = spki.clone();
        other[8] = oid;
        rejects(&other);
    }
}

#[test]
fn encrypted_files_say_so() {
    // An algorithm and an OCTET STRING: EncryptedPrivateKeyInfo.
    let der = b"\x30\x0a\x30\x05\x06\x03\x2b\x65\x70\x04\x01\x00";
    assert_eq!(seed(SigningKey::from_pkcs8_der(der)), Err(Error::EncryptedKey));
    let pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    assert_eq!(seed(SigningKey::from_pkcs8_pem(pem)), Err(Error::EncryptedKey));
    let mut file = Vec::from(&b"openssh-key-v1\0"[..]);
    super::ssh_wire::push_string(&mut file, b"aes256-ctr");
    super::ssh_wire::push_string(&mut file, b"bcrypt");
    let file = super::pem::encode("OPENSSH PRIVATE KEY", &file, 70);
    assert_eq!(SigningKey::from_openssh(&file).map(|_| ()), Err(Error::EncryptedKey));
}

#[test]
fn pem_is_strict() {
    let pem = sample().to_pkcs8_pem();
    let accepts = |text: &str| SigningKey::from_pkcs8_pem(text).is_ok();
    assert!(accepts(&pem) && accepts(pem.trim_end()) && accepts(&format!("\n{}\n\n", *pem)));
    for (from, to) in [
        ("BEGIN PRIVATE", "BEGIN PUBLIC"),
        ("END PRIVATE", "END PUBLIC"),
        ("-----BEGIN", "----BEGIN"),
        ("KEY-----\n", "KEY-----\n\n"),
        ("KEY-----\n", "KEY-----\nProc-Type: 4\n"),
        ("MC4C", "MC4C "),
        ("MC4C", " MC4C"),
        ("MC4C", "MC*C"),
        ("MC4C", "MC=C"),
        ("-----END PRIVATE KEY-----", ""),
        ("-----END", "=\n-----END"),
    ] {
        let damaged = pem.replacen(from, to, 1);
        assert_ne!(*damaged, **pem, "{from}");
        assert!(!accepts(&damaged), "{damaged}");
    }
    assert!(!accepts(&format!("{}{}", *pem, *pem)));
    assert!(!accepts(&format!("words\n{}", *pem)));
    assert!(!accepts(&format!("{}words", *pem)));
}

#[test]
fn base64_has_one_spelling() {
    let decode = |text: &str| super::base64::decode::<super::base64::Standard>(text.as_bytes());
    assert_eq!(decode("QQ==").as_deref(), Ok(&b"A".to_vec()));
    for text in ["QR==", "QQ=", "QQ", "QQ===", "Q===", "====", "QQ==QQ==", "QUI=QUI=", "Q-==", "QQ==\n"] {
        assert!(decode(text).is_err(), "{text}");
    }
}

#[test]
fn openssh_private_rules() {
    let key = sample();
    let good = key.to_openssh("a comment").expect("a comment on one line");
    let blob = super::pem::decode(&good, super::openssh::PRIVATE_LABEL).expect("PEM");
    let damaged = |at: usize| {
        let mut blob = blob.to_vec();
        blob[at] ^= 1;
        SigningKey::from_openssh(&super::pem::encode("OPENSSH PRIVATE KEY", &blob, 70)).err()
    };
    let private_at = 98;
    assert_eq!(damaged(private_at), Some(Error::InvalidKeyFormat("check words differ")));
    // The public key in the public part, in the private part, beside the seed, and the seed.
    let inner_at = private_at + 8 + 15 + 4;
    for at in [70, inner_at, inner_at + 32 + 4 + 32, inner_at + 32 + 4] {
        assert_eq!(damaged(at), Some(Error::KeyMismatch), "{at}");
    }
    assert_eq!(damaged(blob.len() - 1), Some(Error::InvalidKeyFormat("padding")));
    assert_eq!(damaged(private_at + 8 + 5), Some(Error::InvalidKeyFormat("key type is not ssh-ed25519")));
    // A whole block of padding more than is needed.
    let mut longer = blob.to_vec();
    let private_len = u8::try_from(blob.len() - private_at).expect("short");
    longer[private_at - 1] = private_len + 8;
    let begin = longer[longer.len() - 1] + 1;
    longer.extend(begin..begin + 8);
    let longer = super::pem::encode("OPENSSH PRIVATE KEY", &longer, 70);
    assert_eq!(SigningKey::from_openssh(&longer).err(), Some(Error::InvalidKeyFormat("padding")));
    // No bit may be changed without being seen, but in the comment and in both check words at once.
    let comment_at = inner_at + 32 + 68 + 4;
    for at in (0..blob.len()).filter(|at| !(comment_at..comment_at + 9).contains(at)) {
        assert!(damaged(at).is_some(), "byte {at}");
    }
}

#[test]
fn comments_stay_on_their_line() {
    let key = sample();
    for comment in ["a\nb", "a\rb", "a\0", "\u{1b}[31m"] {
        let error = Err(Error::InvalidKeyFormat("control character in the comment"));
        assert_eq!(key.verifying_key().to_openssh(comment), error);
        assert_eq!(key.to_openssh(comment).map(|_| ()), Err(error.clone().expect_err("an error")));
    }
    assert!(key.to_openssh(&"x".repeat(1 << 17)).is_err());
    assert!(key.verifying_key().to_openssh("Zoë's key").is_ok());
}

#[test]
fn public_lines() {
    let key = *sample().verifying_key();
    let line = key.to_openssh("me@here").expect("a line");
    assert_eq!(VerifyingKey::from_openssh(&format!("{line}\n")), Ok((key, "me@here".to_string())));
    assert_eq!(VerifyingKey::from_openssh(&key.to_openssh("").expect("a line")), Ok((key, String::new())));
    for line in [
        line.replace("ssh-ed25519 ", "ssh-rsa "),
        line.replace("AAAAC3", "AAAAC4"),
        format!("restrict {line}"),
        format!("{line}\n{line}"),
        "ssh-ed25519".to_string(),
        String::new(),
    ] {
        assert!(VerifyingKey::from_openssh(&line).is_err(), "{line}");
    }
}

#[test]
fn jwk() {
    // RFC 8037 appendix A.1 and A.2.
    let private = r#"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let public = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let key = SigningKey::from_jwk(private).expect("the RFC's key");
    assert_eq!(*key.to_hex(), "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    assert_eq!((key.to_jwk().as_str(), key.verifying_key().to_jwk().as_str()), (private, public));
    assert_eq!(VerifyingKey::from_jwk(public), Ok(*key.verifying_key()));
    assert_eq!(VerifyingKey::from_jwk(private), Ok(*key.verifying_key()));

    let loose = private.replace(':', "\t: ").replacen(
        '{',
        " { \"key_ops\":[\"sign\", {\"a\":[]}, {}, -1.5e3],\"kid\":\"\\\"d\\\"\",\r\n",
        1,
    );
    assert_eq!(seed(SigningKey::from_jwk(&loose)), Ok(key.to_seed()), "{loose}");

    assert_eq!(
        seed(SigningKey::from_jwk(public)),
        Err(Error::InvalidKeyFormat("JWK without d, the private key"))
    );
    assert_eq!(seed(SigningKey::from_jwk(&private.replace("11qY", "21qY"))), Err(Error::KeyMismatch));
    let short = private.replace("11qYAYKx", "11qY");
    assert_eq!(
        seed(SigningKey::from_jwk(&short)),
        Err(Error::InvalidLength { what: "x of the JWK", got: 29, wanted: 32 })
    );
    for (from, to) in [
        ("OKP", "EC"),
        ("Ed25519", "X25519"),
        ("\"x\":", "\"y\":"),
        ("\"x\":", "\"d\":\"\",\"x\":"),
        ("\"x\":", "\"\\u0078\":"),
        ("}", ",\"kty\":\"OKP\"}"),
        ("HURo", "HURo="),
        ("HURo", "HURp"),
        ("}", "}}"),
        ("}", ",}"),
        ("}", ""),
        ("{", "{,"),
        ("{", "{\"a\":nul,"),
        ("{", "{\"a\":\"\n\","),
        ("\"kty\":\"OKP\",", ""),
    ] {
        let damaged = private.replacen(from, to, 1);
        assert_ne!(damaged, private, "{from}");
        assert!(SigningKey::from_jwk(&damaged).is_err(), "{damaged}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    assert_eq!(VerifyingKey::from_jwk(&deep), Err(Error::InvalidKeyFormat("JWK nests too deep")));
}

#[test]
fn hex_of_every_byte() {
    for byte in 0..=255_u8 {
        let digits = super::hex::encode(&[byte]);
        assert_eq!(*digits, format!("{byte:02x}"));
        assert_eq!(super::hex::decode::<1>(&digits, "byte").as_deref(), Ok(&[byte]));
        assert_eq!(super::hex::decode::<1>(&digits.to_uppercase(), "byte").as_deref(), Ok(&[byte]));
        let text = [byte, b'0'];
        if let Ok(text) = core::str::from_utf8(&text) {
            assert_eq!(super::hex::decode::<1>(text, "byte").is_ok(), byte.is_ascii_hexdigit(), "{byte}");
        }
    }
    let key = sample();
    let pair = hex::encode(key.to_keypair_bytes());
    // As other programs write it: with a prefix, in capitals, on lines of 60 digits.
    for written in
        [format!("0x{pair}\n"), pair.to_uppercase(), format!(" {}\r\n{}", &pair[..60], &pair[60..])]
    {
        assert_eq!(seed(SigningKey::from_hex(&written)), Ok(key.to_seed()), "{written}");
        assert_eq!(KeyFormat::detect(written.as_bytes()), Some(KeyFormat::Hex), "{written}");
    }
    assert!(SigningKey::from_hex(&format!("0x0x{}", &pair[..60])).is_err());
    assert_eq!(seed(SigningKey::from_hex(&pair)), Ok(key.to_seed()));
    assert_eq!(seed(SigningKey::from_hex(&pair.replacen('0', "1", 1))), Err(Error::KeyMismatch));
    assert!(matches!(seed(SigningKey::from_hex("00")), Err(Error::InvalidLength { .. })));
}

#[test]
fn kinds_of_files() {
    let key = sample();
    let public = *key.verifying_key();
    let openssh = key.to_openssh("").expect("no comment");
    let line = public.to_openssh("").expect("no comment");
    for (bytes, kind) in [
        (&[0x30; 32][..], Some(KeyFormat::Raw32)),
        (&[0x30; 63], None),
        (&key.to_keypair_bytes(), Some(KeyFormat::Raw64)),
        (key.to_hex().as_bytes(), Some(KeyFormat::Hex)),
        (key.sign(b"").to_hex().as_bytes(), Some(KeyFormat::Hex)),
        (&key.to_pkcs8_v2_der(), Some(KeyFormat::Pkcs8Der)),
        (key.to_pkcs8_pem().as_bytes(), Some(KeyFormat::Pkcs8Pem)),
        (&public.to_spki_der(), Some(KeyFormat::SpkiDer)),
        (public.to_spki_pem().as_bytes(), Some(KeyFormat::SpkiPem)),
        (openssh.as_bytes(), Some(KeyFormat::OpensshPrivate)),
        (line.as_bytes(), Some(KeyFormat::OpensshPublic)),
        (key.to_jwk().as_bytes(), Some(KeyFormat::Jwk)),
        (b"-----BEGIN SSH SIGNATURE-----\n", Some(KeyFormat::Sshsig)),
        (b"-----BEGIN EC PRIVATE KEY-----\n", None),
        (b"untrusted comment: x\n", None),
        (b"", None),
    ] {
        assert_eq!(KeyFormat::detect(bytes), kind, "{}", String::from_utf8_lossy(bytes));
    }
}

/// Every reader of key files on one text: a key that comes out of any of them.
fn read_signing_key(bytes: &[u8]) -> Vec<SigningKey> {
    let mut keys: Vec<_> = SigningKey::from_pkcs8_der(bytes).into_iter().collect();
    if let Ok(text) = core::str::from_utf8(bytes) {
        keys.extend(SigningKey::from_pkcs8_pem(text));
        keys.extend(SigningKey::from_openssh(text).map(|(key, _)| key));
        keys.extend(SigningKey::from_jwk(text));
    }
    keys
}

fn read_verifying_key(bytes: &[u8]) -> Vec<VerifyingKey> {
    let mut keys: Vec<_> = VerifyingKey::from_spki_der(bytes).into_iter().collect();
    if let Ok(text) = core::str::from_utf8(bytes) {
        keys.extend(VerifyingKey::from_spki_pem(text));
        keys.extend(VerifyingKey::from_openssh(text).map(|(key, _)| key));
        keys.extend(VerifyingKey::from_jwk(text));
    }
    keys
}

#[test]
fn no_beginning_of_a_file_is_a_file() {
    let key = sample();
    let public = key.verifying_key();
    let openssh = key.to_openssh("c").expect("one line");
    let texts = [key.to_pkcs8_pem(), key.to_pkcs8_v2_pem(), openssh, key.to_jwk()];
    for file in texts.iter().map(|text| text.trim_end().as_bytes()) {
        assert_eq!(read_signing_key(file).len(), 1);
        for len in 0..file.len() {
            assert!(read_signing_key(&file[..len]).is_empty(), "{len} bytes of {}", file.len());
        }
    }
    for file in [&key.to_pkcs8_der(), &key.to_pkcs8_v2_der()] {
        for len in 0..file.len() {
            assert!(read_signing_key(&file[..len]).is_empty());
        }
    }
    let pem = public.to_spki_pem();
    for file in [&public.to_spki_der(), pem.trim_end().as_bytes(), public.to_jwk().as_bytes()] {
        assert_eq!(read_verifying_key(file).len(), 1);
        for len in 0..file.len() {
            assert!(read_verifying_key(&file[..len]).is_empty(), "{len} bytes of {}", file.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(seed: [u8; 32], comment in "[^\\p{Cc}]{0,40}") {
        let key = SigningKey::from_seed(&seed);
        let comment = comment.trim();
        let openssh = key.to_openssh(comment).expect("one line");
        prop_assert_eq!(SigningKey::from_openssh(&openssh).map(|(key, text)| (key.to_seed(), text)), Ok((seed, comment.to_string())));
        for file in [key.to_pkcs8_der().to_vec(), key.to_pkcs8_v2_der().to_vec(), key.to_jwk().as_bytes().to_vec(), key.to_pkcs8_pem().as_bytes().to_vec()] {
            let read: Vec<_> = read_signing_key(&file).iter().map(SigningKey::to_seed).collect();
            prop_assert_eq!(read, [seed]);
        }
        let public = *key.verifying_key();
        let line = public.to_openssh(comment).expect("one line");
        for file in [public.to_spki_der(), public.to_spki_pem().into_bytes(), public.to_jwk().into_bytes(), line.into_bytes()] {
            prop_assert_eq!(read_verifying_key(&file), [public]);
        }
    }

    /// Files that carry the public key beside the secret one: a changed bit changes nothing or is refused.
    #[test]
    fn damage_never_gives_another_key(seed: [u8; 32], at: prop::sample::Index, bit in 0_u8..8) {
        let key = SigningKey::from_seed(&seed);
        let openssh = key.to_openssh("comment").expect("one line");
        for file in [&key.to_pkcs8_v2_der()[..], openssh.as_bytes(), key.to_jwk().as_bytes(), key.to_pkcs8_v2_pem().as_bytes()] {
            let mut damaged = file.to_vec();
            damaged[at.index(file.len())] ^= 1_u8 << bit;
            for read in read_signing_key(&damaged) {
                prop_assert_eq!(read.to_seed(), seed);
            }
        }
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,200}") {
        for bytes in [&bytes[..], text.as_bytes()] {
            let _ = KeyFormat::detect(bytes);
            prop_assert!(read_signing_key(bytes).is_empty());
            prop_assert!(read_verifying_key(bytes).is_empty());
        }
    }
}
