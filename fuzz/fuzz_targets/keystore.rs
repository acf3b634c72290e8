//! Any bytes, as a keystore, as the keystore of a master, and as JSON: no panic. What is read as JSON has one canonical form,
//! which reads back as itself; what is a keystore opens with the usual password to the secret of its public key, or not at
//! all; what is a master's is no key's, and opens to what derives the same keys when it is written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::json::{self, Limits};
use phalanx_custody::keystore::{
    Child, Derivation, Keystore, Master, MasterKeystore, Password, Policy, Role, Scheme, SealedMaster,
};

/// The vectors' keystores are cheap to open.
const ACCEPT: Policy = Policy { accept_weak_kdf: true };

fuzz_target!(|bytes: &[u8]| {
    of_json(bytes);
    of_key(bytes);
    of_master(bytes);
});

fn of_json(bytes: &[u8]) {
    let Ok(value) = json::parse(bytes, Limits::KEYSTORE) else { return };
    let canonical = value.canonical();
    let again = json::parse(canonical.as_bytes(), Limits { bytes: usize::MAX, depth: 32 });
    assert_eq!(again.map(|value| value.canonical()), Ok(canonical));
    let pretty = json::parse(value.pretty().as_bytes(), Limits { bytes: usize::MAX, depth: 32 });
    assert_eq!(pretty, Ok(value));
}

/// A real derivation takes a second: those of the seeds are cheap.
fn is_cheap(bytes: &[u8]) -> bool {
    let costs = ["\"m\": 64,", "\"c\": 10,"];
    let says = |cost: &&str| bytes.windows(cost.len()).any(|window| window == cost.as_bytes());
    bytes.len() < 1 << 13 && costs.iter().any(says)
}

fn password() -> Password {
    Password::from_bytes(b"correct horse battery staple").expect("UTF-8")
}

fn of_key(bytes: &[u8]) {
    let Ok(keystore) = Keystore::parse(bytes) else { return };
    if keystore.has_weak_kdf()
        && is_cheap(bytes)
        && let Ok(key) = keystore.open(&password(), ACCEPT)
    {
        assert_eq!(key.header(), keystore.header());
    }
}

fn of_master(bytes: &[u8]) {
    let Ok(keystore) = MasterKeystore::parse(bytes) else { return };
    assert!(Keystore::parse(bytes).is_err(), "a key's and a master's");
    if !keystore.has_weak_kdf() || !is_cheap(bytes) {
        return;
    }
    let Ok(master) = keystore.open(&password(), ACCEPT) else { return };
    let seed = |master: &Master, index| {
        let child = Child { scheme: Scheme::Ed25519, role: Role::Consensus, interval: None, index };
        master.secret(&child).expose().to_vec()
    };
    assert_ne!(seed(&master, 0), seed(&master, 1));
    let sealed = SealedMaster::new(&master, "", &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    let again = MasterKeystore::parse(sealed.as_bytes()).and_then(|file| file.open(&password(), ACCEPT));
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(seed(&again, 0), seed(&master, 0));
}
