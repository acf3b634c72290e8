//! Ed25519 keys and signatures: keygen, sign, verify, in every form, and what is refused.

use crate::support::{Folder, Run};

/// Forms that keygen writes.
const FORMATS: [&str; 7] = ["raw", "hex", "pkcs8", "der", "openssh", "jwk", "minisign"];

/// The seed of TEST 2 of RFC 8032 section 7.1, its public key, its message and its signature.
const SEED: &str = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
const PUBLIC: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const MESSAGE: &str = "72";
const SIGNATURE: &str = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                         085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

/// A folder with the key of [`SEED`] in `keys`.
fn rfc_key(format: &str) -> Folder {
    let folder = Folder::new();
    folder.good(&format!("ed25519 keygen --out keys --format {format} --insecure-seed-hex {SEED}"));
    folder
}

fn sign(format: &str, more: &str) -> String {
    format!(
        "ed25519 sign --secret-key keys/secret-key.{format} --message-hex {MESSAGE} --out signature {more}"
    )
}

fn verify(format: &str, more: &str) -> String {
    format!(
        "ed25519 verify --public-key keys/public-key.{format} --message-hex {MESSAGE} --signature signature {more}"
    )
}

#[test]
fn the_key_of_rfc_8032_in_every_form() {
    for format in FORMATS {
        let folder = rfc_key(format);
        #[cfg(unix)]
        {
            assert_eq!(folder.mode(&format!("keys/secret-key.{format}")), 0o600);
            assert_eq!(folder.mode(&format!("keys/public-key.{format}")), 0o644);
        }
        let key: serde_json::Value =
            serde_json::from_slice(&folder.read("keys/key.json")).expect("key.json is JSON");
        assert_eq!((key["scheme"].as_str(), key["public_key"].as_str()), (Some("ed25519"), Some(PUBLIC)));
        assert_eq!(key["encoding"].as_str(), Some(format));
        assert_eq!(key["files"].as_object().map(serde_json::Map::len), Some(2));

        folder.good(&sign(format, ""));
        assert_eq!(hex::encode(folder.read("signature")), SIGNATURE, "{format}");
        folder.good(&sign(format, "--format hex --checked --force"));
        assert_eq!(folder.read("signature"), format!("{SIGNATURE}\n").as_bytes());
        for profile in ["strict", "zip215", "rfc8032", "cofactorless", "zig-std"] {
            let run = folder.good(&verify(format, &format!("--profile {profile}")));
            assert_eq!(
                run.stdout,
                format!("signature verifies (ed25519, profile {profile}, signature in hex)\n")
            );
        }
        let wrong = folder.bad(&verify(format, "").replace("hex 72", "hex 73"), 1);
        assert_eq!(
            wrong.stderr,
            "phalanx: error: signature does not verify: the verification equation does not hold \
             (signature in hex, profile strict)\n"
        );
    }
}

#[test]
fn keygen_overwrites_nothing_and_draws_seeds() {
    let folder = Folder::new();
    let first = folder.good("ed25519 keygen --out keys --json").json();
    assert_eq!(first["files"]["secret-key.raw"]["bytes"], 32);
    folder.bad("ed25519 keygen --out keys", 2);
    folder.good("ed25519 keygen --out keys --force");
    assert_ne!(hex::encode(folder.read("keys/public-key.raw")), first["public_key"].as_str().expect("text"));
    folder.write("seed", format!("{SEED}\n"));
    folder.good("ed25519 keygen --out keys --force --seed-file seed");
    assert_eq!(hex::encode(folder.read("keys/public-key.raw")), PUBLIC);
    assert_eq!(hex::encode(folder.read("keys/secret-key.raw")), SEED);
    folder.good("ed25519 keygen --out ssh --format openssh --comment me@home --seed-file seed");
    assert!(folder.read("ssh/public-key.openssh").ends_with(b" me@home\n"));
    folder.bad("ed25519 keygen --out new --format raw --comment me", 2);
    folder.bad("ed25519 keygen --out new --format abacus", 2);
    folder.bad("ed25519 keygen --out new --insecure-seed-hex 00", 2);
    assert!(!folder.exists("new"));
}

#[test]
fn messages_of_any_length_from_files_and_standard_input() {
    use std::io::Write;
    let folder = rfc_key("raw");
    for length in [0, 1, 31, 32, 33, 1 << 20, (1 << 21) + 7] {
        folder.write("message", vec![0xa5; length]);
        for more in ["", "--prehash", "--prehash --context-hex c0ffee", "--context-hex 00"] {
            let file = |args: String| args.replace("--message-hex 72", "--message-file message");
            folder.good(&file(sign("raw", &format!("{more} --force"))));
            folder.good(&file(verify("raw", more)));
            let other = if more.is_empty() { "--prehash" } else { "" };
            folder.bad(&file(verify("raw", other)), 1);
            let args = verify("raw", more).replace("--message-hex 72", "--message-file -");
            let mut child =
                folder.command(&args).stdin(std::process::Stdio::piped()).spawn().expect("it starts");
            let mut input = child.stdin.take().expect("piped");
            input.write_all(&vec![0xa5; length]).expect("it reads");
            drop(input);
            assert_eq!(child.wait().expect("it ends").code(), Some(0), "{length} bytes, {more}");
        }
    }
}

#[test]
fn noise_context_and_prehash() {
    let folder = rfc_key("raw");
    folder.good(&sign("raw", "--noise --checked"));
    let first = folder.read("signature");
    assert_ne!(hex::encode(&first), SIGNATURE);
    folder.good(&verify("raw", ""));
    folder.good(&sign("raw", "--noise --force"));
    assert_ne!(folder.read("signature"), first, "noise is drawn anew");
    for (more, code) in [
        ("--context-hex 0x", 2),
        ("--context-hex ", 2),
        (&*format!("--context-hex {}", "00".repeat(256)), 2),
        ("--noise --prehash", 2),
        ("--noise --context-hex 00", 2),
    ] {
        folder.bad(&sign("raw", &format!("--force {more}")), code);
    }
    let context = format!("--context-hex {}", "00".repeat(255));
    folder.good(&sign("raw", &format!("--force --checked {context}")));
    folder.good(&verify("raw", &context));
    folder.bad(&verify("raw", "--context-hex 00"), 1);
    folder.good(&sign("raw", "--force --checked --prehash"));
    folder.good(&verify("raw", "--prehash"));
}

/// The second case of speccheck, whose key has small order: `strict` refuses it, the cofactored rules do not.
#[test]
fn a_refusal_says_which_check_and_who_accepts() {
    let folder = Folder::new();
    let bytes =
        std::fs::read(crate::support::ed25519_vector("speccheck.json")).expect("the vectors are there");
    let file: serde_json::Value = serde_json::from_slice(&bytes).expect("vectors are JSON");
    let case = &file["cases"][0];
    let text = |key: &str| case[key].as_str().expect("text").to_owned();
    folder.write("key", text("pk"));
    folder.write("signature", text("sig"));
    let args = format!("ed25519 verify --public-key key --signature signature --message-hex {}", text("msg"));
    let run = folder.bad(&args, 1);
    assert_eq!(
        run.stderr,
        "phalanx: error: signature does not verify: public key has small order (signature in hex, profile strict)\n\
         phalanx: hint: it verifies with --profile zip215 or rfc8032 or cofactorless\n"
    );
    folder.good(&format!("{args} --profile zip215"));
    let run = folder.run(&format!("{args} --json"));
    run.check_bad("verify", 1);
    let object = run.json();
    assert_eq!((&object["valid"], &object["accepted_by"][0]), (&false.into(), &"zip215".into()));
    // A key that encodes no point is an answer, not a malformed file.
    folder.write("key", format!("5d{}", "00".repeat(31)));
    let run = folder.bad(&args, 1);
    assert!(run.stderr.contains("public key encodes no point of the curve"), "{}", run.stderr);
}

#[test]
fn garbage_is_refused() {
    let folder = rfc_key("raw");
    folder.good(&sign("raw", ""));
    folder.write("original", folder.read("signature"));
    let good = folder.read("signature");
    let garbage: [&[u8]; 12] = [
        b"",
        b"\0",
        b"not a key\n",
        b"{}",
        b"-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n",
        b"untrusted comment: x\nAAAA\n",
        b"ssh-ed25519 AAAA\n",
        b"ssh-rsa AAAA\n",
        &[0xff; 31],
        &[0xff; 65],
        &[0x30; 100_000],
    ];
    for bytes in garbage {
        folder.write("signature", bytes);
        folder.bad(&verify("raw", ""), 2);
        folder.write("signature", &good);
        folder.write("garbage", bytes);
        folder.bad(&verify("raw", "").replace("keys/public-key.raw", "garbage"), 2);
        folder.bad(&sign("raw", "--force").replace("keys/secret-key.raw", "garbage"), 2);
    }
    let half = good[..32].to_vec();
    folder.write("signature", [half, vec![0xff; 32]].concat());
    let run = folder.bad(&verify("raw", ""), 1);
    assert!(run.stderr.contains("S is not below the group order"), "{}", run.stderr);
    // A secret key is not read where a public one should stand, nor the other way round.
    let folder = rfc_key("pkcs8");
    let run = folder.bad(&sign("pkcs8", "").replace("keys/secret-key", "keys/public-key"), 2);
    assert!(run.stderr.contains("it is a public key"), "{}", run.stderr);
    folder.good(&sign("pkcs8", ""));
    let run = folder.bad(&verify("pkcs8", "").replace("keys/public-key", "keys/secret-key"), 2);
    assert!(run.stderr.contains("it is a secret key"), "{}", run.stderr);
}

#[test]
fn files_are_spared_and_missing_ones_named() {
    let folder = rfc_key("raw");
    folder.write("taken", "mine");
    folder.bad(&sign("raw", "").replace("--out signature", "--out taken"), 2);
    assert_eq!(folder.read("taken"), b"mine");
    folder.bad(&sign("raw", "--force").replace("--out signature", "--out keys/secret-key.raw"), 2);
    folder.bad(&sign("raw", "").replace("--out signature", "--out missing/signature"), 4);
    folder.bad(&sign("raw", "").replace("secret-key.raw", "missing"), 4);
    folder.bad(&verify("raw", ""), 4);
    let both = sign("raw", "--json").replace("--out signature", "--out -");
    folder.run(&both).check_bad(&both, 2);
    assert_eq!(hex::encode(folder.read("keys/secret-key.raw")), SEED);
    let output =
        folder.command(&sign("raw", "").replace("--out signature", "--out -")).output().expect("it runs");
    assert_eq!(hex::encode(output.stdout), SIGNATURE);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(folder.path("keys/secret-key.raw"), open).expect("it is ours");
        let run = folder.good(&sign("raw", ""));
        assert!(
            run.stderr.starts_with("phalanx: note: 'keys/secret-key.raw' has mode 0644"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn every_backend_signs_and_verifies_alike() {
    let folder = rfc_key("raw");
    let cpu = folder.good("cpu --json").json();
    for backend in cpu["backends"].as_array().expect("a list") {
        if backend["available"] != true {
            continue;
        }
        let name = backend["name"].as_str().expect("text");
        for args in [sign("raw", "--force"), verify("raw", "")] {
            let run: Run =
                folder.command(&args).env("PHALANX_BACKEND", name).output().expect("it starts").into();
            assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        }
        assert_eq!(hex::encode(folder.read("signature")), SIGNATURE, "{name}");
    }
}
