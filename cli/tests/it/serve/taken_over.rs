//! A key that an operator gives to another ledger, while a signer has it and afterwards.

use super::{EVERYTHING, OPEN, Place};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, WitnessFolder};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_signerload::rig::plain_client;

#[test]
fn a_signer_keeps_its_keys_until_it_is_stopped() {
    let place = Place::new();
    let state = place.folder.path("signer/state/phalanx");
    let options = |ledger: &str, witness| {
        LedgerOptions::new(place.folder.path(ledger)).witness(witness).allow_file_system("overlay")
    };
    let at = WitnessFolder::NamedIn(place.folder.path("signer/witness"));
    let signers = SqliteLedger::open(&options("signer/ledger", at)).expect("nobody has it open");
    let history = signers.export(None, false).expect("a file").text;
    drop(signers);
    let other = options("other", WitnessFolder::NamedIn(state));
    SqliteLedger::create(&other, NewLedger::default()).expect("a new ledger");
    place.folder.write("history.json", history);

    let command = |args: &str| {
        let mut command = place.folder.command(args);
        command.env("XDG_STATE_HOME", place.folder.path("signer/state"));
        command.env("PHALANX_ALLOW_FILE_SYSTEM", "overlay");
        let output = command.output().expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let refused = |args: &str| {
        let (code, said) = command(args);
        assert!(code == Some(3) && said.contains("in_use"), "{args}: {code:?} {said}");
    };
    let (import, id) = ("ledger import --ledger other history.json", place.rig.keys()[0].key_id());
    let adopt = format!("ledger adopt --ledger other --yes-key-id {id} --i-accept-epoch 9 --reason moved");

    let signer = place.start(OPEN, EVERYTHING);
    let client = plain_client(&place.url("http")).expect("an address");
    let sign = |epoch| client.sign(&place.rig.keys()[0], epoch, &[1; 32]).is_ok();
    assert!(sign(1));
    refused(import);
    assert!(sign(2));
    assert!(signer.stop().expect("it ends").success());
    assert_eq!(command(import).0, Some(0), "nothing was taken in when it was refused");

    let signer = place.start(OPEN, EVERYTHING);
    refused(&adopt);
    assert!(sign(3), "a copy does not take a key away");
    assert!(signer.stop().expect("it ends").success());
    let (code, said) = command(&adopt);
    assert_eq!(code, Some(0), "{said}");

    let signer = place.start(OPEN, EVERYTHING);
    assert!(!sign(20), "the other ledger has the key");
    assert!(signer.said().contains("kept_elsewhere"), "{}", signer.said());
    let other_key = client.sign(&place.rig.keys()[1], 20, &[1; 32]);
    assert!(other_key.is_ok(), "its other key it keeps: {:?}\n{}", other_key.err(), signer.said());
    assert!(signer.stop().expect("it ends").success());
}
