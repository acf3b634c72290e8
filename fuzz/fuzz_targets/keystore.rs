//! Any bytes, as a keystore, and as JSON: no panic. What is read as JSON has one canonical form, which reads back as
//! itself; what is a keystore opens with the usual password to the secret of its public key, or not at all.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::json::{self, Limits};
use phalanx_custody::keystore::{Keystore, Password, Policy};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = json::parse(bytes, Limits::KEYSTORE) {
        let canonical = value.canonical();
        let again = json::parse(canonical.as_bytes(), Limits { bytes: usize::MAX, depth: 32 });
        assert_eq!(again.map(|value| value.canonical()), Ok(canonical));
        let pretty = json::parse(value.pretty().as_bytes(), Limits { bytes: usize::MAX, depth: 32 });
        assert_eq!(pretty, Ok(value));
    }
    let Ok(keystore) = Keystore::parse(bytes) else { return };
    // A real derivation takes a second: those of the seeds are cheap.
    let is_cheap = ["\"m\": 64,", "\"c\": 10,"]
        .iter()
        .any(|cost| bytes.windows(cost.len()).any(|window| window == cost.as_bytes()));
    if is_cheap && keystore.has_weak_kdf() && bytes.len() < 1 << 13 {
        let password = Password::from_bytes(b"correct horse battery staple").expect("UTF-8");
        if let Ok(key) = keystore.open(&password, Policy { accept_weak_kdf: true }) {
            assert_eq!(key.header(), keystore.header());
        }
    }
});
