//! Keystores: `phalanx key`.

use crate::support::{Folder, Run, SET, sign, vector};
use phalanx::xmss::{Format, ParameterSet, SigningKey};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// A folder with a password, a seed and a place for the side logs of ledgers.
struct Place(Folder);

impl Place {
    fn new() -> Self {
        let place = Self(Folder::new());
        place.secret("password", "correct horse\n");
        place.secret("new-password", "battery staple");
        place.secret("seed", [7; 32]);
        place
    }

    /// A file for its owner alone.
    fn secret(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.0.write(name, bytes);
        fs::set_permissions(self.0.path(name), Permissions::from_mode(0o600)).expect("it is ours");
    }

    fn run(&self, args: &str) -> Run {
        self.0.run(args)
    }

    fn good(&self, args: &str) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
        run
    }

    fn bad(&self, args: &str, code: i32) -> Run {
        let run = self.run(args);
        run.check_bad(args, code);
        run
    }
}

/// The arguments that make a key with the ledger in `ledger`.
fn making(verb: &str, out: &str, more: &str) -> String {
    format!(
        "key {verb} --role attester --ledger ledger --new-ledger --allow-file-system overlay \
         --password-file password --out keys/{out} --json {more}"
    )
}

/// The arguments that make a key of [`SET`] from the seed.
fn new(out: &str, epochs: &str) -> String {
    making("new", out, &format!("--scheme {SET} --seed-file seed {epochs}"))
}

#[test]
fn one_seed_makes_one_key() {
    let place = Place::new();
    let epochs = "--start 100 --active 40";
    let made = place.good(&new("a.json", epochs)).json();
    assert_eq!(made["scheme"], SET);
    assert_eq!(made["activation"], serde_json::json!({"start": 96, "end": 144}), "rounded");
    assert_eq!((place.0.mode("keys/a.json"), place.0.mode("keys")), (0o600, 0o700));

    let other = place.bad(&new("b.json", "--start 0 --active 32"), 3);
    assert!(other.stderr.contains("same_one_time_keys"), "{}", other.stderr);
    let set = "--scheme xmss-poseidon1-l8-d4b8-test --insecure --seed-file seed --start 96 --active 48";
    let other = place.bad(&making("new", "b.json", set), 3);
    assert!(other.stderr.contains("same_one_time_keys"), "{}", other.stderr);
    assert!(!place.0.exists("keys/b.json"));
    place.bad(&new("a.json", epochs), 2);

    // A crash between ledger and file leaves this; the same command goes on.
    fs::remove_file(place.0.path("keys/a.json")).expect("it is ours");
    let again = place.good(&new("a.json", "--start 96 --active 48"));
    assert!(again.stderr.contains("the ledger knew this key already"), "{}", again.stderr);
    assert_eq!(again.json()["key_id"], made["key_id"]);
}

#[test]
fn inspect_knows_keystores() {
    let place = Place::new();
    let file = |name: &str| vector(&format!("../custody/keystore/{name}"));
    for (name, kind) in [
        ("real-scrypt.json", "keystore of xmss-poseidon1-l32-d46b8"),
        ("version-4-erc2335.json", "keystore of another version"),
        ("cipher-aes-256-ctr.json", "keystore, refused"),
    ] {
        let shown = place.good(&format!("inspect {}", file(name).display()));
        assert!(shown.stdout.contains(kind), "{}", shown.stdout);
        assert!(shown.stdout.contains("\n    next: phalanx key i"), "{}", shown.stdout);
    }
    place.bad(&format!("inspect {}", file("json-cut.json").display()), 2);
}

/// An encrypted PKCS#8 file of OpenSSL.
const ENCRYPTED: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjVoZ7n4v+AsgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPHrnRAnSON24mIFknZCdU0EQNgE
5uMGXdjJC4ZKd0fgG+Ng9hHEzrvn5W0zRteclkV8cFNQz1Hkby1e4WO8eg31Njlf
bv0HlmDHp3J06cxj8BI=
-----END ENCRYPTED PRIVATE KEY-----
";

#[test]
fn encrypted_keys_of_ed25519_are_imported() {
    let place = Place::new();
    place.secret("key.pem", ENCRYPTED);
    place.secret("old-password", "correct horse\n");
    let import =
        "--scheme ed25519 --secret-key key.pem --source-password-file old-password --i-accept-epoch 5";
    let made = place.good(&making("import", "a.json", import)).json();
    assert_eq!(made["public_key"], "0af055805ced71b027ca73f0b2aa4c2813949b4491343ca5ce35a32b26de7fb6");
    place.secret("old-password", "correct horse ");
    place.bad(&making("import", "b.json", import), 3);
}

/// Killed at any time, `key new` leaves no keystore that the ledger does not know, and the same command goes on.
#[test]
fn no_kill_leaves_a_key_that_is_not_registered() {
    let place = Place::new();
    for (i, millis) in [60, 350, 700].into_iter().enumerate() {
        place.secret("seed", [u8::try_from(i).expect("few"); 32]);
        let out = format!("{i}.json");
        let mut child = place.0.start(&new(&out, "--start 0 --active 32"));
        std::thread::sleep(std::time::Duration::from_millis(millis));
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
        let was_written = place.0.exists(&format!("keys/{out}"));
        if was_written {
            fs::remove_file(place.0.path(&format!("keys/{out}"))).expect("it is ours");
        }
        let again = place.good(&new(&out, "--start 0 --active 32"));
        let was_known = again.stderr.contains("the ledger knew this key already");
        assert!(was_known || !was_written, "{millis} ms: written, and not registered");
    }
}

#[test]
fn passwords_open_and_change() {
    let place = Place::new();
    place.good(&new("a.json", "--start 96 --active 48"));
    let shown = place.good("key inspect keys/a.json --json").json();
    assert_eq!((&shown["role"], &shown["use"]), (&"attester".into(), &"signing".into()));
    assert_eq!(shown["problems"], serde_json::json!([]));
    assert!(shown.get("verdict").is_none(), "nothing was opened");

    let changed = "key change-password keys/a.json --password-file password --new-password-fd 0 --kdf scrypt";
    let mut command = place.0.command(changed);
    let input = fs::File::open(place.0.path("new-password")).expect("it is there");
    let changed: Run = command.stdin(Stdio::from(input)).output().expect("the program starts").into();
    assert_eq!(changed.code, Some(0), "{}", changed.stderr);
    let opened = place.good("key inspect keys/a.json --open --password-file new-password --json").json();
    assert_eq!((&opened["verdict"], &opened["signable"]), (&"ok".into(), &"yes".into()));
    assert_eq!(opened["uuid"], shown["uuid"]);
    let wrong = place.bad("key inspect keys/a.json --open --password-file password", 3);
    assert_eq!(wrong.stderr, "phalanx: error: wrong password, or the file is damaged\n");

    let copy = "key export keys/a.json --recovery-only --out vault/a.json";
    let copy = format!("{copy} --password-file new-password --new-password-file password --json");
    assert_eq!(place.good(&copy).json()["use"], "recovery-only");
}

#[test]
fn what_is_not_safe_is_refused() {
    let place = Place::new();
    let file = vector("../custody/keystore/real-argon2id.json");
    fs::create_dir(place.0.path("keys")).expect("the folder is ours");
    fs::copy(file, place.0.path("keys/a.json")).expect("the vector is there");
    let mode = |name: &str, mode| {
        fs::set_permissions(place.0.path(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    let change = "key change-password keys/a.json --password-file password --new-password-file new-password";
    mode("keys/a.json", 0o644);
    place.bad(change, 3);
    let shown = place.good("key inspect keys/a.json --json").json();
    assert_eq!(shown["problems"].as_array().map(Vec::len), Some(1), "{shown}");
    mode("keys/a.json", 0o600);
    place.secret("password", "correct horse battery staple");
    mode("password", 0o640);
    place.bad(change, 3);
    mode("password", 0o600);
    place.secret("new-password", "\n");
    place.bad(change, 2);
    place.secret("new-password", "a new one");
    mode("keys", 0o755);
    place.bad(change, 3);
    mode("keys", 0o700);
    place.good(change);

    place.0.write("keys/.a.json.0123456789abcdef.tmp", "{}");
    let shown = place.good("key inspect keys/a.json");
    assert!(shown.stdout.contains("an unfinished run has left"), "{}", shown.stdout);
    place.0.write("bad.json", "{}");
    place.bad("key inspect bad.json", 2);
    place.bad("key inspect absent.json", 4);
    assert!(place.bad(&new("b.json", "--start 0 --active 300"), 2).stderr.contains("are none of"));
}

#[test]
fn keys_from_elsewhere_come_with_an_answer_for_their_past() {
    let place = Place::new();
    let source = vector("p2-top-l8-d64b8.k2-sparse.sk.ssz");
    let import = format!("--secret-key {} --scheme {SET}", source.display());
    place.bad(&making("import", "a.json", &import), 2);
    let made = place.good(&making("import", "a.json", &format!("{import} --i-accept-epoch 100"))).json();
    assert_eq!(
        (&made["secret"], &made["key_id"]),
        (&"prf-key".into(), &"f682f62c9b94cb8aa8855c78f4f7122c049d840a320852fef74aa1fd71a766f3".into(),)
    );
    let opened = place.good("key inspect keys/a.json --open --password-file password --json").json();
    assert_eq!(opened["verdict"], "ok");

    place.secret("old-password", "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑");
    let source = vector("../custody/keystore/version-4-erc2335.json");
    let import = format!(
        "--eip2335 {} --source-password-file old-password --i-accept-epoch 0 --scheme {SET} --start 0 --active 32",
        source.display()
    );
    assert_eq!(place.good(&making("import", "b.json", &import)).json()["secret"], "seed");
}

#[test]
fn a_key_has_one_authority() {
    let place = Place::new();
    // Made by the plain command, with two signatures.
    let keygen = format!("xmss keygen --scheme {SET} --start 96 --active 48 --seed-file seed --out keys");
    place.good(&keygen);
    place.good(&sign(100, 1, "one.sig"));
    place.good(&sign(101, 1, "two.sig"));
    let epochs = "--start 96 --active 48";
    let refused = place.bad(&new("a.json", epochs), 3);
    assert!(refused.stderr.contains("is not new"), "{}", refused.stderr);
    let import = |from: u32| {
        making(
            "import",
            "a.json",
            &format!("--seed-file seed --scheme {SET} {epochs} --i-accept-epoch {from}"),
        )
    };
    place.bad(&import(101), 2);
    place.good(&sign(102, 1, "three.sig"));
    place.bad(&import(102), 2);
    place.good(&import(103));
    // That ledger has it now: by its own the key signs nothing more, not even again.
    for (epoch, n) in [(110, 1), (101, 2), (101, 1)] {
        let refused = place.bad(&sign(epoch, n, "four.sig"), 3);
        assert!(refused.stderr.contains("kept in another ledger"), "{}", refused.stderr);
    }

    // The other way round.
    place.secret("seed", [8; 32]);
    place.good(&new("b.json", epochs));
    let keygen = format!("xmss keygen --scheme {SET} --seed-file seed --out other");
    place.bad(&format!("{keygen} --start 0 --active 32"), 3);
    place.good(&format!("{keygen} --start 96 --active 48"));
    let sign = sign(110, 1, "five.sig").replace("keys/", "other/");
    place.bad(&sign, 3);
    assert!(!place.0.exists("five.sig"));
}

#[test]
fn keys_over_blake2s_are_made_and_taken_over() {
    const BLAKE2S: &str = "xmss-blake2s-l32-d42b8";
    let place = Place::new();
    let new = |out: &str, epochs: &str| {
        making("new", out, &format!("--scheme {BLAKE2S} --seed-file seed {epochs}"))
    };
    let made = place.good(&new("a.json", "--start 3 --active 300")).json();
    assert_eq!(made["activation"], serde_json::json!({"start": 3, "end": 303}), "nothing is rounded");
    assert_eq!(made["public_key"].as_str().map(str::len), Some(64));
    assert_eq!(
        place.good("key inspect keys/a.json --open --password-file password --json").json()["verdict"],
        "ok"
    );
    let second = place.bad(&new("b.json", "--start 3 --active 301"), 3);
    assert!(second.stderr.contains("same_one_time_keys"), "{}", second.stderr);

    place.secret("seed", [9; 32]);
    let keygen =
        format!("xmss keygen --scheme {BLAKE2S} --seed-file seed --start 0 --active 300 --out plain");
    place.good(&keygen);
    let sign = |epoch: u64, n: u8| {
        sign(epoch, n, "a.sig").replace("keys/", "plain/").replace(SET, BLAKE2S) + " --force"
    };
    place.good(&sign(7, 1));
    let import = |from: u64| {
        let source = format!("--secret-key plain/secret-key.ssz --scheme {BLAKE2S} --i-accept-epoch {from}");
        making("import", "c.json", &source)
    };
    place.bad(&import(7), 2);
    let taken = place.good(&import(8)).json();
    assert_eq!(taken["secret"], "seed");
    assert_eq!(taken["activation"], serde_json::json!({"start": 0, "end": 300}));
    let refused = place.bad(&sign(8, 1), 3);
    assert!(refused.stderr.contains("kept in another ledger"), "{}", refused.stderr);
}

#[test]
fn keys_are_derived_and_retired() {
    let place = Place::new();
    place.secret("master", "11".repeat(32));
    let derive = |index: u32, out: &str| {
        let epochs = format!("--scheme {SET} --start 0 --active 32");
        making("derive", out, &format!("--master-file master --index {index} {epochs}"))
    };
    let keys = [place.good(&derive(0, "0.json")).json(), place.good(&derive(1, "1.json")).json()];
    assert_ne!(keys[0]["key_id"], keys[1]["key_id"]);
    let retire = "key retire keys/0.json --ledger ledger --allow-file-system overlay --reason left";
    assert!(place.good(retire).stdout.contains("is retired"));

    let ed25519 = making("new", "c.json", "--scheme ed25519 --seed-file seed");
    let made = place.good(&ed25519).json();
    assert_eq!(made["public_key"].as_str().map(str::len), Some(64));
    place.bad(&making("new", "d.json", "--scheme ed25519 --start 0 --active 1"), 2);
    let no_ledger =
        "key new --scheme ed25519 --role consensus --ledger none --password-file password --out keys/e.json";
    assert!(place.bad(no_ledger, 3).stderr.contains("--new-ledger"));
}

/// Keys of one master have no files of their own: the ledger knows them, and their trees are beside the master.
#[test]
fn a_master_makes_many_keys() {
    let place = Place::new();
    place.good("key new-master --out keys/master.json --password-file password");
    assert_eq!(place.0.mode("keys/master.json"), 0o600);
    let derive = |more: &str| {
        format!(
            "key derive --master-file keys/master.json --scheme {SET} --start 0 --active 32 --role attester --ledger ledger \
             --new-ledger --allow-file-system overlay --json {more}"
        )
    };
    let made = place.good(&derive("--password-file password --index 3 --count 2")).json();
    let ids: Vec<_> =
        made["keys"].as_array().expect("a list").iter().map(|key| key["key_id"].to_string()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{made}");
    let status = place.good("ledger status --ledger ledger --allow-file-system overlay --json").stdout;
    assert!(ids.iter().all(|id| status.contains(id.trim_matches('"'))), "{status}");
    let trees = format!("keys/master.json.{SET}.attester.0.32.4.trees");
    assert!(place.0.exists(&trees));
    let shown = &place.good(&format!("inspect {trees} --json")).json()["files"][0];
    let reading = &shown["readings"][0];
    assert_eq!(
        (reading["kind"].as_str(), &shown["problems"]),
        (Some("trees of a keystore"), &serde_json::json!([]))
    );
    assert!(ids.contains(&reading["details"]["key id"].to_string()), "{shown}");
    assert_eq!(reading["next"], format!("phalanx key inspect --open {}", trees.trim_end_matches(".trees")));
    let refused = place.bad(&derive("--password-file new-password --index 5"), 3);
    assert!(refused.stderr.contains("wrong password"), "{}", refused.stderr);
    place.bad(&derive("--password-file password --index 5 --out keys/5.json"), 2);
    place.bad("key inspect keys/master.json", 2);
}

/// All keys of a client's manifest come in with one password, or none of them.
#[test]
fn the_keys_of_a_manifest_are_imported() {
    let place = Place::new();
    let read = |name: &str| fs::read(vector(name)).expect("a vector");
    fs::create_dir_all(place.0.path("genesis/hash-sig-keys")).expect("a new folder");
    place.secret("genesis/a.ssz", read("p2-top-l8-d64b8.k0.sk.ssz"));
    place.secret("genesis/hash-sig-keys/b.ssz", read("p2-top-l8-d64b8.k2-sparse.sk.ssz"));
    let [attester, proposer] =
        ["k0", "k2-sparse"].map(|key| hex::encode(read(&format!("p2-top-l8-d64b8.{key}.pk.ssz"))));
    let manifest = |proposer: &str, file: &str| {
        format!(
            "num_validators: 1\nvalidators:\n  - index: 0\n    attester_key_pubkey_hex: 0x{attester}\n    \
             attester_key_privkey_file: a.ssz\n    proposer_key_pubkey_hex: 0x{proposer}\n    \
             proposer_key_privkey_file: {file}\n"
        )
    };
    let import = format!(
        "key import --role other --ledger ledger --new-ledger --allow-file-system overlay --password-file password \
         --out keys --json --scheme {SET} --manifest genesis/manifest.yaml --i-accept-epoch 100"
    );
    for (proposer, file, code, why) in [
        (&"11".repeat(52), "b.ssz", 2, "is not that of the public key"),
        (&proposer, "../genesis/hash-sig-keys/b.ssz", 2, "not named by a file beside it"),
        (&proposer, "c.ssz", 2, "there is no file"),
        (&attester, "b.ssz", 2, "has the public key of"),
    ] {
        place.0.write("genesis/manifest.yaml", manifest(proposer, file));
        let refused = place.bad(&import, code);
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
        assert!(!place.0.exists("keys"), "nothing is written");
    }
    // Two keys of one seed have two public keys, and the same one-time keys.
    let of_seed = |file: &str, epochs| {
        let key = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[9; 32], epochs).expect("a key");
        place.secret(&format!("genesis/{file}"), key.to_bytes(Format::Ssz));
        hex::encode(key.verifying_key().to_bytes(Format::Ssz))
    };
    let keys = [of_seed("c.ssz", 0..32), of_seed("d.ssz", 0..64)];
    let text = manifest(&keys[1], "d.ssz").replace("a.ssz", "c.ssz").replace(&attester, &keys[0]);
    place.0.write("genesis/manifest.yaml", text);
    let refused = place.bad(&import, 3);
    assert!(refused.stderr.contains("same_one_time_keys"), "{}", refused.stderr);
    assert!(!place.0.exists("keys"), "nothing is written");

    place.0.write("genesis/manifest.yaml", manifest(&proposer, "b.ssz"));
    let made = place.good(&import).json();
    let status = place.good("ledger status --ledger ledger --allow-file-system overlay --json").json();
    for key in status["keys"].as_array().expect("a list") {
        let [start, end, low] = ["start", "end", "low_watermark"].map(|name| key[name].as_u64());
        assert_eq!(low, Some(100).max(start).min(end), "what may have been signed is closed: {key}");
    }
    assert_eq!(status["keys"].as_array().map(Vec::len), Some(2));
    for (number, (role, public_key)) in
        [("attester", attester), ("proposer", proposer)].into_iter().enumerate()
    {
        let made = &made["keystores"][number];
        assert_eq!((made["role"].as_str(), made["public_key"].as_str()), (Some(role), Some(&*public_key)));
    }
    assert!(place.0.exists("keys/a.json") && place.0.exists("keys/b.json"));
}
