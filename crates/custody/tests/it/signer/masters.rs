//! Many keys from one master: one password opens them.

use super::{ALL, Place, SET, ask, password};
use phalanx_custody::EpochKey;
use phalanx_custody::keystore::{Child, Derivation, Master, Role, Scheme, SealedMaster, file};
use phalanx_custody::ledger::{strict, xmss_instance};
use phalanx_xmss::Inline;
use phalanx_xmss::any::SigningKey;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

const KEYS: u64 = 3;

/// Has the ledger keep the first `count` keys of a master; their public keys in hexadecimal.
fn register(place: &Place, master: &Master, count: u64) -> Vec<String> {
    let ledger = place.ledger();
    let one = |index| {
        let scheme = Scheme::KoalaBear(SET);
        let child = Child { scheme, role: Role::Attester, interval: Some(0..32), index };
        let set = scheme.parameter_set().expect("a set");
        let begun = master.secret(&child).key_generation(set, 0..32).expect("the epochs fit");
        let key = begun.run_on(&Inline).expect("nobody stops it");
        let public_key = SigningKey::public_key(&key.verifying_key());
        place.register(&ledger, &strict(xmss_instance(&key, "attester")), &public_key);
        hex::encode(public_key)
    };
    (0..count).map(one).collect()
}

/// The configuration of `count` keys; `more` are derived before them.
fn configure(place: &Place, more: &str, count: u64) {
    let derived =
        format!("{{ scheme = \"{SET}\", role = \"attester\", start = 0, active = 32, count = {count} }}");
    let master = format!(
        "[[keystores]]\npath = \"master.json\"\npassword_file = \"password\"\naccept_weak_kdf = true\n\
         derived = [{more}{derived}]\n"
    );
    place.configure("auth = \"none\"", "", &format!("{master}{ALL}"));
}

#[test]
fn one_password_opens_all_keys_of_a_master() {
    let (place, master) = (Place::new(&[], 0..32), Master::generate().expect("randomness"));
    let keys = register(&place, &master, KEYS);
    let sealed = SealedMaster::new(&master, "", &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    let file = place.folder.join("master.json");
    file::create_master(&file, &sealed).expect("a new file");
    configure(&place, "", KEYS);
    let running = place.start();
    let client = running.client();
    let sign = |key: &str, epoch, message| client.post(&format!("/sign/{key}"), &ask(epoch, message)).status;
    for key in &keys {
        assert_eq!((sign(key, 1, 1), sign(key, 1, 2)), (200, 412));
    }
    let trees = |index| place.folder.join(&format!("master.json.{SET}.attester.0.32.{index}.trees"));
    assert!((0..KEYS).all(|index| trees(index).exists()), "the next start computes nothing");

    // All are served: the master is not needed again, and its file not looked at.
    let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("it is ours");
    mode(0o644);
    let failed = || client.post("/reload", "").json()["failed"].clone();
    assert_eq!(failed(), serde_json::json!([]));
    // One more is: that the master cannot be had is said once, and those that are served stay.
    configure(
        &place,
        &format!("{{ scheme = \"{SET}\", role = \"proposer\", start = 0, active = 32, count = 1 }}, "),
        KEYS,
    );
    assert_eq!(failed(), serde_json::json!([{"file": "master.json", "code": "insecure_file"}]));
    assert!(keys.iter().all(|key| sign(key, 2, 1) == 200));
    // A key that the ledger does not know is not served.
    mode(0o600);
    let unknown = format!("master.json.{SET}.proposer.0.32.0");
    assert_eq!(failed(), serde_json::json!([{"file": unknown, "code": "no_state"}]));
    assert!(keys.iter().all(|key| sign(key, 3, 1) == 200));
    running.signer.stop();
}

/// The most memory that this process has had since it was last asked, in MiB.
#[cfg(target_os = "linux")]
fn most_memory_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux says it");
    fs::write("/proc/self/clear_refs", "5").expect("it is ours");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

/// An operator of many keys waits for one password, not for 500: in time, and in memory, of which a derivation takes
/// 256 MiB.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "500 keys, and real derivations: a minute"]
fn five_hundred_keys_open_with_one_derivation() {
    const MANY: u64 = 500;
    let (place, master) = (Place::new(&[], 0..32), Master::generate().expect("randomness"));
    let keys = register(&place, &master, MANY);
    let begun = Instant::now();
    let sealed = SealedMaster::new(&master, "", &password(), Derivation::ARGON2ID).expect("it fits");
    let derivation = begun.elapsed();
    file::create_master(&place.folder.join("master.json"), &sealed).expect("a new file");
    configure(&place, "", MANY);
    // The first start computes the trees, the second reads them.
    for what in ["computed", "read"] {
        let before = most_memory_mib().min(most_memory_mib());
        let begun = Instant::now();
        let running = place.start();
        let (took, most) = (begun.elapsed(), most_memory_mib());
        eprintln!(
            "{MANY} keys, trees {what}: {took:.2?}, where one derivation takes {derivation:.2?}; {before} MiB became {most}"
        );
        // Not the 500 of as many files; in a build for tests, trees take long.
        assert!(took < 100 * derivation, "{took:?}");
        assert!(most < before + 256 + 64, "{before} MiB became {most}");
        let client = running.client();
        assert_eq!(client.get("/keys").json()["keys"].as_array().map(Vec::len), Some(keys.len()));
        for key in [&keys[0], &keys[keys.len() - 1]] {
            assert_eq!(client.post(&format!("/sign/{key}"), &ask(1, 1)).status, 200);
        }
        running.signer.stop();
    }
}
