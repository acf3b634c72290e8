//! Keys that another ledger takes over, while a service signs with them and while it does not.

use super::super::ledger::new_ledger;
use super::{ALL, Place, ask};
use phalanx_custody::identity::{KeyId, xmss_key_id};
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::registry::Keeper;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Problem};
use std::fs;
use std::path::PathBuf;
use std::thread;

impl Place {
    fn key_id(&self) -> KeyId {
        xmss_key_id(&self.keys[0])
    }

    /// The file that says who keeps the key.
    fn key_file(&self) -> PathBuf {
        self.folder.join(&format!("state/{}.key", self.key_id()))
    }

    /// Another ledger, of which an operator says that it may sign with the key from `low` on.
    fn other_ledger(&self, low: u64) -> SqliteLedger {
        fs::create_dir_all(self.folder.join("other")).expect("a folder");
        let (ledger, reason) = (self.ledger(), "it is moved".to_owned());
        let key = ledger.standing(&self.key_id()).expect("it is known").instance;
        drop(ledger);
        let other = new_ledger(&self.folder.join("other/ledger"));
        let public_key = self.keys[0].to_bytes(phalanx_xmss::Format::Ssz);
        other.register(&key, &public_key, InitialState::Adopt { low, reason }).expect("a new key");
        other
    }

    /// Gives the key to `ledger`, as an operator's command does.
    fn give(&self, ledger: &SqliteLedger) -> Result<(), Problem> {
        let key = ledger.standing(&self.key_id()).expect("it is known").instance;
        self.registry().give(&key, &ledger.ledger_id()).map_err(|error| error.problem())
    }
}

#[test]
fn a_key_is_not_taken_from_a_service_that_runs() {
    let place = Place::new(&[Role::Attester], 0..32);
    let other = place.other_ledger(9);
    let running = place.start();
    let (client, path) = (running.client(), format!("/sign/{}", place.pubkey(0)));
    assert_eq!(client.post(&path, &ask(9, 1)).status, 200);
    assert_eq!(place.give(&other), Err(Problem::InUse));
    assert_eq!(client.post(&path, &ask(10, 1)).status, 200, "it goes on");
    assert_eq!(client.post("/reload", "").status, 200);
    assert_eq!(place.give(&other), Err(Problem::InUse), "after a reload, too");
    running.signer.stop();
    assert_eq!(place.give(&other), Ok(()));
    // From now on the other one signs, and the service does not.
    let running = place.start();
    running.log.wait_for("event=keystore_failed file=1.json code=kept_elsewhere");
    assert_eq!(running.client().post(&path, &ask(11, 1)).code(), (404, "unknown_key".to_owned()));
    running.signer.stop();
}

/// Whatever order a start and a take-over come in, the key has one ledger by which it signs.
#[test]
fn a_start_and_a_take_over_exclude_each_other() {
    let place = Place::new(&[Role::Attester], 0..256);
    let other = place.other_ledger(128);
    let own = place.ledger().ledger_id();
    let path = format!("/sign/{}", place.pubkey(0));
    let (mut taken, mut kept) = (0, 0);
    for epoch in 0..12 {
        let (running, given) = thread::scope(|scope| {
            let taker = scope.spawn(|| place.give(&other));
            let running = place.start();
            (running, taker.join().expect("it does not panic"))
        });
        let signed = running.client().post(&path, &ask(epoch, 1)).status;
        match given {
            Ok(()) => assert_eq!(signed, 404, "both would sign"),
            Err(problem) => assert_eq!((problem, signed), (Problem::InUse, 200)),
        }
        if given.is_ok() {
            taken += 1
        } else {
            kept += 1
        }
        running.signer.stop();
        let key = other.standing(&place.key_id()).expect("it is known").instance;
        place.registry().give(&key, &own).expect("nobody has it open");
    }
    eprintln!("taken over {taken} times, kept {kept} times");
}

/// Files that somebody exchanges under a service: what they say counts before the next signature.
#[test]
fn what_the_state_folder_says_counts_while_the_service_runs() {
    let place = Place::new(&[Role::Attester], 0..32);
    let other = place.other_ledger(9);
    let own = place.ledger().ledger_id();
    let running = place.start();
    let (client, path) = (running.client(), format!("/sign/{}", place.pubkey(0)));
    let sign = |epoch| client.post(&path, &ask(epoch, 1)).code();
    let file = place.key_file();
    let mine = fs::read_to_string(&file).expect("it is there");
    assert_eq!(client.post(&path, &ask(1, 1)).status, 200);

    let theirs = mine.replace(&hex::encode(own), &hex::encode(other.ledger_id()));
    fs::write(&file, &theirs).expect("a file");
    assert_eq!(sign(2), (412, "retired".to_owned()));
    assert_eq!(sign(1), (412, "retired".to_owned()), "repeats, too");
    running.log.wait_for("event=not_kept_here");
    fs::write(&file, "nonsense").expect("a file");
    assert_eq!(sign(2), (412, "quarantined".to_owned()));
    fs::remove_file(&file).expect("it was there");
    assert_eq!(sign(2), (412, "quarantined".to_owned()));
    fs::write(&file, &mine).expect("a file");
    assert_eq!(client.post(&path, &ask(2, 1)).status, 200, "it was somebody's mistake");

    let claim = place.folder.join(&format!("state/{}.open", hex::encode(own)));
    fs::rename(&claim, claim.with_extension("gone")).expect("it is there");
    assert_eq!(sign(3), (412, "quarantined".to_owned()), "nothing keeps others from the key");
    fs::rename(claim.with_extension("gone"), &claim).expect("it is there");
    assert_eq!(client.post(&path, &ask(3, 1)).status, 200);

    // A reload lets go of the key, and one after that finds it again.
    fs::write(&file, &theirs).expect("a file");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its mode");
    let answer = client.post("/reload", "").json();
    assert_eq!(answer["removed"], serde_json::json!([place.pubkey(0)]));
    assert_eq!(answer["failed"][0]["code"], "kept_elsewhere");
    assert_eq!(sign(4).0, 404);
    fs::write(&file, &mine).expect("a file");
    assert_eq!(client.post("/reload", "").json()["added"], serde_json::json!([place.pubkey(0)]));
    assert_eq!(client.post(&path, &ask(4, 1)).status, 200);
    running.signer.stop();
}

#[test]
fn a_key_that_nobody_keeps_is_not_served() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..32);
    fs::remove_file(place.key_file()).expect("it was there");
    let running = place.start();
    running.log.wait_for("event=keystore_failed file=1.json code=no_state");
    assert_eq!(running.client().post(&format!("/sign/{}", place.pubkey(1)), &ask(1, 1)).status, 200);
    running.signer.stop();
    place.configure("auth = \"none\"\nrequire_all = true", "", ALL);
    assert!(place.try_start().is_err());
    let key = place.ledger().standing(&place.key_id()).expect("it is known").instance;
    assert_eq!(place.registry().keeper_of(&key).expect("it can be read"), Keeper::Nobody);
}
