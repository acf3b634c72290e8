//! Any bytes, as a file of an import: EIP-3076, our own, an old record. No panic; an import only takes away.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::identity::KeyId;
use phalanx_custody::json::{self, Limits, Value};
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::interchange::{Chain, Import, import_eip3076, import_own, read_own};
use phalanx_custody::ledger::migration::read_record;
use phalanx_custody::ledger::record::{KeyInstance, KeyState, Mode, Ordering, Place, Record};
use sha2::{Digest, Sha256};

/// The set of the one key.
const SCHEME: &str = "xmss-poseidon2-l8-d64b8";
/// An epoch that is used before the import.
const USED: u64 = 40;

fuzz_target!(|bytes: &[u8]| {
    let (accounts, chain) = known();
    if let Ok(import) = import_eip3076(&accounts, &chain, bytes) {
        check(&accounts, &import);
    }
    for file in [Some(bytes.to_vec()), with_checksum(bytes)].into_iter().flatten() {
        let Ok(file) = read_own(&file) else { continue };
        for accounts in [&accounts, &Accounts::default()] {
            if let Ok(import) = import_own(accounts, &file) {
                check(accounts, &import);
            }
        }
    }
    let public_key = [1; 52];
    let header = format!("phalanx-epochs v1 {SCHEME} {}\n", hex::encode(Sha256::digest(public_key)));
    let with_header = [header.as_bytes(), bytes].concat();
    for bytes in [bytes, &with_header] {
        if let Ok(record) = read_record(bytes, SCHEME, &public_key, 256) {
            assert!(record.entries.keys().all(|&epoch| epoch < 256));
            assert!(record.compromised.iter().all(|epoch| record.entries[epoch].is_none()));
        }
    }
});

/// A ledger with one key, as the seeds name it, that has signed once.
fn known() -> (Accounts, Chain) {
    let key_id = KeyId::from_hex(&"11".repeat(32)).expect("64 digits");
    let instance = KeyInstance {
        key_id,
        scheme: SCHEME.to_owned(),
        role: "attester".to_owned(),
        mode: Mode::Synchronized,
        ordering: Ordering::Any,
        start: 32,
        end: 256,
        implementation: "leansig-prf-1".to_owned(),
        one_time_key_id: None,
    };
    let mut accounts = Accounts::default();
    let digest = Some([7; 32]);
    for record in [Record::Key(instance), Record::Entry { key: key_id, place: Place::epoch(USED), digest }] {
        accounts.apply(&record).expect("a new key");
    }
    let mut chain = Chain { genesis_validators_root: Some([0; 32]), ..Chain::default() };
    chain.public_keys.insert(key_id, vec![0x11; 52]);
    (accounts, chain)
}

/// The same file with the checksum that it should have, so that more than the checksum is looked at.
fn with_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut file = json::parse(bytes, Limits { bytes: 1 << 20, depth: 16 }).ok()?;
    file.as_object_mut()?.remove("sha256");
    let checksum = hex::encode(Sha256::digest(file.canonical()));
    file.as_object_mut()?.set("sha256", Value::text(checksum));
    Some(file.canonical().into_bytes())
}

/// What stood before the import stands after it, or is closed; watermarks have not fallen.
fn check(before: &Accounts, import: &Import) {
    let mut after = before.clone();
    for record in &import.records {
        assert_eq!(Record::parse(&record.to_string()).as_ref(), Some(record), "it can be a line");
        after.apply(record).expect("an import can be applied");
    }
    for old in before.iter() {
        let new = after.get(&old.instance.key_id).expect("no key goes");
        assert!(new.instance.start == old.instance.start && new.instance.end == old.instance.end);
        assert!(new.low >= old.low && new.highest >= old.highest);
        assert!(old.state != KeyState::Retired || new.state == KeyState::Retired);
        for (place, digest) in &old.entries {
            let now = new.entries.get(place).expect("nothing used becomes unused");
            assert!(now == digest || now.is_none());
        }
    }
}
