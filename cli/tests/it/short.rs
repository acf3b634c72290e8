//! The short forms: what a key and a signature are is found, and other programs agree.

use crate::support::{Folder, Run, SET, message};
use base64ct::{Base64, Encoding};
use phalanx::ed25519::SigningKey;
use phalanx::ed25519::minisign::{Scrypt, SecretKey};
use phalanx_testing::programs::is_there;
use std::fs;
use std::process::{Command, Stdio};

/// Runs another program in the folder; `None` if it is not on this machine, where that is allowed.
fn program(folder: &Folder, name: &str, args: &[&str]) -> Option<Run> {
    let run = Command::new(name).current_dir(folder.path("")).args(args).stdin(Stdio::null()).output();
    if run.is_err() {
        assert!(!is_there(name, args), "{name} started the second time");
    }
    run.ok().map(Run::from)
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

fn password(folder: &Folder) {
    folder.write("password", "open sesame\n");
    folder.write("wrong", "open barley\n");
    for name in ["password", "wrong"] {
        folder.chmod(name, 0o600);
    }
}

#[test]
fn ssh_keygen_opens_our_encrypted_keys_and_we_open_its() {
    let folder = Folder::new();
    password(&folder);
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen keys --encrypt --password-file password --comment me@home");
    let public = String::from_utf8(folder.read("keys/public-key.openssh")).expect("text");
    let theirs =
        program(&folder, "ssh-keygen", &["-y", "-P", "open sesame", "-f", "keys/secret-key.openssh"]);
    let Some(theirs) = theirs else { return };
    good(&theirs);
    assert_eq!(theirs.stdout, public, "key and comment are in the encrypted part");
    let wrong = program(&folder, "ssh-keygen", &["-y", "-P", "open barley", "-f", "keys/secret-key.openssh"]);
    assert_ne!(wrong.expect("it is there").code, Some(0));

    let refused = folder.bad("sign -k keys letter", 2);
    assert!(refused.stderr.contains("--password-file or --password-fd"), "{}", refused.stderr);
    let refused = folder.bad("sign -k keys letter --password-file wrong", 2);
    assert!(refused.stderr.contains("wrong password"), "{}", refused.stderr);
    assert!(!folder.exists("letter.sig"));
    folder.good("sign -k keys letter --password-file password");
    folder.write("signers", format!("me@home {public}"));
    let verify = "exec ssh-keygen -Y verify -f signers -I me@home -n file -s letter.sig < letter";
    good(&program(&folder, "sh", &["-c", verify]).expect("every system has it"));
    folder.good("verify -k keys letter");

    let make = ["-q", "-t", "ed25519", "-N", "open sesame", "-C", "you@home", "-f", "id"];
    good(&program(&folder, "ssh-keygen", &make).expect("it is there"));
    folder.good("sign -k id letter -o theirs.sig --password-file password");
    folder.good("verify -k id.pub letter theirs.sig");
    let line = folder.good("pub id --password-file password").stdout;
    assert_eq!(line.as_bytes(), folder.read("id.pub"), "with the comment");
    folder.good("convert id id.pem --password-file password");
    assert_eq!(
        folder.good("pub id.pem -f openssh").stdout.trim_end(),
        line.trim_end().trim_end_matches(" you@home")
    );
}

#[test]
fn openssl_opens_our_encrypted_keys_and_verifies_our_signatures() {
    let folder = Folder::new();
    password(&folder);
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen keys -f pem --password-file password");
    let text = String::from_utf8(folder.read("keys/secret-key.pem")).expect("text");
    assert!(text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), "{text}");
    let open = ["pkey", "-in", "keys/secret-key.pem", "-passin", "file:password", "-pubout"];
    let Some(theirs) = program(&folder, "openssl", &open) else { return };
    good(&theirs);
    assert_eq!(theirs.stdout, folder.good("pub keys").stdout);
    folder.good("sign -k keys letter --password-file password");
    let verify = "pkeyutl -verify -pubin -inkey keys/public-key.pem -rawin -in letter -sigfile letter.sig";
    good(&program(&folder, "openssl", &verify.split(' ').collect::<Vec<_>>()).expect("it is there"));

    let make = "genpkey -algorithm ed25519 -aes-256-cbc -pass file:password -out theirs.pem";
    good(&program(&folder, "openssl", &make.split(' ').collect::<Vec<_>>()).expect("it is there"));
    let public = ["pkey", "-in", "theirs.pem", "-passin", "file:password", "-pubout"];
    let public = program(&folder, "openssl", &public).expect("it is there").stdout;
    assert_eq!(folder.good("pub theirs.pem --password-file password").stdout, public);
    folder.bad("pub theirs.pem --password-file wrong", 2);
    folder.bad("pub theirs.pem", 2);
}

/// Both ways, the program being what else reads and writes these files.
#[test]
fn minisign_verifies_and_opens_ours_and_we_its() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    let minisign = |args: &str| program(&folder, "minisign", &args.split(' ').collect::<Vec<_>>());
    folder.good("keygen keys -f minisign");
    folder.good("sign -k keys letter");
    let Some(theirs) = minisign("-V -q -p keys/public-key.minisign -m letter") else { return };
    good(&theirs);
    let minisign = |args: &str| minisign(args).expect("it is there");
    // Our secret key signs there as here, also one under a password, with costs that take no time.
    good(&minisign("-S -s keys/secret-key.minisign -m letter -x theirs.minisig -t same -c same"));
    folder.good("sign -k keys letter -o ours.minisig --trusted-comment same --comment same");
    let of_them = |name: &str| String::from_utf8(folder.read(name)).expect("text");
    assert_eq!(of_them("theirs.minisig"), of_them("ours.minisig"));
    let key = SecretKey::generate().expect("random bytes");
    let locked = key.to_encrypted_file("minisign encrypted secret key", b"open sesame", LEAST);
    folder.write("locked.key", locked.expect("it can be").as_bytes());
    folder.write("locked.pub", key.public_key().to_file());
    for (password, is_right) in [("open barley", false), ("open sesame", true)] {
        folder.write("password", format!("{password}\n"));
        let sign = "exec minisign -S -s locked.key -m letter -x locked.minisig < password";
        let run = program(&folder, "sh", &["-c", sign]).expect("every system has it");
        assert_eq!(run.code == Some(0), is_right, "{}", run.stderr);
    }
    folder.good("verify -k locked.pub letter locked.minisig");

    good(&minisign("-G -W -f -p id.pub -s id.key"));
    good(&minisign("-S -s id.key -m letter -x id.minisig"));
    folder.good("verify -k id.pub letter id.minisig");
    folder.good("sign -k id.key letter -o by-us.minisig");
    good(&minisign("-V -q -p id.pub -m letter -x by-us.minisig"));
    folder.write("letter", "Dear Eve\n");
    folder.bad("verify -k id.pub letter id.minisig", 1);
    assert_eq!(minisign("-V -q -p id.pub -m letter -x by-us.minisig").code, Some(1));
}

/// The least costs of a password that the format has.
const LEAST: Scrypt = Scrypt { opslimit: 32_768, memlimit: 1 << 22 };

/// As minisign writes them, with its costs: a gibibyte and seconds of work, so only once. One with the least that the format
/// has is read.
#[test]
fn keys_of_minisign_are_written_and_read_under_a_password() {
    let folder = Folder::new();
    password(&folder);
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen keys -f minisign --password-file password");
    let text = String::from_utf8(folder.read("keys/secret-key.minisign")).expect("text");
    assert!(text.starts_with("untrusted comment: minisign encrypted secret key\nRWRTY0Iy"), "{text}");
    let file = Base64::decode_vec(text.lines().nth(1).expect("two lines")).expect("base64");
    let costs = [Scrypt::SENSITIVE.opslimit, Scrypt::SENSITIVE.memlimit].map(u64::to_le_bytes);
    assert_eq!(file[38..54], costs.concat());

    let key = SecretKey::generate().expect("random bytes");
    let text =
        key.to_encrypted_file("minisign encrypted secret key", b"open sesame", LEAST).expect("it can be");
    folder.write("theirs.key", text.as_bytes());
    folder.chmod("theirs.key", 0o600);
    folder.write("theirs.pub", key.public_key().to_file());
    folder.good("sign -k theirs.key letter --password-file password");
    folder.good("verify -k theirs.pub letter");
    folder.bad("sign -k theirs.key letter -o other.minisig --password-file wrong", 2);
    for format in ["raw", "hex", "jwk", "der"] {
        let refused = folder.bad(&format!("keygen other -f {format} --password-file password"), 2);
        assert!(refused.stderr.contains("are not encrypted"), "{}", refused.stderr);
    }
    assert!(!folder.exists("other"));
}

#[test]
fn passwords_come_from_descriptors_and_never_empty() {
    let folder = Folder::new();
    password(&folder);
    folder.write("empty", "\n");
    let from = |name: &str| fs::File::open(folder.path(name)).expect("it is there");
    let args = "keygen keys --encrypt --password-fd 0";
    let made = folder.command(args).stdin(from("password")).output().expect("it starts");
    assert!(made.status.success());
    let refused =
        folder.command(&args.replace("keys", "new")).stdin(from("empty")).output().expect("it starts");
    assert_eq!(refused.status.code(), Some(2));
    assert!(!folder.exists("new"));
    folder.write("letter", "Dear Bob\n");
    let sign = folder.command("sign -k keys letter --password-fd 0").stdin(from("password")).output();
    assert!(sign.expect("it starts").status.success());
    folder.chmod("password", 0o644);
    let noted = folder.good("sign -k keys letter --password-file password -o again.sig");
    assert!(noted.stderr.starts_with("phalanx: note: 'password' has mode 0644"), "{}", noted.stderr);
    // Converted into another file, the password is a new one; without one the key lies open, which is said.
    folder.write("new-password", "open barley\n");
    folder.chmod("new-password", 0o600);
    let convert = "convert keys/secret-key.openssh locked.pem --password-file password";
    folder.good(&format!("{convert} --new-password-file new-password"));
    folder.good("pub locked.pem --password-file new-password");
    folder.bad("pub locked.pem --password-file password", 2);
    let noted = folder.good("convert locked.pem open.pem --password-file new-password");
    assert!(noted.stderr.contains("'open.pem' is not encrypted"), "{}", noted.stderr);
}

/// A folder of keygen holds one key, and its halves are not taken for each other.
#[test]
fn the_halves_of_a_raw_key_are_told_apart() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    for format in ["raw", "hex"] {
        folder.good(&format!("ed25519 keygen --out {format} --format {format}"));
        let sign = format!("ed25519 sign -k {format}/public-key.{format} -m letter -o signature");
        let refused = folder.bad(&sign, 2);
        assert!(refused.stderr.contains("is the public key, wanted the secret one"), "{}", refused.stderr);
        assert!(!folder.exists("signature"));
        folder.bad(&format!("sign -k {format}/public-key.{format} letter"), 2);
        let verify = format!("verify -k {format}/secret-key.{format} letter {}", "00".repeat(64));
        let refused = folder.bad(&verify, 2);
        assert!(refused.stderr.contains("it is a secret key"), "{}", refused.stderr);
        let shown = folder.good(&format!("pub {format}/secret-key.{format}")).stdout;
        assert_eq!(shown, folder.good(&format!("pub {format}")).stdout);
        // A pair on the command line is no secret key there.
        folder.bad(&format!("pub {}", "07".repeat(64)), 2);
        // By itself nothing says what it is, and a seed is not printed.
        folder.write("lonely", folder.read(&format!("{format}/secret-key.{format}")));
        folder.bad("pub lonely", 2);
    }
    // Where nothing says what a file is: a public key that others can read signs nothing, and a seed does, with a note.
    folder.write("public", folder.read("raw/public-key.raw"));
    for args in ["ed25519 sign -k public -m letter -o signature", "sign -k public letter -o signature"] {
        let refused = folder.bad(args, 2);
        assert!(refused.stderr.contains("looks like a public key"), "{}", refused.stderr);
    }
    folder.write("seed", [0xff; 32]);
    let noted = folder.good("sign -k seed letter -o signature");
    assert!(noted.stderr.contains("mode 0644"), "{}", noted.stderr);
    folder.chmod("public", 0o600);
    folder.good("sign -k public letter -o another");
    // Another key in the place of the one described.
    folder.write("raw/secret-key.raw", [9; 32]);
    let refused = folder.bad("sign -k raw letter", 2);
    assert!(refused.stderr.contains("is not the key that 'raw/key.json' describes"), "{}", refused.stderr);
}

#[test]
fn force_leaves_no_old_pair() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys");
    folder.bad("ed25519 keygen --out keys --format hex", 2);
    folder.good("ed25519 keygen --out keys --format hex --force");
    let names = || {
        let names = fs::read_dir(folder.path("keys"))
            .expect("there")
            .map(|entry| entry.expect("readable").file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().expect("UTF-8")).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["key.json", "public-key.hex", "secret-key.hex"]);
    // A key of XMSS is never removed on the way: it has a right to sign.
    folder.good(&format!("keygen v --scheme {SET} --epochs 256"));
    for args in [
        "keygen v --force".to_owned(),
        format!("keygen v --scheme {SET} --epochs 256 -f json --force"),
        format!("keygen keys --scheme {SET} --epochs 256 --force"),
    ] {
        let refused = folder.bad(&args, 2);
        assert!(refused.stderr.contains("give another folder"), "{args}: {}", refused.stderr);
    }
    assert!(folder.exists("v/secret-key.ssz") && folder.exists("keys/secret-key.hex"));
}

/// What would verify is said, and a good signature names whoever accepts it.
#[test]
fn a_refusal_says_what_would_verify() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen keys -f raw");
    folder.good("sign -k keys letter --prehash");
    let hint = |args: &str| {
        let run = folder.bad(args, 1);
        run.stderr.lines().nth(1).map(|line| line.trim_start_matches("phalanx: hint: ").to_owned())
    };
    assert_eq!(hint("verify -k keys letter").as_deref(), Some("it verifies with --prehash"));
    folder.good("verify -k keys letter --prehash");
    folder.good("sign -k keys letter --force");
    assert_eq!(hint("verify -k keys letter --prehash").as_deref(), Some("it verifies without --prehash"));
    let accepted = folder.good("verify -k keys letter --json").json();
    let all = serde_json::json!(["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]);
    assert_eq!(accepted["accepted_by"], all);
    folder.write("letter", "Dear Eve\n");
    assert_eq!(hint("verify -k keys letter"), None);

    folder.good(&format!("keygen v --scheme {SET} --epochs 256"));
    folder.write("m", hex::decode(message(7)).expect("digits"));
    folder.good("sign -k v m --epoch next");
    folder.good("sign -k v m --epoch 9 --hash sha256 -o hashed.sig");
    assert_eq!(hint("verify -k v m --epoch 3").as_deref(), Some("it verifies at epoch 0"));
    assert_eq!(hint("verify -k v m hashed.sig --epoch 9").as_deref(), Some("it verifies with --hash sha256"));
    assert_eq!(hint("verify -k v m --epoch 0 --hash sha256").as_deref(), Some("it verifies without --hash"));
    assert_eq!(hint("verify -k v letter m.sig --epoch 0 --hash sha256"), None);
    // The next is after all that were used, in order or not.
    let signed = folder.good("sign -k v m --epoch next -o next.sig --json").json();
    assert_eq!(signed["epoch"], 10);
}

/// The parameter set is found; where two remain both are named.
#[test]
fn the_scheme_is_found() {
    let folder = Folder::new();
    folder.good(&format!("keygen v --scheme {SET} --epochs 256"));
    folder.write("m", [7; 32]);
    folder.good("sign -k v m --epoch 1");
    // Without the key.json the signature says it.
    folder.write("key", folder.read("v/public-key.ssz"));
    folder.write("key.hex", hex::encode(folder.read("v/public-key.ssz")));
    let digits = hex::encode(folder.read("v/public-key.ssz"));
    for key in ["key", "key.hex", &digits] {
        let run = folder.good(&format!("verify -k {key} m --epoch 1"));
        assert_eq!(run.stdout, format!("signature verifies ({SET}, epoch 1)\n"), "{key}");
        folder.good(&format!("xmss verify -k {key} -m m --signature m.sig --epoch 1"));
    }
    folder.good("xmss sign -k v -m m --epoch 2 -o second.sig");
    folder.good("verify -k v m second.sig --epoch 2");
    let refused = folder.bad("pub key --scheme xmss-poseidon2-l32-d48b10 -f openssh", 2);
    assert!(refused.stderr.contains("keys of xmss have no form openssh"), "{}", refused.stderr);
    let epoch = folder.bad("verify -k v m", 2);
    assert!(epoch.stderr.contains("--epoch is missing"), "{}", epoch.stderr);
    // Any 32 bytes are a key over BLAKE2s, and any 1208 a signature of both profiles.
    folder.write("blake", SigningKey::from_seed(&[1; 32]).verifying_key().to_bytes());
    folder.write("blake.sig", [7; 1208]);
    let two = folder.bad("verify -k blake m blake.sig --epoch 1", 2);
    assert!(
        two.stderr.contains("xmss-blake2s-l32-d42b8 or xmss-blake2s-a-l32-d42b8")
            && two.stderr.contains("--scheme"),
        "{}",
        two.stderr
    );
}

/// A keystore names its public key, which needs no password.
#[test]
fn a_keystore_has_a_public_key() {
    let folder = Folder::new();
    let new = |args: &str| {
        folder.write("password", "correct horse");
        folder.chmod("password", 0o600);
        folder.good(&format!("key new {args} --password-file password --kdf scrypt"));
    };
    fs::create_dir(folder.path("vault")).expect("created");
    folder.chmod("vault", 0o700);
    new(&format!(
        "--scheme {SET} --start 0 --active 256 --role attester --ledger ledger --new-ledger --out vault/a.json"
    ));
    let header: serde_json::Value = folder.good("key inspect vault/a.json --json").json();
    assert_eq!(Some(folder.good("pub vault/a.json").stdout.trim_end()), header["public_key"].as_str());
    folder.write("letter", "Dear Bob\n");
    let refused = folder.bad("sign -k vault/a.json letter --epoch 1", 2);
    assert!(refused.stderr.contains("is a keystore"), "{}", refused.stderr);
}

/// A pipe with a name, as shells make of `<(...)`, gives a key or a signature once.
#[test]
fn keys_and_signatures_are_read_once() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen");
    folder.good("keygen alice -f raw");
    let piped = |name: &str, args: &str| {
        let mut cat = Command::new("cat");
        let mut cat = cat.arg(folder.path(name)).stdout(Stdio::piped()).spawn().expect("every system has it");
        let input = cat.stdout.take().expect("it is piped");
        good(&folder.command(args).stdin(input).output().expect("it starts").into());
        assert!(cat.wait().expect("it ran").success());
    };
    for (keys, key) in [("keys", "openssh"), ("alice", "raw")] {
        let signature = format!("{keys}.sig");
        piped(&format!("{keys}/secret-key.{key}"), &format!("sign -k /dev/stdin letter -o {signature}"));
        for stdin in ["-", "/dev/stdin"] {
            piped(&format!("{keys}/public-key.{key}"), &format!("verify -k {stdin} letter {signature}"));
            piped(&signature, &format!("verify -k {keys} letter {stdin}"));
        }
    }
    piped("keys/secret-key.openssh", "pub /dev/stdin");
    folder.good(&format!("keygen v --scheme {SET} --epochs 256"));
    folder.write("m", [7; 32]);
    folder.good("sign -k v m --epoch 1");
    piped("m.sig", "verify -k v m /dev/stdin --epoch 1");
    piped("v/public-key.ssz", "verify -k - m m.sig --epoch 1");
}

#[test]
fn what_is_piped_in_is_read() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    folder.good("keygen");
    let piped = |args: &str| -> Run {
        let input = fs::File::open(folder.path("letter")).expect("it is there");
        folder.command(args).stdin(input).output().expect("it starts").into()
    };
    let signature = piped("sign -k keys -o -");
    good(&signature);
    folder.write("letter.sig", &signature.stdout);
    folder.good("verify -k keys letter");
    good(&piped("verify -k keys - letter.sig"));
    good(&piped("ed25519 verify -k keys --signature letter.sig"));
    good(&piped("ed25519 sign -k keys -o other"));
    for args in ["hash", "rescue hash --padded"] {
        let named = folder.good(&format!("{args} letter")).stdout;
        let run = piped(args);
        assert_eq!(run.stdout, named.replace("letter", "-"), "{}", run.stderr);
    }
    piped("ed25519 verify-many").check_bad("verify-many", 2);
    // Nothing is piped in by a terminal or by /dev/null: that is said, and nobody waits.
    for args in
        ["hash", "rescue hash", "ed25519 verify-many", "xmss verify-many", "ed25519 sign -k keys -o x"]
    {
        let refused = folder.bad(args, 2);
        assert!(refused.stderr.contains("is missing"), "{args}: {}", refused.stderr);
    }
}
