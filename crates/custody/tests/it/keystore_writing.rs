//! Keystores that we write: what they hold comes back, and what binds them holds.

use phalanx_custody::json::{self, Limits, Value};
use phalanx_custody::keystore::{
    Derivation, Error, IndexMode, KeySecret, Keystore, NewKey, OpenKey, Password, Policy, Role, Scheme,
    SealedFile, SecretKind, Signable, Use, Verdict,
};
use phalanx_xmss::{Format, Inline, ParameterSet, SigningKey};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

pub(crate) const CHEAP: Derivation = Derivation::WEAK_FOR_TESTS;
pub(crate) const ACCEPT: Policy = Policy { accept_weak_kdf: true };
const SET: ParameterSet = ParameterSet::POSEIDON2_L8_D64B8;

pub(crate) fn password(text: &str) -> Password {
    Password::from_bytes(text.as_bytes()).expect("UTF-8")
}

/// A keystore of the key that `seed` gives for `epochs`.
pub(crate) fn sealed(seed: u8, epochs: Range<u64>, text: &str) -> SealedFile {
    let key = SigningKey::from_seed(SET, &[seed; 32], epochs).expect("the epochs fit");
    let secret = KeySecret::from_seed(&[seed; 32]);
    seal(&key, &secret, text).expect("the parts belong together")
}

fn seal(key: &SigningKey, secret: &KeySecret, text: &str) -> Result<SealedFile, Error> {
    let new = NewKey::of_xmss_key(key, secret, Role::Proposer, "Schlüssel \"1\"")?;
    SealedFile::new(&new, &password(text), CHEAP)
}

/// A consensus key of Ed25519.
pub(crate) fn ed25519_key<'a>(secret: &'a KeySecret, public_key: &[u8; 32]) -> NewKey<'a> {
    NewKey {
        scheme: Scheme::Ed25519,
        interval: None,
        index_mode: IndexMode::Counter,
        role: Role::Consensus,
        usage: Use::Signing,
        description: "",
        secret,
        public_key: public_key.to_vec().into(),
    }
}

fn parse(bytes: &[u8]) -> Keystore {
    Keystore::parse(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn open(bytes: &[u8], text: &str) -> OpenKey {
    parse(bytes).open(&password(text), ACCEPT).unwrap_or_else(|error| panic!("{error}"))
}

fn verdict(bytes: &[u8], text: &str) -> Option<Verdict> {
    Keystore::parse(bytes).and_then(|keystore| keystore.open(&password(text), ACCEPT)).err()?.verdict()
}

/// The document, changed by `act`.
fn edited(file: &SealedFile, act: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut document = json::parse(file.as_bytes(), Limits::KEYSTORE).expect("we wrote it");
    act(&mut document);
    document.pretty().into_bytes()
}

/// Takes away the member that `path` leads to.
fn remove(document: &mut Value, path: &[&str]) {
    let (name, folders) = path.split_last().expect("a path has an end");
    let member = |value, folder: &&str| Value::as_object_mut(value)?.get_mut(folder);
    let parent = folders.iter().try_fold(document, member).expect("the members are there");
    assert!(parent.as_object_mut().expect("an object").remove(name).is_some(), "{path:?}");
}

/// Gives the member that `path` leads to another value.
fn set(document: &mut Value, path: &[&str], to: Value) {
    let member = |value, name: &&str| Value::as_object_mut(value)?.get_mut(name);
    *path.iter().try_fold(document, member).expect("the members are there") = to;
}

#[test]
fn what_is_written_comes_back() {
    let file = sealed(1, 96..144, "old");
    let key = open(file.as_bytes(), "old");
    let header = key.header();
    assert_eq!(key.secret().expose(), [1; 32]);
    assert_eq!((header.start, header.count), (Some(96), Some(48)));
    assert_eq!((header.role, header.usage), (Some(Role::Proposer), Use::Signing));
    assert_eq!(header.description, "Schlüssel \"1\"");
    assert_eq!((key.signable(), key.verdict()), (Signable::Yes, "ok"));
    assert_eq!(verdict(file.as_bytes(), "other"), Some(Verdict::WrongPassword));
    let computed = key.signing_key_on(&Inline, None).expect("the public key is that of the seed");
    assert_eq!(computed.activation_interval(), 96..144);
    // Two files of one key have names, salts and nonces of their own.
    let again = sealed(1, 96..144, "old");
    assert_ne!(again.header().uuid, header.uuid);
    assert_eq!(again.header().key_id, header.key_id);
}

#[test]
fn the_default_derivation_is_not_weak() {
    let key = SigningKey::from_seed(SET, &[9; 32], 0..32).expect("the epochs fit");
    let secret = KeySecret::from_seed(&[9; 32]);
    let mut new = NewKey::of_xmss_key(&key, &secret, Role::Builder, "").expect("the secret is the key's");
    new.index_mode = IndexMode::Counter;
    let file =
        SealedFile::new(&new, &password("p"), Derivation::default()).expect("the parts belong together");
    let key = parse(file.as_bytes()).open(&password("p"), Policy::default());
    let key = key.unwrap_or_else(|error| panic!("{error}"));
    assert!(!key.has_weak_kdf());
    assert_eq!(key.header().index_mode, Some(IndexMode::Counter));
}

#[test]
fn ed25519_keys_come_back() {
    let secret = KeySecret::from_seed(&[5; 32]);
    let public_key = phalanx_ed25519::SigningKey::from_seed(&[5; 32]).verifying_key().to_bytes();
    let new = ed25519_key(&secret, &public_key);
    let file = SealedFile::new(&new, &password("p"), CHEAP).expect("the parts belong together");
    let key = open(file.as_bytes(), "p");
    assert_eq!(key.header().scheme, Scheme::Ed25519);
    assert_eq!(key.one_time_key_id(), None);
    assert_eq!(key.ed25519_key().expect("it is one").verifying_key().to_bytes(), public_key);
    assert!(key.signing_key_on(&Inline, None).is_err());
}

#[test]
fn parts_that_do_not_belong_together_are_not_written() {
    let key = SigningKey::from_seed(SET, &[1; 32], 0..32).expect("the epochs fit");
    let early = |secret| NewKey::of_xmss_key(&key, secret, Role::Other, "").err().and_then(Error::verdict);
    let others = KeySecret::from_seed(&[2; 32]);
    assert_eq!(early(&others), Some(Verdict::KeyMismatch), "before a password is derived");
    let refused = |secret: &KeySecret| seal(&key, secret, "p").err().and_then(Error::verdict);
    let other = SigningKey::from_seed(SET, &[1; 32], 96..144).expect("the epochs fit");
    let wrong_length = refused(&KeySecret::from_signing_key(&other));
    assert_eq!(wrong_length, Some(Verdict::WrongSecretLength));
    let empty = seal(&key, &KeySecret::from_seed(&[1; 32]), "\n").err();
    assert_eq!(empty, Some(Error::PasswordEmpty));
}

#[test]
fn every_bound_member_is_bound() {
    let file = sealed(1, 0..32, "p");
    let changed = |path: &[&str], to: Value| verdict(&edited(&file, |document| set(document, path, to)), "p");
    let header = Some(Verdict::HeaderChanged);
    assert_eq!(changed(&["description"], Value::text("")), header);
    assert_eq!(changed(&["path"], Value::text("m")), header);
    assert_eq!(changed(&["uuid"], Value::text("00000000-0000-0000-0000-000000000000")), header);
    assert_eq!(changed(&["phalanx", "role"], Value::text("attester")), header);
    assert_eq!(changed(&["phalanx", "use"], Value::text("recovery-only")), header);
    assert_eq!(changed(&["scheme", "params", "num_active_epochs"], Value::Integer(48)), header);
    assert_eq!(changed(&["scheme", "params", "activation_epoch"], Value::Integer(16)), header);
    assert_eq!(changed(&["crypto", "kdf", "message"], Value::text("00")), header);
    for (name, value) in
        [("other", Value::Null), ("more", Value::Bool(true)), ("é\u{10000}", Value::List(vec![]))]
    {
        let added = edited(&file, |document| document.as_object_mut().expect("an object").set(name, value));
        assert_eq!(verdict(&added, "p"), header, "{name}");
    }
    // The snapshot of the state is not bound, and means nothing.
    assert_eq!(changed(&["state", "high_water"], Value::Integer(7)), None);
    // Nor are form and order of the members.
    let mut shuffled = edited(&file, |document| {
        let object = document.as_object_mut().expect("an object");
        let first = object.remove("crypto").expect("it is there");
        object.set("crypto", first);
    });
    shuffled.retain(|byte| *byte != b'\n');
    assert_eq!(verdict(&shuffled, "p"), None);
}

#[test]
fn a_changed_password_keeps_the_key_and_its_name() {
    let old = sealed(1, 96..144, "old");
    let change = |from: &[u8], new: &str| {
        SealedFile::with_password(&parse(from), &password("old"), ACCEPT, &password(new), CHEAP)
    };
    let new = change(old.as_bytes(), "new").expect("the password is right");
    assert_eq!(new.header(), old.header());
    assert_eq!(verdict(new.as_bytes(), "old"), Some(Verdict::WrongPassword));
    assert_eq!(open(new.as_bytes(), "new").secret().expose(), [1; 32]);
    let salts = [&old, &new].map(|file| {
        let document = json::parse(file.as_bytes(), Limits::KEYSTORE).expect("we wrote it");
        let crypto = document.as_object().and_then(|members| members.get("crypto")).cloned();
        crypto.expect("it is there").canonical()
    });
    assert_ne!(salts[0], salts[1]);
    assert_eq!(change(old.as_bytes(), "").err(), Some(Error::PasswordEmpty));
    let wrong =
        SealedFile::with_password(&parse(new.as_bytes()), &password("old"), ACCEPT, &password("x"), CHEAP);
    assert_eq!(wrong.err().and_then(Error::verdict), Some(Verdict::WrongPassword));
}

#[test]
fn what_nothing_binds_is_never_bound_by_us() {
    // An attacker takes the binding away and lets the key sign for another role; the owner then changes the password.
    let file = sealed(1, 0..32, "old");
    let stripped = edited(&file, |document| {
        remove(document, &["phalanx", "binding"]);
        set(document, &["phalanx", "role"], Value::text("attester"));
    });
    assert_eq!(open(&stripped, "old").verdict(), "ok_unbound");
    let keystore = parse(&stripped);
    let new = SealedFile::with_password(&keystore, &password("old"), ACCEPT, &password("new"), CHEAP);
    let new = new.expect("the password is right");
    let key = open(new.as_bytes(), "new");
    assert_eq!((key.verdict(), key.signable()), ("ok_unbound", Signable::AfterRootCheck));
    let copy = SealedFile::recovery_only(&keystore, &password("old"), ACCEPT, &password("new"), CHEAP);
    assert_eq!(copy.err(), Some(Error::Unbound));
}

#[test]
fn another_interval_is_found_by_the_root_alone() {
    let file = sealed(1, 96..144, "p");
    let moved = edited(&file, |document| {
        remove(document, &["phalanx"]);
        set(document, &["scheme", "params", "activation_epoch"], Value::Integer(80));
    });
    let key = open(&moved, "p");
    assert_eq!(key.signable(), Signable::AfterRootCheck);
    let refused = key.signing_key_on(&Inline, None).err().and_then(Error::verdict);
    assert_eq!(refused, Some(Verdict::KeyMismatch));

    let no_interval = edited(&file, |document| {
        remove(document, &["phalanx"]);
        remove(document, &["scheme", "params", "num_active_epochs"]);
    });
    let key = open(&no_interval, "p");
    assert_eq!((key.signable(), key.header().count), (Signable::No, None));
    let with = |interval| key.signing_key_on(&Inline, interval).err().and_then(Error::verdict);
    assert_eq!(with(None), Some(Verdict::SchemeMismatch));
    assert_eq!(with(Some(96..128)), Some(Verdict::KeyMismatch));
    assert_eq!(with(Some(96..143)), Some(Verdict::SchemeMismatch));
    assert_eq!(with(Some(96..144)), None);
}

#[test]
fn a_copy_for_recovery_never_signs() {
    let file = sealed(1, 96..144, "old");
    let keystore = parse(file.as_bytes());
    let copy = SealedFile::recovery_only(&keystore, &password("old"), ACCEPT, &password("vault"), CHEAP);
    let copy = copy.expect("the password is right");
    let key = open(copy.as_bytes(), "vault");
    assert_eq!((key.signable(), key.header().usage), (Signable::No, Use::RecoveryOnly));
    assert_ne!(key.header().uuid, keystore.header().uuid);
    assert_eq!(key.secret().expose(), [1; 32]);
    // Readers that know the EIP alone see a key with nothing left.
    let document: serde_json::Value = serde_json::from_slice(copy.as_bytes()).expect("JSON");
    let wanted = serde_json::json!({
        "authoritative": false, "authority": "slashing-protection",
        "capacity": {"total": 48, "consumed": 48, "remaining": 0}, "high_water": 143, "reserved_ranges": [],
    });
    assert_eq!(document["state"], wanted);
}

#[test]
fn expanded_keys_of_leansig_come_back() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    for (name, keystore) in [
        ("p2-top-l8-d64b8.k0", "ok-imported-prf-key-k0.json"),
        ("p2-top-l8-d64b8.k2-sparse", "ok-imported-prf-key-k2-sparse.json"),
    ] {
        let bytes = fs::read(root.join(format!("xmss/{name}.sk.ssz"))).expect("the vector is there");
        let key = SigningKey::from_bytes(SET, Format::Ssz, &bytes).expect("it is a key");
        let secret = KeySecret::from_signing_key(&key);
        // What we make of the key is what the other implementation made of it.
        let theirs = fs::read(root.join("custody/keystore").join(keystore)).expect("the vector is there");
        let theirs = open(&theirs, "correct horse battery staple");
        assert!(secret.expose() == theirs.secret().expose(), "{name}");
        let file = seal(&key, &secret, "p").expect("the parts belong together");
        let back = open(file.as_bytes(), "p");
        assert_eq!(back.secret().kind(), SecretKind::PrfKey);
        assert_eq!(back.one_time_key_id(), theirs.one_time_key_id());
        let computed = back.signing_key_on(&Inline, None).expect("the public key is that of the parts");
        assert!(computed.to_bytes(Format::Ssz) == SigningKey::to_bytes(&key, Format::Ssz), "{name}");
    }
}
