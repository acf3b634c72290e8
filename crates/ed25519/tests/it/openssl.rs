//! PKCS#8 and SPKI against the real `openssl`, in both directions.

use phalanx_ed25519::{Error, KeyFormat, SigningKey, VerifyingKey};
use phalanx_testing::programs::{folder, run, succeeds, write_secret};
use std::fs;
use std::path::Path;
use std::process::Command;

fn openssl(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(arguments.split(' '));
    command
}

#[test]
fn both_read_the_other() {
    if !phalanx_testing::programs::is_there("openssl", &["version"]) {
        return;
    }
    let folder = folder("openssl");
    let read = |name: &str| fs::read(folder.join(name)).expect("a file it wrote");
    let read_text = |name: &str| String::from_utf8(read(name)).expect("text");

    // Its key.
    succeeds(&mut openssl(&folder, "genpkey -algorithm ed25519 -out key.pem"));
    succeeds(&mut openssl(&folder, "pkey -in key.pem -outform DER -out key.der"));
    succeeds(&mut openssl(&folder, "pkey -in key.pem -pubout -out public.pem"));
    succeeds(&mut openssl(&folder, "pkey -in key.pem -pubout -outform DER -out public.der"));
    let key = SigningKey::from_pkcs8_pem(&read_text("key.pem")).expect("its PEM");
    let public = *key.verifying_key();
    assert_eq!(*key.to_pkcs8_pem(), read_text("key.pem"));
    assert_eq!(*key.to_pkcs8_der(), read("key.der"));
    assert_eq!(SigningKey::from_pkcs8_der(&read("key.der")).map(|key| key.to_seed()), Ok(key.to_seed()));
    assert_eq!(VerifyingKey::from_spki_pem(&read_text("public.pem")), Ok(public));
    assert_eq!(VerifyingKey::from_spki_der(&read("public.der")), Ok(public));
    assert_eq!((public.to_spki_pem(), public.to_spki_der()), (read_text("public.pem"), read("public.der")));
    assert_eq!(KeyFormat::detect(&read("key.der")), Some(KeyFormat::Pkcs8Der));
    assert_eq!(KeyFormat::detect(&read("public.der")), Some(KeyFormat::SpkiDer));

    // Its key under a passphrase, and its keys of other kinds.
    let encrypt = "pkcs8 -topk8 -v2 aes-256-cbc -passout pass:word -in key.pem";
    succeeds(&mut openssl(&folder, &format!("{encrypt} -out encrypted.pem")));
    succeeds(&mut openssl(&folder, &format!("{encrypt} -outform DER -out encrypted.der")));
    let error = |result: Result<SigningKey, Error>| result.err();
    assert_eq!(error(SigningKey::from_pkcs8_pem(&read_text("encrypted.pem"))), Some(Error::EncryptedKey));
    assert_eq!(error(SigningKey::from_pkcs8_der(&read("encrypted.der"))), Some(Error::EncryptedKey));
    for other in ["x25519", "ed448", "ec -pkeyopt ec_paramgen_curve:P-256"] {
        succeeds(&mut openssl(&folder, &format!("genpkey -algorithm {other} -out other.pem")));
        let error = error(SigningKey::from_pkcs8_pem(&read_text("other.pem")));
        assert!(matches!(error, Some(Error::InvalidKeyFormat(_))), "{other}: {error:?}");
        succeeds(&mut openssl(&folder, "pkey -in other.pem -pubout -out other-public.pem"));
        let error = VerifyingKey::from_spki_pem(&read_text("other-public.pem"));
        assert!(matches!(error, Err(Error::InvalidKeyFormat(_))), "{other}: {error:?}");
    }

    // Our key, and signatures of it: Ed25519 leaves no choice of bytes.
    let key = SigningKey::from_seed(&[3; 32]);
    let public = *key.verifying_key();
    write_secret(&folder.join("ours.pem"), key.to_pkcs8_pem().as_bytes());
    write_secret(&folder.join("ours.der"), &key.to_pkcs8_der());
    fs::write(folder.join("ours-public.pem"), public.to_spki_pem()).expect("a file in our folder");
    let got = succeeds(&mut openssl(&folder, "pkey -in ours.pem -pubout"));
    assert_eq!(got, public.to_spki_pem().into_bytes());
    let got = succeeds(&mut openssl(&folder, "pkey -inform DER -in ours.der -pubout -outform DER"));
    assert_eq!(got, public.to_spki_der());
    fs::write(folder.join("message"), b"a message").expect("a file in our folder");
    succeeds(&mut openssl(&folder, "pkeyutl -sign -rawin -inkey ours.pem -in message -out signature"));
    assert_eq!(read("signature"), key.sign(b"a message").to_bytes());
    let verify = "pkeyutl -verify -rawin -pubin -inkey ours-public.pem -in message -sigfile signature";
    assert!(run(&mut openssl(&folder, verify), &folder.join("message")).status.success());
    fs::remove_dir_all(&folder).expect("our folder");
}
