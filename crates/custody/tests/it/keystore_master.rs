//! Keystores of masters: what they hold comes back, nothing passes for one, and the keys that are derived are themselves.

use crate::keystore_files::Folder;
use crate::keystore_writing::{ACCEPT, CHEAP, password};
use phalanx_custody::EpochKey;
use phalanx_custody::identity::{Derivation, derive_seed};
use phalanx_custody::json::{self, Limits, Value};
use phalanx_custody::keystore::file::{self, Access, FileError};
use phalanx_custody::keystore::{
    Child, Error, Keystore, Master, MasterKeystore, Policy, Role, Scheme, SealedMaster, Verdict,
};
use phalanx_xmss::any::SigningKey;
use phalanx_xmss::{Inline, ParameterSet};

const SET: ParameterSet = ParameterSet::POSEIDON2_L8_D64B8;

fn child(index: u64) -> Child {
    Child { scheme: Scheme::KoalaBear(SET), role: Role::Attester, interval: Some(96..144), index }
}

fn sealed() -> SealedMaster {
    let master = Master::from_bytes(&[0x3c; 32]);
    SealedMaster::new(&master, "all of them", &password("p"), CHEAP).expect("it fits")
}

fn opened(bytes: &[u8], text: &str) -> Result<Master, Error> {
    MasterKeystore::parse(bytes)?.open(&password(text), ACCEPT)
}

#[test]
fn seeds_are_derived_from_what_comes_back() {
    let folder = Folder::new();
    let path = folder.path("master.json");
    file::create_master(&path, &sealed()).expect("the folder is ours");
    let keystore = file::read_master(&path, Access::default()).unwrap_or_else(|error| panic!("{error}"));
    let Err(weak) = keystore.open(&password("p"), Policy::default()) else { panic!("it is weak") };
    assert_eq!(weak.verdict(), Some(Verdict::WeakKdf));
    let master = keystore.open(&password("p"), ACCEPT).unwrap_or_else(|error| panic!("{error}"));
    let what = Derivation { scheme: SET.name(), role: "attester", start: 96, count: 48, index: 7 };
    assert_eq!(master.secret(&child(7)).expose(), &derive_seed(&[0x3c; 32], &what)[..]);
    assert_eq!(child(7).name(), format!("{SET}.attester.96.48.7"));
    let again = file::create_master(&path, &sealed());
    assert!(matches!(again, Err(FileError::Exists { .. })), "nothing is replaced");
}

#[test]
fn derived_keys_are_those_of_their_public_keys() {
    let master = Master::generate().expect("randomness");
    let public_key = |child: &Child| {
        let set = child.scheme.parameter_set().expect("a set");
        let begun = master.secret(child).key_generation(set, 96..144).expect("the epochs fit");
        SigningKey::public_key(&begun.run_on(&Inline).expect("nobody stops it").verifying_key())
    };
    let public_key = public_key(&child(1));
    let open = master.open(&child(1), &public_key).unwrap_or_else(|error| panic!("{error}"));
    let key = open.signing_key_on(&Inline, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((key.activation_interval(), open.verdict()), (96..144, "ok"));
    let verdict = |child: &Child, public_key: &[u8]| {
        let opened = master.open(child, public_key).and_then(|open| open.signing_key_on(&Inline, None));
        opened.err().and_then(|error| error.verdict())
    };
    assert_eq!(verdict(&child(2), &public_key), Some(Verdict::KeyMismatch), "another key's");
    assert_eq!(verdict(&child(1), &public_key[..51]), Some(Verdict::KeyMismatch), "too short");
    let mut other_root = public_key;
    other_root[0] ^= 1;
    assert_eq!(verdict(&child(1), &other_root), Some(Verdict::KeyMismatch), "found when it is computed");
}

#[test]
fn only_what_was_written_is_read() {
    let file = sealed();
    let verdict = |bytes: &[u8], text| opened(bytes, text).err().and_then(|error| error.verdict());
    assert_eq!(verdict(file.as_bytes(), "p"), None);
    assert_eq!(verdict(file.as_bytes(), "q"), Some(Verdict::WrongPassword));
    // A master is no key, and a key no master.
    let as_key = Keystore::parse(file.as_bytes()).err().and_then(|error| error.verdict());
    assert_eq!(as_key, Some(Verdict::UnsupportedScheme));
    let key = crate::keystore_writing::sealed(1, 0..32, "p");
    assert_eq!(verdict(key.as_bytes(), "p"), Some(Verdict::UnsupportedScheme));

    let edited = |act: &dyn Fn(&mut Value)| {
        let mut document = json::parse(file.as_bytes(), Limits::KEYSTORE).expect("we wrote it");
        act(&mut document);
        document.pretty().into_bytes()
    };
    let in_extension = |act: &dyn Fn(&mut json::Object)| {
        edited(&|document| {
            let members = document.as_object_mut().and_then(|members| members.get_mut("phalanx"));
            act(members.and_then(Value::as_object_mut).expect("it is there"));
        })
    };
    let described = edited(&|document| {
        document.as_object_mut().expect("an object").set("description", Value::text("others"));
    });
    assert_eq!(verdict(&described, "p"), Some(Verdict::HeaderChanged));
    let unbound = in_extension(&|members| drop(members.remove("binding")));
    assert_eq!(verdict(&unbound, "p"), Some(Verdict::Malformed));
    let other_role = in_extension(&|members| members.set("role", Value::text("attester")));
    assert_eq!(verdict(&other_role, "p"), Some(Verdict::HeaderChanged));
    for len in 0..file.as_bytes().len() - 1 {
        assert!(MasterKeystore::parse(&file.as_bytes()[..len]).is_err(), "cut after {len} bytes");
    }
}
